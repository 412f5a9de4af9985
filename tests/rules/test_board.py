"""The geometry of the boards."""

from __future__ import annotations

import pytest

from turkengine.rules.board import ALL_8X8, DARK_10X10, DIAGONAL, LETTERED_8X8, ORTHOGONAL, Board, Direction


def named(board: Board, name: str) -> int:
    return board.names.index(name)


def test_fifty_dark_squares_are_numbered_from_the_far_left() -> None:
    assert DARK_10X10.size == 50
    assert DARK_10X10.names == tuple(str(number) for number in range(1, 51))
    assert DARK_10X10.places[0] == (1, 9)  # square 1: second file, far rank
    assert DARK_10X10.places[named(DARK_10X10, "46")] == (0, 0)  # square 46: White's near left corner
    assert DARK_10X10.places[named(DARK_10X10, "5")] == (9, 9)


def test_all_squares_of_the_small_board_are_called_a1_to_h8() -> None:
    assert ALL_8X8.size == 64
    assert ALL_8X8.names[:3] == ("a1", "b1", "c1")
    assert ALL_8X8.names[8] == "a2"
    assert ALL_8X8.names[-1] == "h8"


def test_a_position_on_the_wire_starts_in_the_far_left_corner() -> None:
    assert DARK_10X10.reading_order == tuple(range(50))
    letters = [ALL_8X8.names[square] for square in ALL_8X8.reading_order]
    assert letters[:9] == ["a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8", "a7"]
    assert letters[-1] == "h1"


@pytest.mark.parametrize(
    ("square", "neighbours"),
    [("28", {"22", "23", "32", "33"}), ("46", {"41"}), ("5", {"10"}), ("1", {"6", "7"}), ("26", {"21", "31"})],
)
def test_the_diagonal_neighbours_of_a_square(square: str, neighbours: set[str]) -> None:
    steps = (DARK_10X10.step(named(DARK_10X10, square), direction) for direction in DIAGONAL)
    assert {DARK_10X10.names[step] for step in steps if step is not None} == neighbours


def test_dark_squares_have_no_orthogonal_neighbours() -> None:
    assert all(DARK_10X10.step(square, direction) is None for square in range(50) for direction in ORTHOGONAL)


def test_the_orthogonal_neighbours_of_a_corner() -> None:
    steps = (ALL_8X8.step(named(ALL_8X8, "a1"), direction) for direction in ORTHOGONAL)
    assert {ALL_8X8.names[step] for step in steps if step is not None} == {"a2", "b1"}


def test_a_ray_runs_to_the_edge_nearest_square_first() -> None:
    main_road = DARK_10X10.ray(named(DARK_10X10, "46"), Direction(1, 1))
    assert [DARK_10X10.names[square] for square in main_road] == ["41", "37", "32", "28", "23", "19", "14", "10", "5"]
    first_file = ALL_8X8.ray(named(ALL_8X8, "a6"), Direction(0, 1))
    assert [ALL_8X8.names[square] for square in first_file] == ["a7", "a8"]


def test_the_line_from_one_square_to_another() -> None:
    assert DARK_10X10.direction(named(DARK_10X10, "46"), named(DARK_10X10, "5")) == Direction(1, 1)
    assert DARK_10X10.direction(named(DARK_10X10, "46"), named(DARK_10X10, "50")) is None
    assert ALL_8X8.direction(named(ALL_8X8, "h8"), named(ALL_8X8, "h1")) == Direction(0, -1)


def test_what_is_forward_for_white_is_backward_for_black() -> None:
    assert Direction(1, 1).mirrored() == Direction(1, -1)
    assert Direction(1, 0).mirrored() == Direction(1, 0)
    assert Direction(1, -1).reversed() == Direction(-1, 1)


@pytest.mark.parametrize("board", [DARK_10X10, ALL_8X8], ids=["10x10", "8x8"])
def test_every_step_can_be_taken_back(board: Board) -> None:
    for square in range(board.size):
        for direction in (*ORTHOGONAL, *DIAGONAL):
            step = board.step(square, direction)
            assert step is None or board.step(step, direction.reversed()) == square


def test_a_place_off_the_board_holds_no_square() -> None:
    assert ALL_8X8.square_at(7, 7) == 63
    assert ALL_8X8.square_at(8, 0) is None
    assert DARK_10X10.square_at(0, 1) is None  # a light square


@pytest.mark.parametrize(
    ("board", "first_rank"),
    [
        (LETTERED_8X8, ["a1", "c1", "e1", "g1"]),
        (Board(8, 8, dark_only=True), ["29", "30", "31", "32"]),
        (Board(8, 8, dark_only=True, a1_dark=False), ["29", "30", "31", "32"]),
        (Board(8, 8, dark_only=True, a1_dark=False, from_near_right=True), ["4", "3", "2", "1"]),
        (Board(8, 8, dark_only=True, a1_dark=False, letters=True), ["b1", "d1", "f1", "h1"]),
        (Board(10, 8, dark_only=True, letters=True), ["a1", "c1", "e1", "g1", "i1"]),
    ],
)
def test_the_first_rank_from_white_s_left_is_called(board: Board, first_rank: list[str]) -> None:
    assert [name for name, (_, rank) in zip(board.names, board.places, strict=True) if rank == 0] == first_rank
    assert (board.square_at(0, 0) is not None) == board.a1_dark
    assert sorted(board.naming_order) == list(range(board.size))
