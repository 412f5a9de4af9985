"""Wins, losses and draws, rule by rule, and what the counters count."""

from __future__ import annotations

import pytest

from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP, VARIANTS
from turkengine.notation import fen, moves
from turkengine.rules.outcome import Outcome, Reason, outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

WHITE, BLACK = Side.WHITE, Side.BLACK


def after(position: Position, line: str) -> Position:
    for text in line.split():
        position = position.play(moves.read(position, text))
    return position


def end_of(variant: Variant, position: str, line: str = "") -> Outcome | None:
    return outcome(after(fen.read(variant, position), line))


# --- Wins ---


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_game_goes_on_at_the_start(variant: Variant) -> None:
    assert outcome(Position.start(variant)) is None


@pytest.mark.parametrize("side", "WB")
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_side_without_a_piece_has_lost_whoever_is_to_move(variant: Variant, side: str) -> None:
    king = "K" + variant.board.names[20]
    assert end_of(variant, f"{side}:W{king}:B") == Outcome(WHITE, Reason.NO_PIECE)
    assert end_of(variant, f"{side}:W:B{king}") == Outcome(BLACK, Reason.NO_PIECE)


def test_a_side_without_a_legal_move_loses_only_when_it_is_to_move() -> None:
    assert end_of(INTERNATIONAL, "W:W6:B1") == Outcome(BLACK, Reason.NO_MOVE)
    assert end_of(INTERNATIONAL, "B:W6:B1") is None
    assert end_of(TURKISH, "W:Wa6:BKa8,a7,b6,c6") == Outcome(BLACK, Reason.NO_MOVE)


def test_the_last_capture_wins_at_once() -> None:
    assert end_of(TURKISH, "B:Wa6:BKa8,a7,b6,c6", "a7xa5") == Outcome(BLACK, Reason.NO_PIECE)


@pytest.mark.parametrize(
    ("variant", "position"),
    [
        (INTERNATIONAL, "W:W:BK5:H10"),  # the count against a lone king would draw
        (INTERNATIONAL, "B:W6:B:H50"),  # the count of king moves would draw
        (TURKISH, "W:Wa6:BKa7,Kb6,Kc6,Ka8:H100"),  # no progress would draw
        (TURKISH, "W:WKa1:B"),
    ],
)
def test_a_loss_goes_before_a_draw_on_the_same_ply(variant: Variant, position: str) -> None:
    end = end_of(variant, position)
    assert end is not None
    assert end.winner is not None


# --- The lone man of the app's Turkish ---


def test_several_men_and_nothing_else_win_against_one_man() -> None:
    assert end_of(TURKISH_APP, "W:Wa3,b3:Bg6") == Outcome(WHITE, Reason.LONE_MAN)
    assert end_of(TURKISH_APP, "B:Wa3,b3:Bg6") == Outcome(WHITE, Reason.LONE_MAN)
    assert end_of(TURKISH_APP, "B:Wa3:Bg6,h6,f6") == Outcome(BLACK, Reason.LONE_MAN)


@pytest.mark.parametrize(
    "position",
    [
        "B:Wa3,g5:Bg6",  # the lone man is on move and captures
        "W:WKa3,b3:Bg6",  # a king among the men
        "W:Wa3,b3:BKg6",  # the lone piece is a king
        "W:Wa3,b3:Bg6,h6",  # two men against two
    ],
)
def test_but_not_here(position: str) -> None:
    assert end_of(TURKISH_APP, position) is None


def test_the_lone_man_loses_although_it_could_capture_were_it_on_move() -> None:
    assert end_of(TURKISH_APP, "W:Wa3,g5:Bg6") == Outcome(WHITE, Reason.LONE_MAN)


def test_the_lone_man_that_captures_one_of_two_is_drawn() -> None:
    assert end_of(TURKISH_APP, "B:Wa3,g5:Bg6", "g6xg4") == Outcome(None, Reason.ONE_PIECE_EACH)


def test_the_other_games_know_nothing_of_lone_men() -> None:
    assert end_of(TURKISH, "B:Wa3,b3:Bg6") is None
    assert end_of(CRODA, "B:Wa3,b3:Bg6") is None


# --- One piece each ---


@pytest.mark.parametrize("variant", [TURKISH, TURKISH_APP], ids=["turkish", "turkish-app"])
@pytest.mark.parametrize("position", ["W:WKd4:Ba7", "W:Wd4:Bd6", "W:WKd4:BKd8"])
def test_one_piece_each_is_a_draw_whatever_the_kinds(variant: Variant, position: str) -> None:
    assert end_of(variant, position) == Outcome(None, Reason.ONE_PIECE_EACH)
    assert end_of(CRODA, position) is None


