"""Positions as programs use them."""

from __future__ import annotations

import copy
import pickle

import pytest

from turkengine import (
    VARIANTS,
    AmbiguousMoveError,
    IllegalMoveError,
    Move,
    Position,
    PositionError,
    Reason,
    Side,
    UnreadableMoveError,
    VariantError,
)
from turkengine.games import variant_named
from turkengine.notation import fen
from turkengine.rules.position import Position as ReadablePosition

TWO_WAYS = "W:WK4:B13,20,32,37"


def test_a_game_begins_with_the_usual_position() -> None:
    position = Position()
    assert position.fen() == "W:W31-50:B1-20"
    assert position.side is Side.WHITE
    assert len(position.legal_moves()) == 9
    assert position.moves == ()
    assert position.previous is None


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_variant_has_its_start(variant) -> None:
    readable = ReadablePosition.start(variant)
    position = Position(variant=variant.name)
    assert position.cells == readable.cells
    assert set(position.legal_moves()) == set(readable.legal_moves())
    assert Position(position.fen(), variant) == position


def test_a_move_leads_to_another_position_and_changes_nothing() -> None:
    start = Position()
    after = start.play("32-28")
    assert start.fen() == "W:W31-50:B1-20"
    assert after.fen() == "B:W28,31,33-50:B1-20"
    assert after.previous is start
    assert after.line_texts(()) == []
    assert after.move == Move(31, 27)


def test_a_line_is_played_move_by_move_in_any_notation() -> None:
    position = Position().play_line(["32-28", "19-23", "28:19", "14x23"])
    assert position.fen() == "W:W31,33-50:B1-13,15-18,20,23"
    assert Position().line_texts(position.moves) == ["32-28", "19-23", "28x19", "14x23"]


def test_two_orders_of_moves_can_lead_to_equal_positions() -> None:
    one = Position().play_line(["32-28", "18-22", "37-32"])
    other = Position().play_line(["32-28", "18-22", "38-32"])
    again = Position().play_line(["32-28", "18-22", "37-32"])
    assert one == again
    assert hash(one) == hash(again)
    assert one != other
    assert one != "a text"


def test_an_illegal_move_names_its_article() -> None:
    position = Position().play("32-28").play("19-23")
    with pytest.raises(IllegalMoveError, match=r"5\.4\.6") as caught:
        position.play("31-27")
    assert caught.value.article == "5.4.6"
    assert position.explain("31-27").article == "5.4.6"
    assert position.explain("28x19") is None


def test_a_move_as_a_value_is_checked_too() -> None:
    with pytest.raises(IllegalMoveError, match=r"5\.4\.2"):
        Position().play(Move(31, 22))
    with pytest.raises(IllegalMoveError, match="has not"):
        Position().play(Move(31, 99))


def test_what_is_no_move_is_told_apart() -> None:
    with pytest.raises(UnreadableMoveError, match="not written as a move"):
        Position().play("hello")
    with pytest.raises(UnreadableMoveError, match="no piece on 25"):
        Position().play("25-20")


def test_a_text_that_fits_two_captures_lists_them() -> None:
    position = Position("W:WK4:B13,20,32,37,K46")
    with pytest.raises(AmbiguousMoveError) as caught:
        position.parse("4x15")
    assert len(caught.value.candidates) == 2
    assert all(position.text(position.parse(text)) == text for text in caught.value.candidates)


def test_a_position_that_the_rules_refuse_names_the_square() -> None:
    with pytest.raises(PositionError, match=r"promotion rank \(1\)"):
        Position("W:W1:B20")
    with pytest.raises(PositionError, match="begins with the side to move"):
        Position("rubbish")
    with pytest.raises(VariantError, match="chess"):
        Position(variant="chess")


