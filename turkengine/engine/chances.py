"""What a score means for the result of the game: the chances of a win, a draw and a loss.

With s the score in men from the side to move, the chance to win is 1 / (1 + exp(a (d - s))), that to lose is the same
for -s, and the rest is a draw. `a` is how steeply a lead becomes a result, `d` the lead that wins as often as not.
Both were fitted for each game to games of the engine against itself; its `chances.json` says to how many, and
docs/analysis.md how. A game for which nobody has done that is taken for an average one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp

from turkengine import games
from turkengine.engine.score import Score
from turkengine.rules.variant import Variant

AVERAGE = (1.4, 0.5)  # (a, d) where they have not been fitted
FARTHEST = 50.0  # of an exponent; what is beyond is certain


@dataclass(frozen=True)
class Chances:
    """How likely each result is, from 0 to 1; together 1."""

    win: float
    draw: float
    loss: float

    @property
    def expectation(self) -> float:
        """The mean result: 1 for a win, 0.5 for a draw."""
        return self.win + self.draw / 2

    def reversed(self) -> Chances:
        """The same as the opponent sees it."""
        return Chances(self.loss, self.draw, self.win)


def chances_of(score: Score, variant: Variant) -> Chances:
    """The chances of the side from which the score is seen. A win that has been found is certain."""
    if score.plies_to_end is not None:
        return Chances(1.0, 0.0, 0.0) if score.hundredths > 0 else Chances(0.0, 0.0, 1.0)
    steepness, lead = _parameters(variant)
    win = _logistic(steepness * (score.men - lead))
    loss = _logistic(steepness * (-score.men - lead))
    return Chances(win, max(1.0 - win - loss, 0.0), loss)


def _logistic(exponent: float) -> float:
    return 1 / (1 + exp(-max(-FARTHEST, min(exponent, FARTHEST))))


@cache
def _parameters(variant: Variant) -> tuple[float, float]:
    """(a, d) of a variant."""
    fitted = games.measured(variant, "chances", steepness=float, lead=float)
    return (float(fitted["steepness"]), float(fitted["lead"])) if fitted is not None else AVERAGE
