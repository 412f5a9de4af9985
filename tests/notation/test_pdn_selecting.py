"""Games chosen from a file, and games counted."""

from __future__ import annotations

from typing import Any

import pytest
from notation.reading import read_text

from turkengine.errors import PdnError
from turkengine.notation.pdn import replay
from turkengine.notation.pdn.dates import Date
from turkengine.notation.pdn.selecting import Selection
from turkengine.notation.pdn.statistics import Statistics

TEXT = """
[Event "Spring Cup"]
[White "Ann Green"]
[Black "Eve Brown"]
[Date "1980.05.01"]
[Result "2-0"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 2-0

[Event "Autumn cup"]
[White "Eve Brown"]
[Black "Bob"]
[Date "1981.??.??"]
[Result "1/2-1/2"]

1. 32-28 18-22 1/2-1/2

[Event "Cup"]
[White "Bob"]
[Black "Ann Green"]
[GameType "30"]

1. d3-d4 e6-e5 2. d4-d6 0-1

[Event "Match"]
[Round "3"]
[GameType "27"]
[Result "*"]

1. 11-15 22-18 . *
"""


def chosen(**conditions: Any) -> list[int]:
    """The numbers of the games of TEXT that meet the conditions."""
    selection = Selection(**conditions)
    return [entry.number for entry in read_text(TEXT) if selection.meets(entry, lambda: replay(entry.game))]  # noqa: B023


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ({}, [1, 2, 3, 4]),
        ({"player": "green"}, [1, 3]),
        ({"player": "nobody"}, []),
        ({"tags": (("White", "bob"),)}, [3]),
        ({"tags": (("event", "CUP"), ("Black", "b"))}, [1, 2]),
        ({"tags": (("Round", "3"),)}, [4]),
        ({"outcomes": frozenset({"white"})}, [1]),
        ({"outcomes": frozenset({"draw", "black"})}, [2, 3]),
        ({"outcomes": frozenset({"none"})}, [4]),
        ({"kind": "international"}, [1, 2]),
        ({"kind": "normal"}, [1, 2]),
        ({"kind": "30"}, [3]),
        ({"kind": "canadian"}, [4]),
        ({"since": Date(1981)}, [2]),
        ({"until": Date(1980, 5)}, [1]),
        ({"since": Date(1980), "until": Date(1981, 3)}, [1, 2]),
        ({"least_plies": 3}, [1, 3]),
        ({"most_plies": 2}, [2, 4]),
        ({"position": "B:W28,31,33-50:B1-20"}, [1, 2]),
        ({"position": "W:W28,31,33-50:B1-17,19,20,22"}, [2]),
        ({"position": "W:W28,31,33-50:B1-20"}, []),
        ({"illegal": True}, [3]),
        ({"illegal": False}, [1, 2, 4]),
        ({"faulty": True}, [3, 4]),
        ({"faulty": False, "player": "eve"}, [1, 2]),
    ],
)
def test_a_game_is_chosen_by(conditions: dict[str, Any], numbers: list[int]) -> None:
    assert chosen(**conditions) == numbers


def test_a_game_is_not_played_over_where_its_tags_decide() -> None:
    def never() -> Any:
        raise AssertionError("played over")

    (entry, *_) = read_text(TEXT)
    assert Selection(player="ann", least_plies=4).meets(entry, never)
    assert not Selection(player="bob", illegal=True).meets(entry, never)


def test_a_position_of_no_game_is_refused_with_the_reason_of_each() -> None:
    with pytest.raises(PdnError, match=r"'W:Wz9:B' is a position of no game here \(.*there is no square 'z9'"):
        Selection(position="W:Wz9:B")


def test_games_are_counted() -> None:
    counted = Statistics()
    for entry in read_text(TEXT):
        counted.add(entry, replay(entry.game))
    assert counted.as_json() == {
        "schema": 1,
        "games": 4,
        "plies": 11,
        "longest": 4,
        "results": {"white": 1, "draw": 1, "black": 1, "both-lose": 0, "none": 1},
        "kinds": {"international": 2, "turkish": 1, "Canadian draughts": 1},
        "replayed": {"games": 3, "plies": 8, "inferred": 1},
        "faults": {"games": 2, "reading": 1, "illegal": 1},
        "openings": {"32-28 19-23": 1, "32-28 18-22": 1, "d3-d4 e6-e5": 1, "11-15 22-18": 1},
    }
    assert counted.lines(1) == [
        "games     4",
        "plies     11, 2.8 a game, the longest has 4",
        "results   white 1, draw 1, black 1, none 1",
        "kinds     international 2, turkish 1, Canadian draughts 1",
        "replayed  3 games, 1 of them inferred, 8 plies",
        "faults    1 in reading, 1 in playing, in 2 games",
        "openings  1  32-28 19-23",
    ]


def test_no_games_are_counted_too() -> None:
    assert Statistics().lines() == [
        "games     0",
        "plies     0, 0.0 a game, the longest has 0",
        "results",
        "kinds",
        "replayed  0 games, 0 of them inferred, 0 plies",
        "faults    0 in reading, 0 in playing, in 0 games",
    ]


def test_an_opening_has_as_many_moves_as_asked_for() -> None:
    counted = Statistics(opening_plies=1)
    for entry in read_text(TEXT + '\n[FEN "W:W28:B1"]\n1. 28-22 *\n\n[GameType "27"]\n1. 09-13 *'):
        counted.add(entry, replay(entry.game))
    assert dict(counted.openings) == {"32-28": 2, "d3-d4": 1, "11-15": 1, "9-13": 1}
