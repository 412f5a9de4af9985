"""The kernel agrees with the readable rules: the same moves, positions, counters and ends, wherever a game may go.

Random games and boards are drawn from fixed seeds. The first position in which the two differ fails the test with its
FEN, which is all that is needed to look into it.
"""

from __future__ import annotations

import importlib
import random
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from kernel import positions
from rules.cases import Case, told
from rules.cases import positions as cases
from rules.strategies import every_variant

from turkengine import kernel
from turkengine.engine import score
from turkengine.games import INTERNATIONAL, variant_named
from turkengine.kernel import settings, weights
from turkengine.notation import fen, moves
from turkengine.rules.board import DIAGONAL, ORTHOGONAL
from turkengine.rules.bounds import MOST_PIECES
from turkengine.rules.move import Move
from turkengine.rules.movegen import EMPTY, KING, MAN
from turkengine.rules.outcome import Reason, outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import CapturePriority, Landing, Progress, Promotion, Removal, Side, Variant

GAMES = 12
PLIES = 160
BOARDS = 120
EVERY_DIRECTION = (*ORTHOGONAL, *DIAGONAL)


def agree(law: Position, claim: Any, limits: tuple[int | None, ...] = (None,)) -> None:
    """Compare two positions in everything they tell."""
    counted = ("no_progress", "material_plies", "material_limit", "occurrences")
    told = {
        name: (getattr(law, name), getattr(claim, name))
        for name in ("variant", "cells", "side", "follows_a_move", *counted)
    }
    told |= {f"count of {side.name}": (law.count(side), claim.count(side)) for side in Side}
    told |= {f"outcome, limit {limit}": (outcome(law, limit), claim.outcome(limit)) for limit in limits}
    afresh = positions.compiled(law)
    told |= {"key": (afresh.key, claim.key), "evaluation": (afresh.evaluate(), claim.evaluate())}
    for name, (expected, got) in told.items():
        assert got == expected, f"{law.variant.name}, {fen.write_counted(law)}: {name} is {got}, not {expected}"


def agree_on_moves(law: Position, claim: Any) -> list[Move]:
    """Compare the legal moves; the result is that of the rules."""
    expected, got = law.legal_moves(), claim.legal_moves()
    differing = sorted(moves.hub(law, move) for move in set(expected) ^ set(got))
    where = f"{law.variant.name}, {fen.write_counted(law)}"
    assert not differing, f"{where}: only one of the two has {' '.join(differing)}"
    assert len(got) == len(expected), f"{where}: a move is given twice"
    return expected


def random_move(dice: random.Random, law: Position, legal: list[Move], back: float) -> Move:
    """Any move; with the chance `back` the one that takes the last one back, so that positions come again."""
    before = law.previous.previous if law.previous is not None else None
    if before is not None and dice.random() < back:
        for move in legal:
            returns = before.cells[move.target] == law.cells[move.origin] and before.cells[move.origin] == EMPTY
            if returns and not move.is_capture:
                return move
    return dice.choice(legal)


def play_both(dice: random.Random, law: Position, plies: int, back: float = 0.3) -> set[Reason]:
    """Play at random from `law` in both, comparing all the way; the result is why the game would have ended."""
    claim = positions.compiled(law)
    reasons = set()
    for _ in range(plies):
        legal = agree_on_moves(law, claim)
        agree(law, claim, (None, 0, 20))
        end = outcome(law)
        if end is not None:
            reasons.add(end.reason)
        if not legal:
            break
        move = random_move(dice, law, legal, back)
        law, claim = law.play(move), claim.play(move)
    agree(law, claim)
    return reasons


# Random games and boards


@every_variant
@pytest.mark.parametrize("seed", range(GAMES))
def test_in_random_games(variant: Variant, seed: int) -> None:
    play_both(random.Random(seed), Position.start(variant), PLIES)


