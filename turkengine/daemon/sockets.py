"""Messages through a socket: what a TCP connection needs before DXP can be spoken over it.

Nothing here waits: a socket is read when it has something, and written when its time has come.
"""

from __future__ import annotations

import math
import socket
import time
from collections import deque
from collections.abc import Callable

from turkengine.wire.address import Address
from turkengine.wire.dxp.codec import FrameSplitter

APART = 0.02  # s between two messages: a widely used client loses one that arrives together with another
CHUNK = 1 << 14  # bytes read at once
MOST_UNSENT = 64  # messages, above which nothing is read until the other end has taken some
FLUSHING = 1.0  # s that a connection which is to be closed has for what is still to be sent
HELD_OFF = 0.2  # s for which an opponent that goes on sending keeps a second caller from being answered
DRAINING = 1.0  # s that the other end then has to close it too; closed sooner, our last message could be lost


def listen(place: Address) -> socket.socket:
    """A socket that takes connections at `place`; port 0 is any that is free.

    Raises:
        OSError: nobody may listen there.
    """
    family, _, _, _, where = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
    listener = socket.create_server((where[0], where[1]), family=family, backlog=8)  # with SO_REUSEADDR
    listener.setblocking(False)
    return listener


class Callers:
    """A place at which others call. One waits there to be let in; who comes meanwhile is sent away."""

    def __init__(self, place: Address) -> None:
        """Listen.

        Raises:
            OSError: nobody may listen there.
        """
        self.stream = listen(place)
        self.place = Address(*self.stream.getsockname()[:2])
        self._waiting: tuple[socket.socket, str] | None = None
        self._since = 0.0

    def take(self, now: float) -> None:
        """Somebody calls."""
        try:
            stream, where = self.stream.accept()
        except OSError:  # it has gone again
            return
        if self._waiting is not None:
            stream.close()
        else:
            self._waiting, self._since = (stream, str(Address(*where[:2]))), now

    def wait(self, now: float, unread: bool) -> bool:
        """Whether somebody waits to whom something can be said.

        Args:
            unread: whether more may have come from the opponent, its end perhaps, which goes first. One that sends
                without pause does not keep others waiting by that.
        """
        return self._waiting is not None and (not unread or now - self._since >= HELD_OFF)

    def let_in(self) -> tuple[socket.socket, str]:
        """The one who waits, and from where it calls."""
        assert self._waiting is not None, "nobody waits"
        waiting, self._waiting = self._waiting, None
        return waiting

    def close(self) -> None:
        """Listen no more."""
        self.stream.close()
        if self._waiting is not None:
            self.let_in()[0].close()


class Connection:
    """One connection: messages out one by one, messages in whole."""

    def __init__(self, stream: socket.socket, clock: Callable[[], float] = time.perf_counter) -> None:
        """Take over a connected socket; `clock` gives the moment in seconds."""
        self._clock = clock
        stream.setblocking(False)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.stream = stream
        self._splitter = FrameSplitter()
        self._unsent: deque[bytes] = deque()
        self._next = 0.0  # the moment from which the next message may go
        self._closing = math.inf  # the moment at which it is closed, whatever is still to be done
        self._shut = False

    @property
    def reads(self) -> bool:
        """Whether more may come in now."""
        return len(self._unsent) < MOST_UNSENT

    @property
    def due(self) -> float:
        """The moment at which `flush` has something to do; infinity for none."""
        return min(self._next if self._unsent else math.inf, self._closing)

    def send(self, data: bytes) -> None:
        """Send a message when its time has come."""
        self._unsent.append(data)

    def receive(self) -> list[bytes | None] | None:
        """The messages that are there, None for one that was too long; None in all at the end of the stream.

        Raises:
            OSError: the connection has broken.
        """
        try:
            data = self.stream.recv(CHUNK)
        except (BlockingIOError, InterruptedError):
            return []
        return self._splitter.feed(data) if data else None

    def flush(self) -> None:
        """Send the next message if its time has come.

        Raises:
            OSError: the connection has broken.
        """
        if self._unsent and self._clock() >= self._next:
            data = self._unsent.popleft()
            try:
                sent = self.stream.send(data)
            except (BlockingIOError, InterruptedError):
                sent = 0
            if sent < len(data):
                self._unsent.appendleft(data[sent:])
            self._next = self._clock() + APART  # from the sending on, not from what came before it
        if self._closing < math.inf and not self._unsent and not self._shut:
            self._shut, self._closing = True, self._clock() + DRAINING
            self.stream.shutdown(socket.SHUT_WR)

    def hang_up(self) -> None:
        """Close once everything is sent: `over` says when that is done."""
        self._closing = min(self._closing, self._clock() + FLUSHING)

    @property
    def over(self) -> bool:
        """Whether the time of a connection that was to be closed is up."""
        return self._clock() >= self._closing

    def close(self) -> None:
        """Close at once."""
        self.stream.close()
