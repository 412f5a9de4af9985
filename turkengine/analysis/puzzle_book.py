"""The puzzles of many games as a collection: each position once, as PDN, as FEN and as a line for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from turkengine import __version__
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.puzzles import Puzzle, PuzzleRecord
from turkengine.api.game import Game
from turkengine.api.position import Position

TAKEN_OVER = ("Event", "Site", "Date", "Round", "White", "Black")  # tags of the game that a puzzle keeps


@dataclass(frozen=True)
class Found:
    """A puzzle, and the game in which it has been found."""

    game: PlayedGame
    puzzle: Puzzle

    @property
    def line(self) -> str:
        """In one line: where, the solution, what it is, and how hard."""
        entry, puzzle = self.game.entry, self.puzzle
        solution = " ".join(puzzle.solution)
        return f"{entry.file}:{entry.line}: ply {puzzle.ply}, {solution}, {puzzle.combination}, rating {puzzle.rating}"

    def pdn(self, number: int) -> str:
        """As a game that begins with the position, its solution being the moves.

        Args:
            number: of the puzzle in its collection.
        """
        told, puzzle = self.game.entry.game, self.puzzle
        tags = {name: told.tag(name).strip() or "?" for name in TAKEN_OVER}
        tags["Annotator"] = f"turkengine {__version__}"
        tags["Puzzle"], tags["Rating"] = str(number), str(puzzle.rating)
        game = Game(puzzle.fen, self.game.variant, tags)
        game.add_line(puzzle.solution)
        first = game.next
        assert first is not None, "a solution has a move"
        first.nags.append(1)
        first.comments.append(f"[%eval {puzzle.evaluation}] {puzzle.combination}; the next best move: {puzzle.second}")
        return game.pdn()


def collected(records: Iterable[tuple[PlayedGame, PuzzleRecord]]) -> Iterator[Found]:
    """Every puzzle once: not the same position again, none that another solution leads through, and in one game not the
    same solution again, which nobody has seen for a few moves.
    """
    seen: set[tuple[str, str]] = set()  # variant and FEN
    for game, record in records:
        solutions: set[tuple[str, ...]] = set()
        for puzzle in record.puzzles:
            position = Position(puzzle.fen, game.variant)
            through = [(game.variant.name, position.fen())]
            for text in puzzle.solution:
                position = position.play(text)
                through.append((game.variant.name, position.fen()))
            is_new = through[0] not in seen and puzzle.solution not in solutions
            seen.update(through)
            solutions.add(puzzle.solution)
            if is_new:
                yield Found(game, puzzle)
