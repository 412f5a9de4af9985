"""The numbers that the search goes by where games decide what is best: what they are, and within which bounds.

A variant's file of weights holds those found for it (`turkengine/training/tune.py`); the others are the usual ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Setting(NamedTuple):
    """One of them.

    Attributes:
        name: in the file of weights; in capitals it is the index in the kernel.
        usual: without tuning.
        least, most: bounds.
        step: a change that can just be felt in games.
    """

    name: str
    usual: int
    least: int
    most: int
    step: int


SETTINGS = (
    Setting("window", 16, 4, 100, 4),  # hundredths of a man on either side of the last score, at the root
    Setting("bonus", 8, 1, 40, 2),  # of a move that cuts, times depth squared, in its history
    Setting("late_base", 50, 0, 200, 20),  # hundredths of a ply that late moves are reduced
    Setting("late_factor", 625, 200, 1500, 80),  # thousandths of a ply, times the logarithms of depth and number
    Setting("late_killer", 0, 0, 200, 30),  # hundredths of a ply less for moves that cut at this ply
    Setting("late_history", 0, 0, 400, 40),  # hundredths of a ply less for a move with the best history
    Setting("surplus_margin", 60, 15, 200, 10),  # hundredths of a man for each ply
    Setting("hopeless_base", 50, 0, 200, 12),  # hundredths of a man
    Setting("hopeless_margin", 70, 15, 200, 12),  # hundredths of a man for each ply
)


def values_of(found: Mapping[str, int]) -> list[int]:
    """All of them in their order: what was found, the usual ones for the rest.

    Raises:
        ValueError: there is none of that name, or the value is no whole number, or out of bounds.
    """
    unknown = set(found) - {setting.name for setting in SETTINGS}
    if unknown:
        raise ValueError(f"the search has no setting {sorted(unknown)[0]!r}")
    for setting in SETTINGS:
        if type(found.get(setting.name, setting.usual)) is not int:
            raise ValueError(f"the setting {setting.name} is a whole number")
        if not setting.least <= found.get(setting.name, setting.usual) <= setting.most:
            raise ValueError(f"the setting {setting.name} goes from {setting.least} to {setting.most}")
    return [found.get(setting.name, setting.usual) for setting in SETTINGS]
