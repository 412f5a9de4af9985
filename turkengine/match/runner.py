"""Plays what a schedule asks for, several games at a time, and can be stopped at any moment.

Who plays are *players*: threads of this process (`threads`), or other machines (`farm`). They take tasks, which are one
pairing each, and give back games. Everything else happens in the thread that called `run`: it hands out tasks, keeps
each game the moment it is over, and decides when enough has been played. So the file is written by one thread only, and
what is not in it has not been played.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

from turkengine.interruption import check, postponed
from turkengine.match.conduct import Conduct
from turkengine.match.openings import Openings
from turkengine.match.repeats import result_of
from turkengine.match.schedule import Key, Pairing, Results, Schedule
from turkengine.match.seat import Entrant, Task
from turkengine.match.sprt import Sprt
from turkengine.match.store import MatchStore
from turkengine.match.threads import Threads
from turkengine.record.record import Record

TICK = 0.5  # s between looks at the time where nothing happens; Ctrl-C is noticed at least so often on Windows


@dataclass(frozen=True)
class Contest:
    """Everything that is to be played, and how.

    Attributes:
        sprt: ends a match of two players early.
        concurrency, processors, logs: of games on this machine, see `Threads`.
    """

    entrants: Sequence[Entrant]
    schedule: Schedule
    openings: Openings
    conduct: Conduct = field(default_factory=Conduct)
    sprt: Sprt | None = None
    concurrency: int = 1
    logs: Path | None = None
    processors: tuple[int, ...] = ()

    def decided(self, results: Results) -> bool:
        """Whether the sequential test has come to its end."""
        if self.sprt is None:
            return False
        first, second = (entrant.name for entrant in self.entrants)
        return self.sprt.verdict(results.pairs(first, second)) is not None


class End(Enum):
    """How a run has ended."""

    PLAYED = "everything is played"
    DECIDED = "the sequential test is decided"
    INTERRUPTED = "interrupted"


class Listener(Protocol):
    """Hears what happens, in the thread that called `run`."""

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        """A game is over and kept; `results` has it already."""

    def on_wait(self, line: str) -> None:
        """An engine does not answer; a line for people."""

    def on_tick(self) -> None:
        """Nothing has happened for a while."""


class Players(Protocol):
    """Those who play. All of this is called from one thread."""

    @property
    def places(self) -> int:
        """How many tasks can be under way at a time; may change, and be 0 for a while."""

    def begin(self, task: Task) -> None:
        """Have a task played; there is a place for it."""

    def news(self, seconds: float) -> tuple[Key, Record] | Pairing | str | None:
        """What happens next: a game is over, of a pairing nothing is left to play, or a line for people about an engine
        that does not answer. None where nothing does for so long.

        Raises:
            Exception: what has gone wrong where it is played, which is a fault of this program or of the way there.
        """

    def end(self) -> Iterator[tuple[Key, Record]]:
        """Break off everything; returns games that were over and have not been reported."""


class Runner:
    """One run of a contest, from where it stands in the store."""

    def __init__(self, contest: Contest, store: MatchStore, listener: Listener, players: Players | None = None) -> None:
        """Nothing is played yet.

        Args:
            players: threads of this process if None.
        """
        self._contest, self._store, self._listener = contest, store, listener
        self._results = store.results()
        self._entrants = {entrant.name: entrant for entrant in contest.entrants}
        self._players = players or Threads(contest.concurrency, contest.processors, contest.logs)

    @property
    def results(self) -> Results:
        """Everything that has been played."""
        return self._results

    def run(self) -> End:
        """Play until everything is played, the test is decided, or Ctrl-C.

        Raises:
            Exception: whatever has gone wrong where games are played; games that are over by then are kept.
        """
        try:
            with postponed():  # a game that is over is kept, whatever comes meanwhile
                end = self._hand_out()
        except KeyboardInterrupt:
            end = End.INTERRUPTED
        finally:
            for key, record in self._players.end():
                with postponed():
                    self._keep(key, record)
        return end

    def _hand_out(self) -> End:
        """Give tasks to whoever is free, and take what comes back."""
        waiting: deque[Pairing] = deque()
        busy = 0
        while not self._contest.decided(self._results):
            check()
            if not waiting and not busy:
                known = self._contest.schedule.pairings(self._results)
                waiting.extend(pairing for pairing in known if not self._results.played(pairing))
                if not waiting:
                    return End.PLAYED
            while waiting and busy < self._players.places:
                self._players.begin(self._task(waiting.popleft()))
                busy += 1
            news = self._players.news(TICK)
            if news is None:
                self._listener.on_tick()
            elif isinstance(news, Pairing):
                busy -= 1
            elif isinstance(news, str):
                self._listener.on_wait(news)
            else:
                self._keep(*news)
        return End.DECIDED

    def _task(self, pairing: Pairing) -> Task:
        missing = tuple(key for key in pairing.keys if key not in self._results)
        entrants = (self._entrants[pairing.first], self._entrants[pairing.second])
        opening = self._contest.openings.opening(pairing.opening)
        return Task(pairing, missing, opening, entrants, self._contest.conduct)

    def _keep(self, key: Key, record: Record) -> None:
        """Keep a game, then report it."""
        self._store.add(key, record)
        self._results.add(result_of(key, record))
        self._listener.on_game(key, record, self._results)
