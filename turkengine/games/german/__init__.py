"""German draughts: Czech draughts without the priority of kings."""

from __future__ import annotations

from dataclasses import replace

from turkengine.games import czech
from turkengine.rules.variant import NO_PROGRESS

VARIANT = replace(
    czech.VARIANT,
    name="german",
    place=18,
    title="German draughts",
    capture_priority=(),
    no_progress=NO_PROGRESS,
    game_type=None,  # PDN has no number for it
)
