"""Tasks under way on a cluster, and what comes back of them.

The cluster does what clusters do: it knows its workers, sends a task to one that is free, and does it again elsewhere
where a worker is lost. What has not come back has not been done, so each task counts once whatever happens.
"""

from __future__ import annotations

import contextlib
import queue
import time
import uuid
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from turkengine.client.contract import ClientError
from turkengine.farm.cluster import LEAVING, Cluster, FarmError, WorkersEndedError

FETCHING = 30.0  # s for an answer that is there to come here

T = TypeVar("T")
A = TypeVar("A")


class Errands(Generic[T, A]):
    """The tasks of one run, which lead to answers.

    Attributes:
        run: tells runs apart that go on at the same time.
    """

    def __init__(self, cluster: Cluster, work: Callable[..., A]) -> None:
        """Nothing is sent yet.

        Args:
            work: what a worker does; the run comes as its first argument.
        """
        self.run = uuid.uuid4().hex
        self._cluster, self._work = cluster, work
        self._sent: dict[Any, T] = {}  # by future
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()  # futures

    def __len__(self) -> int:
        """How many are under way."""
        return len(self._sent)

    def send(self, task: T, key: str, *arguments: object) -> None:
        """Have a task done, called by a key that no other has."""
        name = f"turkengine-{self.run}-{key}"
        future = self._cluster.client.submit(self._work, self.run, *arguments, key=name, pure=False)
        self._sent[future] = task
        future.add_done_callback(self._finished.put)

    def next(self, seconds: float) -> tuple[T, A] | None:
        """The next task that is done, with its answer; None where none comes within so many seconds.

        Raises:
            WorkersEndedError: a task has ended several workers; `task` says which.
            FarmError: the cluster is lost.
            ClientError: an engine cannot be started on a worker, which is named.
        """
        try:
            future = self._finished.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            self._cluster.see_to_the_scheduler()
            return None
        if future not in self._sent:
            return None
        if future.status == "finished":
            try:
                answer: A = future.result(timeout=FETCHING)
            except (OSError, TimeoutError):  # its worker was lost before the answer was here; it is done again
                self._cluster.see_to_the_scheduler()
            else:
                return self._sent.pop(future), answer
        elif future.status != "pending":
            task = self._sent.pop(future)
            self._cluster.see_to_the_scheduler()
            error = self._cluster.told(future.exception(timeout=FETCHING))
            if isinstance(error, WorkersEndedError):
                error.task = task
            raise error
        future.add_done_callback(self._finished.put)
        return None

    def end(self, *ending: Callable[..., object]) -> list[tuple[T, A]]:
        """Have everything come to its end; what was done by then.

        Args:
            ending: what workers do for it with the run as argument; the first has tasks come to an end by themselves,
                those after it are for what is left after a moment.
        """
        found: list[tuple[T, A]] = []
        try:
            with contextlib.suppress(KeyboardInterrupt, FarmError):  # impatience, or a lost cluster
                self._cluster.everywhere(ending[0], self.run, on_error="ignore")
                until = time.monotonic() + LEAVING
                while self._sent and (left := until - time.monotonic()) > 0:
                    with contextlib.suppress(ClientError, WorkersEndedError):
                        done = self.next(left)
                        found += [done] if done is not None else []
        finally:
            with contextlib.suppress(FarmError, OSError, TimeoutError):
                for function in ending[1:]:
                    self._cluster.everywhere(function, self.run, on_error="ignore")
                self._cluster.client.cancel(list(self._sent))
            self._sent.clear()
        return found
