"""The kernel gives the moves that public programs have published."""

from __future__ import annotations

import pytest
from rules.published import Published, named, published

from turkengine import kernel
from turkengine.errors import PositionError


@pytest.mark.parametrize("entry", [entry for entry in published() if not entry.has_too_many], ids=str)
def test_these_are_the_legal_moves(entry: Published) -> None:
    position = kernel.load(entry.variant).Position.from_cells(entry.setup.cells, entry.setup.side)
    legal = position.legal_moves()
    assert {named(entry.variant, move) for move in legal} == entry.moves
    assert len(legal) == position.perft(1) == len(entry.moves)


@pytest.mark.parametrize("entry", [entry for entry in published() if entry.has_too_many], ids=str)
def test_more_pieces_than_a_game_begins_with_are_refused(entry: Published) -> None:
    with pytest.raises(PositionError, match=r"pieces; .* allows"):
        kernel.load(entry.variant).Position.from_cells(entry.setup.cells, entry.setup.side)
