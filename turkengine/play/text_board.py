"""The board drawn for people, in letters or in signs, with or without colours.

Where squares are numbered each carries its number; where they are named by file and rank those stand at the edges.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from turkengine.rules.board import FILE_LETTERS, Board
from turkengine.rules.movegen import EMPTY, owner
from turkengine.rules.position import Placement
from turkengine.rules.variant import Side

LETTERS = {EMPTY: ".", "w": "w", "W": "W", "b": "b", "B": "B"}
SIGNS = {
    EMPTY: "\N{MIDDLE DOT}",
    "w": "\N{WHITE CIRCLE}",
    "W": "\N{BULLSEYE}",
    "b": "\N{BLACK CIRCLE}",
    "B": "\N{FISHEYE}",
}
RESET = "\x1b[0m"
PLAYED_SQUARE, MARKED_SQUARE = "\x1b[48;5;94m", "\x1b[48;5;28m"  # backgrounds: brown, green
NAME = "\x1b[38;5;180m"
PIECES = {Side.WHITE: "\x1b[1;38;5;231m", Side.BLACK: "\x1b[1;38;5;16m", None: NAME}


@dataclass(frozen=True)
class Look:
    """What the terminal can show.

    Attributes:
        signs: round signs for the pieces, which need Unicode; letters otherwise.
        colours: escape sequences for colours.
        always: the board is drawn whenever a person is to move, and not only when asked for.
    """

    signs: bool = False
    colours: bool = False
    always: bool = False

    @property
    def pieces(self) -> dict[str, str]:
        """What stands for each content of a square."""
        return SIGNS if self.signs else LETTERS

    @property
    def legend(self) -> str:
        """What the pieces look like, in words."""
        shown = self.pieces
        return f"{shown['w']} {shown['W']} White's men and kings, {shown['b']} {shown['B']} Black's"


def draw(position: Placement, look: Look, bottom: Side, marked: Collection[int] = ()) -> list[str]:
    """The board, line by line.

    Args:
        bottom: the side that sits at the lower edge.
        marked: squares between brackets: those of the last move.
    """
    board = position.variant.board
    ranks, files = list(range(board.ranks)), list(range(board.files))
    if bottom is Side.WHITE:
        ranks.reverse()
    else:
        files.reverse()
    lines = []
    for rank in ranks:
        squares = [board.square_at(file, rank) for file in files]
        label = f" {rank + 1} " if board.lettered else ""
        cells = [_cell(position, square, look, square in marked) for square in squares]
        lines.append((label + "".join(cells)).rstrip())
    if board.lettered:
        lines.append("   " + "".join(f" {FILE_LETTERS[file]} " for file in files).rstrip())
    return lines


def _cell(position: Placement, square: int | None, look: Look, marked: bool) -> str:
    board = position.variant.board
    name = _name(board, square)
    if square is None:
        return " " * (len(name) + 3)
    content = position.cells[square]
    left, right = ("[", "]") if marked else (" ", " ")
    piece = look.pieces[content]
    if not look.colours:
        return f"{left}{name}{piece}{right}"
    ground = MARKED_SQUARE if marked else PLAYED_SQUARE
    return f"{ground}{NAME}{left}{name}{PIECES[owner(content)]}{piece}{RESET}{ground}{NAME}{right}{RESET}"


def _name(board: Board, square: int | None) -> str:
    """The number of a square, as wide as all are; nothing where names stand at the edges."""
    if board.lettered:
        return ""
    width = max(map(len, board.names))
    return " " * width if square is None else board.names[square].rjust(width)
