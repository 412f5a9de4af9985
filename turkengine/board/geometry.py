"""What a page has to know about a game: its name and its board, taken from the declaration, so any game will do."""

from __future__ import annotations

from functools import cache
from typing import Any

from turkengine.engine.ratings import ratings
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant


@cache
def variant_data(variant: Variant) -> dict[str, Any]:
    """A variant as protocol/board.md describes it."""
    board = variant.board
    return {
        "name": variant.name,
        "title": variant.title,
        "files": board.files,
        "ranks": board.ranks,
        "dark_only": board.dark_only,
        "numbered": board.names[0].isdecimal(),
        "squares": [
            {"name": name, "file": file, "rank": rank}
            for name, (file, rank) in zip(board.names, board.places, strict=True)
        ],
        "start": Position.start(variant).cells,
        "results": list(variant.results),
        "irregular": True,
        "measured": ratings(variant) is not None,
    }
