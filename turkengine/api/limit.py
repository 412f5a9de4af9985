"""What ends a search, as programs give it, and scores as they read them."""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.api import checking
from turkengine.engine.chances import Chances, chances_of
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.score import Score
from turkengine.rules.move import Move
from turkengine.rules.variant import Side, Variant


@dataclass(frozen=True)
class Limit:
    """What ends a search; of several limits the one that is reached first. Without any it goes on until it is stopped.

    Attributes:
        time: seconds for this search.
        depth: plies of the deepest iteration.
        nodes: moves made.
        mate: stop once a win in so many moves of the winner is proved.
        clock: seconds left on the clock of the side to move; the engine decides how much of them it takes.
        increment: seconds added for each move, beside `clock`.
        moves_to_go: moves to be played with `clock`, None for the rest of the game.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    clock: float | None = None
    increment: float = 0.0
    moves_to_go: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no search can keep to.

        Raises:
            TypeError: a time is not a number, or another limit is not a whole number.
            ValueError: a limit is below 0 or infinite, or means nothing without a clock.
        """
        for name in ("time", "clock"):
            if getattr(self, name) is not None:
                checking.seconds(name, getattr(self, name))
        checking.seconds("increment", self.increment)
        for name, least in (("depth", 0), ("nodes", 0), ("mate", 0), ("moves_to_go", 1)):
            if getattr(self, name) is not None:
                checking.whole(name, getattr(self, name), least)
        for name in ("increment", "moves_to_go"):
            if self.clock is None and getattr(self, name):
                raise ValueError(f"{name} belongs to a clock; give clock, the seconds left on it, too")

    @property
    def is_open(self) -> bool:
        """Whether nothing ends the search but a stop."""
        return (self.time, self.depth, self.nodes, self.mate, self.clock) == (None,) * 5

    def limits(self, root_moves: tuple[Move, ...] = (), analysis: bool = False) -> Limits:
        """The same for the floors below."""
        clock = GameClock(self.clock, self.increment, self.moves_to_go) if self.clock is not None else None
        return Limits(
            depth=self.depth,
            nodes=self.nodes,
            mate=self.mate,
            move_time=self.time,
            clock=clock,
            infinite=self.is_open,
            analysis=analysis,
            root_moves=root_moves,
        )


@dataclass(frozen=True)
class PovScore:
    """A score that knows whose it is. As text it is from White's side, in men or as `#n`, n moves to White's win.

    Attributes:
        relative: from the view of `side`.
        side: the side to move where it was found.
    """

    relative: Score
    side: Side

    def __post_init__(self) -> None:
        """Refuse what is neither a score nor a side.

        Raises:
            TypeError: it is that.
        """
        checking.require("relative", self.relative, Score, "a Score, as in Score(35)")
        checking.side("side", self.side)

    @property
    def white(self) -> Score:
        """From White's view."""
        return self.pov(Side.WHITE)

    @property
    def black(self) -> Score:
        """From Black's view."""
        return self.pov(Side.BLACK)

    def pov(self, side: Side) -> Score:
        """From the view of `side`; `moves_to_end` is how far off a win is."""
        checking.side("side", side)
        return self.relative if side is self.side else Score(-self.relative.hundredths)

    def moves_to_end(self, side: Side = Side.WHITE) -> int | None:
        """The moves that the winner still makes, negative where `side` loses; None where no end was found."""
        checking.side("side", side)
        moves = self.relative.moves_to_end
        return moves if moves is None or side is self.side else -moves

    def chances(self, variant: Variant | str, side: Side = Side.WHITE) -> Chances:
        """The chances of `side` to win, to draw and to lose."""
        return chances_of(self.pov(side), checking.variant(variant))

    def __str__(self) -> str:
        moves = self.moves_to_end()
        if moves is not None:
            return f"#{moves}" if moves or self.white.hundredths > 0 else "#-0"
        return f"{self.white.men + 0.0:+.2f}"
