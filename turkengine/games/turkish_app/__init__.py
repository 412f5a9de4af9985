"""Turkish draughts with the two literal readings of the source text that the federation does not share."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import turkish
from turkengine.rules.variant import Landing

VARIANT = replace(
    turkish.VARIANT,
    name="turkish-app",
    place=3,
    title="Turkish draughts as the app describes it",
    king_landing=Landing.DIRECTLY_BEHIND,  # "the king must stop on the square behind the piece"
    lone_man_loses=True,  # "wins ... who is left with some simple pieces against one simple piece"
)
