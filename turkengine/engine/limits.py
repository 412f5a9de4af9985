"""What ends a search, in the units of the program: seconds, plies, nodes."""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.rules.move import Move


@dataclass(frozen=True)
class GameClock:
    """The clock of the side to move.

    Attributes:
        remaining: seconds left; may be zero or negative, since some clients subtract the increment beforehand.
        increment: seconds added for each move.
        moves: moves to play in `remaining`, None for the rest of the game.
    """

    remaining: float
    increment: float = 0.0
    moves: int | None = None


@dataclass(frozen=True)
class Limits:
    """All limits given hold together and the first one reached ends the search.

    Without any, and without `infinite`, the search ends by itself where it can find nothing more.

    Attributes:
        depth: plies of the deepest iteration.
        nodes: moves made.
        mate: stop once a win in this many moves of the winner is proved.
        move_time: seconds for this move, a target to be met.
        clock: the game clock to be managed.
        infinite: keep the answer until `stop`, even when the search has come to its end.
        ponder: the opponent is to move; no clock runs and the answer waits until ponder-hit or `stop`.
        analysis: somebody wants to know about the position, not to play: even a single legal move is searched.
        root_moves: search only these; empty means all.
    """

    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    move_time: float | None = None
    clock: GameClock | None = None
    infinite: bool = False
    ponder: bool = False
    analysis: bool = False
    root_moves: tuple[Move, ...] = ()

    @property
    def timed(self) -> bool:
        """Whether time ends the search."""
        return self.move_time is not None or self.clock is not None
