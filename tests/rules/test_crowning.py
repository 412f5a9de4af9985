"""A man that is crowned on its way: what it is afterwards, in both generators and by every way of making its move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from turkengine import kernel
from turkengine.games import variant_named
from turkengine.notation import fen, moves
from turkengine.rules.move import Move
from turkengine.rules.variant import Promotion

RUSSIAN = variant_named("russian")


@pytest.mark.parametrize(
    ("position", "text", "after"),
    [
        ("W:Wh6:Bg7,c5,d2", "h6xe1", "B:WKe1:B"),  # it ends far from the last rank
        ("W:Wh6:Bg7,h8", "h6xf8", "B:WKf8:Bh8"),  # it ends there
        ("W:Wf6:Be7,c7,b4", "f6xe1", "B:WKe1:B"),  # it goes on at once
        ("B:Ba3:Wb2,d2,f6", "a3xd8", "W:W:BKd8"),
    ],
)
def test_it_is_a_king_wherever_it_ends(position: str, text: str, after: str) -> None:
    law = fen.read(RUSSIAN, position)
    claim = kernel.load(RUSSIAN).Position.from_cells(law.cells, law.side)
    (found,) = (move for move in law.legal_moves() if moves.short(law, move) == text)
    bare = Move(found.origin, found.target, found.captured)
    for move in (found, bare):
        assert law.play(move).cells == claim.play(move).cells
    assert fen.write(law.play(bare)) == after


def test_in_the_other_ways_it_stops_or_stays_a_man() -> None:
    position = "W:Wf6:Be7,c7"
    legal = {}
    for way in Promotion:
        law = fen.read(replace(RUSSIAN, promotion=way), position)
        legal[way] = {moves.full(law, move) for move in law.legal_moves()}
    assert legal[Promotion.ENDS_MOVE] == {"f6xd8"}
    assert legal[Promotion.WHERE_MOVE_ENDS] == {"f6xd8xb6"}
    assert legal[Promotion.GOES_ON] == {"f6xd8xb6", "f6xd8xa5"}
