"""Who plays whom in a round robin and a gauntlet, and what is asked of results."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from turkengine.errors import OptionError
from turkengine.match.schedule import GameResult, Gauntlet, Key, Pairing, Results, RoundRobin, circle
from turkengine.match.statistics import Games, Pairs


def test_two_players_make_a_match_in_which_each_opening_is_played_with_both_colours() -> None:
    pairings = RoundRobin(["A", "B"], pairs=3).pairings(Results())
    assert pairings == [Pairing(0, 0, 0, "A", "B", 0), Pairing(0, 0, 1, "B", "A", 1), Pairing(0, 0, 2, "A", "B", 2)]
    games = [(str(key), *pairing.players(key)) for pairing in pairings for key in pairing.keys]
    assert games[:4] == [("1.1.1", "A", "B"), ("1.1.2", "B", "A"), ("1.1.3", "B", "A"), ("1.1.4", "A", "B")]


@pytest.mark.parametrize("count", range(2, 9))
def test_everybody_meets_everybody_once_and_nobody_twice_in_a_round(count: int) -> None:
    players = [f"p{number}" for number in range(count)]
    rounds = list(circle(players))
    assert len(rounds) == count - 1 + count % 2
    met = Counter(frozenset(pairing) for boards in rounds for pairing in boards)
    assert met == Counter(map(frozenset, combinations(players, 2)))
    for boards in rounds:
        names = [name for pairing in boards for name in pairing]
        assert len(names) == len(set(names)) == count - count % 2


def test_the_first_game_of_a_pairing_is_shared_fairly_among_whites() -> None:
    first = Counter(one for boards in circle(list("ABCDEF")) for one, _ in boards)
    assert set(first.values()) <= {2, 3}


def test_a_round_robin_plays_one_opening_everywhere_before_the_next() -> None:
    pairings = RoundRobin(list("ABCD"), pairs=2).pairings(Results())
    assert [pairing.opening for pairing in pairings] == [0] * 6 + [1] * 6
    keys = [key for pairing in pairings for key in pairing.keys]
    assert len(set(keys)) == len(keys) == 24


def test_in_a_gauntlet_the_first_meets_all_others_and_they_do_not_meet() -> None:
    pairings = Gauntlet(list("ABCD"), pairs=2).pairings(Results())
    assert Counter(frozenset((pairing.first, pairing.second)) for pairing in pairings) == {
        frozenset("AB"): 2,
        frozenset("AC"): 2,
        frozenset("AD"): 2,
    }
    two = Gauntlet(list("ABCD"), pairs=1, challengers=2).pairings(Results())
    assert {frozenset((p.first, p.second)) for p in two} == {frozenset(pair) for pair in ("AC", "AD", "BC", "BD")}


def test_too_few_players_and_equal_names_are_refused() -> None:
    with pytest.raises(OptionError, match="at least 2 players, not 1"):
        RoundRobin(["A"], 1)
    with pytest.raises(OptionError, match="two players are called 'A'"):
        RoundRobin(["A", "B", "A"], 1)
    with pytest.raises(OptionError, match="at least 3 players"):
        Gauntlet(["A", "B"], 1, challengers=2)


def test_only_complete_pairs_count_as_pairs() -> None:
    results = Results(
        [
            GameResult(Key(0, 0, 0), "A", "B", 2),
            GameResult(Key(0, 0, 1), "B", "A", 1),
            GameResult(Key(0, 0, 2), "B", "A", 2),
            GameResult(Key(0, 1, 0), "A", "C", 0),
            GameResult(Key(0, 1, 1), "C", "A", 0),
        ]
    )
    assert results.pairs("A", "B") == Pairs((0, 0, 0, 1, 0))
    assert results.pairs("B", "A") == Pairs((0, 1, 0, 0, 0))
    assert results.pairs("A", "C") == Pairs((0, 0, 1, 0, 0))
    assert results.pairs("B", "C") == Pairs()
    assert results.games("A", "B") == Games(won=1, drawn=1, lost=1)
    assert results.played(Pairing(0, 0, 0, "A", "B", 0))
    assert not results.played(Pairing(0, 0, 1, "B", "A", 1))
    assert results.halves([Pairing(0, 0, 0, "A", "B", 0), Pairing(0, 0, 1, "B", "A", 1)], "B") == 3
