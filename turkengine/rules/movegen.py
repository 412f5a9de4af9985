"""The legal moves of a position, written to be read beside the rule text.

This generator is the law: the referee and every explanation use it, and the fast kernel is a claim that must agree with
it. It works on `cells`, one letter a square in index order: `w` `b` men, `W` `B` kings, `e` empty.

Captures grow one piece at a time, all of them together. A partial capture is told apart by what decides how it can go
on (who moves, where it stands, what it has taken, where it came from), so routes that meet again are followed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turkengine.rules.board import Direction
from turkengine.rules.move import Move
from turkengine.rules.variant import CapturePriority, Landing, Promotion, Removal, Side, Variant

EMPTY = "e"
MAN = {Side.WHITE: "w", Side.BLACK: "b"}
KING = {Side.WHITE: "W", Side.BLACK: "B"}
PIECES = {side: MAN[side] + KING[side] for side in Side}


class Jumping(NamedTuple):
    """A capture in progress: the piece from `origin` stands on `square` and has taken `captured`."""

    origin: int
    square: int
    captured: frozenset[int]
    heading: Direction | None


def owner(cell: str) -> Side | None:
    """Whose piece the letter stands for, None for an empty square."""
    return None if cell == EMPTY else Side.WHITE if cell in "wW" else Side.BLACK


def is_king(cell: str) -> bool:
    """Whether the letter stands for a king."""
    return cell.isupper()


def legal_moves(variant: Variant, cells: str, side: Side) -> list[Move]:
    """All legal moves of `side`: capturing is compulsory, and taking the most pieces too."""
    return captures(variant, cells, side) or quiet_moves(variant, cells, side)


def quiet_moves(variant: Variant, cells: str, side: Side) -> list[Move]:
    """All moves that take nothing, whether or not a capture would have to come first."""
    files = variant.board.lettered_files
    return [
        Move(origin, target, path=(origin, target), files=files)
        for origin in pieces(cells, side)
        for target in quiet_targets(variant, cells, origin)
    ]


def captures(variant: Variant, cells: str, side: Side) -> list[Move]:
    """All captures that take the largest number of pieces, each once whatever its route."""
    assert variant.capture_priority is CapturePriority.MOST_PIECES, "no other priority is known here"
    assert variant.promotion is Promotion.WHERE_MOVE_ENDS, "a man stays one until its capture has ended"
    longest: dict[Jumping, tuple[int, ...]] = {}
    growing: dict[Jumping, tuple[int, ...]] = {}
    for square in pieces(cells, side):
        growing[Jumping(square, square, frozenset(), None)] = (square,)
    while growing:
        longest = growing
        growing = {}
        for jumping, path in longest.items():
            for further in jumps(variant, cells, jumping):
                growing.setdefault(further, (*path, further.square))
    files = variant.board.lettered_files
    moves: dict[Move, None] = {}  # a dictionary keeps the order; equal moves with different headings merge here
    for jumping, path in longest.items():
        if jumping.captured and may_end(variant, cells, jumping):
            moves.setdefault(Move(jumping.origin, jumping.square, jumping.captured, path, files))
    return list(moves)


def may_end(variant: Variant, cells: str, jumping: Jumping) -> bool:
    """Whether a capture that goes no further may end where it is: a king may have to stop right behind another."""
    if variant.king_landing is not Landing.BEHIND_LAST_KING or not is_king(cells[jumping.origin]):
        return True
    assert jumping.heading is not None, "something has been jumped"
    back = variant.board.ray(jumping.square, jumping.heading.reversed())
    victim = next(square for square in back if square in jumping.captured)
    return victim == back[0] or not is_king(cells[victim])


def partial_captures(variant: Variant, cells: str, origin: int, via: tuple[int, ...] = ()) -> set[Jumping]:
    """Every capture the piece on `origin` can begin, however many pieces it takes and whether or not it could go on.

    Where `via` names squares, only captures that land on them, in this order and before their last jump, are given;
    they may land on others in between.
    """
    found: set[Jumping] = set()
    growing = {(Jumping(origin, origin, frozenset(), None), 0)}  # the capture so far, and how much of `via` it has met
    while growing:
        grown: set[tuple[Jumping, int]] = set()
        for jumping, met in growing:
            for further in jumps(variant, cells, jumping):
                if met == len(via):
                    found.add(further)
                    grown.add((further, met))
                else:
                    grown.add((further, met + (further.square == via[met])))
        growing = grown
    return found


def route(variant: Variant, cells: str, move: Move) -> tuple[int, ...]:
    """The path of a legal move, for one that comes without: the path that `legal_moves` gives it."""
    if not move.captured:
        return (move.origin, move.target)
    paths: dict[Jumping, tuple[int, ...]] = {Jumping(move.origin, move.origin, frozenset(), None): (move.origin,)}
    for _ in move.captured:
        longer: dict[Jumping, tuple[int, ...]] = {}
        for jumping, path in paths.items():
            for further in jumps(variant, cells, jumping):
                if further.captured <= move.captured:
                    longer.setdefault(further, (*path, further.square))
        paths = longer
    for jumping, path in paths.items():
        if jumping.square == move.target and may_end(variant, cells, jumping):
            return path
    raise ValueError(f"no piece can move so: {move}")


def pieces(cells: str, side: Side) -> Iterator[int]:
    """The squares on which `side` has a piece."""
    letters = PIECES[side]
    return (square for square, cell in enumerate(cells) if cell in letters)


def quiet_targets(variant: Variant, cells: str, origin: int) -> Iterator[int]:
    """Where the piece on `origin` can go without taking anything, whether or not a capture would have to come first."""
    side = owner(cells[origin])
    assert side is not None, "quiet moves start on a piece"
    if is_king(cells[origin]):
        for direction in variant.king_directions:
            for square in variant.board.ray(origin, direction):
                if cells[square] != EMPTY:
                    break
                yield square
    else:
        for direction in variant.facing(variant.man_steps, side):
            target = variant.board.step(origin, direction)
            if target is not None and cells[target] == EMPTY:
                yield target


def jumps(variant: Variant, cells: str, jumping: Jumping) -> Iterator[Jumping]:
    """Every way to take one more piece. A man that touches the last rank on its way goes on as a man."""
    mover = cells[jumping.origin]
    side, flying, ray_of = owner(mover), is_king(mover), variant.board.ray
    assert side is not None, "captures start with a piece"
    theirs = PIECES[side.opponent]
    for direction in variant.king_directions if flying else variant.facing(variant.man_captures, side):
        ray = ray_of(jumping.square, direction)
        if not flying and (len(ray) < 2 or cells[ray[0]] not in theirs):
            continue  # most looks of a man end here, and they are most of all looks
        if variant.reversal_banned and jumping.heading == direction.reversed():
            continue
        victim, landings = _first_jump(variant, cells, jumping, ray, flying)
        if victim is not None:
            for landing in landings:
                yield Jumping(jumping.origin, landing, jumping.captured | {victim}, direction)


def _first_jump(
    variant: Variant, cells: str, jumping: Jumping, ray: tuple[int, ...], flying: bool
) -> tuple[int | None, tuple[int, ...]]:
    """The first piece along `ray` if it may be jumped, and the squares on which the jump may end."""

    def is_free(square: int) -> bool:
        left = square == jumping.origin or (variant.removal is Removal.IMMEDIATE and square in jumping.captured)
        return left or cells[square] == EMPTY

    distance = 0
    while flying and distance < len(ray) and is_free(ray[distance]):
        distance += 1
    if distance >= len(ray) or is_free(ray[distance]):
        return None, ()
    victim = ray[distance]
    if owner(cells[victim]) is owner(cells[jumping.origin]) or victim in jumping.captured:
        return None, ()
    landings = []
    for square in ray[distance + 1 :]:
        if not is_free(square):
            break
        landings.append(square)
        if not flying or variant.king_landing is Landing.DIRECTLY_BEHIND:
            break
    return victim, tuple(landings)
