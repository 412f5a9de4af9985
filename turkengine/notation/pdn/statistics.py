"""What a collection of games holds, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from turkengine.notation import moves
from turkengine.notation.pdn.game import PdnGame
from turkengine.notation.pdn.normal import tidied
from turkengine.notation.pdn.reader import PdnEntry
from turkengine.notation.pdn.replaying import Replay
from turkengine.notation.pdn.selecting import OUTCOMES, is_faulty

SCHEMA = 1  # of `as_json`; a change that breaks a reader makes it 2


@dataclass
class Statistics:
    """Counts that grow game by game.

    Attributes:
        opening_plies: how many moves of a game are its opening.
    """

    opening_plies: int = 2
    games: int = 0
    plies: int = 0
    longest: int = 0
    replayed: int = 0
    replayed_plies: int = 0
    inferred: int = 0
    faults: int = 0
    illegal: int = 0
    faulty: int = 0
    results: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    openings: Counter[str] = field(default_factory=Counter)

    def add(self, entry: PdnEntry, played: Replay[Any]) -> None:
        """Count a game."""
        game = entry.game
        plies = len(game.line.plies)
        self.games += 1
        self.plies += plies
        self.longest = max(self.longest, plies)
        self.results[next(name for name, results in OUTCOMES.items() if game.result in results)] += 1
        self.kinds[played.variant.name if played.variant is not None else played.other] += 1
        if played.variant is not None:
            self.replayed += 1
            self.replayed_plies += len(played.moves)
            self.inferred += played.inferred
        self.faults += len(entry.faults)
        self.illegal += len(played.illegal)
        self.faulty += is_faulty(entry, played)
        if plies and game.fen is None:
            self.openings[self._opening(game, played)] += 1

    def _opening(self, game: PdnGame, played: Replay[Any]) -> str:
        count = self.opening_plies
        known = list(zip(played.positions, played.moves, strict=False))[:count]
        texts = [moves.short(position, move) for position, move in known]
        return " ".join([*texts, *map(tidied, game.moves[len(texts) : count])])

    def as_json(self, most_openings: int | None = None) -> dict[str, object]:
        """The counts as values for JSON; the keys are promised."""
        return {
            "schema": SCHEMA,
            "games": self.games,
            "plies": self.plies,
            "longest": self.longest,
            "results": {name: self.results[name] for name in OUTCOMES},
            "kinds": dict(self.kinds.most_common()),
            "replayed": {"games": self.replayed, "plies": self.replayed_plies, "inferred": self.inferred},
            "faults": {"games": self.faulty, "reading": self.faults, "illegal": self.illegal},
            "openings": dict(self.openings.most_common(most_openings)),
        }

    def lines(self, most_openings: int = 10) -> list[str]:
        """The counts for people."""
        mean = self.plies / self.games if self.games else 0.0
        told = [
            f"games     {self.games}",
            f"plies     {self.plies}, {mean:.1f} a game, the longest has {self.longest}",
            "results   " + ", ".join(f"{name} {self.results[name]}" for name in OUTCOMES if self.results[name]),
            "kinds     " + ", ".join(f"{name} {count}" for name, count in self.kinds.most_common()),
            f"replayed  {self.replayed} games, {self.inferred} of them inferred, {self.replayed_plies} plies",
            f"faults    {self.faults} in reading, {self.illegal} in playing, in {self.faulty} games",
        ]
        width = max((len(str(count)) for count in self.openings.values()), default=0)
        for place, (opening, count) in enumerate(self.openings.most_common(most_openings)):
            told.append(f"{'openings' if not place else '':10}{count:>{width}}  {opening}")
        return [line.rstrip() for line in told]
