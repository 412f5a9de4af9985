"""What every client offers, whatever is behind it: positions in, one thought out, or one error with its reason.

    client = client_from("hub:turkengine hub")
    client.start(variant)
    client.new_game()
    thought = client.think(position, Limits(move_time=0.1), deadline=1.0)

A client belongs to one thread at a time; only `alive` and `log` have to do with others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from turkengine.engine.limits import Limits
from turkengine.engine.score import Score
from turkengine.errors import TurkengineError
from turkengine.rules.move import Move
from turkengine.rules.position import GamePosition, Position
from turkengine.rules.variant import Variant

Log = Callable[[str, str], None]  # the sign of who speaks, and the line


class ClientFault(Enum):
    """Why there is no move. The values are words for people and files."""

    START = "start"  # it cannot be started, does not greet, does not play the variant, does not take an option
    CRASH = "crash"  # its process has ended, its connection is closed
    TIMEOUT = "timeout"  # no answer in time; when it was stopped, it answered
    SILENCE = "silence"  # no answer in time, and none when it was stopped
    GARBAGE = "garbage"  # what it says is no part of its protocol, or no move at all
    ILLEGAL_MOVE = "illegal move"
    ABANDONED = "abandoned"  # it has ended the game without being lost, which only DXP has a message for


class ClientError(TurkengineError):
    """An engine has not done what was asked of it; the message is one line that names it and says what happened.

    Attributes:
        reason: what kind of fault it is.
        article: the FMJD article that an illegal move breaks, None where none applies.
        move_text: an illegal move, or what is no move at all, as the engine wrote it; `notation.moves.attempt_of` reads
            the former.
    """

    def __init__(
        self, reason: ClientFault, message: str, article: str | None = None, move_text: str | None = None
    ) -> None:
        super().__init__(message)
        self.reason, self.article, self.move_text = reason, article, move_text


@dataclass(frozen=True)
class Thought:
    """The answer to one question.

    Attributes:
        move: a legal move of the position asked about; None where the engine says that it has none or gives up.
        depth: plies of the deepest iteration reported; None where nothing was, as for the next two.
        nodes: moves made in the search.
        score: of the last line reported that is no mere bound, from the side to move.
        seconds: wall time from the order to the answer, measured here.
        find_line, find_both: give `line`, and the move with the reply that it expects. They are read when somebody
            asks: a match does not, and it would take longer than all the rest of the answer.
    """

    move: Move | None
    depth: int | None = None
    nodes: int | None = None
    score: Score | None = None
    seconds: float = 0.0
    find_line: Callable[[], tuple[Move, ...]] = field(default=tuple, compare=False, repr=False)
    find_both: Callable[[], tuple[Move, ...]] = field(default=tuple, compare=False, repr=False)

    @cached_property
    def line(self) -> tuple[Move, ...]:
        """That line as far as it is legal, `move` first in most cases."""
        return self.find_line()

    @cached_property
    def ponder(self) -> Move | None:
        """The reply that the engine expects, legal after `move`; None where it names none."""
        both = self.find_both()
        return both[1] if len(both) > 1 else None


class Client(Protocol):
    """One engine.

    Attributes:
        name: as it was configured, else as the engine calls itself; what it was configured by, before the start.
        log: called with each line: ">" what is sent, "<" what comes, "!" what comes on standard error. It is called
            from several threads, must be quick and must not raise. May be set at any time.
    """

    name: str
    log: Log | None

    def start(self, variant: Variant) -> None:
        """Make ready to play `variant`. Does nothing where that is done; starts again what has crashed.

        Raises:
            ClientError: with `ClientFault.START`.
        """

    def new_game(self) -> None:
        """The next position is of another game than the last one. Starts again what has crashed.

        Raises:
            ClientError: it cannot be started again, or it does not get ready.
        """

    def think(self, position: GamePosition, limits: Limits, deadline: float | None = None) -> Thought:
        """Ask for a move, and wait for it.

        An engine that has failed is stopped, or its process killed: it never thinks on after this call.

        Args:
            position: what is on the board, its history in `previous`; of any class, and used as it is.
            limits: what the engine is sent; nothing here enforces them.
            deadline: seconds after the order at which waiting ends; None is for ever.

        Raises:
            ClientError: there is no move, or none that the rules allow.
        """

    def game_over(self, position: Position) -> None:
        """The game has ended here, by whatever rule. Programs that keep it themselves are sent the last move and the
        end; the others need not know. Never fails.
        """

    def alive(self) -> bool:
        """Whether it is there to be asked: started, and neither crashed nor closed."""

    def close(self) -> None:
        """End it, whatever it does. May be called twice; `start` starts it again."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@runtime_checkable
class KeepsGame(Client, Protocol):
    """A client whose program keeps the game itself, so that moves can be taken back only if it agrees."""

    def give_up(self) -> None:
        """Tell it that our side has given up. Never fails."""

    def take_back(self, position: Position) -> str:
        """Ask it to go back to `position`, the one before our last move and its answer.

        Returns:
            Why the game does not go back, empty where it does or where none is on.

        Raises:
            ClientError: it has failed.
        """
