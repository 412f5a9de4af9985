"""Lines for people during a run: whoever reads them, or does not, neither ends nor delays it.

A command that plays or searches for long does so inside `onlookers()`. What it writes to standard output and standard
error is then taken at once and written by a thread of its own. If nobody reads, the oldest lines give way and their
number is said in their place; if nothing can be written any more (the reader has left, the disk is full), that is said
once on standard error and the run goes on. In the end the reader gets a moment for the rest, and lines that were lost
turn an exit status of 0 into 1.

What a command makes for other programs does not go this way: `buffer` of the stream is the real one, where each byte
arrives or the command fails.
"""

from __future__ import annotations

import codecs
import io
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, TypeGuard

import click

MOST = 1 << 20  # characters that wait for a reader
AT_ONCE = 1 << 12  # bytes: so much a pipe takes whole, and how fast it does is seen
LAST_WAIT = 3.0  # s without anything taken, after which a reader is not waited for any more in the end
LOST = 1  # the exit status of a run without a fault of whose lines some were lost


@contextmanager
def onlookers() -> Iterator[None]:
    """Let nothing that is shown to people matter to what is done in the block.

    Raises:
        Exit: lines were lost and all else went well.
    """
    streams = sys.stdout, sys.stderr
    writers = _writers(*streams)
    sys.stdout, sys.stderr = (_Shown(stream, writers[stream]) if stream in writers else stream for stream in streams)
    ended: click.exceptions.Exit | None = None
    try:
        yield
    except click.exceptions.Exit as end:
        ended = end
    finally:
        try:
            lost = [writer.finish() for writer in dict.fromkeys(writers.values())]
        finally:
            sys.stdout, sys.stderr = streams
    if any(lost) and (ended is None or not ended.exit_code):
        raise click.exceptions.Exit(LOST)
    if ended is not None:
        raise ended


class Writer:
    """Writes what it is given to one place, in a thread of its own, in order."""

    def __init__(self, stream: TextIO, complaints: Writer | None = None) -> None:
        """Begin.

        Args:
            stream: an open file of the system; its buffers are passed by.
            complaints: where it is said that nothing can be written any more; nowhere if None.
        """
        self._raw = _raw(stream)
        self._name = "standard output" if stream is sys.stdout else "standard error"
        ascii_only = codecs.lookup(stream.encoding).name == "ascii"  # said where nothing is known of the reader
        self.encoding = "utf-8" if ascii_only else stream.encoding
        self._errors = "backslashreplace" if stream.errors == "strict" else stream.errors or "backslashreplace"
        self._complaints = complaints
        self._changed = threading.Condition()  # guards what follows
        self._waiting: deque[str] = deque()
        self._size = 0
        self._left_out = self._lost = 0  # lines: since the last ones written, and in all
        self._moved = 0.0  # when something was taken last
        self._busy = self._ended = self._broken = False
        threading.Thread(target=self._write_all, name=f"turkengine {self._name}", daemon=True).start()

    def write(self, text: str) -> None:
        """Have a text written."""
        if not text:
            return
        with self._changed:
            self._waiting.append(text)
            self._size += len(text)
            while self._waiting and (self._broken or (self._size > MOST and len(self._waiting) > 1)):
                oldest = self._waiting.popleft()
                self._size -= len(oldest)
                self._left_out += oldest.count("\n")
            self._changed.notify_all()

    def finish(self) -> bool:
        """Wait for a reader that reads; whether lines have been lost."""
        with self._changed:
            self._ended = True
            self._moved = time.monotonic()
            self._changed.notify_all()
            while (self._waiting or self._busy) and not self._broken:
                left = self._moved + LAST_WAIT - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            unread = sum(text.count("\n") for text in self._waiting)
            lost = self._lost + self._left_out + unread
            given_up = not self._broken and (self._waiting or self._busy)
        if given_up and self._complaints is not None:
            self._complaints.write(f"turkengine: nobody reads {self._name}; {_lines_were(max(unread, 1))} left out\n")
        return bool(lost or given_up or self._broken)

    def _write_all(self) -> None:
        try:
            while text := self._next():
                self._write(text)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            if self._complaints is not None:
                self._complaints.write(
                    f"turkengine: {self._name} cannot be written: {reason or error}; all else goes on without it\n"
                )
            with self._changed:
                self._broken = True
                self._waiting.clear()
                self._changed.notify_all()

    def _next(self) -> str:
        """What is to be written; empty at the end."""
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._waiting or self._ended)
            texts = [f"({_lines_were(self._left_out)} left out: nobody read them)\n"] if self._left_out else []
            self._lost += self._left_out
            self._left_out = self._size = 0
            texts += self._waiting
            self._waiting.clear()
            self._busy = bool(texts)
        return "".join(texts)

    def _write(self, text: str) -> None:
        data = memoryview(text.replace("\n", os.linesep).encode(self.encoding, self._errors))
        while data:
            written = self._raw.write(data[:AT_ONCE])
            if written is None:  # whoever started us has set it so that it does not wait
                select.select([], [self._raw], [])
            else:
                data = data[written:]
                with self._changed:
                    self._moved = time.monotonic()


class _Shown(io.TextIOBase):
    """A standard stream, as far as those who write lines know it."""

    def __init__(self, stream: TextIO, writer: Writer) -> None:
        self._stream, self._writer = stream, writer
        self.buffer = stream.buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._writer.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._stream.errors

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"a text is written here, not {type(text).__name__}")
        self._writer.write(text)
        return len(text)


def _lines_were(number: int) -> str:
    return "1 line was" if number == 1 else f"{number} lines were"


def _writers(stdout: TextIO | None, stderr: TextIO | None) -> dict[TextIO | None, Writer]:
    """Who writes each stream; one writes both where they go to the same place, so that their lines stay in order.

    A stream that is not a file of the system, as in a test, is written as ever.
    """
    complaints = Writer(stderr) if _is_file(stderr) else None
    if not _is_file(stdout):
        return {stderr: complaints} if complaints is not None else {}
    if complaints is None:
        return {stdout: Writer(stdout, None)}
    if _same(stdout, stderr):
        return {stdout: complaints, stderr: complaints}
    return {stdout: Writer(stdout, complaints), stderr: complaints}


def _is_file(stream: TextIO | None) -> TypeGuard[TextIO]:
    return isinstance(_raw(stream), io.RawIOBase)


def _raw(stream: TextIO | None) -> io.RawIOBase:
    """What is below the buffers; below none where the process has been started with PYTHONUNBUFFERED."""
    buffer: Any = getattr(stream, "buffer", None)
    raw: io.RawIOBase = getattr(buffer, "raw", buffer)
    return raw


def _same(one: TextIO, other: TextIO | None) -> bool:
    """Whether both are the same file, terminal or pipe; on Windows a pipe has no number by which to know it."""
    status = os.fstat(one.fileno())
    return other is not None and status.st_ino != 0 and os.path.samestat(status, os.fstat(other.fileno()))
