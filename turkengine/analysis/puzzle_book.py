"""The puzzles of many games as a collection: each position once, as PDN, as FEN, as a line for people and on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from turkengine import __version__
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.puzzles import Puzzle, PuzzleRecord
from turkengine.api.game import Game
from turkengine.api.position import Position
from turkengine.drawing.svg import board_svg
from turkengine.pages.boards import changes, in_words, number_of
from turkengine.pages.rendering import rendered
from turkengine.rules.variant import Side

MOST_PUZZLES = 500  # on a page; the other files hold them all
TAKEN_OVER = ("Event", "Site", "Date", "Round", "White", "Black")  # tags of the game that a puzzle keeps


@dataclass(frozen=True)
class FoundPuzzle:
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
        source, puzzle = self.game.entry.game, self.puzzle
        tags = {name: source.tag(name).strip() or "?" for name in TAKEN_OVER}
        tags["Annotator"] = f"turkengine {__version__}"
        tags["Puzzle"], tags["Rating"] = str(number), str(puzzle.rating)
        game = Game(puzzle.fen, self.game.variant, tags)
        game.add_line(puzzle.solution)
        first = game.next
        assert first is not None, "a solution has a move"
        first.nags.append(1)
        first.comments.append(f"[%eval {puzzle.evaluation}] {puzzle.combination}; the next best move: {puzzle.second}")
        return game.pdn()

    def view(self) -> dict[str, object]:
        """What its card on a page shows."""
        puzzle, variant, tags = self.puzzle, self.game.variant, self.game.entry.game
        positions, moves = [Position(puzzle.fen, variant)], []
        for text in puzzle.solution:
            moves.append(positions[-1].parse(text))
            positions.append(positions[-1].play(moves[-1]))
        start = positions[0]
        numbers = [number_of(variant, start.side, ply) for ply in range(1, len(moves) + 1)]
        words = in_words(variant, start.cells, start.side)
        where = f"{self.game.title}, move {number_of(variant, self.game.positions[0].side, puzzle.ply).rstrip('.')}"
        return {
            "variant": variant.name,
            "game": variant.title,
            "side": start.side.name.capitalize(),
            "rating": puzzle.rating,
            "combination": puzzle.combination,
            "drawing": board_svg(
                variant.board, start.cells, alone=False, title=words, flipped=start.side is Side.BLACK
            ),
            "moves": [
                {"number": number if not place or not number.endswith("...") else "", "text": text}
                for place, (number, text) in enumerate(zip(numbers, puzzle.solution, strict=True))
            ],
            "about": [part for part in (where, tags.tag("Event"), tags.tag("Date")) if part.strip(" ?.-")],
            "data": {
                "cells": start.cells,
                "flipped": start.side is Side.BLACK,
                "moves": [
                    {"n": f"{number} {text}", "f": move.origin, "t": move.target, "c": changes(one.cells, other.cells)}
                    for number, text, move, (one, other) in zip(
                        numbers, puzzle.solution, moves, pairwise(positions), strict=True
                    )
                ],
            },
        }


def puzzle_page(title: str, puzzles: Sequence[FoundPuzzle]) -> Iterator[str]:
    """A page to solve them on, in parts: a board each, and the solution when it is asked for."""
    shown = puzzles[:MOST_PUZZLES]
    return rendered(
        "puzzles.html",
        title,
        {found.game.variant for found in shown},
        games=sorted({found.game.variant.title for found in shown}),
        total=len(puzzles),
        puzzles=[found.view() for found in shown],
    )


def collected(records: Iterable[tuple[PlayedGame, PuzzleRecord]]) -> Iterator[FoundPuzzle]:
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
                yield FoundPuzzle(game, puzzle)
