"""What is said of wrong moves where the number of pieces does not decide, or not alone."""

from __future__ import annotations

import random

import pytest
from rules.irregular import named
from rules.strategies import every_variant
from rules.test_irregularity import after, explained, standing

from turkengine.games import variant_named
from turkengine.rules.attempt import Attempt
from turkengine.rules.irregularity import explain
from turkengine.rules.movegen import EMPTY, KING, MAN
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant


@pytest.mark.parametrize(
    ("game", "position", "text", "sentence"),
    [
        (
            "english",
            "W:WKc3:Bh8",
            "c3-e5",
            "a king moves one square diagonally forward or backward (5.4.2)",
        ),
        (
            "english",
            "W:WKc3:Bf6",
            "c3xg7",
            "a king moves one square diagonally forward or backward, and captures by jumping over one enemy piece "
            "diagonally forward or backward with an empty square beyond (5.4.2)",
        ),
        (
            "english",
            "W:Wc3:Bd4,f6",
            "c3xe5",
            "c3xe5 stops in mid-capture after one piece; there is more to capture (5.4.9)",
        ),
        (
            "russian",
            "W:WKa1:Bb2,d6",
            "a1xf6",
            "a1xf6 lands where it cannot go on; a king lands where it can capture more, if it can (5.4.9)",
        ),
        (
            "russian",
            "W:Wh6:Bg7,c5,d2",
            "h6xf8",
            "h6xf8 stops in mid-capture after one piece; there is more to capture (5.4.9)",
        ),
        (
            "czech",
            "W:Wc3,Kg1:Bd4,f2,d2",
            "c3xe5",
            "c3xe5 is not the capture to make: a capture by a king goes first (5.4.8)",
        ),
        (
            "spanish",
            "W:WKc3:BKd4,b4",
            "c3xa5",
            "c3xa5 is not the capture to make: of as many pieces the most kings have to be captured (5.4.8)",
        ),
        (
            "italian",
            "W:Wc3:BKd4",
            "c3xe5",
            "a man moves one square diagonally forward, and captures by jumping over an enemy man diagonally forward; "
            "d4 holds a king, which no man captures (5.4.2)",
        ),
        (
            "italian",
            "W:Wc3,Kg3:Bd4,f4",
            "c3xe5",
            "c3xe5 is not the capture to make: a capture by a king goes first (5.4.8)",
        ),
        (
            "armenian",
            "W:WKd4:Be5",
            "d4xf6",
            "a king moves any distance in every direction over empty squares, and captures by jumping over one enemy "
            "piece forward, sideways or backward with an empty square beyond (5.4.2)",
        ),
    ],
)
def test_the_sentence(game: str, position: str, text: str, sentence: str) -> None:
    variant = variant_named(game)
    if variant.board.dark_only:
        position, text, sentence = (named(variant, one) for one in (position, text, sentence))
    assert explained(after(variant, position), text).sentence == sentence


def test_a_man_that_passed_the_last_rank_stands_as_a_king() -> None:
    russian = variant_named("russian")
    assert standing(russian, "W:Wh6:Bg7,c5,d2", "h6xf8xb4") == "B:WKb4:Bd2"


@every_variant
def test_only_a_legal_move_has_no_irregularity(variant: Variant) -> None:
    dice = random.Random(1)
    squares = range(variant.board.size)
    for _ in range(400):
        cells = [EMPTY] * variant.board.size
        for square in dice.sample(squares, dice.randint(2, 12)):
            side = dice.choice((Side.WHITE, Side.BLACK, Side.BLACK))
            crowned = square in variant.promotion_squares[side] or dice.random() < 0.4
            cells[square] = KING[side] if crowned else MAN[side]
        if max(sum(cell in "wW" for cell in cells), sum(cell in "bB" for cell in cells)) > variant.pieces_per_side:
            continue
        position = Position(variant, "".join(cells), Side.WHITE)
        ours = [square for square in squares if cells[square] in "wW"]
        if not ours:
            continue
        for origin in ours:
            legal = [move for move in position.legal_moves() if move.origin == origin]
            for target in squares:
                if (cells[target] == EMPTY or target == origin) and not any(move.target == target for move in legal):
                    assert explain(position, Attempt(origin, target)).article is not None
