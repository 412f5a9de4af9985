"""The manners of the kernel's positions: frozen values that count what the draw rules need, however long the game."""

from __future__ import annotations

from typing import Any

import pytest
from kernel import positions
from rules.strategies import by_name, every_variant

from turkengine import kernel
from turkengine.errors import PositionError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP
from turkengine.notation import fen, moves
from turkengine.rules.outcome import Outcome, Reason
from turkengine.rules.variant import Side, Variant

KINGS = {  # and four plies that lead back to the same position
    INTERNATIONAL: ("W:WK47,K48:BK3,K4", "48-42 3-8 42-48 8-3"),
    CRODA: ("W:WKa1:BKh8", "a1-a2 h8-h7 a2-a1 h7-h8"),
}


def play(position: Any, line: str) -> Any:
    for text in line.split():
        position = position.play(moves.read(position, text))
    return position


# Values


@every_variant
def test_a_position_never_changes(variant: Variant) -> None:
    start = positions.start(variant)
    before = start.cells, start.side, start.key, start.no_progress, start.evaluate()
    after = start.play(start.legal_moves()[0])
    assert after.side is variant.begins.opponent
    assert (start.cells, start.side, start.key, start.no_progress, start.evaluate()) == before


@pytest.mark.parametrize("name", ["cells", "side", "key", "no_progress", "material_plies", "variant", "colour"])
def test_nothing_of_a_position_can_be_set(name: str) -> None:
    with pytest.raises((AttributeError, TypeError)):
        setattr(positions.start(TURKISH), name, 1)


def test_positions_with_the_same_board_side_and_counts_are_equal_whatever_the_game_before() -> None:
    position, cycle = KINGS[CRODA]
    played = positions.read(CRODA, position, cycle)
    set_up = positions.read(CRODA, position + ":H4")
    assert played == set_up
    assert hash(played) == hash(set_up)
    assert len({played, set_up}) == 1
    assert (played.occurrences, set_up.occurrences) == (2, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("W:WKa1:BKh8", "B:WKa1:BKh8"),
        ("W:WKa1:BKh8", "W:Wa1:BKh8"),
        ("W:WKa1:BKh8", "W:WKa2:BKh8"),
        ("W:WKa1:BKh8", "W:WKh8:BKa1"),
        ("W:WKa1:BKh8", "W:WKa1:BKh8:H1"),
        ("W:WKa1:BKh8", "W:WKa1,a2:BKh8"),
    ],
)
def test_positions_that_differ_in_anything_are_not_equal(one: str, other: str) -> None:
    assert positions.read(CRODA, one) != positions.read(CRODA, other)
    assert positions.read(CRODA, one) == positions.read(CRODA, one)


def test_the_plies_against_a_lone_king_tell_positions_apart() -> None:
    assert positions.read(INTERNATIONAL, "W:WK46:BK5:H3") != positions.read(INTERNATIONAL, "W:WK46:BK5:H4")


def test_a_position_equals_nothing_of_another_kind() -> None:
    start = positions.start(TURKISH)
    assert start != "turkish"
    assert start != start.cells
    assert positions.start(TURKISH) != positions.start(TURKISH_APP)


def test_keys_are_those_of_the_board_and_the_side_alone() -> None:
    assert positions.read(CRODA, "W:WKa1:BKh8").key == positions.read(CRODA, "W:WKa1:BKh8:H30").key
    assert positions.read(CRODA, "W:WKa1:BKh8").key != positions.read(CRODA, "B:WKa1:BKh8").key


@every_variant
def test_the_keys_of_the_positions_after_three_plies_differ_as_the_positions_do(variant: Variant) -> None:
    reached = [positions.start(variant)]
    for _ in range(3):
        reached = [position.play(move) for position in reached for move in position.legal_moves()]
    assert len({position.key for position in reached}) == len({position.cells for position in reached})


def test_a_position_shows_how_to_make_it_again() -> None:
    shown = repr(positions.read(TURKISH, "B:WKd4:BKd8:H7"))
    cells = "e" * 27 + "W" + "e" * 31 + "B" + "e" * 4
    assert shown == f"Position('turkish', '{cells}', Side.BLACK, no_progress=7, material_plies=0)"


def test_a_position_counts_kings_and_men() -> None:
    position = positions.read(TURKISH, "B:WKd4,a2,b2:BKd8,Kh8")
    assert position.count(Side.WHITE) == (1, 2)
    assert position.count(Side.BLACK) == (2, 0)


