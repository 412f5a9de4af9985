"""One search as programs see it: what it has found so far while it runs, and all of it when it has ended.

    with engine.analysis(position) as analysis:     # runs until it is stopped
        for info in analysis:
            if info.depth >= 12:
                break

It may be read in any number of threads and tasks at once, each of which sees every report from the first on; of a
search that is left on for hours, from the first that is kept, since only the last thousands are.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from types import TracebackType
from typing import Self

from turkengine.api import checking
from turkengine.api.limit import PovScore
from turkengine.api.position import Position
from turkengine.engine.chances import Chances
from turkengine.engine.report import Bound
from turkengine.rules.move import Move

MOST_INFOS = 1 << 14  # that are kept, the last ones: more than a search of ours makes, five megabytes


@dataclass(frozen=True)
class Info:
    """One line that a search has found.

    Attributes:
        position: what was searched.
        rank: 1 for the best line, 2 for the second best, ...
        depth: plies of the iteration, None where an engine does not say it.
        score: of the line.
        bound: whether the score is exact, or only a bound as long as the search of this move goes on.
        nodes: moves made since the search began, None where an engine does not say it.
        time: seconds since it began.
        line: legal moves, the one to be played first.
        selective_depth: plies of the longest line looked at, None where an engine does not say it.
    """

    position: Position = field(repr=False)
    rank: int
    depth: int | None
    score: PovScore
    bound: Bound
    nodes: int | None
    time: float
    line: tuple[Move, ...]
    selective_depth: int | None = None

    @property
    def move(self) -> Move | None:
        """The first move of the line."""
        return self.line[0] if self.line else None

    @property
    def texts(self) -> list[str]:
        """The line as text."""
        return self.position.line_texts(self.line)

    @property
    def nodes_per_second(self) -> float | None:
        """Moves made per second of wall time."""
        return self.nodes / self.time if self.nodes is not None and self.time > 0 else None

    @property
    def chances(self) -> Chances:
        """The chances of the side to move."""
        return self.score.chances(self.position.variant, self.position.side)


class Analysis:
    """A search under way or ended. Iterate over it for every `Info` in turn, with `for` or `async for`.

    A search that fails raises what has gone wrong where its end is waited for, and at the end of an iteration.
    """

    def __init__(self, position: Position, multipv: int, is_open: bool, stop: Callable[[Analysis], None]) -> None:
        """For engines, which feed it."""
        self.position, self.multipv, self.is_open = position, multipv, is_open
        self._stop = stop
        self._changed = threading.Condition()
        self._infos: deque[Info] = deque(maxlen=MOST_INFOS)
        self._told = 0  # how many there have been
        self._best: Info | None = None
        self._lines: dict[Move, Info] = {}  # the last exact report of each first move
        self._listeners: list[Callable[[], None]] = []
        self._move: Move | None = None
        self._ponder: Move | None = None
        self._failure: Exception | None = None
        self._done = False

    # -- the findings -------------------------------------------------------------------------------------------------

    @property
    def lines(self) -> tuple[Info, ...]:
        """The best line of each of the best moves, the best first; empty before the first exact report.

        A search that is ended within an iteration may have found another best move before it has come to the others:
        these are those of the iteration before then.
        """
        with self._changed:
            found = sorted(self._lines.values(), key=lambda info: (-(info.depth or 0), info.rank))
        return tuple(replace(info, rank=place) for place, info in enumerate(found[: self.multipv], start=1))

    @property
    def best(self) -> Info | None:
        """The last exact report of the best line."""
        return self._best

    @property
    def score(self) -> PovScore | None:
        """The score of the best line."""
        return self.best.score if self.best is not None else None

    @property
    def line(self) -> tuple[Move, ...]:
        """The best line."""
        return self.best.line if self.best is not None else ()

    @property
    def depth(self) -> int | None:
        """The depth in plies at which the best line was found."""
        return self.best.depth if self.best is not None else None

    @property
    def nodes(self) -> int | None:
        """Moves made, as last reported."""
        return self._infos[-1].nodes if self._infos else None

    @property
    def move(self) -> Move | None:
        """The move to be played; None before there is one, and where the game is over."""
        return self._move if self._move is not None or self.best is None else self.best.move

    @property
    def ponder(self) -> Move | None:
        """The reply that is expected, None where there is none or the search goes on."""
        return self._ponder

    @property
    def done(self) -> bool:
        """Whether the search has ended."""
        return self._done

    # -- its life -----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End the search, and return at once; what it has found stays. May be called from any thread, and twice."""
        if not self._done:
            self._stop(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end of the search; whether that came within `timeout` seconds.

        Raises:
            ClientError: an engine has failed.
        """
        if timeout is not None:
            checking.seconds("timeout", timeout)
        with self._changed:
            ended = self._changed.wait_for(lambda: self._done, timeout)
        self._raise_failure()
        return ended

    async def wait_async(self) -> None:
        """The same for asyncio; the search is stopped where the task that waits is cancelled."""
        async for _ in self:
            pass

    def __iter__(self) -> Iterator[Info]:
        place = 0
        while True:
            with self._changed:
                while not self._done and self._told == place:
                    self._changed.wait()
                fresh, place = self._since(place), self._told
            yield from fresh
            if not fresh:
                self._raise_failure()
                return

    async def __aiter__(self) -> AsyncIterator[Info]:
        import asyncio  # late: most programs need none of it

        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop has been closed, so nobody listens any more
                loop.call_soon_threadsafe(woken.set)

        with self._changed:
            self._listeners.append(wake)
        place = 0
        try:
            while True:
                woken.clear()
                with self._changed:
                    fresh, done = self._since(place), self._done
                    place = self._told
                for info in fresh:
                    yield info
                if done and not fresh:
                    break
                if not fresh:
                    await woken.wait()
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            with self._changed:
                self._listeners.remove(wake)
        self._raise_failure()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if kind is None:
            self.wait()

    def __reduce__(self) -> tuple[object, ...]:
        """For `pickle` and `copy`: what a search has found can be sent to another process when it has ended."""
        if not self._done:
            raise TypeError("this search is under way and cannot be pickled or copied; wait for its end first")
        here = ("_stop", "_changed", "_listeners")
        found = {name: value for name, value in self.__dict__.items() if name not in here}
        return _ended, (self.position, self.multipv, self.is_open), found

    def __repr__(self) -> str:
        state = "done" if self._done else "running"
        return f"<Analysis {state}: {self.score}, depth {self.depth}, {self.position.fen()}>"

    # -- for engines --------------------------------------------------------------------------------------------------

    def tell(self, info: Info) -> None:
        """A report has come."""
        with self._changed:
            self._infos.append(info)
            self._told += 1
            if info.bound is Bound.EXACT and info.line:
                self._lines[info.line[0]] = info
                if info.rank == 1:
                    self._best = info
            self._tell_all()

    def finish(self, move: Move | None, ponder: Move | None, failure: Exception | None = None) -> None:
        """The answer has come, or none will."""
        with self._changed:
            self._move, self._ponder, self._failure, self._done = move, ponder, failure, True
            self._tell_all()

    def _since(self, place: int) -> list[Info]:
        """The reports from that number on, as far as they are kept."""
        new = min(self._told - place, len(self._infos))
        return list(islice(self._infos, len(self._infos) - new, None))

    def _tell_all(self) -> None:
        self._changed.notify_all()
        for listener in self._listeners:
            listener()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure


def _ended(position: Position, multipv: int, is_open: bool) -> Analysis:
    """What `pickle` makes an analysis of, which has nothing more to stop."""
    return Analysis(position, multipv, is_open, lambda analysis: None)
