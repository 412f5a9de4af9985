"""Makhos, Thai draughts: eight men a side, and a king stops right behind what it takes."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import german
from turkengine.rules.board import Board
from turkengine.rules.variant import Landing, Removal, Side

VARIANT = replace(
    german.VARIANT,
    name="thai",
    place=20,
    aliases=("makhos",),
    title="Thai draughts (makhos)",
    board=Board(files=8, ranks=8, dark_only=True, from_near_right=True),  # from Black's far left
    home_ranks=range(2),
    king_landing=Landing.DIRECTLY_BEHIND,
    removal=Removal.IMMEDIATE,
    begins=Side.BLACK,
    game_type="31,B,8,8,N2,0",
)
