"""Positions taken apart into what the evaluation counts: states of patterns, men, kings on squares, the move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from turkengine.rules.variant import Variant
from turkengine.training.dataset import Records
from turkengine.training.patterns import STATES, Placement, placements

Floats = np.ndarray[Any, np.dtype[np.float32]]
Integers = np.ndarray[Any, np.dtype[np.int32]]

MAN, TO_MOVE, KINGS = 0, 1, 2  # columns of `Features.counts`; that of the first square for kings is the last one here


@dataclass(frozen=True)
class Features:
    """Many positions.

    Attributes:
        states: [positions, placements] index into all tables, put one behind another.
        signs: [placements] 1 where White sees the pattern, -1 where Black does.
        counts: [positions, 2 + squares] how often each other weight counts for White less for Black: men, the move, a
            king on each square as its owner sees it.
        opening: [positions] 1 with all pieces on the board, 0 with none.
        results: [positions] 1, 0.5 or 0 for White.
        scores: [positions] of the search, in men from White's side.
    """

    states: Integers
    signs: Floats
    counts: Floats
    opening: Floats
    results: Floats
    scores: Floats


def features(variant: Variant, records: Records) -> Features:
    """Take positions apart."""
    white, black, kings = (np.ascontiguousarray(records[name]) for name in ("white", "black", "kings"))
    placed = placements(variant.board)
    states = np.empty((len(records), len(placed)), dtype=np.int32)
    for column, placement in enumerate(placed):
        states[:, column] = placement.table * STATES + _state(placement, white & ~kings, black & ~kings)
    return Features(
        states,
        np.array([-1 if placement.black else 1 for placement in placed], dtype=np.float32),
        _counts(variant.board.size, white, black, kings, records["side"]),
        (np.bitwise_count(white | black) / (2 * variant.pieces_per_side)).astype(np.float32),
        ((records["result"] + 1) / 2).astype(np.float32),
        (records["score"] / 100).astype(np.float32),
    )


def _state(placement: Placement, white_men: Any, black_men: Any) -> Integers:
    own, other = (black_men, white_men) if placement.black else (white_men, black_men)
    state = np.zeros(len(white_men), dtype=np.int32)
    for digit, square in enumerate(placement.squares):
        state += (_on(own, square) + 2 * _on(other, square)).astype(np.int32) * 3**digit
    return state


def _counts(size: int, white: Any, black: Any, kings: Any, black_to_move: Any) -> Floats:
    counts = np.zeros((len(white), KINGS + size), dtype=np.float32)
    counts[:, TO_MOVE] = 1 - 2.0 * black_to_move
    for pieces, sign in ((white, 1), (black, -1)):
        counts[:, MAN] += sign * np.bitwise_count(pieces & ~kings).astype(np.float32)
        for square in range(size):
            seen = square if sign > 0 else size - 1 - square  # a turn by 180 degrees reverses the numbering
            counts[:, KINGS + seen] += sign * _on(pieces & kings, square).astype(np.float32)
    return counts


def _on(pieces: Any, square: int) -> Any:
    return pieces >> np.uint64(square) & np.uint64(1)
