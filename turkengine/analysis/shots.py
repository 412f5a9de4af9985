"""Combinations, which draughts players call shots: pieces given to force captures, and won back with more.

A line is a shot for the side that begins it, where the opponent has nothing but captures to play all the way, something
is given before more is taken, and what stands at the end is a gain. Taking back what has just been taken is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turkengine.api.position import Position
from turkengine.rules.move import Move

KING = 3  # what a king counts where gain and loss are compared; a man counts 1


@dataclass(frozen=True)
class Shot:
    """A combination.

    Attributes:
        gives, takes: pieces, men and kings alike.
        kings: how many of those taken are kings.
        plies: from the first move to the last capture.
        crowns: whether a king comes out of it.
        text: the moves.
    """

    gives: int
    takes: int
    kings: int
    plies: int
    crowns: bool
    text: str

    @property
    def name(self) -> str:
        """What it is called here: "shot 2 for 4, to a king"."""
        taken = {0: "", 1: ", a king taken"}.get(self.kings, f", {self.kings} kings taken")
        return f"shot {self.gives} for {self.takes}{taken}{', to a king' if self.crowns else ''}"


def shot_in(position: Position, line: Sequence[Move]) -> Shot | None:
    """The combination with which a line begins, None where it begins with none.

    Args:
        line: legal moves from `position`, as far as a search has found them.
    """
    mover = position.side
    owed = _worth(position.previous, position.move) if position.previous is not None and position.move else 0
    balance = lowest = 0
    gives = takes = 0
    here = position
    found: tuple[int, int, int] | None = None  # gives, takes, plies
    for place, move in enumerate(line):
        own_move = here.side is mover
        if not own_move and not move.is_capture:
            break  # the opponent is free again
        if own_move and place and not move.is_capture and not _threatened(here, move):
            break
        worth = _worth(here, move) + (KING - 1 if _crowns(here, move) else 0)
        here = here.play(move)
        if own_move:
            takes += len(move.captured)
            balance += worth
            if lowest < 0 and balance > owed and not _captures(here):
                found = gives, takes, place + 1
        else:
            gives += len(move.captured)
            balance -= worth
            lowest = min(lowest, balance)
    if found is None:
        return None
    given, taken, plies = found
    own = [(before, move) for before, move in _walked(position, line[:plies]) if before.side is mover]
    crowns = any(_crowns(before, move) for before, move in own)
    kings = sum(before.cells[square].isupper() for before, move in own for square in move.captured)
    return Shot(given, taken, kings, plies, crowns, " ".join(position.line_texts(line[:plies])))


def _worth(position: Position, move: Move) -> int:
    """What a move takes, in men."""
    return sum(KING if position.cells[square].isupper() else 1 for square in move.captured)


def _threatened(position: Position, move: Move) -> bool:
    """Whether a quiet move leaves the opponent nothing but captures."""
    return _captures(position.play(move))


def _captures(position: Position) -> bool:
    return any(move.is_capture for move in position.legal_moves())


def _crowns(position: Position, move: Move) -> bool:
    """Whether a man becomes a king."""
    man = position.cells[move.origin].islower()
    return man and move.target in position.variant.promotion_squares[position.side]


def _walked(position: Position, line: Sequence[Move]) -> list[tuple[Position, Move]]:
    found = []
    for move in line:
        found.append((position, move))
        position = position.play(move)
    return found
