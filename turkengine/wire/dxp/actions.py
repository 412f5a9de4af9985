"""What a DXP session asks for, beside the searches that every session asks for.

The loop over sockets, or a test, carries these out in order. Nothing here acts.
"""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.wire.actions import NewGame, Quit, StartSearch, StopSearch
from turkengine.wire.dxp.finished import FinishedGame


@dataclass(frozen=True)
class Send:
    """Send one message, in a segment of its own: a widely used client loses what arrives together.

    Attributes:
        data: the message with its NUL.
    """

    data: bytes


@dataclass(frozen=True)
class Tell:
    """Show a line to whoever runs us; `detail` where most people would not want to see it."""

    line: str
    detail: bool = False


@dataclass(frozen=True)
class GameOver:
    """A game is over: show its line, and keep it."""

    record: FinishedGame


@dataclass(frozen=True)
class HangUp:
    """Close the connection once everything is sent; the session waits for the next one, unless `Quit` follows."""


DxpAction = Send | Tell | GameOver | HangUp | NewGame | StartSearch | StopSearch | Quit
