"""Games on other machines: a cluster of Dask plays the tasks of a match, and this program keeps the games.

The cluster does what clusters do: it knows its workers, sends a task to one that is free, and plays it again elsewhere
where a worker is lost. What has not been given back has not been played, so each game counts once whatever happens.
"""

from __future__ import annotations

import contextlib
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from turkengine.client.contract import ClientError
from turkengine.match import farmhand
from turkengine.match.cluster import LEAVING, Cluster, FarmError
from turkengine.match.entrants import Entry
from turkengine.match.schedule import Key, Pairing
from turkengine.match.seat import Task
from turkengine.record.record import Record
from turkengine.rules.variant import Variant

FETCHING = 10.0  # s for games that are over to come here


class Farm:
    """A cluster and what it plays of one match, players as `runner.Players` has them; use it in a `with` block."""

    def __init__(
        self,
        address: str,
        most: int | None = None,
        logs: Path | None = None,
        echo: Callable[[str], object] = print,
    ) -> None:
        """Connect.

        Args:
            address: of the scheduler, as in `tcp://scheduler:8786`.
            most: games at a time; as many as the workers have threads if None.
            logs: a folder for the lines that are exchanged with the engines, one file a game.
            echo: takes a line for people.

        Raises:
            OptionError: Dask is not installed.
            FarmError: there is no scheduler.
        """
        self.logs = logs
        self._most = most
        self._match = uuid.uuid4().hex
        self._tasks: dict[Any, Task] = {}  # by future
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()  # futures
        self._ready: deque[tuple[Key, Record] | Pairing] = deque()
        self._cluster = Cluster(address, echo)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cluster.close()

    def names_of(self, entries: Sequence[Entry], variant: Variant) -> list[str]:
        """What engines are called, each having been started once on every worker.

        Raises:
            ClientError: naming the worker on which one cannot be started.
            FarmError: there is no worker, or one cannot play at all.
        """
        return list(self._cluster.asked(farmhand.try_engines, entries, variant)[0])

    @property
    def places(self) -> int:
        """As many as the workers have threads now."""
        places = self._cluster.places("the match")
        return places if self._most is None else min(places, self._most)

    def begin(self, task: Task) -> None:
        """Send a task."""
        key = f"turkengine-{self._match}-{'-'.join(map(str, task.keys))}"
        logged = self.logs is not None
        future = self._cluster.client.submit(farmhand.play_task, self._match, task, logged, key=key, pure=False)
        self._tasks[future] = task
        future.add_done_callback(self._finished.put)

    def news(self, seconds: float) -> tuple[Key, Record] | Pairing | None:
        """What happens next; None where nothing does for so long.

        Raises:
            ClientError: naming the worker on which an engine cannot be started.
            FarmError: the cluster is lost, or a task has ended several workers.
        """
        if not self._ready:
            self._gather(seconds)
        return self._ready.popleft() if self._ready else None

    def end(self) -> Iterator[tuple[Key, Record]]:
        """Have everything come to its end; the games that are over by then."""
        try:
            with contextlib.suppress(KeyboardInterrupt, FarmError):  # impatience, or a lost cluster
                self._cluster.everywhere(farmhand.break_off, self._match, on_error="ignore")
                until = time.monotonic() + LEAVING
                while self._tasks and time.monotonic() < until:
                    with contextlib.suppress(ClientError):
                        self._gather(max(until - time.monotonic(), 0.0))
        finally:
            with contextlib.suppress(FarmError):
                self._cluster.everywhere(farmhand.end_engines, self._match, on_error="ignore")
                self._cluster.client.cancel(list(self._tasks))
            self._tasks.clear()
        for message in self._ready:
            if isinstance(message, tuple):
                yield message
        self._ready.clear()

    def _gather(self, seconds: float) -> None:
        """Take the games of the next task that is over, if one is within so many seconds."""
        try:
            future = self._finished.get(timeout=seconds)
        except queue.Empty:
            self._cluster.see_to_the_scheduler()
            return
        if future.status == "finished":
            try:
                games: farmhand.Games = future.result(timeout=FETCHING)
            except (OSError, TimeoutError):  # its worker was lost before the games were here; they are played again
                self._cluster.see_to_the_scheduler()
            else:
                self._take(self._tasks.pop(future).pairing, games)
                return
        elif future.status != "pending":
            del self._tasks[future]
            self._cluster.see_to_the_scheduler()
            raise self._cluster.told(future.exception(timeout=FETCHING))
        future.add_done_callback(self._finished.put)

    def _take(self, pairing: Pairing, games: farmhand.Games) -> None:
        for key, record, log in games:
            if self.logs is not None:
                (self.logs / f"{key}.log").write_text(log, encoding="utf-8", errors="backslashreplace")
            self._ready.append((key, record))
        self._ready.append(pairing)
