"""Positions as FEN: `W:W31-50:B1-20`.

The side to move, then each side's squares once, in any order: a king with K before its square, ranges where squares are
numbered. Dark squares that have letters may be numbered from White's far left as well, as servers do. Two counters may
follow, as lidraughts writes them: `H` the plies towards the draw that is nearest (against a lone king where the balance
is one of those, without progress otherwise), `F` the number of the move, which says nothing about the position. Blanks
and a dot at the end do not count. What is written reads back as the same position.

Every text that is to be a position comes through here, so it may also be the line of a program or of the Hub protocol
that holds one; `framing` says what is taken off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from turkengine.errors import PositionError, shown
from turkengine.notation import framing, squares
from turkengine.rules.board import Board
from turkengine.rules.movegen import EMPTY, KING, MAN
from turkengine.rules.position import Placement, Position, check, material_limit
from turkengine.rules.variant import Side, Variant

SHORTEST_RANGE = 4  # fewer squares than these are easier to read one by one

_SIDES = {side.value: side for side in Side}
_LETTERS = re.compile(r"[WBwb][WBwbe]+")


@dataclass(frozen=True)
class Setup:
    """What a text says about a position; the fields are those of `Position`."""

    cells: str
    side: Side
    no_progress: int = 0
    material_plies: int = 0

    def position(self, variant: Variant) -> Position:
        """The position itself, which is its own first occurrence."""
        return Position(variant, self.cells, self.side, self.no_progress, self.material_plies)


class Counted(Placement, Protocol):
    """A position that counts towards the draw rules."""

    @property
    def no_progress(self) -> int: ...
    @property
    def material_plies(self) -> int: ...


def read(variant: Variant, text: str) -> Position:
    """The position that `text` describes.

    Raises:
        PositionError: as for `parse`.
    """
    return parse(variant, text).position(variant)


def parse(variant: Variant, text: str) -> Setup:
    """The same as plain values, checked against the rules.

    Raises:
        PositionError: naming the field, the square or the count that is wrong.
    """
    setup = unchecked(variant, text)
    check(variant, setup.cells)
    return setup


def unchecked(variant: Variant, text: str) -> Setup:
    """The same, for whoever makes a position of it that checks itself.

    Raises:
        PositionError: naming the field or the square that is wrong.
    """
    plain = text.strip().removesuffix(".") if len(text.split()) <= 1 else framing.bare(text)
    try:
        return _fields(variant, plain)
    except PositionError as error:
        bare = framing.bare(text)
        if len(bare) == variant.board.size + 1 and _LETTERS.fullmatch(bare):
            return by_letters(variant, bare)
        try:
            return _fields(variant, bare.upper())
        except PositionError:
            if bare == plain:
                raise error from None  # with the letters as they were written
            raise


def by_letters(variant: Variant, text: str) -> Setup:
    """The side to move and one letter a square, as a page is read; see `notation.hub`."""
    return Setup("".join([text[1 + place] for place in variant.board.reading_places]), Side(text[0].upper()))


def _fields(variant: Variant, text: str) -> Setup:
    to_move, *fields = text.split(":")
    side = _SIDES.get(to_move.upper())
    if side is None:
        raise PositionError(f"a FEN begins with the side to move, 'W:' or 'B:', not with {shown(to_move)}")
    cells = [EMPTY] * variant.board.size
    given: dict[str, int] = {}
    for field in fields:
        letter, content = field[:1], field[1:]
        if letter in given:
            raise PositionError(f"the FEN has two fields {letter!r}; each is given once")
        if letter in _SIDES:
            given[letter] = 0
            if content:
                _place(variant.board, cells, _SIDES[letter], content)
        elif letter and letter in "HF":
            given[letter] = _number(letter, content)
        else:
            raise PositionError(f"the FEN field {shown(field)} is unknown; there are W, B, H and F")
    for letter in _SIDES:
        if letter not in given:
            raise PositionError(f"the FEN lacks the field {letter!r}; write ':{letter}' for a side without a piece")
    placed = "".join(cells)
    plies = given.get("H", 0)
    if plies and material_limit(variant, placed) is not None:
        return Setup(placed, side, material_plies=plies)
    return Setup(placed, side, no_progress=plies)


def write(position: Placement) -> str:
    """The position without its counters."""
    variant, cells = position.variant, position.cells
    fields = (side.value + ",".join(_squares_of(variant.board, cells, side)) for side in Side)
    return ":".join((position.side.value, *fields))


def write_counted(position: Counted) -> str:
    """The position with the counter of the nearest draw, where it is not 0."""
    counted = material_limit(position.variant, position.cells) is not None
    plies = position.material_plies if counted else position.no_progress
    return write(position) + (f":H{plies}" if plies else "")


def _place(board: Board, cells: list[str], side: Side, content: str) -> None:
    usual = _tokens(board, side)
    for token in content.split(","):
        known = usual.get(token)
        if known is not None:
            square, letter = known
            if cells[square] == EMPTY:
                cells[square] = letter
                continue
        for square, letter in _unusual(board, side, token):
            if cells[square] != EMPTY:
                raise PositionError(f"square {board.names[square]} is given twice; it holds one piece")
            cells[square] = letter


@lru_cache(maxsize=16)
def _tokens(board: Board, side: Side) -> dict[str, tuple[int, str]]:
    """Single squares as they are usually written, and the letter each puts there; only these have to be read fast."""
    men = {name: (square, MAN[side]) for square, name in enumerate(board.names)}
    return men | {f"K{name}": (square, KING[side]) for square, name in enumerate(board.names)}


@lru_cache(maxsize=1 << 12)  # the ranges of one file are few
def _unusual(board: Board, side: Side, token: str) -> list[tuple[int, str]]:
    """A range, leading zeros, capital letters, or a mistake."""
    crowned = token.startswith("K")
    letter = KING[side] if crowned else MAN[side]
    first, dash, last = token.removeprefix("K").partition("-")
    start = _square(board, first)
    if not dash:
        return [(start, letter)]
    if board.lettered and not (board.dark_only and first.isdecimal()):
        raise PositionError(f"the range {shown(token)} needs numbered squares; list these one by one")
    end = _square(board, last.removeprefix("K") if crowned else last)
    order = board.naming_order
    begin, stop = order.index(start), order.index(end)
    if stop < begin:
        raise PositionError(f"the range {shown(token)} runs backwards; write the lower square first")
    return [(square, letter) for square in order[begin : stop + 1]]


def _square(board: Board, name: str) -> int:
    lettered = not board.dark_only  # servers number the dark squares of games that have letters, too
    square = None if lettered and name.isdecimal() else squares.square_named(board, name)
    if square is None:
        raise PositionError(f"there is no square {shown(name)}; the squares are {squares.extent(board)}")
    return square


def _number(letter: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6):
        raise PositionError(f"the FEN field {shown(letter + digits)} takes a number of at most six digits")
    return int(digits)


def _squares_of(board: Board, cells: str, side: Side) -> list[str]:
    """One side's squares in the order of their names, runs of men on numbered squares as ranges."""
    man, king, names = MAN[side], KING[side], board.names
    written: list[str] = []
    run: list[str] = []
    for square in board.naming_order:
        if cells[square] == man:
            run.append(names[square])
            continue
        if run:
            written += _run(board, run)
            run = []
        if cells[square] == king:
            written.append("K" + names[square])
    return written + _run(board, run)


def _run(board: Board, run: list[str]) -> list[str]:
    return [f"{run[0]}-{run[-1]}"] if not board.lettered and len(run) >= SHORTEST_RANGE else run
