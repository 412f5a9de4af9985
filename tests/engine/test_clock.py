"""Time management, played through with imagined searches: nothing here waits."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turkengine.engine.clock import ANSWER_TIME, LEAST_TIME, TimeManager, allowance
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.report import Bound, Report
from turkengine.engine.score import Score
from turkengine.rules.move import Move

OVERHEAD = 0.03
FIRST, SECOND = Move(30, 25), Move(31, 26)


def report(depth: int, move: Move = FIRST, score: int = 0, bound: Bound = Bound.EXACT, rank: int = 1) -> Report:
    return Report(depth, depth, float(depth), rank, Score(score), bound, 0, 0.0, 0, 0, (move,))


@dataclass(frozen=True)
class Imagined:
    """A search whose iterations take so long, and find these moves and scores; after the last, the same again."""

    first_iteration: float = 0.0001
    growth: float = 1.7
    moves: tuple[Move, ...] = (FIRST,)
    scores: tuple[int, ...] = (0,)

    def ends(self, manager: TimeManager, began: float) -> float:
        """The moment at which the search ends under `manager`."""
        now = began
        for depth in range(1, 200):
            finished = now + self.first_iteration * self.growth ** (depth - 1)
            if manager.deadline < finished:
                return max(manager.deadline, now)
            now = finished
            move = self.moves[min(depth, len(self.moves)) - 1]
            manager.follow(report(depth, move, self.scores[min(depth, len(self.scores)) - 1]), now)
            if manager.deadline <= now:
                return now
        raise AssertionError("the search never ended")


CALM = Imagined()
# Doubt arises late, where it matters: twenty iterations take four seconds here.
DOUBTFUL = Imagined(moves=tuple([FIRST] * 10 + [SECOND, FIRST] * 20))
FALLING = Imagined(scores=(0,) * 10 + tuple(range(-60, -2000, -60)))


def spent(limits: Limits, search: Imagined = CALM, overhead: float = OVERHEAD, forced: bool = False) -> float:
    return search.ends(TimeManager(limits, overhead, 100.0, forced), 100.0) - 100.0


def clock(remaining: float, increment: float = 0.0, moves: int | None = None) -> Limits:
    return Limits(clock=GameClock(remaining, increment, moves))


class TestMoveTime:
    @pytest.mark.parametrize("search", [CALM, DOUBTFUL, FALLING])
    @pytest.mark.parametrize("seconds", [0.02, 0.1, 1.0, 30.0])
    def test_is_used_to_the_end_whatever_the_search_finds(self, seconds: float, search: Imagined) -> None:
        assert spent(Limits(move_time=seconds), search) == pytest.approx(seconds - ANSWER_TIME)

    def test_the_overhead_is_not_taken_off(self) -> None:
        assert spent(Limits(move_time=1.0), overhead=0.5) == pytest.approx(1.0 - ANSWER_TIME)

    @pytest.mark.parametrize("seconds", [0.0, -5.0, 1e-05])
    def test_of_nothing_leaves_a_moment(self, seconds: float) -> None:
        assert spent(Limits(move_time=seconds)) <= LEAST_TIME + 1e-9

    def test_and_a_clock_end_with_the_first_of_the_two(self) -> None:
        both = Limits(move_time=0.5, clock=GameClock(3600.0))
        assert spent(both) == pytest.approx(0.5 - ANSWER_TIME)
        assert spent(Limits(move_time=60.0, clock=GameClock(10.0))) == spent(clock(10.0))


class TestClock:
    @pytest.mark.parametrize("remaining", [0.0, -1.0, 1e-05, 0.001, 0.03])
    @pytest.mark.parametrize("increment", [0.0, 1.0])
    def test_that_is_down_leaves_a_moment(self, remaining: float, increment: float) -> None:
        assert spent(clock(remaining, increment), DOUBTFUL) <= LEAST_TIME + 1e-9

    @given(
        remaining=st.floats(0.05, 10_000),
        increment=st.floats(0, 100),
        moves=st.none() | st.integers(1, 200),
        overhead=st.floats(0, 5),
        search=st.sampled_from([CALM, DOUBTFUL, FALLING]),
    )
    def test_is_never_overrun(
        self, remaining: float, increment: float, moves: int | None, overhead: float, search: Imagined
    ) -> None:
        limits = clock(remaining, increment, moves)
        latest = max(remaining - overhead - ANSWER_TIME, LEAST_TIME)
        assert allowance(limits, overhead).most <= latest + 1e-9
        assert spent(limits, search, overhead) <= latest + 1e-9

    def test_gives_a_clear_move_less_than_a_doubtful_one(self) -> None:
        assert spent(clock(300.0)) < 300 / 30 < spent(clock(300.0), DOUBTFUL)

    def test_gives_a_falling_score_more_time(self) -> None:
        assert spent(clock(300.0), FALLING) > 1.5 * spent(clock(300.0))

    def test_goes_on_where_the_score_has_just_turned_out_too_high(self) -> None:
        manager = TimeManager(clock(60.0), OVERHEAD, 0.0)
        manager.follow(report(10), 0.1)
        before = manager.deadline
        manager.follow(report(11, score=-150, bound=Bound.UPPER), 0.5)
        assert manager.deadline > 1.5 * before

    def test_follows_the_best_line_alone(self) -> None:
        manager = TimeManager(clock(60.0), OVERHEAD, 0.0)
        manager.follow(report(10), 0.1)
        before = manager.deadline
        manager.follow(report(10, SECOND, -300, rank=2), 0.2)
        assert manager.deadline == before

    def test_plays_the_last_move_before_the_next_supply_with_all_that_is_left(self) -> None:
        assert allowance(clock(2.0, moves=1), OVERHEAD).most == pytest.approx(2.0 - OVERHEAD - ANSWER_TIME)
        assert allowance(clock(2.0, moves=2), OVERHEAD).most < 1.1

    def test_with_an_increment_is_worth_about_an_increment_a_move_when_it_is_low(self) -> None:
        assert 0.5 < spent(clock(3.0, 2.0)) <= 1.5

    def test_of_more_moves_than_the_supply_has_to_last_for_is_shared_out(self) -> None:
        assert spent(clock(60.0, moves=5)) > 2 * spent(clock(60.0, moves=40))


class TestForcedMove:
    @pytest.mark.parametrize("limits", [clock(300.0, 5.0), Limits(move_time=10.0)])
    def test_is_played_at_once(self, limits: Limits) -> None:
        assert spent(limits, forced=True) <= LEAST_TIME + 1e-9

    def test_is_searched_where_no_time_limits_the_search(self) -> None:
        assert TimeManager(Limits(depth=20), OVERHEAD, 0.0, forced=True).deadline == math.inf


class TestPondering:
    def test_has_no_end(self) -> None:
        manager = TimeManager(Limits(clock=GameClock(10.0), ponder=True), OVERHEAD, 0.0)
        manager.follow(report(20), 500.0)
        assert manager.deadline == math.inf

    def test_starts_the_clock_with_the_hit(self) -> None:
        manager = TimeManager(Limits(move_time=2.0, ponder=True), OVERHEAD, 0.0)
        manager.follow(report(20), 500.0)
        manager.ponder_hit(600.0)
        assert manager.deadline == pytest.approx(602.0 - ANSWER_TIME)
        manager.ponder_hit(601.0)
        assert manager.deadline == pytest.approx(602.0 - ANSWER_TIME)

    def test_does_not_use_up_the_clock(self) -> None:
        manager = TimeManager(Limits(clock=GameClock(60.0), ponder=True), OVERHEAD, 0.0)
        manager.follow(report(20), 99.0)
        manager.ponder_hit(100.0)
        assert 100.5 < manager.deadline < 110.0

    def test_of_a_forced_move_ends_with_the_hit(self) -> None:
        manager = TimeManager(Limits(clock=GameClock(60.0), ponder=True), OVERHEAD, 0.0, forced=True)
        assert manager.deadline == math.inf
        manager.ponder_hit(100.0)
        assert manager.deadline <= 100.0 + LEAST_TIME + 1e-9


@pytest.mark.parametrize("limits", [Limits(), Limits(depth=5), Limits(infinite=True), Limits(nodes=1000)])
def test_without_a_clock_time_ends_nothing(limits: Limits) -> None:
    assert TimeManager(limits, OVERHEAD, 0.0).deadline == math.inf


@dataclass
class PlayedGame:
    """One side's clock over a whole game; the way to the clock and back takes up to the whole overhead, or less."""

    remaining: float
    increment: float = 0.0
    period: int | None = None  # moves in which `remaining` has to last, after which it is supplied again
    subtracted: bool = False  # the client takes the increment off before it tells the time
    lost: float = OVERHEAD  # at most, on the way

    def play(self, length: int, seed: int) -> list[float]:
        """Thinking times of `length` moves; fails where the flag falls."""
        chance, supply, times = random.Random(seed), self.remaining, []
        for number in range(length):
            moves = self.period - number % self.period if self.period else None
            told = max(self.remaining - self.increment, 1e-05) if self.subtracted else self.remaining
            search = Imagined(10 ** chance.uniform(-6, -2), chance.uniform(1.3, 4.0), self._moves(chance))
            times.append(spent(clock(told, self.increment, moves), search))
            self.remaining -= times[-1] + chance.uniform(0, self.lost)
            assert self.remaining >= 0, f"the flag fell at move {number + 1}"
            self.remaining += self.increment + (supply if self.period and moves == 1 else 0.0)
        return times

    def _moves(self, chance: random.Random) -> tuple[Move, ...]:
        return tuple(chance.choices([FIRST, SECOND], [5, 1], k=30))