# What is refused


def refused(variant: Variant, cells: str) -> str:
    with pytest.raises(PositionError) as caught:
        kernel.load(variant).Position.from_cells(cells, Side.WHITE)
    return str(caught.value)


def test_a_position_of_another_size_is_refused() -> None:
    assert refused(TURKISH, "e" * 50) == "a position of turkish has 64 squares, not 50"


def test_a_letter_that_is_no_piece_is_refused_with_its_square() -> None:
    assert refused(INTERNATIONAL, "e" * 49 + "x") == "square 50 holds 'x'; it takes one of w b W B e"


def test_a_man_on_its_promotion_rank_is_refused_with_its_square() -> None:
    assert refused(CRODA, "e" * 63 + "w") == "White has a man on its promotion rank (h8); make it a king"
    assert refused(CRODA, "eb" + "e" * 62) == "Black has a man on its promotion rank (b1); make it a king"


def test_more_pieces_than_a_side_starts_with_are_refused_with_their_number() -> None:
    assert refused(TURKISH, "W" * 17 + "e" * 47) == "White has 17 pieces; turkish allows 16"
    assert refused(INTERNATIONAL, "B" * 21 + "e" * 29) == "Black has 21 pieces; international allows 20"


@pytest.mark.parametrize("cells", [None, 3, ["e"] * 64, b"e" * 64])
def test_cells_that_are_no_text_are_refused(cells: object) -> None:
    with pytest.raises(TypeError):
        kernel.load(TURKISH).Position.from_cells(cells, Side.WHITE)


@every_variant
def test_a_board_without_any_piece_is_a_position(variant: Variant) -> None:
    position = kernel.load(variant).Position.from_cells("e" * variant.board.size, Side.WHITE)
    assert position.legal_moves() == []
    assert position.evaluate() == position.evaluate()
    assert position.outcome() == Outcome(Side.BLACK, Reason.NO_PIECE)


# Counting


@pytest.mark.parametrize("variant", list(KINGS), ids=by_name)
def test_the_third_occurrence_draws(variant: Variant) -> None:
    position, cycle = KINGS[variant]
    twice = positions.read(variant, position, cycle)
    thrice = play(twice, cycle)
    assert (twice.occurrences, thrice.occurrences) == (2, 3)
    assert twice.outcome() is None
    assert thrice.outcome() == Outcome(None, Reason.REPETITION, variant.repetition_article)


def test_the_same_board_with_the_other_side_to_move_is_another_occurrence() -> None:
    line = "a1-a2 h8-h7 a2-b2 h7-h8 b2-b1 h8-g8 b1-a1 g8-h8 a1-a2 h8-h7 a2-a1"
    triangle = positions.read(CRODA, "W:WKa1:BKh8", line)
    assert triangle.occurrences == 1
    assert play(triangle, "h7-h8").occurrences == 3


def test_what_cannot_come_back_is_forgotten() -> None:
    before = positions.read(TURKISH, "W:WKa1,d3:BKh8,h6", "a1-a2 h8-g8 a2-a1 g8-h8 a1-a2 h8-g8 a2-a1 g8-h8")
    assert before.occurrences == 3
    after = play(before, "d3-d4 h8-g8 a1-a2 g8-h8 a2-a1 h8-g8")
    assert after.occurrences == 2


@pytest.mark.parametrize(
    ("variant", "position", "move", "reason"),
    [
        (INTERNATIONAL, "W:WK46,K47,31:BK5,K4:H49", "47-42", Reason.KINGS_ONLY),
        (INTERNATIONAL, "W:WK46,K47,K48:BK45:H31", "48-43", Reason.SIXTEEN_MOVES),
        (INTERNATIONAL, "W:WK46,K47,31:BK45:H31", "31-27", Reason.SIXTEEN_MOVES),
        (INTERNATIONAL, "W:WK46,36,31:BK45:H31", "46-41", Reason.SIXTEEN_MOVES),
        (INTERNATIONAL, "W:WK46,K47:BK45:H9", "47-42", Reason.FIVE_MOVES),
        (INTERNATIONAL, "W:WK46,31:BK45:H9", "31-27", Reason.FIVE_MOVES),
        (INTERNATIONAL, "W:WK45:BK1,K2,20:H31", "45-50", Reason.SIXTEEN_MOVES),
        (TURKISH, "W:WKa1,a3:BKh8,h6:H99", "a1-a2", Reason.NO_PROGRESS),
        (TURKISH_APP, "W:WKa1,a3:BKh8,h6:H99", "a3-b3", Reason.NO_PROGRESS),
        (CRODA, "W:WKa1,a3:BKh8,h6:H99", "a1-a2", Reason.NO_PROGRESS),
    ],
)
def test_a_count_of_plies_draws_with_its_last_one(variant: Variant, position: str, move: str, reason: Reason) -> None:
    before = positions.read(variant, position)
    assert before.outcome() is None
    end = play(before, move).outcome()
    assert end is not None
    assert (end.winner, end.reason) == (None, reason)


