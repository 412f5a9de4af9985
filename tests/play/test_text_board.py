"""The board on paper: numbers and names, both sides, marks, letters, signs and colours."""

from __future__ import annotations

import re

import pytest

from turkengine.games import INTERNATIONAL, TURKISH, VARIANTS
from turkengine.notation import fen
from turkengine.play.text_board import Look, draw
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

LETTERS, SIGNS = Look(), Look(signs=True)
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def test_numbered_squares_carry_their_numbers() -> None:
    position = fen.read(INTERNATIONAL, "W:W28,K46:B19,K5")
    assert draw(position, LETTERS, Side.WHITE, (19, 27)) == [
        "       1.        2.        3.        4.        5B",
        "  6.        7.        8.        9.       10.",
        "      11.       12.       13.       14.       15.",
        " 16.       17.       18.       19b      [20.]",
        "      21.       22.       23.       24.       25.",
        " 26.       27.      [28w]      29.       30.",
        "      31.       32.       33.       34.       35.",
        " 36.       37.       38.       39.       40.",
        "      41.       42.       43.       44.       45.",
        " 46W       47.       48.       49.       50.",
    ]


def test_named_squares_have_their_names_at_the_edges() -> None:
    position = fen.read(TURKISH, "W:Wa3,Kc1:BKh8,b7")
    assert draw(position, SIGNS, Side.BLACK, (0,)) == [
        " 1  ·  ·  ·  ·  ·  ◎  · [·]",
        " 2  ·  ·  ·  ·  ·  ·  ·  ·",
        " 3  ·  ·  ·  ·  ·  ·  ·  ○",
        " 4  ·  ·  ·  ·  ·  ·  ·  ·",
        " 5  ·  ·  ·  ·  ·  ·  ·  ·",
        " 6  ·  ·  ·  ·  ·  ·  ·  ·",
        " 7  ·  ·  ·  ·  ·  ·  ●  ·",
        " 8  ◉  ·  ·  ·  ·  ·  ·  ·",
        "    h  g  f  e  d  c  b  a",
    ]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
@pytest.mark.parametrize("bottom", Side)
def test_colours_change_nothing_but_colours(variant: object, bottom: Side) -> None:
    position = Position.start(variant)  # type: ignore[arg-type]
    plain = draw(position, LETTERS, bottom, (3,))
    coloured = draw(position, Look(colours=True), bottom, (3,))
    assert [ESCAPE.sub("", line).rstrip() for line in coloured] == plain
    assert "\x1b" not in "".join(plain)
    assert all(line.isascii() for line in plain)
