"""Marks, accuracy, missed wins and phases."""

from __future__ import annotations

import pytest

from turkengine.analysis.judge import ENDGAME, MIDDLEGAME, OPENING, Mark, accuracy_of, lets_a_win_go, mark_of, phase_of
from turkengine.engine.chances import Chances
from turkengine.games import CRODA, INTERNATIONAL
from turkengine.rules.position import Position


@pytest.mark.parametrize(
    ("cost", "mark"),
    [(0.0, ""), (0.059, ""), (0.06, "?!"), (0.119, "?!"), (0.12, "?"), (0.249, "?"), (0.25, "??"), (1.0, "??")],
)
def test_a_move_is_marked_by_what_it_costs(cost: float, mark: str) -> None:
    assert mark_of(cost).value == mark


def test_marks_have_their_glyphs() -> None:
    assert {mark.value: mark.nag for mark in Mark} == {"": None, "!": 1, "?!": 6, "?": 2, "??": 4}
    assert [mark.value for mark in Mark if mark.is_bad] == ["?!", "?", "??"]


def test_accuracy_falls_with_what_moves_cost() -> None:
    assert accuracy_of([0.0, 0.0]) == 100
    assert accuracy_of([0.06]) == pytest.approx(74.1, abs=0.1)
    assert accuracy_of([0.25]) == pytest.approx(28.7, abs=0.1)
    assert accuracy_of([0.0, 0.25]) == pytest.approx(64.3, abs=0.1)
    assert accuracy_of([]) is None


def test_a_win_is_let_go_where_it_was_one_and_is_none() -> None:
    won, even = Chances(0.9, 0.1, 0.0), Chances(0.3, 0.5, 0.2)
    assert lets_a_win_go(won, even)
    assert not lets_a_win_go(won, Chances(0.7, 0.3, 0.0))
    assert not lets_a_win_go(even, even)


def test_the_phase_is_told_by_the_pieces_left() -> None:
    start = Position.start(INTERNATIONAL).cells
    assert phase_of(INTERNATIONAL, start) == OPENING
    assert phase_of(INTERNATIONAL, "w" * 12 + "e" * 26 + "b" * 12) == MIDDLEGAME
    assert phase_of(INTERNATIONAL, "w" * 6 + "e" * 38 + "b" * 6) == ENDGAME
    assert phase_of(CRODA, Position.start(CRODA).cells) == OPENING
