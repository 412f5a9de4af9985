"""Puzzles are found, proved and rated; what is no puzzle is turned down. The positions are from the engine's games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from analysis.scripted import ScriptedEngine, Told, positions_of

from turkengine.analysis.games import Source, played_games
from turkengine.analysis.puzzle_book import collected
from turkengine.analysis.puzzles import Hunt, Puzzle, PuzzleRecord, combination_in, is_open
from turkengine.api.analysis import Analysis, Info
from turkengine.api.engine import Engine
from turkengine.api.game import Game
from turkengine.api.limit import PovScore
from turkengine.api.position import Position
from turkengine.engine.limits import Limits
from turkengine.engine.report import Bound
from turkengine.engine.score import Score

HUNT = Hunt(nodes=5_000, proof=60_000)
SHOT = "W:W26,27,28,32,37,44:B12,16,17,19,20,34,35"
LONG = "W:W26,27,35-40,42,45,47,48,49:B3,4,6,8,9,11,12,16,19,23,24,28,29"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(hash=16) as engine:
        yield engine


def told(first: Told, later: dict[str, Told] | None = None, fen: str = SHOT) -> Puzzle | None:
    """What is made of a position by an engine that says this of it, and that of later ones."""
    return HUNT.proved(ScriptedEngine({fen: first, **(later or {})}), Position(fen))


# With an engine


@pytest.mark.parametrize(
    ("variant", "fen", "solution", "combination"),
    [
        (
            "international",
            "B:W21,27,33,35,39,40,42,43,45,46,48,49,50:B2-8,11,13,15,19,20,25",
            "25-30 35x24 20x47",
            "shot 1 for 3, to a king",
        ),
        ("international", "W:WK10,48:BK26", "10-37 26x42 48x37", "shot 1 for 1"),
        ("turkish", "B:WKb8,d7,f7,a4,e4,h4,a3:Ba6,a5,Ka1", "a6-b6 a4xc6 a1xh3", "shot 2 for 7, a king taken"),
        ("croda", "B:WKh8,h1:Bf8,Ka7", "a7-a8 h8xe8 a8xh8", "shot 1 for 1, a king taken"),
    ],
)
def test_a_combination_that_alone_wins_is_a_puzzle(
    engine: Engine, variant: str, fen: str, solution: str, combination: str
) -> None:
    puzzle = HUNT.proved(engine, Position(fen, variant))
    assert puzzle is not None
    assert (puzzle.fen, " ".join(puzzle.solution), puzzle.combination) == (fen, solution, combination)
    assert 0 < puzzle.nodes <= HUNT.proof


def test_the_same_puzzle_is_rated_the_same(engine: Engine) -> None:
    position = Position("B:WKh8,h1:Bf8,Ka7", "croda")
    assert HUNT.proved(engine, position) == HUNT.proved(engine, position)


class Wavering(ScriptedEngine):
    """Finds one move or the other as a search for a single line goes on."""

    def __init__(self, told: Told, found: tuple[tuple[int, str], ...]) -> None:
        super().__init__({SHOT: told})
        self.found = found

    def _begin(self, analysis: Analysis, limits: Limits, new_game: bool) -> None:
        if analysis.multipv == 1:
            for nodes, text in self.found:
                pov = PovScore(Score(0), analysis.position.side)
                line = (analysis.position.parse(text),)
                analysis.tell(Info(analysis.position, 1, 9, pov, Bound.EXACT, nodes, 0.0, line))
            self._ended(analysis, None, None, None)
            return
        super()._begin(analysis, limits, new_game)


@pytest.mark.parametrize(
    ("found", "nodes"),
    [
        (((100, "44-39"), (500, "28-22"), (900, "44-39"), (2_048, "28-22"), (50_000, "28-22")), 2_048),
        (((16, "28-22"),), 16),
        (((100, "28-22"), (90_000, "44-39")), None),  # not to the end
        (((100, "44-39"), (60_001, "28-22")), None),  # too late to be sure of it
    ],
)
def test_a_rating_counts_the_nodes_until_the_move_is_found_for_good(
    found: tuple[tuple[int, str], ...], nodes: int | None
) -> None:
    engine = Wavering(((300, "28-22 17x28 32x25"), (0, "44-39")), found)
    puzzle = HUNT.proved(engine, Position(SHOT))
    assert (puzzle.nodes if puzzle is not None else None) == nodes
    assert puzzle is None or puzzle.rating == {16: 400, 2_048: 1100}[puzzle.nodes]


def test_quiet_positions_are_none(engine: Engine) -> None:
    assert HUNT.proved(engine, Position()) is None
    assert HUNT.proved(engine, Position(variant="turkish")) is None


# What makes a puzzle


def test_the_solution_ends_with_the_combination() -> None:
    puzzle = told(((300, "28-22 17x28 32x25 12-18 37-32"), (0, "44-39")))
    assert puzzle is not None
    assert puzzle == Puzzle(1, SHOT, ("28-22", "17x28", "32x25"), "shot 1 for 3", "3.00", "0.00", 1000, 997)


def test_a_second_move_that_wins_too_makes_it_none() -> None:
    assert told(((300, "28-22 17x28 32x25"), (280, "44-39"))) is None


def test_a_combination_that_does_not_win_is_none() -> None:
    assert told(((30, "28-22 17x28 32x25"), (-400, "44-39"))) is None


def test_a_win_without_a_combination_is_none() -> None:
    assert told(((300, "44-39"), (0, "28-22"))) is None


def test_another_winning_move_within_the_solution_makes_it_none() -> None:
    first = ((300, "27-21 16x27 38-33 29x38 42x31"), (0, "38-33"))
    middle = Position(LONG).play_line(["27-21", "16x27"]).fen()
    only = ((300, "38-33 29x38 42x31"), (0, "37-31"))
    puzzle = told(first, {middle: only}, LONG)
    assert puzzle is not None
    assert len(puzzle.solution) == 5
    assert told(first, {middle: (only[0], (290, "37-31"))}, LONG) is None
    assert told(first, {middle: ((300, "37-31"), (0, "38-33"))}, LONG) is None


def test_where_a_capture_is_due_or_nothing_can_be_chosen_there_is_none() -> None:
    assert not is_open(Position("W:W28:B23,12"))  # a plain capture
    assert not is_open(Position("W:W6:B5"))  # one move
    assert not is_open(Position("W:W28:B"))  # over
    assert is_open(Position(SHOT))


@pytest.mark.parametrize(
    ("fen", "line", "name"),
    [
        ("W:W6,46:B20,37", "46-41 37x46 6-1", "shot 1 for 0, to a king"),
        ("W:W28,32,37:B17", "28-22 17x28 32x23", "shot 1 for 1"),  # and nothing is left
        ("W:W28,32,37:B17,35", "28-22 17x28 32x23", None),  # an exchange
        ("W:W6,46:B5,20", "6-1", None),  # nothing is given
        ("W:W6,37,46:B20,24", "37-32 20-25 6-1", None),  # the reply was free
    ],
)
def test_what_breaks_through_or_wins_the_game_is_a_combination(fen: str, line: str, name: str | None) -> None:
    moves = [Position(fen).parse(line.split()[0])]
    position = Position(fen).play(moves[0])
    for text in line.split()[1:]:
        moves.append(next(move for move in position.legal_moves() if position.text(move) == text))
        position = position.play(moves[-1])
    found = combination_in(Position(fen), moves)
    assert (found.name if found is not None else None) == name


# In games


def test_the_positions_of_a_game_are_looked_at() -> None:
    positions = positions_of(Position(SHOT), "28-22", "17x28", "32x25")
    engine = ScriptedEngine({SHOT: ((300, "28-22 17x28 32x25"), (0, "44-39"))})
    (game,) = played_games([Source("a.pdn", f'[FEN "{SHOT}"]\n1. 28-22 17x28 2. 32x25 *'.encode())], Position().variant)
    seen = []
    record = HUNT(engine, game, lambda: seen.append(1))
    assert [puzzle.ply for puzzle in record.puzzles] == [1]
    assert len(seen) == len(positions) == 4
    assert engine.asked.count(positions[1].fen()) == 0  # a capture is due
    assert PuzzleRecord.from_data(record.as_data()) == record


def book(*texts: str) -> list[str]:
    """The puzzles of games that all begin with a position and go on differently, as PDN."""
    content = "\n\n".join(texts).encode()
    engine = ScriptedEngine({SHOT: ((300, "28-22 17x28 32x25"), (0, "44-39"))})
    games = list(played_games([Source("a.pdn", content)], Position().variant))
    found = collected((game, HUNT(engine, game, lambda: None)) for game in games)
    return [puzzle.pdn(number) for number, puzzle in enumerate(found, start=1)]


def test_a_position_that_comes_back_is_one_puzzle() -> None:
    one, other = f'[White "A"]\n[FEN "{SHOT}"]\n1. 44-39 *', f'[White "B"]\n[FEN "{SHOT}"]\n1. 28-22 *'
    (pdn,) = book(one, other)
    assert '[White "A"]' in pdn
    game = Game.read(pdn)
    assert game.position == Position(SHOT)
    assert [node.text for node in game.mainline()] == ["28-22", "17x28", "32x25"]
    assert (game.tags["Puzzle"], game.tags["Rating"]) == ("1", "997")
    assert "shot 1 for 3; the next best move: 0.00" in pdn.replace("\n", " ")


def test_a_position_within_a_solution_is_no_second_puzzle() -> None:
    first = Puzzle(1, LONG, ("27-21", "16x27", "38-33", "29x38", "42x31"), "shot 2 for 3", "1.00", "0.00", 9, 317)
    middle = Position(LONG).play_line(first.solution[:2]).fen()
    second = Puzzle(3, middle, first.solution[2:], "shot 1 for 3", "1.00", "0.00", 9, 317)
    (game,) = played_games([Source("a.pdn", f'[FEN "{LONG}"]\n*'.encode())], Position().variant)
    assert [found.puzzle.ply for found in collected([(game, PuzzleRecord((first, second)))])] == [1]


def test_a_solution_that_stays_possible_for_some_moves_is_one_puzzle() -> None:
    early = Puzzle(1, SHOT, ("28-22", "17x28", "32x25"), "shot 1 for 3", "3.00", "0.00", 9, 317)
    late = Puzzle(3, SHOT.replace("34,35", "34"), early.solution, "shot 1 for 3", "3.00", "0.00", 9, 317)
    (game,) = played_games([Source("a.pdn", f'[FEN "{SHOT}"]\n*'.encode())], Position().variant)
    assert [found.puzzle.ply for found in collected([(game, PuzzleRecord((early, late)))])] == [1]
