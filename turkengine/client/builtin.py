"""The engine of this program as a client: no process, no protocol, the façade at hand."""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping
from functools import partial
from types import TracebackType
from typing import Self

from turkengine import __version__
from turkengine.client.contract import ClientError, Fault, Log, Thought
from turkengine.engine.contract import Position as Situation
from turkengine.engine.engine import Engine
from turkengine.engine.handicap import strength_of
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Answer, Bound, Report
from turkengine.errors import OptionError
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

STOPPING = 5.0  # s from a stop to the answer, which takes milliseconds unless the machine is stuck
TICK = 0.5  # s of waiting at most: Ctrl-C is not noticed in between on Windows


class BuiltinClient:
    """Our own engine, in this process. Its search runs in a thread of its own, without the interpreter's lock."""

    def __init__(self, name: str = "", options: Mapping[str, str] | None = None) -> None:
        """Nothing is started yet.

        Args:
            name: what it is called here; program, version and, where it is weakened, its level or Elo if empty.
            options: by the names of the registry; without a word about it no book is used, so that whoever asks for a
                move hears of a search.

        Raises:
            OptionError: there is no such option, it does not take the value, or it means nothing here.
        """
        self.log: Log | None = None
        self._options = Options(book=False)
        for option, text in (options or {}).items():
            self._options = self._options.with_text(option, text)
            if option.lower() in ("variant", "uci_variant", "log-file", "log file"):
                raise OptionError(f"option {option} means nothing to the built-in engine; leave it out")
        self.name = name or " ".join(filter(None, (f"turkengine {__version__}", strength_of(self._options))))
        self._engine: Engine | None = None
        self._variant: Variant | None = None
        self._last: tuple[Position, Situation] | None = None  # the position asked about last, and its copy

    def start(self, variant: Variant) -> None:
        """Load the kernel and make the table."""
        if self.alive() and variant is self._variant:
            return
        self.close()
        self._variant = variant
        engine = Engine(self._options)
        try:
            notes = engine.configure(self._options.with_text("variant", variant.name))
        except (ImportError, MemoryError) as error:
            engine.close()
            raise self._fault(Fault.START, f"it cannot be started: {error}") from None
        if notes:
            engine.close()
            raise self._fault(Fault.START, f"it complains: {notes[0]}")
        engine.settle()
        self._engine = engine

    def new_game(self) -> None:
        """Forget the game before."""
        if self._engine is None:
            assert self._variant is not None, "an engine is started before its first game"
            self.start(self._variant)
        assert self._engine is not None
        self._last = None
        self._engine.new_game()
        self._engine.settle()

    def think(self, position: Position, limits: Limits, deadline: float | None = None) -> Thought:
        """Search in the engine's thread, and wait."""
        engine = self._engine
        if engine is None:
            raise self._fault(Fault.CRASH, "it does not run")
        answers: queue.SimpleQueue[tuple[Answer, float]] = queue.SimpleQueue()
        reports: list[Report] = []
        situation = self._situation(engine, position)
        ordered = time.perf_counter()
        engine.start(situation, limits, reports.append, lambda answer: answers.put((answer, time.perf_counter())))
        found = self._next(engine, answers, None if deadline is None else ordered + deadline)
        if found is None:
            engine.stop()
            if self._next(engine, answers, time.perf_counter() + STOPPING) is not None:
                raise self._fault(Fault.TIMEOUT, f"no answer within {deadline:.3f} s")
            self._engine = None  # it cannot be killed, only left behind
            raise self._fault(Fault.SILENCE, f"no answer within {deadline:.3f} s, and none when it was stopped")
        self._see_to_failure(engine, STOPPING)
        answer, moment = found
        last = next((report for report in reversed(reports) if report.rank == 1 and report.bound is Bound.EXACT), None)
        both = () if answer.move is None or answer.ponder is None else (answer.move, answer.ponder)
        tell = partial(Thought, answer.move, seconds=moment - ordered, find_both=lambda: both)
        if last is None:
            return tell()
        return tell(depth=last.depth, nodes=last.nodes, score=last.score, find_line=lambda: last.line)

    def game_over(self, position: Position) -> None:
        """It keeps no game, so there is nothing to tell."""

    def alive(self) -> bool:
        """Whether it has been started."""
        return self._engine is not None

    def close(self) -> None:
        """Stop, and give the memory back."""
        engine, self._engine, self._last = self._engine, None, None
        if engine is not None:
            engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next(
        self, engine: Engine, answers: queue.SimpleQueue[tuple[Answer, float]], until: float | None
    ) -> tuple[Answer, float] | None:
        """The answer, None where it has not come until then."""
        while True:
            wait = TICK if until is None else min(until - time.perf_counter(), TICK)
            try:
                return answers.get(timeout=max(wait, 0.0))
            except queue.Empty:
                if until is not None and time.perf_counter() >= until:
                    return None
                self._see_to_failure(engine, 0.0)

    def _see_to_failure(self, engine: Engine, timeout: float) -> None:
        """A search that fails answers all the same; the failure comes behind that."""
        try:
            engine.wait(timeout)
        except Exception as error:
            self.close()
            raise self._fault(Fault.CRASH, f"internal error, {type(error).__name__}: {error}") from error

    def _situation(self, engine: Engine, position: Position) -> Situation:
        """The position with its history for the engine; what was made for the last question is gone on from."""
        steps: list[Position] = []
        step = position
        while step.previous is not None and not (self._last is not None and step is self._last[0]):
            steps.append(step)
            step = step.previous
        if self._last is not None and step is self._last[0]:
            situation = self._last[1]
        else:
            situation = engine.position(step.cells, step.side, step.no_progress, step.material_plies)
        for follower in reversed(steps):
            assert follower.move is not None
            situation = situation.play(follower.move)
        self._last = position, situation
        return situation

    def _fault(self, reason: Fault, what: str) -> ClientError:
        return ClientError(reason, f"{self.name}: {what}")
