"""Pair scores in, strength and its error out."""

from __future__ import annotations

import math

import pytest

from turkengine.match.statistics import Games, Pairs, elo_of, expected_score

KNOWN = Pairs((379, 10170, 21828, 10640, 343))


def test_normalised_elo_of_a_known_test_of_43360_pairs() -> None:
    assert KNOWN.total == 43360
    assert KNOWN.nelo.value == pytest.approx(3.05, abs=0.005)
    assert KNOWN.nelo.error == pytest.approx(2.31, abs=0.005)


def test_elo_and_its_error_of_the_same_test() -> None:
    stats = pytest.importorskip("scipy.stats")
    scores = [score / 4 for score, count in enumerate(KNOWN.counts) for _ in range(count)]
    mean = math.fsum(scores) / len(scores)
    error = stats.sem(scores, ddof=0)
    low, high = stats.norm.interval(0.95, loc=mean, scale=error)
    assert KNOWN.elo.value == pytest.approx(-400 * math.log10(1 / mean - 1))
    assert KNOWN.elo.low == pytest.approx(-400 * math.log10(1 / low - 1), rel=1e-6)
    assert KNOWN.elo.high == pytest.approx(-400 * math.log10(1 / high - 1), rel=1e-6)
    assert KNOWN.los == pytest.approx(stats.norm.cdf((mean - 0.5) / error))
    assert KNOWN.elo.sign == 1


def test_the_second_player_sees_the_same_with_the_sign_changed() -> None:
    assert KNOWN.reversed.counts == (343, 10640, 21828, 10170, 379)
    assert KNOWN.reversed.elo.value == pytest.approx(-KNOWN.elo.value)
    assert KNOWN.reversed.nelo.error == pytest.approx(KNOWN.nelo.error)
    assert KNOWN.reversed.los == pytest.approx(1 - KNOWN.los)
    assert KNOWN.reversed.elo.sign == -1


def test_pairs_are_counted_from_their_half_points() -> None:
    pairs = Pairs.of([2, 2, 4, 0, 3, 1, 2])
    assert pairs.counts == (1, 1, 3, 1, 1)
    assert pairs.mean == 0.5
    assert pairs.shared == pytest.approx(3 / 7)
    assert pairs.pair_ratio == 1.0


def test_without_a_pair_nothing_is_known() -> None:
    nothing = Pairs()
    assert (nothing.score.value, nothing.score.low, nothing.score.high) == (0.5, 0.0, 1.0)
    assert (nothing.elo.value, nothing.elo.error) == (0.0, math.inf)
    assert (nothing.nelo.value, nothing.nelo.error) == (0.0, math.inf)
    assert (nothing.los, nothing.shared) == (0.5, 0.0)
    assert math.isnan(nothing.pair_ratio)


def test_pairs_that_are_all_shared_tell_no_error() -> None:
    drawn = Pairs((0, 0, 8, 0, 0))
    assert (drawn.elo.value, drawn.elo.error, drawn.elo.sign) == (0.0, math.inf, 0)
    assert (drawn.nelo.value, drawn.los, drawn.shared) == (0.0, 0.5, 1.0)


def test_nothing_but_wins_is_infinitely_better_but_not_for_sure() -> None:
    won = Pairs((0, 0, 0, 0, 4))
    assert won.elo.value == won.nelo.value == won.pair_ratio == math.inf
    assert (won.score.value, won.score.low) == (1.0, 0.0)
    assert won.los == 1 - 1 / 32
    assert won.reversed.elo.value == -math.inf
    assert won.reversed.los == 1 / 32


def test_an_interval_that_reaches_a_whole_point_has_an_infinite_end() -> None:
    pairs = Pairs((0, 0, 1, 0, 2))
    assert pairs.score.high == 1.0
    assert pairs.elo.high == math.inf
    assert pairs.elo.low < pairs.elo.value < math.inf


def test_games_are_counted_one_by_one() -> None:
    games = Games.of([2, 1, 1, 0, 2])
    assert games == Games(won=2, drawn=2, lost=1)
    assert (games.total, games.points, games.draw_ratio) == (5, 3.0, 0.4)
    assert Games().draw_ratio == 0.0


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (100, 0.640065), (-200, 0.240253), (400, 10 / 11)])
def test_elo_and_the_score_expected_are_inverse(elo: float, score: float) -> None:
    assert expected_score(elo) == pytest.approx(score, abs=1e-6)
    assert elo_of(expected_score(elo)) == pytest.approx(elo)


def test_no_difference_is_too_large_to_expect_a_score() -> None:
    assert expected_score(-math.inf) == 0.0
    assert expected_score(math.inf) == 1.0
