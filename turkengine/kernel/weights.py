"""The weights of the evaluation: one file a variant, read when its kernel is first loaded.

`turkengine/weights/NAME.json` holds, in hundredths of a man and from White's side, a value for the opening and one for
the ending of: a man and a king on each square (rows as the board is read, far left corner first), a man with a man on a
square from which that could step onto his, a square that a man can step to, and having the move. `holding_king` says
against how many pieces or fewer a lone side's king holds, and by how much that divides the score.
"""

from __future__ import annotations

import json
from pathlib import Path

from turkengine.rules.variant import Variant

FOLDER = Path(__file__).resolve().parents[1] / "weights"


def read_weights(variant: Variant) -> list[int]:
    """The weights in the order that the kernel's `set_weights` takes.

    Raises:
        ValueError: the file does not fit the variant's board.
    """
    path = FOLDER / f"{variant.name}.json"
    weights = json.loads(path.read_text())
    flat: list[int] = []
    for piece in ("man", "king"):
        for phase in ("opening", "ending"):
            read = [value for row in weights[piece][phase] for value in row]
            if len(read) != variant.board.size:
                size = variant.board.size
                raise ValueError(f"{path}: {piece} {phase} has {len(read)} values, the board {size} squares")
            values = dict(zip(variant.board.reading_order, read, strict=True))
            flat += [values[square] for square in range(variant.board.size)]
    for term in ("supported", "mobile", "to_move"):
        flat += [weights[term]["opening"], weights[term]["ending"]]
    return [*flat, weights["holding_king"]["pieces"], weights["holding_king"]["divisor"]]
