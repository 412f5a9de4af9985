"""Many games on several processors: each job is a thread with an engine of its own, which searches without the
interpreter. What is done is kept at once; what fails is named, and the rest goes on.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from turkengine.analysis.annotate import judged
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.store import AnalysisStore, Recorded
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import Limit
from turkengine.client.contract import ClientError, ClientFault
from turkengine.errors import TurkengineError, unforeseen

MOST_FAILED_STARTS = 3  # one after another, after which an engine is given up
TICK = 0.2  # s between two looks at what has been done


class Watcher(Protocol):
    """Who follows a run; called in the thread that runs it."""

    def advance(self, positions: int) -> None:
        """So many positions more are done."""

    def skip(self, positions: int) -> None:
        """So many positions need not be searched."""

    def fail(self, game: PlayedGame, reason: TurkengineError) -> None:
        """A game could not be analysed."""


class Work(Protocol):
    """What is done with a game."""

    def __call__(self, engine: BaseEngine, game: PlayedGame, on_position: Callable[[], object]) -> Recorded:
        """Do it, and report each position that is done; what has been found.

        Raises:
            ClientError: the engine has failed.
        """


@dataclass(frozen=True)
class Judging:
    """Every move of a game is judged."""

    limit: Limit
    multipv: int = 1

    def __call__(self, engine: BaseEngine, game: PlayedGame, on_position: Callable[[], object]) -> Recorded:
        """The game as the engine judges it."""
        return judged(engine, game.positions, game.moves, self.limit, self.multipv, on_position)


@dataclass(frozen=True)
class AnalysisSettings:
    """How games are analysed.

    Attributes:
        limit, multipv: of each search, where every move is judged.
        jobs: how many games at once.
        engine: makes one for each job.
        work: something else that is done with games.
    """

    limit: Limit
    multipv: int
    jobs: int
    engine: Callable[[], BaseEngine]
    work: Work | None = None

    @property
    def done_with_a_game(self) -> Work:
        """What is done with each game."""
        return self.work or Judging(self.limit, self.multipv)


@dataclass(frozen=True)
class _Done:
    game: PlayedGame
    record: Recorded | None
    failure: TurkengineError | None = None


class _Stopped(Exception):
    """The run is being ended."""


class Ledger:
    """What is wanted of the games that come, and what has been found in them, the same wherever it is done."""

    def __init__(self, store: AnalysisStore, watcher: Watcher) -> None:
        self._store, self._watcher = store, watcher
        self._seen: set[bytes] = set()
        self._failed_starts = 0  # one after another

    def wants(self, game: PlayedGame) -> bool:
        """Whether a game is neither known nor under way already."""
        if game.digest in self._seen or game.digest in self._store:
            self._watcher.skip(len(game.positions))
            return False
        self._seen.add(game.digest)
        return True

    def enter(self, game: PlayedGame, record: Recorded | None, failure: TurkengineError | None) -> None:
        """A game is done, or nothing could be found in it.

        Raises:
            StoreError: the store cannot be written.
            ClientError: an engine cannot be started, again and again.
        """
        started = not (isinstance(failure, ClientError) and failure.reason is ClientFault.START)
        self._failed_starts = 0 if started else self._failed_starts + 1
        if record is not None:
            self._store.add(game.digest, record)
        else:
            self._watcher.fail(game, failure or TurkengineError("it has not been analysed"))
        if failure is not None and self._failed_starts == MOST_FAILED_STARTS:
            raise failure


def analyse(games: Iterable[PlayedGame], store: AnalysisStore, settings: AnalysisSettings, watcher: Watcher) -> None:
    """Analyse every game that the store does not hold, and put it there.

    Raises:
        KeyboardInterrupt: as soon as the searches under way have been stopped.
        StoreError: the store cannot be written.
        ClientError: an engine cannot be started, again and again.
    """
    _Run(store, settings, watcher).run(iter(games))


class _Run:
    """One run under way."""

    def __init__(self, store: AnalysisStore, settings: AnalysisSettings, watcher: Watcher) -> None:
        self._ledger, self._settings, self._watcher = Ledger(store, watcher), settings, watcher
        self._waiting: queue.Queue[PlayedGame | None] = queue.Queue(maxsize=2 * settings.jobs)
        self._done: queue.SimpleQueue[_Done | int] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._engines: list[BaseEngine] = []

    def run(self, games: Iterator[PlayedGame]) -> None:
        """Feed the jobs, and keep what they have done."""
        threads = [
            threading.Thread(target=self._work, name=f"analysis {number}", daemon=True)
            for number in range(1, self._settings.jobs + 1)
        ]
        for thread in threads:
            thread.start()
        under_way = 0
        try:
            for game in games:
                if not self._ledger.wants(game):
                    continue
                while not self._offered(game):
                    under_way -= self._take(TICK)
                under_way += 1
                while not self._done.empty():
                    under_way -= self._take(0)
            while under_way:
                under_way -= self._take(TICK)
        finally:
            self._stopped.set()
            for _ in threads:
                self._end_one()
            for thread in threads:
                while thread.is_alive():  # a search may have begun just now
                    for engine in list(self._engines):
                        engine.stop()
                    thread.join(TICK)
            for engine in self._engines:
                engine.close()

    def _offered(self, game: PlayedGame) -> bool:
        try:
            self._waiting.put_nowait(game)
        except queue.Full:
            return False
        return True

    def _end_one(self) -> None:
        """Have one job end, whatever still waits."""
        while True:
            try:
                self._waiting.put_nowait(None)
                return
            except queue.Full:
                try:
                    self._waiting.get_nowait()
                except queue.Empty:
                    continue

    def _take(self, timeout: float) -> int:
        """What has been done since the last look: how many games."""
        try:
            done = self._done.get(timeout=timeout) if timeout else self._done.get_nowait()
        except queue.Empty:
            self._watcher.advance(0)
            return 0
        if isinstance(done, int):
            self._watcher.advance(done)
            return 0
        self._ledger.enter(done.game, done.record, done.failure)
        return 1

    def _work(self) -> None:
        """One job."""
        engine: BaseEngine | None = None
        while (game := self._waiting.get()) is not None:
            if self._stopped.is_set():
                continue
            counted = 0

            def count() -> None:
                nonlocal counted
                counted += 1
                self._done.put(1)
                if self._stopped.is_set():
                    raise _Stopped

            try:
                if engine is None:
                    engine = self._settings.engine()
                    self._engines.append(engine)
                done = _Done(game, self._settings.done_with_a_game(engine, game, count))
            except _Stopped:
                continue
            except TurkengineError as error:
                done = _Done(game, None, error)
            except Exception as error:
                done = _Done(game, None, TurkengineError(unforeseen(error)))
            self._done.put(len(game.positions) - counted)
            self._done.put(done)
