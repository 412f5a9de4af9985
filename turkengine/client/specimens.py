"""Positions to ask an engine about, made by the rules alone, so that there are some for every game.

They come from random games and placements with a fixed seed: the same for every engine and on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from turkengine.rules.move import Move
from turkengine.rules.movegen import EMPTY, KING, MAN, is_king
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

SEED = 20
MOST_PLIES = 150  # of a random game
MOST_GAMES = 25
SAMPLES = 3  # of each kind
OPENING = 16  # plies after which books know nothing
CHOICE = 5  # quiet moves of a position where there is something to think about
KINGS = 4  # of the side that is ahead, where repetition is tried
ATTEMPTS = 400  # to place them
MEN = 10  # that two kings capture among


@dataclass(frozen=True)
class SpecimenKind:
    """A kind of position that engines get wrong; `fits` recognises one by its legal moves."""

    name: str
    fits: Callable[[Position, list[Move]], bool]


KINDS = (
    SpecimenKind("quiet", lambda position, moves: not moves[0].is_capture and len(moves) > 1),
    SpecimenKind("one legal move", lambda position, moves: len(moves) == 1),
    SpecimenKind("a choice of captures", lambda position, moves: moves[0].is_capture and len(moves) > 1),
    SpecimenKind(
        "several pieces to be captured", lambda position, moves: max(len(move.captured) for move in moves) > 2
    ),
    SpecimenKind("a king to move", lambda position, moves: any(is_king(position.cells[move.origin]) for move in moves)),
    SpecimenKind(
        "captures with the same ends",
        lambda position, moves: len({(move.origin, move.target) for move in moves}) < len(moves),
    ),
)


def specimens(variant: Variant) -> dict[str, list[Position]]:
    """Some positions of each kind, with the games that led to them; fewer where random games hold no more."""
    found: dict[str, list[Position]] = {kind.name: [] for kind in KINDS}
    for game in chain(random_games(variant), scattered(variant)):
        for kind in KINDS:
            samples = found[kind.name]
            if len(samples) < SAMPLES:
                samples += [position for position, moves in game if kind.fits(position, moves)][:1]
        if all(len(samples) == SAMPLES for samples in found.values()):
            break
    return found


def random_games(variant: Variant) -> Iterator[list[tuple[Position, list[Move]]]]:
    """Games of random moves: every position with the moves there were, in an order that mixes early and late ones."""
    source = random.Random(SEED)
    for _ in range(MOST_GAMES):
        position = Position.start(variant)
        game: list[tuple[Position, list[Move]]] = []
        for _ in range(MOST_PLIES):
            moves = position.legal_moves()
            if not moves or outcome(position) is not None:
                break
            moves.sort(key=_order)
            game.append((position, moves))
            position = position.play(source.choice(moves))
        source.shuffle(game)
        yield game


def scattered(variant: Variant) -> Iterator[list[tuple[Position, list[Move]]]]:
    """Two kings of White's among men of Black's: long captures, some of them with the same ends."""
    source = random.Random(SEED)
    for _ in range(ATTEMPTS):
        squares = source.sample(range(variant.board.size), min(MEN, variant.pieces_per_side) + 2)
        cells = [EMPTY] * variant.board.size
        for square in squares[:2]:
            cells[square] = KING[Side.WHITE]
        for square in set(squares[2:]).difference(variant.promotion_squares[Side.BLACK]):
            cells[square] = MAN[Side.BLACK]
        position = Position(variant, "".join(cells), Side.WHITE)
        moves = sorted(position.legal_moves(), key=_order)
        if moves:
            yield [(position, moves)]


def middle_game(variant: Variant) -> Position:
    """A position with a choice of quiet moves that no book knows, with the game that led to it."""
    for game in random_games(variant):
        for position, moves in game:
            if len(moves) >= CHOICE and not moves[0].is_capture and _plies(position) >= OPENING:
                return position
    raise AssertionError(f"random games of {variant.name} have no middle")


def without_a_move(variant: Variant) -> Position | None:
    """A position whose side to move has pieces and no move, None where random games do not come to one."""
    for game in random_games(variant):
        last, moves = max(game, key=lambda entry: _plies(entry[0]))
        for move in moves:
            after = last.play(move)
            if not after.legal_moves():
                return after
    return None


def long_game(variant: Variant, plies: int) -> Position:
    """A game of at least so many plies in which kings go to and fro, the rules of the end left aside."""
    position, move = _placed(variant, random.Random(SEED))
    answer = _quiet_king_move(position.play(move))
    assert answer is not None, "the placement has one"
    while _plies(position) < plies:
        for step in (move, answer, _back(move), _back(answer)):
            position = position.play(step)
    return position


def won_positions(variant: Variant, count: int) -> list[Position]:
    """Kings of White's against one of Black's, nothing to capture, White to move."""
    source = random.Random(SEED)
    return [_placed(variant, source)[0] for _ in range(count)]


def before_a_third_time(position: Position, move: Move) -> Position | None:
    """The same position with a history after which `move` leads to a position that has been there once too few to draw:
    twice, where the third time draws.

    None where the way there is not open: the move cannot be taken back, or the opponent has none that can.
    """
    if move.is_capture or not is_king(position.cells[move.origin]):
        return None
    after = position.play(move)
    reply = _quiet_king_move(after)
    if reply is None:
        return None
    game = Position(position.variant, after.cells, after.side)
    there_and_back = (reply, _back(move), _back(reply))
    for step in (*there_and_back, *(move, *there_and_back) * (position.variant.repetitions - 2)):
        if step not in game.legal_moves():
            return None
        game = game.play(step)
    return game if (game.cells, game.side) == (position.cells, position.side) else None


def _placed(variant: Variant, source: random.Random) -> tuple[Position, Move]:
    """A placement of kings and a move of White's that Black can answer, both to be taken back, nothing in reach."""
    for _ in range(ATTEMPTS):
        squares = source.sample(range(variant.board.size), KINGS + 1)
        cells = [EMPTY] * variant.board.size
        for square in squares[:-1]:
            cells[square] = KING[Side.WHITE]
        cells[squares[-1]] = KING[Side.BLACK]
        position = Position(variant, "".join(cells), Side.WHITE)
        for move in sorted(position.legal_moves(), key=_order):
            if before_a_third_time(position, move) is not None:
                return position, move
    raise AssertionError(f"no placement of {KINGS} kings against one is quiet in {variant.name}")


def _quiet_king_move(position: Position) -> Move | None:
    for move in sorted(position.legal_moves(), key=_order):
        if not move.is_capture and is_king(position.cells[move.origin]):
            return move
    return None


def _back(move: Move) -> Move:
    return Move(move.target, move.origin)


def _order(move: Move) -> tuple[int, int, list[int]]:
    """The order of moves means nothing, so a choice among them needs one."""
    return move.origin, move.target, sorted(move.captured)


def _plies(position: Position) -> int:
    count = 0
    while position.previous is not None:
        position, count = position.previous, count + 1
    return count
