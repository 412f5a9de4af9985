"""The legal moves of a position, written to be read beside the rule text.

This generator is the law: the referee and every explanation use it, and the fast kernel is a claim that must agree with
it. It works on `cells`, one letter a square in index order: `w` `b` men, `W` `B` kings, `e` empty.

Captures grow one piece at a time, all of them together. A partial capture is told apart by what decides how it can go
on (who moves and as what, where it stands, what it has taken, where it came from), so routes that meet again are
followed once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from turkengine.rules.board import Direction
from turkengine.rules.move import Move
from turkengine.rules.variant import CapturePriority, Landing, Promotion, Removal, Side, Variant

EMPTY = "e"
MAN = {Side.WHITE: "w", Side.BLACK: "b"}
KING = {Side.WHITE: "W", Side.BLACK: "B"}
PIECES = {side: MAN[side] + KING[side] for side in Side}


class Jumping(NamedTuple):
    """A capture in progress.

    Attributes:
        origin, square: where the piece comes from, and where it stands.
        captured: what it has taken.
        heading: the direction of its last jump, None before the first.
        king: whether it goes on as a king: it is one, or it was crowned on its way.
        kings: whether each piece taken was a king, the first one first; empty where nothing depends on that.
    """

    origin: int
    square: int
    captured: frozenset[int]
    heading: Direction | None
    king: bool
    kings: tuple[bool, ...] = ()


def begun(cells: str, origin: int) -> Jumping:
    """The capture of the piece on `origin` before its first jump."""
    return Jumping(origin, origin, frozenset(), None, is_king(cells[origin]))


def owner(cell: str) -> Side | None:
    """Whose piece the letter stands for, None for an empty square."""
    return None if cell == EMPTY else Side.WHITE if cell in "wW" else Side.BLACK


def is_king(cell: str) -> bool:
    """Whether the letter stands for a king."""
    return cell.isupper()


def legal_moves(variant: Variant, cells: str, side: Side) -> list[Move]:
    """All legal moves of `side`: capturing is compulsory."""
    return captures(variant, cells, side) or quiet_moves(variant, cells, side)


def quiet_moves(variant: Variant, cells: str, side: Side) -> list[Move]:
    """All moves that take nothing, whether or not a capture would have to come first."""
    names = variant.board.own_names
    return [
        Move(origin, target, path=(origin, target), names=names)
        for origin in pieces(cells, side)
        for target in quiet_targets(variant, cells, origin)
    ]


def captures(variant: Variant, cells: str, side: Side) -> list[Move]:
    """All captures to their end, those that go before others where there are such, each once whatever its route."""
    assert isinstance(variant.capture_priority, tuple), "priorities are named one after another"
    assert isinstance(variant.promotion, Promotion), "no other way of crowning is known here"
    complete: dict[Jumping, tuple[int, ...]] = {}
    growing: dict[Jumping, tuple[int, ...]] = {begun(cells, square): (square,) for square in pieces(cells, side)}
    while growing:
        grown: dict[Jumping, tuple[int, ...]] = {}
        for jumping, path in growing.items():
            going_on = lawful_jumps(variant, cells, jumping)
            for further in going_on:
                grown.setdefault(further, (*path, further.square))
            if not going_on and jumping.captured:
                complete[jumping] = path
        growing = grown
    names = variant.board.own_names
    moves: dict[Move, None] = {}  # a dictionary keeps the order; equal moves with different headings merge here
    for jumping in preferred(variant, cells, complete):
        if may_end(variant, cells, jumping):
            moves.setdefault(Move(jumping.origin, jumping.square, jumping.captured, complete[jumping], names))
    return list(moves)


def preferred(variant: Variant, cells: str, complete: Collection[Jumping]) -> Collection[Jumping]:
    """Those of complete captures that go before the others, by one priority of the game after another."""
    for priority in variant.capture_priority:
        worth = {jumping: precedence(priority, cells, jumping) for jumping in complete}
        most = max(worth.values(), default=0)
        complete = [jumping for jumping in complete if worth[jumping] == most]
    return complete


def precedence(priority: CapturePriority, cells: str, jumping: Jumping) -> int:
    """How much of what counts a capture has."""
    match priority:
        case CapturePriority.MOST_PIECES:
            return len(jumping.captured)
        case CapturePriority.BY_KING:
            return is_king(cells[jumping.origin])
        case CapturePriority.MOST_KINGS:
            return sum(is_king(cells[square]) for square in jumping.captured)
        case CapturePriority.KINGS_EARLIEST:
            return int("".join(str(int(king)) for king in jumping.kings), 2)  # asked of captures of one length


def crowns(variant: Variant, cells: str, move: Move) -> bool:
    """Whether a legal move makes a man a king."""
    side = owner(cells[move.origin])
    assert side is not None, "moves start with a piece"
    crowning = variant.promotion_squares[side]
    if is_king(cells[move.origin]):
        return False
    if variant.promotion is not Promotion.GOES_ON:
        return move.target in crowning
    return any(square in crowning for square in move.path or route(variant, cells, move))


def may_end(variant: Variant, cells: str, jumping: Jumping) -> bool:
    """Whether a capture that goes no further may end where it is: a king may have to stop right behind another."""
    if variant.king_landing is not Landing.BEHIND_LAST_KING or not jumping.king:
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
    growing = {(begun(cells, origin), 0)}  # the capture so far, and how much of `via` it has met
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
    paths: dict[Jumping, tuple[int, ...]] = {begun(cells, move.origin): (move.origin,)}
    for _ in move.captured:
        longer: dict[Jumping, tuple[int, ...]] = {}
        for jumping, path in paths.items():
            for further in lawful_jumps(variant, cells, jumping):
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
    flying = is_king(cells[origin]) and variant.kings_fly
    steps = variant.king_directions if is_king(cells[origin]) else variant.facing(variant.man_steps, side)
    for direction in steps:
        ray = variant.board.ray(origin, direction)
        for square in ray if flying else ray[:1]:
            if cells[square] != EMPTY:
                break
            yield square


def lawful_jumps(variant: Variant, cells: str, jumping: Jumping) -> list[Jumping]:
    """The ways to take one more piece that the rules leave: a king lands where it can go on, if it can.

    Where the number of pieces decides, that sees to it.
    """
    ways = list(jumps(variant, cells, jumping))
    if variant.number_decides or len(ways) < 2:
        return ways
    going_on = {further for further in ways if any(True for _ in jumps(variant, cells, further))}
    ahead = {further.heading for further in going_on}
    return [further for further in ways if further in going_on or further.heading not in ahead]


def jumps(variant: Variant, cells: str, jumping: Jumping) -> Iterator[Jumping]:
    """Every way to take one more piece."""
    side, king, ray_of = owner(cells[jumping.origin]), jumping.king, variant.board.ray
    assert side is not None, "captures start with a piece"
    flying = king and variant.kings_fly
    prey = PIECES[side.opponent] if king or variant.men_take_kings else MAN[side.opponent]
    crowning = () if king or variant.promotion is Promotion.WHERE_MOVE_ENDS else variant.promotion_squares[side]
    if variant.promotion is Promotion.ENDS_MOVE and jumping.square in crowning:
        return
    for direction in variant.king_jumps if king else variant.facing(variant.man_captures, side):
        ray = ray_of(jumping.square, direction)
        if not flying and (len(ray) < 2 or cells[ray[0]] not in prey):
            continue  # most looks of a man end here, and they are most of all looks
        if variant.reversal_banned and jumping.heading == direction.reversed():
            continue
        victim, landings = _first_jump(variant, cells, jumping, ray, prey)
        if victim is None:
            continue
        taken, kings = jumping.captured | {victim}, jumping.kings
        if CapturePriority.KINGS_EARLIEST in variant.capture_priority:
            kings = (*kings, is_king(cells[victim]))
        for landing in landings:
            crowned = king or (variant.promotion is Promotion.GOES_ON and landing in crowning)
            yield Jumping(jumping.origin, landing, taken, direction, crowned, kings)


def _first_jump(
    variant: Variant, cells: str, jumping: Jumping, ray: tuple[int, ...], prey: str
) -> tuple[int | None, tuple[int, ...]]:
    """The first piece along `ray` if it may be jumped, and the squares on which the jump may end."""

    def is_free(square: int) -> bool:
        left = square == jumping.origin or (variant.removal is Removal.IMMEDIATE and square in jumping.captured)
        return left or cells[square] == EMPTY

    flying = jumping.king and variant.kings_fly
    distance = 0
    while flying and distance < len(ray) and is_free(ray[distance]):
        distance += 1
    if distance >= len(ray) or is_free(ray[distance]):
        return None, ()
    victim = ray[distance]
    if cells[victim] not in prey or victim in jumping.captured:
        return None, ()
    landings = []
    for square in ray[distance + 1 :]:
        if not is_free(square):
            break
        landings.append(square)
        if not flying or variant.king_landing is Landing.DIRECTLY_BEHIND:
            break
    return victim, tuple(landings)
