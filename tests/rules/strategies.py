"""Positions for property tests: reached by random play, or placed at random on the board."""

from __future__ import annotations

import random

import pytest
from hypothesis import strategies as st

from turkengine.games import VARIANTS
from turkengine.rules.movegen import EMPTY, KING, MAN
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

variants = st.sampled_from(VARIANTS)


@st.composite
def played(draw: st.DrawFn) -> Position:
    """A position of a random game, with the history of that game."""
    variant = draw(variants)
    plies = draw(st.integers(0, 80))
    dice = random.Random(draw(st.integers(0, 2**32)))
    position = Position.start(variant)
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(dice.choice(moves))
    return position


@st.composite
def placed(draw: st.DrawFn) -> Position:
    """Pieces thrown on the board, many of them kings: long captures and ambiguous ones are frequent."""
    variant = draw(variants)
    dice = random.Random(draw(st.integers(0, 2**32)))
    cells = [EMPTY] * variant.board.size
    squares = dice.sample(range(variant.board.size), dice.randint(2, 14))
    left = dict.fromkeys(Side, variant.pieces_per_side)
    for square in squares:
        side = dice.choice((Side.WHITE, Side.BLACK, Side.BLACK))
        side = side if left[side] else side.opponent
        left[side] -= 1
        kings_only = square in variant.promotion_squares[side]
        cells[square] = KING[side] if kings_only or dice.random() < 0.4 else MAN[side]
    return Position(variant, "".join(cells), dice.choice(list(Side)))


def anywhere() -> st.SearchStrategy[Position]:
    """Either kind."""
    return st.one_of(played(), placed())


def by_name(variant: Variant) -> str:
    """How a variant is called in the name of a test."""
    return variant.name


every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=by_name)
