"""The engine as everybody above sees it: positions in, reports and exactly one answer out, nothing ever waits.

`start` returns at once; the search runs in one worker thread that lives as long as the engine, and both callbacks are
called there. Everything else may be called from any thread. What happens within one search is in `search.py`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Protocol, TypeVar

from turkengine.engine import machine
from turkengine.engine.book import is_wanted
from turkengine.engine.bookshelf import BookShelf
from turkengine.engine.dice import Dice
from turkengine.engine.handicap import unmeasured
from turkengine.engine.hashtable import HashTable
from turkengine.engine.kernel_types import Endings, Kernel, KernelPosition, load_endings, load_kernel
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options, option_named
from turkengine.engine.perft import Count, count
from turkengine.engine.report import Answer, Report
from turkengine.engine.search import Search
from turkengine.engine.worker import Worker
from turkengine.rules.move import Move
from turkengine.rules.variant import Side, Variant

T = TypeVar("T")

TABLE_PART_OF_MEMORY = 0.5  # of what is free, at most: every page is taken at once, and others live here too


class Stoppable(Protocol):
    """What the engine is at."""

    def stop(self) -> None: ...

    def ponder_hit(self, now: float) -> None: ...

    def current_move(self) -> tuple[Move, int] | None: ...


class EngineCore:
    """One engine: its options, its table, and at most one search at a time.

    Use it in a `with` block, or call `close`.
    """

    def __init__(
        self,
        options: Options | None = None,
        load: Callable[[Variant], Kernel] | None = None,
        on_failure: Callable[[Exception], None] | None = None,
    ) -> None:
        """Costs nothing: the kernel of the variant and the table are made when they are first needed.

        Args:
            options: the defaults if None.
            load: gives the kernel of a variant, always the same one; the compiled one if None.
            on_failure: called in the worker thread with what has gone wrong in a search or a job, before its answer,
                which comes all the same. Without it, `wait` raises what has gone wrong.
        """
        self._options = options or Options()
        self._asked: Options | None = None  # for, in the last `configure`
        self._load = load or load_kernel
        self._shelf = BookShelf(shipped=self._load is load_kernel)
        self._hash_table = HashTable()
        self._endings: Endings | None = None
        self._mounted: tuple[str, str, int] | None = None  # variant, path and pieces that the endgame tables are for
        self._unsaid: list[str] = []  # what is wrong with endgame tables, until somebody asks
        self._lock = threading.RLock()  # guards `_task` and `_closed`
        self._task: Stoppable | None = None
        self._closed = False
        self._on_failure = on_failure
        self._unheard: Exception | None = None  # what has gone wrong where nobody has heard of it
        self._worker = Worker("turkengine search")
        self._dice = Dice(self._options.seed)
        self._take(self._options)
        self._asked = None  # the first `configure` says what could not be had

    def __enter__(self) -> EngineCore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def options(self) -> Options:
        """The options in force, sizes as they could be had."""
        return self._options

    @property
    def busy(self) -> bool:
        """Whether a search or job has been started and its answer is not out; false from within that callback on."""
        return self._task is not None

    def warm_up(self) -> None:
        """Load what the first `configure` would, for a thread of its own while somebody waits for other things.

        What goes wrong shows there.
        """
        with self._lock:
            if self._closed or self._task is not None:
                return
            variant = self._options.variant
            try:
                self._shelf.book(self._options, variant, self._load(variant))
                self._mount(variant)
            except Exception:
                self._mounted = None

    # -- between searches ---------------------------------------------------------------------------------------------

    def configure(self, options: Options) -> list[str]:
        """Put options in force.

        Returns:
            One line for each size that could not be had as asked, with the size in force, for each file of endgame
            tables that cannot be used, and for such a book; once, not again as long as the same is asked for.

        Raises:
            RuntimeError: a search is under way.
        """
        with self._lock:
            self._must_be_idle()
            notes = self._take(options)
            # Here, so that no search waits for it.
            if not self._hash_table.fits(self._options.variant, self._options.hash):
                notes += self._make_table(self._options.variant)
            if self._endings is not None and self._endings.lost:
                self._mounted = None  # a file has become shorter: look at all of them again, and name it
            self._mount(self._options.variant)
            unsaid, self._unsaid = self._unsaid, []
            self._shelf.book(self._options, self._options.variant, self._load(self._options.variant))
            guess = unmeasured(self._options)
            return notes + unsaid + self._shelf.complaints() + ([guess] if guess else [])

    def new_game(self) -> None:
        """Forget what was learnt in earlier games.

        Raises:
            RuntimeError: a search is under way.
        """
        with self._lock:
            self._must_be_idle()
            self._dice = Dice(self._options.seed)
            self._hash_table.new_game()

    def clear_table(self) -> None:
        """Empty the transposition table.

        Raises:
            RuntimeError: a search is under way.
        """
        with self._lock:
            self._must_be_idle()
            self._hash_table.clear()

    @property
    def settled(self) -> bool:
        """Whether nobody would have to wait in `settle`."""
        return self._hash_table.settled

    def settle(self) -> None:
        """Wait until a table that has been made or emptied is ready.

        That may take seconds where it is large. A search that comes before then waits, too, but one with a time to keep
        not for long: it uses a small table for once.
        """
        self._hash_table.settle()

    def position(
        self, cells: str | None = None, side: Side = Side.WHITE, no_progress: int = 0, material_plies: int = 0
    ) -> KernelPosition:
        """A position of the variant in force: set up, or the start position without `cells`.

        Raises:
            PositionError: the rules do not accept it.
        """
        maker = self._load(self._options.variant).Position
        return maker.start() if cells is None else maker.from_cells(cells, side, no_progress, material_plies)

    # -- the search ---------------------------------------------------------------------------------------------------

    def start(
        self,
        position: KernelPosition,
        limits: Limits,
        on_report: Callable[[Report], None],
        on_answer: Callable[[Answer], None],
        began: float | None = None,
        patient: bool = False,
    ) -> None:
        """Search, and return at once. Every call leads to exactly one `on_answer`, the last callback of the search.

        Where something goes wrong it may come without a report before it, or in the worst case without a move.

        Args:
            position: of any variant, not only of the one in force; with its history.
            limits: what ends the search; its root moves must be legal.
            on_report, on_answer: called in the worker thread; they should be quick and not raise.
            began: `time.perf_counter()` when the order came, from which times are counted; now if None.
            patient: wait for the table, until `stop`, and count times from when it is there.

        Raises:
            RuntimeError: a search is under way, or the engine is closed.
        """
        order_came = time.perf_counter() if began is None else began
        with self._lock:
            self._must_be_idle()
            if not self._hash_table.fits(position.variant):
                self._make_table(position.variant)
            self._mount(position.variant)
            book = None
            if is_wanted(self._options, limits):
                book = self._shelf.book(self._options, position.variant, self._load(position.variant))
            told = on_report, self._failed
            found = self._endings, position, limits
            settle = self._hash_table.settle if patient else None
            search = Search(
                self._hash_table.searcher(), *found, self._options, *told, order_came, self._dice, book, settle
            )
            self._submit(search, search.run, on_answer, Answer(None, None))

    def perft(
        self, position: KernelPosition, depth: int, on_done: Callable[[Count | None], None], every_leaf: bool = False
    ) -> None:
        """Count move sequences in the background, and return at once.

        Every call leads to exactly one `on_done`, with None if `stop` came first or something has gone wrong.

        Raises:
            RuntimeError: a search is under way, or the engine is closed.
        """
        self.run(lambda stopped: count(position, depth, every_leaf, stopped), on_done)

    def run(self, job: Callable[[Callable[[], bool]], T], on_done: Callable[[T | None], None]) -> None:
        """Do any long job (a bench) in the worker thread, and return at once.

        Args:
            job: should ask its argument now and then whether to stop.
            on_done: called there exactly once with what the job has returned, None if it has raised something.

        Raises:
            RuntimeError: a search is under way, or the engine is closed.
        """
        task = Background()
        with self._lock:
            self._must_be_idle()
            self._submit(task, lambda: job(task.stopped), on_done, None)

    def stop(self) -> None:
        """End the search or job under way, if there is one; its answer comes at once. Never touches a later one."""
        with self._lock:
            if self._task is not None:
                self._task.stop()

    def ponder_hit(self) -> None:
        """The move pondered on was played: the clock starts. Nothing happens where no search ponders."""
        now = time.perf_counter()
        with self._lock:
            if self._task is not None:
                self._task.ponder_hit(now)

    def current_move(self) -> tuple[Move, int] | None:
        """The root move being searched and its number from 1, None where nothing is searched."""
        task = self._task
        return task.current_move() if task is not None else None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the engine is idle and the last callback has returned; whether that came within `timeout` s.

        Raises what a callback has raised, and what has gone wrong elsewhere if no `on_failure` has got it. Not
        to be called from a callback.
        """
        return self._worker.wait(timeout)

    def close(self) -> None:
        """Stop, let the answer out, and end the worker thread. May be called twice."""
        with self._lock:
            self._closed = True
            self.stop()
        self._worker.close()
        self._hash_table.drop()
        self._endings = None

    # -- within -------------------------------------------------------------------------------------------------------

    def _must_be_idle(self) -> None:
        if self._closed:
            raise RuntimeError("the engine is closed")
        if self._task is not None:
            raise RuntimeError("the engine is searching; stop it and wait for its answer first")

    def _submit(self, task: Stoppable, work: Callable[[], T], on_done: Callable[[T], None], otherwise: T) -> None:
        """Have the work done and `on_done` called with its result, or with `otherwise` where it fails."""

        def job() -> None:
            result = otherwise
            try:
                result = work()
            except Exception as failure:
                self._failed(failure)
            finally:
                with self._lock:
                    self._task = None  # before the callback: whoever hears of the end may start again
                on_done(result)
            unheard, self._unheard = self._unheard, None
            if unheard is not None:
                raise unheard

        self._task = task
        self._worker.submit(job)

    def _failed(self, failure: Exception) -> None:
        """Report what has gone wrong; where that fails too, it is kept for `wait`."""
        if self._on_failure is None:
            self._unheard = failure
            return
        try:
            self._on_failure(failure)
        except Exception as another:
            self._unheard = another

    def _take(self, options: Options) -> list[str]:
        """Put options in force, sizes as they can be had; a size asked for before has been settled before."""
        notes: list[str] = []
        before, self._asked = self._asked, options
        table_size, threads = self._options.hash, self._options.threads
        if before is None or options.hash != before.hash:
            free = machine.free_memory() + self._hash_table.mebibytes
            table_size = _cut("hash", options.hash, max(int(free * TABLE_PART_OF_MEMORY), 1), " MiB", notes)
        if before is None or options.threads != before.threads:
            threads = _cut("threads", options.threads, machine.most()["threads"], "", notes)
        if options.seed != self._options.seed:
            self._dice = Dice(options.seed)
        self._options = replace(options, hash=table_size, threads=threads)
        return notes

    def _make_table(self, variant: Variant) -> list[str]:
        """A new table for `variant`, and a note where it is smaller than asked for."""
        asked = self._options.hash
        size = self._hash_table.make(self._load(variant), variant, asked)
        self._options = replace(self._options, hash=size)
        return [] if size == asked else [_clamped("hash", asked, size, " MiB")]

    def _mount(self, variant: Variant) -> None:
        """Have the endgame tables of `variant` at hand, unless they are."""
        wanted = (variant.name, self._options.endgame_path, self._options.endgame_pieces)
        if wanted == self._mounted:
            return
        self._endings = None
        self._mounted = wanted
        if self._options.endgame_pieces:
            _, path, pieces = wanted
            self._endings, complaints = load_endings(self._load(variant), variant, path, pieces)
            self._unsaid += complaints


class Background:
    """A job that is no search: all it knows is whether it should stop."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def stopped(self) -> bool:
        """Whether the job should end."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask the job to end."""
        self._stop.set()

    def ponder_hit(self, now: float) -> None:
        """Means nothing to it."""

    def current_move(self) -> None:
        """There is none."""


def _cut(name: str, asked: int, most: int, unit: str, notes: list[str]) -> int:
    """What can be had of a size, which is at most the option's maximum; where it is less, a line goes to `notes`."""
    most = min(most, option_named(name).maximum)
    if asked > most:
        notes.append(_clamped(name, asked, most, unit))
    return min(asked, most)


def _clamped(name: str, asked: int, given: int, unit: str) -> str:
    return f"option {name}: {asked}{unit} cannot be had; {given}{unit} in force"
