"""The engine with tables: every win by the shortest way, every draw held, and the counts of plies obeyed.

A sample of each ending is played with the tests; `scripts/test -m slow -s tests/endgame` plays a thousand positions of
each and prints what came of it.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from endgame.playing import engine_with, played_out, sample, stubborn
from endgame.tables import shipped
from kernel import positions
from kernel.searching import WIN, Line, plies_to_end, search

from turkengine import kernel
from turkengine.endgame.build import build
from turkengine.endgame.material import balances
from turkengine.endgame.verify import verify
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP
from turkengine.kernel import endgames
from turkengine.notation import fen, moves
from turkengine.rules.variant import Side, Variant

ENDINGS = [
    *((variant, name) for variant in (TURKISH, CRODA) for name in ("KKvK", "MKvK", "MMvM")),
    (INTERNATIONAL, "KKvK"),
]
every_ending = pytest.mark.parametrize(("variant", "name"), ENDINGS, ids=lambda value: getattr(value, "name", value))
WORTH_WINNING = 5  # plies
HELD = 60  # plies that a draw is tried
FEW, MANY = 12, 1000


def best(variant: Variant, text: str, line: str = "", **limits: Any) -> Line:
    """What the engine says last with the tables of three pieces."""
    return search(positions.read(variant, text, line), endings=shipped(variant), **({"depth": 20} | limits))[-1]


def delivered(variant: Variant, name: str, endings: Any, number: int) -> tuple[int, int]:
    """Wins played out by the engine against the best defence, and their longest distance; each takes what was told."""
    chosen = sample(variant, name, endings, number, 1, lambda won, plies: won > 0 and plies >= WORTH_WINNING)
    longest = 0
    for position in chosen:
        _, told, _ = endings.look_up(position)
        players = {
            Side.WHITE: engine_with(endings, position),
            Side.BLACK: stubborn(endings, random.Random(2)),
        }
        assert played_out(position, players, told) == (Side.WHITE, told), fen.write(position)
        longest = max(longest, told)
    return len(chosen), longest


def held(variant: Variant, name: str, endings: Any, number: int) -> int:
    """Draws that the engine has held, as either side."""
    chosen = sample(variant, name, endings, number, 3, lambda won, plies: won == 0, quiet=False)
    for place, position in enumerate(chosen):
        side = Side.WHITE if place % 2 else Side.BLACK
        players = {
            side: engine_with(endings, position),
            side.opponent: stubborn(endings, random.Random(4)),
        }
        winner, _ = played_out(position, players, HELD)
        assert winner is not side.opponent, fen.write(position)
    return len(chosen)


@every_ending
def test_a_win_is_delivered_in_the_plies_told_against_the_best_defence(variant: Variant, name: str) -> None:
    number, _ = delivered(variant, name, shipped(variant), FEW)
    assert number == FEW


@every_ending
def test_a_draw_is_held(variant: Variant, name: str) -> None:
    assert held(variant, name, shipped(variant), FEW) > 0


@pytest.mark.slow
@pytest.mark.timeout(3000)
@every_ending
def test_a_thousand_of_each_are_won_or_held(variant: Variant, name: str) -> None:
    won, longest = delivered(variant, name, shipped(variant), MANY)
    drawn = held(variant, name, shipped(variant), MANY)
    print(f"\n{variant.name} {name}: {won} of {won} won, the longest in {longest} plies; {drawn} of {drawn} drawn held")


@pytest.fixture(scope="module")
def four_pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of four pieces of International draughts."""
    folder = tmp_path_factory.mktemp("tables")
    build(kernel.load(INTERNATIONAL), INTERNATIONAL, 4, folder, jobs=2, memory=1 << 32, on_built=lambda done: None)
    return folder


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_tables_of_four_pieces_follow_from_the_moves(four_pieces: Path) -> None:
    module = kernel.load(INTERNATIONAL)
    done = list(verify(module, INTERNATIONAL, balances(4), four_pieces, jobs=2, sample=20))
    assert [fault for balance in done for fault in balance.faults] == []
    assert sum(balance.positions for balance in done) == 41_971_200


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_thousand_of_three_kings_against_one_are_won_or_held(four_pieces: Path) -> None:
    places = [endgames.SHIPPED, four_pieces]
    endings, complaints = endgames.mount(kernel.load(INTERNATIONAL), INTERNATIONAL, places, 4)
    assert complaints == []
    won, longest = delivered(INTERNATIONAL, "KKKvK", endings, MANY)
    drawn = held(INTERNATIONAL, "KKKvK", endings, MANY)
    print(f"\ninternational KKKvK: {won} of {won} won, the longest in {longest} plies; {drawn} of {drawn} drawn held")


# What the engine says


def test_a_win_in_the_tables_is_told_at_once_with_the_whole_line() -> None:
    last = best(TURKISH, "W:WKa1,c3:BKh8")
    assert (last.depth, plies_to_end(last.score)) == (1, 23)
    assert len(last.moves) == 23
    position = positions.read(TURKISH, "W:WKa1,c3:BKh8")
    for move in last.moves:
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is Side.WHITE
    assert last.table_hits > 10


