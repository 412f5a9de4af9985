"""The Hub protocol, version 1, from the side of whoever drives an engine. Scan 2.0 speaks it.

Lines of plain words, times in milliseconds, scores in hundredths of a man; one game, and no way to say what can be
set. The limits are taken back by each position.

    hub -> name ..., author ..., country ..., wait      set NAME VALUE ...      init -> ready
    pos, move ..., time or level or depth, go -> info ..., move M [PONDER]
"""

from __future__ import annotations

from typing import ClassVar

from turkengine.engine.limits import Limits
from turkengine.errors import OptionError
from turkengine.notation import hub, moves
from turkengine.rules.position import GamePosition
from turkengine.wire.client_session import (
    LONGEST_WORDS,
    Answered,
    ClientSession,
    Complained,
    Event,
    Found,
    Greeted,
    InStep,
    Ready,
    score_of_hundredths,
)
from turkengine.wire.words import one_line

MILLISECONDS = 1000
LONGEST = 10**9  # ms, for as long as it takes


class Hub1ClientSession(ClientSession):
    """A conversation in Hub 1."""

    dialect: ClassVar[str] = "hub1"
    declares: ClassVar[bool] = False
    variant_parameter: ClassVar[str] = "variant"
    new_game_line: ClassVar[str] = "new"

    def setting_line(self, name: str, value: str) -> str:
        """A `set` line."""
        return f"set {name} {value}"

    def order_lines(self, position: GamePosition, limits: Limits) -> list[str]:
        """The last position that cannot come back, the moves since, each on a line, the limits, and the order.

        Raises:
            OptionError: the limits cannot be said, so that the search would never end.
        """
        if not _levels(limits) and not (limits.ponder or limits.analysis):
            raise OptionError("Hub 1 has no word for a number of nodes; give a time or a depth")
        played: list[str] = []
        start: GamePosition = position
        while start.previous is not None and start.move is not None and start.no_progress > 0:
            played.append(f"move {moves.hub(start.previous, start.move)}")
            start = start.previous
        placed = hub.write_hub(start)
        order = "ponder" if limits.ponder else "analyse" if limits.analysis else "go"
        return [f"pos {placed[0].lower()}{placed[1:]}", *reversed(played), *_levels(limits), order]

    def understand(self, word: str, text: str) -> Event | None:
        """A line of Hub 1."""
        words = text.split()
        match word:
            case "name":
                self.name = one_line(text)[:LONGEST_WORDS]
            case "author" | "country" | "info":
                pass
            case "wait":
                return Greeted()
            case "ready":
                return Ready()
            case "pong":
                return InStep()
            case "move":
                move, ponder = (*words, None, None)[:2]
                return Answered(move, ponder, self.found())
            case "error":
                return Complained(one_line(text))
            case "id" | "param" if not self.name:  # words of the second version
                self.seems = "hub"
                raise ValueError(word)
            case _:
                raise ValueError(word)
        return None

    def read_report(self, text: str) -> Found | None:
        """Depth, mean depth, score, nodes, seconds, million nodes a second, line."""
        words = text.split()
        try:
            depth, score, nodes = int(words[0]), int(words[2]), int(words[3])
        except (ValueError, IndexError):
            return None
        return Found(depth, nodes, score_of_hundredths(score), tuple(words[6:]))


def _levels(limits: Limits) -> list[str]:
    """The dialect has no word for nodes."""
    lines = [] if limits.depth is None else [f"depth {limits.depth}"]
    if limits.move_time is not None:
        lines.append(f"time {round(limits.move_time * MILLISECONDS)}")
    elif limits.clock is not None:
        remaining, increment = (
            round(seconds * MILLISECONDS) for seconds in (limits.clock.remaining, limits.clock.increment)
        )
        lines.append(f"level {limits.clock.moves or 0} {max(remaining, 0)} {increment}")
    elif limits.infinite:
        lines.append(f"time {LONGEST}")
    return lines
