"""Brazilian draughts: the rules of International draughts on the small board. `docs/rules.md` has every decision."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import international
from turkengine.rules.board import LETTERED_8X8
from turkengine.rules.reason import Reason
from turkengine.rules.variant import MaterialLimit, NoProgressRule, Progress

VARIANT = replace(
    international.VARIANT,
    name="brazilian",
    place=10,
    aliases=(),
    title="Brazilian draughts (8x8)",
    board=LETTERED_8X8,
    home_ranks=range(3),
    repetition_article="",
    no_progress=NoProgressRule(
        plies=40, progress=Progress.MAN_MOVE, optional=False, reason=Reason.TWENTY_KING_MOVES, article=""
    ),
    material_limits=(MaterialLimit(10, frozenset({(2, 0), (1, 1), (1, 0)}), Reason.FIVE_MOVES, article=""),),
    game_type="26,W,8,8,A0,0",
    hub_name="",
)
