"""International draughts. The articles are those of the FMJD rules; `docs/rules.md` has every decision."""

from __future__ import annotations

from turkengine.rules.board import DARK_10X10, DIAGONAL, FORWARD_LEFT, FORWARD_RIGHT
from turkengine.rules.reason import Reason
from turkengine.rules.variant import (
    CapturePriority,
    Landing,
    MaterialLimit,
    NoProgressRule,
    Progress,
    Promotion,
    Removal,
    Variant,
)

VARIANT = Variant(
    name="international",
    place=1,
    aliases=("normal",),
    title="International draughts (10x10, FMJD)",
    board=DARK_10X10,
    home_ranks=range(4),
    man_steps=(FORWARD_RIGHT, FORWARD_LEFT),  # 3.4
    man_captures=DIAGONAL,  # 4.1, 4.2
    king_directions=DIAGONAL,  # 3.9
    king_landing=Landing.ANY_BEYOND,  # 4.3
    removal=Removal.AFTER_MOVE,  # 4.8, 4.11
    reversal_banned=False,  # 4.8 leaves nothing to ban
    capture_priority=(CapturePriority.MOST_PIECES,),  # 4.13, 4.14
    promotion=Promotion.WHERE_MOVE_ENDS,  # 4.15
    repetitions=3,
    repetition_article="6.1",
    no_progress=NoProgressRule(
        plies=50, progress=Progress.MAN_MOVE, optional=False, reason=Reason.KINGS_ONLY, article="6.2"
    ),
    material_limits=(
        MaterialLimit(32, frozenset({(3, 0), (2, 1), (1, 2)}), Reason.SIXTEEN_MOVES, article="6.3"),
        MaterialLimit(10, frozenset({(2, 0), (1, 1), (1, 0)}), Reason.FIVE_MOVES, article="6.4"),
    ),
    one_piece_each_draws=False,
    lone_man_loses=False,
    results=("2-0", "1-1", "0-2"),
    game_type="20,W,10,10,N2,0",
    hub_name="normal",  # Scan's
)
