"""One declaration per game: beside tests, the only code that names a variant. Data files are keyed by these names.

Articles are those of the FMJD rules for International draughts; for the other games the comment says where the trait
comes from. `docs/rules.md` tells the whole story of each game, with every decision and its source.
"""

from __future__ import annotations

import copyreg
from dataclasses import replace
from typing import Any

from turkengine.errors import VariantError, shown
from turkengine.rules.board import DIAGONAL, ORTHOGONAL, Board, Direction
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

FORWARD = Direction(0, 1)
BACKWARD = Direction(0, -1)
RIGHT = Direction(1, 0)
LEFT = Direction(-1, 0)
FORWARD_RIGHT = Direction(1, 1)
FORWARD_LEFT = Direction(-1, 1)

DARK_10X10 = Board(files=10, ranks=10, dark_only=True)
ALL_8X8 = Board(files=8, ranks=8, dark_only=False)

# For the games whose rules leave it to the arbiter; play between programs has to end.
NO_PROGRESS = NoProgressRule(
    plies=100, progress=Progress.FORWARD_MAN_MOVE, optional=True, reason=Reason.NO_PROGRESS, article="convention"
)

INTERNATIONAL = Variant(
    name="international",
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
    capture_priority=CapturePriority.MOST_PIECES,  # 4.13, 4.14
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
)

TURKISH = Variant(
    name="turkish",
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
    capture_priority=CapturePriority.MOST_PIECES,
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

# The two literal readings of the source text that the federation does not share.
TURKISH_APP = replace(
    TURKISH,
    name="turkish-app",
    title="Turkish draughts as the app describes it",
    king_landing=Landing.DIRECTLY_BEHIND,  # "the king must stop on the square behind the piece"
    lone_man_loses=True,  # "wins ... who is left with some simple pieces against one simple piece"
)

CRODA = Variant(
    name="croda",
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
    capture_priority=CapturePriority.MOST_PIECES,
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

VARIANTS: tuple[Variant, ...] = (INTERNATIONAL, TURKISH, TURKISH_APP, CRODA)

_BY_NAME = {name: variant for variant in VARIANTS for name in (variant.name, *variant.aliases)}


def variant_named(name: str) -> Variant:
    """The variant of this name or alias, in any case.

    Raises:
        TypeError: this is no name.
        VariantError: no variant is called so; the message lists those there are.
    """
    if not isinstance(name, str):
        raise TypeError(f"name takes a text, not a value of the type {type(name).__name__}")
    try:
        return _BY_NAME[name.strip().lower()]
    except KeyError:
        known = ", ".join(_BY_NAME)
        raise VariantError(f"no variant is called {shown(name)}; there are {known}") from None


def _sent(variant: Variant) -> str | tuple[Any, ...]:
    """What pickle keeps: the name of one that is declared here, so that it is this very object wherever it arrives."""
    if any(variant is declared for declared in VARIANTS):
        return variant_named, (variant.name,)
    return variant.__reduce_ex__(2)


copyreg.pickle(Variant, _sent)
