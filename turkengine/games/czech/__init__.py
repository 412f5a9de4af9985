"""Czech draughts: any capture, but one by a king before one by a man; men capture forward only."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import brazilian
from turkengine.rules.board import DIAGONAL_FORWARD
from turkengine.rules.reason import Reason
from turkengine.rules.variant import CapturePriority, NoProgressRule, Progress

VARIANT = replace(
    brazilian.VARIANT,
    name="czech",
    place=17,
    title="Czech draughts",
    man_captures=DIAGONAL_FORWARD,
    capture_priority=(CapturePriority.BY_KING,),
    no_progress=NoProgressRule(
        plies=30, progress=Progress.MAN_MOVE, optional=False, reason=Reason.FIFTEEN_KING_MOVES, article=""
    ),
    results=("1-0", "1/2-1/2", "0-1"),
    material_limits=(),
    game_type="29,W,8,8,A0,0",
)
