"""Games on other machines: a cluster of Dask plays the tasks of a match, and this program keeps the games.

The cluster does what clusters do: it knows its workers, sends a task to one that is free, and plays it again elsewhere
where a worker is lost. What has not been given back has not been played, so each game counts once whatever happens.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from turkengine.client.contract import ClientError, Fault
from turkengine.errors import OptionError, TurkengineError
from turkengine.match import farmhand
from turkengine.match.entrants import Entry
from turkengine.match.record import Record
from turkengine.match.schedule import Key, Pairing
from turkengine.match.seat import Task
from turkengine.rules.variant import Variant

CONNECTING = 10.0  # s for the scheduler to answer
GATHERING = 20.0  # s for the first worker to be there
LOOK = 1.0  # s between two looks at who is there
FETCHING = 10.0  # s for games that are over to come here
LEAVING = 3.0  # s for moves under way when everything is broken off; then their engines are ended


class FarmError(TurkengineError):
    """The cluster cannot be used, or has been lost."""


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
        try:
            import distributed
        except ImportError:
            raise OptionError("a farm needs dask.distributed; pip install turkengine[farm]") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters comes as an error
        self.address, self.logs = address, logs
        self._most, self._echo = most, echo
        self._match = uuid.uuid4().hex
        self._tasks: dict[Any, Task] = {}  # by future
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()  # futures
        self._ready: deque[tuple[Key, Record] | Pairing] = deque()
        self._places, self._looked = 0, -LOOK
        try:
            _check(address)
            self._client = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TimeoutError, RuntimeError, ImportError) as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise FarmError(f"there is no scheduler at {address}: {reason}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster."""
        with contextlib.suppress(OSError, TimeoutError):
            self._client.close(timeout=LEAVING)

    def names_of(self, entries: Sequence[Entry], variant: Variant) -> list[str]:
        """What engines are called, each having been started once on every worker.

        Raises:
            ClientError: naming the worker on which one cannot be started.
            FarmError: there is no worker, or one cannot play at all.
        """
        until = time.monotonic() + GATHERING
        while not self._threads():
            if time.monotonic() > until:
                raise FarmError(f"{self.address} has no worker; start one with: dask worker {self.address}")
            time.sleep(LOOK / 10)
        found = self._everywhere(farmhand.try_engines, entries, variant, on_error="return")
        names = []
        for worker, answer in sorted(found.items()):
            if isinstance(answer, BaseException):
                raise self._told(answer, f"worker {worker}: ")
            names.append(answer)
        if not names:
            raise FarmError(f"{self.address} has lost its workers; start some and try again")
        return list(names[0])

    @property
    def places(self) -> int:
        """As many as the workers have threads now."""
        if time.monotonic() - self._looked >= LOOK:
            places = self._threads()
            if not places and self._places:
                self._echo(f"{self.address} has lost its last worker; the match waits for another one")
            self._places, self._looked = places, time.monotonic()
        return self._places if self._most is None else min(self._places, self._most)

    def begin(self, task: Task) -> None:
        """Send a task."""
        key = f"turkengine-{self._match}-{'-'.join(map(str, task.keys))}"
        logged = self.logs is not None
        future = self._client.submit(farmhand.play_task, self._match, task, logged, key=key, pure=False)
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
                self._everywhere(farmhand.break_off, self._match, on_error="ignore")
                until = time.monotonic() + LEAVING
                while self._tasks and time.monotonic() < until:
                    with contextlib.suppress(ClientError):
                        self._gather(max(until - time.monotonic(), 0.0))
        finally:
            with contextlib.suppress(FarmError):
                self._everywhere(farmhand.end_engines, self._match, on_error="ignore")
                self._client.cancel(list(self._tasks))
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
            self._see_to_the_scheduler()
            return
        if future.status == "finished":
            try:
                games: farmhand.Games = future.result(timeout=FETCHING)
            except (OSError, TimeoutError):  # its worker was lost before the games were here; they are played again
                self._see_to_the_scheduler()
            else:
                self._take(self._tasks.pop(future).pairing, games)
                return
        elif future.status != "pending":
            del self._tasks[future]
            self._see_to_the_scheduler()
            raise self._told(future.exception(timeout=FETCHING))
        future.add_done_callback(self._finished.put)

    def _take(self, pairing: Pairing, games: farmhand.Games) -> None:
        for key, record, log in games:
            if self.logs is not None:
                (self.logs / f"{key}.log").write_text(log, encoding="utf-8", errors="backslashreplace")
            self._ready.append((key, record))
        self._ready.append(pairing)

    def _threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self._lost(error) from None

    def _everywhere(self, function: Callable[..., Any], *arguments: object, on_error: str) -> dict[str, Any]:
        """Have every worker do something; what came of it, by the address of the worker."""
        try:
            found: dict[str, Any] = self._client.run(function, *arguments, on_error=on_error)
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self._lost(error) from None
        return found

    def _see_to_the_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self, error: BaseException | None = None) -> FarmError:
        said = f" ({error})" if error is not None and str(error) else ""
        return FarmError(f"the scheduler at {self.address} is lost{said}; games that are over are kept")

    def _told(self, error: BaseException, where: str = "") -> BaseException:
        """What has gone wrong on a worker, as it would be told here."""
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        if isinstance(error, farmhand.UnfitWorkerError):
            return ClientError(Fault.START, f"{where}{error}")
        if isinstance(error, KilledWorker):
            return FarmError(
                f"{error.allowed_failures + 1} workers have ended while they played {error.task}, the last one"
                f" {error.last_worker.address}; games that are over are kept"
            )
        if isinstance(error, FutureCancelledError):
            return self._lost(error)
        if isinstance(error, ImportError):
            return FarmError(f"{where or 'a worker '}cannot play, {error}; install the same turkengine there")
        return error


def _check(address: str) -> None:
    """See to it that an address can be called: a client that cannot be made is not easy to be rid of.

    Raises:
        ValueError: it cannot.
    """
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    scheme, place = parse_address(address)
    get_backend(scheme)
    parse_host_port(place)
