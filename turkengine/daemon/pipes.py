"""Bytes from a pipe, and lines into one: what a protocol needs before it can be spoken."""

from __future__ import annotations

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
        """Whether something that was written lies in the pipe still; False where nobody knows."""
        if not CAN_LOOK:
            return False
        waiting = array("i", [0])
        try:
            fcntl.ioctl(self._descriptor, termios.FIONREAD, waiting)
        except OSError:  # no pipe
            return False
        return waiting[0] > 0
