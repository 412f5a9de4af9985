"""Games that repeat each other: engines that answer the same to the same play the same game as often as they meet in
the same opening, and a game that is played again proves nothing that the first one has not proved.

Two games are the same where the same players have had the same colours, the opening has led to the same position, and
every move after it and the result are the same. The first of them counts. The others are kept, but they are left out
of the score, of Elo, nElo and LOS, and of the sequential test. These are about pairs: a pair counts where both of its
games do, since half a pair leans to the side that the opening favours. The two games *of* a pair never repeat each
other, even with the same moves: there each engine has answered for itself.

In a knockout and a Swiss tournament a repeated game gives its points all the same, or nobody would be ahead; it is left
out of the ratings there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from turkengine.match.openings import Openings
from turkengine.match.schedule import GameResult, Key
from turkengine.record.record import Played, Record

ENOUGH = 0.99  # of the openings are different


def result_of(key: Key, record: Record) -> GameResult:
    """How a game has ended, and by what way."""
    return GameResult(key, record.white, record.black, record.ending.halves, course_of(record))


def course_of(record: Record) -> bytes:
    """What a game has in common with those that have gone the same way."""
    book = [move for move in record.moves if move.book]
    played = [move.text for move in record.moves[len(book) :]]
    ending = record.ending
    told = (record.variant, record.fen, *_reached(book, record.fen), "", *played, ending.kind.value, str(ending.halves))
    return hashlib.blake2b("\n".join(told).encode(), digest_size=16).digest()


def warning(openings: Openings, pairs: int) -> str:
    """What to say before a match in which each two players meet in so many openings; empty where there are enough."""
    different = openings.different(pairs)
    if different >= ENOUGH * pairs:
        return ""
    there = "there is 1 opening" if different == 1 else f"there are about {different} different openings"
    return (
        f"warning: {there} for {pairs} pairs of games; a game that repeats another one will not count, so give more"
        " openings or fewer games"
    )


def _reached(book: Sequence[Played], fen: str) -> list[str]:
    """What identifies the position that an opening leads to.

    From the starting position, and without a capture, these are the squares that each side has left and taken, in
    whatever order; else the moves themselves.
    """
    if fen or any("x" in move.text for move in book):
        return [move.text for move in book]
    squares: set[str] = set()
    for move in book:
        squares ^= {f"{move.side.value}{square}" for square in move.text.split("-")}
    return [str(len(book)), *sorted(squares)]
