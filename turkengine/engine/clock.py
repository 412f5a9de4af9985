"""When to stop thinking.

A clock is turned into an `Allowance` once, before the search; a `TimeManager` then follows the search and moves the
moment of its end. Nothing here looks at a clock itself: every moment is an argument, in seconds of one monotonic clock,
so whole games can be played in a test without waiting.

Two kinds of time, handled differently. A *move time* is a target: the answer is due at that moment, not sooner by any
judgement of ours. A *game clock* is a supply: each move gets a share of it, and may take more where the search is in
doubt, but the clock is never overrun.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.report import Bound, Report
from turkengine.engine.score import MAN
from turkengine.rules.move import Move

LEAST_TIME = 0.002  # s; enough for a few iterations, and all there is where the clock is down
ANSWER_TIME = 0.003  # s from the end of the search to the answer's last byte: the last info line goes out 2 ms before

EXPECTED_MOVES = 30  # still to come where nothing says how many; a share of the rest, so it never runs out
MOST_FOR_ONE_MOVE = 0.5  # of the clock, unless it is the last move before the next supply
MOST_SHARES = 4.0  # for one move, however much it is in doubt
LEAST_SHARE = 0.01  # of the clock, even where what is lost on all those moves would use it up
USUAL_LOSS = 0.5  # of the overhead, on a move to come; all of it is the worst case, kept back for the move at hand
INCREMENT_USED = 0.9  # of each increment, so that a reserve grows
NEXT_ITERATION = 0.6  # of the time meant: after it, an iteration begun would probably not be finished
LATEST_END = 1.8  # times the time meant, where an iteration is cut

CALM = 0.6  # of a share, where the best move never changed
DOUBT = 0.7  # of a share more for each recent change of the best move
DOUBT_KEPT = 0.6  # of that for the next iteration
DROP = 0.8  # of a share more for each man that the score has fallen
GREATEST_DROP = 1.5  # men


@dataclass(frozen=True)
class Allowance:
    """Seconds from the start of the clock.

    Attributes:
        share: what a move gets that is neither clear nor in doubt; None where the end is fixed and not judged.
        most: when the search ends at the latest; infinity where no time ends it.
    """

    share: float | None
    most: float


def allowance(limits: Limits, overhead: float) -> Allowance:
    """What the limits allow; of a game clock and a move time together, what ends first.

    Args:
        overhead: seconds lost on the way for each move, kept back from the game clock (not from a move time, which is
            counted here).
    """
    fixed = math.inf if limits.move_time is None else max(limits.move_time - ANSWER_TIME, LEAST_TIME)
    if limits.clock is None:
        return Allowance(None, fixed)
    managed = _from_clock(limits.clock, overhead)
    return Allowance(managed.share, min(managed.most, fixed))


def _from_clock(clock: GameClock, overhead: float) -> Allowance:
    """A share for each move still expected; the remaining time is taken to the letter, whatever was meant by it."""
    moves = min(clock.moves, EXPECTED_MOVES) if clock.moves and clock.moves > 0 else EXPECTED_MOVES
    safe = clock.remaining - overhead - ANSWER_TIME
    lost = USUAL_LOSS * overhead + ANSWER_TIME  # for each move to come; an increment makes up for it first
    supply = safe - (moves - 1) * max(lost - clock.increment, 0.0)
    share = max(supply / moves, safe * LEAST_SHARE) + INCREMENT_USED * max(clock.increment - lost, 0.0)
    most = max(min(safe * max(MOST_FOR_ONE_MOVE, 1 / moves), share * MOST_SHARES), LEAST_TIME)
    return Allowance(min(max(share, LEAST_TIME), most), most)


class TimeManager:
    """The end of one search, as it is seen from what the search has found so far."""

    def __init__(self, limits: Limits, overhead: float, began: float, forced: bool = False) -> None:
        """Begin to follow a search.

        Args:
            limits: the clock stands still as long as they say that the engine ponders.
            overhead: seconds kept back from a game clock for each move.
            began: when the order to search came.
            forced: there is only one move, and nobody wants to know more: once the clock runs it is played, after
                the moment that it takes to find a score and a reply.
        """
        self._allowance = allowance(limits, overhead)
        self._forced = forced and limits.timed
        self._began = None if limits.ponder else began
        self._doubt = 0.0
        self._best: Move | None = None
        self._scores: list[int] = []
        self._drop = 0.0
        self._ended_iteration: float | None = None

    def ponder_hit(self, now: float) -> None:
        """The clock starts; what was found before counts for the judgement, the time it took does not."""
        if self._began is None:
            self._began = now

    def follow(self, report: Report, now: float) -> None:
        """Take note of a report: of each finished iteration, and of a score found too high or too low."""
        if report.rank != 1 or not report.line:
            return
        score = report.score.hundredths
        self._drop = _men_lost(self._scores, score)
        if report.bound is not Bound.EXACT:
            self._ended_iteration = None  # it has only begun to find out
            return
        self._doubt *= DOUBT_KEPT
        if self._best is not None and report.line[0] != self._best:
            self._doubt += 1.0
        self._best = report.line[0]
        self._scores.append(score)
        self._ended_iteration = now

    @property
    def meant(self) -> float:
        """Seconds that the move is worth by now, more perhaps than it can have; infinity where time is not judged."""
        share = self._allowance.share
        if share is None:
            return math.inf
        return share * (CALM + DOUBT * self._doubt + DROP * self._drop)

    @property
    def deadline(self) -> float:
        """The moment at which the search should end, the past if it should have: infinity while no clock runs."""
        if self._began is None:
            return math.inf
        if self._forced:
            return self._began + LEAST_TIME
        meant = self.meant
        if self._ended_iteration is not None and self._ended_iteration >= self._began + NEXT_ITERATION * meant:
            return self._ended_iteration
        return self._began + min(LATEST_END * meant, self._allowance.most)


def _men_lost(scores: Sequence[int], score: int) -> float:
    """How far the score has fallen below the mean of the last iterations, in men."""
    recent = scores[-3:]
    if not recent:
        return 0.0
    return min(max(sum(recent) / len(recent) - score, 0.0) / MAN, GREATEST_DROP)
