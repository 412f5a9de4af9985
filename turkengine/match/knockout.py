"""A knockout: who loses a match is out, and the last one left has won.

The players are seeded in the order in which they are entered. The bracket keeps the best apart as long as it can, and
where there are not enough players to fill it the best have a bye in the first round. A match that is level goes on with
two more games at half the time; if these leave it level too, the better seed goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from turkengine.match.schedule import ByPoints, Pairing, Results, enough


@dataclass(frozen=True)
class Bout:
    """Two players of one round, as far as it has come.

    Attributes:
        first, second: by their seeds; `second` is None for a bye.
        pairings: what is to be played, the tie-break among it once it is known to be needed.
        winner: None as long as that is open.
    """

    first: str
    second: str | None
    pairings: tuple[Pairing, ...]
    winner: str | None

    @property
    def loser(self) -> str | None:
        """Who is out."""
        if self.winner is None or self.second is None:
            return None
        return self.second if self.winner == self.first else self.first


class Knockout(ByPoints):
    """A bracket for any number of players from two on."""

    repeats_score: ClassVar[bool] = True

    def __init__(self, players: Sequence[str], pairs: int) -> None:
        """Draw the bracket.

        Args:
            players: the best first.
            pairs: openings of a match, each played with both colours.
        """
        enough(players, 2)
        self.players, self.pairs = list(players), pairs
        self._seeds = {name: seed for seed, name in enumerate(players)}

    @property
    def description(self) -> str:
        """What is played."""
        return f"knockout, {len(self.players)} players, {self.pairs} openings a match"

    @property
    def total(self) -> None:
        """Not known beforehand, because of the tie-breaks."""
        return None

    def pairings(self, results: Results) -> list[Pairing]:
        """The rounds so far: the next one begins when the last is decided."""
        return [pairing for bouts in self.rounds(results) for bout in bouts for pairing in bout.pairings]

    def order(self, results: Results) -> tuple[str, ...]:
        """Who got farther comes first; those who fell in the same round by their seeds."""
        fallen: dict[str, int] = {}
        for number, bouts in enumerate(self.rounds(results)):
            fallen |= {bout.loser: number for bout in bouts if bout.loser is not None}
        last = len(self.players)
        return tuple(sorted(self.players, key=lambda name: (-fallen.get(name, last), self._seeds[name])))

    def rounds(self, results: Results) -> Iterator[list[Bout]]:
        """The bouts of each round up to the first that is not decided."""
        places: list[str | None] = [
            self.players[seed] if seed < len(self.players) else None for seed in bracket(len(self.players))
        ]
        number = 0
        while len(places) > 1:
            bouts = [
                self._bout(number, board, one, other, results)
                for board, (one, other) in enumerate(zip(places[::2], places[1::2], strict=True))
            ]
            yield bouts
            places = [bout.winner for bout in bouts]
            if None in places:
                return
            number += 1

    def _bout(self, number: int, board: int, one: str | None, other: str | None, results: Results) -> Bout:
        present = sorted((name for name in (one, other) if name is not None), key=self._seeds.__getitem__)
        if len(present) == 1:
            return Bout(present[0], None, (), present[0])
        first, second = present
        regular = [self._pairing(number, board, pair, first, second) for pair in range(self.pairs)]
        if not all(map(results.played, regular)):
            return Bout(first, second, tuple(regular), None)
        winner = _ahead(first, second, regular, results)
        if winner is not None:
            return Bout(first, second, tuple(regular), winner)
        decider = self._pairing(number, board, self.pairs, first, second)
        if not results.played(decider):
            return Bout(first, second, (*regular, decider), None)
        return Bout(first, second, (*regular, decider), _ahead(first, second, [decider], results) or first)

    def _pairing(self, number: int, board: int, pair: int, first: str, second: str) -> Pairing:
        one, other = (first, second) if pair % 2 == 0 else (second, first)
        opening = number * (self.pairs + 1) + pair
        return Pairing(number, board, pair, one, other, opening, halved=pair == self.pairs)


def _ahead(first: str, second: str, pairings: Sequence[Pairing], results: Results) -> str | None:
    """Who has more points from these games, None where it is level."""
    one, other = results.halves(pairings, first), results.halves(pairings, second)
    return None if one == other else first if one > other else second


def bracket(count: int) -> list[int]:
    """The seeds, from 0, in the order of the first round, filled up to a power of two.

    The first two can meet in the final only, the first four from the semi-final on, and so on: each round doubles the
    list, and next to each seed stands the one that adds up with it to the number of places.
    """
    order = [0]
    while len(order) < count:
        places = 2 * len(order)
        order = [seed for one in order for seed in (one, places - 1 - one)]
    return order
