"""What the search makes of positions whose value is known: forced wins, and draws by every rule.

Distances are compared with a solver that tries every move; draws are set one ply before the rule that makes them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from kernel import positions
from kernel.searching import WIN, Solver, played, plies_to_end, score, search
from rules.strategies import by_name, every_variant

from turkengine import kernel
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP
from turkengine.notation import fen, moves
from turkengine.rules.movegen import EMPTY, KING, is_king
from turkengine.rules.outcome import Reason
from turkengine.rules.variant import Side, Variant

DEEP = 20  # plies; enough for every win asked for here
SOLVED = 6  # plies that the solver is asked to look ahead
POSITIONS = 20


def small(variant: Variant, seed: int) -> Iterator[Any]:
    """Random positions of up to five pieces in which the game goes on."""
    dice = random.Random(seed)
    while True:
        position = positions.compiled(positions.thrown(variant, dice, most=5, kings=0.6))
        if position.outcome() is None:
            yield position


def endings(variant: Variant, white: str, black: str, number: int) -> Iterator[Any]:
    """Random placements of these pieces on free squares, White to move."""
    dice = random.Random(number)
    inner = [square for square in range(variant.board.size) if 0 < variant.board.rank(square) < variant.board.ranks - 1]
    while number:
        cells = [EMPTY] * variant.board.size
        for square, cell in zip(dice.sample(inner, len(white + black)), white + black, strict=True):
            cells[square] = cell
        position = kernel.load(variant).Position.from_cells("".join(cells), Side.WHITE)
        if position.outcome() is None:
            number -= 1
            yield position


# Wins


@every_variant
def test_the_distance_of_a_win_or_loss_is_exact(variant: Variant) -> None:
    found: dict[str, tuple[int | None, int | None]] = {}
    for position in small(variant, seed=2):
        plies = Solver().plies_to_end(position, SOLVED)
        if plies is not None:
            found[fen.write(position)] = plies, plies_to_end(score(position, DEEP))
        if len(found) == POSITIONS:
            break
    assert {text: told for text, (_, told) in found.items()} == {text: plies for text, (plies, _) in found.items()}


def test_a_faster_win_is_not_hidden_by_a_slower_one_found_first() -> None:
    position = positions.read(INTERNATIONAL, "W:W35:BK1,K9,K32")  # late moves were looked at less deeply beside a win
    assert plies_to_end(score(position, DEEP)) == -4


@pytest.mark.parametrize(
    ("variant", "position", "plies"),
    [
        (INTERNATIONAL, "B:WK31,46:BK17,K36", 5),
        (TURKISH_APP, "B:We6,Kf3,d2,f1:Bb7", -5),
        (TURKISH_APP, "B:Wf3,h3,Kf2:Bf6", -5),
    ],
)
def test_the_shortest_win_is_found_though_it_starts_with_a_move_that_looks_bad(
    variant: Variant, position: str, plies: int
) -> None:
    read = positions.read(variant, position)
    assert Solver().plies_to_end(read, SOLVED) == plies
    assert plies_to_end(score(read, DEEP)) == plies


@every_variant
def test_a_win_that_is_told_can_be_forced(variant: Variant) -> None:
    told = 0
    for number, position in enumerate(small(variant, seed=3)):
        plies = plies_to_end(score(position, depth=4))
        if plies is not None and abs(plies) <= SOLVED:
            assert Solver().ends(position, abs(plies), won=plies > 0), fen.write(position)
            told += 1
        if number == 3 * POSITIONS:
            break
    assert told >= 10


@pytest.mark.parametrize("variant", [TURKISH, CRODA], ids=by_name)
def test_two_kings_beat_one_within_fifteen_plies(variant: Variant) -> None:
    for position in endings(variant, "WW", "B", number=6):
        plies = plies_to_end(score(position, depth=16, no_progress=0))
        assert plies is None or 0 < plies <= 15, fen.write(position)


def test_two_kings_beat_a_man_in_turkish_within_thirteen_plies() -> None:
    for position in endings(TURKISH, "WW", "b", number=12):
        plies = plies_to_end(score(position, DEEP))
        assert plies is not None, fen.write(position)
        assert 0 < plies <= 13, fen.write(position)


@pytest.mark.parametrize(
    ("variant", "position", "reason"),
    [
        (TURKISH, "B:WKd4:BKd8", Reason.NO_PIECE),
        (INTERNATIONAL, "B:W6:B1,K50", Reason.NO_MOVE),
        (TURKISH_APP, "W:Wd4,a2:Bd5,g6", Reason.LONE_MAN),
    ],
)
def test_every_kind_of_win_in_one_ply_is_told_and_played(variant: Variant, position: str, reason: Reason) -> None:
    read = positions.read(variant, position)
    last = search(read, depth=8)[-1]
    assert last.score == WIN - 1
    *_, end = played(read, last.moves)
    outcome = end.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (read.side, reason)


@pytest.mark.parametrize("position", ["B:W6:B1,K50:H49", "W:WK46,K47,K48:BK5,41:H49"])
def test_a_win_goes_before_the_draw_that_the_same_ply_would_make(position: str) -> None:
    assert score(positions.read(INTERNATIONAL, position), depth=6) >= WIN - 3


@every_variant
def test_the_line_of_a_win_ends_the_game_when_it_says(variant: Variant) -> None:
    seen = 0
    for position in small(variant, seed=4):
        last = search(position, depth=8)[-1]
        plies = plies_to_end(last.score)
        if plies is not None and len(last.moves) == abs(plies):  # else the rest of it is in the table only
            *_, end = played(position, last.moves)
            outcome = end.outcome()
            assert outcome is not None
            assert outcome.winner is (position.side if plies > 0 else position.side.opponent)
            seen += 1
        if seen == POSITIONS:
            break


# Draws


@pytest.mark.parametrize("variant", [TURKISH, TURKISH_APP], ids=by_name)
@pytest.mark.parametrize("contempt", [0, 20, -20])
def test_one_piece_each_is_worth_a_draw(variant: Variant, contempt: int) -> None:
    position = positions.read(variant, "W:Wd4:Bd5,Kh8")  # d4xd6 is the only move
    assert score(position, depth=8, contempt=contempt) == -contempt


def test_one_piece_each_is_worth_nothing_special_in_croda() -> None:
    assert score(positions.read(CRODA, "W:Wd4:Bd5,Kh8"), depth=8) == 4 - WIN


def test_a_lone_man_has_lost_in_the_app_only() -> None:
    position = "W:Wd4,a2:Bd5,g6"
    assert score(positions.read(TURKISH_APP, position), depth=6) == WIN - 1
    assert score(positions.read(TURKISH, position), depth=6) < WIN - 20


def test_a_lone_man_that_can_capture_has_not_lost() -> None:
    position = positions.read(TURKISH_APP, "W:Wd4,b6:Bd5,c6")  # whichever is taken, the other one takes back
    assert score(position, depth=8) == 0


@pytest.mark.parametrize("position", ["WK46,K47,K48:BK5,K4:H49", "WK46,K47,K48:BK45:H31", "WK46,36:BK45:H9"])
def test_the_last_ply_of_a_count_is_worth_a_draw(position: str) -> None:
    assert score(positions.read(INTERNATIONAL, f"W:{position}"), depth=6) == 0
    uncounted = positions.read(INTERNATIONAL, f"W:{position.rpartition(':')[0]}")
    assert score(uncounted, depth=6) != 0


@pytest.mark.parametrize("strong", ["K46,K47,K48", "K46,K47,31", "K46,36,31"])
def test_sixteen_moves_are_counted_inside_the_tree(strong: str) -> None:
    assert score(positions.read(INTERNATIONAL, f"B:W{strong}:BK45:H30"), depth=8) == 0
    assert score(positions.read(INTERNATIONAL, f"B:W{strong}:BK45:H20"), depth=8) < 0


@pytest.mark.parametrize("strong", ["K46,K47", "K46,31", "K46"])
def test_five_moves_are_counted_inside_the_tree(strong: str) -> None:
    assert score(positions.read(INTERNATIONAL, f"W:W{strong}:BK45:H7"), depth=8) == 0


def test_a_man_moves_before_twenty_five_moves_of_kings_are_full() -> None:
    position = positions.read(INTERNATIONAL, "W:WK46,K47,31,32:BK5,K4:H49")
    last = search(position, depth=6)[-1]
    assert last.score > 0
    assert not is_king(position.cells[last.moves[0].origin])


@pytest.mark.parametrize(("limit", "drawn"), [(None, True), (100, True), (0, False), (150, False)])
@pytest.mark.parametrize("variant", [TURKISH, CRODA], ids=by_name)
def test_the_option_says_when_moves_without_progress_draw(variant: Variant, limit: int | None, drawn: bool) -> None:
    position = positions.read(variant, "W:WKa1,Kb1:BKh8:H99")
    told = score(position, depth=15, no_progress=limit)
    assert told == 0 if drawn else told > WIN - 20


def test_the_option_says_nothing_where_the_limit_is_a_rule() -> None:
    position = positions.read(INTERNATIONAL, "W:WK46,K47,K48:BK5,K4:H49")
    assert score(position, depth=6, no_progress=0) == 0


CYCLE = "a1-a2 h8-h7 a2-a1 h7-h8"


@pytest.mark.parametrize("variant", [TURKISH, TURKISH_APP, CRODA], ids=by_name)
def test_a_lost_side_repeats_the_position_for_the_third_time(variant: Variant) -> None:
    game = f"{CYCLE} a1-a2 h8-h7 a2-a1"
    position = positions.read(variant, "W:WKa1,a3,b3,c3,d3:BKh8", game)
    last = search(position, depth=8)[-1]
    assert last.score == 0
    assert moves.short(position, last.moves[0]) == "h7-h8"
    without_history = positions.read(variant, fen.write(position))
    assert score(without_history, depth=8) < -200


def test_a_winning_side_keeps_away_from_a_third_time() -> None:
    position = positions.read(TURKISH, "W:WKa1,a3,b3,c3,d3:BKh8", f"{CYCLE} a1-a2 h8-h7")
    back = moves.read(position, "a2-a1")  # and Black returns to h8
    assert score(position, depth=8, root_moves=(back,)) == 0
    last = search(position, depth=8)[-1]
    assert last.score > 200
    assert last.moves[0] != back


# The static evaluation


@every_variant
def test_the_evaluation_is_the_same_for_either_side_of_the_board(variant: Variant) -> None:
    dice = random.Random(6)
    maker = kernel.load(variant).Position
    for _ in range(300):
        law = positions.thrown(variant, dice, kings=dice.choice((0.0, 0.2, 0.8)))
        turned = maker.from_cells(positions.turned(law.cells), law.side.opponent)
        assert turned.evaluate() == positions.compiled(law).evaluate(), fen.write(law)


@every_variant
def test_the_evaluation_stays_within_eighty_men(variant: Variant) -> None:
    cells = (KING[Side.WHITE] * variant.pieces_per_side).ljust(variant.board.size, EMPTY)
    maker = kernel.load(variant).Position
    assert 1000 < maker.from_cells(cells, Side.WHITE).evaluate() <= 8000
    assert -8000 <= maker.from_cells(cells, Side.BLACK).evaluate() < -1000


@every_variant
def test_the_start_is_worth_about_nothing_and_a_man_about_one_hundred(variant: Variant) -> None:
    start = positions.start(variant)
    assert abs(start.evaluate()) < 30
    fewer = start.cells.replace("b", EMPTY, 1)
    assert 50 < kernel.load(variant).Position.from_cells(fewer, Side.WHITE).evaluate() < 200
