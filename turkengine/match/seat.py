"""Where games are played: one at a time, with engines that stay from game to game.

A seat is the same on this machine and on any other, and so is a task, which is made of plain values and can be sent.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from turkengine.client.contract import Client
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct
from turkengine.match.referee import Beginning, Player, play
from turkengine.match.schedule import Key, Pairing
from turkengine.record.record import Record
from turkengine.rules.variant import Side


@dataclass(frozen=True)
class Entrant:
    """An engine that takes part.

    Attributes:
        make: gives a client for it, one for each seat.
    """

    name: str
    make: Callable[[], Client]
    control: TimeControl


@dataclass(frozen=True)
class Task:
    """A pairing to be played.

    Attributes:
        keys: those of its games that are missing.
        entrants: the two who play.
    """

    pairing: Pairing
    keys: tuple[Key, ...]
    beginning: Beginning
    entrants: tuple[Entrant, Entrant]
    conduct: Conduct


class Seat:
    """A place for one game at a time."""

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}

    def play(self, task: Task, key: Key, broken_off: Callable[[], bool], log: IO[str] | None = None) -> Record | None:
        """One game of a task, None where it has been broken off.

        Args:
            log: takes every line that is exchanged with the engines.
        """
        if broken_off():
            return None
        clients = self.engines(task)
        entrants = {entrant.name: entrant for entrant in task.entrants}
        players = {}
        for side, name in zip(Side, task.pairing.players(key), strict=True):
            control = entrants[name].control
            players[side] = Player(name, clients[name], control.halved if task.pairing.halved else control)
        with _logged(clients, log):
            return play(task.beginning, players, task.conduct, broken_off)

    def engines(self, task: Task) -> Mapping[str, Client]:
        """The clients of the two players; those that are not needed now give their memory back."""
        needed = {entrant.name: entrant for entrant in task.entrants}
        for name in set(self._clients) - set(needed):
            self._clients.pop(name).close()
        for name, entrant in needed.items():
            if name not in self._clients:
                self._clients[name] = entrant.make()
        return self._clients

    def close(self) -> None:
        """End all engines; from another thread where a move takes too long."""
        for client in list(self._clients.values()):
            client.close()


@contextlib.contextmanager
def _logged(clients: Mapping[str, Client], log: IO[str] | None) -> Iterator[None]:
    """Every line of a game with its moment and whose it is."""
    if log is None:
        yield
        return
    began, lock = time.perf_counter(), threading.Lock()
    for name, client in clients.items():
        client.log = _logger(log, name, began, lock)
    try:
        yield
    finally:
        for client in clients.values():
            client.log = None
        with lock:
            log.flush()


def _logger(file: IO[str], name: str, began: float, lock: threading.Lock) -> Callable[[str, str], None]:
    def log(sign: str, line: str) -> None:
        with lock:
            if not file.closed:
                file.write(f"{time.perf_counter() - began:10.4f} {name} {sign} {line}\n")

    return log
