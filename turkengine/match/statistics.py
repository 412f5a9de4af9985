"""Who is better, and how sure that is: from the scores of pairs of games to Elo, its error, and a probability.

Two games from one opening with colours exchanged are one observation, a *pair*. The two games of a pair lean the same
way where the opening does, so errors taken from pairs are right, and smaller, where those taken from single games are
not. A pair scores 0, 1/2, 1, 3/2 or 2 points, hence *pentanomial*.

Elo is the usual logistic scale. Normalised Elo (nElo) divides by the spread of the results instead, so it does not
depend on how many games are drawn, and a given nElo takes the same number of games to detect whatever the openings and
the time control. Both definitions are those of M. Van den Bergh, "Normalized Elo" (2021).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the points there are in a pair
ELO_SCALE = 400 / math.log(10)
NELO_SCALE = 2 * ELO_SCALE  # a score difference of one standard deviation of a game
TWO_SIDED_95 = 1.959963984540054  # standard deviations on either side that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its 95 % interval, which are infinite where nothing is known about the error."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def sign(self) -> int:
        """1 where the whole interval lies above 0, -1 where it lies below, 0 where it holds 0."""
        return int(self.low > 0) - int(self.high < 0)


UNKNOWN = (-math.inf, math.inf)


@dataclass(frozen=True)
class Pairs:
    """How many pairs gave the first of two players 0, 1/2, 1, 3/2 and 2 points."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, halves: Iterable[int]) -> Pairs:
        """Counted from the half points, 0 to 4, that each pair gave the first player."""
        counts = [0, 0, 0, 0, 0]
        for half in halves:
            counts[half] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @cached_property
    def total(self) -> int:
        """How many pairs there are."""
        return sum(self.counts)

    @cached_property
    def mean(self) -> float:
        """The mean score of a pair, from 0 to 1; 1/2 where there is none."""
        if not self.total:
            return 0.5
        return math.fsum(count * score for count, score in zip(self.counts, PAIR_SCORES, strict=True)) / self.total

    @cached_property
    def variance(self) -> float:
        """The variance of the score of one pair; 0 where all are alike."""
        if not self.total:
            return 0.0
        squares = (count * (score - self.mean) ** 2 for count, score in zip(self.counts, PAIR_SCORES, strict=True))
        return math.fsum(squares) / self.total

    @property
    def shared(self) -> float:
        """The share of pairs that gave both players one point, by two draws or a win each; 0 where there is none."""
        return self.counts[2] / self.total if self.total else 0.0

    @property
    def pair_ratio(self) -> float:
        """Pairs won for each pair lost; infinite where none was lost and not a number where none was won either."""
        won, lost = sum(self.counts[3:]), sum(self.counts[:2])
        if lost:
            return won / lost
        return math.inf if won else math.nan

    @property
    def reversed(self) -> Pairs:
        """The same pairs as the second player sees them."""
        none, half, one, more, two = self.counts
        return Pairs((two, more, one, half, none))

    @cached_property
    def score(self) -> Estimate:
        """The score of a game, from 0 to 1; the interval is that of a normal distribution, cut at 0 and 1."""
        if not self.variance:  # the spread of pairs that are all alike, or of none, is not known
            return Estimate(self.mean, 0.0, 1.0)
        margin = TWO_SIDED_95 * self._standard_error
        return Estimate(self.mean, max(self.mean - margin, 0.0), min(self.mean + margin, 1.0))

    @cached_property
    def elo(self) -> Estimate:
        """The difference in strength on the logistic scale."""
        score = self.score
        return Estimate(elo_of(score.value), elo_of(score.low), elo_of(score.high))

    @cached_property
    def nelo(self) -> Estimate:
        """The same in normalised Elo; infinite where all pairs are alike and not drawn."""
        if not self.variance:
            value = 0.0 if self.mean == 0.5 else math.copysign(math.inf, self.mean - 0.5)
            return Estimate(value, *UNKNOWN)
        margin = TWO_SIDED_95 * NELO_SCALE / math.sqrt(2 * self.total)
        value = NELO_SCALE * (self.mean - 0.5) / math.sqrt(2 * self.variance)
        return Estimate(value, value - margin, value + margin)

    @property
    def los(self) -> float:
        """The likelihood of superiority: how probable it is that the first player is the better one.

        Where all pairs are alike it is that of a coin, of which nothing was known before, to fall on one side.
        """
        lead = self.mean - 0.5
        if not self.variance:
            doubt = 0.5 ** (self.total + 1) if lead else 0.5
            return 1 - doubt if lead > 0 else doubt
        return (1 + math.erf(lead / self._standard_error / math.sqrt(2))) / 2

    @property
    def _standard_error(self) -> float:
        """Of the mean."""
        return math.sqrt(self.variance / self.total) if self.total else 0.0


@dataclass(frozen=True)
class Games:
    """How many single games one player has won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, halves: Iterable[int]) -> Games:
        """Counted from the half points, 0 to 2, that each game gave the player."""
        counts = [0, 0, 0]
        for half in halves:
            counts[half] += 1
        return cls(won=counts[2], drawn=counts[1], lost=counts[0])

    def __add__(self, other: Games) -> Games:
        return Games(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def halves(self) -> int:
        """The half points."""
        return 2 * self.won + self.drawn

    @property
    def total(self) -> int:
        """How many games there are."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """One for a win, a half for a draw."""
        return self.won + self.drawn / 2

    @property
    def draw_ratio(self) -> float:
        """The share of games drawn; 0 where there is none."""
        return self.drawn / self.total if self.total else 0.0


def elo_of(score: float) -> float:
    """The difference in Elo at which this score, from 0 to 1, is to be expected; infinite at both ends."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO_SCALE * math.log(score / (1 - score))


def expected_score(elo: float) -> float:
    """The score, from 0 to 1, to be expected of a player who is better by so much."""
    return 1 / (1 + math.exp(-elo / ELO_SCALE)) if elo > -1e4 else 0.0