@pytest.mark.parametrize(
    ("variant", "position", "move", "plies"),
    [
        (INTERNATIONAL, "W:WK46,K47,31:BK5,K4:H30", "31-27", 0),  # a man
        (INTERNATIONAL, "W:WK46,7:BK5,K4:H30", "7-1", 0),  # a promotion
        (INTERNATIONAL, "W:WK46,K47,33:BK5,28,K4:H30", "33x22", 0),  # a capture
        (INTERNATIONAL, "W:WK46,K47,31:BK5,K4:H30", "46-41", 31),
        (TURKISH, "W:WKa1,d3:BKh8,h6:H30", "d3-d4", 0),
        (TURKISH, "W:WKa1,d3:BKh8,h6:H30", "d3-e3", 31),  # sideways
        (CRODA, "W:WKa1,d3:BKh8,h6:H30", "d3-e4", 0),
    ],
)
def test_what_counts_as_progress(variant: Variant, position: str, move: str, plies: int) -> None:
    assert positions.read(variant, position, move).no_progress == plies


@pytest.mark.parametrize(
    ("position", "move", "plies"),
    [
        ("W:WK46,K47,7:BK45:H20", "7-1", 21),  # within the group of 6.3
        ("W:WK46,7:BK45:H4", "7-1", 5),  # within the group of 6.4
        ("B:WK46,K6,31:BK36:H20", "36x27", 0),  # from 6.3 to 6.4
        ("B:WK46,31:BK36:H4", "36x27", 5),  # to king against king, still 6.4
        ("W:WK46,K47,33:BK45,28", "33x22", 0),  # the move that creates the balance
    ],
)
def test_the_plies_against_a_lone_king_go_on_within_a_group(position: str, move: str, plies: int) -> None:
    assert positions.read(INTERNATIONAL, position, move).material_plies == plies


def test_the_option_moves_the_limit_only_where_it_is_one() -> None:
    turkish = positions.read(TURKISH, "W:WKa1,a3:BKh8,h6:H40")
    assert turkish.outcome() is turkish.outcome(0) is turkish.outcome(41) is None
    assert turkish.outcome(40) == Outcome(None, Reason.NO_PROGRESS, "convention")
    international = positions.read(INTERNATIONAL, "W:WK46,K47,31:BK5,K4:H50")
    assert international.outcome(0) == international.outcome() == Outcome(None, Reason.KINGS_ONLY, "6.2")


@pytest.mark.parametrize("plies", [32_767, 32_768, 100_000])
def test_a_count_may_be_as_long_as_a_position_on_the_wire_can_say(plies: int) -> None:
    counted = positions.read(INTERNATIONAL, f"W:WK46,K47:BK45:H{plies}")
    assert counted.material_plies == plies
    assert counted.outcome() == Outcome(None, Reason.FIVE_MOVES, "6.4")
    assert positions.read(CRODA, f"W:WKa1:BKh8:H{plies}").no_progress == plies


# Long games


@pytest.mark.parametrize("variant", list(KINGS), ids=by_name)
def test_a_game_of_a_hundred_thousand_plies_can_be_played_and_dropped(variant: Variant) -> None:
    text, cycle = KINGS[variant]
    position = positions.repeat(positions.read(variant, text), cycle, times=25_000)
    assert position.no_progress == 100_000
    assert position.occurrences == 25_001
    assert fen.write(position) == text
    del position  # and with it every position before, one after another


def test_a_lone_king_may_be_chased_for_longer_than_any_rule_counts() -> None:
    position = positions.repeat(positions.read(INTERNATIONAL, "W:WK46:BK45"), "46-41 45-50 41-46 50-45", times=10_000)
    assert position.material_plies == 40_000
    assert position.outcome() == Outcome(None, Reason.REPETITION, "6.1")
