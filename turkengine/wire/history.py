"""The moves that led to a position, as text, for protocols that send them with every order.

A game grows by two plies from one order to the next, so what was written before is kept.
"""

from __future__ import annotations

from collections.abc import Callable

from turkengine.rules.move import Move
from turkengine.rules.position import GamePosition


class History:
    """A game as text, which grows with the positions that it is asked about."""

    def __init__(self, write: Callable[[GamePosition, Move], str]) -> None:
        """`write` gives the text of a move played in a position."""
        self._write = write
        self._positions: list[GamePosition] = []
        self._places: dict[int, int] = {}  # of the positions kept, by identity
        self._texts: list[str] = []  # of the moves between them

    def follow(self, position: GamePosition) -> tuple[GamePosition, list[str]]:
        """Where the game of `position` began as far as it is known, and every move since."""
        new: list[GamePosition] = []
        step: GamePosition | None = position
        while step is not None and id(step) not in self._places:
            new.append(step)
            step = step.previous
        kept = self._places[id(step)] + 1 if step is not None else 0
        for dropped in self._positions[kept:]:
            del self._places[id(dropped)]
        del self._positions[kept:], self._texts[max(kept - 1, 0) :]
        for follower in reversed(new):
            if self._positions:
                assert follower.move is not None
                self._texts.append(self._write(self._positions[-1], follower.move))
            self._places[id(follower)] = len(self._positions)
            self._positions.append(follower)
        return self._positions[0], list(self._texts)
