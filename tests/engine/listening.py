"""Somebody who listens to an engine, and the few calls that the tests of the engine share."""

from __future__ import annotations

import math
import threading
import time

from turkengine.engine.core import EngineCore
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.limits import Limits
from turkengine.engine.report import Answer, Report
from turkengine.rules.variant import Variant


def board(variant: Variant, **pieces: str) -> str:
    """Cells with pieces on named squares: `board(TURKISH, w="a2 b2", B="h8")`."""
    cells = ["e"] * variant.board.size
    for letter, squares in pieces.items():
        for square in squares.split():
            cells[variant.board.names.index(square)] = letter
    return "".join(cells)


class Listener:
    """Keeps what an engine tells, and the thread and moment of the answer; `reported` and `ended` can be waited for."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.answers: list[Answer] = []
        self.thread = ""
        self.answered = math.nan
        self.reported = threading.Event()
        self.ended = threading.Event()

    @property
    def answer(self) -> Answer | None:
        """The answer, None as long as there is none."""
        return self.answers[0] if self.answers else None

    def on_report(self, report: Report) -> None:
        assert not self.answers, "a report after the answer"
        self.reports.append(report)
        self.reported.set()

    def on_answer(self, answer: Answer) -> None:
        self.answered = time.perf_counter()
        self.thread = threading.current_thread().name
        self.answers.append(answer)
        self.ended.set()


def begin(engine: EngineCore, listener: Listener, limits: Limits, position: KernelPosition | None = None) -> float:
    began = time.perf_counter()
    engine.start(position or engine.position(), limits, listener.on_report, listener.on_answer, began)
    return began


def search(engine: EngineCore, listener: Listener, limits: Limits, position: KernelPosition | None = None) -> float:
    """Search to the end; the seconds it took."""
    began = begin(engine, listener, limits, position)
    assert engine.wait(10)
    assert len(listener.answers) == 1
    return listener.answered - began
