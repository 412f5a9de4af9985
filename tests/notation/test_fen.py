"""Positions as text: FEN and the form of the Hub protocol."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.strategies import anywhere

from turkengine.errors import PositionError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP, VARIANTS
from turkengine.notation import fen, moves
from turkengine.notation.hub import read_hub, write_hub
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

TURKISH_START = "W:Wa3,b3,c3,d3,e3,f3,g3,h3,a2,b2,c2,d2,e2,f2,g2,h2:Ba7,b7,c7,d7,e7,f7,g7,h7,a6,b6,c6,d6,e6,f6,g6,h6"

# --- Round trips ---


@settings(deadline=None)
@given(anywhere())
def test_fen_reads_back_as_the_same_placement_and_side(position: Position) -> None:
    read = fen.read(position.variant, fen.write(position))
    assert (read.cells, read.side) == (position.cells, position.side)
    assert fen.write(read) == fen.write(position)


@settings(deadline=None)
@given(anywhere())
def test_the_counter_of_the_nearest_draw_reads_back_too(position: Position) -> None:
    read = fen.read(position.variant, fen.write_counted(position))
    if position.material_limit is None:
        assert read == position
    else:
        assert (read.cells, read.material_plies) == (position.cells, position.material_plies)
    assert fen.write_counted(read) == fen.write_counted(position)


@settings(deadline=None)
@given(anywhere())
def test_the_hub_form_reads_back_as_the_same_placement_and_side(position: Position) -> None:
    read = read_hub(position.variant, write_hub(position))
    assert (read.cells, read.side) == (position.cells, position.side)


@settings(deadline=None)
@given(st.sampled_from(VARIANTS), st.text(alphabet="WBwbKHFe0123456789abcdefgh,:.- \n", max_size=70))
def test_any_text_is_a_position_or_one_line_that_says_why_not(variant: Variant, text: str) -> None:
    for read in (fen.read, read_hub):
        position, refusal = None, ""
        try:
            position = read(variant, text)
        except PositionError as error:
            refusal = str(error)
        assert "\n" not in refusal
        assert position is None or fen.read(variant, fen.write(position)).cells == position.cells


# --- FEN ---


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (INTERNATIONAL, "W:W31-50:B1-20"),
        (TURKISH, TURKISH_START),
        (TURKISH_APP, TURKISH_START),
    ],
)
def test_the_start_is_written_so(variant: Variant, text: str) -> None:
    assert fen.write(Position.start(variant)) == text


def test_three_men_in_a_row_are_listed_and_four_make_a_range() -> None:
    start = fen.read(INTERNATIONAL, "W:WK2,25:B14,15,16")
    after = start.play(moves.read(start, "25-20"))
    assert fen.write(after) == "B:WK2,20:B14,15,16"
    assert fen.write(fen.read(INTERNATIONAL, "B:WK2,20:B14,15,16,17,19")) == "B:WK2,20:B14-17,19"


def test_kings_are_written_one_by_one_and_interrupt_a_range() -> None:
    text = "W:WK31,K32,K33,K34:B1,2,K3,4,5"
    assert fen.write(fen.read(INTERNATIONAL, text)) == text


@pytest.mark.parametrize(
    ("variant", "text", "canonical"),
    [
        (INTERNATIONAL, "B:B1-20:W31-50", "B:W31-50:B1-20"),  # colours in any order
        (INTERNATIONAL, "W:W31-50:B1-20.", "W:W31-50:B1-20"),
        (INTERNATIONAL, " W : W 31 - 50 : B 1-20 . \n", "W:W31-50:B1-20"),
        (INTERNATIONAL, "W:WK32,K27,K14:BK28,16,K13.", "W:WK14,K27,K32:BK13,16,K28"),  # any order of squares
        (INTERNATIONAL, "w:W07,031:B1", "W:W7,31:B1"),
        (INTERNATIONAL, "W:WK1-3:BK46-K48", "W:WK1,K2,K3:BK46,K47,K48"),
        (INTERNATIONAL, "W:W6:B", "W:W6:B"),
        (INTERNATIONAL, "W:W:B", "W:W:B"),
        (INTERNATIONAL, "W:W27,28,29:B12:H0:F1", "W:W27,28,29:B12"),
        (TURKISH, "W:WKd4,A3:Ba7", "W:WKd4,a3:Ba7"),
        (CRODA, "B:W:BKf8,h8,h7,g6", "B:W:BKf8,h8,h7,g6"),
    ],
)
def test_other_ways_to_write_are_read(variant: Variant, text: str, canonical: str) -> None:
    assert fen.write(fen.read(variant, text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "Fen: B:WK31,32:B1-5:H3",
        "fen B:WK31,32:B1-5:H3",
        "FEN=B:WK31,32:B1-5:H3",
        "position fen B:WK31,32:B1-5:H3",
        '[FEN "B:WK31,32:B1-5:H3"]',
        '/FEN "B:WK31,32:B1-5:H3"/',
        ' [fen "B:WK31,32:B1-5:H3."] ',
        '"B:WK31,32:B1-5:H3"',
        "'B:WK31,32:B1-5:H3'",
        "B:WK31,32:B1-5:H3;",
        "B:WK31,32:B1-5:H3:F12.",
        "B:WK31,32:B1-5:H3 # shot 1 for 3: 28-22",
        "B:WK31,32:B1-5:H3 #",
        "b:wk31,32:b1-5:h3",
        "B: W K31, 32: B 1-5: H3",
        "B:Wk31,32:B1,2,3,4,5:H3",
        "B:WK31,32:B1-5 3 40",
        "B:WK31,32:B1-5. 3 40",
        "B:WK31,32:B1\u20135:H3",
        "\ufeffB:WK31,32:B1-5:H3",
        "B:WK31,\u00a032:B1-5:H3",
    ],
)
def test_a_fen_is_read_as_programs_print_it(text: str) -> None:
    assert fen.write_counted(fen.read(INTERNATIONAL, text)) == "B:WK31,32:B1-5:H3"


@pytest.mark.parametrize("around", ["{}", '"{}"', "pos={}", "pos pos={}", "{} # start"])
def test_the_position_of_the_hub_protocol_is_read_where_a_fen_is(around: str) -> None:
    for variant in VARIANTS:
        start = Position.start(variant)
        assert fen.read(variant, around.format(write_hub(start))).cells == start.cells


def test_one_count_is_that_of_the_moves_and_says_nothing_about_the_position() -> None:
    assert fen.write_counted(fen.read(INTERNATIONAL, "W:W31:B4 5")) == "W:W31:B4"
    assert fen.write_counted(fen.read(TURKISH, "w:wka1:bh8 7 30")) == "W:WKa1:Bh8:H7"


@pytest.mark.parametrize("piece", [" ", "9", "1 ", "[", '"', "#", ":", "fen ", "position ", "-", "W:", "K", ","])
def test_a_text_of_any_length_is_refused_at_once(piece: str) -> None:
    with pytest.raises(PositionError):
        fen.read(INTERNATIONAL, "W:W31:B" + piece * (1_000_000 // len(piece)) + "?")


def test_the_half_moves_count_towards_the_nearest_draw() -> None:
    assert fen.parse(INTERNATIONAL, "W:W31-50:B1-20:H12:F30").no_progress == 12
    against_a_lone_king = fen.parse(INTERNATIONAL, "W:WK46,K47,31:BK5:H12:F80")
    assert (against_a_lone_king.no_progress, against_a_lone_king.material_plies) == (0, 12)
    assert fen.parse(TURKISH, "W:WKa1,Ka2:BKh8:H12").no_progress == 12


def test_the_plain_values_make_the_position() -> None:
    setup = fen.parse(INTERNATIONAL, "B:W28:B22:H3")
    assert setup.side is Side.BLACK
    assert setup.position(INTERNATIONAL) == fen.read(INTERNATIONAL, "B:W28:B22:H3")


@pytest.mark.parametrize(
    ("variant", "text", "message"),
    [
        (INTERNATIONAL, "", "a FEN begins with the side to move, 'W:' or 'B:', not with ''"),
        (INTERNATIONAL, "?:W31:B1", "a FEN begins with the side to move, 'W:' or 'B:', not with '?'"),
        (INTERNATIONAL, "W:B:WK2,20:B14,15,16", "the FEN has two fields 'B'; each is given once"),
        (INTERNATIONAL, "W:W31", "the FEN lacks the field 'B'; write ':B' for a side without a piece"),
        (INTERNATIONAL, "W::", "the FEN field '' is unknown; there are W, B, H and F"),
        (INTERNATIONAL, "W:W31:B1:+0+0", "the FEN field '+0+0' is unknown; there are W, B, H and F"),
        (INTERNATIONAL, "W:W51:B1", "there is no square '51'; the squares are 1 to 50"),
        (INTERNATIONAL, "W:Wa1:B1", "there is no square 'a1'; the squares are 1 to 50"),
        (INTERNATIONAL, "W:W31,:B1", "there is no square ''; the squares are 1 to 50"),
        (INTERNATIONAL, "W:WG31:B1", "there is no square 'G31'; the squares are 1 to 50"),
        (INTERNATIONAL, "W:W31:B31", "square 31 is given twice; it holds one piece"),
        (INTERNATIONAL, "W:W50-31:B1", "the range '50-31' runs backwards; write the lower square first"),
        (INTERNATIONAL, "W:W3:B20", "White has a man on its promotion rank (3); make it a king"),
        (INTERNATIONAL, "W:W30-50:B1", "White has 21 pieces; international allows 20"),
        (INTERNATIONAL, "W:W31:B1:H-3", "the FEN field 'H-3' takes a number of at most six digits"),
        (INTERNATIONAL, "W:W31:B1:H", "the FEN field 'H' takes a number of at most six digits"),
        (INTERNATIONAL, "W:W31:B1:F1234567", "the FEN field 'F1234567' takes a number of at most six digits"),
        (TURKISH, "W:Wa1-a4:Bh8", "the range 'a1-a4' needs numbered squares; list these one by one"),
        (TURKISH, "W:W9:Bh8", "there is no square '9'; the squares are a1 to h8"),
        (TURKISH, "W:Wi9:Bh8", "there is no square 'i9'; the squares are a1 to h8"),
        (TURKISH, "W:Wa3:Bh1", "Black has a man on its promotion rank (h1); make it a king"),
    ],
)
def test_a_fen_is_refused_with_the_culprit_and_the_cure(variant: Variant, text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        fen.read(variant, text)
    assert str(caught.value) == message


def test_a_long_text_is_cut_short_in_the_message() -> None:
    with pytest.raises(PositionError) as caught:
        fen.read(INTERNATIONAL, "W:W" + "9" * 10_000)
    assert len(str(caught.value)) < 120


# --- The form of the Hub protocol ---


def test_the_start_in_hub_form() -> None:
    assert write_hub(Position.start(INTERNATIONAL)) == "W" + "b" * 20 + "e" * 10 + "w" * 20
    assert write_hub(Position.start(TURKISH)) == "W" + "e" * 8 + "b" * 16 + "e" * 16 + "w" * 16 + "e" * 8


def test_the_small_board_is_written_from_a8() -> None:
    position = fen.read(CRODA, "B:WKa8,a1:Bh8,Kh1")
    assert write_hub(position) == "BWeeeeeeb" + "e" * 48 + "weeeeeeB"


@pytest.mark.parametrize(
    ("variant", "text", "message"),
    [
        (INTERNATIONAL, "", "a position begins with the side to move, 'W' or 'B', not with ''"),
        (INTERNATIONAL, "x" * 51, "a position begins with the side to move, 'W' or 'B', not with 'x'"),
        (INTERNATIONAL, "Wbe", "a position of international has 50 letters after the side to move, not 2"),
        (TURKISH, "W" + "e" * 50, "a position of turkish has 64 letters after the side to move, not 50"),
        (TURKISH, "Wx" + "e" * 63, "square a8 holds 'x'; it takes one of w b W B e"),
        (TURKISH, "Ww" + "e" * 63, "White has a man on its promotion rank (a8); make it a king"),
        (INTERNATIONAL, "W" + "b" * 21 + "e" * 29, "Black has 21 pieces; international allows 20"),
    ],
)
def test_a_hub_position_is_refused_with_the_culprit(variant: Variant, text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_hub(variant, text)
    assert str(caught.value) == message
