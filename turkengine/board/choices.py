"""Every legal move with every way to tap it, so that a page can offer captures without knowing a rule.

A capture is one move whatever its route, and a player may think of another route than we do: so all landing squares of
all routes lead to it. Where they are too many to be listed each move keeps one route, and the page offers the moves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from turkengine.notation import moves
from turkengine.rules.board import Board
from turkengine.rules.move import Move
from turkengine.rules.movegen import Jumping, begun, jumps
from turkengine.rules.position import Situation

MOST_STEPS = 2000  # jumps looked at for one position

Route = tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    """One legal move.

    Attributes:
        text: what names it.
        routes: the squares of every way to make it, from its origin to its target.
    """

    text: str
    move: Move
    routes: tuple[Route, ...]

    def as_data(self, board: Board) -> dict[str, Any]:
        """What the page gets."""
        return {
            "move": self.text,
            "from": self.move.origin,
            "to": self.move.target,
            "captured": victims(board, self.move),
            "routes": [list(route) for route in self.routes],
        }


def choices(position: Situation, most_steps: int = MOST_STEPS) -> tuple[list[Choice], bool]:
    """All legal moves, and whether all of their routes are there."""
    legal = position.legal_moves()
    routes = _routes(position, legal, most_steps)
    ends = Counter((move.origin, move.target) for move in legal)
    found = []
    for move in legal:
        alone = ends[move.origin, move.target] == 1
        text = moves.short(position, move) if alone else moves.full(position, move)
        path = move.path or (move.origin, move.target)
        ways = routes.get(move, {}) if routes is not None else {}
        found.append(Choice(text, move, tuple(dict.fromkeys((path, *ways)))))
    return found, routes is not None


def victims(board: Board, move: Move) -> list[int]:
    """The captured squares in the order in which the move's path jumps them."""
    found: list[int] = []
    for start, end in pairwise(move.path or (move.origin, move.target)):
        direction = board.direction(start, end)
        for square in board.ray(start, direction) if direction is not None else ():
            if square == end:
                break
            if square in move.captured and square not in found:
                found.append(square)
    return found


def _routes(position: Situation, legal: list[Move], most_steps: int) -> dict[Move, dict[Route, None]] | None:
    """The routes of captures, None where they are too many."""
    wanted = {move for move in legal if move.is_capture}
    found: dict[Move, dict[Route, None]] = {move: {} for move in wanted}
    sets = {origin: [m.captured for m in wanted if m.origin == origin] for origin in {m.origin for m in wanted}}
    steps = 0
    waiting: list[tuple[Jumping, Route]] = [(begun(position.cells, origin), (origin,)) for origin in sorted(sets)]
    while waiting:
        jumping, path = waiting.pop()
        move = Move(jumping.origin, jumping.square, jumping.captured)
        if move in wanted:
            found[move].setdefault(path)
            continue
        for further in jumps(position.variant, position.cells, jumping):
            steps += 1
            if steps > most_steps:
                return None
            if any(further.captured <= captured for captured in sets[jumping.origin]):
                waiting.append((further, (*path, further.square)))
    return found
