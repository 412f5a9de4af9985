"""The network that judges positions: what it computes, and how its value changes with its weights.

Every piece that a side sees adds a row of numbers to that side's sums. Each sum, cut off below 0 and above 1 and
squared, is a hidden unit. The value for the side to move is a weighted sum of its own units and of the other side's,
by weights that depend on how many pieces are left, and beside it every piece has a plain value of its own. So a move
changes a few rows only, which is what makes the kernel fast.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from turkengine.kernel.weights import BUCKETS
from turkengine.rules.variant import Variant
from turkengine.training.features import PLANES, Features, Floats

FIRST_MAN, FIRST_KING = 1.0, 3.0  # where the fit begins, in men
CHUNK = 1 << 15  # positions at a time


@dataclass
class Network:
    """Its weights; or, of the same shapes, how a loss changes with each of them.

    Attributes:
        rows: [PLANES * squares, units] what a piece adds to the sums of the side that sees it.
        bias: [units] where the sums begin.
        outputs: [BUCKETS, 2 * units] what the units count: those of the side to move, then the other's.
        base: [BUCKETS] where the value begins: having the move is worth something.
        pieces: [PLANES * squares] the plain value of a piece; the other side's count against a side.
    """

    rows: Floats
    bias: Floats
    outputs: Floats
    base: Floats
    pieces: Floats

    @classmethod
    def start(cls, variant: Variant, units: int, seed: int = 1) -> Network:
        """Knows nothing but that pieces are good to have."""
        dice = np.random.default_rng(seed)
        inputs, size = PLANES * variant.board.size, variant.board.size
        pieces = np.zeros(inputs)
        pieces[:size], pieces[size : 2 * size] = FIRST_MAN, FIRST_KING
        return cls(
            *(
                part.astype(np.float32)
                for part in (
                    dice.normal(0, 0.1, (inputs, units)),
                    dice.uniform(0, 0.6, units),
                    dice.normal(0, 0.1, (BUCKETS, 2 * units)),
                    np.zeros(BUCKETS),
                    pieces,
                )
            )
        )

    @property
    def units(self) -> int:
        """Hidden units of each side."""
        return len(self.bias)

    @property
    def parts(self) -> list[Floats]:
        """All weights, in the order of the attributes."""
        return [getattr(self, field.name) for field in fields(self)]

    def values(self, data: Features) -> Floats:
        """[positions] for the side to move."""
        starts = range(0, len(data), CHUNK)
        return np.concatenate([Pass(self, data.part(slice(at, at + CHUNK))).value for at in starts])


class Pass:
    """Positions on their way through the network, and the way back."""

    def __init__(self, network: Network, data: Features) -> None:
        self._network, self._buckets = network, data.buckets
        self._seen = [seen.astype(np.float32) for seen in (data.mover, data.waiter)]
        self._cut = [np.clip(seen @ network.rows + network.bias, 0, 1) for seen in self._seen]
        self._units = np.concatenate([cut * cut for cut in self._cut], axis=1)
        self._chosen = network.outputs[self._buckets]
        self._difference = self._seen[0] - self._seen[1]
        of_units = np.einsum("ij,ij->i", self._units, self._chosen)
        self.value: Floats = of_units + network.base[self._buckets] + self._difference @ network.pieces

    def slopes(self, wanted: Floats) -> Network:
        """How a loss changes with each weight.

        Args:
            wanted: [positions] how it changes with each value.
        """
        member = (np.arange(BUCKETS)[:, None] == self._buckets[None, :]).astype(np.float32) * wanted
        inner, units = self._chosen * wanted[:, None], self._network.units
        rows = np.zeros_like(self._network.rows)
        bias = np.zeros_like(self._network.bias)
        for half, (seen, cut) in enumerate(zip(self._seen, self._cut, strict=True)):
            open_ = (cut > 0) & (cut < 1)
            sums = 2 * cut * open_ * inner[:, half * units : (half + 1) * units]
            rows += seen.T @ sums
            bias += sums.sum(axis=0)
        of_pieces = self._difference.T @ wanted
        return Network(rows, bias, member @ self._units, member.sum(axis=1), np.asarray(of_pieces, dtype=np.float32))
