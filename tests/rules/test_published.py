"""The readable generator gives the moves that public programs have published."""

from __future__ import annotations

import pytest
from rules.published import Published, named, published

from turkengine.rules import movegen


@pytest.mark.parametrize("entry", published(), ids=str)
def test_these_are_the_legal_moves(entry: Published) -> None:
    legal = movegen.legal_moves(entry.variant, entry.setup.cells, entry.setup.side)
    assert {named(entry.variant, move) for move in legal} == entry.moves
    assert len(legal) == len(entry.moves)
