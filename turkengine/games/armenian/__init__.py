"""Tama, Armenian draughts: Turkish draughts with diagonals for moves that capture nothing."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import turkish
from turkengine.rules.board import DIAGONAL, DIAGONAL_FORWARD, ORTHOGONAL

VARIANT = replace(
    turkish.VARIANT,
    name="armenian",
    place=21,
    aliases=("tama",),
    title="Armenian draughts (tama)",
    man_steps=(*turkish.VARIANT.man_steps, *DIAGONAL_FORWARD),
    king_directions=(*ORTHOGONAL, *DIAGONAL),
    king_captures=ORTHOGONAL,
    game_type=None,  # PDN has no number for it
)
