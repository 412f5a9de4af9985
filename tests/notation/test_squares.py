"""Names and numbers of squares, in and out."""

from __future__ import annotations

import pytest

from turkengine.notation.squares import Naming, extent, in_reading_order, names, square_named
from turkengine.rules.board import ALL_8X8, DARK_10X10, Board


@pytest.mark.parametrize("naming", Naming)
@pytest.mark.parametrize("board", [DARK_10X10, ALL_8X8], ids=["10x10", "8x8"])
def test_what_is_written_reads_back(board: Board, naming: Naming) -> None:
    assert [square_named(board, name) for name in names(board, naming)] == list(range(board.size))


def test_numbers_on_the_small_board_count_from_a1_to_h8() -> None:
    numbers = names(ALL_8X8, Naming.NUMERIC)
    by_number = dict(zip(numbers, names(ALL_8X8), strict=True))
    assert (by_number["1"], by_number["8"], by_number["9"], by_number["64"]) == ("a1", "h1", "a2", "h8")


def test_a_board_of_dark_squares_always_has_numbers() -> None:
    assert names(DARK_10X10, Naming.ALGEBRAIC) == names(DARK_10X10, Naming.NUMERIC)


@pytest.mark.parametrize(
    ("board", "name", "square"),
    [(DARK_10X10, "07", 6), (DARK_10X10, "050", 49), (ALL_8X8, "H8", 63), (ALL_8X8, "09", 8)],
)
def test_leading_zeros_and_capitals_are_read(board: Board, name: str, square: int) -> None:
    assert square_named(board, name) == square


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (DARK_10X10, "51"),
        (DARK_10X10, "0"),
        (DARK_10X10, "a1"),
        (ALL_8X8, "i1"),
        (ALL_8X8, "a9"),
        (ALL_8X8, "65"),
        (ALL_8X8, ""),
    ],
)
def test_there_is_no_such_square(board: Board, name: str) -> None:
    assert square_named(board, name) is None


def test_squares_are_put_in_the_order_of_a_position_on_the_wire() -> None:
    a1, h8, a8 = (ALL_8X8.names.index(name) for name in ("a1", "h8", "a8"))
    assert in_reading_order(ALL_8X8, {a1, h8, a8}) == [a8, h8, a1]
    assert in_reading_order(DARK_10X10, {30, 2, 14}) == [2, 14, 30]


def test_a_message_says_which_squares_there_are() -> None:
    assert extent(DARK_10X10) == "1 to 50"
    assert extent(ALL_8X8) == "a1 to h8"
