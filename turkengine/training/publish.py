"""Puts fitted weights into the file that the kernel reads, in whole hundredths of a man."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import numpy as np

from turkengine.kernel.weights import write_weights
from turkengine.rules.variant import Variant
from turkengine.training.features import KINGS, MAN, TO_MOVE
from turkengine.training.fit import Weights
from turkengine.training.patterns import placements

HUNDREDTHS = 100
LARGEST = 30_000  # of one state; far more than any is worth, and within 16 bits


def publish(path: Path, variant: Variant, weights: Weights, holding: tuple[int, int], made: dict[str, Any]) -> None:
    """Write the file.

    Args:
        holding: against how many pieces or fewer a king of the weaker side holds, and by how much that divides the
            score: set by hand.
        made: tells how the weights came about and is kept in the file.
    """
    rounded = np.round(HUNDREDTHS * weights.others).astype(int)
    header = {
        "variant": variant.name,
        "man": rounded[:, MAN].tolist(),
        "to_move": rounded[:, TO_MOVE].tolist(),
        "kings": rounded[:, KINGS:].T.tolist(),
        "holding": list(holding),
        "patterns": [[one.table, one.black, list(one.squares)] for one in placements(variant.board)],
        "made": made,
    }
    tables = np.clip(np.round(HUNDREDTHS * weights.tables), -LARGEST, LARGEST).astype(np.int16)
    write_weights(path, header, array("h", tables.T.tobytes()))
