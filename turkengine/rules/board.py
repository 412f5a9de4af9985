"""Geometry: which squares a board has, what they are called, and which lie beside which.

A square is an index from 0. On boards where only the dark squares are played the index follows a page that is read from
White's side: 0 is at the top left. On boards where all squares are played a1 is 0, b1 is 1, up to h8. Files and ranks
count from 0 at White's bottom left corner. What people call the squares is another matter: `names`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

FILE_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Names of the files."""


class Direction(NamedTuple):
    """One step on the board as White sees it: files to the right, ranks forward."""

    right: int
    forward: int

    def mirrored(self) -> Direction:
        """The same step as Black sees it."""
        return Direction(self.right, -self.forward)

    def reversed(self) -> Direction:
        """The step back: a turn by 180 degrees."""
        return Direction(-self.right, -self.forward)


FORWARD = Direction(0, 1)
RIGHT = Direction(1, 0)
BACKWARD = Direction(0, -1)
LEFT = Direction(-1, 0)
FORWARD_RIGHT = Direction(1, 1)
FORWARD_LEFT = Direction(-1, 1)
ORTHOGONAL = (FORWARD, RIGHT, BACKWARD, LEFT)
DIAGONAL = (FORWARD_RIGHT, Direction(1, -1), Direction(-1, -1), FORWARD_LEFT)
DIAGONAL_FORWARD = (FORWARD_RIGHT, FORWARD_LEFT)


@dataclass(frozen=True)
class Board:
    """A rectangle of squares, all of them played or only the dark ones.

    Attributes:
        a1_dark: whether the corner at White's left hand is a dark square.
        letters: whether squares are named by letter and number; None: where all are played.
        from_near_right: numbers begin at White's right hand, and not at the far left.
    """

    files: int
    ranks: int
    dark_only: bool
    a1_dark: bool = True
    letters: bool | None = None
    from_near_right: bool = False

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """(file, rank) of each square, in index order."""
        if self.dark_only:
            return tuple(
                (file, rank)
                for rank in reversed(range(self.ranks))
                for file in range(self.files)
                if ((file + rank) % 2 == 0) == self.a1_dark
            )
        return tuple((file, rank) for rank in range(self.ranks) for file in range(self.files))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each square is called: 1, 2, ... or a1, b1, ..., in index order."""
        if self.lettered:
            return tuple(FILE_LETTERS[file] + str(rank + 1) for file, rank in self.places)
        numbers = range(1, self.size + 1)
        return tuple(map(str, reversed(numbers) if self.from_near_right else numbers))

    @property
    def lettered(self) -> bool:
        """Whether squares are named by letter and number."""
        return not self.dark_only if self.letters is None else self.letters

    @cached_property
    def naming_order(self) -> tuple[int, ...]:
        """The squares in the order of their numbers; where they are named by letters, as a page is read."""
        order = self.reading_order
        return order[::-1] if self.from_near_right and not self.lettered else order

    @cached_property
    def reading_order(self) -> tuple[int, ...]:
        """The squares as a page is read from White's side: from the far left corner to the near right one.

        This is the order of the letters in a position on the wire.
        """
        return tuple(sorted(range(self.size), key=lambda square: (-self.places[square][1], self.places[square][0])))

    @cached_property
    def reading_places(self) -> tuple[int, ...]:
        """For each square in index order, where it stands in `reading_order`."""
        return tuple(self.reading_order.index(square) for square in range(self.size))

    @cached_property
    def own_names(self) -> tuple[str, ...]:
        """The names, empty where they are 1, 2, ... in index order: what a move has to know of them."""
        return self.names if self.lettered or self.from_near_right else ()

    @property
    def size(self) -> int:
        """How many squares are played."""
        return len(self.places)

    @cached_property
    def _squares(self) -> dict[tuple[int, int], int]:
        return {place: square for square, place in enumerate(self.places)}

    @cached_property
    def _rays(self) -> dict[tuple[int, Direction], tuple[int, ...]]:
        return {
            (square, direction): tuple(self._walk(square, direction))
            for square in range(self.size)
            for direction in (*ORTHOGONAL, *DIAGONAL)
        }

    def _walk(self, square: int, direction: Direction) -> Iterator[int]:
        file, rank = self.places[square]
        while True:
            file, rank = file + direction.right, rank + direction.forward
            following = self._squares.get((file, rank))
            if following is None:
                return
            yield following

    def square_at(self, file: int, rank: int) -> int | None:
        """The square on this file and rank, None where there is none."""
        return self._squares.get((file, rank))

    def rank(self, square: int) -> int:
        """How many ranks the square lies in front of White's first one."""
        return self.places[square][1]

    def ray(self, square: int, direction: Direction) -> tuple[int, ...]:
        """All squares from the one beside `square` to the edge of the board, nearest first."""
        return self._rays[square, direction]

    def step(self, square: int, direction: Direction) -> int | None:
        """The square beside, None at the edge."""
        ray = self._rays[square, direction]
        return ray[0] if ray else None

    def direction(self, origin: int, target: int) -> Direction | None:
        """The straight line from one square to another, None where no line joins them."""
        directions = (*ORTHOGONAL, *DIAGONAL)
        return next((direction for direction in directions if target in self.ray(origin, direction)), None)


DARK_10X10 = Board(files=10, ranks=10, dark_only=True)
LETTERED_8X8 = Board(files=8, ranks=8, dark_only=True, letters=True)
ALL_8X8 = Board(files=8, ranks=8, dark_only=False)
