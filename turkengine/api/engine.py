"""Engines as programs use them: `Engine` in this process, `ExternalEngine` (beside this file) for any other.

    with Engine(hash=64) as engine:
        analysis = engine.analyse(position, Limit(nodes=100_000), multipv=3)
        move = engine.play(position, Limit(time=0.5)).move

An engine searches one position at a time and may be used from any thread. An order that comes while another search is
under way waits for its end; one without a limit is stopped for it, since it would never end by itself.

Where an engine is dropped without `close` its threads and processes end all the same, with a `ResourceWarning`: nothing
that runs in them holds it, and an analysis does not either. It belongs to the process that has made it.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from types import TracebackType
from typing import Self

from turkengine.api import checking
from turkengine.api.analysis import Analysis, Info
from turkengine.api.limit import Limit, PovScore
from turkengine.api.ordering import Order, SearchEnd, weakly
from turkengine.api.position import Position
from turkengine.client.builtin import Ours
from turkengine.engine import book
from turkengine.engine.kernel_types import load_kernel, tables_folder
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options, option_named
from turkengine.engine.report import Answer, Report
from turkengine.errors import EndgameError, OptionError, shown
from turkengine.rules.move import Move

NO_LIMIT = Limit()
A_LIMIT = "a Limit, as in Limit(time=0.5)"
MOST_LINES = option_named("multi-pv").maximum
NOT_HERE = (
    "variant",
    "uci_variant",
    "multi-pv",
    "multipv",
    "ponder",
    "log-file",
    "log file",
    "square-names",
    "clear-hash",
)


@dataclass(frozen=True)
class PlayResult:
    """A move to be played.

    Attributes:
        move: None where the game is over.
        ponder: the reply that the engine expects, None where it expects none.
        info: the last report of its line, None where it has made none.
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
        self._home = os.getpid()

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
            TypeError, ValueError: an argument is none that can be taken.
            MoveError: a root move is not legal.
            ClientError: the engine cannot be started.
            RuntimeError: it is closed.
        """
        return self._ordered(position, NO_LIMIT if limit is None else limit, multipv, root_moves, game, True)

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
        return await self._awaited(position, limit, multipv, root_moves, game, True)

    async def play_async(self, position: Position, limit: Limit, *, game: object = None) -> PlayResult:
        """`play` for asyncio."""
        return _play_result(await self._awaited(position, limit, 1, (), game, False))

    def stop(self) -> None:
        """End the search under way, if there is one; what it has found stays."""
        self._must_be_at_home()
        current = self._current
        if current is not None:
            current.stop()

    def close(self) -> None:
        """Stop, and give back what the engine holds. May be called twice, and means nothing after a fork."""
        if os.getpid() != self._home:
            return
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
        order: Order | None = None,
    ) -> Analysis:
        self._must_be_at_home()
        checking.require("position", position, Position, "a Position")
        checking.require("limit", limit, Limit, A_LIMIT)
        checking.whole("multipv", multipv, 1, MOST_LINES)
        checking.several("root_moves", root_moves)
        chosen = tuple(position.parse(move) if isinstance(move, str) else move for move in root_moves)
        for move in chosen:
            position.play(move)  # raises where it is not legal
        with self._gate:
            while self._current is not None and not self._current.done:
                if self._current.is_open:
                    self._current.stop()
                self._gate.wait(0.5)
                if order is not None and order.cancelled:
                    break
            if self._closed:
                raise RuntimeError("the engine is closed")
            if order is not None and order.cancelled:
                raise RuntimeError("nobody waits for this search any more")
            began = Analysis(position, multipv, limit.is_open, weakly(self._halt))
            new_game = game != self._game
            self._game, self._current = game, began
            try:
                self._begin(began, limit.limits(chosen, analysis), new_game)
            except BaseException:
                self._current = None
                raise
        if order is not None:
            order.begun(began)
        return began

    async def _awaited(
        self,
        position: Position,
        limit: Limit,
        multipv: int,
        root_moves: Sequence[Move | str],
        game: object,
        analysis: bool,
    ) -> Analysis:
        """A search in a task. It is ordered in a thread, since that waits for the search before it."""
        import asyncio

        order = Order()
        begin = (position, _closed(limit), multipv, root_moves, game, analysis, order)
        try:
            begun = await asyncio.to_thread(self._ordered, *begin)
        except asyncio.CancelledError:
            order.cancel()
            raise
        await begun.wait_async()
        return begun

    def _must_be_at_home(self) -> None:
        """Threads and pipes are not copied by a fork, and locks as they happen to be."""
        if os.getpid() != self._home:
            raise RuntimeError("this engine belongs to the process that this one was forked from; make one here")

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

    def __init__(self, **options: int | bool | str | PathLike[str]) -> None:
        """Nothing is searched yet. The table is made for the first search, in its thread; its clock starts after that.

        What cannot be had then as it was asked for (a size, a damaged file of endgame tables, a book of another game
        than that of the position) is a `RuntimeWarning`.

        Args:
            options: those of docs/options.md, `_` in place of `-`: hash=64 (MiB), threads=1, contempt=0,
                no_progress=100, ... The variant is that of each position.

        Raises:
            OptionError: there is no such option, it does not take the value, or it means nothing here.
            BookError: book_file cannot be used in any game.
            EndgameError: endgame_path is not a folder.
        """
        super().__init__()
        self._options = Options()
        for option, value in options.items():
            name = option.replace("_", "-")
            if name.lower() in NOT_HERE:
                raise OptionError(f"option {name} means nothing to an engine of a program; leave it out")
            self._options = self._options.with_text(name, _option_text(name, value))
        self._examine(self._options)
        self._ours = Ours(self._options)

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
        self._must_be_at_home()
        self._ours.new_game()

    def _begin(self, analysis: Analysis, limits: Limits, new_game: bool) -> None:
        position, ended = analysis.position, SearchEnd(self._ended, analysis)
        for note in self._ours.ready(position.variant, analysis.multipv):
            warnings.warn(note, RuntimeWarning, stacklevel=_callers_level())
        if new_game:
            self._ours.new_game()

        def report(found: Report) -> None:
            analysis.tell(_info(position, found))

        def answer(found: Answer, failure: Exception | None) -> None:
            ended(found.move, found.ponder, failure)

        self._ours.begin(position, limits, report, answer)

    def _halt(self, analysis: Analysis) -> None:
        self._must_be_at_home()
        if analysis is self._current:
            self._ours.stop()

    def _close(self) -> None:
        self._ours.close()

    @staticmethod
    def _examine(options: Options) -> None:
        """Look at files that are asked for, as far as that is possible without knowing the game."""
        if options.book and options.book_file:
            path = book.named(options.book_file)
            variant = book.variant_of(path)
            book.read(path, variant, load_kernel(variant).Position.start().key)
        if options.endgame_pieces and options.endgame_path and not tables_folder(options.endgame_path).is_dir():
            raise EndgameError(f"option endgame-path: {options.endgame_path} is not a folder")


def _option_text(name: str, value: object) -> str:
    """The value of an option as the registry reads it."""
    option = option_named(name)
    kinds: tuple[type, ...] = (str, PathLike) if option.kind == "string" else (str, int)
    if not isinstance(value, kinds) or (option.kind == "int" and isinstance(value, bool)):
        raise OptionError(f"option {option.name} takes {option.takes}, not {shown(repr(value))[1:-1]}")
    return fspath(value) if isinstance(value, PathLike) else str(value)


def _callers_level() -> int:
    """How many frames below this package's the first one is that is not, for a warning that names that place."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("turkengine."):
        level, frame = level + 1, frame.f_back
    return level


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
    checking.require("limit", limit, Limit, A_LIMIT)
    if limit.is_open:
        raise ValueError("this would never end; give a limit, or use analysis() and stop it")
    return limit


def _play_result(analysis: Analysis) -> PlayResult:
    return PlayResult(analysis.move, analysis.ponder, analysis.best)
