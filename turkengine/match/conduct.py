"""How games are conducted where the rules of the game leave it to the organiser: margins, patience, adjudication.

Adjudication ends games whose result is no longer in doubt, to save time. It goes by endgame tables, or by what *both*
engines say, so an engine that judges badly, or lies, decides nothing alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from turkengine.errors import EndgameError, OptionError, shown
from turkengine.record.record import Ending, EndingKind, Played
from turkengine.rules.variant import Side, Variant

if TYPE_CHECKING:
    from turkengine.endgame.arbiter import Arbiter


class Policy(Enum):
    """What the opponent of an engine that makes an irregular move chooses (FMJD 5.4)."""

    FORFEIT = "forfeit"  # the game
    RECTIFY = "rectify"  # the move: the engine is asked once more, its clock running
    STAND = "stand"  # it stands, and the game goes on from there


@dataclass(frozen=True)
class DrawRule:
    """A draw once both engines have seen at most `score` hundredths for `plies` plies, from ply `after` on."""

    score: int
    plies: int
    after: int = 0

    @classmethod
    def read(cls, text: str) -> DrawRule:
        """From `SCORE,PLIES[,AFTER]`, the score in hundredths of a man.

        Raises:
            OptionError: it is not written so.
        """
        numbers = _numbers(text, 2, 3)
        if numbers is None:
            raise OptionError(f"{shown(text)} is not a rule for draws; write SCORE,PLIES[,AFTER], as in 10,20,80")
        return cls(*numbers)


@dataclass(frozen=True)
class ResignRule:
    """A loss once a side has seen -`score` hundredths or less, and its opponent `score` or more, for `plies` plies."""

    score: int
    plies: int

    @classmethod
    def read(cls, text: str) -> ResignRule:
        """From `SCORE,PLIES`, the score in hundredths of a man.

        Raises:
            OptionError: it is not written so.
        """
        numbers = _numbers(text, 2, 2)
        if numbers is None:
            raise OptionError(f"{shown(text)} is not a rule for giving up; write SCORE,PLIES, as in 500,8")
        return cls(*numbers)


@dataclass(frozen=True)
class TableRule:
    """The result that endgame tables give, as soon as they know the position.

    Attributes:
        pieces: the most that are looked up.
        folder: of tables beside those that come with the program; the user's own if None.
        endings: the names of those known; wherever a game of the match is played they have to be the same.
    """

    pieces: int
    folder: Path | None
    endings: tuple[str, ...]

    @classmethod
    def found(cls, variant: Variant, pieces: int, folder: Path | None = None) -> TableRule:
        """The rule by the tables that are at hand here.

        Raises:
            EndgameError: one cannot be used, or there is none of so many pieces.
        """
        return cls(pieces, folder, _arbiter(variant, pieces, folder).endings)

    def arbiter(self, variant: Variant) -> Arbiter:
        """Whom to ask.

        Raises:
            EndgameError: the tables are not those of the match.
        """
        arbiter = _arbiter(variant, self.pieces, self.folder)
        for name in sorted(set(self.endings) ^ set(arbiter.endings)):
            here = "is missing here; copy it" if name in self.endings else "is one more here; take it away"
            raise EndgameError(f"the endgame tables have to be those that the match goes by, and {name} {here}")
        return arbiter


@cache
def _arbiter(variant: Variant, pieces: int, folder: Path | None) -> Arbiter:
    from turkengine.endgame.arbiter import Arbiter  # late: games between people need no kernel

    return Arbiter(variant, pieces, folder)


@dataclass(frozen=True)
class Conduct:
    """What the organiser has decided for all games.

    Attributes:
        margin: seconds by which a game clock may be overrun without a loss.
        move_margin: the same for a fixed time for each move, which many programs meet only roughly.
        patience: seconds to wait for a move that no time limits.
        no_progress: plies without progress that make a draw, where the game leaves the number open; 0 for never,
            None for the usual number.
        longest: plies after which the game is a draw, None for never.
        draw, resign: when scores decide, None for never.
        irregularity: what follows a move against the rules.
        tables: when endgame tables decide, None for never.
    """

    margin: float = 0.0
    move_margin: float = 0.1
    patience: float = 60.0
    no_progress: int | None = None
    longest: int | None = None
    draw: DrawRule | None = None
    resign: ResignRule | None = None
    irregularity: Policy = Policy.FORFEIT
    tables: TableRule | None = None

    def adjudicate(self, moves: Sequence[Played]) -> Ending | None:
        """The end that scores or length have brought about after the last move."""
        if self.longest is not None and len(moves) >= self.longest:
            return Ending(EndingKind.LENGTH, None, f"{self.longest} plies are played")
        draw, resign = self.draw, self.resign
        if draw is not None and len(moves) >= max(draw.after, draw.plies):
            last = moves[-draw.plies :]
            if all(move.score is not None and abs(move.score) <= draw.score for move in last):
                reason = f"no score above {draw.score / 100:.2f} for {draw.plies} plies"
                return Ending(EndingKind.ADJUDICATION, None, reason)
        if resign is not None and len(moves) >= resign.plies:
            last = moves[-resign.plies :]
            for loser in Side:
                if all(
                    move.score is not None and (-move.score if move.side is loser else move.score) >= resign.score
                    for move in last
                ):
                    reason = f"both see {loser.name.capitalize()} lost for {resign.plies} plies"
                    return Ending(EndingKind.ADJUDICATION, loser.opponent, reason)
        return None


def _numbers(text: str, least: int, most: int) -> list[int] | None:
    parts = text.split(",")
    if not least <= len(parts) <= most or not all(part.strip().isdecimal() and len(part) < 10 for part in parts):
        return None
    numbers = [int(part) for part in parts]
    return numbers if numbers[1] > 0 else None
