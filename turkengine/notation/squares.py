"""Names of squares, in and out.

Every board has names of its own, numbers or letters with numbers. A client may ask for plain numbers on a board with
letters too, in index order: a1 = 1, b1 = 2 ... h8 = 64 where all squares are played, from the far left where only the
dark ones are. So reading takes both; nobody confuses them.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache

from turkengine.rules.board import Board


class Naming(Enum):
    """How the squares of a board with letters are written; a board with numbers has only these."""

    ALGEBRAIC = "algebraic"
    NUMERIC = "numeric"


@lru_cache(maxsize=16)
def names(board: Board, naming: Naming = Naming.ALGEBRAIC) -> tuple[str, ...]:
    """What each square is called, in index order."""
    if naming is Naming.NUMERIC and board.lettered:
        return tuple(str(square + 1) for square in range(board.size))
    return board.names


def square_named(board: Board, name: str) -> int | None:
    """The square of this name or number, None where the board has none; case and leading zeros do not count."""
    return _squares(board).get(name.lower().lstrip("0"))


def in_reading_order(board: Board, squares: Iterable[int]) -> list[int]:
    """The squares as they follow each other in a position on the wire."""
    return sorted(squares, key=board.reading_places.__getitem__)


def extent(board: Board) -> str:
    """The squares there are, for messages: "1 to 50"."""
    if board.lettered:
        return f"{min(board.names)} to {max(board.names)}"
    return f"{board.names[board.naming_order[0]]} to {board.names[board.naming_order[-1]]}"


@lru_cache(maxsize=16)
def _squares(board: Board) -> dict[str, int]:
    return {name: square for naming in Naming for square, name in enumerate(names(board, naming))}
