"""An engine as a process: lines in, lines out, and a certain end, on POSIX and on Windows.

The process leads a group of its own, so that Ctrl-C in a terminal does not reach it and nothing that it has started
outlives it. Nothing here waits for a pipe that the engine does not serve, and standard error is drained whatever pours
out of it: threads see to both. Where pipes can be polled, whoever drives it reads its output, and writes what it takes
at once, since a thread in between would cost a match more than all the rest.

A process that is dropped without `kill` is ended all the same, with a `ResourceWarning`. For that its threads know only
the pipe that they serve, never the `Process`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

from turkengine.errors import OptionError, TurkengineError, shown
from turkengine.wire.lines import LineSplitter
from turkengine.wire.words import one_line

try:
    from select import POLLIN, POLLOUT, poll
except ImportError:  # Windows: pipes cannot be polled
    CAN_POLL = False
else:
    CAN_POLL = True

CHUNK = 1 << 16  # bytes read at once
MOST_CHUNKS = 64  # read ahead
TICK = 0.5  # s of waiting at most: Ctrl-C is not noticed in between on Windows
LONGEST_LINE = 1 << 20  # bytes
LAST_WORDS = 5  # lines of standard error that are kept
LONGEST_WORD = 200  # characters of such a line that a message repeats
EXITING = 1.0  # s that a process has to be gone once it has closed its output, or been killed


class Ended(TurkengineError):
    """The process is no more, or speaks no more; the message says how it ended."""


class OutputLine(NamedTuple):
    """A line that has come.

    Attributes:
        text: without its end; None for one that was too long to be kept.
        moment: `time.perf_counter()` when it was read.
    """

    text: str | None
    moment: float


def words_of(command: str) -> list[str]:
    """A command line as a list: the program and its arguments, quoted as in a shell.

    Raises:
        OptionError: it is empty, or a quote is not closed.
    """
    try:
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as error:
        raise OptionError(f"the command {shown(command)} cannot be read: {error}") from None
    if not words:
        raise OptionError("a command is missing; write the program and its arguments")
    return [word[1:-1] if sys.platform == "win32" and word[:1] == word[-1:] == '"' else word for word in words]


class Process:
    """One engine that runs.

    Attributes:
        heard: `time.perf_counter()` when something came from it last.
    """

    def __init__(self, command: list[str], directory: Path | None, note: Callable[[str, str], None]) -> None:
        """Start it.

        Args:
            command: the program and its arguments.
            directory: where it runs; the current one if None.
            note: called with ">", "<" or "!" (standard error) and each line, from several threads.

        Raises:
            OSError: it cannot be started.
        """
        self._note = note
        self._lines: deque[OutputLine] = deque()
        self._splitter = LineSplitter(LONGEST_LINE)
        self._silent = False  # for ever, since its output is closed
        self.heard = time.perf_counter()
        self._process = process = _started(command, directory)
        self.pid = process.pid
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._orders = _Orders(process.stdin)
        self._last_words = _LastWords(process.stderr.fileno(), note)
        self._output = _polled(process.stdout.fileno()) if CAN_POLL else _Queued(process.stdout.fileno())
        self._drainer = threading.Thread(target=self._last_words.drain, name=f"engine {self.pid} errors", daemon=True)
        threads = [
            threading.Thread(target=self._orders.write, name=f"engine {self.pid} input", daemon=True),
            self._drainer,
        ]
        self._dropped = weakref.finalize(self, _dropped, process, self._orders, threads, os.getpid(), command[0])
        self._threads = threads
        try:
            for thread in threads:
                thread.start()
        except RuntimeError:
            self.kill()
            raise OSError(errno.ENOMEM, "there is no memory for its threads") from None

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def send(self, *lines: str) -> None:
        """Have lines written, as soon as the engine takes them; what comes after its end is lost."""
        for line in lines:
            self._note(">", line)
        self.send_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))

    def send_bytes(self, data: bytes) -> None:
        """The same for any bytes."""
        self._orders.send(data)

    def receive(self, until: float | None, put_aside: Callable[[bytes], bool] | None = None) -> OutputLine | None:
        """The next line, waited for until that moment of `time.perf_counter()`; None where none has come.

        Args:
            put_aside: offered what comes where a line begins, which is dealt with where it says so: an engine may
                write a hundred lines for each that matters. Lines put aside are not noted.

        Raises:
            Ended: none can come any more.
        """
        while not self._lines:
            if self._silent:
                raise Ended(self.obituary())
            wait = TICK if until is None else max(min(until - time.perf_counter(), TICK), 0.0)
            data = self._output(wait)
            if data:
                self.heard = time.perf_counter()
                if put_aside is None or self._splitter.inside or not put_aside(data):
                    self._take(self._splitter.feed(data))
            elif data is not None:
                self._silent = True
                self._take(self._splitter.end())
                continue
            if not self._lines and until is not None and time.perf_counter() >= until:
                return None  # whatever pours out of it meanwhile
        return self._lines.popleft()

    def finish(self) -> None:
        """Close its input, after what is still to be written."""
        self._orders.finish()

    def wait(self, seconds: float) -> int | None:
        """The exit status, None where it still runs after so long."""
        try:
            return self._process.wait(max(seconds, 0.0))
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End it and all that it has started, at once."""
        self._dropped.detach()
        _end(self._process, self._orders, self._threads)

    def obituary(self) -> str:
        """How it has ended, with its last words on standard error, as in "it has ended with exit status 1"."""
        status = self.wait(EXITING)
        if status is None:
            told = "it has closed its output"
        elif status < 0:
            told = f"it has been killed by {_signal(-status)}"
        else:
            told = f"it has ended with exit status {status}"
        self._drainer.join(EXITING / 10)  # the last words may be on their way
        errors = self.errors()
        return f"{told}; its last words: {errors[-1]}" if errors else told

    def errors(self) -> list[str]:
        """The last lines of standard error that are not empty."""
        return list(self._last_words.lines)

    def _take(self, lines: list[str | None]) -> None:
        moment = time.perf_counter()
        for line in lines:
            self._note("<", f"(a line of more than {LONGEST_LINE} bytes)" if line is None else line)
            self._lines.append(OutputLine(line, moment))


