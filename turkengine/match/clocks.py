"""What a player may use for its moves, and the clock that keeps count.

A time control is written as tournaments write it: `60+0.5` is 60 seconds for the game and half a second added for each
move, `40/300` is 300 seconds for every 40 moves, `2:30+1` the same with minutes. Where people play, a number without a
unit is minutes: `5+3` is five minutes and three seconds a move. A fixed time, a depth or a number of nodes for each
move can stand in its place or beside it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from turkengine.engine.limits import GameClock, Limits
from turkengine.errors import OptionError, shown

GRACE = 1.0  # s after which an engine that is out of time is no longer waited for; until then its lateness is measured
LONGEST_TIME = 1e7  # s

_WRITTEN = re.compile(
    r"(?:(?P<moves>\d{1,4})/)?(?:(?P<minutes>\d{1,6}):)?(?P<seconds>\d{0,8}(?:\.\d+)?)(?:\+(?P<inc>\d{0,8}(?:\.\d+)?))?"
)


@dataclass(frozen=True)
class TimeControl:
    """What one player may use. At least one of `time`, `move_time`, `nodes` and `depth` is given.

    Attributes:
        time: seconds on the clock at the start.
        increment: seconds added after each move.
        moves: after so many moves `time` is added again; None where it is for the whole game.
        move_time: seconds for each move.
        nodes, depth: of each search.
    """

    time: float | None = None
    increment: float = 0.0
    moves: int | None = None
    move_time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.time is self.move_time is self.nodes is self.depth is None:
            raise OptionError("a player needs a limit: a clock (1+0.02), a time for each move, nodes or a depth")
        for name in ("time", "move_time", "nodes", "depth", "moves"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= LONGEST_TIME * 1e6:
                raise OptionError(f"the {name.replace('_', ' ')} {value:g} cannot be played; give more than 0")
        if self.increment < 0 or (self.time is not None and self.time > LONGEST_TIME):
            raise OptionError(f"the clock {self} cannot be played; give up to {LONGEST_TIME:g} seconds")

    @classmethod
    def read(cls, text: str, in_minutes: bool = False) -> TimeControl:
        """The clock that a text like `40/60+0.5` describes.

        Args:
            in_minutes: whether the first number, where it has no unit, is minutes; the increment is always seconds.

        Raises:
            OptionError: it describes none.
        """
        found = _WRITTEN.fullmatch(text.strip())
        if found is None or not (found["minutes"] or found["seconds"]) or found["inc"] == "":
            form = (
                "[MOVES/]MINUTES[+SECONDS], as in 5+3 or 0:30"
                if in_minutes
                else "[MOVES/]SECONDS[+INCREMENT], as in 1+0.02"
            )
            raise OptionError(f"{shown(text)} is not a time control; write {form}")
        time = 60 * int(found["minutes"] or 0) + float(found["seconds"] or 0)
        if in_minutes and found["minutes"] is None:
            time *= 60
        moves = int(found["moves"]) if found["moves"] else None
        return cls(time=time, increment=float(found["inc"] or 0), moves=moves)

    def __str__(self) -> str:
        parts = []
        if self.time is not None:
            session = f"{self.moves}/" if self.moves else ""
            parts.append(f"{session}{self.time:.12g}" + (f"+{self.increment:.12g}" if self.increment else ""))
        if self.move_time is not None:
            parts.append(f"{self.move_time:.12g} s a move")
        if self.nodes is not None:
            parts.append(f"{self.nodes} nodes")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        return ", ".join(parts)

    @property
    def limits_moves(self) -> bool:
        """Whether anything limits a single move."""
        return not self.move_time is self.nodes is self.depth is None

    @property
    def halved(self) -> TimeControl:
        """Half the time and half the nodes; a depth stays."""
        return TimeControl(
            time=self.time and self.time / 2,
            increment=self.increment / 2,
            moves=self.moves,
            move_time=self.move_time and self.move_time / 2,
            nodes=self.nodes and max(self.nodes // 2, 1),
            depth=self.depth,
        )

    @property
    def trial(self) -> Limits:
        """Limits of the same kinds that take next to no time."""
        return Limits(
            depth=self.depth and min(self.depth, 2),
            nodes=self.nodes and min(self.nodes, 1000),
            move_time=self.move_time and min(self.move_time, 0.1),
            clock=GameClock(min(self.time, 2.0), min(self.increment, 0.1), self.moves) if self.time else None,
        )


class Clock:
    """One player's clock in one game. The time of each move comes from outside, so nothing here ever waits."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining = control.time
        self._moves_left = control.moves

    @property
    def limits(self) -> Limits:
        """What the player is sent before its next move."""
        control = self.control
        clock = None
        if self.remaining is not None:
            clock = GameClock(self.remaining, control.increment, self._moves_left)
        return Limits(depth=control.depth, nodes=control.nodes, move_time=control.move_time, clock=clock)

    @property
    def allowed(self) -> float:
        """Seconds the next move may take; infinity where no time limits it."""
        move_time = math.inf if self.control.move_time is None else self.control.move_time
        return min(math.inf if self.remaining is None else max(self.remaining, 0.0), move_time)

    def deadline(self, margin: float, patience: float) -> float:
        """Seconds after which nobody waits for the next move any longer.

        Args:
            margin: seconds by which a move may be late.
            patience: seconds to wait where no time limits the move.
        """
        allowed = self.allowed
        return patience if math.isinf(allowed) else allowed + margin + GRACE

    def spend(self, seconds: float) -> float:
        """Take the time of a move off the clock and make it ready for the next.

        Returns:
            By how many seconds the move came too late, 0 where it was in time.
        """
        late = max(seconds - self.allowed, 0.0)
        if self.remaining is not None:
            self.remaining += self.control.increment - seconds
            if self._moves_left is not None:
                self._moves_left -= 1
                if not self._moves_left:
                    self._moves_left = self.control.moves
                    self.remaining += self.control.time or 0.0
        return late

    def waste(self, seconds: float) -> float:
        """The same for time that brought no move: no increment, and the move is still to be made."""
        late = max(seconds - self.allowed, 0.0)
        if self.remaining is not None:
            self.remaining -= seconds
        return late
