"""The engine of this program without a protocol: `Ours` for every program, `BuiltinClient` for those who know clients.

No process, no protocol, the façade at hand. A search runs in a thread of its own, without the interpreter's lock.
"""

from __future__ import annotations

import os
import queue
import time
import warnings
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from turkengine import __version__
from turkengine.client.contract import ClientError, ClientFault, Log, Thought
from turkengine.engine.core import EngineCore
from turkengine.engine.handicap import strength_of
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Answer, Bound, Report
from turkengine.errors import OptionError
from turkengine.rules.position import GamePosition, Position
from turkengine.rules.variant import Variant

STOPPING = 5.0  # s from a stop to the answer, which takes milliseconds unless the machine is stuck
TICK = 0.5  # s of waiting at most: Ctrl-C is not noticed in between on Windows

OnAnswer = Callable[[Answer, Exception | None], None]  # called with the answer, and what has gone wrong


class Ours:
    """The façade, made ready for whatever is asked next.

    Where it is dropped without `close` that is made up for, with a `ResourceWarning`: the engine's threads know nothing
    of it. So the callbacks handed to `begin` must not hold it either.
    """

    def __init__(self, options: Options) -> None:
        """Nothing is made yet."""
        self._options = options
        self._configured: Options | None = None  # what the last search was made ready for
        self._failures: list[Exception] = []  # of the search under way
        self._engine = EngineCore(options, on_failure=self._failures.append)
        self._last: tuple[GamePosition, KernelPosition] | None = None  # the position asked about last, and the kernel's
        self._dropped = weakref.finalize(self, _dropped, self._engine, os.getpid())

    def ready(self, variant: Variant, multi_pv: int | None = None) -> list[str]:
        """Have the kernel loaded and the table made, in the background; what could not be had as it was asked for."""
        wanted = replace(self._options, variant=variant, multi_pv=multi_pv or self._options.multi_pv)
        if wanted == self._configured:
            return []
        notes = self._engine.configure(wanted)
        self._configured = wanted
        return notes

    def new_game(self) -> None:
        """Forget what was learnt."""
        self._last = None
        self._engine.new_game()

    def settle(self) -> None:
        """Wait until the table is there."""
        self._engine.settle()

    def begin(
        self, position: GamePosition, limits: Limits, on_report: Callable[[Report], None], on_answer: OnAnswer
    ) -> None:
        """Search, and return at once; the clock starts when the table is there. The arguments are `EngineCore`'s."""
        self._failures.clear()
        answered = partial(_answered, self._failures, on_answer)
        self._engine.start(self._compiled(position), limits, on_report, answered, patient=True)

    def stop(self) -> None:
        """End the search under way, if there is one."""
        self._engine.stop()

    def close(self) -> None:
        """Give everything back. May be called twice."""
        self._dropped.detach()
        self._engine.close()

    def _compiled(self, position: GamePosition) -> KernelPosition:
        """The position with its history for the engine; what was made for the last question is gone on from."""
        compiled: KernelPosition | None = getattr(position, "kernel", None)
        if compiled is not None:
            return compiled
        steps: list[GamePosition] = []
        step = position
        while step.previous is not None and not (self._last is not None and step is self._last[0]):
            steps.append(step)
            step = step.previous
        if self._last is not None and step is self._last[0]:
            compiled = self._last[1]
        else:
            compiled = self._engine.position(step.cells, step.side, step.no_progress, step.material_plies)
        for follower in reversed(steps):
            assert follower.move is not None
            compiled = compiled.play(follower.move)
        self._last = position, compiled
        return compiled


def _answered(failures: list[Exception], on_answer: OnAnswer, answer: Answer) -> None:
    for failure in failures:
        if isinstance(failure, OptionError):  # what was asked for was not to be had, but the search has come to its end
            warnings.warn(str(failure), RuntimeWarning, stacklevel=2)
    failed = [failure for failure in failures if not isinstance(failure, OptionError)]
    on_answer(answer, failed[0] if failed else None)


def _dropped(engine: EngineCore, owner: int) -> None:
    """Nobody has the engine any more, so nobody would end its threads."""
    if os.getpid() == owner:  # else a fork has copied the object, but not the threads
        warnings.warn("an engine was not closed; use it in a with block, or call close", ResourceWarning, stacklevel=3)
        engine.close()


class BuiltinClient:
    """Our own engine, in this process."""

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
        self._engine: Ours | None = None
        self._variant: Variant | None = None

    def start(self, variant: Variant) -> None:
        """Load the kernel and make the table."""
        if self.alive() and variant is self._variant:
            return
        self.close()
        self._variant = variant
        engine = Ours(self._options)
        try:
            notes = engine.ready(variant)
        except (ImportError, MemoryError) as error:
            engine.close()
            raise self._fault(ClientFault.START, f"it cannot be started: {error}") from None
        if notes:
            engine.close()
            raise self._fault(ClientFault.START, f"it complains: {notes[0]}")
        engine.settle()
        self._engine = engine

    def new_game(self) -> None:
        """Forget the game before."""
        if self._engine is None:
            assert self._variant is not None, "an engine is started before its first game"
            self.start(self._variant)
        assert self._engine is not None
        self._engine.new_game()
        self._engine.settle()

    def think(self, position: GamePosition, limits: Limits, deadline: float | None = None) -> Thought:
        """Search in the engine's thread, and wait."""
        engine = self._engine
        if engine is None:
            raise self._fault(ClientFault.CRASH, "it does not run")
        answers: queue.SimpleQueue[tuple[Answer, Exception | None, float]] = queue.SimpleQueue()
        reports: list[Report] = []
        ordered = time.perf_counter()
        engine.begin(
            position,
            limits,
            reports.append,
            lambda answer, failure: answers.put((answer, failure, time.perf_counter())),
        )
        found = _next(answers, None if deadline is None else ordered + deadline)
        if found is None:
            engine.stop()
            if _next(answers, time.perf_counter() + STOPPING) is not None:
                raise self._fault(ClientFault.TIMEOUT, f"no answer within {deadline:.3f} s")
            self._engine = None  # it cannot be killed, only left behind
            raise self._fault(ClientFault.SILENCE, f"no answer within {deadline:.3f} s, and none when it was stopped")
        answer, failure, moment = found
        if failure is not None:
            self.close()
            raise self._fault(ClientFault.CRASH, f"internal error, {type(failure).__name__}: {failure}") from failure
        last = next((report for report in reversed(reports) if report.rank == 1 and report.bound is Bound.EXACT), None)
        both = () if answer.move is None or answer.ponder is None else (answer.move, answer.ponder)
        tell = partial(Thought, answer.move, seconds=moment - ordered, find_both=lambda: both)
        if last is None:
            return tell()
        return tell(depth=last.depth, nodes=last.nodes, score=last.score, find_line=lambda: last.line)

    def game_over(self, position: Position) -> None:
        """It keeps no game, so there is nothing to send."""

    def alive(self) -> bool:
        """Whether it has been started."""
        return self._engine is not None

    def close(self) -> None:
        """Stop, and give the memory back."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _fault(self, reason: ClientFault, what: str) -> ClientError:
        return ClientError(reason, f"{self.name}: {what}")


def _next(
    answers: queue.SimpleQueue[tuple[Answer, Exception | None, float]], until: float | None
) -> tuple[Answer, Exception | None, float] | None:
    """The answer, None where it has not come until then."""
    while True:
        wait = TICK if until is None else min(until - time.perf_counter(), TICK)
        try:
            return answers.get(timeout=max(wait, 0.0))
        except queue.Empty:
            if until is not None and time.perf_counter() >= until:
                return None
