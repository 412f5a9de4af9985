"""Positions to be solved: one move wins, no other does, and the point of it is a combination.

Every position of a game is looked at with a short search. What looks like a puzzle is searched again, longer, from
nothing but its FEN, as whoever solves it sees it; then each later move of the solution that is a choice; and last, the
search that rates it: the more nodes it takes to find the move and to stay with it, the harder the puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log2
from typing import Any

from turkengine.analysis.annotate import str_of
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.shots import Shot, shot_in
from turkengine.api.analysis import Analysis
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import Limit
from turkengine.api.position import Position
from turkengine.engine.report import Bound
from turkengine.rules.move import Move

WINS = 0.6  # the chance to win that the solution has, at least
MARGIN = 0.4  # by which the chance of every other move is worse, at least
RATING_UNIT = 100  # points of rating for twice the nodes


@dataclass(frozen=True)
class Puzzle:
    """A position and its only solution.

    Attributes:
        ply: the move of the game that is played in it, from 1; one more than there are at its end.
        fen: the position.
        solution: moves to the end of the combination, the first one by the side to move.
        combination: what it gives and takes, in words.
        evaluation: after the solution's first move, from White's view, as `[%eval]` writes it.
        second: the same after the second best move.
        nodes: until the search had found the first move for good.
        rating: 100 points for each doubling of `nodes`.
    """

    ply: int
    fen: str
    solution: tuple[str, ...]
    combination: str
    evaluation: str
    second: str
    nodes: int
    rating: int


@dataclass(frozen=True)
class PuzzleRecord:
    """The puzzles of one game."""

    puzzles: tuple[Puzzle, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {"puzzles": [asdict(puzzle) for puzzle in self.puzzles]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> PuzzleRecord:
        """The record that `as_data` has been made from."""
        told = ({**puzzle, "solution": tuple(puzzle["solution"])} for puzzle in data["puzzles"])
        return cls(tuple(Puzzle(**puzzle) for puzzle in told))


@dataclass(frozen=True)
class Hunt:
    """How puzzles are looked for; what the runner does with a game.

    Attributes:
        nodes: of the search of every position.
        proof: of each search that a puzzle has to stand.
    """

    nodes: int
    proof: int

    def __call__(self, engine: BaseEngine, game: PlayedGame, on_position: Callable[[], object]) -> PuzzleRecord:
        """The puzzles of a game.

        Raises:
            ClientError: the engine has failed.
        """
        looked_at = object()
        likely = []
        for place in reversed(range(len(game.positions))):
            position = game.positions[place]
            if is_open(position):
                found = engine.analyse(position, Limit(nodes=self.nodes), game=looked_at)
                if combination_in(position, found.line) is not None:
                    likely.append((place + 1, position))
            on_position()
        proved = [self.proved(engine, position, ply) for ply, position in reversed(likely)]
        return PuzzleRecord(tuple(puzzle for puzzle in proved if puzzle is not None))

    def proved(self, engine: BaseEngine, position: Position, ply: int = 1) -> Puzzle | None:
        """The puzzle that a position is, None where it is none."""
        bare = Position(position.fen(), position.variant)
        found = self._only_winner(engine, bare)
        if found is None:
            return None
        combination = combination_in(bare, found.line)
        if combination is None:
            return None
        solution = found.line[: combination.plies]
        if not self._is_unique(engine, bare, solution):
            return None
        nodes = self._nodes_to_find(engine, bare, solution[0])
        if nodes is None:
            return None
        first, second = (str_of(line.score) for line in found.lines[:2])
        rating = round(RATING_UNIT * log2(max(nodes, 1)))
        texts = tuple(bare.line_texts(solution))
        return Puzzle(ply, bare.fen(), texts, combination.name, first, second, nodes, rating)

    def _only_winner(self, engine: BaseEngine, position: Position) -> Analysis | None:
        """A search that has found one winning move and no other."""
        found = engine.analyse(position, Limit(nodes=self.proof), multipv=2, game=object())
        if len(found.lines) < 2:
            return None
        best, second = (line.chances.win for line in found.lines[:2])
        return found if best >= WINS and best - second >= MARGIN else None

    def _is_unique(self, engine: BaseEngine, position: Position, solution: Sequence[Move]) -> bool:
        """Whether no other move wins later on, the last one of the combination left out."""
        for place, move in enumerate(solution[:-1]):
            if place and place % 2 == 0 and len(position.legal_moves()) > 1:
                found = self._only_winner(engine, position)
                if found is None or found.lines[0].move != move:
                    return False
            position = position.play(move)
        return True

    def _nodes_to_find(self, engine: BaseEngine, position: Position, solution: Move) -> int | None:
        """Nodes after which a search that knows nothing has found the move for good.

        It goes on for as long again as the move may take; None where it takes longer, or another move is found then.
        """
        found = engine.analyse(position, Limit(nodes=2 * self.proof), game=object())
        since: int | None = None
        for info in found:
            if info.bound is not Bound.EXACT or info.nodes is None:
                continue
            if info.move != solution:
                since = None
            elif since is None:
                since = info.nodes
        return since if since is not None and since <= self.proof else None


def is_open(position: Position) -> bool:
    """Whether there is a choice at all and no capture is due: else the rules show the way."""
    moves = position.legal_moves()
    return len(moves) > 1 and not any(move.is_capture for move in moves) and position.outcome() is None


def combination_in(position: Position, line: Sequence[Move]) -> Shot | None:
    """What a line begins with: a shot, or one that wins no pieces but the game or a king.

    Args:
        line: legal moves from `position`.
    """
    return shot_in(position, line) or _breakthrough(position, line)


def _breakthrough(position: Position, line: Sequence[Move]) -> Shot | None:
    """Pieces are given, every reply is a capture, and a man breaks through to the last rank or the game is won."""
    variant, mover, here = position.variant, position.side, position
    gives = takes = 0
    for place, move in enumerate(line):
        before, here = here, here.play(move)
        if before.side is mover:
            takes += len(move.captured)
            crowns = before.cells[move.origin].islower() and move.target in variant.promotion_squares[mover]
            outcome = here.outcome() if gives else None
            if gives and ((crowns and gives > takes) or (outcome is not None and outcome.winner is mover)):
                return Shot(gives, takes, 0, place + 1, crowns, " ".join(position.line_texts(line[: place + 1])))
        elif not move.is_capture:
            return None
        else:
            gives += len(move.captured)
    return None
