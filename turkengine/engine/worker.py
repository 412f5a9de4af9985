"""One thread that does one job after another, and keeps the interpreter's own pauses out of them.

Python's cyclic garbage collector may stop everything for milliseconds at any allocation; a move that is due at a given
moment cannot afford that. It rests while a job runs, and what has gathered is collected when the answer is out.
"""

from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Callable

Job = Callable[[], None]


class Worker:
    """A thread for jobs, started with the first one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._unfinished = 0
        self._failure: BaseException | None = None

    def submit(self, job: Job) -> None:
        """Have the job done after those before it; what it raises is kept for `wait`."""
        with self._changed:
            self._unfinished += 1
            if self._thread is None:
                # A daemon thread: a program that forgets to close its engine can still end.
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
        self._jobs.put(job)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is left to do; whether that came in time. Raises what a job has raised, once."""
        with self._changed:
            idle = self._changed.wait_for(lambda: not self._unfinished, timeout)
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return idle

    def close(self) -> None:
        """Let the jobs submitted come to their end, then end the thread; nothing may be submitted afterwards."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            if thread is not threading.current_thread():  # else it ends when it comes to that
                thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            resting_collector.begin()
            try:
                job()
            except BaseException as failure:
                self._failure = failure
            resting_collector.end()
            del job  # and with it the search's objects, before they are looked through
            with self._changed:
                self._unfinished -= 1
                self._changed.notify_all()
            if self._jobs.empty():
                gc.collect(1)


class RestingCollector:
    """Switches automatic garbage collection off while any worker has a job: one switch for the whole process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs = 0
        self._was_on = False

    def begin(self) -> None:
        """A job begins."""
        with self._lock:
            if not self._jobs:
                self._was_on = gc.isenabled()
                gc.disable()
            self._jobs += 1

    def end(self) -> None:
        """A job is done; after the last one the collector is as it was."""
        with self._lock:
            self._jobs -= 1
            if not self._jobs and self._was_on:
                gc.enable()


resting_collector = RestingCollector()
