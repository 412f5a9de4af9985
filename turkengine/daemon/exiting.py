"""The end of the process, certain whatever else is stuck: in a pipe that nobody reads, in a count that lasts for days.

What the threads of the daemon wait for may never come. So the end has threads of its own, which never wait for those.
"""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Callable

from turkengine.interruption import heeded

try:
    from select import POLLERR, POLLHUP, poll
except ImportError:  # Windows: that a pipe has been closed is seen when it is read or written, and not before
    CAN_WATCH = False
else:
    CAN_WATCH = True


def end_after(seconds: float) -> None:
    """Let nothing keep the process alive for longer."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:  # no memory for a thread: then the end comes at once, since it might not come at all
        os._exit(0)


def on_request(call: Callable[[], None]) -> None:
    """Have something called when the process is asked to end, though the main thread may be stuck.

    Args:
        call: what; it is called in a thread of its own, or in the main one where the system knows no other way.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # whoever runs us there sees to it
    if CAN_WATCH:
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        threading.Thread(target=_call_on, args=(reading, call), name="turkengine signals", daemon=True).start()
    for number in heeded():
        signal.signal(number, lambda *_: None if CAN_WATCH else call())


def _call_on(reading: int, call: Callable[[], None]) -> None:
    while os.read(reading, 1):
        call()


def watch(called: dict[int, Callable[[], None]]) -> None:
    """Have something called, once, when the other end of a pipe is closed, though nobody reads or writes here by then.

    Args:
        called: what, for each file descriptor; it is called in a thread of its own, and should return soon.
    """
    pipes = {descriptor: call for descriptor, call in called.items() if _is_pipe(descriptor)}
    if CAN_WATCH and pipes:
        threading.Thread(target=_watch, args=(pipes,), name="turkengine watch", daemon=True).start()


def _watch(called: dict[int, Callable[[], None]]) -> None:
    closing = poll()
    for descriptor in called:
        closing.register(descriptor, 0)  # no event but that of the end, which always counts
    while called:
        for descriptor, event in closing.poll():
            closing.unregister(descriptor)
            call = called.pop(descriptor)
            if event & (POLLHUP | POLLERR):
                call()


def _is_pipe(descriptor: int) -> bool:
    """Only these have another end; to ask after files and devices would mean different things on different systems."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:  # not open at all
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
