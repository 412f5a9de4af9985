"""English draughts, or checkers: Black begins, men capture forward only, and a king moves one square."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import brazilian
from turkengine.rules.board import DIAGONAL_FORWARD, Board
from turkengine.rules.reason import Reason
from turkengine.rules.variant import Landing, NoProgressRule, Progress, Promotion, Side

VARIANT = replace(
    brazilian.VARIANT,
    name="english",
    place=13,
    aliases=("checkers", "american"),
    title="English draughts (checkers)",
    board=Board(files=8, ranks=8, dark_only=True),  # from Black's right hand, which is White's far left
    man_captures=DIAGONAL_FORWARD,
    kings_fly=False,
    king_landing=Landing.DIRECTLY_BEHIND,
    capture_priority=(),  # any capture, to its end
    promotion=Promotion.ENDS_MOVE,
    begins=Side.BLACK,
    no_progress=NoProgressRule(
        plies=80, progress=Progress.MAN_MOVE, optional=False, reason=Reason.FORTY_KING_MOVES, article=""
    ),
    results=("1-0", "1/2-1/2", "0-1"),
    material_limits=(),
    game_type="21,B,8,8,N1,0",
)
