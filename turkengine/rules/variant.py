"""What one draughts game may differ in from another, as plain data.

A `Variant` is the single source of a game's rules: the readable generator in this package interprets it, and the build
turns it into the constants that the compiled kernel is written against. A trait has a value for every game; a new game
that needs a new kind of behaviour gets a new value of a trait here and one place that reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

from turkengine.rules.board import Board, Direction
from turkengine.rules.reason import Reason


class Side(Enum):
    """White moves towards higher ranks. The value is the letter used in positions."""

    WHITE = "W"
    BLACK = "B"

    __hash__ = object.__hash__  # the usual one of an enumeration is slow, and every look at a board takes several

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE


class CapturePriority(Enum):
    """What one capture may have more of than another. Games name those that count, the weightiest first.

    Whatever counts, a capture goes on as long as there is something to take. Where the number of pieces does not count,
    a king has to land where it can go on, if there is such a square behind the piece it takes.
    """

    MOST_PIECES = "most pieces"  # man and king count one, as capturer and as victim
    BY_KING = "made by a king"
    MOST_KINGS = "most kings"
    KINGS_EARLIEST = "kings taken earliest"


class Removal(Enum):
    """When captured pieces leave the board; until then they block and cannot be jumped again."""

    AFTER_MOVE = "after the move"
    IMMEDIATE = "immediate"


class Landing(Enum):
    """Where a capturing king may stop."""

    ANY_BEYOND = "any free square beyond"
    DIRECTLY_BEHIND = "directly behind"
    BEHIND_LAST_KING = "any free square beyond, but directly behind a king that is taken last"


class Promotion(Enum):
    """When a man that reaches the last rank is crowned."""

    WHERE_MOVE_ENDS = "where the move ends"  # passing over the last rank in mid-capture crowns nobody
    ENDS_MOVE = "at once, and the move is over"
    GOES_ON = "at once, and the capture goes on as a king's"


class Progress(Enum):
    """Which moves, besides every capture, restart the count of moves without progress."""

    MAN_MOVE = "any move of a man"
    FORWARD_MAN_MOVE = "a forward move of a man"


@dataclass(frozen=True)
class NoProgressRule:
    """A draw after `plies` plies in a row without progress; `optional` where a setting may change the number."""

    plies: int
    progress: Progress
    optional: bool
    reason: Reason
    article: str


# For the games whose rules leave it to the arbiter; play between programs has to end.
NO_PROGRESS = NoProgressRule(
    plies=100, progress=Progress.FORWARD_MAN_MOVE, optional=True, reason=Reason.NO_PROGRESS, article="convention"
)


@dataclass(frozen=True)
class MaterialLimit:
    """A draw once a lone king has held out for `plies` plies against one of the listed balances.

    `strong` lists (kings, men) of the other side. The count starts with the balance and ignores what is moved; it goes
    on when one balance of the same list becomes another.
    """

    plies: int
    strong: frozenset[tuple[int, int]]
    reason: Reason
    article: str


@dataclass(frozen=True)
class Variant:
    """The rules of one game. Directions are White's; Black's are mirrored.

    Attributes:
        name: what the game is called on the wire, the command line and in files.
        place: where it stands in lists of games; the first one is what is played unless another is asked for.
        aliases: other names that are understood.
        title: its name for people.
        home_ranks: the ranks that White's men fill at the start, counted from 0.
        man_steps, man_captures: where a man moves and captures.
        king_directions: where a king moves and captures, at any distance.
        kings_fly: so it is; else a king moves one square, and captures what stands beside it.
        king_captures: where a king captures, if that is only in some of its directions.
        men_take_kings: whether men may capture kings.
        begins: the side that moves first.
        capture_sign: what stands between the squares of a capture where people write it.
        hub_name: what the game is called in the Hub protocol, if otherwise: one of the aliases.
        reversal_banned: no turn by 180 degrees between two jumps of one move.
        repetitions: a position draws at this occurrence with the same side to move.
        repetition_article: the number of that rule, empty where the game's rules count no articles.
        one_piece_each_draws: one piece each is a draw unless the side to move can capture.
        lone_man_loses: two men or more and nothing else win at once against one man that cannot capture.
        results: how White's win, a draw and Black's win are written.
        game_type: the number and board description of the PDN tag GameType, None where the game has none.
    """

    name: str
    place: int
    aliases: tuple[str, ...]
    title: str
    board: Board
    home_ranks: range
    man_steps: tuple[Direction, ...]
    man_captures: tuple[Direction, ...]
    king_directions: tuple[Direction, ...]
    king_landing: Landing
    removal: Removal
    reversal_banned: bool
    capture_priority: tuple[CapturePriority, ...]
    promotion: Promotion
    repetitions: int
    repetition_article: str
    no_progress: NoProgressRule
    material_limits: tuple[MaterialLimit, ...]
    one_piece_each_draws: bool
    lone_man_loses: bool
    results: tuple[str, str, str]
    game_type: str | None
    kings_fly: bool = True
    king_captures: tuple[Direction, ...] = ()
    men_take_kings: bool = True
    begins: Side = Side.WHITE
    capture_sign: str = "x"
    hub_name: str = ""

    @property
    def king_jumps(self) -> tuple[Direction, ...]:
        """Where a king captures."""
        return self.king_captures or self.king_directions

    @property
    def number_decides(self) -> bool:
        """Whether of two captures the one that takes more pieces has to be made."""
        return self.capture_priority[:1] == (CapturePriority.MOST_PIECES,)

    @cached_property
    def pieces_per_side(self) -> int:
        """How many men each side starts with, and the most a position may hold."""
        return sum(rank in self.home_ranks for _, rank in self.board.places)

    def home(self, side: Side) -> frozenset[int]:
        """The squares that the men of `side` stand on at the start."""
        return frozenset(square for square in range(self.board.size) if self.own_rank(square, side) in self.home_ranks)

    def own_rank(self, square: int, side: Side) -> int:
        """The rank of `square` counted from the edge that `side` starts at."""
        rank = self.board.rank(square)
        return rank if side is Side.WHITE else self.board.ranks - 1 - rank

    def promotion_rank(self, side: Side) -> int:
        """The rank on which a man of `side` is crowned."""
        return self.board.ranks - 1 if side is Side.WHITE else 0

    @cached_property
    def promotion_squares(self) -> dict[Side, tuple[int, ...]]:
        """The squares on which each side's men are crowned."""
        return {
            side: tuple(square for square in range(self.board.size) if self.board.rank(square) == rank)
            for side in Side
            for rank in (self.promotion_rank(side),)
        }

    def facing(self, directions: tuple[Direction, ...], side: Side) -> tuple[Direction, ...]:
        """White's `directions` as `side` plays them."""
        return directions if side is Side.WHITE else _mirrored(directions)


@lru_cache(maxsize=64)
def _mirrored(directions: tuple[Direction, ...]) -> tuple[Direction, ...]:
    return tuple(direction.mirrored() for direction in directions)
