"""The way into a game over a network, seen from both sides: who hosts it lets a guest in, and who joins it calls.

Plain lines of text over TCP. A guest may write anything, at any speed, and may go away: one that floods is cut off, and
what it does not take is not waited for.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
import unicodedata
from collections.abc import Callable

from turkengine.daemon.sockets import listen
from turkengine.errors import TurkengineError
from turkengine.play.terminal import STANDARD_INPUT, Reader
from turkengine.play.text_board import Look
from turkengine.wire.address import Address
from turkengine.wire.lines import LineSplitter

HELLO = "turkengine play 1"
SIGNS = "signs"  # after it: what the terminal of the guest can show
GREETING_TIME = 10.0  # s that a caller has to say hello
LONGEST_LINE = 1000  # bytes
PACE = 20.0  # lines a second that a guest may send in the long run
AHEAD = 100  # lines that it may send at once
MOST_UNSENT = 500  # texts, above which a guest that does not read is given up
MOST_CALLERS = 8  # at a time that have not said hello
CHUNK = 1 << 12  # bytes
CLOSING = 1.0  # s for what is still to be sent
A_WHILE = 0.05  # s
CALLING = 10.0  # s that joining may take


class NetworkError(TurkengineError):
    """No game can be hosted or joined there."""


class Guest:
    """Whoever has joined."""

    def __init__(self, stream: socket.socket, look: Look) -> None:
        """What is sent goes out in a thread of its own."""
        self.look = look
        self._stream = stream
        self._unsent: queue.Queue[str | None] = queue.Queue(MOST_UNSENT)
        self._writer = threading.Thread(target=self._write, name="turkengine guest out", daemon=True)
        self._writer.start()

    def send(self, text: str) -> None:
        """Send text some time; a guest that takes nothing is cut off."""
        self._put(text)

    def hang_up(self) -> None:
        """End the connection once everything is sent."""
        self._put(None)

    def wait(self, seconds: float) -> None:
        """Wait until everything is sent, not longer than that."""
        self._writer.join(seconds)

    def _put(self, text: str | None) -> None:
        try:
            self._unsent.put_nowait(text)
        except queue.Full:
            self._cut()

    def _cut(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)

    def lines(self, put: Callable[[str], None]) -> None:
        """Hand over every line until the guest has gone; one that floods is cut off."""
        splitter, allowed, last = LineSplitter(LONGEST_LINE), float(AHEAD), time.monotonic()
        with contextlib.suppress(OSError):
            while data := self._stream.recv(CHUNK):
                now = time.monotonic()
                allowed, last = min(allowed + PACE * (now - last), AHEAD), now
                lines = splitter.feed(data)
                allowed -= max(len(lines), 1)
                if allowed < 0:
                    self._cut()
                    return
                for line in lines:
                    put(line or "")

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (text := self._unsent.get()) is not None:
                self._stream.sendall(text.encode("utf-8", "replace"))
        self._cut()


class Door:
    """Lets in one guest at a time, in threads of its own; `events` has what they do."""

    def __init__(self, place: Address) -> None:
        """Listen from now on.

        Raises:
            NetworkError: nobody may listen there.
        """
        try:
            self._listener = listen(place)
        except OSError as error:
            raise NetworkError(f"cannot listen at {place}: {error.strerror or error}; name another port") from None
        self._listener.setblocking(True)
        self.place = Address(*self._listener.getsockname()[:2])
        self.events: queue.Queue[tuple[Guest | None, str | None]] = queue.Queue(MOST_UNSENT)
        self._seat = threading.Lock()
        self._callers = threading.Semaphore(MOST_CALLERS)
        self._closed = False
        threading.Thread(target=self._take_calls, name="turkengine door", daemon=True).start()

    def close(self) -> None:
        """Let in nobody any more."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _take_calls(self) -> None:
        while not self._closed:
            try:
                stream, _ = self._listener.accept()
            except OSError:
                time.sleep(A_WHILE)  # closed, or too many files are open just now
                continue
            if not self._callers.acquire(blocking=False):
                stream.close()
                continue
            threading.Thread(target=self._welcome, args=(stream,), name="turkengine caller", daemon=True).start()

    def _welcome(self, stream: socket.socket) -> None:
        with stream:
            try:
                hello = _first_line(stream)
            except OSError:
                hello = ""
            finally:
                self._callers.release()
            if hello not in (HELLO, f"{HELLO} {SIGNS}"):
                _refuse(stream, "this is a game of turkengine: join it with turkengine play --join HOST:PORT")
            elif not self._seat.acquire(blocking=False):
                _refuse(stream, "somebody else has joined this game")
            else:
                try:
                    self._seated(stream, signs=hello.endswith(SIGNS))
                finally:
                    self._seat.release()

    def _seated(self, stream: socket.socket, signs: bool) -> None:
        stream.settimeout(None)
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, name):  # a guest whose machine is gone is noticed after a minute
                stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        guest = Guest(stream, Look(signs=signs))
        self.events.put((guest, ""))  # it has come
        guest.lines(lambda line: self.events.put((guest, line)) if line.strip() else None)
        self.events.put((guest, None))
        guest.wait(CLOSING)


def _first_line(stream: socket.socket) -> str:
    """What a caller says first, byte by byte: what comes after it is the guest's.

    Raises:
        OSError: it says nothing.
    """
    until, said = time.monotonic() + GREETING_TIME, b""
    while not said.endswith(b"\n") and len(said) < LONGEST_LINE:
        stream.settimeout(max(until - time.monotonic(), 0.001))
        byte = stream.recv(1)
        if not byte:
            break
        said += byte
    return said.decode("utf-8", "replace").strip()


def _refuse(stream: socket.socket, why: str) -> None:
    with contextlib.suppress(OSError):
        stream.settimeout(1.0)
        stream.sendall(f"{why}\n".encode())
        stream.shutdown(socket.SHUT_WR)


def join(place: Address, signs: bool, show: Callable[[str], None]) -> None:
    """Join a game: what is written here goes there, and what is said there is shown, until one of the two ends it.

    Raises:
        NetworkError: there is no game.
    """
    try:
        stream = socket.create_connection((place.host, place.port), timeout=CALLING)
    except OSError as error:
        raise NetworkError(f"nobody hosts a game at {place}: {error.strerror or error}") from None
    with stream:
        stream.settimeout(None)
        stream.sendall(f"{HELLO} {SIGNS}\n".encode() if signs else f"{HELLO}\n".encode())

        def put(line: str | None) -> None:
            with contextlib.suppress(OSError):
                if line is None:
                    stream.shutdown(socket.SHUT_WR)
                else:
                    stream.sendall(f"{line[: LONGEST_LINE // 4]}\n".encode())

        Reader(STANDARD_INPUT, put)
        splitter, answered = LineSplitter(CHUNK), False
        while data := _received(stream):
            answered = True
            for line in splitter.feed(data):
                show(f"{printable(line or '')}\n")
        if not answered:
            raise NetworkError(f"nobody hosts a game at {place}: whoever listens there has hung up without a word")


def _received(stream: socket.socket) -> bytes:
    try:
        return stream.recv(CHUNK)
    except OSError as error:
        raise NetworkError(f"the host has gone: {error.strerror or error}; the game is kept there") from None


def printable(line: str) -> str:
    """A line from outside without what could command a terminal."""
    return "".join(sign for sign in line if unicodedata.category(sign)[0] != "C")
