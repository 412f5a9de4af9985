"""Which squares are looked at together: the patterns of the evaluation, made from the board alone.

A pattern is a window of eight squares, each empty or with a man of either side, so 3^8 = 6561 states. Windows lie over
the whole board, upright and flat, and overlap. A window and the same one turned by 180 degrees with the colours
exchanged mean the same for the other side, so both read one table; where the board looks alike from left and right,
so do mirrored windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turkengine.rules.board import Board

PATTERN_SQUARES = 8
STATES = 3**PATTERN_SQUARES


@dataclass(frozen=True)
class Placement:
    """A pattern at one place of the board.

    Attributes:
        table: the number of the table with the values of its states.
        black: seen by Black, so that its value counts against White.
        squares: those looked at; the first one is the lowest digit of the state. A digit is 0 for no man, 1 for a man
            of the side that sees it, 2 for a man of the other.
    """

    table: int
    black: bool
    squares: tuple[int, ...]


def placements(board: Board) -> tuple[Placement, ...]:
    """Every pattern of a board, those seen by White first."""
    placed: dict[frozenset[int], Placement] = {}
    table = 0
    for window in _windows(board):
        if frozenset(window) in placed:
            continue
        alike = [window] if board.dark_only else [window, _mirrored(board, window)]
        for squares in alike:
            for black, seen in ((False, squares), (True, [board.size - 1 - square for square in squares])):
                placed.setdefault(frozenset(seen), Placement(table, black, tuple(seen)))
        table += 1
    return tuple(sorted(placed.values(), key=lambda placement: placement.black))


def _windows(board: Board) -> list[list[int]]:
    """Upright windows of four ranks and flat ones of two; on dark squares alone they are twice as wide."""
    wide = 2 if board.dark_only else 1
    upright = [
        (file, rank, 2 * wide, 4)
        for rank in range(0, board.ranks - 3, 2)
        for file in range(0, board.files - 2 * wide + 1, 2)
    ]
    flat = [
        (file, rank, 4 * wide, 2)
        for rank in range(1 if board.dark_only else 0, board.ranks - 1, 2 if board.dark_only else 1)
        for file in ((0, 2) if board.dark_only else (0, 4))
    ]
    return [_window(board, *where) for where in upright + flat]


def _window(board: Board, file: int, rank: int, files: int, ranks: int) -> list[int]:
    squares = (board.square_at(file + right, rank + up) for up in range(ranks) for right in range(files))
    return [square for square in squares if square is not None]


def _mirrored(board: Board, squares: Sequence[int]) -> list[int]:
    places = (board.places[square] for square in squares)
    mirrored = (board.square_at(board.files - 1 - file, rank) for file, rank in places)
    return [square for square in mirrored if square is not None]