def test_every_line_asked_for_is_exact() -> None:
    position = positions.read(TURKISH, "W:WKa1,Kc3:BKh8")
    lines = search(position, endings=shipped(TURKISH), multi_pv=100)
    assert len(lines) == len(position.legal_moves())
    for line in lines:
        won, plies, _ = shipped(TURKISH).look_up(position.play(line.moves[0]))
        assert line.score == -won * (WIN - plies - 1)


def test_a_win_beyond_a_capture_into_the_tables_is_seen() -> None:
    text = "W:WKa1,Kb4,c3:BKh8,b6"  # b4xb7 or b4xb8 leaves an ending of three pieces
    with_tables = best(TURKISH, text, depth=4)
    without = search(positions.read(TURKISH, text), depth=4)[-1]
    assert plies_to_end(without.score) is None
    assert plies_to_end(with_tables.score) is not None


def test_the_tables_are_asked_with_several_threads_too() -> None:
    text = "W:WKa1,Kb4,c3:BKh8,b6"
    alone, together = (best(TURKISH, text, depth=10, threads=threads) for threads in (1, 3))
    assert together.score == alone.score > WIN - 100
    assert together.table_hits > 0


@pytest.mark.parametrize("nodes", [1, 5, 50])
def test_the_best_move_is_found_with_the_fewest_nodes(nodes: int) -> None:
    for position in sample(TURKISH, "MKvK", shipped(TURKISH), 20, 6, lambda won, plies: won > 0 and plies > 20):
        _, plies, _ = shipped(TURKISH).look_up(position)
        last = search(position, endings=shipped(TURKISH), nodes=nodes)[-1]
        assert last.score == WIN - plies
        assert shipped(TURKISH).look_up(position.play(last.moves[0]))[:2] == (-1, plies - 1)


# Counts of plies


@pytest.mark.parametrize(("count", "score"), [(0, WIN - 11), (89, WIN - 11), (90, 0), (95, 0)])
def test_a_win_that_takes_longer_than_the_count_leaves_is_a_draw(count: int, score: int) -> None:
    assert best(TURKISH, f"W:WKa1,Kc3:BKh8:H{count}", depth=4).score == score


def test_the_option_moves_the_count() -> None:
    text = "W:WKa1,Kc3:BKh8:H90"
    assert best(TURKISH, text, no_progress=0).score == WIN - 11
    assert best(TURKISH, text, no_progress=101).score == WIN - 11


def test_the_five_moves_of_a_lone_king_are_counted() -> None:
    [found] = sample(INTERNATIONAL, "KKvK", shipped(INTERNATIONAL), 1, 5, lambda won, plies: (won, plies) == (1, 7))
    for count, score in ((3, WIN - 7), (4, 0)):
        position = type(found).from_cells(found.cells, found.side, count, count)
        assert search(position, depth=4, endings=shipped(INTERNATIONAL))[-1].score == score


def test_a_man_that_moves_in_time_restarts_the_count() -> None:
    late = "W:WKa1,c3:BKh8:H97"  # the win takes 23 plies, but its man can step forward now
    last = best(TURKISH, late)
    plies = plies_to_end(last.score)
    assert plies is not None
    assert 23 <= plies <= 40
    assert moves.short(positions.read(TURKISH, late), last.moves[0]) == "c3-c4"


# Draws


def test_of_drawn_moves_the_one_that_looks_best_is_played() -> None:
    position = positions.read(INTERNATIONAL, "W:WK46,K47:BK3")
    last = best(INTERNATIONAL, "W:WK46,K47:BK3")
    assert (last.score, last.depth) == (0, 1)
    assert shipped(INTERNATIONAL).look_up(position.play(last.moves[0]))[0] == 0


def test_contempt_counts_for_a_draw_of_the_tables_too() -> None:
    assert best(INTERNATIONAL, "W:WK46,K47:BK3", contempt=30).score == -30


def test_a_third_occurrence_goes_before_the_tables() -> None:
    cycle = "a1-a2 h8-h7 a2-a1 h7-h8"
    position = positions.read(TURKISH, "W:WKa1,Kc3:BKh8", f"{cycle} a1-a2 h8-h7")
    back = moves.read(position, "a2-a1")  # and Black returns to h8
    assert search(position, endings=shipped(TURKISH), root_moves=(back,), depth=3)[-1].score == 0
    assert search(position, endings=shipped(TURKISH), depth=3)[-1].score > WIN - 20
    lost = position.play(back)
    last = search(lost, endings=shipped(TURKISH), depth=3)[-1]
    assert last.score == 0
    assert moves.short(lost, last.moves[0]) == "h7-h8"


def test_a_lone_man_is_told_as_lost_at_once_in_the_app() -> None:
    assert best(TURKISH_APP, "W:Wd4,a2:Bd5,g6").score == WIN - 1
