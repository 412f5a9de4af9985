"""Engines as programs use them: `Engine` in this process, `ExternalEngine` (beside this file) for any other.

    with Engine(hash=64) as engine:
        analysis = engine.analyse(position, Limit(nodes=100_000), multipv=3)
        move = engine.play(position, Limit(time=0.5)).move

An engine searches one position at a time and may be used from any thread. An order that comes while another search is
under way waits for its end; one without a limit is stopped for it, since it would never end by itself.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from turkengine.api.analysis import Analysis, Info
from turkengine.api.limit import Limit, PovScore
from turkengine.api.position import Position
from turkengine.engine.engine import Engine as Facade
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Answer, Report
from turkengine.errors import OptionError
from turkengine.rules.move import Move

NO_LIMIT = Limit()
NOT_HERE = ("variant", "uci_variant", "multi-pv", "multipv", "ponder", "log-file", "log file", "square-names")


@dataclass(frozen=True)
class PlayResult:
    """A move to be played.

    Attributes:
        move: None where the game is over.
        ponder: the reply that the engine expects, None where it expects none.
        info: the last report of its line, None where it has told nothing.
    """

    move: Move | None
    ponder: Move | None = None
    info: Info | None = None


class BaseEngine(ABC):
    """What every engine can be asked."""

    def __init__(self) -> None:
        self._gate = threading.Condition()
        self._current: Analysis | None = None
        self._game: object = None
        self._closed = False

    @property
    @abstractmethod
    def name(self) -> str:
        """What it calls itself."""

    def analysis(
        self,
        position: Position,
        limit: Limit | None = None,
        multipv: int = 1,
        *,
        root_moves: Sequence[Move | str] = (),
        game: object = None,
    ) -> Analysis:
        """Begin a search and return at once; what it finds can be followed while it runs.

        Args:
            position: what is searched, with the game that has led there.
            limit: what ends the search; None goes on until it is stopped.
            multipv: how many best lines are wanted.
            root_moves: search these first moves only.
            game: anything that stands for the game; where it differs from the last one given, what was learnt is
                forgotten first, and the same search finds the same again.

        Raises:
            MoveError: a root move is not legal.
            ClientError: the engine cannot be started.
            RuntimeError: it is closed.
        """
        return self._ordered(position, limit or NO_LIMIT, multipv, root_moves, game, True)

    def analyse(
        self,
        position: Position,
        limit: Limit,
        multipv: int = 1,
        *,
        root_moves: Sequence[Move | str] = (),
        game: object = None,
    ) -> Analysis:
        """Search and wait for the end; the arguments and errors are those of `analysis`.

        Raises:
            ValueError: the limit is none, so that there would be no end.
        """
        analysis = self._ordered(position, _closed(limit), multipv, root_moves, game, True)
        analysis.wait()
        return analysis

    def play(self, position: Position, limit: Limit, *, game: object = None) -> PlayResult:
        """Ask for a move, and wait for it. A single legal move is played at once where only time limits the search."""
        return _play_result(self._played(position, limit, game))

    async def analyse_async(
        self,
        position: Position,
        limit: Limit,
        multipv: int = 1,
        *,
        root_moves: Sequence[Move | str] = (),
        game: object = None,
    ) -> Analysis:
        """`analyse` for asyncio. Where the task is cancelled the search is stopped."""
        import asyncio

        begin = (position, _closed(limit), multipv, root_moves, game, True)
        analysis = await asyncio.to_thread(self._ordered, *begin)
        await analysis.wait_async()
        return analysis

    async def play_async(self, position: Position, limit: Limit, *, game: object = None) -> PlayResult:
        """`play` for asyncio."""
        import asyncio

        analysis = await asyncio.to_thread(self._ordered, position, _closed(limit), 1, (), game, False)
        await analysis.wait_async()
        return _play_result(analysis)

    def stop(self) -> None:
        """End the search under way, if there is one; what it has found stays."""
        current = self._current
        if current is not None:
            current.stop()

    def close(self) -> None:
        """Stop, and give back what the engine holds. May be called twice."""
        with self._gate:
            self._closed = True
        self.stop()
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("an engine cannot be pickled or copied; make one in each process")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    # -- within -------------------------------------------------------------------------------------------------------

    @abstractmethod
    def _begin(self, analysis: Analysis, limits: Limits, new_game: bool) -> None:
        """Start the search that feeds `analysis`; called while nothing else is searched."""

    @abstractmethod
    def _halt(self, analysis: Analysis) -> None:
        """Stop the search of `analysis` if it is still under way."""

    @abstractmethod
    def _close(self) -> None:
        """Give everything back."""

    def _ordered(
        self,
        position: Position,
        limit: Limit,
        multipv: int,
        root_moves: Sequence[Move | str],
        game: object,
        analysis: bool,
    ) -> Analysis:
        chosen = tuple(position.parse(move) if isinstance(move, str) else move for move in root_moves)
        for move in chosen:
            position.play(move)  # raises where it is not legal
        if multipv < 1:
            raise ValueError(f"multipv is {multipv}; ask for one line or more")
        with self._gate:
            while self._current is not None and not self._current.done:
                if self._current.is_open:
                    self._current.stop()
                self._gate.wait(0.5)
            if self._closed:
                raise RuntimeError("the engine is closed")
            began = Analysis(position, multipv, limit.is_open, self._halt)
            new_game = game != self._game
            self._game, self._current = game, began
            try:
                self._begin(began, limit.limits(chosen, analysis), new_game)
            except BaseException:
                self._current = None
                raise
        return began

    def _played(self, position: Position, limit: Limit, game: object) -> Analysis:
        analysis = self._ordered(position, _closed(limit), 1, (), game, False)
        analysis.wait()
        return analysis

    def _ended(self, analysis: Analysis, move: Move | None, ponder: Move | None, failure: Exception | None) -> None:
        """The search of `analysis` is over: the next may begin."""
        analysis.finish(move, ponder, failure)
        with self._gate:
            self._gate.notify_all()


class Engine(BaseEngine):
    """The engine of this package, in this process: any number of them, each with a table and threads of its own.

    The interpreter is free while it searches, so that engines in several threads use several processors.
    """

    def __init__(self, **options: int | bool | str) -> None:
        """Nothing is searched yet, and the table is made when it is first needed.

        Args:
            options: those of docs/options.md, `_` in place of `-`: hash=64 (MiB), threads=1, contempt=0,
                no_progress=100, ... The variant is that of each position.

        Raises:
            OptionError: there is no such option, it does not take the value, or it means nothing here.
        """
        super().__init__()
        self._options = Options()
        for option, value in options.items():
            name = option.replace("_", "-")
            if name.lower() in NOT_HERE:
                raise OptionError(f"option {name} means nothing to an engine of a program; leave it out")
            self._options = self._options.with_text(name, str(value))
        self._configured: Options | None = None  # what the last search was made ready for
        self._failure: Exception | None = None
        self._facade = Facade(self._options, on_failure=self._failed)

    @property
    def name(self) -> str:
        """Program and version."""
        from turkengine import __version__

        return f"turkengine {__version__}"

    def forget(self) -> None:
        """Empty the table and forget what was learnt, as a new `game` does.

        Raises:
            RuntimeError: a search is under way.
        """
        self._facade.new_game()

    def _begin(self, analysis: Analysis, limits: Limits, new_game: bool) -> None:
        facade, position = self._facade, analysis.position
        wanted = replace(self._options, multi_pv=analysis.multipv, variant=position.variant)
        if wanted != self._configured:
            facade.configure(wanted)
            self._configured = wanted
        if new_game:
            facade.new_game()
        facade.settle()  # here, before any clock starts
        self._failure = None

        def report(found: Report) -> None:
            analysis.tell(_info(position, found))

        def answer(found: Answer) -> None:
            self._ended(analysis, found.move, found.ponder, self._failure)

        facade.start(position.kernel, limits, report, answer)

    def _halt(self, analysis: Analysis) -> None:
        if analysis is self._current:
            self._facade.stop()

    def _close(self) -> None:
        self._facade.close()

    def _failed(self, failure: Exception) -> None:
        self._failure = self._failure or failure


def _info(position: Position, found: Report) -> Info:
    return Info(
        position,
        found.rank,
        found.depth,
        PovScore(found.score, position.side),
        found.bound,
        found.nodes,
        found.time,
        found.line,
        found.selective_depth,
    )


def _closed(limit: Limit) -> Limit:
    if limit.is_open:
        raise ValueError("this would never end; give a limit, or use analysis() and stop it")
    return limit


def _play_result(analysis: Analysis) -> PlayResult:
    return PlayResult(analysis.move, analysis.ponder, analysis.best)
