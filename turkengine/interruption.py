"""Being asked to end: Ctrl-C, SIGTERM and SIGHUP are one thing, and come at a moment at which nothing is lost.

Whichever comes raises `KeyboardInterrupt` in the main thread, so that everything that ends in order on Ctrl-C does so
when a service is stopped or a terminal is closed. Work that would be torn apart by it postpones it:

    with postponed():
        while True:
            with allowed():
                wait()              # interrupted at once
            keep_what_has_come()    # done whole, whatever comes meanwhile

Nothing of this is in force for a program that only imports the package: `install` is called where the command line
begins. A signal that is ignored from the start, as `nohup` arranges it, stays ignored.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the exit status that a shell expects of a program ended by Ctrl-C
REPEATED = 1.0  # s in which more signals from the system say nothing new; a second Ctrl-C is somebody in a hurry
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

_postponed = 0  # blocks that the main thread is in
_pending = False
_asked = -REPEATED  # when


def install() -> None:
    """Have every such signal raise `KeyboardInterrupt` from now on; to be called in the main thread."""
    for number in heeded():
        signal.signal(number, _arrived)


def heeded() -> list[signal.Signals]:
    """The signals that nobody has switched off."""
    return [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def postponed() -> Iterator[None]:
    """Hold back what comes until the end of the block. Threads other than the main one are never interrupted anyway."""
    global _postponed
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _postponed += 1
    try:
        yield
    finally:
        _postponed -= 1
        if not _postponed:
            check()


@contextmanager
def allowed() -> Iterator[None]:
    """Within a block that postpones it: let it come, at once if it has come already.

    Raises:
        KeyboardInterrupt: it has come.
    """
    global _postponed
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held, _postponed = _postponed, 0
    try:
        check()
        yield
    finally:
        _postponed = held


def check() -> None:
    """Let it come now if it has been postponed: a moment at which nothing would be lost.

    Raises:
        KeyboardInterrupt: it has come.
    """
    global _pending
    if _pending and threading.current_thread() is threading.main_thread():
        _pending = False
        raise KeyboardInterrupt


def _arrived(number: int, frame: FrameType | None) -> None:
    global _pending, _asked
    now = time.monotonic()
    if number != signal.SIGINT and now - _asked < REPEATED:
        return
    _pending, _asked = True, now
    if not _postponed:
        check()
