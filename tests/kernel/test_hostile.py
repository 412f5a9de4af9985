"""Boards built to hurt: accepted positions with a thousand captures, and with no end of routes to each of them.

Nothing in the kernel is sized by what is usual. All moves come out, in bounded time and memory, and a search over them
answers when it is due.
"""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pytest
from kernel import positions
from rules.strategies import every_variant

from turkengine import kernel
from turkengine.engine.core import EngineCore
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Answer
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.notation.hub import parse_hub, write_hub
from turkengine.rules.move import Move
from turkengine.rules.movegen import EMPTY, KING, MAN, owner
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

BUILT = [  # the largest numbers of captures that have been found
    (TURKISH, "WebeeeeBeeeBeeeBeeeWeeBwBeebeeeBebebeeeBeebWbbebeeebeeeeeWWwWWWeW", 1131),
    (CRODA, "WWeBeeBWeWebeeeeWWeBeeeWeWebeebWeebeBbeeBeeBeeeBebeweeeBeeeBeeeBe", 1133),
]
CLIMBS = 2000  # changes tried by a search for boards that hurt
MOVE_TIME, ANSWERED = 0.2, 1.0  # s


def from_hub(variant: Variant, text: str) -> Any:
    setup = parse_hub(variant, text)
    return kernel.load(variant).Position.from_cells(setup.cells, setup.side)


def answer(position: Any, options: Options) -> tuple[Answer, float]:
    """What the engine plays at a fixed time a move, and the seconds until it said so."""
    answers: list[tuple[Answer, float]] = []
    answered = threading.Event()

    def on_answer(given: Answer) -> None:
        answers.append((given, time.perf_counter()))
        answered.set()

    with EngineCore(options) as engine:
        engine.position()  # loads the kernel
        began = time.perf_counter()
        engine.start(position, Limits(move_time=MOVE_TIME), lambda _: None, on_answer, began)
        assert answered.wait(60)
        assert engine.wait(10)
    assert len(answers) == 1
    given, moment = answers[0]
    return given, moment - began


def changed(position: Position, dice: random.Random) -> Position | None:
    """The position with one square changed, None where that would make it none."""
    cells = list(position.cells)
    square = dice.randrange(len(cells))
    side = dice.choice((position.side, position.side.opponent, position.side.opponent))
    cells[square] = dice.choice((EMPTY, EMPTY, KING[side] if side is position.side else dice.choice("wbWB")))
    here = owner(cells[square])
    if here is not None and cells[square] == MAN[here] and square in position.variant.promotion_squares[here]:
        cells[square] = KING[here]
    most = position.variant.pieces_per_side
    if any(cells.count(MAN[side]) + cells.count(KING[side]) > most for side in Side):
        return None
    return Position(position.variant, "".join(cells), position.side)


def built_to_hurt(variant: Variant, seed: int) -> Position:
    """A board on which a search by small changes has found many captures; the kernel counts them."""
    dice = random.Random(seed)
    best = positions.thrown(variant, dice, kings=0.8)
    most = 0
    for _ in range(CLIMBS):
        tried = changed(best, dice)
        if tried is not None:
            captures = [move for move in positions.compiled(tried).legal_moves() if move.is_capture]
            if len(captures) >= most:
                best, most = tried, len(captures)
    return best


def different(moves: list[Move]) -> set[Move]:
    """The moves, each of which must be there once."""
    assert len(set(moves)) == len(moves)
    return set(moves)


@pytest.mark.parametrize(("variant", "text", "captures"), BUILT, ids=["turkish", "croda"])
def test_a_board_full_of_captures_is_read_to_the_last_one(variant: Variant, text: str, captures: int) -> None:
    position = from_hub(variant, text)
    began = time.perf_counter()
    legal = different(position.legal_moves())
    assert time.perf_counter() - began < 0.5
    assert len(legal) == position.perft(1) == position.perft(1, True) == captures
    assert legal == set(parse_hub(variant, text).position(variant).legal_moves())


