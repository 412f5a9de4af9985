"""A game that is over, or broken off, as plain data: what is stored, reported, and written to files.

Everything is text and numbers, so that a record needs nothing to be read again: no engine, no position, no clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from turkengine.notation.pdn.game import UNFINISHED
from turkengine.rules.variant import Side, Variant


class EndingKind(Enum):
    """How a game has ended. The value is the word in files."""

    RULES = "rules"  # the rules of the game say so
    TIME = "time"  # a move came too late
    TIMEOUT = "timeout"  # no move came; when it was stopped, the engine answered
    SILENCE = "silence"  # no move came, and no answer when it was stopped
    START = "start"  # an engine could not be started
    CRASH = "crash"  # an engine has ended in the middle of the game
    GARBAGE = "garbage"  # what an engine said is no move
    IRREGULARITY = "irregularity"  # a move against the rules, which forfeits the game
    ABANDONED = "abandoned"  # an engine has broken the game off
    RESIGNED = "resigned"  # an engine has given up
    AGREEMENT = "agreement"  # both players agreed on a draw
    ADJUDICATION = "adjudication"  # the scores of both engines have long said so
    TABLES = "tables"  # endgame tables give the result
    LENGTH = "length"  # the game has become too long
    UNFINISHED = "unfinished"  # it was broken off, so nobody has won; matches keep no game like that


FAULTS = frozenset(
    {
        EndingKind.TIME,
        EndingKind.TIMEOUT,
        EndingKind.SILENCE,
        EndingKind.START,
        EndingKind.CRASH,
        EndingKind.GARBAGE,
        EndingKind.IRREGULARITY,
        EndingKind.ABANDONED,
    }
)
"""Endings that say something about an engine and nothing about its play."""


@dataclass(frozen=True)
class Ending:
    """Why a game is over.

    Attributes:
        winner: None for a draw, and where there is no result.
        reason: one line for people.
        article: the number of the FMJD article, empty where none applies.
    """

    kind: EndingKind
    winner: Side | None
    reason: str
    article: str = ""

    @property
    def has_result(self) -> bool:
        """Whether somebody has won, or nobody could."""
        return self.kind is not EndingKind.UNFINISHED

    def result(self, variant: Variant) -> str:
        """The result as games of this variant write it, 2-0 or 1-0; `*` where there is none."""
        if not self.has_result:
            return UNFINISHED
        white_wins, draw, black_wins = variant.results
        return (black_wins, draw, white_wins)[self.halves]

    @property
    def halves(self) -> int:
        """The half points for White: 0, 1 or 2."""
        return 1 if self.winner is None else 2 if self.winner is Side.WHITE else 0


@dataclass(frozen=True)
class Played:
    """One move.

    Attributes:
        side: who has made it.
        text: from and to, with the whole path where that leaves a doubt.
        book: whether it belongs to the opening, which nobody has thought about.
        seconds: what it took.
        clock: what its player's clock shows after it.
        score: in hundredths of a man, from its player's view.
        fen: the position after an irregular move that the opponent let stand; empty for all others.
    """

    side: Side
    text: str
    book: bool = False
    seconds: float | None = None
    clock: float | None = None
    score: int | None = None
    depth: int | None = None
    nodes: int | None = None
    fen: str = ""


@dataclass(frozen=True)
class Incident:
    """Something the referee has noted.

    Attributes:
        ply: the number of the move in the game, from 1.
        side: whose it is.
        what: "overrun" or "irregularity".
        text: what happened, in one line.
        article: the number of the FMJD article, empty where none applies.
        late: the seconds of an overrun.
    """

    ply: int
    side: Side
    what: str
    text: str
    article: str = ""
    late: float = 0.0


@dataclass(frozen=True)
class Record:
    """One game.

    Attributes:
        variant: the name of the game played.
        white, black: names of the players.
        fen: where it began, empty for the usual position.
        opening: what the opening is called, empty where it has no name.
        controls: what White and Black could use, as text.
        began: when, in UTC (2026-11-30T09:18:00); empty where no clock was at hand.
        seconds: how long it took.
    """

    variant: str
    white: str
    black: str
    fen: str
    opening: str
    controls: tuple[str, str]
    began: str
    seconds: float
    moves: tuple[Played, ...]
    incidents: tuple[Incident, ...]
    ending: Ending

    @property
    def names(self) -> dict[Side, str]:
        """Who played each side."""
        return {Side.WHITE: self.white, Side.BLACK: self.black}

    def halves(self, name: str) -> int:
        """The half points of a player: 0, 1 or 2."""
        return self.ending.halves if name == self.white else 2 - self.ending.halves

    def as_data(self) -> dict[str, Any]:
        """The record as what JSON can hold; what is None or usual in a move is left out."""
        data = dict(vars(self))
        data["moves"] = [
            {
                name: value
                for name, value in vars(move).items()
                if value is not None and value is not False and value != ""
            }
            | {"side": move.side.value}
            for move in self.moves
        ]
        data["incidents"] = [vars(incident) | {"side": incident.side.value} for incident in self.incidents]
        winner = self.ending.winner
        data["ending"] = vars(self.ending) | {
            "kind": self.ending.kind.value,
            "winner": winner.value if winner is not None else None,
        }
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Record:
        """The record that `as_data` gave."""
        ending = data["ending"]
        winner = Side(ending["winner"]) if ending["winner"] else None
        values = data | {
            "controls": tuple(data["controls"]),
            "moves": tuple(Played(**(move | {"side": Side(move["side"])})) for move in data["moves"]),
            "incidents": tuple(Incident(**(item | {"side": Side(item["side"])})) for item in data["incidents"]),
            "ending": Ending(**(ending | {"kind": EndingKind(ending["kind"]), "winner": winner})),
        }
        return cls(**values)
