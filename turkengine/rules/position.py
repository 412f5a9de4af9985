"""A position of a game: the board, whose move it is, and what the draw rules have counted so far.

Positions never change; `play` returns the next one, which remembers the one before for the repetition rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from turkengine.errors import PositionError
from turkengine.rules import movegen
from turkengine.rules.move import Move
from turkengine.rules.movegen import EMPTY, KING, MAN, is_king
from turkengine.rules.variant import MaterialLimit, Progress, Side, Variant

_Step = tuple[str, Side, int, int, Move | None]  # a position without the one before


class Placement(Protocol):
    """What every kind of position says about the board; `cells` and `side` mean what they mean in `Position`."""

    @property
    def variant(self) -> Variant: ...
    @property
    def cells(self) -> str: ...
    @property
    def side(self) -> Side: ...


class Situation(Placement, Protocol):
    """A placement that knows its moves: all that explaining, reading and writing a move needs."""

    @property
    def follows_a_move(self) -> bool: ...

    def legal_moves(self) -> list[Move]: ...


class GamePosition(Situation, Protocol):
    """A situation with the game that has led to it: all that an engine needs to be asked for a move."""

    @property
    def no_progress(self) -> int: ...
    @property
    def material_plies(self) -> int: ...
    @property
    def previous(self) -> GamePosition | None: ...
    @property
    def move(self) -> Move | None: ...

    def play(self, move: Move, /) -> GamePosition: ...


@dataclass(frozen=True)
class Position:
    """One position under the rules of `variant`.

    Attributes:
        cells: one letter a square in index order: w b (men), W B (kings), e (empty).
        side: the side to move.
        no_progress: plies since the last capture or other move that makes progress.
        material_plies: plies played since the balance of `material_limit` arose, 0 where there is none.
        previous: the position before the last move, None at the start of what is known.
        move: that move.
    """

    variant: Variant
    cells: str
    side: Side
    no_progress: int = 0
    material_plies: int = 0
    previous: Position | None = field(default=None, compare=False, repr=False)
    move: Move | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.previous is None:
            check(self.variant, self.cells)

    @classmethod
    def start(cls, variant: Variant) -> Position:
        """The position in which a game of `variant` begins."""
        cells = [EMPTY] * variant.board.size
        for side in Side:
            for square in variant.home(side):
                cells[square] = MAN[side]
        return cls(variant, "".join(cells), variant.begins)

    @property
    def follows_a_move(self) -> bool:
        """Whether a move has led here; not so where the position was set up."""
        return self.previous is not None

    def legal_moves(self) -> list[Move]:
        """Every legal move once; the order means nothing. A side whose opponent has no piece left still has moves."""
        return list(self._legal_moves)

    @cached_property
    def _legal_moves(self) -> tuple[Move, ...]:
        """Found once: the end of the game, whoever reads a move and whoever checks it all ask for them."""
        return tuple(movegen.legal_moves(self.variant, self.cells, self.side))

    def play(self, move: Move) -> Position:
        """The position after `move`, which must be legal."""
        cells = list(self.cells)
        mover = cells[move.origin]
        cells[move.origin] = EMPTY
        for square in move.captured:
            cells[square] = EMPTY
        cells[move.target] = KING[self.side] if movegen.crowns(self.variant, self.cells, move) else mover
        after = "".join(cells)
        limit = material_limit(self.variant, after)
        return Position(
            self.variant,
            after,
            self.side.opponent,
            no_progress=0 if self._makes_progress(move) else self.no_progress + 1,
            material_plies=self.material_plies + 1 if limit is not None and limit == self.material_limit else 0,
            previous=self,
            move=move,
        )

    def _makes_progress(self, move: Move) -> bool:
        if move.is_capture:
            return True
        if is_king(self.cells[move.origin]):
            return False
        rank = self.variant.board.rank
        return self.variant.no_progress.progress is Progress.MAN_MOVE or rank(move.origin) != rank(move.target)

    @property
    def material_limit(self) -> MaterialLimit | None:
        """The rule that counts the plies of this balance of material, None where no rule does."""
        return material_limit(self.variant, self.cells)

    @property
    def occurrences(self) -> int:
        """How often this placement with this side to move has been on the board, this time included."""
        same = (self.cells, self.side)
        return 1 + sum((earlier.cells, earlier.side) == same for earlier in self._since_progress())

    def _since_progress(self) -> Iterator[Position]:
        """Earlier positions that can still come back: captures and men's forward moves cannot be undone."""
        earlier = self
        while earlier.previous is not None and earlier.no_progress > 0:
            earlier = earlier.previous
            yield earlier

    def count(self, side: Side) -> tuple[int, int]:
        """(kings, men) of `side`."""
        return self.cells.count(KING[side]), self.cells.count(MAN[side])

    def __reduce__(self) -> tuple[object, ...]:
        """For `pickle` and `copy`: the game as a list, since a level of recursion for each move would be too deep."""
        step: Position | None = self
        steps: list[_Step] = []
        while step is not None:
            steps.append((step.cells, step.side, step.no_progress, step.material_plies, step.move))
            step = step.previous
        return _at_end_of, (self.variant, steps[::-1])


def _at_end_of(variant: Variant, steps: list[_Step]) -> Position:
    """The last one of positions that have followed each other."""
    position: Position | None = None
    for cells, side, no_progress, material_plies, move in steps:
        position = Position(variant, cells, side, no_progress, material_plies, position, move)
    assert position is not None
    return position


def material_limit(variant: Variant, cells: str) -> MaterialLimit | None:
    """The draw rule for a lone king that covers this balance of material."""
    if not variant.material_limits:
        return None
    kings = {side: cells.count(KING[side]) for side in Side}
    men = {side: cells.count(MAN[side]) for side in Side}
    for lone in Side:
        if (kings[lone], men[lone]) == (1, 0):
            strong = (kings[lone.opponent], men[lone.opponent])
            for limit in variant.material_limits:
                if strong in limit.strong:
                    return limit
    return None


def check(variant: Variant, cells: str) -> None:
    """Accept any placement of at most the starting number of pieces a side, without men on their promotion rank.

    Raises:
        PositionError: naming the square or the count that is wrong.
    """
    if len(cells) != variant.board.size:
        raise PositionError(f"a position of {variant.name} has {variant.board.size} squares, not {len(cells)}")
    if sum(map(cells.count, "wbWBe")) != len(cells):
        square = min(cells.index(cell) for cell in set(cells).difference("wbWBe"))
        raise PositionError(f"square {variant.board.names[square]} holds {cells[square]!r}; it takes one of w b W B e")
    for side, squares in variant.promotion_squares.items():
        man, king = MAN[side], KING[side]
        for square in squares:
            if cells[square] == man:
                where = f"{side.name.capitalize()} has a man on its promotion rank ({variant.board.names[square]})"
                raise PositionError(f"{where}; make it a king")
        count = cells.count(man) + cells.count(king)
        if count > variant.pieces_per_side:
            name = side.name.capitalize()
            raise PositionError(f"{name} has {count} pieces; {variant.name} allows {variant.pieces_per_side}")