@every_variant
@pytest.mark.parametrize("kings", [0.2, 0.6, 1.0])
def test_in_games_from_random_boards(variant: Variant, kings: float) -> None:
    dice = random.Random(int(10 * kings))
    for _ in range(GAMES):
        play_both(dice, positions.thrown(variant, dice, most=12, kings=kings), PLIES // 4)


@every_variant
@pytest.mark.parametrize("kings", [0.0, 0.3, 0.7, 1.0])
def test_on_random_boards_and_after_each_of_their_moves(variant: Variant, kings: float) -> None:
    dice = random.Random(100 + int(10 * kings))
    for _ in range(BOARDS):
        law = positions.thrown(variant, dice, kings=kings)
        claim = positions.compiled(law)
        for move in agree_on_moves(law, claim):
            agree(law.play(move), claim.play(move))


ENDS = {  # what random play in small endings must have met, so that the comparison means something
    "international": {Reason.FIVE_MOVES},
    "turkish": {Reason.ONE_PIECE_EACH},
    "turkish-app": {Reason.ONE_PIECE_EACH, Reason.LONE_MAN},
    "croda": set(),
    "killer": {Reason.FIVE_MOVES},
    "brazilian": {Reason.FIVE_MOVES},
    "russian": {Reason.FIVE_MOVES},
    "pool": {Reason.FIVE_MOVES},
    "armenian": {Reason.ONE_PIECE_EACH},
}


@every_variant
def test_in_small_endings_where_draws_are_counted(variant: Variant) -> None:
    dice = random.Random(7)
    met: set[Reason] = set()
    for game in range(6 * GAMES):
        law = positions.thrown(variant, dice, most=4 + game % 3, kings=0.1 if game % 4 == 0 else 0.9)
        met |= play_both(dice, law, PLIES // 2, back=0.75 if game % 2 else 0.0)
    repetition = Reason.FOURTH_TIME if variant.repetitions == 4 else Reason.REPETITION
    assert met >= ENDS.get(variant.name, set()) | {Reason.NO_PIECE, repetition}


# The compiled constants, one by one


@every_variant
@pytest.mark.parametrize("cell", "wWbB")
def test_the_quiet_moves_of_a_piece_from_every_square(variant: Variant, cell: str) -> None:
    side = Side.WHITE if cell in "wW" else Side.BLACK
    for square in range(variant.board.size):
        if cell in KING.values() or square not in variant.promotion_squares[side]:
            law = Position(variant, _cells(variant, {square: cell}), side)
            agree_on_moves(law, positions.compiled(law))


@every_variant
@pytest.mark.parametrize("cell", "wWbB")
def test_the_captures_of_a_piece_from_every_square_of_every_piece_in_line(variant: Variant, cell: str) -> None:
    side = Side.WHITE if cell in "wW" else Side.BLACK
    for square in range(variant.board.size):
        if cell == MAN[side] and square in variant.promotion_squares[side]:
            continue
        for victim in {seen for direction in EVERY_DIRECTION for seen in variant.board.ray(square, direction)}:
            law = Position(variant, _cells(variant, {square: cell, victim: KING[side.opponent]}), side)
            agree_on_moves(law, positions.compiled(law))


@every_variant
@pytest.mark.parametrize("side", Side, ids=lambda side: side.name.lower())
def test_where_men_are_crowned(variant: Variant, side: Side) -> None:
    crowning = 0
    for square in set(range(variant.board.size)) - set(variant.promotion_squares[side]):
        law = Position(variant, _cells(variant, {square: MAN[side]}), side)
        for move in law.legal_moves():
            after = positions.compiled(law).play(move)
            assert after.cells == law.play(move).cells
            crowning += after.count(side) == (1, 0)
    assert crowning >= len(variant.promotion_squares[side])


@every_variant
@pytest.mark.parametrize("lone", Side, ids=lambda side: side.name.lower())
def test_which_balances_against_a_lone_king_are_counted(variant: Variant, lone: Side) -> None:
    squares = [square for square in range(variant.board.size) if square not in variant.promotion_squares[lone.opponent]]
    for kings in range(6):
        for men in range(6 - kings):
            strong = [KING[lone.opponent]] * kings + [MAN[lone.opponent]] * men
            placed = dict(zip(squares[:kings] + squares[-men:] if men else squares[:kings], strong, strict=True))
            placed[squares[len(squares) // 2]] = KING[lone]
            law = Position(variant, _cells(variant, placed), lone, material_plies=5)
            claim = positions.compiled(law)
            for move in agree_on_moves(law, claim):
                agree(law.play(move), claim.play(move))


def _cells(variant: Variant, placed: dict[int, str]) -> str:
    return "".join(placed.get(square, EMPTY) for square in range(variant.board.size))


# What the compiler was told


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The step of the build that writes the constants."""
    monkeypatch.setattr(sys, "path", [str(Path(__file__).resolve().parents[2] / "scripts" / "build"), *sys.path])
    return importlib.import_module("generate")


CONSTANTS: dict[str, Callable[[Variant], int]] = {
    "SQUARES": lambda variant: variant.board.size,
    "PIECES_PER_SIDE": lambda variant: variant.pieces_per_side,
    "KING_LANDS_ANYWHERE": lambda variant: variant.king_landing is not Landing.DIRECTLY_BEHIND,
    "LAST_KING_STOPS": lambda variant: variant.king_landing is Landing.BEHIND_LAST_KING,
    "KINGS_FLY": lambda variant: variant.kings_fly,
    "KING_DIRECTIONS": lambda variant: len({*variant.king_jumps, *variant.king_directions}),
    "MAN_STEPS": lambda variant: 5 if variant.name == "armenian" else 3,
    "MEN_TAKE_KINGS": lambda variant: variant.men_take_kings,
    "NUMBER_DECIDES": lambda variant: CapturePriority.MOST_PIECES in variant.capture_priority,
    "KINGS_GO_FIRST": lambda variant: CapturePriority.BY_KING in variant.capture_priority,
    "MOST_KINGS_DECIDE": lambda variant: CapturePriority.MOST_KINGS in variant.capture_priority,
    "EARLIEST_KINGS_DECIDE": lambda variant: CapturePriority.KINGS_EARLIEST in variant.capture_priority,
    "CROWNING_ENDS_MOVE": lambda variant: variant.promotion is Promotion.ENDS_MOVE,
    "CROWNED_IN_PASSING": lambda variant: variant.promotion is Promotion.GOES_ON,
    "REMOVED_AT_ONCE": lambda variant: variant.removal is Removal.IMMEDIATE,
    "REVERSAL_BANNED": lambda variant: variant.reversal_banned,
    "EVERY_MAN_MOVE_IS_PROGRESS": lambda variant: variant.no_progress.progress is Progress.MAN_MOVE,
    "NO_PROGRESS_PLIES": lambda variant: variant.no_progress.plies,
    "NO_PROGRESS_OPTIONAL": lambda variant: variant.no_progress.optional,
    "REPETITIONS": lambda variant: variant.repetitions,
    "ONE_PIECE_EACH_DRAWS": lambda variant: variant.one_piece_each_draws,
    "LONE_MAN_LOSES": lambda variant: variant.lone_man_loses,
    "MATERIAL_LIMITS": lambda variant: len(variant.material_limits),
    "HAS_MIRROR": lambda variant: not variant.board.dark_only,
    "UNITS": lambda variant: weights.read_weights(variant).units,
    "BUCKETS": lambda _: weights.BUCKETS,
    "ONE": lambda _: weights.ONE,
    "WIN": lambda _: 10_000,
    "LONGEST_WIN": lambda _: 500,
    "EVALUATION_LIMIT": lambda _: 8_000,
    "MOST_PIECES": lambda _: MOST_PIECES,
    "SETTINGS": lambda _: len(settings.SETTINGS),
    **{one.name.upper(): lambda _, index=index: index for index, one in enumerate(settings.SETTINGS)},
}


@every_variant
def test_the_constants_say_what_is_declared(variant: Variant, generate: ModuleType) -> None:
    defined = dict(re.findall(r"^#define (\w+) (\d+)$", generate.header(variant), re.MULTILINE))
    assert {name: int(value) for name, value in defined.items()} == {
        name: int(declared(variant)) for name, declared in CONSTANTS.items()
    }


@pytest.mark.parametrize("trait", ["capture_priority", "promotion"])
def test_a_value_that_the_kernel_has_no_code_for_cannot_be_compiled(generate: ModuleType, trait: str) -> None:
    with pytest.raises(AssertionError, match="the kernel"):
        generate.header(replace(INTERNATIONAL, **{trait: None}))


def test_priorities_in_an_unusual_order_cannot_be_compiled(generate: ModuleType) -> None:
    order = (CapturePriority.BY_KING, CapturePriority.MOST_PIECES)
    with pytest.raises(AssertionError, match="the kernel takes the priorities it knows, in their usual order"):
        generate.header(replace(INTERNATIONAL, capture_priority=order))


def test_two_ranks_of_dark_squares_take_eleven_bits_one_of_them_unused(generate: ModuleType) -> None:
    layout = generate.Layout(INTERNATIONAL.board)
    assert layout.mask == sum(1 << bit for bit in range(55) if bit % 11 != 5)
    assert sorted(layout.shift(direction) for direction in INTERNATIONAL.king_directions) == [-6, -5, 5, 6]


@every_variant
def test_the_kernel_plays_the_declared_variant_from_its_start(variant: Variant) -> None:
    start = positions.start(variant)
    assert start.variant is variant
    agree(Position.start(variant), start)


# The cases that every generator is tested with


def cases_with(claim: str) -> pytest.MarkDecorator:
    wanted = [case for case in cases() if getattr(case, claim) not in (None, {})]
    return pytest.mark.parametrize("case", wanted, ids=str)


def reached(case: Case) -> Any:
    return positions.read(variant_named(case.variant), case.position, " ".join(case.line))


@cases_with("moves")
def test_these_are_all_the_legal_moves(case: Case) -> None:
    position = reached(case)
    assert case.moves is not None
    assert sorted(moves.hub(position, move) for move in position.legal_moves()) == sorted(case.moves)


@cases_with("count")
def test_there_are_so_many_legal_moves(case: Case) -> None:
    assert len(reached(case).legal_moves()) == reached(case).perft(1) == case.count


@cases_with("outcome")
def test_the_game_has_ended_so(case: Case) -> None:
    assert told(reached(case).outcome()) == case.outcome


@cases_with("reads")
def test_a_text_stands_for_this_move(case: Case) -> None:
    position = reached(case)
    assert {text: moves.hub(position, moves.read(position, text)) for text in case.reads} == case.reads


@cases_with("after")
def test_a_move_leads_to_this_position(case: Case) -> None:
    position = reached(case)
    assert {text: fen.write(position.play(moves.read(position, text))) for text in case.after} == case.after


@every_variant
def test_scores_mean_the_same_in_the_kernel_and_above(variant: Variant) -> None:
    assert kernel.load(variant).BOUNDS == (score.WIN, score.LONGEST_WIN, score.EVALUATION_LIMIT, MOST_PIECES)
