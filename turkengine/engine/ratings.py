"""How strong each weakened level is in each game: `levels.json`, as `turkengine train levels` has measured it.

The range of the option elo comes from here, so that it ends where the levels do.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from turkengine.games import VARIANTS
from turkengine.rules.variant import Variant

LEVELS = Path(__file__).with_name("levels.json")


@cache
def ratings(variant: Variant) -> tuple[int, ...]:
    """The Elo of each weakened level, the lowest first, ever larger."""
    return tuple(_known()[variant.name]["elo"])


def weakest() -> int:
    """The Elo of the lowest level of any game."""
    return min(ratings(variant)[0] for variant in VARIANTS)


def strongest() -> int:
    """The Elo of the highest level, which is the same in every game: by definition, the others are measured from it."""
    return max(ratings(variant)[-1] for variant in VARIANTS)


@cache
def _known() -> dict[str, dict[str, list[int]]]:
    known: dict[str, dict[str, list[int]]] = json.loads(LEVELS.read_text("utf-8"))
    return known
