"""A cluster of Dask as everything here uses it: connecting, asking every worker, and errors as one line for people."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from turkengine.client.contract import ClientError, ClientFault
from turkengine.errors import OptionError, TurkengineError

CONNECTING = 10.0  # s for the scheduler to answer
GATHERING = 20.0  # s for the first worker to be there
LOOK = 1.0  # s between two looks at who is there
LEAVING = 3.0  # s for the scheduler to be left, and for what is under way when everything is broken off


class FarmError(TurkengineError):
    """The cluster cannot be used, or has been lost."""


class WorkersEndedError(FarmError):
    """One worker after another has ended while it had the same task.

    Attributes:
        task: what was sent.
    """

    task: object = None


class UnfitWorkerError(TurkengineError):
    """A worker lacks what a match needs: an engine cannot be started there, or tables are not the same."""


class Cluster:
    """A connection to the scheduler of a cluster; use it in a `with` block.

    Attributes:
        address: of the scheduler.
        client: Dask's own.
    """

    def __init__(self, address: str, echo: Callable[[str], object] = print) -> None:
        """Connect.

        Args:
            address: as in `tcp://scheduler:8786`.
            echo: takes a line for people.

        Raises:
            OptionError: Dask is not installed.
            FarmError: there is no scheduler.
        """
        try:
            import distributed
        except ImportError:
            raise OptionError(
                "a farm needs dask.distributed; install turkengine with its extra farm, as in: pip install '.[farm]'"
            ) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters comes as an error
        self.address = address
        self._echo = echo
        self._places, self._looked = 0, -LOOK
        try:
            _check(address)
            self.client: Any = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
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
            self.client.close(timeout=LEAVING)

    def asked(self, function: Callable[..., Any], *arguments: object) -> list[Any]:
        """What every worker answers to something that tries whether it can do the work, at least one.

        Raises:
            ClientError: naming the worker on which an engine cannot be started.
            FarmError: there is no worker, or one cannot do it at all.
        """
        until = time.monotonic() + GATHERING
        while not self.threads():
            if time.monotonic() > until:
                raise FarmError(f"{self.address} has no worker; start one with: dask worker {self.address}")
            time.sleep(LOOK / 10)
        answers = []
        for worker, answer in sorted(self.everywhere(function, *arguments, on_error="return").items()):
            if isinstance(answer, BaseException):
                raise self.told(answer, f"worker {worker}: ")
            answers.append(answer)
        if not answers:
            raise FarmError(f"{self.address} has lost its workers; start some and try again")
        return answers

    def places(self, what: str) -> int:
        """As many as the workers have threads now; people can read when `what` waits for lack of them."""
        if time.monotonic() - self._looked >= LOOK:
            places = self.threads()
            if not places and self._places:
                self._echo(f"{self.address} has lost its last worker; {what} waits for another one")
            self._places, self._looked = places, time.monotonic()
        return self._places

    def threads(self) -> int:
        """How many threads the workers have."""
        try:
            return sum(self.client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self.lost(error) from None

    def everywhere(self, function: Callable[..., Any], *arguments: object, on_error: str) -> dict[str, Any]:
        """Have every worker do something; what came of it, by the address of the worker."""
        try:
            found: dict[str, Any] = self.client.run(function, *arguments, on_error=on_error)
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self.lost(error) from None
        return found

    def see_to_the_scheduler(self) -> None:
        """Make sure that it is there.

        Raises:
            FarmError: it is lost.
        """
        if self.client.status != "running":
            raise self.lost()

    def lost(self, error: BaseException | None = None) -> FarmError:
        """What to raise where the scheduler is gone."""
        said = f" ({error})" if error is not None and str(error) else ""
        return FarmError(f"the scheduler at {self.address} is lost{said}; games that are over are kept")

    def told(self, error: BaseException, where: str = "") -> BaseException:
        """What has gone wrong on a worker, as it would be reported here."""
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        if isinstance(error, UnfitWorkerError):
            return ClientError(ClientFault.START, f"{where}{error}")
        if isinstance(error, KilledWorker):
            return WorkersEndedError(
                f"{error.allowed_failures + 1} workers have ended while they played {error.task}, the last one"
                f" {error.last_worker.address}; games that are over are kept"
            )
        if isinstance(error, FutureCancelledError):
            return self.lost(error)
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
