"""Spanish draughts: men capture forward only, and the most pieces, then the most kings, have to be taken."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import brazilian
from turkengine.rules.board import DIAGONAL_FORWARD, Board
from turkengine.rules.variant import NO_PROGRESS, CapturePriority

VARIANT = replace(
    brazilian.VARIANT,
    name="spanish",
    place=15,
    title="Spanish draughts",
    board=Board(files=8, ranks=8, dark_only=True, a1_dark=False, from_near_right=True),
    man_captures=DIAGONAL_FORWARD,
    capture_priority=(CapturePriority.MOST_PIECES, CapturePriority.MOST_KINGS),
    results=("1-0", "1/2-1/2", "0-1"),
    no_progress=NO_PROGRESS,
    material_limits=(),
    game_type="24,W,8,8,N1,1",
)
