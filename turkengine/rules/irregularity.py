"""Which article a wrong move breaks, in words.

The numbers are those of the FMJD rules for International draughts (5.4); the other games have no list of their own and
borrow it. An attempt that arrives as text is held against the articles in a fixed order, most specific first, so that
the same mistake always gets the same name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from turkengine.rules import movegen
from turkengine.rules.attempt import Attempt, is_quiet, legs
from turkengine.rules.board import DIAGONAL, Direction
from turkengine.rules.move import Move
from turkengine.rules.movegen import EMPTY, Jumping, is_king, owner
from turkengine.rules.position import Situation
from turkengine.rules.variant import CapturePriority, Removal, Side, Variant


@dataclass(frozen=True)
class Article:
    """One entry of the list of irregularities; a `physical` one takes hands and cannot arise from a move as text."""

    number: str
    sentence: str
    physical: bool = False


ARTICLES = {
    article.number: article
    for article in (
        Article("5.4.1", "making two moves in a row"),
        Article("5.4.2", "moving a man or a king against its way of moving"),
        Article("5.4.3", "touching one piece and moving another", physical=True),
        Article("5.4.4", "taking a move back"),
        Article("5.4.5", "moving a piece of the opponent"),
        Article("5.4.6", "making a quiet move when a capture was available"),
        Article("5.4.7", "removing a piece of either side without reason"),
        Article("5.4.8", "capturing fewer or more pieces than is obligatory"),
        Article("5.4.9", "stopping in the middle of a multiple capture"),
        Article("5.4.10", "lifting a piece before the multiple capture is finished", physical=True),
        Article("5.4.11", "removing fewer pieces than were captured"),
        Article("5.4.12", "removing pieces that were not jumped"),
        Article("5.4.13", "stopping while the captured pieces are taken off", physical=True),
        Article("5.4.14", "removing one's own pieces after a capture"),
        Article("5.4.15", "promoting a man without crowning it", physical=True),
        Article("5.4.16", "playing with an uncrowned king", physical=True),
        Article("5.4.17", "using two hands", physical=True),
    )
}


@dataclass(frozen=True)
class Irregularity:
    """What is wrong with an attempt: the article, None where none applies, and a sentence that ends with it."""

    article: str | None
    sentence: str


def explain(position: Situation, attempt: Attempt) -> Irregularity:
    """The first article, in the order of the checks below, that `attempt` breaks in `position`.

    Article 5.4.4 is never the answer: a move played backwards is one of the side that has just moved (5.4.1), and a
    request to take a move back is not a move.

    Raises:
        ValueError: the attempt is a legal move.
    """
    board = position.variant.board
    if position.cells[attempt.origin] == EMPTY:
        return Irregularity(None, f"there is no piece on {board.names[attempt.origin]}")
    examined = _Examined.of(position, attempt)
    for article, check in _CHECKS:
        sentence = check(examined)
        if sentence is not None:
            if article == "5.4.5" and position.follows_a_move:
                article = "5.4.1"  # the piece belongs to the side that has just moved
            cited = (_barred(examined)[1], article) if article == "5.4.2" else (article,)
            return Irregularity(article, f"{sentence} ({', '.join(filter(None, cited))})")
    raise ValueError(f"{examined.written} is a legal move")


@dataclass(frozen=True)
class _Examined:
    """An attempt beside what the rules allow: every check reads from here.

    Attributes:
        legal: the legal moves.
        jumpings: the captures, complete or not, that lead the piece along `via` to the target, whatever they take.
        reachable: the pieces it could jump at all.
        quiet: whether the attempt is a quiet move by its geometry and takes none of the pieces it lists.
    """

    variant: Variant
    cells: str
    side: Side
    attempt: Attempt
    legal: list[Move]
    jumpings: frozenset[Jumping]
    reachable: frozenset[int]
    quiet: bool

    @classmethod
    def of(cls, position: Situation, attempt: Attempt) -> _Examined:
        variant, cells = position.variant, position.cells
        begun = movegen.partial_captures(variant, cells, attempt.origin)
        routed = movegen.partial_captures(variant, cells, attempt.origin, attempt.via) if attempt.via else begun
        jumpings = frozenset(jumping for jumping in routed if attempt.target in (None, jumping.square))
        steps = is_quiet(variant, cells, attempt)
        listed = set(attempt.captured or ())
        return cls(
            variant,
            cells,
            position.side,
            attempt,
            position.legal_moves(),
            jumpings,
            frozenset().union(*(jumping.captured for jumping in begun)),
            quiet=steps and not any(listed & jumping.captured for jumping in jumpings),
        )

    @property
    def obligatory(self) -> int:
        """How many pieces have to be captured."""
        return max((len(move.captured) for move in self.legal), default=0)

    @property
    def listed(self) -> frozenset[int]:
        """The squares of the pieces said to be removed."""
        return frozenset(self.attempt.captured or ())

    @property
    def agreeing(self) -> list[Jumping]:
        """The captures that take just what the attempt lists; all of them where it lists nothing."""
        said = self.attempt.captured is not None
        return [jumping for jumping in self.jumpings if not said or jumping.captured == self.listed]

    @property
    def piece(self) -> str:
        """The moving piece, as in "the king on 48"."""
        kind = "king" if is_king(self.cells[self.attempt.origin]) else "man"
        return f"the {kind} on {self.name(self.attempt.origin)}"

    @property
    def written(self) -> str:
        """The attempt from square to square: its landing squares, or what it captures where it has no target."""
        attempt = self.attempt
        squares = attempt.captured or () if attempt.target is None else (*attempt.via, attempt.target)
        captures = not self.quiet and (self.jumpings or self.listed)
        return ("x" if captures else "-").join(self.name(square) for square in (attempt.origin, *squares))

    def name(self, square: int) -> str:
        return self.variant.board.names[square]

    def names(self, squares: frozenset[int]) -> str:
        return " and ".join(self.name(square) for square in self.variant.board.reading_order if square in squares)

    def due(self) -> str:
        """A capture that has to be made: "c4xc6 captures one piece"."""
        move = next(move for move in self.legal if move.is_capture)
        return f"{self.name(move.origin)}x{self.name(move.target)} captures {_pieces(len(move.captured))}"

    def is_complete(self, jumping: Jumping) -> bool:
        """Whether a capture has taken as many pieces as it must."""
        if self.variant.number_decides:
            return len(jumping.captured) == self.obligatory
        return not movegen.lawful_jumps(self.variant, self.cells, jumping)


def _wrong_colour(examined: _Examined) -> str | None:
    if owner(examined.cells[examined.attempt.origin]) is examined.side:
        return None
    theirs, ours = examined.side.opponent.name.capitalize(), examined.side.name.capitalize()
    return f"{examined.piece} is {theirs}'s and it is {ours}'s turn"


def _removal_in_quiet_move(examined: _Examined) -> str | None:
    if not examined.quiet or not examined.listed:
        return None
    return f"{examined.written} jumps over nothing, so {examined.names(examined.listed)} must stay"


def _quiet_move_for_capture(examined: _Examined) -> str | None:
    if not examined.quiet or not examined.obligatory:
        return None
    return f"{examined.due()} and is compulsory"


def _own_piece_removed(examined: _Examined) -> str | None:
    own = frozenset(square for square in examined.listed if owner(examined.cells[square]) is examined.side)
    return f"{examined.written} cannot capture pieces of its own side: {examined.names(own)}" if own else None


def _unjumped_removed(examined: _Examined) -> str | None:
    if any(examined.listed <= jumping.captured for jumping in examined.jumpings):
        return None
    if examined.jumpings:
        closest = max(examined.jumpings, key=lambda jumping: len(jumping.captured & examined.listed))
        unjumped = examined.listed - closest.captured
    else:
        unjumped = examined.listed - examined.reachable
    if not unjumped:
        return None
    if empty := frozenset(square for square in unjumped if examined.cells[square] == EMPTY):
        return f"there is no piece to capture on {examined.names(empty)}"
    return f"{examined.written} does not jump over {examined.names(unjumped)}, so nothing may be removed there"


def _too_few_removed(examined: _Examined) -> str | None:
    attempt = examined.attempt
    if attempt.captured is None or attempt.target is None:
        return None
    for jumping in examined.jumpings:
        if examined.is_complete(jumping) and examined.listed < jumping.captured:
            left = examined.names(jumping.captured - examined.listed)
            return f"{examined.written} also captures on {left}; all captured pieces are removed"
    return None


def _stopped_midway(examined: _Examined) -> str | None:
    for jumping in examined.agreeing:
        taken = len(jumping.captured)
        if not examined.variant.number_decides:
            if not examined.is_complete(jumping):
                return f"{examined.written} stops in mid-capture after {_pieces(taken)}; there is more to capture"
        elif taken < examined.obligatory and _can_reach(examined, jumping):
            return f"{examined.written} stops in mid-capture after {_pieces(taken)} of {examined.obligatory}"
    return None


def _impossible(examined: _Examined) -> str | None:
    if examined.quiet or (examined.jumpings and not _named_twice(examined)):
        return None
    cause, _ = _barred(examined)
    variant, attempt = examined.variant, examined.attempt
    if is_king(examined.cells[attempt.origin]):
        way = f"a king moves {_reach(variant)}"
        where = f" {heading_text(variant.king_jumps)}" if variant.king_captures or not variant.kings_fly else ""
        capture = f"captures by jumping over one enemy piece{where} with an empty square beyond"
    else:
        way = f"a man moves one square {heading_text(variant.man_steps)}"
        prey = "an enemy piece" if variant.men_take_kings else "an enemy man"
        capture = f"captures by jumping over {prey} {heading_text(variant.man_captures)}"
    return f"{way}{f', and {capture}' if _meant_as_capture(examined) else ''}{cause}"


def _reach(variant: Variant) -> str:
    """How far and where a king goes, in words."""
    heading = heading_text(variant.king_directions)
    return f"any distance {heading} over empty squares" if variant.kings_fly else f"one square {heading}"


def _wrong_number(examined: _Examined) -> str | None:
    if not examined.variant.number_decides:
        return None
    fewer = [jumping for jumping in examined.jumpings if len(jumping.captured) < examined.obligatory]
    if not fewer:
        return None
    taken = max(len(jumping.captured) for jumping in fewer)
    return f"{examined.written} captures {_pieces(taken)}; {examined.due()} and is compulsory"


def _outranked(examined: _Examined) -> str | None:
    """A capture that is complete, but another one goes before it."""
    taking = [move for move in examined.legal if move.is_capture]
    for jumping in filter(examined.is_complete, examined.agreeing):
        for priority, reason in _PRIORITIES.items():
            if priority not in examined.variant.capture_priority or priority is CapturePriority.KINGS_EARLIEST:
                continue
            legal = (Jumping(move.origin, move.target, move.captured, None, False) for move in taking)
            most = max(movegen.precedence(priority, examined.cells, move) for move in legal)
            if movegen.precedence(priority, examined.cells, jumping) < most:
                return f"{examined.written} is not the capture to make: {reason}"
        if CapturePriority.KINGS_EARLIEST in examined.variant.capture_priority:
            return f"{examined.written} is not the capture to make: {_PRIORITIES[CapturePriority.KINGS_EARLIEST]}"
    return None


def _not_ahead(examined: _Examined) -> str | None:
    if examined.variant.number_decides or not examined.agreeing:
        return None
    return f"{examined.written} lands where it cannot go on; a king lands where it can capture more, if it can"


_PRIORITIES = {
    CapturePriority.BY_KING: "a capture by a king goes first",
    CapturePriority.MOST_KINGS: "of as many pieces the most kings have to be captured",
    CapturePriority.KINGS_EARLIEST: "of as many kings those met first have to be captured first",
}


def _too_far(examined: _Examined) -> str | None:
    for jumping in examined.agreeing:
        if not movegen.may_end(examined.variant, examined.cells, jumping):
            return f"{examined.written} lands too far away: a king that captures a king last stops right behind it"
    return None


_CHECKS: tuple[tuple[str, Callable[[_Examined], str | None]], ...] = (
    ("5.4.5", _wrong_colour),
    ("5.4.7", _removal_in_quiet_move),
    ("5.4.6", _quiet_move_for_capture),
    ("5.4.14", _own_piece_removed),
    ("5.4.12", _unjumped_removed),
    ("5.4.11", _too_few_removed),
    ("5.4.9", _stopped_midway),
    ("5.4.2", _impossible),
    ("5.4.8", _wrong_number),
    ("5.4.8", _outranked),
    ("5.4.9", _not_ahead),
    ("5.4.2", _too_far),
)


def _can_reach(examined: _Examined, jumping: Jumping) -> bool:
    """Whether a capture that has come so far can go on to the obligatory number."""
    growing = {jumping}
    for _ in range(examined.obligatory - len(jumping.captured)):
        growing = {further for begun in growing for further in movegen.jumps(examined.variant, examined.cells, begun)}
    return bool(growing)


def _named_twice(examined: _Examined) -> bool:
    return len(examined.attempt.captured or ()) > len(examined.listed)


def _meant_as_capture(examined: _Examined) -> bool:
    """Whether the attempt names captured squares, crosses a piece of the enemy or comes to where one stands."""
    attempt = examined.attempt
    crossed = [square for leg in legs(examined.variant.board, attempt) for square in leg]
    met = [*crossed, *(() if attempt.target is None else (attempt.target,))]
    return bool(attempt.captured) or any(owner(examined.cells[square]) is examined.side.opponent for square in met)


def _barred(examined: _Examined) -> tuple[str, str]:
    """What bars the way from square to square, in words, and the rule that says so; both may be empty."""
    if _named_twice(examined):
        return "; a piece is captured only once", "4.8"
    cells, target = examined.cells, examined.attempt.target
    mover, crossed = owner(cells[examined.attempt.origin]), set[int]()
    spared = not examined.variant.men_take_kings and not is_king(cells[examined.attempt.origin])
    for leg in legs(examined.variant.board, examined.attempt):
        for square in leg:
            side = owner(cells[square])
            if spared and is_king(cells[square]) and side is not mover:
                return f"; {examined.name(square)} holds a king, which no man captures", ""
            if side is mover and square != examined.attempt.origin:
                return f"; {examined.name(square)} holds a piece of its own side, which cannot be jumped", "4.7"
            if square in crossed and examined.variant.removal is Removal.AFTER_MOVE:
                return f"; {examined.name(square)} cannot be jumped a second time", "4.8"
            if side is not None:
                crossed.add(square)
    if target is not None and cells[target] != EMPTY and target != examined.attempt.origin:
        return f"; {examined.name(target)} is not empty", ""
    return "", ""


def _pieces(count: int) -> str:
    return "one piece" if count == 1 else f"{count} pieces"


def heading_text(directions: tuple[Direction, ...]) -> str:
    """Directions as whoever moves sees them: "forward or sideways", "diagonally forward or backward"."""
    if all(direction.reversed() in directions for direction in directions) and len(directions) > len(DIAGONAL):
        return "in every direction"
    slanted = all(direction.right and direction.forward for direction in directions)
    ways = []
    for forward, name in ((1, "forward"), (0, "sideways"), (-1, "backward")):
        kinds = {direction.right != 0 for direction in directions if direction.forward == forward}
        if not kinds:
            continue
        slant = "straight or diagonally " if len(kinds) > 1 else "diagonally " if kinds == {True} else ""
        ways.append(name if slanted or not forward else slant + name)
    said = ", ".join(ways[:-1]) + " or " * (len(ways) > 1) + ways[-1]
    return f"diagonally {said}" if slanted else said
