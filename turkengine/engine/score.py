"""Scores, from the side to move, in hundredths of a man.

Static evaluations stay within 80 men. A win found by search is 100 men less a hundredth a ply; losses mirror it.
"""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.rules.bounds import EVALUATION_LIMIT, LONGEST_WIN, WIN

__all__ = ["EVALUATION_LIMIT", "LONGEST_WIN", "MAN", "WIN", "Score"]

MAN = 100


@dataclass(frozen=True, order=True)
class Score:
    """One score; larger is better for the side to move."""

    hundredths: int

    @property
    def men(self) -> float:
        """The score in men."""
        return self.hundredths / MAN

    @property
    def plies_to_end(self) -> int | None:
        """Plies until the game is won (positive or 0) or lost (negative), None where no end was found.

        A side that has already lost is at 0 plies, told apart by the sign of `hundredths`.
        """
        distance = WIN - abs(self.hundredths)
        if distance > LONGEST_WIN:
            return None
        return distance if self.hundredths > 0 else -distance

    @property
    def moves_to_end(self) -> int | None:
        """The moves that the winner still makes, negative for a loss, None where no end was found."""
        plies = self.plies_to_end
        if plies is None:
            return None
        return (plies + 1) // 2 if plies > 0 else -(-plies // 2)
