"""Ratings of several players."""

from __future__ import annotations

import math
import random

import pytest

from turkengine.match.ratings import ratings
from turkengine.match.schedule import GameResult, Key, Results
from turkengine.match.statistics import Pairs, expected_score


def games(scores: dict[tuple[str, str], list[int]]) -> list[GameResult]:
    """Games from the half points of the first of two: those of one pair stand together."""
    found = []
    for board, ((first, second), halves) in enumerate(scores.items()):
        for game, half in enumerate(halves):
            white, black = (first, second) if game % 2 == 0 else (second, first)
            found.append(GameResult(Key(0, board, game), white, black, half if game % 2 == 0 else 2 - half))
    return found


MANY = {
    ("A", "B"): [2, 1, 1, 1, 2, 0, 2, 2] * 10,
    ("A", "C"): [2, 2, 1, 2, 1, 2] * 10,
    ("B", "C"): [1, 1, 2, 0, 2, 1] * 10,
}


def test_the_rating_explains_the_score_of_every_player() -> None:
    found = ratings("ABC", Results(games(MANY)))
    played = {pair: len(halves) for pair, halves in MANY.items()}
    for name in "ABC":
        scored = sum(result.of(name) / 2 for result in games(MANY) if name in (result.white, result.black))
        foretold = sum(
            count * expected_score(found[name].value - found[other].value)
            for pair, count in played.items()
            if name in pair
            for other in pair
            if other != name
        )
        assert foretold == pytest.approx(scored, abs=0.4)  # the drawn game that everybody is given
    assert sum(rating.value for rating in found.values()) == pytest.approx(0)


def test_neither_ratings_nor_errors_depend_on_the_order_of_the_games() -> None:
    played = games(MANY)
    wanted = ratings("ABC", Results(played))
    for seed in range(5):
        random.Random(seed).shuffle(played)
        assert ratings("ABC", Results(played)) == wanted


def test_two_players_differ_by_what_their_pairs_say() -> None:
    halves = [2, 1, 1, 1, 2, 0, 2, 2] * 100
    found = ratings("AB", Results(games({("A", "B"): halves})))
    pairs = Pairs.of(one + other for one, other in zip(halves[::2], halves[1::2], strict=True))
    assert found["A"].value - found["B"].value == pytest.approx(pairs.elo.value, rel=0.01)
    assert found["A"].error + found["B"].error == pytest.approx(pairs.elo.error, rel=0.05)


def test_who_has_won_everything_has_a_rating_too() -> None:
    found = ratings("AB", Results(games({("A", "B"): [2] * 20})))
    assert 300 < found["A"].value < 1000
    assert found["B"].value == pytest.approx(-found["A"].value)


def test_without_games_all_are_equal_and_nothing_is_known() -> None:
    found = ratings("ABC", Results())
    assert [rating.value for rating in found.values()] == [0, 0, 0]
    assert all(math.isinf(rating.error) for rating in found.values())


def test_players_who_have_never_met_anybody_in_common_are_compared_by_what_there_is() -> None:
    found = ratings("ABCD", Results(games({("A", "B"): [2, 2, 1, 2] * 5, ("C", "D"): [0, 1, 0, 0] * 5})))
    assert found["A"].value > 0 > found["B"].value
    assert found["D"].value > 0 > found["C"].value
    assert all(0 < rating.error < math.inf for rating in found.values())
