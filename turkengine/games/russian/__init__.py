"""Russian draughts: any capture to its end, and a man that is crowned on its way goes on as a king."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import brazilian
from turkengine.rules.variant import Promotion

VARIANT = replace(
    brazilian.VARIANT,
    name="russian",
    place=11,
    title="Russian draughts",
    capture_priority=(),  # "any variant may be chosen", but to its end
    promotion=Promotion.GOES_ON,
    capture_sign=":",
    game_type="25,W,8,8,A0,0",
)
