"""A move as the rules count it.

Two captures with the same origin, target and set of captured squares are one move, whatever the path between; so
`path` takes no part in comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Move:
    """One complete announcement: where a piece goes, and what it takes on the way.

    Attributes:
        origin, target: square indices; they are equal where a capture comes back to its start.
        captured: the squares of the captured pieces, empty for a quiet move.
        path: one route, from origin to target with every landing square between.
        names: of the squares, for `str`; empty where they are called 1, 2, ... in their order.
    """

    origin: int
    target: int
    captured: frozenset[int] = frozenset()
    path: tuple[int, ...] = field(default=(), compare=False)
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        """From and to, as in 32-28, 28x19 or a3-a4; where several moves have these ends a position tells them apart."""
        return f"{self._name(self.origin)}{'x' if self.captured else '-'}{self._name(self.target)}"

    def _name(self, square: int) -> str:
        return self.names[square] if self.names else str(square + 1)

    @property
    def is_capture(self) -> bool:
        """Whether anything is taken."""
        return bool(self.captured)
