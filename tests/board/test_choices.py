"""Every way to tap a capture leads to it, however many there are."""

from __future__ import annotations

from itertools import pairwise

import pytest

from turkengine.board.choices import choices, victims
from turkengine.games import VARIANTS, variant_named
from turkengine.notation import fen
from turkengine.rules.position import Position

MANY = "W:WK4,30,37,38,39,41,43,46,48,49:B3,6,8,9,12,19,20,23,28"
KINGS = "B:WKc8,Ke6,e5,f4,h4,b3,c3,d2:BKh1"


def position(variant: str, text: str) -> Position:
    return fen.read(variant_named(variant), text)


@pytest.mark.parametrize(
    ("variant", "text", "ends", "count"), [("international", MANY, "4 15", 3), ("turkish", KINGS, "h1 b2", 4)]
)
def test_moves_of_the_same_ends_are_offered_each_by_its_victims(variant: str, text: str, ends: str, count: int) -> None:
    here = position(variant, text)
    names = here.variant.board.names
    found, complete = choices(here)
    same = [choice for choice in found if f"{names[choice.move.origin]} {names[choice.move.target]}" == ends]
    assert complete
    assert len(same) == count
    assert len({choice.text for choice in same}) == count
    assert len({choice.move.captured for choice in same}) == count


@pytest.mark.parametrize(("variant", "text"), [("international", MANY), ("turkish", KINGS)])
def test_each_route_begins_on_the_piece_and_ends_on_the_target(variant: str, text: str) -> None:
    for choice in choices(position(variant, text))[0]:
        assert choice.routes
        for route in choice.routes:
            assert (route[0], route[-1]) == (choice.move.origin, choice.move.target)
            assert len(route) == len(choice.move.captured) + 1


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_legal_move_of_the_start_is_a_choice_of_one_route(variant: object) -> None:
    here = Position.start(variant)  # type: ignore[arg-type]
    found, complete = choices(here)
    assert complete
    assert {choice.move for choice in found} == set(here.legal_moves())
    assert all(choice.routes == ((choice.move.origin, choice.move.target),) for choice in found)


def test_too_many_steps_leave_one_route_for_each_move() -> None:
    here = position("international", MANY)
    found, complete = choices(here, most_steps=3)
    assert not complete
    assert {choice.move for choice in found} == set(here.legal_moves())
    assert all(len(choice.routes) == 1 for choice in found)


def test_a_circular_capture_ends_where_it_began() -> None:
    here = position("turkish", "W:WKa7:BKc7,Ka6,Kf5,Ke2")
    data = {choice.text: choice.as_data(here.variant.board) for choice in choices(here)[0]}
    circle = data["a7xa7"]
    assert circle["from"] == circle["to"] == here.variant.board.names.index("a7")
    assert all(route[0] == route[-1] and len(route) == 5 for route in circle["routes"])


@pytest.mark.parametrize(("variant", "text"), [("international", MANY), ("turkish", KINGS)])
def test_victims_come_in_the_order_of_the_path(variant: str, text: str) -> None:
    here = position(variant, text)
    board = here.variant.board
    for move in here.legal_moves():
        order = victims(board, move)
        assert sorted(order) == sorted(move.captured)
        for square, (start, end) in zip(order, pairwise(move.path), strict=True):
            direction = board.direction(start, end)
            assert direction is not None
            assert square in board.ray(start, direction)
