"""A game over DXP that is over: its record, its one line for people, and its text for files."""

from __future__ import annotations

from dataclasses import dataclass, replace

from turkengine.games import variant_named
from turkengine.record.record import Ending, EndingKind, Record
from turkengine.record.scoresheet import pdn_of

EVENT = "DXP"


def unfinished(reason: str) -> Ending:
    """The ending of a game that nobody has won, and that is no draw."""
    return Ending(EndingKind.UNFINISHED, None, reason)


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over.

    Attributes:
        number: of the game, from 1.
        record: what has been played; it does not know the day.
        fault: whether it ended against the protocol or the rules.
    """

    number: int
    record: Record
    fault: bool

    @property
    def result(self) -> str:
        """As the game writes it, `*` where there is none."""
        return self.record.ending.result(variant_named(self.record.variant))

    @property
    def reason(self) -> str:
        """Why it is over, with the article where there is one."""
        ending = self.record.ending
        return f"{ending.reason} ({ending.article})" if ending.article[:1].isdigit() else ending.reason

    def __str__(self) -> str:
        players = ", ".join(f"{side.name.capitalize()} {name}" for side, name in self.record.names.items())
        count = (len(self.record.moves) + 1) // 2
        length = "1 move" if count == 1 else f"{count} moves"
        return f"game {self.number}: {self.result}, {self.reason} ({players}, {length})"

    def pdn(self, date: str) -> str:
        """The game as PDN, with the day on which it was played (2026.11.30)."""
        return pdn_of(replace(self.record, began=date.replace(".", "-")), EVENT, str(self.number))
