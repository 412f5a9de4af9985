"""The server on its sockets: where it listens, what it is called in the network, how it begins and ends."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from turkengine.board.app import Server, Setting
from turkengine.interruption import heeded

LARGEST_FRAME = 64 * 1024  # bytes; what is longer is not even read, what is longer than the page's limit is explained
MOST_CONNECTIONS = 2000
MORE_CONNECTIONS = 50  # of one address, beside its sockets: for pages and their files
REQUEST_TIME = 10.0  # s that the head of a request may take
EVERYWHERE = "0.0.0.0"
ELSEWHERE = ("192.0.2.1", 9)  # a documentation address: nothing is sent, only the way there is looked up


class Door(H11Protocol):
    """A connection. One address has only so many, and one on which nobody asks for anything is not held open."""

    most = MOST_CONNECTIONS  # of one address

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        clients = [getattr(one, "client", None) or ("",) for one in self.connections]
        if sum(client[0] == (self.client or ("",))[0] for client in clients) > self.most:
            transport.abort()
            return
        self._idle_since: float | None = None
        self._look()

    def _look(self) -> None:
        """See whether a request is being answered, and for how long none has been."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it may be a WebSocket by now
            return
        loop = asyncio.get_running_loop()
        if self.cycle is not None and not self.cycle.response_complete:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = loop.time()
        elif loop.time() - self._idle_since > REQUEST_TIME:
            self.transport.abort()
            return
        loop.call_later(REQUEST_TIME / 4, self._look)


def serve(setting: Setting, sockets: list[socket.socket], started: Callable[[Callable[[], None]], None]) -> bool:
    """Serve until somebody ends it; whether that was a signal.

    Args:
        started: called when pages can come, with what ends it from any thread.

    Raises:
        StoreError: its file cannot be used.
    """
    _allow_connections()
    server = Server(setting)

    class Uvicorn(uvicorn.Server):
        """Says when it is there, heeds every signal to end, and sends everybody away before it does."""

        interrupted = False

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started(self.end)

        def end(self) -> None:
            self.should_exit = True

        def interrupt(self, number: int, frame: FrameType | None) -> None:
            self.interrupted = True
            self.handle_exit(number, frame)

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            held = {number: signal.signal(number, self.interrupt) for number in heeded()}
            try:
                yield
            finally:
                for number, handler in held.items():
                    signal.signal(number, handler)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            server.closing()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        server.app(),
        log_level="warning",
        access_log=False,  # an address may hold what others should not see
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,  # many readers of the same few bytes: memory and time for nothing
        http=type("BoardDoor", (Door,), {"most": setting.allowance.sockets + MORE_CONNECTIONS}),
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
        lifespan="on",
        proxy_headers=False,
    )
    running = Uvicorn(config)
    running.run(sockets)
    return running.interrupted


def _allow_connections() -> None:
    """Have as many files open as connections, as far as the system lets us."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + 200
    if soft < wanted and soft != resource.RLIM_INFINITY:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def sockets_at(port: int, lan: bool) -> list[socket.socket]:
    """Where it listens: this machine by both of its addresses, or everywhere."""
    first = _listening(socket.AF_INET, EVERYWHERE if lan else "127.0.0.1", port)
    found = [first]
    if not lan and socket.has_ipv6:
        try:
            found.append(_listening(socket.AF_INET6, "::1", first.getsockname()[1]))
        except OSError:
            return found  # a machine without IPv6, or somebody else has it: the other address is enough
    return found


def _listening(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, or asyncio leaves Nagle's delay on
    try:
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(1024)
    except OSError:
        made.close()
        raise
    return made


def addresses() -> tuple[str, ...]:
    """What this machine is called in its network: the address by which it goes out, and those of its name."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            found.append(probe.getsockname()[0])
        except OSError:
            found = []
    try:
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except OSError:
        return tuple(dict.fromkeys(found))
    return tuple(address for address in dict.fromkeys(found) if not address.startswith("127."))


def names() -> tuple[str, ...]:
    """What this machine is called in its network, as people may type it."""
    name = socket.gethostname().lower()
    return (name, f"{name}.local") if name and "." not in name else (name,) if name else ()
