"""A Swiss tournament: a few rounds in which players with the same points meet, and nobody meets anybody twice.

Players are entered in the order of their seeds. In each score group the upper half meets the lower half as far as they
have not met; who is left over goes down to the next group. With an odd number of players the last in the table who has
not had one yet gets a bye, which counts as much as winning all games of the round. All games of a round come before the
next is drawn.

Equal points are parted by Buchholz, the sum of the opponents' points, then by the games against each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turkengine.errors import OptionError
from turkengine.match.schedule import Pairing, Results, enough

MOST_STEPS = 20_000  # of looking for a draw without a second meeting, before one is allowed


@dataclass(frozen=True)
class Round:
    """One round: who meets whom, and who has a bye."""

    pairings: tuple[Pairing, ...]
    bye: str | None

    @property
    def boards(self) -> list[tuple[str, str]]:
        """The two who meet on each board."""
        return [(pairing.first, pairing.second) for pairing in self.pairings if pairing.pair == 0]


class Swiss:
    """A number of rounds for any number of players from two on."""

    repeats_score: ClassVar[bool] = True

    def __init__(self, players: Sequence[str], pairs: int, rounds: int) -> None:
        """Nothing is drawn yet.

        Raises:
            OptionError: there are more rounds than opponents.
        """
        enough(players, 2)
        most = len(players) - 1 + len(players) % 2
        if not 1 <= rounds <= most:
            raise OptionError(f"{len(players)} players can play from 1 to {most} rounds, not {rounds}")
        self.players, self.pairs, self.count = list(players), pairs, rounds
        self._seeds = {name: seed for seed, name in enumerate(players)}

    @property
    def description(self) -> str:
        """What is played."""
        return f"Swiss, {len(self.players)} players, {self.count} rounds, {self.pairs} openings a round"

    @property
    def total(self) -> int:
        """How many games there will be."""
        return 2 * self.pairs * self.count * (len(self.players) // 2)

    def pairings(self, results: Results) -> list[Pairing]:
        """The rounds so far: the next one is drawn when the last has been played."""
        return [pairing for drawn in self.rounds(results) for pairing in drawn.pairings]

    def byes(self, results: Results) -> dict[str, int]:
        """A bye counts as winning all games of the round."""
        return {drawn.bye: 4 * self.pairs for drawn in self.rounds(results) if drawn.bye is not None}

    def order(self, results: Results) -> tuple[str, ...]:
        """The order is that of points and tie-breaks."""
        return ()

    def tiebreaks(self, results: Results) -> dict[str, tuple[tuple[str, float], ...]]:
        """Buchholz, then direct, in points of 1 for a win."""
        drawn = self.rounds(results)
        points = self._points(drawn, results)
        opponents = _opponents(drawn)
        buchholz = {name: sum(points[other] for other in opponents[name]) for name in self.players}
        direct: dict[str, int] = {}
        for name in self.players:
            level = {
                other for other in self.players if (points[other], buchholz[other]) == (points[name], buchholz[name])
            }
            against = (
                pairing
                for one in drawn
                for pairing in one.pairings
                if name in (pairing.first, pairing.second) and {pairing.first, pairing.second} <= level
            )
            direct[name] = results.halves(against, name)
        return {name: (("Buchholz", buchholz[name] / 2), ("direct", direct[name] / 2)) for name in self.players}

    def rounds(self, results: Results) -> list[Round]:
        """The rounds that have been drawn, all but the last of them played."""
        drawn: list[Round] = []
        while len(drawn) < self.count:
            drawn.append(self._draw(drawn, results))
            if not all(map(results.played, drawn[-1].pairings)):
                break
        return drawn

    def _draw(self, before: Sequence[Round], results: Results) -> Round:
        points = self._points(before, results)
        table = sorted(self.players, key=lambda name: (-points[name], self._seeds[name]))
        bye = None
        if len(table) % 2:
            had = {one.bye for one in before}
            bye = next(name for name in reversed(table) if name not in had)
            table.remove(bye)
        met = {frozenset(board) for one in before for board in one.boards}
        boards = _Drawing(points, met).draw(table)
        number = len(before)
        return Round(
            tuple(
                Pairing(
                    number, board, pair, *(two if (pair + number) % 2 == 0 else two[::-1]), number * self.pairs + pair
                )
                for pair in range(self.pairs)
                for board, two in enumerate(boards)
            ),
            bye,
        )

    def _points(self, drawn: Sequence[Round], results: Results) -> dict[str, int]:
        """The half points of everybody, byes included."""
        points = dict.fromkeys(self.players, 0)
        for one in drawn:
            if one.bye is not None:
                points[one.bye] += 4 * self.pairs
            for pairing in one.pairings:
                for name in (pairing.first, pairing.second):
                    points[name] += results.halves([pairing], name)
        return points


class _Drawing:
    """Looks for a draw in which nobody meets anybody twice, the most wanted opponents first."""

    def __init__(self, points: dict[str, int], met: set[frozenset[str]]) -> None:
        self._points, self._met = points, met
        self._steps = 0

    def draw(self, table: list[str]) -> list[tuple[str, str]]:
        """The boards for players in the order of the table, an even number of them."""
        found = self._search(table)
        if found is None:  # everybody left has met: a second meeting cannot be helped
            self._met, self._steps = set(), 0
            found = self._search(table)
        assert found is not None, "without earlier meetings the first try fits"
        return found

    def _search(self, table: list[str]) -> list[tuple[str, str]] | None:
        if not table:
            return []
        self._steps += 1
        if self._steps > MOST_STEPS:
            return None
        one = table[0]
        for other in self._wanted(table):
            if frozenset((one, other)) in self._met:
                continue
            rest = self._search([name for name in table if name not in (one, other)])
            if rest is not None:
                return [(one, other), *rest]
        return None

    def _wanted(self, table: list[str]) -> list[str]:
        """The opponents for the first of the table: the lower half of its group from the top, then the upper half."""
        group = [name for name in table if self._points[name] == self._points[table[0]]]
        half = max(len(group) // 2, 1)
        return [*group[half:], *reversed(group[1:half]), *table[len(group) :]]


def _opponents(drawn: Sequence[Round]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in drawn:
        for first, second in one.boards:
            found[first].append(second)
            found[second].append(first)
    return found
