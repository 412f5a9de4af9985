"""Russian draughts: any capture to its end, and a man that is crowned on its way goes on as a king."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import brazilian
from turkengine.rules.reason import Reason
from turkengine.rules.variant import MaterialLimit, NoProgressRule, Progress, Promotion

VARIANT = replace(
    brazilian.VARIANT,
    name="russian",
    place=11,
    title="Russian draughts",
    capture_priority=(),  # "any variant may be chosen", but to its end
    promotion=Promotion.GOES_ON,
    capture_sign=":",
    no_progress=NoProgressRule(
        plies=30, progress=Progress.MAN_MOVE, optional=False, reason=Reason.FIFTEEN_KING_MOVES, article=""
    ),
    material_limits=(
        MaterialLimit(30, frozenset({(3, 0), (2, 1), (1, 2)}), Reason.FIFTEEN_MOVES, article=""),
        MaterialLimit(10, frozenset({(2, 0), (1, 1), (1, 0)}), Reason.FIVE_MOVES, article=""),
    ),
    game_type="25,W,8,8,A0,0",
)
