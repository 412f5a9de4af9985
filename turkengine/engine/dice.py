"""Choices by chance that can be repeated: between book moves, and of a weakened engine between its candidates.

A draw depends on the seed and on the position and on nothing else. So the same seed plays the same game again, on every
machine, and the engine need not pull in a library of random numbers for it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

_BITS = 64
_MASK = (1 << _BITS) - 1


class Dice:
    """Draws for the positions of one game."""

    def __init__(self, seed: int) -> None:
        """A seed of 0 stands for another one each time."""
        self._seed = seed or int.from_bytes(os.urandom(8), "little")

    def draw(self, key: int) -> float:
        """A number from 0 to just below 1, always the same one for a Zobrist key."""
        return (_mixed(_mixed(self._seed & _MASK) ^ key) >> 11) / (1 << (_BITS - 11))

    def choose(self, weights: Sequence[float], key: int) -> int:
        """The index of one of the weights, each as likely as it is large; the first where none is above 0."""
        left = self.draw(key) * sum(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        return 0


def _mixed(value: int) -> int:
    """The finaliser of splitmix64 (Steele, Lea and Flood, 2014): each bit changes about half of all bits."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & _MASK
    return value ^ value >> 31
