"""Walking through an opening book: what is wrong with it, and the openings in it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from turkengine.engine.book import Book
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.score import WIN
from turkengine.notation import fen, moves


def over(position: KernelPosition) -> int | None:
    """The score of a game that is over from the side to move, None where it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return None
    return 0 if outcome.winner is None else WIN if outcome.winner is position.side else -WIN


def faults(book: Book, start: KernelPosition) -> list[str]:
    """What is wrong: a line for each position whose score is not that of its best move, or of the end of the game.

    Two more lines say how many positions no moves lead to, and how many ends of lines lose more than the margin with
    which the book says it was built.
    """
    found: list[str] = []
    margin = _margin(book)
    ends: dict[int, bool] = {}  # by key, whether a move that leads there is good enough
    reached = {start.key}
    waiting = [start]
    if book.entry(start.key) is None:
        found.append("the start position is missing")
    while waiting:
        position = waiting.pop()
        entry = book.entry(position.key)
        known = book.moves(position)
        worth = over(position)
        if entry is not None and worth is not None and (entry.expanded or entry.score != worth):
            found.append(f"{fen.write(position)}: its score is {entry.score}, and the game is over with {worth}")
        elif entry is not None and entry.expanded:
            if not known:
                found.append(f"{fen.write(position)}: it is said to have moves and has none")
            elif known[0].score != entry.score:
                found.append(f"{fen.write(position)}: its score is {entry.score}, that of its moves {known[0].score}")
        for move in known:
            after = position.play(move.move)
            there = book.entry(after.key)
            if entry is not None and there is not None and not there.expanded:
                ends[after.key] = ends.get(after.key, False) or entry.score - move.score <= margin
            if after.key not in reached:
                reached.add(after.key)
                waiting.append(after)
    if len(reached) < len(book):
        found.append(f"no moves lead to {len(book) - len(reached)} positions")
    if beyond := sum(not kept for kept in ends.values()):
        found.append(f"moves to {beyond} positions lose more than the {margin:g} hundredths with which it was built")
    return found


def _margin(book: Book) -> float:
    """Hundredths of a man that a move may lose, as the book has it; infinity where it has none."""
    made = book.header.get("made")
    margin = made.get("margin") if isinstance(made, dict) else None
    return margin if isinstance(margin, int) else math.inf


def lines(book: Book, start: KernelPosition, plies: int, most: int) -> Iterator[tuple[str, KernelPosition]]:
    """Quiet positions so many plies from the start, each once, with moves that lead there.

    Args:
        most: hundredths of a man; positions whose score is further from 0 are left out.
    """
    frontier: dict[int, tuple[list[str], KernelPosition]] = {start.key: ([], start)}
    for _ in range(plies):
        further: dict[int, tuple[list[str], KernelPosition]] = {}
        for texts, position in frontier.values():
            for known in book.moves(position):
                after = position.play(known.move)
                further.setdefault(after.key, ([*texts, moves.landing(position, known.move)], after))
        frontier = further
    for texts, position in frontier.values():
        entry = book.entry(position.key)
        assert entry is not None, "the moves of a book lead to positions of it"
        legal = position.legal_moves()
        if legal and not legal[0].is_capture and abs(entry.score) <= most and position.outcome() is None:
            yield " ".join(texts), position
