"""Plays what a schedule asks for, several games at a time, and can be stopped at any moment.

Each of the threads that play takes one pairing at a time and has engines of its own, which it starts once and keeps as
long as they are needed. Everything else happens in the thread that called `run`: it hands out pairings, keeps each game
the moment it is over, and decides when enough has been played. So the file is written by one thread only, and what is
not in it has not been played.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import IO, Protocol

from turkengine.client.contract import Client
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct
from turkengine.match.openings import Openings
from turkengine.match.record import Record
from turkengine.match.referee import Player, play
from turkengine.match.schedule import Key, Pairing, Result, Results, Schedule
from turkengine.match.sprt import Sprt
from turkengine.match.store import Store
from turkengine.rules.variant import Side

TICK = 0.5  # s between looks at the time where nothing happens; Ctrl-C is noticed at least so often on Windows
LEAVE_TO_MOVE = 1.0  # s for moves under way when everything is broken off; then their engines are ended


@dataclass(frozen=True)
class Entrant:
    """An engine that takes part.

    Attributes:
        make: gives a client for it, one for each thread that plays.
    """

    name: str
    make: Callable[[], Client]
    control: TimeControl


@dataclass(frozen=True)
class Contest:
    """Everything that is to be played, and how.

    Attributes:
        sprt: ends a match of two players early.
        concurrency: games at a time.
        logs: a folder for the lines that are exchanged with the engines, one file a game.
        processors: the threads that play, and what they start, each stay on one of these, in turn; empty for anywhere.
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
    """Is told what happens, in the thread that called `run`."""

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        """A game is over and kept; `results` has it already."""

    def on_tick(self) -> None:
        """Nothing has happened for a while."""


@dataclass(frozen=True)
class _Failure:
    """What a thread that plays could not go on after."""

    error: BaseException


_Message = tuple[Key, Record] | Pairing | _Failure
"""A game that is over, a pairing of which nothing is left to play, or a failure."""


class Runner:
    """One run of a contest, from where it stands in the store."""

    def __init__(self, contest: Contest, store: Store, listener: Listener) -> None:
        self._contest, self._store, self._listener = contest, store, listener
        self._results = store.results()
        self._orders: queue.SimpleQueue[Pairing | None] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self._broken_off = threading.Event()

    @property
    def results(self) -> Results:
        """Everything that has been played."""
        return self._results

    def run(self) -> End:
        """Play until everything is played, the test is decided, or Ctrl-C.

        Raises:
            Exception: whatever has gone wrong in a thread that plays, which is a fault of this program and not of an
                engine; games that are over by then are kept.
        """
        workers = [_Worker(self, number) for number in range(self._contest.concurrency)]
        try:
            for worker in workers:
                worker.start()
            end = self._hand_out()
        except KeyboardInterrupt:
            end = End.INTERRUPTED
        finally:
            self._break_off(workers)
        return end

    def _hand_out(self) -> End:
        """Give pairings to whoever is free, and take what comes back."""
        waiting: deque[Pairing] = deque()
        busy = 0
        while not self._contest.decided(self._results):
            if not waiting and not busy:
                known = self._contest.schedule.pairings(self._results)
                waiting.extend(pairing for pairing in known if not self._results.played(pairing))
                if not waiting:
                    return End.PLAYED
            while waiting and busy < self._contest.concurrency:
                self._orders.put(waiting.popleft())
                busy += 1
            message = self._next(TICK)
            if message is None:
                self._listener.on_tick()
            elif isinstance(message, Pairing):
                busy -= 1
            else:
                self._take(message)
        return End.DECIDED

    def _next(self, seconds: float) -> _Message | None:
        try:
            return self._news.get(timeout=seconds)
        except queue.Empty:
            return None

    def _take(self, message: tuple[Key, Record] | _Failure) -> None:
        """Keep a game, then tell of it."""
        if isinstance(message, _Failure):
            raise message.error
        key, record = message
        self._store.add(key, record)
        self._results.add(Result(key, record.white, record.black, record.ending.halves))
        self._listener.on_game(key, record, self._results)

    def _break_off(self, workers: Sequence[_Worker]) -> None:
        """Have all threads come to their end, and keep the games that are over by then."""
        self._broken_off.set()
        for _ in workers:
            self._orders.put(None)
        until = time.monotonic() + LEAVE_TO_MOVE
        with contextlib.suppress(KeyboardInterrupt):  # impatience: engines are ended at once
            for worker in workers:
                worker.join(max(until - time.monotonic(), 0.0))
        forced = [worker for worker in workers if worker.is_alive()]
        for worker in forced:
            worker.end_engines()
        for worker in workers:
            worker.join()
        while (message := self._next(0.0)) is not None:
            if isinstance(message, tuple) or (isinstance(message, _Failure) and not forced):
                self._take(message)  # what fails in a thread whose engines have been ended under it is no fault


