"""A position drawn with letters, for people who type to the engine."""

from __future__ import annotations

from collections.abc import Sequence

from turkengine.engine.kernel_types import KernelPosition
from turkengine.notation import fen
from turkengine.rules.movegen import EMPTY

NO_SQUARE = " "
EMPTY_SQUARE = "."


def lines(position: KernelPosition, no_progress: int) -> list[str]:
    """The board from White's side, then what cannot be seen on it.

    Args:
        position: any position.
        no_progress: plies without progress until a draw, 0 for never, where the rules leave that open.
    """
    variant = position.variant
    rule = variant.no_progress
    limit = (no_progress or "no number") if rule.optional else rule.plies
    drawn = ranks(position, [letter(cell) for cell in position.cells], 2)
    return [
        *(f" {rank}   {'-'.join(ends(position, number))}" for number, rank in enumerate(drawn)),
        f"Variant: {variant.name}",
        f"Fen: {fen.write_counted(position)}",
        f"Key: {position.key:016x}",
        f"Occurrences: {position.occurrences} (drawn at {variant.repetitions})",
        f"Plies without progress: {position.no_progress} (drawn at {limit})",
        f"Plies against a lone king: {position.material_plies}",
        f"Result: {result(position, no_progress)}",
    ]


def ranks(position: KernelPosition, texts: Sequence[str], width: int) -> list[str]:
    """The board from White's side, a line for each rank, with a text on each square.

    Args:
        texts: for each square, in index order.
        width: characters of a square; the texts stand at its right edge.
    """
    board = position.variant.board
    places = [[board.square_at(file, rank) for file in range(board.files)] for rank in range(board.ranks)]
    return [
        "".join((NO_SQUARE if square is None else texts[square]).rjust(width) for square in squares)
        for squares in reversed(places)
    ]


def ends(position: KernelPosition, number: int) -> tuple[str, str]:
    """The names of the first and the last square in a line of `ranks`, counted from 0."""
    board = position.variant.board
    rank = board.ranks - 1 - number
    named = [board.names[square] for square in board.reading_order if board.rank(square) == rank]
    return named[0], named[-1]


def letter(cell: str) -> str:
    """What stands for the content of a square."""
    return EMPTY_SQUARE if cell == EMPTY else cell


def result(position: KernelPosition, no_progress: int | None = None) -> str:
    """How the game has ended, or who is to move; `no_progress` as for `KernelPosition.outcome`."""
    outcome = position.outcome(no_progress)
    if outcome is None:
        return f"none, {position.side.name.capitalize()} to move"
    if outcome.winner is None:
        return f"drawn, {outcome.reason.value}"
    return f"{outcome.winner.name.capitalize()} has won, {outcome.reason.value}"
