"""Turkish draughts, as the federation and public games play it; `docs/rules.md` has every decision and its source."""

from __future__ import annotations

from turkengine.rules.board import ALL_8X8, FORWARD, LEFT, ORTHOGONAL, RIGHT
from turkengine.rules.variant import NO_PROGRESS, CapturePriority, Landing, Promotion, Removal, Variant

VARIANT = Variant(
    name="turkish",
    place=2,
    aliases=(),
    title="Turkish draughts",
    board=ALL_8X8,
    home_ranks=range(1, 3),
    man_steps=(FORWARD, RIGHT, LEFT),
    man_captures=(FORWARD, RIGHT, LEFT),  # "men never capture backward": how the source's garbled sentence is read
    king_directions=ORTHOGONAL,
    king_landing=Landing.ANY_BEYOND,  # federation practice and public games
    removal=Removal.IMMEDIATE,  # "removed one after another"
    reversal_banned=True,  # "no right to change direction by 180 degrees"
    capture_priority=(CapturePriority.MOST_PIECES,),
    promotion=Promotion.WHERE_MOVE_ENDS,
    repetitions=3,
    repetition_article="",
    no_progress=NO_PROGRESS,
    material_limits=(),
    one_piece_each_draws=True,
    lone_man_loses=False,
    results=("1-0", "1/2-1/2", "0-1"),
    game_type="30,W,8,8,A0,0",
)