class _Worker(threading.Thread):
    """One of the threads that play."""

    def __init__(self, runner: Runner, number: int) -> None:
        super().__init__(name=f"game {number + 1}", daemon=True)
        self._runner, self._number = runner, number
        self._contest = runner._contest
        self._entrants = {entrant.name: entrant for entrant in runner._contest.entrants}
        self._clients: dict[str, Client] = {}

    def run(self) -> None:
        """Play pairings until there is none."""
        runner = self._runner
        try:
            self._stay_on_one_processor()
            while (pairing := runner._orders.get()) is not None:
                for key in pairing.keys:
                    record = None if key in runner._results else self._play(pairing, key)
                    if record is not None:
                        runner._news.put((key, record))
                runner._news.put(pairing)
        except BaseException as error:
            runner._news.put(_Failure(error))
        finally:
            self.end_engines()

    def end_engines(self) -> None:
        """End all engines of this thread; from another one where a move takes too long."""
        for client in list(self._clients.values()):
            client.close()

    def _play(self, pairing: Pairing, key: Key) -> Record | None:
        """One game, None where it has been broken off."""
        if self._runner._broken_off.is_set():
            return None
        opening = self._contest.openings.opening(pairing.opening)
        names = pairing.players(key)
        clients = self._engines(names)
        players = {side: self._player(name, clients[name], pairing) for side, name in zip(Side, names, strict=True)}
        with self._logged(key, clients):
            return play(opening, players, self._contest.conduct, self._runner._broken_off.is_set)

    def _player(self, name: str, client: Client, pairing: Pairing) -> Player:
        control = self._entrants[name].control
        return Player(name, client, control.halved if pairing.halved else control)

    def _engines(self, names: Sequence[str]) -> Mapping[str, Client]:
        """The clients of two players; those that are not needed now give their memory back."""
        for name in set(self._clients) - set(names):
            self._clients.pop(name).close()
        for name in names:
            if name not in self._clients:
                self._clients[name] = self._entrants[name].make()
        return self._clients

    @contextlib.contextmanager
    def _logged(self, key: Key, clients: Mapping[str, Client]) -> Iterator[None]:
        """Every line of this game in a file of its own."""
        if self._contest.logs is None:
            yield
            return
        with (self._contest.logs / f"{key}.log").open("w", encoding="utf-8", errors="backslashreplace") as file:
            began, lock = time.perf_counter(), threading.Lock()
            for name, client in clients.items():
                client.log = _logger(file, name, began, lock)
            try:
                yield
            finally:
                for client in clients.values():
                    client.log = None
                with lock:
                    file.flush()

    def _stay_on_one_processor(self) -> None:
        """Bind this thread, and so all that it starts, to a processor."""
        processors = self._contest.processors
        if processors and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {processors[self._number % len(processors)]})


def _logger(file: IO[str], name: str, began: float, lock: threading.Lock) -> Callable[[str, str], None]:
    def log(sign: str, line: str) -> None:
        with lock:
            if not file.closed:
                file.write(f"{time.perf_counter() - began:10.4f} {name} {sign} {line}\n")

    return log
