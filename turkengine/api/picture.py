"""A position as a picture: what programs name, squares and moves as text, becomes what the drawing takes.

An arrow follows a capture from landing square to landing square. A PNG is made from the SVG by a library that need not
be there; without it everything else works.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import NoneType
from typing import TYPE_CHECKING

from turkengine.api import checking
from turkengine.drawing.svg import BAD, GOOD, NEUTRAL, Arrow, SquareMark, board_svg
from turkengine.errors import MoveError, OptionError, PositionError, shown
from turkengine.notation.squares import extent, square_named
from turkengine.rules import movegen
from turkengine.rules.move import Move

if TYPE_CHECKING:
    from turkengine.api.position import Position

Arrows = Iterable[Move | str] | Mapping[Move | str, str]
"""Moves, or moves and the colours of their arrows."""

PNG_SIZE = 480  # pixels of the width without another
LARGEST = 10_000  # pixels of a width


def svg_of(
    position: Position,
    arrows: Arrows,
    marks: Mapping[str, str] | None,
    flipped: bool,
    size: int | None,
    coordinates: bool,
    last_move: bool,
) -> str:
    """The drawing that `Position.to_svg` describes."""
    last = (position.move.origin, position.move.target) if position.move is not None and last_move else ()
    checking.several("arrows", arrows, f"{checking.MOVES}, or a dict of moves and colours")
    checking.require("marks", marks, (Mapping, NoneType), "a dict of squares and texts, as in {'28': '!'}")
    coloured = arrows if isinstance(arrows, Mapping) else dict.fromkeys(arrows, NEUTRAL)
    for name in (*coloured, *(marks or {})):
        checking.require("a move or square of the drawing", name, (str, Move), "a text, as in '32-28' or '28'")
    for text in (*coloured.values(), *(marks or {}).values()):
        checking.require("a colour or mark", text, str, "a text")
    if size is not None:
        checking.whole("size", size, 1, LARGEST)
    return board_svg(
        position.variant.board,
        position.cells,
        last=last,
        arrows=[_arrow(position, move, colour) for move, colour in coloured.items()],
        marks=[SquareMark(_square(position, name), text, _colour(text)) for name, text in (marks or {}).items()],
        flipped=flipped,
        size=size,
        names=coordinates,
        title=f"{position.variant.name} {position.fen()}",
    )


def png_of(svg: str) -> bytes:
    """An SVG as PNG, as wide as it says.

    Raises:
        OptionError: the library that does this is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise OptionError(
            "a PNG needs the library resvg_py; install turkengine with its extra draw, as in: pip install '.[draw]'"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def _arrow(position: Position, move: Move | str, colour: str) -> Arrow:
    """An arrow along a legal move, or from square to square where the text names none."""
    if isinstance(move, str):
        text = move
        try:
            move = position.parse(text)
        except MoveError:
            names = re.split(r"[-x:]", text)
            if len(names) < 2:
                raise
            origin, *via, target = (_square(position, name.strip()) for name in names)
            return Arrow(origin, target, colour, tuple(via))
    board = range(position.variant.board.size)
    if move.origin not in board or move.target not in board:
        raise MoveError(f"{move} names squares that {position.variant.name} has not")
    path = move.path
    if not path and move.is_capture and move in position.legal_moves():
        path = movegen.route(position.variant, position.cells, move)
    return Arrow(move.origin, move.target, colour, tuple(path[1:-1]))


def _square(position: Position, name: str) -> int:
    board = position.variant.board
    square = square_named(board, name)
    if square is None:
        raise PositionError(f"{position.variant.name} has no square {shown(name)}; the squares are {extent(board)}")
    return square


def _colour(text: str) -> str:
    """The colour of a mark: red for what is doubted, green for what is praised."""
    if "?" in text:
        return BAD
    return GOOD if "!" in text else NEUTRAL
