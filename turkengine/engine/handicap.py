"""Playing below full strength, like somebody who sees less and not like somebody who plays at random.

A weakened engine looks a few plies ahead and finds its best few moves with their scores. It plays one of them by
chance: a move that seems a little worse is a little less likely, and one beyond the margin is never played. Both the
nodes and the chance follow from one number, the level. `levels.json` of a game says how strong each level is in it,
measured in games between the levels (`turkengine train levels`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from turkengine.engine.dice import Dice
from turkengine.engine.limits import Limits
from turkengine.engine.options import FULL_STRENGTH, STRONGEST_ELO, WEAKEST_ELO, Options
from turkengine.engine.ratings import ratings
from turkengine.engine.report import Bound, Report
from turkengine.rules.variant import Variant

HIGHEST = FULL_STRENGTH - 1  # the highest weakened level: it plays the best move that it finds
ANCHOR_NODES, ANCHOR = 5000, STRONGEST_ELO  # it is full strength at so many nodes, by definition so strong
FEWEST_NODES, MOST_NODES = 50, 2000  # after which the levels below begin no iteration
PATIENCE, LEAST_PATIENCE = 20, 20_000  # times the same, or nodes, where even an iteration begun is cut off
WILDEST = 120.0  # hundredths of a man: at level 0, a loss that makes a move less likely by a factor of e
FEWEST_CANDIDATES, MOST_CANDIDATES = 4, 8
MARGIN = 2.5  # times the same: moves that lose more are never played


@dataclass(frozen=True)
class Handicap:
    """What holds an engine back.

    Attributes:
        nodes: no iteration is begun after them; the first one is always finished.
        most_nodes: the search ends there whatever it is at.
        candidates: moves among which it chooses.
        wildness: hundredths of a man; a loss as large makes a move less likely by a factor of e, 0 for the best move.
    """

    nodes: int
    most_nodes: int
    candidates: int
    wildness: float

    @classmethod
    def of_level(cls, level: float) -> Handicap:
        """That of a level from 0 to `HIGHEST`, whole or between two."""
        if level >= HIGHEST:
            return cls(ANCHOR_NODES, ANCHOR_NODES, 1, 0.0)
        part = level / HIGHEST
        nodes = round(FEWEST_NODES * (MOST_NODES / FEWEST_NODES) ** part)
        candidates = round(FEWEST_CANDIDATES + (MOST_CANDIDATES - FEWEST_CANDIDATES) * (1 - part))
        return cls(nodes, max(PATIENCE * nodes, LEAST_PATIENCE), candidates, WILDEST * (1 - part) ** 2)

    def is_enough(self, report: Report) -> bool:
        """Whether the search has looked far enough when it has reported that."""
        return report.bound is Bound.EXACT and report.nodes >= self.nodes

    def chosen(self, candidates: Sequence[Report], dice: Dice, key: int) -> Report:
        """The report of the move to play.

        Args:
            candidates: of one iteration, at least one, the best first.
            key: of the position.
        """
        best = candidates[0].score.hundredths
        losses = [best - candidate.score.hundredths for candidate in candidates]
        likely = [
            math.exp(-loss / self.wildness) if self.wildness and loss <= MARGIN * self.wildness else 0.0
            for loss in losses
        ]
        return candidates[dice.choose(likely, key)]


class Candidates:
    """The moves of the last iteration that reported all of them."""

    def __init__(self) -> None:
        self._whole: list[Report] = []
        self._growing: list[Report] = []

    def add(self, report: Report) -> None:
        """Take note of a report, in the order in which the search makes them."""
        if report.bound is not Bound.EXACT or not report.line:
            return
        if report.rank == 1:
            self._growing = []
        self._growing.append(report)
        if len(self._growing) >= len(
            self._whole
        ):  # at the end of a search the best move of a new iteration comes alone
            self._whole = self._growing

    @property
    def reports(self) -> list[Report]:
        """One for each move, the best first; empty where nothing has been reported."""
        return self._whole


def handicap_of(options: Options, limits: Limits, variant: Variant) -> Handicap | None:
    """What holds the engine back in a search, None where nothing does: at full strength, and where people analyse."""
    if limits.analysis or (limits.infinite and not limits.ponder):
        return None
    if options.limit_strength:
        return Handicap.of_level(level_of(options.elo, variant))
    return Handicap.of_level(options.skill_level) if options.skill_level < FULL_STRENGTH else None


def strength_of(options: Options) -> str:
    """How well it plays in games, in words: its level or Elo, nothing at full strength."""
    if options.limit_strength:
        return f"Elo {options.elo}"
    return f"level {options.skill_level}" if options.skill_level < FULL_STRENGTH else ""


def unmeasured(options: Options) -> str:
    """What has to be said where weaker play is asked for in a game whose levels nobody has measured; else empty."""
    if (options.limit_strength or options.skill_level < FULL_STRENGTH) and ratings(options.variant) is None:
        name = "elo" if options.limit_strength else "skill-level"
        return f"option {name}: the levels of {options.variant.name} have not been measured, its strength is a guess"
    return ""


def level_of(elo: int, variant: Variant) -> float:
    """The level, with a fraction, that is as strong as that; the lowest or highest where none is.

    Where the levels of a game have not been measured, they are taken to lie at equal distances.
    """
    known = ratings(variant)
    if known is None:
        return HIGHEST * (elo - WEAKEST_ELO) / (STRONGEST_ELO - WEAKEST_ELO)
    if elo <= known[0]:
        return 0.0
    for level, (weaker, stronger) in enumerate(pairwise(known)):
        if elo < stronger:
            return level + (elo - weaker) / (stronger - weaker)
    return float(HIGHEST)
