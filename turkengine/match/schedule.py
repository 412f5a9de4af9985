"""Who plays whom. A schedule keeps no state: the results so far decide what is to be played, so that a
tournament goes on after any interruption as if there had been none.

The unit is a *pairing*: two players and one opening, played twice with colours exchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from turkengine.errors import OptionError
from turkengine.match.statistics import Games, Pairs


@dataclass(frozen=True, order=True)
class Key:
    """What tells a game of a tournament from all others; everything counts from 0.

    Attributes:
        board: the two who meet in a round, whoever else meets in it.
        game: of this board in this round; 0 and 1 share the first opening, 2 and 3 the second ...
    """

    round: int
    board: int
    game: int

    @property
    def pair(self) -> tuple[int, int, int]:
        """What the two games of one opening have in common."""
        return self.round, self.board, self.game // 2

    @property
    def twin(self) -> Key:
        """The other game of the pair."""
        return Key(self.round, self.board, self.game ^ 1)

    def __str__(self) -> str:
        return f"{self.round + 1}.{self.board + 1}.{self.game + 1}"


@dataclass(frozen=True)
class Pairing:
    """Two games from one opening. `first` has White in the first of them.

    Attributes:
        pair: the how many-th of this board in this round, from 0.
        opening: its number.
        halved: whether both have half of their time: a tie-break.
    """

    round: int
    board: int
    pair: int
    first: str
    second: str
    opening: int
    halved: bool = False

    @property
    def keys(self) -> tuple[Key, Key]:
        """The two games."""
        return Key(self.round, self.board, 2 * self.pair), Key(self.round, self.board, 2 * self.pair + 1)

    def players(self, key: Key) -> tuple[str, str]:
        """White and Black of one of the two games."""
        return (self.first, self.second) if key.game % 2 == 0 else (self.second, self.first)


@dataclass(frozen=True)
class GameResult:
    """How one game has ended: the half points of White, 0, 1 or 2.

    Attributes:
        course: the same for games that have gone the same way, see `repeats`; empty where that is not known.
    """

    key: Key
    white: str
    black: str
    halves: int
    course: bytes = field(default=b"", compare=False)

    def of(self, name: str) -> int:
        """The half points of one of the two."""
        return self.halves if name == self.white else 2 - self.halves


class Results:
    """All results so far. Nothing that is asked here depends on the order in which games have ended, and counts are
    kept up to date with every game, so that asking costs nothing however many there are.

    Of games of the same players in the same colours that have gone the same way the first by its key *counts*, the
    others repeat it: they are results, and no evidence. A pair counts where both of its games do.
    """

    def __init__(self, results: Iterable[GameResult] = ()) -> None:
        self._results: dict[Key, GameResult] = {}
        self._first: dict[tuple[str, str, bytes], Key] = {}  # by players and course
        self._repeats = 0
        self._games: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 3)  # by the half points of the first
        self._pairs: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
        for result in results:
            self.add(result)

    def add(self, result: GameResult) -> None:
        """Take in one more game, which is not among them."""
        key = result.key
        assert key not in self._results, f"game {key} is there already"
        self._results[key] = result
        if result.course:
            first = self._first.setdefault(_way(result), key)
            self._repeats += first != key
            if key > first:
                return
            if key < first:
                self._tally(self._results[first], -1)
                self._first[_way(result)] = key
        self._tally(result, 1)

    def _tally(self, result: GameResult, by: int) -> None:
        """Have a game, and with it its pair, count or count no more."""
        players = (result.white, result.black)
        twin = self._results.get(result.key.twin)
        for one, other in (players, players[::-1]):
            self._games[one, other][result.of(one)] += by
            if twin is not None and self.repeated(twin.key) is None:
                self._pairs[one, other][result.of(one) + twin.of(one)] += by

    def repeated(self, key: Key) -> Key | None:
        """The game that a game repeats, None where it counts."""
        result = self._results[key]
        first = self._first[_way(result)] if result.course else key
        return first if first != key else None

    def repeats(self) -> list[GameResult]:
        """The games that do not count."""
        return [result for result in self if self.repeated(result.key) is not None] if self._repeats else []

    def __iter__(self) -> Iterator[GameResult]:
        return iter(sorted(self._results.values(), key=lambda result: result.key))

    def __len__(self) -> int:
        return len(self._results)

    def __contains__(self, key: Key) -> bool:
        return key in self._results

    def played(self, pairing: Pairing) -> bool:
        """Whether both games of the pairing have ended."""
        return all(key in self._results for key in pairing.keys)

    def halves(self, pairings: Iterable[Pairing], name: str) -> int:
        """The half points of a player in those games of the pairings that have ended, repeated ones among them."""
        found = (self._results.get(key) for pairing in pairings for key in pairing.keys)
        return sum(result.of(name) for result in found if result is not None)

    def games(self, first: str, second: str) -> Games:
        """The games of these two that count, as the first sees them."""
        lost, drawn, won = self._games.get((first, second), (0, 0, 0))
        return Games(won, drawn, lost)

    def pairs(self, first: str, second: str) -> Pairs:
        """The pairs of these two of which both games have ended and count, as the first sees them."""
        none, half, one, more, two = self._pairs.get((first, second), (0,) * 5)
        return Pairs((none, half, one, more, two))


def _way(result: GameResult) -> tuple[str, str, bytes]:
    return result.white, result.black, result.course


class Schedule(Protocol):
    """A kind of tournament.

    Attributes:
        pairs: openings for each two players who meet.
        repeats_score: whether games that repeat others give points, since these points decide who meets whom.
    """

    pairs: int
    repeats_score: ClassVar[bool]

    @property
    def description(self) -> str:
        """What it is, for people and for comparing with the one that was begun."""

    def pairings(self, results: Results) -> list[Pairing]:
        """Everything that is known to be played, what has been played included, in the order to be played in.

        Once all of it has been played this is asked again; where nothing is added the tournament is over.
        """

    @property
    def total(self) -> int | None:
        """How many games there will be, None where that is not known beforehand."""

    def byes(self, results: Results) -> dict[str, int]:
        """The half points that players have got without a game."""

    def tiebreaks(self, results: Results) -> dict[str, tuple[tuple[str, float], ...]]:
        """What decides between players with the same points: names and values, the more weighty first."""

    def order(self, results: Results) -> tuple[str, ...]:
        """The final order where it is not that of points and tie-breaks; empty where it is."""


class ByPoints:
    """A schedule whose table goes by points alone, and in which everybody plays."""

    repeats_score: ClassVar[bool] = False

    def byes(self, results: Results) -> dict[str, int]:
        """Nobody has got points without a game."""
        return {}

    def tiebreaks(self, results: Results) -> dict[str, tuple[tuple[str, float], ...]]:
        """Nothing decides between equal points."""
        return {}

    def order(self, results: Results) -> tuple[str, ...]:
        """The order is that of points."""
        return ()


class RoundRobin(ByPoints):
    """Everybody meets everybody in `pairs` openings; two players make a match."""

    def __init__(self, players: Sequence[str], pairs: int) -> None:
        self.players, self.pairs = list(players), pairs
        enough(players, 2)

    @property
    def description(self) -> str:
        """What is played."""
        return f"round robin, {len(self.players)} players"

    @property
    def total(self) -> int:
        """How many games there will be."""
        return self.pairs * len(self.players) * (len(self.players) - 1)

    def pairings(self, results: Results) -> list[Pairing]:
        """All pairings: every opening is played by everybody before the next one."""
        rounds = list(circle(self.players))
        return [
            Pairing(number, board, pair, *(pairing if pair % 2 == 0 else pairing[::-1]), opening=pair)
            for pair in range(self.pairs)
            for number, boards in enumerate(rounds)
            for board, pairing in enumerate(boards)
        ]


class Gauntlet(ByPoints):
    """One player, or some, meet each of the others in `pairs` openings."""

    def __init__(self, players: Sequence[str], pairs: int, challengers: int = 1) -> None:
        """The first `challengers` of the players meet the others, and not each other."""
        enough(players, challengers + 1)
        self.pairs, self.challengers = pairs, list(players[:challengers])
        self.others = list(players[challengers:])

    @property
    def description(self) -> str:
        """What is played."""
        return f"gauntlet of {', '.join(self.challengers)} against {len(self.others)} players"

    @property
    def total(self) -> int:
        """How many games there will be."""
        return 2 * self.pairs * len(self.challengers) * len(self.others)

    def pairings(self, results: Results) -> list[Pairing]:
        """All pairings: every opening is played by everybody before the next one."""
        return [
            Pairing(number, board, pair, *((one, other) if pair % 2 == 0 else (other, one)), opening=pair)
            for pair in range(self.pairs)
            for number, other in enumerate(self.others)
            for board, one in enumerate(self.challengers)
        ]


def circle(players: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """The rounds in which everybody meets everybody once: one place is fixed, the others go round it."""
    places: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    for number in range(len(places) - 1):
        boards = []
        for place in range(len(places) // 2):
            one, other = places[place], places[-1 - place]
            if one is not None and other is not None:
                boards.append((other, one) if place == 0 and number % 2 else (one, other))
        yield boards
        places = [places[0], places[-1], *places[1:-1]]


def enough(players: Sequence[str], least: int) -> None:
    """See to it that there are players, each once.

    Raises:
        OptionError: there are too few, or two have one name.
    """
    if len(players) < least:
        raise OptionError(f"this tournament needs at least {least} players, not {len(players)}")
    twice = sorted({name for name in players if players.count(name) > 1})
    if twice:
        raise OptionError(f"two players are called {twice[0]!r}; give each a name of its own")
