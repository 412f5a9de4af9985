"""The transposition table of an engine, made and emptied in the background where that takes long.

To hand out and to empty gigabytes takes a second, and several where the system has none at hand. A move that is due in
a tenth of one cannot wait for that. So a large table is emptied in a thread of its own: whoever has time waits, and a
search that has not finds its move with a small table for once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from turkengine.engine.kernel_types import Kernel, KernelPosition, KernelTable, Searcher
from turkengine.rules.variant import Variant

AT_ONCE = 16  # MiB; so much is emptied in a few milliseconds
CHUNK = 16  # MiB between two looks at whether the rest is wanted
STOPGAP = 4  # MiB
WAIT_SHARE = 0.1  # part of the time for a move
LOOK = 0.005  # s between two looks at the clock, which may be set meanwhile


class HashTable:
    """The table of an engine and the searcher that uses it. `settle` may be called from any thread."""

    def __init__(self) -> None:
        self._kernel: Kernel | None = None
        self._variant = ""
        self._table: KernelTable | None = None
        self._searcher: Searcher | None = None
        self._emptying: Emptying | None = None

    @property
    def mebibytes(self) -> int:
        """Size of the table, 0 where there is none."""
        return self._table.mebibytes if self._table is not None else 0

    def fits(self, variant: Variant, mebibytes: int = 0) -> bool:
        """Whether there is a table for `variant`, of this size if one is given."""
        return self._table is not None and self._variant == variant.name and mebibytes in (0, self._table.mebibytes)

    def make(self, kernel: Kernel, variant: Variant, mebibytes: int) -> int:
        """A new table and searcher, smaller than asked for where the memory is not to be had.

        Returns:
            The size in force.

        Raises:
            MemoryError: there is no memory at all.
        """
        self.drop()  # gives the old table back before the new one is taken
        while self._table is None:
            try:
                self._table = kernel.Table(mebibytes, touch=False)  # `clear` touches it
            except MemoryError:
                if mebibytes == 1:
                    raise
                mebibytes //= 2
        self._kernel, self._variant = kernel, variant.name
        self._searcher = kernel.Searcher(self._table)
        self.clear()
        return mebibytes

    def clear(self) -> None:
        """Empty the table; `settle` waits for the end of it."""
        if self._emptying is not None:
            self._emptying.give_up()
            self._emptying = None
        if self._table is None:
            return
        if self._table.mebibytes <= AT_ONCE:
            self._table.clear()
        else:
            self._emptying = Emptying(self._table)

    def new_game(self) -> None:
        """Forget whatever was learnt."""
        self.clear()
        if self._searcher is not None:
            self._searcher.new_game()

    @property
    def settled(self) -> bool:
        """Whether the table is empty, and nobody would have to wait for that."""
        emptying = self._emptying  # another thread may take it away
        return emptying is None or emptying.wait(0)

    def settle(self, timeout: float | None = None) -> bool:
        """Wait until the table is empty; whether that came within `timeout` seconds."""
        emptying = self._emptying
        return emptying is None or emptying.wait(timeout)

    def searcher(self) -> Searcher:
        """What searches with the table, there must be one; before it is empty, what knows how to do without."""
        assert self._searcher is not None, "a table is made before it is used"
        assert self._kernel is not None
        if self._emptying is not None and not self._emptying.wait(0):
            return WaitingSearcher(self._kernel, self._searcher, self._emptying)
        self._emptying = None
        return self._searcher

    def drop(self) -> None:
        """Give everything back."""
        if self._emptying is not None:
            self._emptying.give_up()
        self._table = self._searcher = self._emptying = None


class Emptying:
    """A table that is emptied, piece by piece, in a thread of its own."""

    def __init__(self, table: KernelTable) -> None:
        self._table = table
        self._unwanted = False
        self._thread = threading.Thread(target=self._run, name="turkengine table", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # there is no memory for one
            self._run()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end of it; whether that came within `timeout` seconds."""
        if self._thread.ident is not None:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def give_up(self) -> None:
        """Leave the rest as it is. When this returns, nobody touches the table any more."""
        self._unwanted = True
        self.wait()

    def _run(self) -> None:
        for start in range(0, self._table.mebibytes, CHUNK):
            if self._unwanted:
                return
            self._table.clear(start, CHUNK)


class WaitingSearcher:
    """A searcher for one search that waits for the table: as long as there is time, then it takes a small one."""

    def __init__(self, kernel: Kernel, searcher: Searcher, emptying: Emptying) -> None:
        self._kernel, self._searcher, self._emptying = kernel, searcher, emptying
        self._changed = threading.Lock()  # guards the following
        self._chosen = searcher
        self._stopped = False
        self._deadline = float("inf")

    @property
    def deadline(self) -> float:
        """As in `Searcher`."""
        return self._deadline

    @deadline.setter
    def deadline(self, moment: float) -> None:
        with self._changed:
            self._deadline = self._chosen.deadline = moment

    def prepare(self) -> None:
        """As in `Searcher`."""
        self._searcher.prepare()

    def run(self, position: KernelPosition, *, on_report: Callable[[tuple[Any, ...]], None], **limits: Any) -> None:
        """As in `Searcher`."""
        began = time.perf_counter()
        while not self._emptying.wait(LOOK) and not self._stopped:
            now = time.perf_counter()
            if now - began >= WAIT_SHARE * (self._deadline - began):
                self._do_without()
                break
        self._chosen.run(position, on_report=on_report, **limits)

    def stop(self) -> None:
        """As in `Searcher`."""
        with self._changed:
            self._stopped = True
            self._chosen.stop()

    def current_move(self) -> tuple[Any, int] | None:
        """As in `Searcher`."""
        return self._chosen.current_move()

    def new_game(self) -> None:
        """As in `Searcher`."""
        self._searcher.new_game()

    def _do_without(self) -> None:
        stopgap = self._kernel.Searcher(self._kernel.Table(STOPGAP))
        stopgap.prepare()
        with self._changed:
            self._chosen = stopgap
            stopgap.deadline = self._deadline
            if self._stopped:
                stopgap.stop()
