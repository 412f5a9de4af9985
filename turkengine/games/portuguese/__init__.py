"""Portuguese draughts, whose moves are those of Spanish draughts."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import spanish

VARIANT = replace(spanish.VARIANT, name="portuguese", place=16, title="Portuguese draughts", game_type="28,W,8,8,N1,1")
