"""Games analysed on other machines: a cluster of Dask does the work, one game at a time, and this program keeps it.

A task is one game, named by what the game is known by. What the store holds is not sent, so a run that was ended in any
way goes on without working on a game twice, on a farm or on this machine.
"""

from __future__ import annotations

import contextlib
import queue
import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from turkengine import __version__
from turkengine.analysis import farmhand
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.runner import TICK, Ledger, Settings, Watcher
from turkengine.analysis.store import Store
from turkengine.client.contract import ClientError, Fault
from turkengine.errors import TurkengineError
from turkengine.match.cluster import LEAVING, Cluster, FarmError

AHEAD = 2  # games sent for each thread of the workers, so that none has to wait for the next
FETCHING = 30.0  # s for what has been found to come here


def analyse_on(
    cluster: Cluster,
    games: Iterable[PlayedGame],
    store: Store,
    settings: Settings,
    watcher: Watcher,
    most: int | None = None,
) -> None:
    """Analyse every game that the store does not hold on the workers of a cluster, and put it there.

    Args:
        settings: whose engine and work are values that can be sent; its jobs mean nothing here.
        most: games at a time; as many as the workers have threads if None.

    Raises:
        KeyboardInterrupt: after the games under way have been broken off.
        StoreError: the store cannot be written.
        ClientError: the engine cannot be started on a worker.
        FarmError: there is no worker, one cannot do the work, or the cluster is lost.
    """
    _FarmRun(cluster, store, settings, watcher, most).run(iter(games))


class _FarmRun:
    """One run under way."""

    def __init__(self, cluster: Cluster, store: Store, settings: Settings, watcher: Watcher, most: int | None) -> None:
        self._cluster, self._settings, self._watcher, self._most = cluster, settings, watcher, most
        self._ledger = Ledger(store, watcher)
        self._run = uuid.uuid4().hex
        self._work = settings.done_with_a_game
        self._sent: dict[Any, PlayedGame] = {}  # by future
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()  # futures

    def run(self, games: Iterator[PlayedGame]) -> None:
        """Send the games, and keep what comes back."""
        for version in self._cluster.asked(farmhand.try_worker, self._settings.engine):
            if version != __version__:
                raise FarmError(f"a worker has turkengine {version}, and this is {__version__}; install the same there")
        try:
            for game in games:
                if not self._ledger.wants(game):
                    continue
                while len(self._sent) >= self._room():
                    self._take(TICK)
                self._send(game)
                while not self._finished.empty():
                    self._take(0)
            while self._sent:
                self._room()  # tells when there is no worker any more
                self._take(TICK)
        except BaseException:
            self._break_off()
            raise

    def _room(self) -> int:
        """How many games may be under way."""
        places = self._cluster.places("the run")
        return self._most if self._most is not None and self._most < places else AHEAD * places

    def _send(self, game: PlayedGame) -> None:
        arguments = (self._run, self._work, self._settings.engine, game.entry, game.variant.name, game.digest)
        key = f"turkengine-{self._run}-{game.digest.hex()}"
        future = self._cluster.client.submit(farmhand.work_on, *arguments, key=key, pure=False)
        self._sent[future] = game
        future.add_done_callback(self._finished.put)

    def _take(self, timeout: float) -> None:
        """Keep what has been found in the next game that is done, if one is within so many seconds."""
        try:
            future = self._finished.get(timeout=timeout) if timeout else self._finished.get_nowait()
        except queue.Empty:
            self._watcher.advance(0)
            self._cluster.see_to_the_scheduler()
            return
        if future not in self._sent:
            return
        if future.status == "pending":  # its worker was lost; it is done again elsewhere
            future.add_done_callback(self._finished.put)
            return
        if future.status == "finished":
            try:
                answer: farmhand.Answer = future.result(timeout=FETCHING)
            except (OSError, TimeoutError):
                self._cluster.see_to_the_scheduler()
                future.add_done_callback(self._finished.put)
                return
            game = self._sent.pop(future)
            self._enter(game, answer)
        else:
            game = self._sent.pop(future)
            self._cluster.see_to_the_scheduler()
            error = self._cluster.told(future.exception(timeout=FETCHING))
            if not _ended_workers(future):
                raise error
            self._ledger.enter(game, None, TurkengineError("one worker after another has ended while it had this game"))
        self._watcher.advance(len(game.positions))

    def _enter(self, game: PlayedGame, answer: farmhand.Answer) -> None:
        failure: TurkengineError | None = None
        if answer.record is None:
            failure = ClientError(Fault.START, answer.failure) if answer.unstarted else TurkengineError(answer.failure)
        self._ledger.enter(game, answer.record, failure)

    def _break_off(self) -> None:
        """Have the games under way end, and keep those that are done."""
        with contextlib.suppress(TurkengineError, OSError, TimeoutError, KeyboardInterrupt):
            self._cluster.everywhere(farmhand.break_off, self._run, on_error="ignore")
            until = time.monotonic() + LEAVING
            while self._sent and time.monotonic() < until:
                with contextlib.suppress(queue.Empty):
                    future = self._finished.get(timeout=TICK)
                    game = self._sent.pop(future, None)
                    if game is not None and future.status == "finished":
                        answer = future.result(timeout=LEAVING)
                        if answer.record is not None:
                            self._ledger.enter(game, answer.record, None)
            self._cluster.client.cancel(list(self._sent))


def _ended_workers(future: Any) -> bool:
    """Whether a task has been given up since the workers that had it ended."""
    from distributed.scheduler import KilledWorker

    return isinstance(future.exception(timeout=FETCHING), KilledWorker)
