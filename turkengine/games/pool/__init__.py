"""Pool checkers: Russian draughts, but a man is crowned only where its move ends."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import russian
from turkengine.rules.variant import Promotion

VARIANT = replace(
    russian.VARIANT,
    name="pool",
    place=12,
    title="Pool checkers",
    promotion=Promotion.WHERE_MOVE_ENDS,
    capture_sign="x",
    game_type="23,W,8,8,A0,0",
)
