"""The server on its sockets: where it listens, what it is called in the network, how it begins and ends."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from turkengine.board.app import Server, Setting
from turkengine.interruption import heeded

LARGEST_FRAME = 64 * 1024  # bytes; what is longer is not even read, what is longer than the page's limit is explained
MOST_CONNECTIONS = 2000
EVERYWHERE = "0.0.0.0"
ELSEWHERE = ("192.0.2.1", 9)  # a documentation address: nothing is sent, only the way there is looked up


def serve(setting: Setting, sockets: list[socket.socket], started: Callable[[Callable[[], None]], None]) -> bool:
    """Serve until somebody ends it; whether that was a signal.

    Args:
        started: called when pages can come, with what ends it from any thread.

    Raises:
        StoreError: its file cannot be used.
    """
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
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
        lifespan="on",
        proxy_headers=False,
    )
    running = Uvicorn(config)
    running.run(sockets)
    return running.interrupted


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
