"""A move as somebody announced it, legal or not, and what the board looks like if it stands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from turkengine.rules import movegen
from turkengine.rules.board import Board
from turkengine.rules.movegen import EMPTY, KING, owner
from turkengine.rules.position import Position
from turkengine.rules.variant import Promotion, Side, Variant


@dataclass(frozen=True)
class Attempt:
    """A move as somebody announced it, legal or not.

    Attributes:
        origin: where it starts.
        target: where it ends, None where only captured squares were given.
        captured: the squares said to be captured, in the order given; None where nothing was said about them, which
            leaves it to the rules, while () says that nothing is removed.
        via: landing squares named between origin and target, all or some of them.
    """

    origin: int
    target: int | None
    captured: tuple[int, ...] | None = None
    via: tuple[int, ...] = ()


def stand(position: Position, attempt: Attempt) -> Position | None:
    """The position after `attempt` if the opponent lets it stand, None where it defines none.

    The piece goes to its target and the listed pieces leave, the jumped ones where none are listed. The game goes on
    from there without history, with the opponent of whoever moved a piece out of turn.
    """
    variant, cells, target = position.variant, list(position.cells), attempt.target
    side = owner(cells[attempt.origin])
    if target is None or side is None:
        return None
    removed = _jumped(position, attempt) if attempt.captured is None else frozenset(attempt.captured)
    if removed is None or attempt.origin in removed:
        return None
    mover = cells[attempt.origin]
    for square in (attempt.origin, *removed):
        cells[square] = EMPTY
    if cells[target] != EMPTY:
        return None
    passed = attempt.via if variant.promotion is Promotion.GOES_ON else ()
    crowned = any(square in variant.promotion_squares[side] for square in (*passed, target))
    cells[target] = KING[side] if crowned else mover
    two_in_a_row = side is not position.side and position.follows_a_move
    return Position(variant, "".join(cells), position.side if two_in_a_row else position.side.opponent)


def _jumped(position: Position, attempt: Attempt) -> frozenset[int] | None:
    """The enemies that an attempt without a list jumps, None where that can be read in several ways."""
    variant, cells = position.variant, position.cells
    if is_quiet(variant, cells, attempt):
        return frozenset()
    jumpings = movegen.partial_captures(variant, cells, attempt.origin, attempt.via)
    sets = {jumping.captured for jumping in jumpings if jumping.square == attempt.target}
    exact = {captured for captured in sets if len(captured) == len(attempt.via) + 1}
    if sets:
        return next(iter(exact or sets)) if len(exact or sets) == 1 else None
    enemy = {owner(cells[attempt.origin])} ^ set(Side)
    return frozenset(square for leg in legs(variant.board, attempt) for square in leg if owner(cells[square]) in enemy)


def is_quiet(variant: Variant, cells: str, attempt: Attempt) -> bool:
    """Whether the piece can go straight to the target without taking anything."""
    return not attempt.via and attempt.target in set(movegen.quiet_targets(variant, cells, attempt.origin))


def legs(board: Board, attempt: Attempt) -> list[tuple[int, ...]]:
    """The squares crossed between one named square and the next, nothing where no straight line joins them."""
    if attempt.target is None:
        return []
    squares = (attempt.origin, *attempt.via, attempt.target)
    legs = []
    for start, end in pairwise(squares):
        direction = board.direction(start, end)
        ray = board.ray(start, direction) if direction is not None else ()
        legs.append(ray[: ray.index(end)] if direction is not None else ())
    return legs
