"""Croda. The quotations are from the source text; `docs/rules.md` has every decision."""

from __future__ import annotations

from turkengine.rules.board import ALL_8X8, BACKWARD, FORWARD, FORWARD_LEFT, FORWARD_RIGHT, LEFT, ORTHOGONAL, RIGHT
from turkengine.rules.variant import NO_PROGRESS, CapturePriority, Landing, Promotion, Removal, Variant

VARIANT = Variant(
    name="croda",
    place=4,
    aliases=(),
    title="Croda",
    board=ALL_8X8,
    home_ranks=range(3),  # MindSports
    man_steps=(FORWARD, FORWARD_RIGHT, FORWARD_LEFT),  # "the only diagonal move in the game"
    man_captures=(FORWARD, RIGHT, BACKWARD, LEFT),  # "forward, sideways and backward"
    king_directions=ORTHOGONAL,
    king_landing=Landing.ANY_BEYOND,
    removal=Removal.AFTER_MOVE,  # the "coup turc" of the source
    reversal_banned=True,  # "except a 180 degrees turn"; removal after the move makes it redundant
    capture_priority=(CapturePriority.MOST_PIECES,),
    promotion=Promotion.WHERE_MOVE_ENDS,
    repetitions=3,
    repetition_article="",
    no_progress=NO_PROGRESS,
    material_limits=(),
    one_piece_each_draws=False,
    lone_man_loses=False,
    results=("1-0", "1/2-1/2", "0-1"),
    game_type=None,
)
