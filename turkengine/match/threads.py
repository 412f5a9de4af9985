"""Games on this machine: each of some threads has a seat and plays one task after the other."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from turkengine.match.referee import OnMove
from turkengine.match.schedule import Key, Pairing
from turkengine.match.seat import Seat, Task
from turkengine.match.underway import UnderWay
from turkengine.record.record import Record
from turkengine.rules.variant import Side

LEAVE_TO_MOVE = 1.0  # s for moves under way when everything is broken off; then their engines are ended


@dataclass(frozen=True)
class _Failure:
    """What a thread that plays could not go on after."""

    error: BaseException


_Message = tuple[Key, Record] | Pairing | str | _Failure


class Threads:
    """Players on this machine, as `runner.Players` describes them."""

    def __init__(self, places: int, processors: tuple[int, ...] = (), logs: Path | None = None) -> None:
        """Nothing is started yet.

        Args:
            places: games at a time.
            processors: the threads, and what they start, each stay on one of these, in turn; empty for anywhere.
            logs: a folder for the lines that are exchanged with the engines, one file a game.
        """
        self.places, self.processors, self.logs = places, processors, logs
        self.tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self.messages: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self.broken_off = threading.Event()
        self.under_way: dict[Key, UnderWay] = {}
        self._workers: list[_Worker] = []

    def begin(self, task: Task) -> None:
        """Have a task played."""
        self.tasks.put(task)
        if len(self._workers) < self.places:
            self._workers.append(_Worker(self, len(self._workers)))
            self._workers[-1].start()

    def news(self, seconds: float) -> tuple[Key, Record] | Pairing | str | None:
        """What happens next; None where nothing does for so long."""
        try:
            message = self.messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(message, _Failure):
            raise message.error
        return message

    def end(self) -> Iterator[tuple[Key, Record]]:
        """Have all threads come to their end; the games that are over by then."""
        self.broken_off.set()
        for _ in self._workers:
            self.tasks.put(None)
        until = time.monotonic() + LEAVE_TO_MOVE
        with contextlib.suppress(KeyboardInterrupt):  # impatience: engines are ended at once
            for worker in self._workers:
                worker.join(max(until - time.monotonic(), 0.0))
        forced = [worker for worker in self._workers if worker.is_alive()]
        for worker in forced:
            worker.seat.close()
        for worker in self._workers:
            worker.join()
        while not self.messages.empty():
            message = self.messages.get()
            if isinstance(message, tuple):
                yield message
            elif isinstance(message, _Failure) and not forced:
                raise message.error  # what fails in a thread whose engines have been ended under it is not a fault


class _Worker(threading.Thread):
    """One of the threads that play."""

    def __init__(self, threads: Threads, number: int) -> None:
        super().__init__(name=f"game {number + 1}", daemon=True)
        self.seat = Seat(threads.messages.put)
        self._threads, self._number = threads, number

    def run(self) -> None:
        """Play tasks until there is none."""
        threads = self._threads
        try:
            self._stay_on_one_processor()
            while (task := threads.tasks.get()) is not None:
                for key in task.keys:
                    record = self._play(task, key)
                    if record is not None:
                        threads.messages.put((key, record))
                threads.messages.put(task.pairing)
        except BaseException as error:
            threads.messages.put(_Failure(error))
        finally:
            self.seat.close()

    def _play(self, task: Task, key: Key) -> Record | None:
        game = UnderWay(dict(zip(Side, task.pairing.players(key), strict=True)), task.beginning.name)
        self._threads.under_way[key] = game
        try:
            return self._play_logged(task, key, game.note)
        finally:
            del self._threads.under_way[key]

    def _play_logged(self, task: Task, key: Key, on_move: OnMove) -> Record | None:
        broken_off, logs = self._threads.broken_off.is_set, self._threads.logs
        if logs is None or broken_off():
            return self.seat.play(task, key, broken_off, None, on_move)
        path = logs / f"{key}.log"
        try:
            file = path.open("w", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            self._unlogged(path, error)
            return self.seat.play(task, key, broken_off, None, on_move)
        try:
            record = self.seat.play(task, key, broken_off, file, on_move)
        finally:
            with contextlib.suppress(OSError):  # what could not be written is known
                file.close()
        for trouble in self.seat.unlogged:
            self._unlogged(path, trouble)
        return record

    def _unlogged(self, path: Path, error: OSError) -> None:
        self._threads.messages.put(f"{path} cannot be written: {error.strerror or error}")

    def _stay_on_one_processor(self) -> None:
        """Bind this thread, and so all that it starts, to a processor."""
        processors = self._threads.processors
        if processors and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {processors[self._number % len(processors)]})