def test_the_end_of_a_game_is_told_with_its_reason() -> None:
    lost = Position("W:W:B20")
    assert lost.is_over()
    assert lost.outcome().winner is Side.BLACK
    assert lost.outcome().reason is Reason.NO_PIECE
    assert lost.result() == "0-2"
    assert Position().outcome() is None
    assert Position().result() == "*"


def test_the_third_occurrence_is_a_draw() -> None:
    position = Position("W:WK1,K2:BK50,K49")
    for _ in range(2):
        position = position.play_line(["2-7", "50-45", "7-2", "45-50"])
    assert position.occurrences == 3
    assert position.outcome().reason is Reason.REPETITION
    assert position.outcome().article == "6.1"


def test_squares_can_be_asked_for_by_name() -> None:
    position = Position("W:WKa1,b3:Bc5,Kh8", "turkish")
    assert position.piece_at("a1") == "W"
    assert position.piece_at("c5") == "b"
    assert position.piece_at("d4") is None
    assert position.count(Side.WHITE) == (1, 1)
    with pytest.raises(PositionError, match="no square 'z9'"):
        position.piece_at("z9")


def test_a_position_is_shown_as_a_board() -> None:
    assert str(Position("W:WKa1,b3:Bc5,Kh8", "turkish")).splitlines() == [
        ". . . . . . . B",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . b . . . . .",
        ". . . . . . . .",
        ". w . . . . . .",
        ". . . . . . . .",
        "W . . . . . . .",
    ]
    assert str(Position()).splitlines()[0] == "  b   b   b   b   b"
    assert repr(Position("W:WK4:B13,20", "normal")) == "Position('W:WK4:B13,20', 'international')"


def test_counters_are_part_of_the_fen_where_they_are_asked_for() -> None:
    position = Position("W:WK1,K2:BK50,K49").play("2-7")
    assert position.fen(counters=True) == "B:WK1,K7:BK49,K50:H1"
    assert Position(position.fen(counters=True)) == position


def test_a_position_survives_pickling_with_its_game() -> None:
    position = Position("W:WK1,K2:BK50,K49").play_line(["2-7", "50-45", "7-2", "45-50"])
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.moves == position.moves
    assert again.occurrences == 2
    assert copy.deepcopy(position) == position


def test_the_readable_rules_get_what_can_still_come_back() -> None:
    position = Position("W:WK1,K2,36:BK50,K49").play_line(["36-31", "50-45", "2-7", "45-50"])
    readable = position.readable()
    assert readable.cells == position.cells
    assert (readable.no_progress, readable.occurrences) == (position.no_progress, position.occurrences)
    assert readable.previous.previous.previous.previous is None


def test_leaves_are_counted() -> None:
    assert Position().perft(4) == 4265
    assert Position("W:WKd4,Ke4:BKd5,Ke5", "turkish").perft(4) == 3174


def test_a_board_is_drawn_with_its_last_move() -> None:
    drawing = Position().play("32-28").to_svg(size=300)
    assert drawing.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert drawing.count("tk-last") == 3  # the style, and both ends of the move
    assert drawing.count('class="tk-w"') == drawing.count('class="tk-b"') == 20


@pytest.mark.parametrize("law", [False, True], ids=["kernel", "rules"])
@pytest.mark.parametrize(
    ("variant", "start", "text"),
    [
        ("international", "W:W32:B1", "32-28 32-27"),
        ("international", "W:W28:B22,12", "28x8"),
        ("turkish", "W:Wa3:Bh8", "a3-a4 a3-b3"),
        ("croda", "W:WKh1:Bh4", "h1xh5 h1xh6 h1xh7 h1xh8"),
    ],
)
def test_a_move_is_printed_as_people_write_it(law: bool, variant: str, start: str, text: str) -> None:
    position = fen.read(variant_named(variant), start) if law else Position(start, variant=variant)
    moves = position.legal_moves()
    assert sorted(map(str, moves)) == sorted(text.split())
    assert sorted(map(str, pickle.loads(pickle.dumps(moves)))) == sorted(text.split())
