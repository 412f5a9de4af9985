"""Combinations are found in lines, and what only looks like one is not. The positions are from master games."""

from __future__ import annotations

import pytest

from turkengine.analysis.shots import Shot, shot_in
from turkengine.api.position import Position


def found(fen: str, line: str, variant: str = "international") -> Shot | None:
    position = Position(fen, variant)
    return shot_in(position, position.play_line(line.split()).moves)


@pytest.mark.parametrize(
    ("fen", "line", "name"),
    [
        ("W:W26,27,28,32,37,44:B12,16,17,19,20,34,35", "28-22 17x28 32x25", "shot 1 for 3"),
        (
            "W:W26,27,35-40,42,45,47,48,49:B3,4,6,8,9,11,12,16,19,23,24,28,29",
            "27-21 16x27 38-33 29x38 42x31",
            "shot 2 for 3",
        ),
        (
            "W:W24,29,31,34,37,38,39,43,44:B8,11,13,15,18,20,23,25,28",
            "34-30 25x34 39x30 23x25 38-32 20x29 32x3",
            "shot 4 for 4, to a king",
        ),
        ("W:WK4,13,46:B11,12,16,26,K47", "46-41 47x9 4x1", "shot 2 for 2, a king taken"),
        (
            "W:W6,15,24,25,35,47:B1,4,9,18,26,28,36",
            "47-41 36x47 35-30 47x20 25x3",
            "shot 2 for 2, a king taken, to a king",
        ),
        ("B:W22,25,27,30-33,35-38,44:B3,4,6,8,11,13,14,16,18,19,23,24", "23-28 32x12 8x50", "shot 2 for 4, to a king"),
    ],
)
def test_pieces_given_and_won_back_with_more_are_a_shot(fen: str, line: str, name: str) -> None:
    shot = found(fen, line)
    assert shot is not None
    assert shot.name == name
    assert shot.text == line
    assert shot.plies == len(line.split())


def test_what_follows_a_shot_is_not_part_of_it() -> None:
    shot = found("W:W26,27,28,32,37,44:B12,16,17,19,20,34,35", "28-22 17x28 32x25 12-18 37-32")
    assert shot is not None
    assert shot.text == "28-22 17x28 32x25"


def test_a_plain_capture_is_none() -> None:
    assert found("W:W28:B23,12", "28x19 12-18 19-14") is None


def test_an_even_exchange_is_none() -> None:
    assert found("W:W28,33:B18,19", "28-22 18x27") is None
    assert found("W:W28,32,37:B14,19", "28-23 19x28 32x23") is None


def test_a_sacrifice_that_is_not_won_back_is_none() -> None:
    assert found("W:W26,27,28,32,37,44:B12,16,17,19,20,34,35", "28-22 17x28") is None


def test_taking_back_is_none() -> None:
    line = ["29-34", "40x9", "18-22", "9x18", "22x42"]
    start = Position("B:W25-28,31,32,35,36,38,40:B4,11,13,14,16-19,24,29")
    taken = start.play_line(line[:2])  # three men are gone
    assert shot_in(taken, taken.play_line(line[2:]).moves[2:]) is None
    without_a_past = Position(taken.fen())
    assert shot_in(without_a_past, taken.play_line(line[2:]).moves[2:]) is not None


def test_a_line_in_which_the_opponent_is_free_is_none() -> None:
    assert found("W:W26,27,28,32,37,44:B12,16,17,19,20,35", "44-39 35-40 28-22 17x28 32x25") is None


def test_no_line_is_none() -> None:
    assert shot_in(Position(), ()) is None


@pytest.mark.parametrize(
    ("variant", "fen", "line", "name"),
    [
        (
            "turkish",
            "W:Wb4,a3,d3,f3,g3,a2,d2,e2,f2,g2,h2:Bh7,g6,h6,Ka5,h5",
            "a2-b2 a5xc2 d2xb2",
            "2 for 1, a king taken",
        ),
        (
            "turkish",
            "B:Wf4,h4,b3,c3,f3,g3,h3,a2,f2,g2:BKh8,e7,f7,e6,f6,h6,a5,b5,h5",
            "h6-g6 h4xh6 h8xc1",
            "1 for 3",
        ),
        (
            "croda",
            "W:Wa4,a3,d3,a2,b2,g2,h2,b1,e1,f1,g1:Ba8,b8,h8,c7,d7,g7,h7,b6,b5,e5,c4",
            "a3-b4 b5xb3 b2xd4",
            "1 for 2",
        ),
    ],
)
def test_shots_are_found_in_every_game(variant: str, fen: str, line: str, name: str) -> None:
    shot = found(fen, line, variant)
    assert shot is not None
    assert shot.name == f"shot {name}"
