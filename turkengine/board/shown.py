"""Moves and ends of games as every page gets them: of games that are played, analysed, and watched."""

from __future__ import annotations

from typing import Any

from turkengine.board.choices import victims
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, Played, Record
from turkengine.rules.move import Move
from turkengine.rules.position import Position, Situation
from turkengine.rules.variant import Side, Variant


def path_of(move: Move) -> list[int]:
    """Every square on which a move sets its piece down, the first one included."""
    return list(move.path or (move.origin, move.target))


def start_data(start: Position) -> dict[str, Any]:
    """Where a game begins."""
    return {"cells": start.cells, "side": start.side.value, "fen": fen.write_counted(start)}


def entry_of(ply: int, played: Played, before: Situation, move: Move | None, cells: str) -> dict[str, Any]:
    """A move that was made; `move` is None where it was against the rules."""
    return {
        "ply": ply,
        "side": played.side.value,
        "text": played.text,
        "path": path_of(move) if move is not None else [],
        "captured": victims(before.variant.board, move) if move is not None else [],
        "cells": cells,
        "seconds": played.seconds,
        "clock": played.clock,
        "score": played.score if played.score is None or played.side is Side.WHITE else -played.score,
        "depth": played.depth,
        **({"fen": played.fen} if played.fen else {}),
    }


def entries_of(record: Record, variant: Variant, start: Position) -> list[dict[str, Any]]:
    """All moves of a record, every one with the board after it."""
    position, entries = start, []
    for ply, played in enumerate(record.moves, start=1):
        move = None if played.fen else moves.read(position, played.text)
        after = position.play(move) if move is not None else fen.read(variant, played.fen)
        entries.append(entry_of(ply, played, position, move, after.cells))
        position = after
    return entries


def ending_data(variant: Variant, ending: Ending | None) -> dict[str, Any] | None:
    """How a game has ended, None while it goes on."""
    if ending is None:
        return None
    return {
        "winner": ending.winner.value if ending.winner is not None else None,
        "result": ending.result(variant),
        "kind": ending.kind.value,
        "reason": ending.reason,
        "article": ending.article,
    }
