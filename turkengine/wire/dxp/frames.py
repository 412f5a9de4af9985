"""The messages of DXP (DamExchange) as values. What they look like in bytes is in `codec.py`.

A value says only what a message says: whether a square exists or a position is legal is for whoever knows the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from turkengine.rules.variant import Side


class Acceptance(Enum):
    """What a follower says to a request."""

    ACCEPTED = "0"
    OTHER_VERSION = "1"
    NOT_THIS_GAME = "2"
    NO_GAME = "3"


class EndReason(Enum):
    """Why a game is over, as the sender sees it."""

    UNKNOWN = "0"
    LOST = "1"
    DRAWN = "2"
    WON = "3"


class BackAnswer(Enum):
    """What is said to the wish to take moves back."""

    ACCEPTED = "0"
    NOT_SUPPORTED = "1"
    REFUSED = "2"


@dataclass(frozen=True)
class GameRequest:
    """`R`: the initiator wants a game.

    Attributes:
        name: of the initiator.
        follower: the colour that the follower is to play.
        minutes: for each player and the whole game.
        moves: of each player after which the game ends, 0 for no such limit.
        position: the side to move and one letter a square as the Hub protocol writes them, None for the start.
    """

    name: str
    follower: Side
    minutes: float
    moves: int
    position: str | None = None


@dataclass(frozen=True)
class GameAccept:
    """`A`: the follower's answer to a request."""

    name: str
    code: Acceptance


@dataclass(frozen=True)
class MoveFrame:
    """`M`: a move, its squares as the board numbers them, from 1; the captured ones in any order."""

    seconds: int
    origin: int
    target: int
    captured: tuple[int, ...] = ()


@dataclass(frozen=True)
class GameEnd:
    """`E`: the game is over; `last` says that the sender wants no other one."""

    reason: EndReason
    last: bool


@dataclass(frozen=True)
class Chat:
    """`C`: a text for people."""

    text: str


@dataclass(frozen=True)
class BackRequest:
    """`B`: the wish to go back to where `side` makes its move of this number, the first move of a game being 1."""

    number: int
    side: Side


@dataclass(frozen=True)
class BackAccept:
    """`K`: the answer to that wish."""

    code: BackAnswer


Frame = GameRequest | GameAccept | MoveFrame | GameEnd | Chat | BackRequest | BackAccept
