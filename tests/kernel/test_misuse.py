"""What the kernel refuses, and what it gives back: sizes, moves and positions that do not fit, memory, listeners."""

from __future__ import annotations

import weakref

import pytest
from kernel import positions
from kernel.searching import search, searcher

from turkengine import kernel
from turkengine.errors import WeightsError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.kernel.weights import read_weights


def test_a_table_fills_and_can_be_emptied() -> None:
    module = kernel.load(CRODA)
    table = module.Table(1)
    assert (table.mebibytes, table.filled()) == (1, 0)
    search(positions.start(CRODA), module.Searcher(table), nodes=300_000)
    assert table.filled() > 500
    table.clear()
    assert table.filled() == 0


def test_a_table_can_be_emptied_piece_by_piece() -> None:
    module = kernel.load(CRODA)
    table = module.Table(4, touch=False)
    for start in range(4):
        table.clear(start, 1)
    search(positions.start(CRODA), module.Searcher(table), nodes=300_000)
    assert table.filled() > 100
    table.clear(0, 100)  # what is behind its end does not matter
    assert table.filled() == 0


@pytest.mark.parametrize(("start", "count"), [(-1, 1), (5, 1), (0, -1)])
def test_a_piece_that_a_table_does_not_have_is_refused(start: int, count: int) -> None:
    with pytest.raises(ValueError, match=f"a table of 4 MiB has no {count} MiB from {start} on"):
        kernel.load(TURKISH).Table(4).clear(start, count)


@pytest.mark.parametrize("mebibytes", [0, -1])
def test_a_table_of_no_size_is_refused(mebibytes: int) -> None:
    with pytest.raises(ValueError, match=f"a table takes 1 MiB or more, not {mebibytes}"):
        kernel.load(TURKISH).Table(mebibytes)


def test_a_table_larger_than_any_memory_is_refused() -> None:
    with pytest.raises(MemoryError, match="no memory for a table of 2147483647 MiB"):
        kernel.load(TURKISH).Table(2**31 - 1)


def test_a_searcher_takes_positions_of_its_own_variant_only() -> None:
    with pytest.raises(TypeError):
        search(positions.start(CRODA), searcher(positions.start(TURKISH)), depth=1)


def test_a_list_of_root_moves_with_no_legal_one_is_refused() -> None:
    position = positions.start(TURKISH)
    later = position.play(position.legal_moves()[0]).legal_moves()[0]
    with pytest.raises(ValueError, match="none of the root moves is legal"):
        search(position, depth=1, root_moves=[later])


def test_a_move_from_another_board_is_refused() -> None:
    beyond = positions.read(TURKISH, "W:WKh1:BKa7").legal_moves()[-1]
    with pytest.raises(ValueError, match=f"square index {beyond.target} is not on the board of international"):
        positions.start(INTERNATIONAL).play(beyond)


def test_a_search_lets_go_of_its_listener_even_where_the_game_is_over() -> None:
    module = kernel.load(TURKISH)

    class Listener:
        def __call__(self, report: object) -> None:
            raise AssertionError("nothing is searched")

    listener = Listener()
    gone = weakref.ref(listener)
    searcher = module.Searcher(module.Table(1))
    searcher.prepare()
    searcher.run(positions.read(TURKISH, "W:WKd4:Ba7"), depth=1, on_report=listener)
    del listener
    assert gone() is None


def test_weights_of_a_network_that_the_kernel_was_not_built_for_are_refused() -> None:
    read = read_weights(TURKISH)
    before = positions.start(TURKISH).evaluate()
    with pytest.raises(WeightsError, match=rf"turkish have 7 hidden units, .* built for {read.units}; build it again"):
        kernel.load(TURKISH).set_weights(read._replace(units=7))
    assert positions.start(TURKISH).evaluate() == before