@pytest.mark.parametrize("seed", range(20))
class TestWholeGames:
    @pytest.mark.parametrize("seconds", [10.0, 60.0, 600.0])
    def test_of_sudden_death_end_in_time_with_little_left_over(self, seconds: float, seed: int) -> None:
        game = PlayedGame(seconds)
        times = game.play(70, seed)
        assert sum(times) > 0.5 * seconds
        assert sum(times[:35]) > sum(times[35:])  # the middle game matters more than the end

    def test_of_sudden_death_last_a_hundred_and_fifty_moves(self, seed: int) -> None:
        PlayedGame(60.0).play(150, seed)

    @pytest.mark.parametrize(("seconds", "increment"), [(1.0, 1.0), (60.0, 1.0), (0.5, 0.05), (600.0, 10.0)])
    def test_with_increment_use_it(self, seconds: float, increment: float, seed: int) -> None:
        times = PlayedGame(seconds, increment).play(120, seed)
        assert sum(times) > 0.5 * (seconds + 120 * increment) * (increment - OVERHEAD) / increment

    def test_with_an_increment_below_the_overhead_use_the_clock_as_well(self, seed: int) -> None:
        times = PlayedGame(1.0, 0.02, lost=0.001).play(60, seed)
        assert sum(times) > 0.65 * (1.0 + 60 * 0.02)

    def test_with_the_increment_taken_off_beforehand_use_it_too(self, seed: int) -> None:
        times = PlayedGame(1.0, 1.0, subtracted=True).play(60, seed)
        assert sum(times) > 20.0

    @pytest.mark.parametrize("period", [1, 2, 10, 40])
    def test_with_a_new_supply_after_so_many_moves_use_it(self, period: int, seed: int) -> None:
        times = PlayedGame(60.0, period=period).play(80, seed)
        assert sum(times) > 0.4 * 60.0 * 80 / period

    @pytest.mark.parametrize("seconds", [0.1, 0.5, 1.0])
    def test_on_the_last_second_play_at_once_rather_than_lose(self, seconds: float, seed: int) -> None:
        moves_possible = int(seconds / (OVERHEAD + LEAST_TIME + ANSWER_TIME)) - 1
        PlayedGame(seconds).play(min(moves_possible, 20), seed)
