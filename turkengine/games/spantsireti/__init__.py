"""Spantsireti: International draughts on a board of ten by eight."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import brazilian
from turkengine.rules.board import Board
from turkengine.rules.variant import NO_PROGRESS

VARIANT = replace(
    brazilian.VARIANT,
    name="spantsireti",
    place=19,
    title="Spantsireti (10x8)",
    board=Board(files=10, ranks=8, dark_only=True, letters=True),
    no_progress=NO_PROGRESS,
    material_limits=(),
    game_type="41,W,10,8,A0,0",
)
