"""When enough games have been played: the sequential probability ratio test (SPRT) on pairs.

Two hypotheses about the difference in strength are compared after every pair. The log-likelihood ratio (LLR) says how
much better the second explains the pairs than the first; past one bound the first is accepted, past the other the
second, and the errors of the two kinds stay below `alpha` and `beta` however often one looks.

Neither hypothesis says how often each pair score comes, only what the mean is (logistic) or the mean over the standard
deviation (normalised). So each is given the best distribution it allows: the one among those with this mean, or this
ratio, that makes the pairs seen most likely (the generalised test; M. Van den Bergh, "Comments on normalized Elo" and
"A practical introduction to the GSPRT").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from turkengine.errors import OptionError, shown
from turkengine.match.statistics import NELO_SCALE, PAIR_SCORES, Pairs, expected_score

UNSEEN = 1e-3  # pairs that a score counts as which has not occurred; else nothing could be said about the others
LARGEST = 200  # Elo or nElo; such a difference shows without a test, and twice as much cannot be approached as below
SMALLEST = 1e-12  # of the interval in which a root is looked for
ROUNDS = 60  # of approaching a ratio; a dozen are enough
LONGEST_BISECTION = 200


class EloModel(Enum):
    """What the two hypotheses are written in."""

    NORMALISED = "normalised"
    LOGISTIC = "logistic"


class Decision(Enum):
    """What the test says. The value is shown to people."""

    FIRST = "H0 accepted"
    SECOND = "H1 accepted"


@dataclass(frozen=True)
class Sprt:
    """One test.

    Attributes:
        elo0, elo1: the two hypotheses, in nElo or Elo; the second is the larger.
        alpha: the probability of accepting the second where the first is true.
        beta: of accepting the first where the second is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: EloModel = EloModel.NORMALISED

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise OptionError(f"the SPRT of {self.elo0:g} against {self.elo1:g} needs the smaller number first")
        if max(abs(self.elo0), abs(self.elo1)) > LARGEST:
            raise OptionError(f"the SPRT of {self.elo0:g} against {self.elo1:g} takes numbers up to {LARGEST}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise OptionError(f"alpha {self.alpha:g} and beta {self.beta:g} of the SPRT lie between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The LLR at or below which the first hypothesis is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at or above which the second is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """The log-likelihood ratio of the second hypothesis to the first; 0 without a pair."""
        if not pairs.total:
            return 0.0
        counts = [count or UNSEEN for count in pairs.counts]
        total = math.fsum(counts)
        seen = [count / total for count in counts]
        first, second = self._likeliest(seen, self.elo0), self._likeliest(seen, self.elo1)
        terms = (share * math.log(two / one) for share, one, two in zip(seen, first, second, strict=True))
        return total * math.fsum(terms)

    def verdict(self, pairs: Pairs) -> Decision | None:
        """What the test says, None as long as it goes on."""
        llr = self.llr(pairs)
        if llr >= self.upper:
            return Decision.SECOND
        return Decision.FIRST if llr <= self.lower else None

    def _likeliest(self, seen: Sequence[float], elo: float) -> list[float]:
        """The distribution of pair scores that a hypothesis allows and that makes those seen most likely."""
        if self.scale is EloModel.LOGISTIC:
            return _with_mean(seen, PAIR_SCORES, expected_score(elo))
        return _with_ratio(seen, math.sqrt(2) * elo / NELO_SCALE)


def read_bounds(text: str) -> tuple[float, float]:
    """The two hypotheses from `ELO0,ELO1`.

    Raises:
        OptionError: it is not written so.
    """
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise OptionError(f"{shown(text)} is not a test; write ELO0,ELO1, as in 0,5") from None
    return elo0, elo1


def _with_ratio(seen: Sequence[float], ratio: float) -> list[float]:
    """The likeliest distribution whose mean lies `ratio` standard deviations above 1/2.

    The condition is not linear in the distribution, but at the solution it equals one that is: the mean of
    a - 1/2 - ratio * s * (1 + ((a - m) / s)^2) / 2 is 0, with m and s mean and standard deviation. So m and s are put
    in from the last approximation until they stay.
    """
    shares = [1 / len(PAIR_SCORES)] * len(PAIR_SCORES)
    for _ in range(ROUNDS):
        mean = math.fsum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))
        spread = math.sqrt(
            math.fsum(share * (score - mean) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True))
        )
        values = [score - 0.5 - ratio * spread * (1 + ((score - mean) / spread) ** 2) / 2 for score in PAIR_SCORES]
        before, shares = shares, _with_mean(seen, values, 0.0)
        if max(abs(old - new) for old, new in zip(before, shares, strict=True)) < SMALLEST:
            break
    return shares


def _with_mean(seen: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution over `values` with this mean, which lies between the least and the largest of them.

    By Lagrange it is seen / (1 + x * (value - mean)) for the one x that gives the mean and keeps all shares positive.
    """
    low, high = -1 / (max(values) - mean), -1 / (min(values) - mean)

    def surplus(x: float) -> float:
        return math.fsum(
            share * (value - mean) / (1 + x * (value - mean)) for share, value in zip(seen, values, strict=True)
        )

    margin = SMALLEST * (high - low)
    left, right = low + margin, high - margin
    for _ in range(LONGEST_BISECTION):  # the surplus falls from one end to the other
        middle = (left + right) / 2
        if middle in (left, right):
            break
        if surplus(middle) > 0:
            left = middle
        else:
            right = middle
    x = (left + right) / 2
    return [share / (1 + x * (value - mean)) for share, value in zip(seen, values, strict=True)]
