"""Moves that break a rule, for every game on the dark squares of a small board.

They are written with letters, as on a board whose corner at White's left is dark, and put into the names of each game;
a board whose corner is light is that board in the mirror.
"""

from __future__ import annotations

import re

from turkengine.rules.variant import CapturePriority, Variant

# A man that can take two, a man that can take one.
TWO_OR_ONE = "W:We3,a3:Bf4,f6,b4"

EVERYWHERE = [
    ("5.4.1", "W:Wc3:Bd6", "c3-d4", "d4-c5"),
    ("5.4.5", "W:Wc3:Bd6", "", "d6-e5"),
    ("5.4.7", "W:Wc3:Bd6", "", "c3-d4xd6"),
    ("5.4.6", TWO_OR_ONE, "", "e3-d4"),
    ("5.4.14", TWO_OR_ONE, "", "e3xe7xf4xf6xa3"),
    ("5.4.12", TWO_OR_ONE, "", "e3xe7xf4xf6xb4"),
    ("5.4.11", TWO_OR_ONE, "", "e3xe7xf4"),
    ("5.4.9", TWO_OR_ONE, "", "e3xg5"),
    ("5.4.9", TWO_OR_ONE, "", "e3xg5xf4"),
    ("5.4.2", "W:Wc3:Bd6", "", "c3-e5"),
    ("5.4.2", "W:Wc3:Bd6", "", "c3-b2"),
    ("5.4.2", TWO_OR_ONE, "", "e3xe7xf4xf6xf6"),
]
BY_PRIORITY = {
    CapturePriority.MOST_PIECES: ("5.4.8", TWO_OR_ONE, "", "a3xc5"),
    CapturePriority.BY_KING: ("5.4.8", "W:Wc3,Kg1:Bd4,f2,d2", "", "c3xe5"),
    CapturePriority.MOST_KINGS: ("5.4.8", "W:WKc3:BKd4,b4", "", "c3xa5"),
}


def cases(variant: Variant) -> list[tuple[str, str, str, str]]:
    """Article, position, moves played, and the text, in the names of this game."""
    found = [*EVERYWHERE, *(BY_PRIORITY[one] for one in variant.capture_priority[:1])]
    return [(article, *(named(variant, text) for text in texts)) for article, *texts in found]


def named(variant: Variant, text: str) -> str:
    """The text with the squares as the game calls them."""
    return re.sub("[a-h][1-8]", lambda found: _name(variant, found[0]), text)


def _name(variant: Variant, square: str) -> str:
    board = variant.board
    file, rank = ord(square[0]) - ord("a"), int(square[1]) - 1
    index = board.square_at(file if board.a1_dark else 7 - file, rank)
    assert index is not None, f"{square} is a dark square"
    return board.names[index]
