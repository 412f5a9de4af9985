"""A position as programs use it: the compiled kernel behind it, moves as text or as values, and the game so far.

Positions never change: `play` returns the next one, which knows the one before. One is made from a FEN in less than 20
microseconds and lists its moves in a few; see `scripts/bench api`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Self

from turkengine.api import checking
from turkengine.api.picture import PNG_SIZE, Arrows, png_of, svg_of
from turkengine.engine.kernel_types import KernelPosition, load_kernel
from turkengine.errors import IllegalMoveError, PositionError, shown
from turkengine.games import VARIANTS, variant_named
from turkengine.notation import fen as notation
from turkengine.notation import moves as texts
from turkengine.notation.squares import square_named
from turkengine.rules.irregularity import Irregularity, explain
from turkengine.rules.move import Move
from turkengine.rules.outcome import Outcome, result
from turkengine.rules.position import Position as ReadablePosition
from turkengine.rules.variant import Side, Variant


class Position:
    """A position of a game. Equal positions have the same board, side to move and counts towards the draw rules."""

    __slots__ = ("_kernel", "_move", "_previous")

    _kernel: KernelPosition
    _previous: Position | None
    _move: Move | None

    def __init__(self, fen: str | None = None, variant: Variant | str = VARIANTS[0]) -> None:
        """The position of a FEN, or the one in which games begin without it.

        Args:
            fen: as in `W:W31-50:B1-20`; kings are written `K40`, counters may follow.
            variant: or its name.

        Raises:
            PositionError: the text is no FEN, or the rules do not accept the position; the message says why.
            VariantError: no variant has this name.
            TypeError: an argument has another type, here as in all methods.
            ImportError: the compiled kernel has not been built.
        """
        checking.require("fen", fen, (str, NoneType), checking.A_FEN)
        variant = checking.variant(variant)
        maker = load_kernel(variant).Position
        if fen is None:
            self._kernel = maker.start()
        else:
            said = notation.unchecked(variant, fen)
            self._kernel = maker.from_cells(said.cells, said.side, said.no_progress, said.material_plies)
        self._previous = self._move = None

    @classmethod
    def of_setup(cls, variant: Variant, setup: notation.Setup | None) -> Position:
        """What a reader of games makes positions by: a position set up, or the starting position without one.

        Raises:
            PositionError: the rules do not accept it.
        """
        maker = load_kernel(variant).Position
        if setup is None:
            return cls.from_kernel(maker.start())
        return cls.from_kernel(maker.from_cells(setup.cells, setup.side, setup.no_progress, setup.material_plies))

    @classmethod
    def from_kernel(cls, kernel: KernelPosition) -> Position:
        """A kernel's position, as the first that is known of its game."""
        position = cls.__new__(cls)
        position._kernel, position._previous, position._move = kernel, None, None
        return position

    # -- what is on the board -----------------------------------------------------------------------------------------

    @property
    def kernel(self) -> KernelPosition:
        """The compiled position behind this one."""
        return self._kernel

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""
        return self._kernel.variant

    @property
    def side(self) -> Side:
        """The side to move."""
        return self._kernel.side

    @property
    def cells(self) -> str:
        """One letter a square in index order: w b (men), W B (kings), e (empty)."""
        return self._kernel.cells

    @property
    def no_progress(self) -> int:
        """Plies since the last capture or other move that makes progress."""
        return self._kernel.no_progress

    @property
    def material_plies(self) -> int:
        """Plies since a lone king's balance of material arose."""
        return self._kernel.material_plies

    @property
    def occurrences(self) -> int:
        """How often this board with this side to move has been in the game, this time included."""
        return self._kernel.occurrences

    @property
    def key(self) -> int:
        """The Zobrist key, 64 bits: equal for equal boards with the same side to move."""
        return self._kernel.key

    def count(self, side: Side) -> tuple[int, int]:
        """(kings, men) of `side`."""
        checking.side("side", side)
        letter = side.value
        return self.cells.count(letter), self.cells.count(letter.lower())

    def piece_at(self, square: str) -> str | None:
        """The piece on a square by its name: `w`, `b`, `W`, `B`, or None where it is empty.

        Raises:
            PositionError: there is no such square.
        """
        checking.require("square", square, str, "the name of a square, as in '32'")
        index = square_named(self.variant.board, square)
        if index is None:
            raise PositionError(f"{self.variant.name} has no square {shown(square)}")
        letter = self.cells[index]
        return None if letter == "e" else letter

    def fen(self, counters: bool = False) -> str:
        """The position as FEN; with `counters` also the plies towards the nearest draw, where they are not 0."""
        return notation.write_counted(self) if counters else notation.write(self)

    # -- moves --------------------------------------------------------------------------------------------------------

    @property
    def previous(self) -> Position | None:
        """The position before the last move, None at the beginning of what is known."""
        return self._previous

    @property
    def move(self) -> Move | None:
        """The move that has led here, None at the beginning of what is known."""
        return self._move

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move from the beginning to here."""
        found: list[Move] = []
        step: Position | None = self
        while step is not None and step._move is not None:
            found.append(step._move)
            step = step._previous
        return tuple(reversed(found))

    @property
    def follows_a_move(self) -> bool:
        """Whether a move has led here; not so where the position was set up."""
        return self._move is not None

    def legal_moves(self) -> list[Move]:
        """Every legal move once; the order means nothing."""
        return self._kernel.legal_moves()

    def parse(self, text: str) -> Move:
        """The legal move that a text names, in any form in use: `32-28`, `28x19`, `28x17x8`.

        Raises:
            UnreadableMoveError: it is not written as a move, or starts on an empty square.
            AmbiguousMoveError: it fits several captures; the error lists them.
            IllegalMoveError: it breaks a rule; the error names the article.
        """
        checking.require("text", text, str, "a move as text, as in '32-28'")
        return texts.read(self, text)

    def text(self, move: Move) -> str:
        """A legal move as text: from and to, and the whole path where several captures share these."""
        checking.require("move", move, Move, "a Move")
        if not self._has(move):
            raise self._illegal(move)
        return texts.landing(self, move)

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, given as a value or as text; this one stays as it is.

        Raises:
            MoveError: it is not legal here; see `parse`.
        """
        checking.require("move", move, (Move, str), checking.A_MOVE)
        if isinstance(move, str):
            move = self.parse(move)
        elif move not in self._kernel.legal_moves():
            raise self._illegal(move)
        return self._after(move)

    def play_line(self, moves: Iterable[Move | str]) -> Position:
        """The position after moves one after another.

        Raises:
            MoveError: one of them is not legal where it comes.
        """
        checking.several("moves", moves)
        position = self
        for move in moves:
            position = position.play(move)
        return position

    def line_texts(self, moves: Sequence[Move]) -> list[str]:
        """The texts of moves that follow each other from here: each is read in the position it is made in.

        Raises:
            MoveError: one of them is not legal where it comes.
        """
        checking.several("moves", moves, "a list of values of the type Move")
        position, written = self, []
        for move in moves:
            written.append(position.text(move))
            position = position.play(move)
        return written

    def explain(self, text: str) -> Irregularity | None:
        """What is wrong with a move: the article of the rules it breaks and a sentence; None where it is legal.

        A text that several captures fit is not wrong, so it gives None as well.

        Raises:
            UnreadableMoveError: it is not written as a move.
        """
        checking.require("text", text, str, "a move as text, as in '32-28'")
        attempt = texts.attempt_of(self, text)
        try:
            return explain(self, attempt)
        except ValueError:  # it is legal
            return None

    # -- the end ------------------------------------------------------------------------------------------------------

    def outcome(self, no_progress: int | None = None) -> Outcome | None:
        """Who has won and by which rule, None while the game goes on.

        Args:
            no_progress: plies without progress that make a draw where the rules leave the number open, 0 for never.
        """
        if no_progress is not None:
            checking.whole("no_progress", no_progress, 0)
        return self._kernel.outcome(no_progress)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._kernel.outcome() is not None

    def result(self) -> str:
        """The result as the game writes it, `2-0` or `1-0`; `*` while it goes on."""
        end = self._kernel.outcome()
        return result(end, self.variant) if end is not None else "*"

    # -- more ---------------------------------------------------------------------------------------------------------

    def evaluate(self) -> int:
        """The static evaluation in hundredths of a man from the side to move, without looking ahead."""
        return self._kernel.evaluate()

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` legal moves; the interpreter is free meanwhile."""
        checking.whole("depth", depth, 0, 100)  # nobody lives to see the end of that
        return self._kernel.perft(depth)

    def to_svg(
        self,
        *,
        arrows: Arrows = (),
        marks: Mapping[str, str] | None = None,
        flipped: bool = False,
        size: int | None = None,
        coordinates: bool = True,
        last_move: bool = True,
    ) -> str:
        """A drawing of the board as SVG, which needs nothing from outside.

        Args:
            arrows: moves, or pairs of squares as in `32-28`, legal or not; a mapping gives each a colour of CSS. A
                legal capture is followed from square to square.
            marks: one or two letters for squares by their names, as in `{"28": "!"}`; a frame for an empty text.
            flipped: seen from Black's side.
            size: pixels of its width; as wide as there is room for if None.
            coordinates: with the names of squares.
            last_move: with the last move shown.

        Raises:
            PositionError: the board has no square of that name.
            MoveError: an arrow names no two squares.
            ValueError: no drawing has this size.
        """
        return svg_of(self, arrows, marks, flipped, size, coordinates, last_move)

    def to_png(
        self,
        *,
        arrows: Arrows = (),
        marks: Mapping[str, str] | None = None,
        flipped: bool = False,
        size: int = PNG_SIZE,
        coordinates: bool = True,
        last_move: bool = True,
    ) -> bytes:
        """The same as PNG; the extra `draw` brings the library that this needs.

        Raises:
            OptionError: it is not installed.
            PositionError, MoveError, ValueError: as `to_svg`.
        """
        return png_of(svg_of(self, arrows, marks, flipped, size, coordinates, last_move))

    def readable(self) -> ReadablePosition:
        """The same in the readable rules, with as much of the game as can still come back."""
        line: list[Move] = []
        step = self
        while step._previous is not None and step._move is not None and step.no_progress:
            line.append(step._move)
            step = step._previous
        found = ReadablePosition(step.variant, step.cells, step.side, step.no_progress, step.material_plies)
        for move in reversed(line):
            found = found.play(move)
        return found

    def _after(self, move: Move) -> Position:
        """The position after a move that is known to be legal."""
        position = Position.__new__(Position)
        position._kernel, position._previous, position._move = self._kernel.play(move), self, move
        return position

    def _has(self, move: Move) -> bool:
        """Whether all squares of a move are on this board."""
        return all(0 <= square < self.variant.board.size for square in (move.origin, move.target, *move.captured))

    def _illegal(self, move: Move) -> IllegalMoveError:
        if not self._has(move):
            return IllegalMoveError(f"{move} names squares that {self.variant.name} has not", None)
        text = texts.hub(self, move)
        found = self.explain(text)
        if found is None:
            return IllegalMoveError(f"{shown(text)} does not capture what that move captures", None)
        return IllegalMoveError(f"{shown(text)} is not a legal move; {found.sentence}", found.article)

    def __eq__(self, other: object) -> bool:
        return self._kernel == other._kernel if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._kernel)

    def __reduce__(self) -> tuple[object, ...]:
        step = self
        while step._previous is not None:
            step = step._previous
        first = (step.variant.name, step.cells, step.side, step.no_progress, step.material_plies)
        return _rebuilt, (*first, self.moves)

    def __copy__(self) -> Self:
        return self  # it never changes

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        return f"Position({self.fen(counters=True)!r}, {self.variant.name!r})"

    def __str__(self) -> str:
        """The board as lines of text, White at the bottom; `.` is an empty square."""
        board = self.variant.board
        rows = []
        for rank in reversed(range(board.ranks)):
            squares = [board.square_at(file, rank) for file in range(board.files)]
            letters = (" " if square is None else self.cells[square].replace("e", ".") for square in squares)
            rows.append(" ".join(letters).rstrip())
        return "\n".join(rows)

    def _repr_svg_(self) -> str:
        return self.to_svg(size=360)


def _rebuilt(
    variant: str, cells: str, side: Side, no_progress: int, material_plies: int, moves: tuple[Move, ...]
) -> Position:
    """What `pickle` makes a position of."""
    maker = load_kernel(variant_named(variant)).Position
    position = Position.from_kernel(maker.from_cells(cells, side, no_progress, material_plies))
    for move in moves:
        position = position._after(move)
    return position
