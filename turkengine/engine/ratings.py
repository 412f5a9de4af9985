"""How strong each weakened level is in each game: `levels.json` of the game, as `turkengine train levels` measured it.

The range of the option elo comes from here, so that it ends where the levels do.
"""

from __future__ import annotations

from functools import cache

from turkengine import games
from turkengine.rules.variant import Variant


@cache
def ratings(variant: Variant) -> tuple[int, ...] | None:
    """The Elo of each weakened level, the lowest first, ever larger; None where they have not been measured."""
    found = games.measured(variant, "levels", elo=list)
    return tuple(found["elo"]) if found is not None else None


def weakest() -> int:
    """The Elo of the lowest level of any game."""
    return min(levels[0] for levels in _measured())


def strongest() -> int:
    """The Elo of the highest level, which is the same in every game: by definition, the others are measured from it."""
    return max(levels[-1] for levels in _measured())


def _measured() -> list[tuple[int, ...]]:
    return [levels for variant in games.VARIANTS if (levels := ratings(variant)) is not None]
