"""Killer draughts: International, but a king that takes a king last must stop right behind it.

So a king that meets two kings is often caught, and three kings win against one. The evaluation is that of International
draughts until games of its own have been played.
"""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import international
from turkengine.rules.variant import Landing

VARIANT = replace(
    international.VARIANT,
    name="killer",
    place=5,
    aliases=(),
    title="Killer draughts (10x10)",
    king_landing=Landing.BEHIND_LAST_KING,  # also after a single capture; the last of the line is what counts
    game_type=None,  # PDN has no number for it
    hub_name="",
)
