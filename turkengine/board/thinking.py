"""Engines for games: a few workers, each with one search at a time, and never the event loop waiting for them.

A game gets an engine of its level for one move. What is idle is kept for the next one, so that no table is made anew
for each move, and as few as there are workers.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from turkengine.board.contest import Contest
from turkengine.client.builtin import BuiltinClient
from turkengine.client.contract import Client, Thought
from turkengine.engine.limits import Limits
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

LEVELS = (0, 20)
HASH = "16"  # MiB of each engine
SECONDS = 1.0  # for a move where there is no clock
PATIENCE = 30.0  # s beyond that before an engine is given up


@dataclass(frozen=True)
class Order:
    """A move that is wanted."""

    position: Position
    level: int
    limits: Limits
    deadline: float

    def after(self, seconds: float) -> Order:
        """The same where it has waited so long for an engine, its clock running."""
        clock = self.limits.clock
        if clock is None:
            return self
        left = max(clock.remaining - seconds, 0.01)
        return replace(self, limits=replace(self.limits, clock=replace(clock, remaining=left)))


def order_for(contest: Contest, seconds: float = SECONDS) -> Order:
    """What the engine to move is asked."""
    level = contest.players[contest.side].level
    assert level is not None, "engines have levels"
    clock = contest.clock
    if clock is None or clock.remaining is None:
        return Order(contest.game.position, level, Limits(move_time=seconds), seconds + PATIENCE)
    left = max(clock.remaining - contest.passed(), 0.01)
    shown = clock.limits.clock
    assert shown is not None, "a clock that can run down has one"
    return Order(contest.game.position, level, Limits(clock=replace(shown, remaining=left)), left + PATIENCE)


class Thinkers:
    """The engines."""

    def __init__(self, workers: int | None = None) -> None:
        """Nothing is started yet."""
        self.workers = workers or max(os.cpu_count() or 1, 2)
        self._threads = ThreadPoolExecutor(self.workers, "turkengine board engine")
        self._idle: list[tuple[Variant, int, Client]] = []
        self._busy: set[Client] = set()
        self._lock = threading.Lock()

    async def think(self, order: Order) -> Thought:
        """A move, and what the engine says with it.

        Raises:
            ClientError: it has failed.
        """
        return await asyncio.wrap_future(self._threads.submit(self._think, order, time.monotonic()))

    def close(self) -> None:
        """End them all, whatever they do."""
        with self._lock:
            clients = [*self._busy, *(client for _, _, client in self._idle)]
            self._idle.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for client in clients:
            client.close()

    def make(self, level: int) -> Client:
        """An engine of a level."""
        return BuiltinClient(options={"skill-level": str(level), "hash": HASH, "book": "true"})

    def _think(self, order: Order, asked: float) -> Thought:
        order, variant = order.after(time.monotonic() - asked), order.position.variant
        client = self._taken(variant, order.level)
        try:
            client.start(variant)
            thought = client.think(order.position, order.limits, order.deadline)
        except BaseException:
            with self._lock:
                self._busy.discard(client)
            client.close()
            raise
        self._returned(variant, order.level, client)
        return thought

    def _taken(self, variant: Variant, level: int) -> Client:
        with self._lock:
            fitting = [place for place, idle in enumerate(self._idle) if idle[0] is variant and idle[1] == level]
            client = self._idle.pop(fitting[0])[2] if fitting else self.make(level)
            self._busy.add(client)
            return client

    def _returned(self, variant: Variant, level: int, client: Client) -> None:
        with self._lock:
            self._busy.discard(client)
            self._idle.append((variant, level, client))
            surplus = [self._idle.pop(0)[2] for _ in range(len(self._idle) - self.workers)]
        for old in surplus:
            old.close()
