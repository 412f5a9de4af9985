"""Knockouts: the bracket, byes, tie-breaks, and the final order."""

from __future__ import annotations

import pytest
from match.simulating import simulated, stronger

from turkengine.errors import OptionError
from turkengine.match.knockout import Knockout, bracket
from turkengine.match.schedule import Pairing, Results


def boards(pairings: list[Pairing]) -> list[str]:
    return sorted({"".join(sorted((pairing.first, pairing.second))) for pairing in pairings})


@pytest.mark.parametrize(
    ("count", "order"),
    [(1, [0]), (2, [0, 1]), (4, [0, 3, 1, 2]), (8, [0, 7, 3, 4, 1, 6, 2, 5]), (5, [0, 7, 3, 4, 1, 6, 2, 5])],
)
def test_the_bracket_keeps_the_best_apart(count: int, order: list[int]) -> None:
    assert bracket(count) == order


def test_the_stronger_goes_on_round_by_round() -> None:
    schedule = Knockout("ABCDEFGH", pairs=2)
    results, stages = simulated(schedule, stronger("ABCDEFGH"))
    assert [boards(stage) for stage in stages] == [["AH", "BG", "CF", "DE"], ["AD", "BC"], ["AB"]]
    assert schedule.order(results) == tuple("ABCDEFGH")
    assert [len(stage) for stage in stages] == [8, 4, 2]


def test_an_outsider_can_win() -> None:
    schedule = Knockout("ABCD", pairs=1)
    results, stages = simulated(schedule, stronger("DCBA"))
    assert [boards(stage) for stage in stages] == [["AD", "BC"], ["CD"]]
    assert schedule.order(results) == ("D", "C", "A", "B")


def test_the_best_have_a_bye_where_the_bracket_is_not_full() -> None:
    schedule = Knockout("ABCDE", pairs=1)
    results, stages = simulated(schedule, stronger("ABCDE"))
    assert [boards(stage) for stage in stages] == [["DE"], ["AD", "BC"], ["AB"]]
    assert schedule.order(results) == tuple("ABCDE")
    assert schedule.byes(results) == {}


def test_a_level_match_goes_on_with_two_games_at_half_the_time() -> None:
    def judge(pairing: Pairing, one: str, other: str) -> int:
        return 1 if not pairing.halved else 2 if one == "B" else 0

    schedule = Knockout("AB", pairs=2)
    results, stages = simulated(schedule, judge)
    assert [len(stage) for stage in stages] == [2, 1]
    assert [pairing.halved for pairing in stages[1]] == [True]
    assert schedule.order(results) == ("B", "A")


def test_if_these_leave_it_level_the_better_seed_goes_on() -> None:
    schedule = Knockout("ABCD", pairs=1)
    results, stages = simulated(schedule, lambda pairing, one, other: 1)
    assert [boards(stage) for stage in stages] == [["AD", "BC"], ["AD", "BC"], ["AB"], ["AB"]]
    assert schedule.order(results) == ("A", "B", "C", "D")


def test_no_two_games_share_a_key() -> None:
    results, stages = simulated(Knockout("ABCDEFG", pairs=3), lambda pairing, one, other: 1)
    keys = [key for stage in stages for pairing in stage for key in pairing.keys]
    assert len(keys) == len(set(keys)) == len(results)


def test_one_player_is_no_knockout() -> None:
    with pytest.raises(OptionError, match="at least 2 players"):
        Knockout("A", 1)
    assert Knockout("AB", 1).total is None
    assert Knockout("AB", 1).pairings(Results()) == [Pairing(0, 0, 0, "A", "B", 0)]
