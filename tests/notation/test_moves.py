"""Moves as text: every legal move in every form reads back, and whatever fits not exactly one is refused."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.strategies import anywhere, placed

from turkengine.errors import AmbiguousMoveError, IllegalMoveError, MoveError, UnreadableMoveError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.notation import fen, moves
from turkengine.notation.squares import Naming
from turkengine.rules import movegen
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant


def hub_of(variant: Variant, position: str, text: str) -> str:
    read = fen.read(variant, position)
    return moves.hub(read, moves.read(read, text))


def may_be(position: Position, text: str) -> list[str]:
    """The full paths of the moves that `text` may stand for: one, or several where it is refused as ambiguous."""
    try:
        return [moves.full(position, moves.read(position, text))]
    except AmbiguousMoveError as error:
        return list(error.candidates)


# --- Round trips ---


@settings(deadline=None, max_examples=60)
@given(anywhere(), st.sampled_from(Naming))
def test_what_is_written_reads_back_as_the_same_move(position: Position, naming: Naming) -> None:
    for move in position.legal_moves():
        for write in (moves.hub, moves.full, moves.landing):
            assert moves.read(position, write(position, move, naming)) == move
        assert moves.full(position, move) in may_be(position, moves.short(position, move, naming))


@settings(deadline=None, max_examples=60)
@given(anywhere())
def test_no_two_legal_moves_are_written_alike(position: Position) -> None:
    legal = position.legal_moves()
    for write in (moves.hub, moves.full, moves.landing):
        assert len({write(position, move) for move in legal}) == len(legal)


@settings(deadline=None, max_examples=60)
@given(placed(), st.integers(0, 2**32))
def test_captured_squares_are_read_in_any_order(position: Position, seed: int) -> None:
    dice = random.Random(seed)
    names = position.variant.board.names
    for move in position.legal_moves():
        if move.is_capture:
            captured = [names[square] for square in dice.sample(sorted(move.captured), len(move.captured))]
            origin, target = names[move.origin], names[move.target]
            assert moves.read(position, "x".join((origin, target, *captured))) == move
            assert moves.read(position, "x".join((origin, *captured, target))) == move
            assert moves.full(position, move) in may_be(position, "x".join((origin, *captured)))


@settings(deadline=None, max_examples=60)
@given(placed(), st.integers(0, 2**32))
def test_every_route_of_a_move_is_read_whole_and_in_part(position: Position, seed: int) -> None:
    dice = random.Random(seed)
    names = position.variant.board.names
    for move in position.legal_moves():
        path = random_route(position, move, dice)
        kept = [square for square in path[1:-1] if dice.random() < 0.5]
        assert moves.read(position, "x".join(names[square] for square in path)) == move
        partial = "x".join(names[square] for square in (path[0], *kept, path[-1]))
        assert moves.full(position, move) in may_be(position, partial)


def random_route(position: Position, move: Move, dice: random.Random) -> list[int]:
    """One of the routes of `move`, not always the one it carries: dead ends are walked back."""
    if not move.is_capture:
        return [move.origin, move.target]

    def onward(jumping: movegen.Jumping) -> list[int] | None:
        if jumping.captured == move.captured:
            return [jumping.square] if jumping.square == move.target else None
        following = list(movegen.jumps(position.variant, position.cells, jumping))
        dice.shuffle(following)
        for further in following:
            if further.captured <= move.captured and (rest := onward(further)) is not None:
                return [jumping.square, *rest]
        return None

    route = onward(movegen.begun(position.cells, move.origin))
    assert route is not None
    return route


@settings(deadline=None)
@given(anywhere(), st.text(alphabet="0123456789abcdefgh-x: ", max_size=16))
def test_any_text_is_a_legal_move_or_one_line_that_says_why_not(position: Position, text: str) -> None:
    move, refusal = None, ""
    try:
        move = moves.read(position, text)
    except MoveError as error:
        refusal = str(error)
    assert move is None or move in position.legal_moves()
    assert "\n" not in refusal


# --- Writing ---


def test_the_forms_of_a_capture() -> None:
    position = fen.read(INTERNATIONAL, "W:W28,48:B12,22")
    (move,) = position.legal_moves()
    assert moves.short(position, move) == "28x8"
    assert moves.landing(position, move) == "28x8"
    assert moves.full(position, move) == "28x17x8"
    assert moves.hub(position, move) == "28x8x12x22"


def test_the_full_path_is_written_where_the_ends_leave_a_doubt() -> None:
    position = fen.read(INTERNATIONAL, "W:WK4:B13,20,32,37")
    assert {moves.landing(position, move) for move in position.legal_moves()} == {"4x27x38x15", "4x31x42x15"}


def test_hub_lists_captured_squares_in_the_order_of_a_position() -> None:
    position = fen.read(TURKISH, "W:Wf3:Bf4,e5,d6,c7,h8")
    (move,) = position.legal_moves()
    assert moves.hub(position, move) == "f3xb7xc7xd6xe5xf4"


def test_a_client_that_counts_squares_gets_numbers() -> None:
    position = Position.start(TURKISH)
    move = moves.read(position, "a3-a4")
    assert moves.short(position, move, Naming.NUMERIC) == "17-25"
    assert moves.read(position, "17-25") == move


def test_a_move_that_comes_without_a_path_is_written_with_one() -> None:
    position = fen.read(INTERNATIONAL, "W:W28,48:B12,22")
    (move,) = position.legal_moves()
    assert moves.full(position, replace(move, path=())) == "28x17x8"


# --- Reading ---


@pytest.mark.parametrize("text", ["28-8", "28x8", "28:8", "28 x 8", "28 8", "2808", "028x08", " 28x8 ", "28X8"])
def test_what_stands_between_the_squares_says_nothing(text: str) -> None:
    assert hub_of(INTERNATIONAL, "W:W28,48:B12,22", text) == "28x8x12x22"


@pytest.mark.parametrize("text", ["a3-a4", "a3xa4", "a3a4", "A3A4", "a3 - a4", "17-25", "1725"])
def test_a_quiet_move_is_read(text: str) -> None:
    start = Position.start(TURKISH)
    assert moves.short(start, moves.read(start, text)) == "a3-a4"


@pytest.mark.parametrize(
    "text", ["f3xf4xe5", "f3xe5xf4", "f3xf4xe5xd5", "f3xf5xd5", "f3xd5", "f3xd5xf4xe5", "f3:f5:d5", "f3f5d5"]
)
def test_books_list_captured_squares_and_programs_landing_squares(text: str) -> None:
    assert hub_of(TURKISH, "W:Wf3:Bf4,e5,a7", text) == "f3xd5xe5xf4"


def test_a_partial_path_decides_by_landing_squares_not_by_squares_crossed() -> None:
    position = "B:W22,24,34,40:BK2"
    with pytest.raises(AmbiguousMoveError):
        hub_of(INTERNATIONAL, position, "2x11")
    assert hub_of(INTERNATIONAL, position, "2x30x11") == "2x11x22x24x34"


def test_a_capture_that_comes_back_to_its_start_is_read() -> None:
    position = fen.read(INTERNATIONAL, "W:W33:B28,18,19,29")
    circular = [move for move in position.legal_moves() if move.origin == move.target]
    assert circular
    for move in circular:
        assert moves.read(position, moves.full(position, move)) == move
        assert moves.read(position, moves.hub(position, move)) == move
    assert moves.read(position, "33x33") in circular


def test_a_capture_with_one_end_and_two_targets_is_ambiguous() -> None:
    position = fen.read(CRODA, "W:WKa1:Ba6")
    with pytest.raises(AmbiguousMoveError) as caught:
        moves.read(position, "a1xa6")
    assert set(caught.value.candidates) == {"a1xa7", "a1xa8"}
    assert str(caught.value) == "'a1xa6' fits several moves; write a1xa7 or a1xa8"


def test_an_ambiguous_text_is_answered_with_all_full_paths() -> None:
    position = fen.read(INTERNATIONAL, "W:WK4:B13,20,32,37")
    with pytest.raises(AmbiguousMoveError, match="'4x15' fits several moves") as caught:
        moves.read(position, "4x15")
    assert set(caught.value.candidates) == {"4x27x38x15", "4x31x42x15"}


@pytest.mark.parametrize(
    ("variant", "text", "message"),
    [
        (INTERNATIONAL, "", "'' is not written as a move; write squares with - or x between them"),
        (INTERNATIONAL, "pass", "'pass' is not written as a move; write squares with - or x between them"),
        (INTERNATIONAL, "a3-a4", "'a3-a4' is not written as a move; write squares with - or x between them"),
        (INTERNATIONAL, "32--28", "'32--28' is not written as a move; write squares with - or x between them"),
        (INTERNATIONAL, "32", "'32' names one square only; a move needs its origin and its target"),
        (INTERNATIONAL, "32-51", "'32-51' names '51'; the squares are 1 to 50"),
        (INTERNATIONAL, "0-0", "'0-0' names '0'; the squares are 1 to 50"),
        (INTERNATIONAL, "28-23", "'28-23' is not a legal move; there is no piece on 28"),
        (TURKISH, "a3-a9", "'a3-a9' names 'a9'; the squares are a1 to h8"),
        (TURKISH, "a3-i4", "'a3-i4' is not written as a move; write squares with - or x between them"),
    ],
)
def test_a_text_that_is_no_move_is_unreadable(variant: Variant, text: str, message: str) -> None:
    with pytest.raises(UnreadableMoveError) as caught:
        moves.read(Position.start(variant), text)
    assert str(caught.value) == message


@pytest.mark.parametrize("end", ["", "!", "x", "\u00d7", "-", "a", " a1"])
@pytest.mark.parametrize("piece", ["1", "0", "11-", "1 ", "1 x ", "1 - ", " ", "a1", "a1-", "a1 x ", "a", "x"])
@pytest.mark.parametrize("variant", [INTERNATIONAL, TURKISH])
def test_a_text_of_any_length_is_refused_without_trying_its_parts_in_every_way(
    variant: Variant, piece: str, end: str
) -> None:
    """Times would double with each piece, or grow with their square, where a part could be matched in several ways."""
    for pieces in (40, 900 // len(piece), 1 << 20):
        with pytest.raises(MoveError):
            moves.read(Position.start(variant), "32" + piece * pieces + end)


def test_an_illegal_move_is_refused_with_its_article() -> None:
    position = fen.read(INTERNATIONAL, "W:W28,48:B12,22")
    with pytest.raises(
        IllegalMoveError, match=r"'28x17' is not a legal move; 28x17 stops in mid-capture .*\(5\.4\.9\)"
    ) as caught:
        moves.read(position, "28x17")
    assert caught.value.article == "5.4.9"


def test_reading_needs_nothing_but_the_names_every_position_has() -> None:
    class Other:
        variant = TURKISH
        side = Position.start(TURKISH).side
        cells = Position.start(TURKISH).cells
        follows_a_move = False

        def legal_moves(self) -> list[Move]:
            return [replace(move, path=()) for move in Position.start(TURKISH).legal_moves()]

    position = Other()
    move = moves.read(position, "a3-a4")
    assert moves.full(position, move) == moves.hub(position, move) == moves.landing(position, move) == "a3-a4"
    with pytest.raises(IllegalMoveError, match=r"5\.4\.5"):
        moves.read(position, "a6-a5")