@pytest.mark.parametrize(("variant", "text", "captures"), BUILT, ids=["turkish", "croda"])
def test_the_replies_to_a_thousand_captures_agree_with_the_rules(variant: Variant, text: str, captures: int) -> None:
    position, law = from_hub(variant, text), parse_hub(variant, text).position(variant)
    for move in random.Random(captures).sample(position.legal_moves(), 60):
        assert different(position.play(move).legal_moves()) == set(law.play(move).legal_moves())


@pytest.mark.parametrize(("variant", "text", "captures"), BUILT, ids=["turkish", "croda"])
@pytest.mark.parametrize(("threads", "lines"), [(1, 1), (2, 1), (1, 500)])
def test_a_thousand_captures_are_answered_in_time(
    variant: Variant, text: str, captures: int, threads: int, lines: int
) -> None:
    position = from_hub(variant, text)
    given, seconds = answer(position, Options(variant, hash=4, threads=threads, multi_pv=lines))
    assert given.move in position.legal_moves()
    assert seconds < ANSWERED


@every_variant
@pytest.mark.parametrize("seed", range(5))
def test_boards_found_by_looking_for_captures_agree_with_the_rules(variant: Variant, seed: int) -> None:
    law = built_to_hurt(variant, seed)
    claim = positions.compiled(law)
    expected = set(law.legal_moves())
    assert different(claim.legal_moves()) == expected, f"{variant.name} {write_hub(law)}"
    assert claim.perft(1) == len(expected)
    assert len(expected) >= 12, "the search for hard boards has found nothing hard"


@every_variant
def test_a_board_found_by_looking_for_captures_is_answered_in_time(variant: Variant) -> None:
    position = positions.compiled(built_to_hurt(variant, seed=0))
    given, seconds = answer(position, Options(variant, hash=4))
    assert given.move in position.legal_moves()
    assert seconds < ANSWERED


@every_variant
def test_kings_on_every_square_they_may_have_are_answered_in_time(variant: Variant) -> None:
    dice = random.Random(5)
    squares = dice.sample(range(variant.board.size), 2 * variant.pieces_per_side)
    cells = [EMPTY] * variant.board.size
    for number, square in enumerate(squares):
        cells[square] = "WB"[number % 2]
    law = Position(variant, "".join(cells), Side.WHITE)
    position = positions.compiled(law)
    assert different(position.legal_moves()) == set(law.legal_moves())
    given, seconds = answer(position, Options(variant, hash=4))
    assert given.move in position.legal_moves()
    assert seconds < ANSWERED


@every_variant
def test_a_count_of_captures_full_of_routes_ends(variant: Variant) -> None:
    """A king before a lattice of single pieces: the number of routes doubles at every second one."""
    board, dice = variant.board, random.Random(3)
    inner = [square for square, (file, rank) in enumerate(board.places) if file % 2 and rank % 2]
    inner = [square for square in inner if 0 < board.places[square][0] < board.files - 1]
    inner = [square for square in inner if 0 < board.rank(square) < board.ranks - 1]
    cells = [EMPTY] * board.size
    for square in inner[: variant.pieces_per_side]:
        cells[square] = "b"
    cells[dice.choice([square for square in range(board.size) if square not in inner])] = "W"
    law = Position(variant, "".join(cells), Side.WHITE)
    began = time.perf_counter()
    found = positions.compiled(law).legal_moves()
    assert time.perf_counter() - began < 0.5
    assert different(found) == set(law.legal_moves())


def test_the_quiet_moves_of_a_board_full_of_kings_are_all_there() -> None:
    kings = "K2,K3,K4,K5,K6,K12,K15,K16,K25,K26,K35,K36,K45,K46,K47,K48,K49,K50"
    position = positions.read(INTERNATIONAL, f"W:W{kings}:B1")
    assert len(different(position.legal_moves())) == position.perft(1) == 123