class _Orders:
    """The input of a process. Nobody waits for it: what it does not take at once, a thread writes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._orders: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()  # that wait until they are taken
        self._sending = threading.Lock()  # guards the next one, and the stream
        self._waiting = 0  # orders
        if CAN_POLL:
            os.set_blocking(stream.fileno(), False)

    def send(self, data: bytes) -> None:
        """Have bytes written, after those that wait."""
        with self._sending:
            if CAN_POLL and not self._waiting:
                data = data[self._taken(data) :]
            if data:
                self._waiting += 1
                self._orders.put(data)

    def finish(self) -> None:
        """Close the input after what is still to be written."""
        self._orders.put(None)

    def write(self) -> None:
        """Write what could not be written at once; for a thread."""
        while (data := self._orders.get()) is not None:
            while data := data[self._taken(data) :]:
                _until_writable(self._stream.fileno())
            with self._sending:
                self._waiting -= 1
        with self._sending, contextlib.suppress(OSError):
            self._stream.close()

    def _taken(self, data: bytes) -> int:
        """How many of the bytes have been written without waiting; all of them where nobody reads any more."""
        try:
            return len(data) if self._stream.closed else os.write(self._stream.fileno(), data)
        except BlockingIOError:
            return 0
        except OSError:  # it has ended, which shows at its output
            return len(data)


class _LastWords:
    """The standard error of a process, drained by a thread."""

    def __init__(self, descriptor: int, note: Callable[[str, str], None]) -> None:
        self._descriptor, self._note = descriptor, note
        self.lines: deque[str] = deque(maxlen=LAST_WORDS)

    def drain(self) -> None:
        """Read it to its end; for a thread."""
        splitter = LineSplitter(LONGEST_LINE)
        while data := _some(self._descriptor):
            self._keep(splitter.feed(data))
        self._keep(splitter.end())

    def _keep(self, lines: list[str | None]) -> None:
        for line in lines:
            if line is not None and line.strip():
                self._note("!", line)
                self.lines.append(one_line(line)[:LONGEST_WORD])


def _dropped(
    process: subprocess.Popen[bytes], orders: _Orders, threads: list[threading.Thread], owner: int, command: str
) -> None:
    """Nobody has the process any more, so nobody would end it."""
    if os.getpid() != owner:  # a fork has copied the object, but the process is its parent's
        return
    warnings.warn(f"the engine process {process.pid} ({command}) was not closed", ResourceWarning, stacklevel=3)
    _end(process, orders, threads)


def _end(process: subprocess.Popen[bytes], orders: _Orders, threads: list[threading.Thread]) -> None:
    """End a process, all that it has started, and the threads that serve it."""
    orders.finish()
    _kill_group(process)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(EXITING)
    for thread in threads:
        if thread.ident is not None and thread is not threading.current_thread():
            thread.join(EXITING)
    for stream in (process.stdout, process.stderr):
        if stream is not None and not any(thread.is_alive() for thread in threads):
            stream.close()


def _started(command: list[str], directory: Path | None) -> subprocess.Popen[bytes]:
    """The process, as the leader of its group."""
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=directory, bufsize=0, creationflags=flags
        )
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=directory, bufsize=0, start_new_session=True
    )


def _polled(descriptor: int) -> Callable[[float], bytes | None]:
    """What gives the bytes that come within so many seconds: none at the end, None where nothing comes."""
    poller = poll()
    poller.register(descriptor, POLLIN)
    ready = poller.poll
    return lambda wait: _some(descriptor) if ready(wait * 1000) else None


def _until_writable(descriptor: int) -> None:
    """Wait until the other side takes something or has ended; where pipes cannot be polled, writing itself waits."""
    if CAN_POLL:
        poller = poll()
        poller.register(descriptor, POLLOUT)
        poller.poll()


class _Queued:
    """The same where pipes cannot be polled: a thread reads ahead."""

    def __init__(self, descriptor: int) -> None:
        self._chunks: queue.Queue[bytes] = queue.Queue(MOST_CHUNKS)  # a flood waits in the pipe
        threading.Thread(target=self._read, args=(descriptor,), daemon=True).start()

    def __call__(self, wait: float) -> bytes | None:
        try:
            return self._chunks.get(timeout=wait)
        except queue.Empty:
            return None

    def _read(self, descriptor: int) -> None:
        while data := _some(descriptor):
            self._chunks.put(data)
        self._chunks.put(b"")


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":  # a group cannot be killed there, but a tree can
        if process.poll() is None:
            kill_tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(kill_tree, capture_output=True, check=False)
            process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # all have ended; macOS refuses for the dead
            os.killpg(process.pid, signal.SIGKILL)


def _some(descriptor: int) -> bytes:
    """Bytes as soon as there are some, none at the end."""
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
