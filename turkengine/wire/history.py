"""The moves that led to a position, as text, for protocols that send them with every order.

A position remembers the one before and not the move between; that is told by what has changed on the board. A game
grows by two plies from one order to the next, so what was written before is kept.
"""

from __future__ import annotations

from collections.abc import Callable

from turkengine.rules.move import Move
from turkengine.rules.movegen import owner
from turkengine.rules.position import Position


def move_between(before: Position, after: Position) -> Move:
    """The legal move that leads from `before` to `after`; its path is left open.

    Where two captures that come back to their start lead to the same position, either of them.

    Raises:
        ValueError: no legal move does.
    """
    changed = [square for square, cell in enumerate(before.cells) if cell != after.cells[square]]
    origins = [square for square in changed if owner(before.cells[square]) is before.side]
    targets = [square for square in changed if owner(after.cells[square]) is before.side]
    theirs = before.side.opponent
    captured = frozenset(square for square in changed if owner(before.cells[square]) is theirs)  # one may be the target
    if len(origins) == len(targets) == 1 and before.side is not after.side:
        return Move(origins[0], targets[0], captured)
    for move in before.legal_moves():  # a circular capture changes nothing for its own side
        if before.play(move) == after:
            return move
    raise ValueError("the positions do not follow each other by a move")


class History:
    """A game as text, which grows with the positions that it is asked about."""

    def __init__(self, write: Callable[[Position, Move], str]) -> None:
        """`write` gives the text of a move played in a position."""
        self._write = write
        self._positions: list[Position] = []
        self._places: dict[int, int] = {}  # of the positions kept, by identity
        self._texts: list[str] = []  # of the moves between them

    def follow(self, position: Position) -> tuple[Position, list[str]]:
        """Where the game of `position` began as far as it is known, and every move since."""
        new: list[Position] = []
        step: Position | None = position
        while step is not None and id(step) not in self._places:
            new.append(step)
            step = step.previous
        kept = self._places[id(step)] + 1 if step is not None else 0
        for dropped in self._positions[kept:]:
            del self._places[id(dropped)]
        del self._positions[kept:], self._texts[max(kept - 1, 0) :]
        for follower in reversed(new):
            if self._positions:
                before = self._positions[-1]
                self._texts.append(self._write(before, move_between(before, follower)))
            self._places[id(follower)] = len(self._positions)
            self._positions.append(follower)
        return self._positions[0], list(self._texts)
