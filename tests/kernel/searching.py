"""Searches of the kernel as the tests need them, and a solver that finds wins by trying everything."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.listening import Listener

from turkengine import kernel
from turkengine.engine.core import EngineCore
from turkengine.engine.kernel_types import RawReport
from turkengine.engine.limits import Limits
from turkengine.rules.move import Move

WIN = 10_000


@dataclass(frozen=True)
class Line:
    """One report of the search, by name."""

    depth: int
    selective_depth: int
    mean_depth: float
    rank: int
    score: int
    bound: int
    nodes: int
    seconds: float
    table_filled: int
    table_hits: int
    moves: tuple[Move, ...]


def searcher(position: Any, mebibytes: int = 1) -> Any:
    """A searcher that has learnt nothing yet, for the variant of `position`."""
    module = kernel.load(position.variant)
    return module.Searcher(module.Table(mebibytes))


def search(position: Any, by: Any = None, **limits: Any) -> list[Line]:
    """Every report of one search, by a new searcher unless one is given."""
    reports: list[RawReport] = []
    by = by or searcher(position)
    by.prepare()
    by.run(position, on_report=reports.append, **limits)
    return [Line(*report) for report in reports]


def iterations(lines: list[Line]) -> list[tuple[int, int, int, tuple[Move, ...]]]:
    """What a search has found, without what depends on time: from a second on it tells lines with a bound too."""
    return [(line.depth, line.score, line.nodes, line.moves) for line in lines if line.bound == 0]


def score(position: Any, depth: int, **limits: Any) -> int:
    """What the search makes of the position in the end."""
    return search(position, depth=depth, **limits)[-1].score


def plies_to_end(score: int) -> int | None:
    """The plies to a win (positive) or a loss (negative) that a score tells, None where it tells none."""
    distance = WIN - abs(score)
    return int(math.copysign(distance, score)) if distance <= 500 else None


def played(position: Any, moves: tuple[Move, ...]) -> Iterator[Any]:
    """The positions along a line, each of whose moves must be legal."""
    for move in moves:
        assert move in position.legal_moves()
        position = position.play(move)
        yield position


class Solver:
    """Wins and losses of small positions, found by trying every move: slow and certain.

    Counts of plies matter only where they can run out, so a position is told by its board and those of a lone king.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int, bool], bool] = {}

    def plies_to_end(self, position: Any, most: int) -> int | None:
        """Plies until the side to move has won, negative where it loses, None where `most` plies decide nothing."""
        for plies in range(most + 1):
            if self.ends(position, plies, won=True):
                return plies
            if self.ends(position, plies, won=False):
                return -plies
        return None

    def ends(self, position: Any, plies: int, won: bool) -> bool:
        """Whether the side to move wins (or, if not `won`, loses) within so many plies whatever the other does."""
        known = position.key, position.material_plies, plies, won
        if known not in self._known:
            end = position.outcome()
            if end is not None:
                self._known[known] = end.winner is (position.side if won else position.side.opponent)
            else:
                enough = any if won else all
                replies = (self.ends(position.play(move), plies - 1, not won) for move in position.legal_moves())
                self._known[known] = plies > 0 and enough(replies)
        return self._known[known]


def answer(engine: EngineCore, position: Any, limits: Limits) -> tuple[Listener, float]:
    """What the engine says to an order, and the seconds until its answer."""
    listener = Listener()
    began = time.perf_counter()
    engine.start(position, limits, listener.on_report, listener.on_answer, began)
    assert listener.ended.wait(60)
    assert engine.wait(10)
    return listener, listener.answered - began
