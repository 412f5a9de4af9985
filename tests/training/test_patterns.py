"""The patterns lie over the whole board, and mean the same for both sides."""

from __future__ import annotations

import pytest
from rules.strategies import by_name

from turkengine.rules.variant import Variant
from turkengine.rules.variants import INTERNATIONAL, TURKISH, VARIANTS
from turkengine.training.patterns import PATTERN_SQUARES, placements

every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=by_name)


@every_variant
def test_every_square_is_looked_at_and_no_pattern_lies_twice(variant: Variant) -> None:
    placed = placements(variant.board)
    assert {square for one in placed for square in one.squares} == set(range(variant.board.size))
    assert len({frozenset(one.squares) for one in placed}) == len(placed)
    assert {len(set(one.squares)) for one in placed} == {PATTERN_SQUARES}


@every_variant
def test_each_side_sees_what_the_other_sees_with_the_board_turned(variant: Variant) -> None:
    last = variant.board.size - 1
    white = {(one.table, one.squares) for one in placements(variant.board) if not one.black}
    turned = {
        (one.table, tuple(last - square for square in one.squares)) for one in placements(variant.board) if one.black
    }
    assert {table for table, _ in white} == {table for table, _ in turned}
    assert {frozenset(squares) for _, squares in white} >= {frozenset(squares) for _, squares in turned}


def test_where_left_and_right_are_alike_mirrored_windows_share_a_table() -> None:
    board = TURKISH.board
    by_squares = {frozenset(one.squares): one for one in placements(board)}
    for corner, mirrored in (("a1", "h1"), ("a8", "h8")):
        window = {one for one in by_squares if board.names.index(corner) in one}
        tables = {by_squares[one].table for one in window}
        other = {by_squares[one].table for one in by_squares if board.names.index(mirrored) in one}
        assert tables == other


def test_there_are_as_many_as_the_kernel_has_room_for() -> None:
    assert [sum(one.black == black for one in placements(INTERNATIONAL.board)) for black in (False, True)] == [12, 12]
    assert [sum(one.black == black for one in placements(TURKISH.board)) for black in (False, True)] == [13, 13]
