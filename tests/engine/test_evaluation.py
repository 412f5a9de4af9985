"""The evaluation taken apart, on compiled kernels."""

from __future__ import annotations

import pytest

from turkengine.engine.evaluation import Evaluation, evaluation
from turkengine.engine.kernel_types import load_kernel
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, VARIANTS, Variant
from turkengine.notation import fen


def evaluated(variant: Variant, text: str) -> Evaluation:
    maker = load_kernel(variant).Position
    setup = fen.parse(variant, text)
    return evaluation(maker.from_cells(setup.cells, setup.side), maker)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_terms_add_up_to_the_whole_but_for_rounding(variant: Variant) -> None:
    maker = load_kernel(variant).Position
    position = maker.start()
    for _ in range(6):
        found = evaluation(position, maker)
        assert abs(sum(white - black for _, white, black in found.terms) - found.white) <= len(found.terms)
        assert abs(found.score) == abs(found.white)
        assert found.score == position.evaluate()
        position = position.play(position.legal_moves()[0])


def test_a_piece_is_worth_what_the_evaluation_loses_without_it() -> None:
    found = evaluated(TURKISH, "B:Wb2,Kd1:Ba6,b6")
    without = evaluated(TURKISH, "B:Wb2:Ba6,b6")
    king = TURKISH.board.names.index("d1")
    assert found.pieces[king] == found.white - without.white
    assert found.pieces[king] > 200, "a king"


def test_white_pieces_count_for_white_and_black_ones_against() -> None:
    found = evaluated(INTERNATIONAL, "B:W31-35:B16-20")
    assert all(found.pieces[square] > 0 for square in range(30, 35))
    assert all(found.pieces[square] < 0 for square in range(15, 20))
    assert found.pieces.count(None) == 40


def test_a_side_without_another_piece_is_evaluated_too() -> None:
    found = evaluated(CRODA, "W:Wd4:B")
    assert [worth for worth in found.pieces if worth is not None] != []
