"""A game over DXP that is over: its one line for people, and its text for files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from turkengine.rules.variant import Side, Variant
from turkengine.wire.dxp.terms import Terms

UNFINISHED = "*"
PDN_WIDTH = 100


@dataclass(frozen=True)
class Ending:
    """How a game is over.

    Attributes:
        reason: why, in words.
        finished: whether there is a result.
        winner: the side that has won; None with a result is a draw.
    """

    reason: str
    finished: bool = False
    winner: Side | None = None


@dataclass(frozen=True)
class Record:
    """A game that is over.

    Attributes:
        number: of the game, from 1.
        terms: what it was played for.
        start: the FEN that it began with, None for the start of every game.
        names: who played each side.
        first: the side that moved first.
        moves, seconds: each move as text, and the time it took.
        result: as the game writes it, `*` where there is none.
        reason: why it is over.
        fault: whether it ended against the protocol or the rules.
    """

    number: int
    variant: Variant
    terms: Terms
    start: str | None
    names: Mapping[Side, str]
    first: Side
    moves: tuple[str, ...]
    seconds: tuple[float, ...]
    result: str
    reason: str
    fault: bool

    def __str__(self) -> str:
        players = ", ".join(f"{side.name.capitalize()} {name}" for side, name in self.names.items())
        count = (len(self.moves) + 1) // 2
        length = "1 move" if count == 1 else f"{count} moves"
        return f"game {self.number}: {self.result}, {self.reason} ({players}, {length})"

    def pdn(self, date: str) -> str:
        """The game as PDN, with the day on which it was played (2026.11.30)."""
        tags = {
            "Event": "DXP",
            "Date": date,
            "Round": str(self.number),
            "White": self.names[Side.WHITE],
            "Black": self.names[Side.BLACK],
            "Result": self.result,
            **({"GameType": self.variant.game_type} if self.variant.game_type else {}),
            "Variant": self.variant.name,
            **({"TimeControl": self._time_control} if self.terms.minutes else {}),
            "Termination": self.reason,
            **({"SetUp": "1", "FEN": self.start} if self.start is not None else {}),
        }
        head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
        return f"{head}\n{_wrapped([*self._movetext(), self.result])}\n\n"

    @property
    def _time_control(self) -> str:
        seconds = f"{self.terms.minutes * 60:g}"
        return f"{self.terms.moves}/{seconds}" if self.terms.moves else seconds

    def _movetext(self) -> list[str]:
        words = []
        offset = 0 if self.first is Side.WHITE else 1
        for place, (move, seconds) in enumerate(zip(self.moves, self.seconds, strict=True), start=offset):
            if place % 2 == 0:
                words.append(f"{place // 2 + 1}.")
            elif place == offset:
                words.append(f"{place // 2 + 1}...")
            words += [move, f"{{[%emt {seconds:.2f}]}}"]
        return words


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: list[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > PDN_WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)
