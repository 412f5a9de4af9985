"""The static evaluation as a page of text: the board with what each piece is worth, then the terms."""

from __future__ import annotations

from turkengine.engine.evaluation import Evaluation
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.score import MAN
from turkengine.wire import diagram

WIDTH = 7  # characters of a square: a blank, and the worth of any piece


def lines(position: KernelPosition, found: Evaluation) -> list[str]:
    """In men; all but the last line from White's side, like every table of terms.

    Args:
        found: the evaluation of the position.
    """
    letters = [diagram.letter(cell) for cell in position.cells]
    worths = ["" if worth is None else f"{worth / MAN:+.2f}" for worth in found.pieces]
    drawn = ["What each piece is worth here, to White, in men: the evaluation less that without the piece", ""]
    for rank, (pieces, below) in enumerate(
        zip(diagram.ranks(position, letters, WIDTH), diagram.ranks(position, worths, WIDTH), strict=True)
    ):
        first, last = diagram.ends(position, rank)
        drawn += [f"{pieces}   {first}-{last}", below.rstrip()]
    drawn += ["", f"{'':<20}{'White':>8}{'Black':>8}{'sum':>8}"]
    for name, white, black in found.terms:
        drawn.append(f"{name:<20}{white / MAN:>8.2f}{black / MAN:>8.2f}{(white - black) / MAN:>+8.2f}")
    drawn.append(f"{'all together':<36}{found.white / MAN:>+8.2f}")
    side = position.side.name.capitalize()
    return [*drawn, f"Evaluation: {found.score / MAN:+.2f} men ({side}, the side to move)"]
