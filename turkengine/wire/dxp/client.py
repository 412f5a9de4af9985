"""DXP from the side of whoever asks another program for moves: one game after another over one connection.

`dxp.py` plays games of its own and needs an opponent; here both players are somebody else, the one at the other end
and the one whose moves are sent there. We are the initiator, the other end follows:

    IDLE --request--> ASKED --accepted--> OURS <--its move, our move--> THEIRS
                          OURS or THEIRS --the end is said--> ENDING --it is confirmed--> IDLE

A session takes messages and returns events and messages to be sent. A message that makes no sense in its place is an
event like any other, and what the other program wants of us (a game, a move back) is refused. We may ask it to take
moves back; until it has answered nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from turkengine import __version__
from turkengine.engine.kernel_types import Kernel
from turkengine.engine.limits import Limits
from turkengine.errors import IllegalMoveError, MoveError
from turkengine.notation import hub
from turkengine.rules.move import Move
from turkengine.rules.position import GamePosition, Position
from turkengine.rules.variant import Side, Variant
from turkengine.wire.dxp import codec, frames
from turkengine.wire.dxp.actions import Send
from turkengine.wire.dxp.game import DxpGame
from turkengine.wire.dxp.terms import SQUARES, Terms

USUAL_MINUTES = Terms().minutes  # where the limits hold no time
MOVES_OF_A_GAME = 75  # that a time for each move is counted with, since only a game has a time here

REFUSALS = {
    frames.Acceptance.OTHER_VERSION: "it does not speak version 1 of the protocol",
    frames.Acceptance.NOT_THIS_GAME: "it refuses this game; is it set to the same variant, colours and time?",
    frames.Acceptance.NO_GAME: "it refuses all games",
}


class DxpClientState(Enum):
    """How far the session has come."""

    IDLE = "idle"
    ASKED = "asked"
    OURS = "ours"
    THEIRS = "theirs"
    ENDING = "ending"


@dataclass(frozen=True)
class Accepted:
    """The game is on."""


@dataclass(frozen=True)
class Refused:
    """There will be no game; `why` begins with "it"."""

    why: str


@dataclass(frozen=True)
class Moved:
    """It has made a legal move."""

    move: Move


@dataclass(frozen=True)
class Broken:
    """It has said what no game can go on with.

    Attributes:
        why: in words.
        article: the FMJD article that its move breaks, None where none applies.
        move: what it wanted to play, None where that was no move.
    """

    why: str
    article: str | None = None
    move: str | None = None


@dataclass(frozen=True)
class Over:
    """It has ended the game, or confirmed the end.

    Attributes:
        reason: as it sees it.
        last: whether it wants no other game.
    """

    reason: frames.EndReason
    last: bool


@dataclass(frozen=True)
class TakenBack:
    """It has answered the wish to take moves back; where it agrees, the game has gone back."""

    agreed: bool


Happening = Accepted | Refused | Moved | Broken | Over | TakenBack | Send


class DxpClientSession:
    """The games that one other program plays for us.

    Attributes:
        state: how far it has come.
        opponent: the name of the other program, empty until it has said it.
        strange: the last thing that it wanted and that was refused or ignored.
    """

    def __init__(self, variant: Variant, load: Callable[[Variant], Kernel], name: str = "") -> None:
        """Begin with a new connection.

        Args:
            variant: what is played; the other end has to be set to the same.
            load: gives the kernel of a variant, whose positions are used.
            name: of whoever it plays against.
        """
        self.state = DxpClientState.IDLE
        self.opponent = ""
        self.strange: str | None = None
        self._variant, self._load = variant, load
        self._name = name or f"turkengine {__version__}"
        self._game: DxpGame | None = None
        self._board: GamePosition | None = None  # what is on it, with the history that we were given
        self._wish: frames.BackRequest | None = None  # that has not been answered

    # What is said.

    def request(self, position: GamePosition, limits: Limits) -> list[Send]:
        """Ask for a game in which the other side is to move in `position`, at once or after the move that led there."""
        assert self.state is DxpClientState.IDLE, "one game at a time"
        start = position.previous or position
        ours = position.side.opponent
        maker = self._load(self._variant).Position
        begun = maker.from_cells(start.cells, start.side)
        usual = start.cells == maker.start().cells and start.side is maker.start().side
        described = None if usual and self._variant.board.size == SQUARES else hub.write_hub(begun)
        terms = Terms(minutes_for(limits), 0)
        self._game = DxpGame(begun, terms, ours, dict.fromkeys(Side, self._name), described is not None)
        self._board = start
        self.state, self.strange, self._wish = DxpClientState.ASKED, None, None
        return [self._send(frames.GameRequest(self._name, ours.opponent, terms.minutes, terms.moves, described))]

    def follows(self, position: GamePosition) -> bool:
        """Whether the game that is on comes to `position` by our next move."""
        return self.state is DxpClientState.OURS and position.previous == self._board

    def play(self, position: GamePosition, seconds: float) -> list[Send]:
        """Send the move that leads to `position` and took this time; nothing where the board shows it already."""
        assert self._game is not None
        assert self._board is not None
        if position == self._board:
            return []
        if position.move is None or position.previous != self._board:
            raise ValueError("the positions do not follow each other by a move")
        self._game.play(position.move, seconds)
        self._board, self.state = position, DxpClientState.THEIRS
        return [self._send(self._game.frame())]

    def take_back(self, position: Position) -> list[Send]:
        """Ask to go back to `position`, in which we made our last move; nothing where that is not its game's."""
        board, game = self._board, self._game
        if (
            self.state is not DxpClientState.OURS
            or game is None
            or game.plies < 2
            or board is None
            or board.previous is None
        ):
            return []
        if board.previous.previous != position:
            return []
        self._wish = frames.BackRequest(*game.counted(game.plies - 2))
        return [self._send(self._wish)]

    def end(self, why: str = "", given_up: bool = False) -> list[Send]:
        """End the game that is on; `why` is shown to the people at the other end; where we have `given_up` we lose."""
        if self._game is None or self.state not in (DxpClientState.OURS, DxpClientState.THEIRS):
            return []
        seen = self._game.ending()
        reason = frames.EndReason.UNKNOWN if seen is None or why else self._game.our_view(seen)
        if given_up:
            reason = frames.EndReason.LOST
        self.state = DxpClientState.ENDING
        told = [self._send(frames.Chat(why))] if why else []
        return [*told, self._send(frames.GameEnd(reason, last=False))]

    # What comes.

    def receive(self, data: bytes | None) -> list[Happening]:
        """A message has come, without its NUL; None for one that was too long to be kept."""
        try:
            if data is None:
                raise codec.FrameError(f"it has more than {codec.LONGEST_FRAME} bytes")
            frame = codec.decode(data)
        except codec.FrameError as error:
            return [Broken(f"a message cannot be read: {error}")]
        match frame:
            case frames.GameAccept():
                return self._accepted(frame)
            case frames.MoveFrame():
                return self._moved(frame)
            case frames.GameEnd(reason, last):
                return self._ended(reason, last)
            case frames.GameRequest():
                self.strange = "it asks for a game itself; it has to follow"
                return [self._send(frames.GameAccept(self._name, frames.Acceptance.NOT_THIS_GAME))]
            case frames.BackRequest():
                self.strange = "it wants to take a move back"
                return [self._send(frames.BackAccept(frames.BackAnswer.REFUSED))]
            case frames.BackAccept(code):
                return self._answered(code)
            case frames.Chat():
                return []

    def _accepted(self, frame: frames.GameAccept) -> list[Happening]:
        if self.state is not DxpClientState.ASKED or self._game is None:
            return []
        self.opponent = frame.name
        if frame.code is not frames.Acceptance.ACCEPTED:
            self.state = DxpClientState.IDLE
            return [Refused(REFUSALS[frame.code])]
        self.state = DxpClientState.OURS if self._game.our_turn else DxpClientState.THEIRS
        return [Accepted()]

    def _moved(self, frame: frames.MoveFrame) -> list[Happening]:
        if self.state not in (DxpClientState.OURS, DxpClientState.THEIRS) or self._game is None or self._board is None:
            return []
        if self.state is DxpClientState.OURS:
            return [Broken("5.4.1: it moves out of turn", "5.4.1")]
        try:
            move = self._game.read(frame)
        except codec.FrameError as error:
            return [Broken(f"a move cannot be read: {error}")]
        except MoveError as error:
            names = self._variant.board.names
            squares = [names[square - 1] for square in (frame.origin, frame.target, *frame.captured)]
            text = ("x" if frame.captured else "-").join(squares)
            return [Broken(str(error), error.article if isinstance(error, IllegalMoveError) else None, text)]
        self._game.play(move, 0.0)
        self._board, self.state = self._board.play(move), DxpClientState.OURS
        return [Moved(move)]

    def _answered(self, code: frames.BackAnswer) -> list[Happening]:
        """The answer to our wish; one that comes unasked, or too late, says nothing."""
        wish, self._wish = self._wish, None
        if wish is None or self.state is not DxpClientState.OURS or self._game is None or self._board is None:
            return []
        if code is not frames.BackAnswer.ACCEPTED:
            return [TakenBack(False)]
        taken = self._game.take_back(wish.number, wish.side)
        assert taken, "we have asked for a move of the game"
        assert self._board.previous is not None
        self._board = self._board.previous.previous
        return [TakenBack(True)]

    def _ended(self, reason: frames.EndReason, last: bool) -> list[Happening]:
        confirms = self.state is DxpClientState.ENDING
        playing = self.state in (DxpClientState.OURS, DxpClientState.THEIRS)
        self.state = DxpClientState.IDLE
        answer = [self._send(frames.GameEnd(frames.EndReason.UNKNOWN, last))] if playing else []
        return [*answer, Over(reason, last)] if playing or confirms or last else []

    def _send(self, frame: frames.Frame) -> Send:
        return Send(codec.encode(frame))


def minutes_for(limits: Limits) -> float:
    """The minutes of a game that come closest to the limits, never more than they say, and that a message can hold.

    An increment is not counted, and a time for each move is given for as many moves as games usually have.
    """
    if limits.clock is not None:
        minutes = limits.clock.remaining / 60
    elif limits.move_time is not None:
        minutes = limits.move_time * MOVES_OF_A_GAME / 60
    else:
        return USUAL_MINUTES
    if minutes >= 10:
        return float(min(int(minutes), codec.MOST_MINUTES))
    scale = 10 if minutes >= 1 else 100
    return max(int(minutes * scale + 1e-6) / scale, 0.01)
