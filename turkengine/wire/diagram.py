"""A position drawn with letters, for people who type to the engine."""

from __future__ import annotations

from turkengine.engine.contract import Position
from turkengine.notation import fen
from turkengine.rules.movegen import EMPTY

NO_SQUARE = " "
EMPTY_SQUARE = "."


def lines(position: Position, no_progress: int) -> list[str]:
    """The board from White's side, then what cannot be seen on it.

    Args:
        position: any position.
        no_progress: plies without progress until a draw, 0 for never, where the rules leave that open.
    """
    variant = position.variant
    board, rule = variant.board, variant.no_progress
    limit = (no_progress or "no number") if rule.optional else rule.plies
    drawn = []
    for rank in reversed(range(board.ranks)):
        squares = [board.square_at(file, rank) for file in range(board.files)]
        letters = [NO_SQUARE if square is None else _letter(position.cells[square]) for square in squares]
        named = [board.names[square] for square in squares if square is not None]
        drawn.append(f"  {' '.join(letters)}   {named[0]}-{named[-1]}")
    return [
        *drawn,
        f"Variant: {variant.name}",
        f"Fen: {fen.write_counted(position)}",
        f"Key: {position.key:016x}",
        f"Occurrences: {position.occurrences} (drawn at {variant.repetitions})",
        f"Plies without progress: {position.no_progress} (drawn at {limit})",
        f"Plies against a lone king: {position.material_plies}",
        f"Result: {_result(position, no_progress)}",
    ]


def _letter(cell: str) -> str:
    return EMPTY_SQUARE if cell == EMPTY else cell


def _result(position: Position, no_progress: int) -> str:
    outcome = position.outcome(no_progress)
    if outcome is None:
        return f"none, {position.side.name.capitalize()} to move"
    if outcome.winner is None:
        return f"drawn, {outcome.reason.value}"
    return f"{outcome.winner.name.capitalize()} has won, {outcome.reason.value}"
