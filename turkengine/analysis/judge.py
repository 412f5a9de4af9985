"""What a move is worth: marks, accuracy, missed wins, and the phase of the game.

A move is judged by the part of the expected result that it gives away: the mean of win (1), draw (0.5) and loss (0)
before it, as the best move keeps it, less the mean after it. Men would judge alike what is decided and what is level.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import exp

from turkengine.engine.chances import Chances
from turkengine.rules.variant import Variant


class Mark(Enum):
    """What is written after a move. The numbers are the glyphs of PDN."""

    NONE = ""
    GOOD = "!"
    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def nag(self) -> int | None:
        """The numeric annotation glyph, None for no mark."""
        return _NAGS.get(self)

    @property
    def is_bad(self) -> bool:
        """Whether it says that there was a better move."""
        return self in _COSTS


_NAGS = {Mark.GOOD: 1, Mark.MISTAKE: 2, Mark.BLUNDER: 4, Mark.DUBIOUS: 6}
_COSTS = {Mark.BLUNDER: 0.25, Mark.MISTAKE: 0.12, Mark.DUBIOUS: 0.06}  # expectation given away, at least
FORCED = 7  # the glyph of a move that was the only legal one

ONLY_GOOD = 0.12  # expectation by which the second best line has to be worse, where several are searched
WON = 0.85  # the chance of a win from which a position counts as won
NO_LONGER_WON = 0.6  # the chance below which a win has been let go
ACCURACY_FALL = 5.0  # how fast the accuracy of a move falls with what it costs

OPENING, MIDDLEGAME, ENDGAME = "opening", "middlegame", "endgame"
OPENING_SHARE, ENDGAME_SHARE = 0.8, 0.35  # of the pieces that a game begins with, those on the board


def mark_of(cost: float) -> Mark:
    """The mark of a move that gives so much expectation away."""
    return next((mark for mark, least in _COSTS.items() if cost >= least), Mark.NONE)


def lets_a_win_go(before: Chances, after: Chances) -> bool:
    """Whether the mover had a won position and has none any more; both are the mover's chances."""
    return before.win >= WON and after.win < NO_LONGER_WON


def phase_of(variant: Variant, cells: str) -> str:
    """Opening, middlegame or endgame, by the pieces on the board."""
    share = (len(cells) - cells.count("e")) / (2 * variant.pieces_per_side)
    if share >= OPENING_SHARE:
        return OPENING
    return MIDDLEGAME if share >= ENDGAME_SHARE else ENDGAME


def accuracy_of(costs: Iterable[float]) -> float | None:
    """How well somebody has played, from 0 to 100, from the costs of all moves that were a choice; None without any.

    A move that costs nothing counts 100, one that costs 0.06 counts 74, one that costs 0.25 counts 29.
    """
    counted = [100 * exp(-ACCURACY_FALL * cost) for cost in costs]
    return sum(counted) / len(counted) if counted else None


@dataclass(frozen=True)
class PlayerSummary:
    """What one player has done in a game.

    Attributes:
        moves: how many were made, and of them `forced` were the only legal one.
        accuracy: from 0 to 100, None where no move was a choice.
        mean_loss: men given away on average by moves that were a choice, None without any.
        marks: how many moves got each mark.
        missed_wins, missed_shots: how many.
    """

    moves: int = 0
    forced: int = 0
    accuracy: float | None = None
    mean_loss: float | None = None
    marks: tuple[tuple[str, int], ...] = ()
    missed_wins: int = 0
    missed_shots: int = 0

    def count(self, mark: Mark) -> int:
        """How many moves got a mark."""
        return dict(self.marks).get(mark.value, 0)
