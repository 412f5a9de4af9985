"""Counting move sequences, the classic proof of a move generator, in pieces small enough to be stopped between.

The kernel counts without interruption, which for a deep count takes minutes; so the upper plies are played here and
the kernel gets subtrees that take it a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from turkengine.engine.kernel_types import KernelPosition
from turkengine.rules.move import Move

KERNEL_DEPTH = 5  # plies left to the kernel: some 0.1 s where moves are many, and the calls cost 2 % where they are few


@dataclass(frozen=True)
class Count:
    """A finished count.

    Attributes:
        leaves: the number of move sequences.
        by_move: the same below each first move; empty at depth 0.
    """

    leaves: int
    by_move: tuple[tuple[Move, int], ...]


def count(
    position: KernelPosition, depth: int, every_leaf: bool = False, stopped: Callable[[], bool] = lambda: False
) -> Count | None:
    """Count the sequences of `depth` plies, or give None once `stopped` says so.

    `every_leaf` makes the last move of each sequence too, instead of adding up how many there are.
    """
    if depth <= 0:
        return Count(1, ())
    by_move = []
    for move in position.legal_moves():
        leaves = _below(position.play(move), depth - 1, every_leaf, stopped)
        if leaves is None:
            return None
        by_move.append((move, leaves))
    return Count(sum(leaves for _, leaves in by_move), tuple(by_move))


def _below(position: KernelPosition, depth: int, every_leaf: bool, stopped: Callable[[], bool]) -> int | None:
    if stopped():
        return None
    if depth <= KERNEL_DEPTH:
        return position.perft(depth, every_leaf) if depth else 1
    total = 0
    for move in position.legal_moves():
        leaves = _below(position.play(move), depth - 1, every_leaf, stopped)
        if leaves is None:
            return None
        total += leaves
    return total
