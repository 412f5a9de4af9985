"""Moves as text, in every form in use.

    short       32-28  28x19                from and to
    Hub         28x19x14x23                 from, to, then every captured square, in any order
    full        28x17x8                     every landing square
    captured    f3xf4xe5  f3xf4xe5xd5       the captured squares, with or without the square where the move ends

Programs list landing squares, federation books captured squares, the Hub protocol both ends and captured squares, and
people mix them. So a reader tries each form against the legal moves and accepts the text where exactly one move
results. Which of the squares named are occupied tells the forms apart: captured squares are, landing squares are not.

A position is anything with `variant`, `cells`, `side` and `legal_moves()`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from turkengine.errors import AmbiguousMoveError, IllegalMoveError, UnreadableMoveError, shown
from turkengine.notation import signs, squares
from turkengine.notation.squares import Naming
from turkengine.rules import movegen
from turkengine.rules.attempt import Attempt
from turkengine.rules.board import FILE_LETTERS, Board
from turkengine.rules.irregularity import explain
from turkengine.rules.move import Move
from turkengine.rules.movegen import EMPTY
from turkengine.rules.position import Situation

LONGEST_TEXT = 1000  # characters; the longest capture names 26 squares


def short(position: Situation, move: Move, naming: Naming = Naming.ALGEBRAIC) -> str:
    """From and to, which several captures may share: `32-28`, `28x19`."""
    return _joined(position, move, (move.origin, move.target), naming)


def hub(position: Situation, move: Move, naming: Naming = Naming.ALGEBRAIC) -> str:
    """From, to and the captured squares in the order of a Hub position; no other legal move is written the same."""
    captured = squares.in_reading_order(position.variant.board, move.captured)
    return _joined(position, move, (move.origin, move.target, *captured), naming)


def full(position: Situation, move: Move, naming: Naming = Naming.ALGEBRAIC) -> str:
    """The path with every landing square; no other legal move is written the same."""
    path = move.path or movegen.route(position.variant, position.cells, move)
    return _joined(position, move, path, naming)


def landing(position: Situation, move: Move, naming: Naming = Naming.ALGEBRAIC) -> str:
    """From and to where only one legal move has these ends, else the full path."""
    ends = move.origin, move.target
    if sum((other.origin, other.target) == ends for other in position.legal_moves()) > 1:
        return full(position, move, naming)
    return short(position, move, naming)


def written(position: Situation, move: Move) -> str:
    """`landing` with the sign for captures that the players of the game use: `c3:e5` in Russian draughts."""
    return landing(position, move).replace("x", position.variant.capture_sign)


def read(position: Situation, text: str) -> Move:
    """The legal move that `text` names.

    Squares may be letters or, on any board, numbers, with leading zeros or without. What stands between them (`-`,
    `x`, `:`, blanks, nothing) says nothing. Landing squares may be left out as long as one move fits.

    Raises:
        UnreadableMoveError: the text is not a move, or its first square is empty.
        AmbiguousMoveError: several legal moves fit; it holds their full paths.
        IllegalMoveError: none does; it holds the article that the move breaks.
    """
    named = _squares(position.variant.board, text)
    moves = [move for move in position.legal_moves() if move.origin == named[0]]
    if len(named) == 2:  # most texts are from and to; what fits them so fits no other form, since a target is free
        found = [move for move in moves if move.target == named[1]]
        if len(found) == 1:
            return found[0]
    by_landing, *by_capture = _attempts(named)
    found = [move for move in moves if any(_lists(attempt, move) for attempt in by_capture)]
    found += _along(position, by_landing, [move for move in moves if move.target == by_landing.target])
    if len(found) == 1:
        return found[0]
    if found:
        candidates = tuple(full(position, move) for move in found)
        raise AmbiguousMoveError(f"{shown(text)} fits several moves; write {' or '.join(candidates)}", candidates)
    irregularity = explain(position, attempt_of(position, text))
    message = f"{shown(text)} is not a legal move; {irregularity.sentence}"
    if irregularity.article is None:
        raise UnreadableMoveError(message)
    raise IllegalMoveError(message, irregularity.article)


def attempt_of(position: Situation, text: str) -> Attempt:
    """What `text` says where it names no legal move: what stands on the squares decides which form it is.

    Raises:
        UnreadableMoveError: the text is not a move.
    """
    named = _squares(position.variant.board, text)
    origin, target, *rest = named
    occupied = [square for square in named if square != origin and position.cells[square] != EMPTY]
    by_landing, *by_capture = _attempts(named)
    if not occupied or position.cells[origin] == EMPTY or (rest and _taken(position, by_landing)):
        return by_landing
    if not rest:
        return by_capture[0] if _can_jump(position, origin, occupied) else by_landing
    from_to_captured, captured_to, captured_only = by_capture
    if target not in occupied:
        return from_to_captured
    if named[-1] not in occupied:
        return captured_to
    return captured_only if _can_jump(position, origin, occupied) else by_landing


def _attempts(named: tuple[int, ...]) -> list[Attempt]:
    """Every form in which the squares of a text can be understood, landing squares first."""
    origin, *others = named
    *middle, last = others
    attempts = [Attempt(origin, last, via=tuple(middle))]
    if middle:
        attempts.append(Attempt(origin, others[0], captured=tuple(others[1:])))
        attempts.append(Attempt(origin, last, captured=tuple(middle)))
    attempts.append(Attempt(origin, None, captured=tuple(others)))
    return attempts


def _lists(attempt: Attempt, move: Move) -> bool:
    """Whether `attempt` names just what `move`, which starts on the same square, captures, and its target if any."""
    assert attempt.captured is not None, "these forms list captured squares"
    return attempt.target in (None, move.target) and sorted(attempt.captured) == sorted(move.captured)


def _along(position: Situation, attempt: Attempt, moves: list[Move]) -> list[Move]:
    """Those of `moves`, all with the ends of `attempt`, that have a route over the landing squares it names."""
    if not attempt.via or not moves:
        return moves
    taken = _taken(position, attempt)
    return [move for move in moves if move.captured in taken]


def _taken(position: Situation, attempt: Attempt) -> set[frozenset[int]]:
    """What the piece can take on its way over the landing squares, whatever the rules oblige it to."""
    jumpings = movegen.partial_captures(position.variant, position.cells, attempt.origin, attempt.via)
    return {jumping.captured for jumping in jumpings if jumping.square == attempt.target}


def _can_jump(position: Situation, origin: int, named: list[int]) -> bool:
    """Whether the piece on `origin` can take any of the squares named, whatever the rules oblige it to."""
    jumpings = movegen.partial_captures(position.variant, position.cells, origin)
    return any(not jumping.captured.isdisjoint(named) for jumping in jumpings)


def _joined(position: Situation, move: Move, path: tuple[int, ...], naming: Naming) -> str:
    names = squares.names(position.variant.board, naming)
    return ("x" if move.is_capture else "-").join([names[square] for square in path])


@lru_cache(maxsize=16)
def _patterns(board: Board) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """One square, and a whole move."""
    files = f"[a-{FILE_LETTERS[board.files - 1]}][0-9]|" if board.lettered else ""
    square = f"(?:{files}[0-9]++)"  # possessive throughout: what is not a move is seen to be none in one go
    between = r"\s*+[-:x]?+\s*+"
    return re.compile(square, re.IGNORECASE), re.compile(f"{square}(?:{between}{square})*+", re.IGNORECASE)


@lru_cache(maxsize=1 << 14)  # files of games have the same few thousand texts over and over
def _squares(board: Board, text: str) -> tuple[int, ...]:
    """The squares that a text names, at least two."""
    square, whole = _patterns(board)
    stripped = text.translate(signs.PLAIN).strip()
    if len(stripped) > LONGEST_TEXT:
        raise UnreadableMoveError(f"{shown(text)} is too long to be a move; {LONGEST_TEXT} characters hold every one")
    if not whole.fullmatch(stripped):
        raise UnreadableMoveError(f"{shown(text)} is not written as a move; write squares with - or x between them")
    found: list[int] = []
    for name in square.findall(stripped):
        for part in _parts(board, name):
            known = squares.square_named(board, part)
            if known is None:
                raise UnreadableMoveError(f"{shown(text)} names {shown(part)}; the squares are {squares.extent(board)}")
            found.append(known)
    if len(found) < 2:
        raise UnreadableMoveError(f"{shown(text)} names one square only; a move needs its origin and its target")
    return tuple(found)


def _parts(board: Board, name: str) -> list[str]:
    """Numbers that stand together in pairs of digits, `3228`, are squares without a separator."""
    if len(name) % 2 == 0 and name.isdecimal() and squares.square_named(board, name) is None:
        return [name[start : start + 2] for start in range(0, len(name), 2)]
    return [name]
