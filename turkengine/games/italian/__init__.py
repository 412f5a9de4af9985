"""Italian draughts: the corner at the left hand is light, and what must be captured is ruled to the last piece."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import english
from turkengine.rules.board import Board
from turkengine.rules.variant import CapturePriority, Side

VARIANT = replace(
    english.VARIANT,
    name="italian",
    place=14,
    aliases=(),
    title="Italian draughts",
    board=Board(files=8, ranks=8, dark_only=True, a1_dark=False),
    capture_priority=(
        CapturePriority.MOST_PIECES,
        CapturePriority.BY_KING,
        CapturePriority.MOST_KINGS,
        CapturePriority.KINGS_EARLIEST,
    ),
    men_take_kings=False,
    begins=Side.WHITE,
    repetitions=4,
    game_type="22,W,8,8,N2,1",
)
