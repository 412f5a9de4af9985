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
from turkengine.client.lines import LineClient
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct
from turkengine.match.openings import within
from turkengine.match.referee import Beginning, OnMove, Player, play, unseen
from turkengine.match.schedule import Key, Pairing
from turkengine.record.record import Record
from turkengine.rules.variant import Side
from turkengine.waiting import Tell


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
    """A place for one game at a time.

    Attributes:
        unlogged: why lines of the last game are missing in its log.
    """

    def __init__(self, tell: Tell | None = None) -> None:
        """No engine is started yet.

        Args:
            tell: takes a line for people where an engine does not answer; called in the thread that plays.
        """
        self._tell = tell
        self.unlogged: list[OSError] = []
        self._clients: dict[str, Client] = {}

    def play(
        self,
        task: Task,
        key: Key,
        broken_off: Callable[[], bool],
        log: IO[str] | None = None,
        on_move: OnMove = unseen,
    ) -> Record | None:
        """One game of a task, None where it has been broken off.

        Args:
            log: takes every line that is exchanged with the engines.
            on_move: called after every move; has to be quick.
        """
        if broken_off():
            return None
        clients = self.engines(task)
        entrants = {entrant.name: entrant for entrant in task.entrants}
        players = {}
        for side, name in zip(Side, task.pairing.players(key), strict=True):
            control = entrants[name].control
            players[side] = Player(name, clients[name], control.halved if task.pairing.halved else control)
        with _logged(clients, log) as self.unlogged:
            return play(within(task.beginning, task.conduct), players, task.conduct, broken_off, on_move=on_move)

    def engines(self, task: Task) -> Mapping[str, Client]:
        """The clients of the two players; those that are not needed now give their memory back."""
        needed = {entrant.name: entrant for entrant in task.entrants}
        for name in set(self._clients) - set(needed):
            self._clients.pop(name).close()
        for name, entrant in needed.items():
            if name not in self._clients:
                self._clients[name] = client = entrant.make()
                if isinstance(client, LineClient):
                    client.on_wait = self._tell
        return self._clients

    def close(self) -> None:
        """End all engines; from another thread where a move takes too long."""
        for client in list(self._clients.values()):
            client.close()


@contextlib.contextmanager
def _logged(clients: Mapping[str, Client], log: IO[str] | None) -> Iterator[list[OSError]]:
    """Every line of a game with its moment and whose it is; gives what has gone wrong with writing them, which must not
    end a thread that reads from an engine.
    """
    trouble: list[OSError] = []
    if log is None:
        yield trouble
        return
    began, lock = time.perf_counter(), threading.Lock()

    def write(text: str) -> None:
        with lock:
            if not log.closed and not trouble:
                try:
                    log.write(text)
                    if not text:  # the end
                        log.flush()
                except OSError as error:
                    trouble.append(error)

    for name, client in clients.items():
        client.log = _logger(write, name, began)
    try:
        yield trouble
    finally:
        for client in clients.values():
            client.log = None
        write("")


def _logger(write: Callable[[str], None], name: str, began: float) -> Callable[[str, str], None]:
    return lambda sign, line: write(f"{time.perf_counter() - began:10.4f} {name} {sign} {line}\n")