@pytest.mark.parametrize("position", ["B:WKd4:BKd8", "W:WKd4:BKg4", "W:Wd4:Bd5"])
def test_unless_the_side_to_move_can_capture(position: str) -> None:
    assert end_of(TURKISH, position) is None


# --- Repetition ---


@pytest.mark.parametrize(
    ("variant", "position", "cycle"),
    [
        (INTERNATIONAL, "W:WK46,K47,K48,6:BK3,K4", "48-43 3-8 43-48 8-3"),
        (TURKISH, "W:WKa1,a3:BKh8,h6", "a1-a2 h8-h7 a2-a1 h7-h8"),
        (TURKISH, "W:WKa1,c3:BKh8,h6", "c3-d3 h8-h7 d3-c3 h7-h8"),  # men step back and forth sideways
        (CRODA, "W:WKa1,a3:BKh8,h6", "a1-a2 h8-h7 a2-a1 h7-h8"),
    ],
)
def test_the_third_occurrence_with_the_same_side_to_move_draws(variant: Variant, position: str, cycle: str) -> None:
    twice = after(fen.read(variant, position), cycle)
    assert twice.occurrences == 2
    assert outcome(twice) is None
    article = "6.1" if variant is INTERNATIONAL else ""  # the other games' rules count no articles
    assert end_of(variant, position, f"{cycle} {cycle}") == Outcome(None, Reason.REPETITION, article)


def test_the_same_placement_with_the_other_side_to_move_is_another_position() -> None:
    start = fen.read(CRODA, "W:WKa1:BKh8")
    # White loses a move: the placement comes back with Black to move.
    triangle = after(start, "a1-a2 h8-h7 a2-b2 h7-h8 b2-b1 h8-g8 b1-a1 g8-h8 a1-a2 h8-h7 a2-a1")
    assert triangle.occurrences == 1
    assert after(triangle, "h7-h8").occurrences == 3


def test_a_set_up_position_is_its_own_first_occurrence() -> None:
    position = fen.read(CRODA, "W:WKa1:BKh8:H40")
    assert position.occurrences == 1
    assert after(position, "a1-a2 h8-h7 a2-a1 h7-h8").occurrences == 2


# --- 25 moves each by kings only (6.2) ---

KINGS = "W:WK46,K47,31:BK5,K4"


def test_fifty_plies_of_kings_draw_in_international() -> None:
    assert end_of(INTERNATIONAL, f"{KINGS}:H49") is None
    assert end_of(INTERNATIONAL, f"{KINGS}:H49", "47-42") == Outcome(None, Reason.KINGS_ONLY, "6.2")


@pytest.mark.parametrize(
    ("position", "move", "plies"),
    [
        (KINGS, "47-42", 31),  # a king's move counts
        (KINGS, "31-27", 0),  # a man's move restarts
        ("W:WK46,7:BK5,K4", "7-1", 0),  # so does a promotion
        ("W:WK46,K47,33:BK5,28,K4", "33x22", 0),  # and a capture
    ],
)
def test_what_restarts_the_count_of_kings(position: str, move: str, plies: int) -> None:
    assert after(fen.read(INTERNATIONAL, f"{position}:H30"), move).no_progress == plies


def test_the_option_does_not_move_a_limit_that_is_a_rule() -> None:
    position = fen.read(INTERNATIONAL, f"{KINGS}:H50")
    assert outcome(position, no_progress=0) == outcome(position, no_progress=400) == outcome(position)
    assert outcome(position) is not None


# --- 16 and 5 moves against a lone king (6.3, 6.4) ---


@pytest.mark.parametrize("strong", ["WK46,K47,K48", "WK46,K47,31", "WK46,36,31"])
def test_sixteen_moves_each_against_a_lone_king(strong: str) -> None:
    assert end_of(INTERNATIONAL, f"W:{strong}:BK45:H31") is None
    assert end_of(INTERNATIONAL, f"W:{strong}:BK45:H32") == Outcome(None, Reason.SIXTEEN_MOVES, "6.3")


@pytest.mark.parametrize("strong", ["WK46,K47", "WK46,31", "WK46"])
def test_five_moves_each_against_a_lone_king(strong: str) -> None:
    assert end_of(INTERNATIONAL, f"B:{strong}:BK45:H9") is None
    assert end_of(INTERNATIONAL, f"B:{strong}:BK45:H10") == Outcome(None, Reason.FIVE_MOVES, "6.4")


