"""Games analysed on other machines: a cluster of Dask does the work, one game at a time, and this program keeps it.

A task is one game, named by what the game is known by. What the store holds is not sent, so a run that was ended in any
way goes on without working on a game twice, on a farm or on this machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turkengine import __version__
from turkengine.analysis import farmhand
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.runner import TICK, AnalysisSettings, Ledger, Watcher
from turkengine.analysis.store import AnalysisStore
from turkengine.client.contract import ClientError, ClientFault
from turkengine.errors import TurkengineError
from turkengine.farm.cluster import Cluster, FarmError, WorkersEndedError
from turkengine.farm.errands import Errands

AHEAD = 2  # games sent for each thread of the workers, so that none has to wait for the next


def analyse_on(
    cluster: Cluster,
    games: Iterable[PlayedGame],
    store: AnalysisStore,
    settings: AnalysisSettings,
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

    def __init__(
        self, cluster: Cluster, store: AnalysisStore, settings: AnalysisSettings, watcher: Watcher, most: int | None
    ) -> None:
        self._cluster, self._settings, self._watcher, self._most = cluster, settings, watcher, most
        self._ledger = Ledger(store, watcher)
        self._work = settings.done_with_a_game
        self._errands: Errands[PlayedGame, farmhand.FarmAnswer] = Errands(cluster, farmhand.work_on)

    def run(self, games: Iterator[PlayedGame]) -> None:
        """Send the games, and keep what comes back."""
        for version in self._cluster.asked(farmhand.try_worker, self._settings.engine):
            if version != __version__:
                raise FarmError(f"a worker has turkengine {version}, and this is {__version__}; install the same there")
        try:
            for game in games:
                if not self._ledger.wants(game):
                    continue
                while len(self._errands) >= self._room():
                    self._take(TICK)
                self._send(game)
            while len(self._errands):
                self._room()  # says when there is no worker any more
                self._take(TICK)
        except BaseException:
            self._break_off()
            raise

    def _room(self) -> int:
        """How many games may be under way."""
        places = self._cluster.places("the run")
        return self._most if self._most is not None and self._most < places else AHEAD * places

    def _send(self, game: PlayedGame) -> None:
        arguments = (self._work, self._settings.engine, game.entry, game.variant.name, game.digest)
        self._errands.send(game, game.digest.hex(), *arguments)

    def _take(self, timeout: float) -> None:
        """Keep what has been found in the next game that is done, if one is within so many seconds."""
        try:
            done = self._errands.next(timeout)
        except WorkersEndedError as error:
            game = error.task
            assert isinstance(game, PlayedGame)
            self._ledger.enter(game, None, TurkengineError("one worker after another has ended while it had this game"))
        else:
            if done is None:
                self._watcher.advance(0)
                return
            game, answer = done
            self._enter(game, answer)
        self._watcher.advance(len(game.positions))

    def _enter(self, game: PlayedGame, answer: farmhand.FarmAnswer) -> None:
        failure: TurkengineError | None = None
        if answer.record is None:
            failure = (
                ClientError(ClientFault.START, answer.failure) if answer.unstarted else TurkengineError(answer.failure)
            )
        self._ledger.enter(game, answer.record, failure)

    def _break_off(self) -> None:
        """Have the games under way end, and keep those that are done."""
        for game, answer in self._errands.end(farmhand.break_off):
            if answer.record is not None:
                self._ledger.enter(game, answer.record, None)
