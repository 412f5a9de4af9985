"""One search from order to answer, and the rules of the answer that hold in every dialect.

The answer is the first move of the last exact line of rank 1, also where a handicap has chosen it. A move never comes
without a report before it; a ponder move is legal and the game goes on after it; where there is no move the answer is
there at once. An infinite search, and one that ponders, holds its answer back until it is asked for, however early it
has come to its end. An answer is owed even where something has gone wrong, which is reported at once. A move from the
opening book comes without a search, with the line that the book has after it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from turkengine.engine.book import Book
from turkengine.engine.clock import TimeManager
from turkengine.engine.dice import Dice
from turkengine.engine.handicap import Candidates, Handicap, handicap_of
from turkengine.engine.kernel_types import Endings, KernelPosition, Searcher
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Answer, Bound, Report
from turkengine.engine.score import LONGEST_WIN, WIN, Score
from turkengine.errors import OptionError
from turkengine.rules.move import Move

T = TypeVar("T")

MILLISECONDS = 1000
LOOK = 0.02  # s between two looks at whether a search that waits has been stopped

# More than these no search reaches, and a kernel's integers hold them; a limit beyond them is none.
DEEPEST = 120  # plies of an iteration
MOST_NODES = 1 << 62


class Search:
    """One search. `run` is for the worker thread; the other methods are for any thread."""

    def __init__(
        self,
        searcher: Searcher,
        endings: Endings | None,
        position: KernelPosition,
        limits: Limits,
        options: Options,
        on_report: Callable[[Report], None],
        on_failure: Callable[[Exception], None],
        began: float,
        dice: Dice,
        book: Book | None = None,
        settle: Callable[[float], bool] | None = None,
    ) -> None:
        """Arguments of the engine's `start`, what it uses, and `settle`: waits so many seconds for a table that the
        search has to wait for, and returns whether it is there.
        """
        searcher.prepare()  # from here on a stop is for this search, whether or not it has begun
        self._searcher = searcher
        self._endings = endings
        self._position = position
        self._limits = limits
        self._options = options
        self._on_report = on_report
        self._on_failure = on_failure
        self._began = began
        self._dice, self._book = dice, book
        self._settle = settle
        self._handicap = handicap_of(options, limits, position.variant)
        self._candidates = Candidates()
        self._changed = threading.Condition()  # guards what follows
        self._stopped = False
        self._pondering = limits.ponder
        self._manager: TimeManager | None = None
        self._best: tuple[Move, ...] = ()

    def stop(self) -> None:
        """End the search, and let the answer out."""
        with self._changed:
            self._stopped = True
            self._searcher.stop()
            self._changed.notify_all()

    def ponder_hit(self, now: float) -> None:
        """The clock starts, if it has been waiting for that."""
        with self._changed:
            if not self._pondering:
                return
            self._pondering = False
            if self._manager is not None:
                self._manager.ponder_hit(now)
                self._searcher.deadline = self._manager.deadline
            self._began = now
            self._changed.notify_all()

    def current_move(self) -> tuple[Move, int] | None:
        """The root move being searched and its number."""
        return self._searcher.current_move()

    def run(self) -> Answer:
        """Search, hold the answer as long as it has to be held, and give it."""
        moves = self._position.legal_moves()
        if not moves:
            return Answer(None, None)
        self._await_table()
        if not self._ended_before_it_began() and not self._attempt(self._look_up):
            forced = len(moves) == 1 and not self._asked_for_more()
            self._attempt(lambda: self._search(forced))
        if not self._best:
            self._best = (self._limits.root_moves or tuple(moves))[:1]
            self._attempt(lambda: self._tell(self._unsearched(self._score_at_sight())))
        self._hold()
        return Answer(self._best[0], self._attempt(self._reply))

    def _await_table(self) -> None:
        """Have time pass only from when there is a table, where that was asked for."""
        if self._settle is None:
            return
        while not self._stopped and not self._settle(LOOK):
            pass
        self._began = time.perf_counter()

    def _attempt(self, step: Callable[[], T]) -> T | None:
        """What a step results in, None where it fails: the answer does not depend on it."""
        try:
            return step()
        except Exception as failure:
            self._on_failure(failure)
            return None

    def _look_up(self) -> bool:
        """Play from the book, if there is one and it knows a move."""
        if self._book is None:
            return False
        options = self._options
        found = self._book.chosen(self._position, options.book_depth, options.book_variety, self._dice)
        if found is None:
            return False
        self._best = self._book.line(self._position, found.move)
        self._tell(self._unsearched(found.score))
        return True

    def _search(self, forced: bool) -> None:
        limits, options, handicap = self._limits, self._options, self._handicap
        nodes = min(limits.nodes or 0, MOST_NODES)
        with self._changed:
            self._manager = TimeManager(limits, options.move_overhead / MILLISECONDS, self._began, forced)
            if limits.ponder and not self._pondering:
                self._manager.ponder_hit(self._began)
            self._searcher.deadline = self._manager.deadline
        run = partial(
            self._searcher.run,
            self._position,
            depth=min(limits.depth or 0, DEEPEST),
            nodes=nodes if handicap is None else min(nodes or handicap.most_nodes, handicap.most_nodes),
            mate=min(limits.mate or 0, LONGEST_WIN),
            multi_pv=options.multi_pv if handicap is None else max(options.multi_pv, handicap.candidates),
            root_moves=limits.root_moves,
            no_progress=options.no_progress,
            contempt=options.contempt,
            endings=self._endings if handicap is None else None,
            on_report=self._follow,
        )
        threads = options.threads if handicap is None else 1  # few nodes, and always the same ones
        try:
            run(threads=threads)
        except MemoryError:
            if threads == 1:
                raise
            run(threads=1)
            self._on_failure(OptionError(f"option threads: there is no memory for {threads}; 1 has searched"))
        if handicap is not None:
            self._choose(handicap)

    def _ended_before_it_began(self) -> bool:
        limits = (self._limits.depth, self._limits.nodes, self._limits.mate)
        return any(limit is not None and limit <= 0 for limit in limits)

    def _asked_for_more(self) -> bool:
        """Whether somebody wants to know more than a move in time, so that even a single legal move is searched."""
        limits = (self._limits.depth, self._limits.nodes, self._limits.mate)
        wanted = self._limits.infinite or self._limits.analysis or self._options.multi_pv > 1
        return wanted or any(limit is not None for limit in limits)

    def _follow(self, fields: tuple[Any, ...]) -> None:
        report = Report.read(fields)
        if self._handicap is not None:
            self._candidates.add(report)
            if self._handicap.is_enough(report):  # the moves after it are reported all the same
                self._searcher.stop()
        with self._changed:
            if report.rank == 1 and report.bound is Bound.EXACT and report.line:
                self._best = report.line
            if self._manager is not None:
                self._manager.follow(report, time.perf_counter())
                self._searcher.deadline = self._manager.deadline
        if report.rank <= self._options.multi_pv:
            self._tell(report)

    def _choose(self, handicap: Handicap) -> None:
        """Play what chance and the scores say. Its line is reported last, as the first of all lines that are shown."""
        candidates = self._candidates.reports
        if not candidates:
            return
        chosen = handicap.chosen(candidates, self._dice, self._position.key)
        if chosen.line == self._best:
            return
        self._best = chosen.line
        others = [report for report in candidates if report is not chosen]
        ranked = list(enumerate([chosen, *others], start=1))[: self._options.multi_pv]
        for rank, report in reversed(ranked):
            self._tell(replace(report, rank=rank))

    def _tell(self, report: Report) -> None:
        """Pass a report on; where its reader fails, the search is brought to its end instead of going on unheard."""
        try:
            self._on_report(report)
        except Exception as failure:
            self._on_failure(failure)
            self.stop()

    def _unsearched(self, score: int) -> Report:
        """A report of the move to play, where no search has made one; the score is in hundredths of a man."""
        elapsed = max(time.perf_counter() - self._began, 0.0)
        return Report(0, 0, 0.0, 1, Score(score), Bound.EXACT, 0, elapsed, 0, 0, self._best)

    def _score_at_sight(self) -> int:
        """What is seen of the position without a search."""
        outcome = self._position.outcome(self._options.no_progress)
        if outcome is None:
            return self._position.evaluate()
        if outcome.winner is None:
            return 0
        return WIN if outcome.winner is self._position.side else -WIN

    def _hold(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or not (self._limits.infinite or self._pondering))

    def _reply(self) -> Move | None:
        """The move to ponder on, if the game goes on until then and after it."""
        if len(self._best) < 2:
            return None
        move, reply = self._best[:2]
        after = self._position.play(move)
        if after.outcome(self._options.no_progress) is not None or reply not in after.legal_moves():
            return None
        return reply if after.play(reply).outcome(self._options.no_progress) is None else None
