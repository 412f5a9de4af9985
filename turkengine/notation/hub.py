"""Positions as the Hub protocol writes them: the side to move and one letter a square, as a page is read.

`W` or `B`, then `w` `b` (men), `W` `B` (kings) or `e` (empty) for each square: 1 to 50, or a8, b8 ... h1.
"""

from __future__ import annotations

from turkengine.errors import PositionError, shown
from turkengine.notation.fen import Setup, by_letters
from turkengine.rules.position import Placement, Position, check
from turkengine.rules.variant import Variant


def read_hub(variant: Variant, text: str) -> Position:
    """The position that `text` describes.

    Raises:
        PositionError: as for `parse_hub`.
    """
    return parse_hub(variant, text).position(variant)


def parse_hub(variant: Variant, text: str) -> Setup:
    """The same as plain values, checked against the rules.

    Raises:
        PositionError: naming the square or the count that is wrong.
    """
    text = text.strip()
    letter, placed = text[:1].upper(), text[1:]
    if letter not in ("W", "B"):
        raise PositionError(f"a position begins with the side to move, 'W' or 'B', not with {shown(text[:1])}")
    size = variant.board.size
    if len(placed) != size:
        raise PositionError(
            f"a position of {variant.name} has {size} letters after the side to move, not {len(placed)}"
        )
    setup = by_letters(variant, text)
    check(variant, setup.cells)
    return setup


def write_hub(position: Placement) -> str:
    """The position without its counters, for which this notation has no place."""
    return position.side.value + "".join([position.cells[square] for square in position.variant.board.reading_order])
