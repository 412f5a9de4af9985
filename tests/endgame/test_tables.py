"""What the tables that come with the program say: the known facts, and agreement with solvers of other kinds."""

from __future__ import annotations

import random

import pytest
from endgame.tables import every_position, is_quiet, one_against_one, shipped
from kernel import positions
from kernel.searching import Solver
from rules.strategies import every_variant

from turkengine import kernel
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP
from turkengine.notation import fen
from turkengine.rules.variant import Side, Variant


def known(variant: Variant, text: str, no_progress: int | None = None) -> tuple[int, int, bool] | None:
    found: tuple[int, int, bool] | None = shipped(variant).look_up(positions.read(variant, text), no_progress)
    return found


def results(variant: Variant, name: str, inner: bool = True) -> tuple[int, int, int]:
    """Positions, wins and the longest win; `inner` leaves out those with a man on its own first rank."""
    size = won = longest = 0
    look_up = shipped(variant).look_up
    home = {"w": 0, "b": variant.board.ranks - 1}
    behind = [
        (square, man)
        for man, rank in home.items()
        for square in range(variant.board.size)
        if variant.board.rank(square) == rank
    ]
    for position in every_position(variant, name):
        if inner and any(position.cells[square] == man for square, man in behind):
            continue
        result, plies, _ = look_up(position)
        size += 1
        if result > 0:
            won += 1
            longest = max(longest, plies)
    return size, won, longest


# Facts


@pytest.mark.parametrize("variant", [TURKISH, CRODA], ids=lambda variant: variant.name)
def test_two_kings_beat_one_but_for_208_positions(variant: Variant) -> None:
    assert results(variant, "KKvK") == (124_992, 124_784, 15)


def test_two_kings_beat_a_man_in_turkish() -> None:
    size, won, longest = results(TURKISH, "KKvM")
    assert (size, longest) == (93_744, 13)
    assert won == size


@pytest.mark.parametrize(
    ("variant", "name", "inner", "part", "longest"),
    [
        (TURKISH, "MKvK", True, "96.73", 53),
        (CRODA, "MKvK", False, "96.9", 41),
        (TURKISH, "MMvM", True, "90.47", 51),
        (TURKISH, "MMvK", True, "32.4", 45),
    ],
)
def test_the_part_of_won_positions(variant: Variant, name: str, inner: bool, part: str, longest: int) -> None:
    size, won, plies = results(variant, name, inner)
    assert f"{100 * won / size:.{len(part) - 3}f}" == part
    assert plies == longest


def test_a_man_and_a_king_beat_a_man_but_for_twelve_positions() -> None:
    assert results(TURKISH, "MKvM") == (139_872, 139_872 - 12, 35)


@pytest.mark.parametrize("name", ["KvK", "KvM", "MvK", "MvM"])
def test_every_quiet_one_against_one_is_a_draw_in_turkish(name: str) -> None:
    quiet = [position for position in every_position(TURKISH, name) if not position.legal_moves()[0].is_capture]
    assert len(quiet) > 2000
    assert {shipped(TURKISH).look_up(position)[0] for position in quiet} == {0}


def test_a_king_to_move_beats_a_man_in_croda_in_3356_of_3528() -> None:
    assert results(CRODA, "KvM", inner=False)[:2] == (3528, 3356)


def test_no_win_of_a_lone_kings_endings_takes_longer_than_its_count_in_international() -> None:
    assert results(INTERNATIONAL, "KKvK", inner=False)[2] <= 10
    assert results(INTERNATIONAL, "MKvK", inner=False)[2] <= 10


def test_two_men_against_one_are_won_at_once_in_the_app() -> None:
    assert known(TURKISH_APP, "W:Wa2,b2:Bh7") == (1, 0, True)
    assert known(TURKISH_APP, "B:Wa2,b2:Bh7") == (-1, 0, True)
    assert known(TURKISH_APP, "B:Wc4,b2:Bc5") == (0, 0, True)  # the man takes one, and one each is a draw


# Other solvers


@every_variant
def test_one_piece_each_is_worth_what_the_readable_rules_make_of_it(variant: Variant) -> None:
    expected = one_against_one(variant)
    maker = kernel.load(variant).Position
    told = {}
    for cells in expected:
        result, plies, _ = shipped(variant).look_up(maker.from_cells(cells, Side.WHITE))
        told[cells] = (result, plies)
    assert told == expected


@every_variant
def test_near_wins_and_losses_of_three_pieces_are_those_that_trying_everything_finds(variant: Variant) -> None:
    dice = random.Random(3)
    seen = 0
    while seen < 25:
        position = positions.compiled(positions.thrown(variant, dice, most=3, kings=0.6))
        found = shipped(variant).look_up(position)
        if found is None or found[0] == 0 or found[1] > 4:
            continue
        result, plies, _ = found
        solver = Solver()
        assert solver.ends(position, plies, won=result > 0), fen.write(position)
        assert plies == 0 or not solver.ends(position, plies - 1, won=result > 0), fen.write(position)
        seen += 1


@every_variant
def test_black_to_move_and_the_mirror_image_are_worth_the_same(variant: Variant) -> None:
    dice = random.Random(4)
    maker = kernel.load(variant).Position
    look_up = shipped(variant).look_up
    files = variant.board.files
    for _ in range(500):
        law = positions.thrown(variant, dice, most=3)
        expected = look_up(positions.compiled(law))
        assert look_up(maker.from_cells(positions.turned(law.cells), law.side.opponent)) == expected
        if not variant.board.dark_only:
            rows = [law.cells[begin : begin + files] for begin in range(0, len(law.cells), files)]
            assert look_up(maker.from_cells("".join(row[::-1] for row in rows), law.side)) == expected


# Counts


def test_a_win_is_in_time_up_to_the_last_ply_of_the_count() -> None:
    plies = known(TURKISH, "W:WKa1,Kc3:BKh8")
    assert plies == (1, 11, True)
    assert known(TURKISH, "W:WKa1,Kc3:BKh8:H89") == (1, 11, True)
    assert known(TURKISH, "W:WKa1,Kc3:BKh8:H90") == (1, 11, False)
    assert known(TURKISH, "W:WKa1,Kc3:BKh8:H90", no_progress=0) == (1, 11, True)


def test_an_empty_side_and_a_full_board_are_in_no_table() -> None:
    assert known(TURKISH, "W:WKa1:B") is None
    assert known(TURKISH, "W:WKa1,Kb1,Kc1:BKh8") is None
    assert shipped(TURKISH).look_up(positions.start(TURKISH)) is None


def test_quiet_means_what_it_says() -> None:
    assert is_quiet(positions.read(TURKISH, "W:WKa1,Kc3:BKh8"))
    assert not is_quiet(positions.read(TURKISH, "W:WKa1,Kh3:BKh8"))
