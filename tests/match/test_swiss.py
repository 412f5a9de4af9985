"""Swiss tournaments: nobody meets anybody twice, byes, Buchholz and direct."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from match.simulating import simulated, stronger

from turkengine.errors import OptionError
from turkengine.match.schedule import Pairing
from turkengine.match.swiss import Swiss

NAMES = "ABCDEFGHIJKLM"


def boards(pairings: list[Pairing]) -> list[str]:
    return ["".join(sorted((pairing.first, pairing.second))) for pairing in pairings if pairing.pair == 0]


def test_first_the_upper_half_meets_the_lower_then_those_with_the_same_points_meet() -> None:
    schedule = Swiss("ABCDEFGH", pairs=1, rounds=3)
    results, stages = simulated(schedule, stronger("ABCDEFGH"))
    assert [boards(stage) for stage in stages] == [
        ["AE", "BF", "CG", "DH"],
        ["AC", "BD", "EG", "FH"],
        ["AB", "CE", "DF", "GH"],
    ]
    assert schedule.byes(results) == {}


def test_with_an_odd_number_the_last_without_one_has_a_bye_that_counts_as_a_win() -> None:
    schedule = Swiss("ABCDE", pairs=2, rounds=3)
    results, _ = simulated(schedule, stronger("ABCDE"))
    drawn = schedule.rounds(results)
    assert [one.bye for one in drawn] == ["E", "D", "C"]
    assert schedule.byes(results) == {"E": 8, "D": 8, "C": 8}


def test_buchholz_is_the_sum_of_the_opponents_points() -> None:
    schedule = Swiss("ABCD", pairs=1, rounds=2)
    results, stages = simulated(schedule, stronger("ABCD"))
    assert [boards(stage) for stage in stages] == [["AC", "BD"], ["AB", "CD"]]
    # points of 1 for a game: A 4, B 2, C 2, D 0
    assert {name: dict(values)["Buchholz"] for name, values in schedule.tiebreaks(results).items()} == {
        "A": 4,
        "B": 4,
        "C": 4,
        "D": 4,
    }


def test_direct_is_what_those_have_made_of_each_other_who_are_level_in_all_else() -> None:
    schedule = Swiss("ABC", pairs=1, rounds=3)  # a round robin with a bye each
    results, _ = simulated(
        schedule, lambda pairing, one, other: 2 if (one, other) in (("C", "A"), ("A", "B"), ("B", "C")) else 0
    )
    values = schedule.tiebreaks(results)
    assert all(dict(values[name])["Buchholz"] == 8 for name in "ABC")
    assert all(dict(values[name])["direct"] == 2 for name in "ABC")


@given(st.integers(2, 13), st.data())
def test_nobody_meets_anybody_twice_and_everybody_plays_or_has_one_bye(count: int, data: st.DataObject) -> None:
    most = count - 1 + count % 2
    rounds = data.draw(st.integers(1, max(most // 2, 1)))
    chance = random.Random(data.draw(st.integers(0, 1000)))
    schedule = Swiss(NAMES[:count], pairs=1, rounds=rounds)
    results, stages = simulated(schedule, lambda pairing, one, other: chance.randint(0, 2))
    assert len(stages) == rounds
    met = Counter(board for stage in stages for board in boards(stage))
    assert set(met.values()) == {1}
    assert all(len(stage) == count // 2 for stage in stages)
    byes = [one.bye for one in schedule.rounds(results) if one.bye is not None]
    assert len(byes) == len(set(byes)) == (rounds if count % 2 else 0)


def test_as_many_rounds_as_opponents_can_be_played_though_some_may_meet_twice() -> None:
    chance = random.Random(3)
    _, stages = simulated(Swiss("ABCDEF", 1, 5), lambda pairing, one, other: chance.randint(0, 2))
    assert [len(stage) for stage in stages] == [3] * 5


@pytest.mark.parametrize(("players", "rounds"), [("ABCD", 4), ("ABC", 4), ("ABCD", 0)])
def test_more_rounds_than_opponents_are_refused(players: str, rounds: int) -> None:
    with pytest.raises(OptionError, match=r"can play from 1 to 3 rounds, not \d"):
        Swiss(players, 1, rounds)
