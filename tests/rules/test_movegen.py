"""The readable generator: counts, merged routes, and what is bounded however the pieces are placed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from rules.cases import Perft, perfts
from rules.strategies import anywhere, placed

from turkengine.games import CRODA, TURKISH, variant_named
from turkengine.notation import fen
from turkengine.notation.hub import read_hub
from turkengine.rules import movegen
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

MANY_CAPTURES = [  # boards built to hold as many captures as could be found
    (TURKISH, "WebeeeeBeeeBeeeBeeeWeeBwBeebeeeBebebeeeBeebWbbebeeebeeeeeWWwWWWeW", 1131),
    (CRODA, "WWeBeeBWeWebeeeeWWeBeeeWeWebeebWeebeBbeeBeeBeeeBebeweeeBeeeBeeeBe", 1133),
]


def count(position: Position, depth: int) -> int:
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(count(position.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize("perft", perfts(), ids=str)
def test_shallow_perft(perft: Perft) -> None:
    position = fen.read(variant_named(perft.variant), perft.position)
    expected = perft.up_to(leaves=5000)
    assert {depth: count(position, depth) for depth in expected} == expected


@pytest.mark.parametrize(("variant", "position", "captures"), MANY_CAPTURES)
def test_a_board_full_of_captures_takes_a_moment_and_no_longer(variant: Variant, position: str, captures: int) -> None:
    started = time.process_time()
    assert len(read_hub(variant, position).legal_moves()) == captures
    assert time.process_time() - started < 10


@settings(deadline=None, max_examples=100)
@given(anywhere())
def test_legal_moves_differ_and_take_the_same_number(position: Position) -> None:
    legal = position.legal_moves()
    assert len(set(legal)) == len(legal)
    assert len({len(move.captured) for move in legal}) <= 1 or not position.variant.number_decides


@settings(deadline=None, max_examples=100)
@given(placed())
def test_every_path_runs_from_origin_to_target_with_one_jump_for_each_piece(position: Position) -> None:
    for move in position.legal_moves():
        assert (move.path[0], move.path[-1]) == (move.origin, move.target)
        assert len(move.path) == 1 + max(1, len(move.captured))


@settings(deadline=None, max_examples=100)
@given(placed())
def test_the_path_of_a_move_can_be_found_again(position: Position) -> None:
    for move in position.legal_moves():
        assert movegen.route(position.variant, position.cells, move) == move.path


@settings(deadline=None, max_examples=100)
@given(placed())
def test_the_captures_to_their_end_that_go_before_all_others_are_the_legal_ones(position: Position) -> None:
    variant, cells = position.variant, position.cells
    begun = [
        jumping
        for square in movegen.pieces(cells, position.side)
        for jumping in movegen.partial_captures(variant, cells, square)
    ]
    longest = max((len(jumping.captured) for jumping in begun), default=0)
    if variant.number_decides:
        ended = [jumping for jumping in begun if len(jumping.captured) == longest]
    else:
        ended = [jumping for jumping in begun if is_lawful(variant, cells, jumping)]
    captures = movegen.captures(variant, cells, position.side)
    assert {(move.origin, move.target, move.captured) for move in captures} == {
        (jumping.origin, jumping.square, jumping.captured)
        for jumping in movegen.preferred(variant, cells, ended)
        if movegen.may_end(variant, cells, jumping)
    }


def is_lawful(variant: Variant, cells: str, wanted: movegen.Jumping) -> bool:
    """Whether a capture is to its end and has landed all the way where it could go on, if it could; by going back."""
    if any(True for _ in movegen.jumps(variant, cells, wanted)):
        return False
    growing = {movegen.begun(cells, wanted.origin)}
    while growing:
        grown = set()
        for jumping in growing:
            ways = list(movegen.jumps(variant, cells, jumping))
            ahead = {way.heading for way in ways if any(True for _ in movegen.jumps(variant, cells, way))}
            for way in ways:
                if way == wanted:
                    if way.heading not in ahead:
                        return True
                elif any(True for _ in movegen.jumps(variant, cells, way)):
                    grown.add(way)
        growing = grown
    return False


def test_only_captures_over_the_named_landing_squares_are_begun() -> None:
    position = fen.read(variant_named("international"), "W:WK4:B13,20,32,37")
    names = position.variant.board.names.index
    jumpings = movegen.partial_captures(position.variant, position.cells, names("4"), (names("27"),))
    assert jumpings
    assert all(names("13") in jumping.captured or names("32") in jumping.captured for jumping in jumpings)
    assert names("15") in {jumping.square for jumping in jumpings if len(jumping.captured) == 3}


def test_a_move_nobody_can_make_has_no_route() -> None:
    position = fen.read(TURKISH, "W:Wd4:Bd6")
    d4, d6, d7 = (TURKISH.board.names.index(name) for name in ("d4", "d6", "d7"))
    with pytest.raises(ValueError, match="no piece can move so"):
        movegen.route(TURKISH, position.cells, Move(d4, d7, frozenset({d6})))
