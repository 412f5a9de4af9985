"""Scores, from the side to move, in hundredths of a man.

Static evaluations stay within 80 men. A win found by search is 100 men less a hundredth a ply; losses mirror it. The
compiled kernel has these numbers of its own, and a test sees to it that they are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

MAN = 100
WIN = 100 * MAN
EVALUATION_LIMIT = 80 * MAN
LONGEST_WIN = 500  # plies; scores within this distance of WIN tell a distance


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
