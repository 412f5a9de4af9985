"""Everything that is said about a match, computed once from what is stored: the source of every report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from turkengine import __version__
from turkengine.match.ratings import ratings
from turkengine.match.schedule import Key, Results
from turkengine.match.sprt import Sprt
from turkengine.match.statistics import Estimate, Games, Pairs
from turkengine.record.record import FAULTS, EndingKind, Record

SCHEMA = "turkengine-match"
SCHEMA_VERSION = 1  # a larger one has other fields; new fields alone do not change it


@dataclass(frozen=True)
class Duel:
    """Two players and all their games that count, as the first sees them.

    Attributes:
        repeated: games beside them that repeat one of them.
    """

    first: str
    second: str
    games: Games
    pairs: Pairs
    repeated: int = 0


@dataclass(frozen=True)
class Standing:
    """One player in the table.

    Attributes:
        games: those that count.
        halves: half points, those of byes included, and those of repeated games where the format needs them.
        tiebreaks: what decides between equal points, by name, in its order.
        faults: games lost by something else than play, by the word for it.
        overruns: moves that came too late, within the margin or beyond, and the latest of them in seconds.
        irregularities: moves against the rules.
        repeated: games beside those that count.
    """

    name: str
    games: Games
    halves: int
    rating: Estimate
    tiebreaks: tuple[tuple[str, float], ...] = ()
    faults: tuple[tuple[str, int], ...] = ()
    overruns: int = 0
    latest: float = 0.0
    irregularities: int = 0
    repeated: int = 0


class Faults:
    """What engines have done wrong, counted game by game."""

    def __init__(self) -> None:
        self.games: dict[str, Counter[EndingKind]] = {}
        self.overruns: Counter[str] = Counter()
        self.irregularities: Counter[str] = Counter()
        self.latest: dict[str, float] = {}
        self.endings: Counter[EndingKind] = Counter()
        self.plies = 0
        self.seconds = 0.0

    def add(self, record: Record) -> None:
        """Take in one game."""
        self.endings[record.ending.kind] += 1
        self.plies += len(record.moves)
        self.seconds += record.seconds
        names = record.names
        if record.ending.kind in FAULTS:
            losers = [name for side, name in names.items() if record.ending.winner is not side]
            for name in losers:
                self.games.setdefault(name, Counter())[record.ending.kind] += 1
        for incident in record.incidents:
            name = names[incident.side]
            if incident.what == "overrun":
                self.overruns[name] += 1
                self.latest[name] = max(self.latest.get(name, 0.0), incident.late)
            else:
                self.irregularities[name] += 1

    @property
    def any(self) -> bool:
        """Whether a game was lost by something else than play."""
        return bool(self.games)


@dataclass(frozen=True)
class Summary:
    """A match as it stands.

    Attributes:
        names: the players in the order in which they were entered.
        settings: what was played, by name.
        extra: half points without a game that counts: byes, and repeated games where the format needs their points.
        order: the final order where it is not that of points: the bracket of a knockout.
        halves_a_win: what the scoring writes for a win: 2 in 2-1-0, 1 in 1-1/2-0.
    """

    title: str
    names: Sequence[str]
    settings: dict[str, str]
    results: Results
    faults: Faults
    sprt: Sprt | None = None
    finished: bool = False
    extra: tuple[tuple[str, int], ...] = ()
    tiebreaks: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()
    order: tuple[str, ...] = ()
    halves_a_win: int = 2

    @cached_property
    def duels(self) -> list[Duel]:
        """All who have met."""
        found = []
        for first, second in combinations(self.names, 2):
            games = self.results.games(first, second)
            repeated = self._repeated[first, second]
            if games.total or repeated or len(self.names) == 2:
                found.append(Duel(first, second, games, self.results.pairs(first, second), repeated))
        return found

    @cached_property
    def _repeated(self) -> Counter[tuple[str, str]]:
        """Games that repeat others, by who has met in either order."""
        repeats = self.results.repeats()
        return Counter(two for game in repeats for two in ((game.white, game.black), (game.black, game.white)))

    @cached_property
    def standings(self) -> list[Standing]:
        """The table, the best first."""
        games = {
            name: sum((self.results.games(name, other) for other in self.names if other != name), Games())
            for name in self.names
        }
        rated, extra, tiebreaks = ratings(self.names, self.results), dict(self.extra), dict(self.tiebreaks)
        faults = self.faults
        found = [
            Standing(
                name,
                games[name],
                games[name].halves + extra.get(name, 0),
                rated[name],
                tiebreaks.get(name, ()),
                tuple(
                    (kind.value, count)
                    for kind, count in sorted(faults.games.get(name, Counter()).items(), key=lambda item: item[0].value)
                ),
                faults.overruns[name],
                faults.latest.get(name, 0.0),
                faults.irregularities[name],
                sum(self._repeated[name, other] for other in self.names),
            )
            for name in self.names
        ]
        places = {name: place for place, name in enumerate(self.order or self.names)}
        if self.order:
            return sorted(found, key=lambda standing: places[standing.name])
        values = {standing.name: tuple(-value for _, value in standing.tiebreaks) for standing in found}
        return sorted(found, key=lambda standing: (-standing.halves, values[standing.name], places[standing.name]))

    def points(self, halves: int) -> str:
        """Half points as the scoring writes them."""
        if self.halves_a_win == 2:
            return str(halves)
        return f"{halves / 2:g}"

    def as_data(self, games: Sequence[tuple[Key, Record]] = ()) -> dict[str, Any]:
        """What docs/json.md describes; numbers that are infinite or unknown are None."""
        return {
            "schema": SCHEMA,
            "version": SCHEMA_VERSION,
            "program": f"turkengine {__version__}",
            "title": self.title,
            "finished": self.finished,
            "settings": self.settings,
            "standings": [_standing_data(place, standing) for place, standing in enumerate(self.standings, start=1)],
            "duels": [self._duel_data(duel) for duel in self.duels],
            "repeated": len(self.results.repeats()),
            "endings": {kind.value: self.faults.endings[kind] for kind in EndingKind if self.faults.endings[kind]},
            "games": [
                {
                    "key": str(key),
                    "white": record.white,
                    "black": record.black,
                    "points": record.ending.halves / 2,
                    "kind": record.ending.kind.value,
                    "reason": record.ending.reason,
                    "article": record.ending.article,
                    "plies": len(record.moves),
                    "seconds": record.seconds,
                    "began": record.began,
                    "opening": record.opening,
                    "fen": record.fen,
                    "incidents": record.as_data()["incidents"],
                    "repeats": str(first) if (first := self.results.repeated(key)) is not None else None,
                }
                for key, record in games
            ],
        }

    def _duel_data(self, duel: Duel) -> dict[str, Any]:
        pairs = duel.pairs
        data = {
            "first": duel.first,
            "second": duel.second,
            "games": _games_data(duel.games),
            "repeated": duel.repeated,
            "pairs": list(pairs.counts),
            "score": _estimate_data(pairs.score),
            "elo": _estimate_data(pairs.elo),
            "nelo": _estimate_data(pairs.nelo),
            "los": pairs.los,
            "draw_ratio": duel.games.draw_ratio,
            "shared_pairs": pairs.shared,
            "pair_ratio": _finite(pairs.pair_ratio),
            "sprt": None,
        }
        if self.sprt is not None:
            verdict = self.sprt.verdict(pairs)
            data["sprt"] = {
                "scale": self.sprt.scale.value,
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "alpha": self.sprt.alpha,
                "beta": self.sprt.beta,
                "lower": self.sprt.lower,
                "upper": self.sprt.upper,
                "llr": self.sprt.llr(pairs),
                "accepted": verdict.name.lower() if verdict is not None else None,
            }
        return data


def _standing_data(place: int, standing: Standing) -> dict[str, Any]:
    return {
        "place": place,
        "name": standing.name,
        "points": standing.halves / 2,
        "games": _games_data(standing.games),
        "rating": _estimate_data(standing.rating),
        "tiebreaks": dict(standing.tiebreaks),
        "faults": dict(standing.faults),
        "overruns": standing.overruns,
        "latest": standing.latest,
        "irregularities": standing.irregularities,
        "repeated": standing.repeated,
    }


def _games_data(games: Games) -> dict[str, int]:
    return {"won": games.won, "drawn": games.drawn, "lost": games.lost}


def _estimate_data(estimate: Estimate) -> dict[str, float | None]:
    return {name: _finite(getattr(estimate, name)) for name in ("value", "low", "high")}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