def test_black_may_be_the_strong_side() -> None:
    assert end_of(INTERNATIONAL, "W:WK45:BK1,K2,20:H32") == Outcome(None, Reason.SIXTEEN_MOVES, "6.3")


@pytest.mark.parametrize("balance", ["WK46,K47,K48,K49:BK45", "W46,47,48:BK45", "WK46,K47:B20", "WK46,K47:BK45,K1"])
def test_other_balances_are_not_counted(balance: str) -> None:
    position = fen.read(INTERNATIONAL, f"W:{balance}:H20")
    assert position.material_limit is None
    assert (position.no_progress, position.material_plies) == (20, 0)


@pytest.mark.parametrize(
    ("position", "line", "plies"),
    [
        ("W:WK46,K47,31:BK45", "46-41", 21),  # a king's move
        ("W:WK46,K47,31:BK45", "31-27", 21),  # a man's move
        ("W:WK46,K47,7:BK45", "7-1", 21),  # a promotion to a balance of the same group
        ("W:WK46,7:BK45", "7-1", 21),
    ],
)
def test_the_count_goes_on_within_a_group(position: str, line: str, plies: int) -> None:
    assert after(fen.read(INTERNATIONAL, f"{position}:H20"), line).material_plies == plies


def test_the_move_that_creates_the_balance_is_not_counted() -> None:
    created = after(fen.read(INTERNATIONAL, "W:WK46,K47,33:BK45,28"), "33x22")
    assert created.material_limit is not None
    assert created.material_limit.plies == 32
    assert created.material_plies == 0
    assert after(created, "45-40").material_plies == 1


def test_entering_the_five_from_the_sixteen_starts_the_five() -> None:
    position = fen.read(INTERNATIONAL, "B:WK46,K6,31:BK36:H20")
    assert position.material_plies == 20
    entered = after(position, "36x27")
    assert entered.material_limit is not None
    assert entered.material_limit.plies == 10
    assert entered.material_plies == 0


def test_one_balance_of_the_five_becoming_another_goes_on() -> None:
    position = fen.read(INTERNATIONAL, "B:WK46,31:BK36:H4")
    assert after(position, "36x27").material_plies == 5


def test_the_other_games_do_not_count_against_a_lone_king() -> None:
    assert end_of(CRODA, "W:WKa1,Ka2:BKh8:H99") is None
    assert end_of(TURKISH, "W:WKa1,Ka2:BKh8:H99") is None


# --- The no-progress option of the games on all squares ---


@pytest.mark.parametrize("variant", [TURKISH, TURKISH_APP, CRODA], ids=lambda variant: variant.name)
def test_a_hundred_plies_without_progress_draw_by_convention(variant: Variant) -> None:
    assert end_of(variant, "W:WKa1,a3:BKh8,h6:H99") is None
    assert end_of(variant, "W:WKa1,a3:BKh8,h6:H99", "a1-a2") == Outcome(None, Reason.NO_PROGRESS, "convention")


def test_the_option_moves_the_limit_or_takes_it_away() -> None:
    position = fen.read(TURKISH, "W:WKa1,a3:BKh8,h6:H100")
    assert outcome(position, no_progress=0) is None
    assert outcome(position, no_progress=101) is None
    assert outcome(position, no_progress=40) == Outcome(None, Reason.NO_PROGRESS, "convention")


@pytest.mark.parametrize(
    ("variant", "move", "plies"),
    [
        (TURKISH, "a1-a2", 31),
        (TURKISH, "d3-e3", 31),  # sideways shuffling never ends
        (TURKISH, "d3-d4", 0),
        (CRODA, "a1-a2", 31),
        (CRODA, "d3-d4", 0),
        (CRODA, "d3-e4", 0),  # a diagonal step goes forward too
    ],
)
def test_what_restarts_the_count_without_progress(variant: Variant, move: str, plies: int) -> None:
    assert after(fen.read(variant, "W:WKa1,d3:BKh8,h6:H30"), move).no_progress == plies


def test_a_capture_restarts_the_count_without_progress() -> None:
    assert after(fen.read(TURKISH, "W:WKa1,d3:BKh8,h6,a6:H30"), "a1xa7").no_progress == 0


def test_a_position_without_counters_starts_at_zero() -> None:
    position = fen.read(INTERNATIONAL, "W:WK46,K47,K48:BK45")
    assert (position.no_progress, position.material_plies) == (0, 0)
