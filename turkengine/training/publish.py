"""Puts fitted weights into the file that the kernel reads, in the whole numbers that it computes with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from turkengine.kernel.weights import ONE, OUTPUT, write_weights
from turkengine.rules.variant import Variant
from turkengine.training.features import PLANES
from turkengine.training.network import Network

HUNDREDTHS = 100
UNIT = 2**15 / ONE**2  # a hidden unit of 1 is the square of `ONE` cut to 8 bits, a little less than the kernel's 256
LARGEST_SUM = 2**15 - 1  # of what all pieces add to a unit
LARGEST_OUTPUT = 2**31 // 256 // 2  # of what all units count; half of what 32 bits hold is left for the plain values


def publish(path: Path, variant: Variant, network: Network, made: dict[str, Any]) -> None:
    """Write the file; `made` says how the weights came about and is kept in it.

    Raises:
        ValueError: they are too large for the numbers of the kernel.
    """
    rows, bias = (np.round(ONE * part).astype(int) for part in (network.rows, network.bias))
    outputs = np.round(OUTPUT * HUNDREDTHS * UNIT * network.outputs).astype(int)
    own, other = np.split(network.pieces.reshape(PLANES, -1), 2)
    values = HUNDREDTHS * (own - other[:, ::-1])  # a piece counts for its owner and against the other side
    on_each_square = np.abs(rows).reshape(PLANES, -1, rows.shape[1]).max(axis=0)
    largest_sum = (on_each_square.sum(axis=0) + np.abs(bias)).max()
    if largest_sum > LARGEST_SUM or np.abs(outputs).sum(axis=1).max() > LARGEST_OUTPUT:
        raise ValueError(f"{variant.name}: the weights are too large for the kernel")
    header = {
        "variant": variant.name,
        "units": network.units,
        "men": np.round(values[0], 2).tolist(),
        "kings": np.round(values[1], 2).tolist(),
        "base": np.round(HUNDREDTHS * network.base, 2).tolist(),
        "made": made,
    }
    write_weights(path, header, [rows.ravel().tolist(), bias.tolist(), outputs.ravel().tolist()])
