"""One game over DXP: what has been played in what time, and whether it is over.

Both ends keep the game by themselves and nobody stands above them. So every move of the opponent is held against the
rules here, and so is what it says about the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.limits import GameClock, Limits
from turkengine.errors import IllegalMoveError, UnreadableMoveError
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind, Played, Record
from turkengine.rules.attempt import Attempt
from turkengine.rules.irregularity import explain
from turkengine.rules.move import Move
from turkengine.rules.position import Position as Law
from turkengine.rules.variant import Side
from turkengine.wire.dxp import codec, frames
from turkengine.wire.dxp.finished import FinishedGame, unfinished
from turkengine.wire.dxp.terms import SECONDS_WITHOUT_MINUTES, Terms


class DxpGame:
    """A game under way."""

    def __init__(
        self,
        start: KernelPosition,
        terms: Terms,
        ours: Side,
        names: Mapping[Side, str],
        set_up: bool = False,
        no_progress: int | None = None,
    ) -> None:
        """Begin a game.

        Args:
            start: the position that it begins with.
            terms: the time and the moves there are.
            ours: the side that we play.
            names: who plays each side.
            set_up: whether `start` is another position than that of every game.
            no_progress: plies without progress that make a draw, where the rules leave the number open.
        """
        self.terms, self.ours, self.names = terms, ours, names
        self._set_up, self._no_progress = set_up, no_progress
        self._positions = [start]
        self._moves: list[Move] = []
        self._texts: list[str] = []
        self._seconds: list[float] = []

    @property
    def position(self) -> KernelPosition:
        """What is on the board."""
        return self._positions[-1]

    @property
    def plies(self) -> int:
        """How many moves of both sides have been played."""
        return len(self._moves)

    @property
    def our_turn(self) -> bool:
        """Whether we are to move."""
        return self.position.side is self.ours

    def number(self, ply: int) -> str:
        """How the move of this index is counted: `1.` for the first one of whoever begins, `1...` for the answer."""
        count, side = self.counted(ply)
        return f"{count}{'.' if side is self._begins else '...'}"

    def counted(self, ply: int) -> tuple[int, Side]:
        """The number of the move of this index among those of its side, and the side, as a take-back names it."""
        place = ply + self._offset
        return place // 2 + 1, self._begins.opponent if place % 2 else self._begins

    @property
    def last(self) -> str:
        """The move played last, with its number."""
        return f"{self.number(self.plies - 1)} {self._texts[-1]}"

    def remaining(self, side: Side) -> float:
        """Seconds left to `side`; a game without minutes gives each move the same."""
        if not self.terms.minutes:
            return SECONDS_WITHOUT_MINUTES
        return self.terms.minutes * 60 - sum(self._seconds[self._first_ply(side) :: 2])

    def limits(self, passed: float, own: Limits) -> Limits:
        """What ends our search, `passed` seconds after our turn began; `own` limits hold beside the clock."""
        remaining = self.remaining(self.ours) - passed
        if not self.terms.minutes:
            move_time = remaining if own.move_time is None else min(remaining, own.move_time)
            return Limits(depth=own.depth, nodes=own.nodes, move_time=move_time)
        made = len(self._moves[self._first_ply(self.ours) :: 2])
        left = max(self.terms.moves - made, 1) if self.terms.moves else None
        clock = GameClock(remaining, moves=left)
        return Limits(depth=own.depth, nodes=own.nodes, move_time=own.move_time, clock=clock)

    # How it ends.

    def ending(self) -> Ending | None:
        """How the game is over by the rules, or by the number of moves agreed; None while it goes on."""
        outcome = self.position.outcome(self._no_progress)
        if outcome is not None:
            return Ending(EndingKind.RULES, outcome.winner, outcome.reason.value, outcome.article)
        if self.terms.moves and self.plies >= 2 * self.terms.moves:
            return unfinished(f"{self.terms.moves} moves are played")
        return None

    def claimed(self, reason: frames.EndReason) -> Ending:
        """How the game is over when the opponent says so. It is believed where it loses, and where we see it too."""
        seen = self.ending()
        if seen is not None and seen.has_result:
            return seen
        if reason is frames.EndReason.LOST:
            return Ending(EndingKind.RESIGNED, self.ours, "the opponent gives up")
        said = {frames.EndReason.DRAWN: "says that it is a draw", frames.EndReason.WON: "says that it has won"}.get(
            reason
        )
        if seen is None:
            return unfinished(f"the opponent {said or 'ends the game'}")
        return unfinished(f"{seen.reason}, and the opponent {said}") if said else seen

    def our_view(self, ending: Ending) -> frames.EndReason:
        """What we say of this ending."""
        if not ending.has_result:
            return frames.EndReason.UNKNOWN
        if ending.winner is None:
            return frames.EndReason.DRAWN
        return frames.EndReason.WON if ending.winner is self.ours else frames.EndReason.LOST

    def record(self, number: int, ending: Ending, fault: bool) -> FinishedGame:
        """The game with its end, for people and files."""
        start, control = self._positions[0], self.terms.control
        record = Record(
            variant=start.variant.name,
            white=self.names[Side.WHITE],
            black=self.names[Side.BLACK],
            fen=fen.write(start) if self._set_up else "",
            opening="",
            controls=(control, control),
            began="",
            seconds=round(sum(self._seconds), 3),
            moves=tuple(self._played()),
            incidents=(),
            ending=ending,
        )
        return FinishedGame(number, record, fault)

    def _played(self) -> Iterator[Played]:
        """Each move with the time it took, and what it left on the clock."""
        left = dict.fromkeys(Side, self.terms.minutes * 60)
        for position, text, seconds in zip(self._positions, self._texts, self._seconds, strict=False):
            side = position.side
            left[side] -= seconds
            clock = round(left[side], 4) if self.terms.minutes else None
            yield Played(side, text, seconds=round(seconds, 4), clock=clock)

    # What is played.

    def play(self, move: Move, seconds: float) -> None:
        """Play a legal move that took this time."""
        self._texts.append(moves.written(self.position, move))
        self._positions.append(self.position.play(move))
        self._moves.append(move)
        self._seconds.append(seconds)

    def take_back(self, number: int, side: Side) -> bool:
        """Go back to where `side` makes its move of this number, with both clocks; False where that never was."""
        ply = 2 * (number - 1) + (side is not self._begins) - self._offset
        if not 0 <= ply <= self.plies:
            return False
        del self._positions[ply + 1 :], self._moves[ply:], self._texts[ply:], self._seconds[ply:]
        return True

    def frame(self) -> frames.MoveFrame:
        """The move played last as it is sent."""
        move, seconds = self._moves[-1], self._seconds[-1]
        captured = tuple(sorted(square + 1 for square in move.captured))
        return frames.MoveFrame(round(seconds), move.origin + 1, move.target + 1, captured)

    def read(self, frame: frames.MoveFrame) -> Move:
        """The legal move that the opponent, whose turn it is, has sent.

        Raises:
            FrameError: it names a square that is not there.
            UnreadableMoveError: nothing stands where it begins.
            IllegalMoveError: it breaks a rule; the message names the article.
        """
        board = self.position.variant.board
        for square in (frame.origin, frame.target, *frame.captured):
            if not 1 <= square <= board.size:
                raise codec.FrameError(f"there is no square {square}; the squares are 1 to {board.size}")
        attempt = Attempt(frame.origin - 1, frame.target - 1, tuple(square - 1 for square in frame.captured))
        said = attempt.origin, attempt.target, sorted(attempt.captured or ())
        for move in self.position.legal_moves():
            if (move.origin, move.target, sorted(move.captured)) == said:
                return move
        written = ("x" if frame.captured else "-").join(
            board.names[square - 1] for square in (frame.origin, frame.target, *frame.captured)
        )
        irregularity = explain(self._law(), attempt)
        if irregularity.article is None:
            raise UnreadableMoveError(f"{written} is not a legal move; {irregularity.sentence}")
        raise IllegalMoveError(f"{written} is not a legal move; {irregularity.sentence}", irregularity.article)

    def _law(self) -> Law:
        """What is on the board for the readable rules, with the position before, which shows two moves in a row."""
        law: Law | None = None
        for position in self._positions[-2:]:
            law = Law(position.variant, position.cells, position.side, previous=law)
        assert law is not None, "a game has a position"
        return law

    @property
    def _offset(self) -> int:
        """A game that the other side begins lacks a first move."""
        return int(self._positions[0].side is not self._begins)

    @property
    def _begins(self) -> Side:
        return self.position.variant.begins

    def _first_ply(self, side: Side) -> int:
        return 0 if self._positions[0].side is side else 1
