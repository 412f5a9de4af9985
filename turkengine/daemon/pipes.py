"""Bytes to lines and back: what a pipe needs before a protocol can be spoken over it."""

from __future__ import annotations

import codecs
import os
import select
import time
from array import array

try:
    import fcntl
    import termios
except ImportError:  # Windows: what lies in a pipe cannot be seen from where it is written
    CAN_LOOK = False
else:
    CAN_LOOK = True

LONGEST_LINE = 1 << 20  # bytes; a game of a hundred thousand plies fits
APART = 0.002  # s between lines that must not be read together
MOST_APART = 0.02  # s, where the reader does not take the one before: it may be waiting for a processor
A_MOMENT = 0.0005  # s between two looks at what is unread
CHUNK = 1 << 16  # bytes read at once


def read_some(descriptor: int) -> bytes:
    """Bytes as soon as there are some, none at the end; an input that cannot be read has ended."""
    while True:
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:  # who started us has set it so, and it is not ours to change
            select.select([descriptor], [], [])
        except OSError:
            return b""


class LineSplitter:
    """Cuts a stream of bytes into lines, however it arrives. A line without end never takes more than its limit."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        """Lines of more than `longest` bytes are given as None, once their end has come."""
        self._longest = longest
        self._begun = bytearray()
        self._overlong = False
        self._first = True

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that `data` completes; bytes that are no text are replaced."""
        *ended, rest = data.split(b"\n")
        lines: list[str | None] = []
        for part in ended:
            self._append(part)
            lines.append(self._take())
        self._append(rest)
        return lines

    def end(self) -> list[str | None]:
        """The stream has ended: what has been begun is a line too."""
        return [self._take()] if self._begun or self._overlong else []

    def _append(self, part: bytes) -> None:
        self._overlong = self._overlong or len(self._begun) + len(part) > self._longest
        if self._overlong:
            self._begun.clear()
        else:
            self._begun += part

    def _take(self) -> str | None:
        if self._first:
            self._first = False
            self._begun = self._begun.removeprefix(codecs.BOM_UTF8)
        line = None if self._overlong else self._begun.decode("utf-8", "replace").removesuffix("\r")
        self._begun.clear()
        self._overlong = False
        return line


class LineWriter:
    """Writes lines to a file descriptor, each at once and alone."""

    def __init__(self, descriptor: int) -> None:
        """Nothing is buffered here."""
        self._descriptor = descriptor
        self._last = 0.0
        self.busy = False  # perhaps for long, where nobody reads
        self.closed = False

    def write(self, line: str, apart: bool = False) -> None:
        """Write one line. A closed pipe only sets `closed`.

        With `apart` it does not come together with the one before: it is written 2 ms later at least, and where the
        reader of a pipe is seen to be slow, when it has taken that one, but not more than `MOST_APART` s later.
        """
        while apart and (waited := time.perf_counter() - self._last) < MOST_APART:
            if waited >= APART and not self._unread():
                break
            time.sleep(max(APART - waited, A_MOMENT))
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        self.busy = True
        while data and not self.closed:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])
            except OSError:
                self.closed = True
        self.busy = False
        self._last = time.perf_counter()

    def _unread(self) -> bool:
        """Whether something that was written lies in the pipe still; False where nobody can tell."""
        if not CAN_LOOK:
            return False
        waiting = array("i", [0])
        try:
            fcntl.ioctl(self._descriptor, termios.FIONREAD, waiting)
        except OSError:  # no pipe
            return False
        return waiting[0] > 0
