"""The kernel's move generator counts what it should: the proof by numbers.

Tables are checked as deep as takes a second; the rest, up to sixteen thousand million leaves, takes minutes and runs
with `scripts/test -m slow`.
"""

from __future__ import annotations

import pytest
from kernel import positions
from rules.cases import Perft, perfts

from turkengine.games import variant_named

A_SECOND = 150_000_000  # leaves, of one table

LONG = [perft for perft in perfts() if perft.up_to(A_SECOND) != perft.counts]

every_table = pytest.mark.parametrize("perft", perfts(), ids=str)
either_way = pytest.mark.parametrize("every_leaf", [False, True], ids=["in bulk", "every leaf made"])


def counted(perft: Perft, depths: list[int], every_leaf: bool) -> dict[int, int]:
    position = positions.read(variant_named(perft.variant), perft.position)
    return {depth: position.perft(depth, every_leaf) for depth in depths}


@either_way
@every_table
def test_perft(perft: Perft, every_leaf: bool) -> None:
    expected = perft.up_to(leaves=A_SECOND)
    assert counted(perft, list(expected), every_leaf) == expected


@pytest.mark.slow
@pytest.mark.timeout(1800)
@either_way
@pytest.mark.parametrize("perft", LONG, ids=str)
def test_perft_to_the_end_of_the_table(perft: Perft, every_leaf: bool) -> None:
    shallow = perft.up_to(leaves=A_SECOND)
    deep = {depth: count for depth, count in perft.counts.items() if depth not in shallow}
    assert counted(perft, list(deep), every_leaf) == deep


@pytest.mark.parametrize("depth", [0, -1])
def test_no_ply_at_all_is_one_sequence(depth: int) -> None:
    assert positions.read(variant_named("croda"), "W:W:Ba7").perft(depth) == 1


def test_a_side_without_a_move_ends_a_sequence_before_its_depth() -> None:
    blocked = positions.read(variant_named("turkish"), "W:Wa6:BKa8,a7,b6,c6")
    assert [blocked.perft(depth, every_leaf) for depth in (1, 2, 3) for every_leaf in (False, True)] == [0] * 6


def test_no_rule_of_draws_ends_a_sequence() -> None:
    drawn = positions.read(variant_named("turkish"), "W:Wd4:Bd6:H100")
    assert [drawn.perft(depth) for depth in (1, 2)] == [3, 7]


@either_way
def test_the_counts_of_the_moves_add_up(every_leaf: bool) -> None:
    start = positions.start(variant_named("international"))
    assert sum(start.play(move).perft(4, every_leaf) for move in start.legal_moves()) == 27117
