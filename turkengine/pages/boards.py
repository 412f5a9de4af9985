"""Boards of pages: what they share, what they look like in words, and how a game goes from board to board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from turkengine.drawing.svg import board_svg, centres, definitions
from turkengine.rules.variant import Side, Variant

_KINDS = (("w", "White men"), ("W", "White kings"), ("b", "Black men"), ("B", "Black kings"))


class EmptyBoard(NamedTuple):
    """What the script of a page draws pieces on.

    Attributes:
        key: variant and side at the bottom.
        names: of the squares, in index order.
        places: the middle of each square.
    """

    key: str
    names: Sequence[str]
    places: Sequence[tuple[int, int]]
    drawing: str


def shared_shapes(variants: Iterable[Variant]) -> str:
    """The drawing that all boards of a page refer to."""
    return definitions(dict.fromkeys(variant.board for variant in variants))


def empty_boards(variants: Iterable[Variant]) -> Iterator[EmptyBoard]:
    """An empty board of each game, from both sides."""
    for variant in variants:
        for flipped, kind in ((False, "usual"), (True, "flipped")):
            board = variant.board
            drawing = board_svg(board, "e" * board.size, alone=False, flipped=flipped)
            yield EmptyBoard(f"{variant.name} {kind}", board.names, centres(board, flipped), drawing)


def in_words(variant: Variant, cells: str, side: Side) -> str:
    """A position for those who do not see it: who is to move, and the squares of each kind of piece."""
    parts = [f"{side.name.capitalize()} to move"]
    for letter, kind in _KINDS:
        squares = [variant.board.names[square] for square, cell in enumerate(cells) if cell == letter]
        if squares:
            parts.append(f"{kind} {' '.join(squares)}")
    return "; ".join(parts)


def changes(before: str, after: str) -> list[int | str]:
    """Squares and what stands on them afterwards, one after the other."""
    found: list[int | str] = []
    for square, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            found += [square, new]
    return found


def number_of(variant: Variant, first: Side, ply: int) -> str:
    """The number of a move as it is written, `12.` or `12...`.

    Args:
        first: who made the first move.
        ply: from 1.
    """
    half = ply - 1 + (first is not variant.begins)
    return f"{half // 2 + 1}{'...' if half % 2 else '.'}"
