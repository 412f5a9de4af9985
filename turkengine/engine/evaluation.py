"""The static evaluation taken apart: by term, and by what each piece is worth where it stands.

What a piece is worth is the difference that it makes: the evaluation of the position with it, less that of the same
position without it. So it counts what the piece does for all others too, and the pieces do not add up to the whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.engine.kernel_types import KernelPosition, PositionMaker
from turkengine.rules.movegen import EMPTY
from turkengine.rules.variant import Side


@dataclass(frozen=True)
class Evaluation:
    """What the evaluation says of a position, in hundredths of a man.

    Attributes:
        white: from White's side.
        score: the same from the side to move.
        terms: each term's name, White's part and Black's part.
        pieces: what the piece on each square is worth to White (a black one usually less than nothing), None where
            there is none; in index order.
    """

    white: int
    score: int
    terms: tuple[tuple[str, int, int], ...]
    pieces: tuple[int | None, ...]


def evaluation(position: KernelPosition, maker: PositionMaker) -> Evaluation:
    """The evaluation of a position, taken apart.

    Args:
        maker: the class of the position.
    """
    side = position.side
    sign = 1 if side is Side.WHITE else -1
    score = position.evaluate()

    def worth(square: int) -> int | None:
        if position.cells[square] == EMPTY:
            return None
        rest = position.cells[:square] + EMPTY + position.cells[square + 1 :]
        return sign * (score - maker.from_cells(rest, side).evaluate())

    pieces = tuple(worth(square) for square in range(len(position.cells)))
    return Evaluation(sign * score, score, tuple(position.evaluation_terms()), pieces)
