"""Playing a game over by the rules: which of its moves are legal, and what positions they lead to.

A game says in its tags which variant it is. One that does not is tried under each variant whose board fits, and the
first that replays it is taken, marked as inferred. A game without a tag that names only squares of the small board on
which most other games are played is taken for one of ours only where numbered moves replay.

Moves are read as generously as `notation.moves` reads them; where one still fits several captures, the one is taken
that lets more of the rest be played than any other.

The rules' own positions are used unless the caller brings a faster kind with the same methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from turkengine.errors import AmbiguousMoveError, IllegalMoveError, MoveError, PositionError
from turkengine.games import VARIANTS
from turkengine.notation import fen, moves
from turkengine.notation.fen import Setup
from turkengine.notation.pdn.game import Line, PdnGame, Ply, SetUp
from turkengine.notation.pdn.kinds import fits, kind_of, may_be_another, named_squares
from turkengine.rules.move import Move
from turkengine.rules.position import Position, Situation
from turkengine.rules.variant import Variant

MOST_TRIALS = 64  # ways to go on that are tried in one line where moves are ambiguous


UNKNOWN = "unknown"  # what a game is called that no tag names and no variant here replays


class Playable(Situation, Protocol):
    """A position that knows its moves and what they lead to."""

    def play(self, move: Move, /) -> Any: ...


P = TypeVar("P", bound=Playable)
Maker = Callable[[Variant, Setup | None], P]
"""Makes a position: the one set up, or where there is none the one in which games of the variant begin."""

OnMove = Callable[[int, Any, Move], None]
"""Takes the number of the move in the text, from 0, the position it is made in, and the move."""


def by_the_rules(variant: Variant, setup: Setup | None) -> Position:
    """The position of the readable generator."""
    return setup.position(variant) if setup is not None else Position.start(variant)


@dataclass(frozen=True)
class Illegal:
    """A move that could not be played, or a position that could not be set up.

    Attributes:
        ply: its number in the game, from 1, 0 for the position at the start; in a variation, of the move in its place.
        text: the move as it was written.
        reason: why not, in one line that names the move.
        article: the article it breaks, None where there is none.
        order: the how many-th move of the text it is, from 0, those of variations counted too.
        in_variation: whether it stands in a variation.
    """

    ply: int
    text: str
    reason: str
    article: str | None
    order: int
    in_variation: bool

    def __str__(self) -> str:
        if not self.ply:
            return self.reason
        where = " in a variation" if self.in_variation else ""
        return f"ply {self.ply}{where}: {self.reason}"


@dataclass(frozen=True)
class Replay(Generic[P]):
    """A game played over.

    Attributes:
        variant: the variant, None for a game that is not among ours or that nothing names; nothing is played then.
        inferred: whether it follows from the moves and not from the tags.
        other: what the game is called where `variant` is None: that of another kind of draughts, or `UNKNOWN`.
        positions: every position of the game from the start to the last legal move, without variations.
        moves: the legal moves between them.
        illegal: what could not be played: at most one in the game and one in each variation.
    """

    variant: Variant | None
    inferred: bool = False
    other: str = ""
    positions: tuple[P, ...] = ()
    moves: tuple[Move, ...] = ()
    illegal: tuple[Illegal, ...] = ()

    @property
    def fault(self) -> Illegal | None:
        """What ended the game before its last move, None where all its moves are legal."""
        return next((illegal for illegal in self.illegal if not illegal.in_variation), None)


def replay(
    game: PdnGame,
    variant: Variant | None = None,
    maker: Maker[Any] = by_the_rules,
    on_move: OnMove | None = None,
) -> Replay[Any]:
    """Play a game over.

    Args:
        variant: what is played where the tags do not say.
        maker: makes the positions.
        on_move: called with every legal move before it is made, those of variations too.
    """
    kind = kind_of(game)
    if kind.other:
        return Replay(None, other=kind.other)
    known = kind.variant or variant
    if known is not None:
        return _Playing(known, maker, on_move).replay(game)
    found = _inferred(game, maker)
    if found.variant is None or (on_move is None and not any(ply.remarks for ply in game.line.plies)):
        return found
    return _Playing(found.variant, maker, on_move, inferred=True).replay(game)


def _inferred(game: PdnGame, maker: Maker[Any]) -> Replay[Any]:
    """The first variant that replays a game whose tags do not name it; without one, the variant that gets farthest."""
    squares = named_squares(game)
    small = may_be_another(squares)
    if small and not (game.line.plies and any(square.isdecimal() for square in squares)):
        return Replay(None, other=UNKNOWN)
    best: Replay[Any] | None = None
    for variant in VARIANTS:
        if fits(variant.board, squares):
            tried = _Playing(variant, maker, inferred=True).replay(game, variations=False)
            if not tried.illegal:
                return tried
            if best is None or len(tried.moves) > len(best.moves):
                best = tried
    if best is None or small:
        return Replay(None, other=UNKNOWN)
    return best


@dataclass
class _Playing:
    """One replay under way."""

    variant: Variant
    maker: Maker[Any]
    on_move: OnMove | None = None
    inferred: bool = False
    illegal: list[Illegal] = field(default_factory=list)
    order: int = 0  # of the next move of the text

    def replay(self, game: PdnGame, variations: bool = True) -> Replay[Any]:
        """Play the whole game."""
        self.variations = variations
        try:
            setup = fen.parse(self.variant, game.fen) if game.fen is not None else None
            start = self.maker(self.variant, setup)
        except PositionError as error:
            self.illegal.append(Illegal(0, "", f"the tag FEN: {error}", None, 0, False))
            return self._result((), ())
        positions, played = self._line(game.line, start, 1, False)
        return self._result(tuple(positions), tuple(played))

    def _result(self, positions: tuple[Any, ...], played: tuple[Move, ...]) -> Replay[Any]:
        illegal = tuple(sorted(self.illegal, key=lambda found: found.order))
        return Replay(self.variant, self.inferred, "", positions, played, illegal)

    def _line(self, line: Line, position: Any, ply: int, in_variation: bool) -> tuple[list[Any], list[Move]]:
        """Play a line whose first move has the number `ply`; where a move is illegal the rest of it is counted only."""
        position = self._remarks(line.remarks, position, None, ply, in_variation)
        positions, played = [position], []
        for place, move_text in enumerate(line.plies):
            before, move = position, None
            if position is not None:
                move = self._read(position, line.plies, place, ply + place, in_variation)
                if move is not None and self.on_move is not None:
                    self.on_move(self.order, position, move)
                position = position.play(move) if move is not None else None
            self.order += 1
            if move_text.remarks:
                position = self._remarks(move_text.remarks, position, before, ply + place, in_variation)
            if move is not None:
                played.append(move)
                positions.append(position)
        return positions, played

    def _remarks(
        self, remarks: Iterable[str | Line | SetUp], position: Any, before: Any, ply: int, in_variation: bool
    ) -> Any:
        """Play what hangs on a move, which was made in `before` and led to `position`; the position to go on from."""
        for remark in remarks:
            if isinstance(remark, Line) and self.variations:
                self._line(remark, before, ply, True)
            elif isinstance(remark, SetUp):
                try:
                    position = self.maker(self.variant, fen.parse(self.variant, remark.fen))
                except PositionError as error:
                    position = None
                    reason = f"the position set up after it: {error}"
                    self.illegal.append(Illegal(ply, "", reason, None, max(self.order - 1, 0), in_variation))
        return position

    def _read(self, position: Any, plies: tuple[Ply, ...], place: int, ply: int, in_variation: bool) -> Move | None:
        """The move at this place of a line, None where there is none that the rules allow."""
        text = plies[place].text
        try:
            try:
                return moves.read(position, text)
            except AmbiguousMoveError as error:
                move = _the_one_that_lasts(position, error, plies, place)
                if move is None:
                    raise
                return move
        except MoveError as error:
            article = error.article if isinstance(error, IllegalMoveError) else None
            self.illegal.append(Illegal(ply, text, str(error), article, self.order, in_variation))
            return None


def _the_one_that_lasts(position: Any, error: AmbiguousMoveError, plies: tuple[Ply, ...], place: int) -> Move | None:
    """The move among those a text fits after which more of the line can be played than after any other."""
    trials = iter(range(MOST_TRIALS))
    candidates = [moves.read(position, text) for text in error.candidates]
    reached = [_reached(position.play(move), plies, place + 1, trials) for move in candidates]
    best = max(reached)
    return candidates[reached.index(best)] if reached.count(best) == 1 else None


def _reached(position: Any, plies: tuple[Ply, ...], place: int, trials: Iterator[int]) -> int:
    """The place of the first move from `place` on that cannot be played, or after the last that can."""
    while place < len(plies):
        try:
            position = position.play(moves.read(position, plies[place].text))
        except AmbiguousMoveError as error:
            candidates = [text for text in error.candidates if next(trials, None) is not None]
            following = (position.play(moves.read(position, text)) for text in candidates)
            return max((_reached(after, plies, place + 1, trials) for after in following), default=place)
        except MoveError:
            return place
        if any(isinstance(remark, SetUp) for remark in plies[place].remarks):
            return len(plies)
        place += 1
    return place
