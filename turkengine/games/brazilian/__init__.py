"""Brazilian draughts: the rules of International draughts on the small board. `docs/rules.md` has every decision."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import international
from turkengine.rules.board import LETTERED_8X8
from turkengine.rules.variant import NO_PROGRESS

VARIANT = replace(
    international.VARIANT,
    name="brazilian",
    place=10,
    aliases=(),
    title="Brazilian draughts (8x8)",
    board=LETTERED_8X8,
    home_ranks=range(3),
    repetition_article="",
    no_progress=NO_PROGRESS,
    material_limits=(),
    game_type="26,W,8,8,A0,0",
    hub_name="",
)
