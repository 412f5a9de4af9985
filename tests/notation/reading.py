"""Reading games from a text that a test holds."""

from __future__ import annotations

import io

from turkengine.notation.pdn import PdnEntry, PdnGame, read


def read_text(text: str) -> list[PdnEntry]:
    """Every game of a text, with its faults."""
    return list(read(io.StringIO(text), "text"))


def only(text: str) -> PdnGame:
    """The one game of a text."""
    (entry,) = read_text(text)
    return entry.game
