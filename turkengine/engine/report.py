"""What a search reports while it runs and when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from turkengine.engine.kernel_types import RawReport
from turkengine.engine.score import Score
from turkengine.rules.move import Move


class Bound(Enum):
    """Whether a score is exact, or only known to be at least or at most the true one."""

    EXACT = "exact"
    LOWER = "lowerbound"
    UPPER = "upperbound"


BOUNDS = (Bound.EXACT, Bound.LOWER, Bound.UPPER)


@dataclass(frozen=True)
class Report:
    """One line found by the search.

    Attributes:
        depth: plies of the iteration.
        selective_depth: plies of the longest line looked at.
        mean_depth: average number of plies at which lines ended.
        rank: 1 for the best line, 2 for the second best, ...
        score: from the side to move at the root.
        nodes, time: moves made and seconds passed since the search began.
        table_filled: thousandths of the transposition table in use.
        table_hits: positions found in endgame tables.
        line: the principal variation, legal move by legal move.
    """

    depth: int
    selective_depth: int
    mean_depth: float
    rank: int
    score: Score
    bound: Bound
    nodes: int
    time: float
    table_filled: int
    table_hits: int
    line: tuple[Move, ...]

    @classmethod
    def read(cls, fields: tuple[Any, ...]) -> Report:
        """From what a kernel hands over, the fields of a `RawReport`."""
        raw = RawReport(*fields)
        return cls(
            raw.depth,
            raw.selective_depth,
            raw.mean_depth,
            raw.rank,
            Score(raw.score),
            BOUNDS[raw.bound],
            raw.nodes,
            raw.seconds,
            raw.table_filled,
            raw.table_hits,
            raw.line,
        )

    @property
    def nodes_per_second(self) -> float:
        """Moves made per second of wall time."""
        return self.nodes / self.time if self.time > 0 else 0.0


@dataclass(frozen=True)
class Answer:
    """The end of a search: the move to play and the reply to ponder on, None where there is none."""

    move: Move | None
    ponder: Move | None
