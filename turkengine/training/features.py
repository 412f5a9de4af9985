"""Positions taken apart into what the network sees: which of a side's pieces and of the other's are where.

Each position is seen by both sides. A side sees the board as White does: Black's view is turned by 180 degrees with the
colours exchanged. Where the board looks alike from left and right, a position and its mirror image teach the same.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from turkengine.kernel.weights import BUCKETS
from turkengine.rules.variant import Variant
from turkengine.training.dataset import Records

Floats = np.ndarray[Any, np.dtype[np.float32]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
Bits = np.ndarray[Any, np.dtype[np.uint8]]

PLANES = 4  # own men, own kings, the other side's men, its kings


@dataclass(frozen=True)
class Features:
    """Many positions, each from the side to move.

    Attributes:
        mover: [positions, PLANES * squares] 1 for each piece as the side to move sees it.
        waiter: the same as the other side sees it.
        buckets: [positions] which of the network's weights count, by the pieces on the board.
        results: [positions] 1, 0.5 or 0 for the side to move.
        scores: [positions] of the search, in men.
    """

    mover: Bits
    waiter: Bits
    buckets: Integers
    results: Floats
    scores: Floats

    def __len__(self) -> int:
        return len(self.results)

    def part(self, chosen: slice | Integers) -> Features:
        """Some of the positions."""
        return Features(*(getattr(self, field.name)[chosen] for field in fields(self)))


def features(variant: Variant, records: Records) -> Features:
    """Take positions apart."""
    white, black, kings = (np.ascontiguousarray(records[name]) for name in ("white", "black", "kings"))
    planes = np.empty((len(records), PLANES, variant.board.size), dtype=np.uint8)
    for plane, pieces in enumerate((white & ~kings, white & kings, black & ~kings, black & kings)):
        for square in range(variant.board.size):
            planes[:, plane, square] = pieces >> np.uint64(square) & np.uint64(1)
    turned = planes[:, [2, 3, 0, 1], ::-1]  # a turn by 180 degrees reverses the numbering
    black_moves = (records["side"] == 1)[:, None, None]
    sign = np.where(records["side"] == 1, -1, 1)
    flat = (len(records), -1)
    return Features(
        np.where(black_moves, turned, planes).reshape(flat),
        np.where(black_moves, planes, turned).reshape(flat),
        (np.bitwise_count(white | black).astype(np.int64) - 1) * BUCKETS // (2 * variant.pieces_per_side),
        ((records["result"] * sign + 1) / 2).astype(np.float32),
        (records["score"] * sign / 100).astype(np.float32),
    )


def mirrored(variant: Variant, seen: Bits) -> Bits:
    """The same positions with left and right exchanged, on a board that looks alike from both."""
    board = variant.board
    squares = [board.square_at(board.files - 1 - file, rank) for file, rank in board.places]
    order = [square for square in squares if square is not None]
    return np.ascontiguousarray(seen.reshape(len(seen), PLANES, board.size)[:, :, order].reshape(len(seen), -1))
