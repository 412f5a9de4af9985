"""How strong each level of the handicap is: games between the levels, and the ratings that explain their results best.

Each level meets the one above it and the one above that, in pairs of games from an opening by chance with colours
exchanged. The ratings are those of Bradley and Terry (1952), found by the iteration of Hunter (2004); a draw is half a
win. The scale has no zero of its own: the highest level is full strength at a number of nodes and has a rating by
definition. Pair number n of a seed is the same on every machine.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from turkengine.engine.dice import Dice
from turkengine.engine.handicap import ANCHOR, ANCHOR_NODES, HIGHEST, Candidates, Handicap
from turkengine.engine.kernel_types import Kernel, KernelPosition, load_kernel
from turkengine.engine.report import Report
from turkengine.rules.move import Move
from turkengine.rules.variant import Side, Variant
from turkengine.training.selfplay import LONGEST_GAME, result_of

STEPS = (1, 2)  # a level meets those so far above it
OPENING = 6  # plies by chance
TABLE = 1  # MiB
ROUNDS = 20_000  # of the iteration, far more than it needs
PRIOR = 0.5  # drawn games added to each pairing, so that no rating is infinite
ELO = 400 / math.log(10)


class LevelPairing(NamedTuple):
    """Two levels, the weaker one first, and which of their pairs of games it is."""

    lower: int
    upper: int
    number: int


class LevelResult(NamedTuple):
    """What a pair of games gave the upper level: 0, 0.5, 1, 1.5 or 2 points."""

    pairing: LevelPairing
    points: float


class LevelPlayer:
    """Plays pairs of games, one after another."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self._kernel: Kernel = load_kernel(variant)
        self._seed = seed
        tables = [self._kernel.Table(TABLE) for _ in Side]
        self._sides = [(table, self._kernel.Searcher(table)) for table in tables]

    def pair(self, pairing: LevelPairing) -> LevelResult:
        """Two games from one opening with colours exchanged."""
        names = f"{self._seed} {pairing.lower} {pairing.upper} {pairing.number}"
        opening = self._opening(random.Random(names))
        points = 0.0
        for upper in Side:
            result = self._game(opening, pairing, upper, Dice(random.Random(f"{names} {upper.value}").getrandbits(63)))
            points += (result + 1) / 2 if upper is Side.WHITE else (1 - result) / 2
        return LevelResult(pairing, points)

    def _opening(self, chance: random.Random) -> KernelPosition:
        while True:
            position = self._kernel.Position.start()
            for _ in range(OPENING):
                legal = sorted(position.legal_moves(), key=lambda move: (move.origin, move.target, *move.captured))
                position = position.play(chance.choice(legal))
                if position.outcome() is not None:
                    break
            else:
                return position

    def _game(self, position: KernelPosition, pairing: LevelPairing, upper: Side, dice: Dice) -> int:
        """1 if White has won, 0 for a draw, -1 if Black has."""
        for table, searcher in self._sides:
            table.clear()
            searcher.new_game()
        for _ in range(LONGEST_GAME):
            outcome = position.outcome()
            if outcome is not None:
                return result_of(outcome)
            stronger = position.side is upper
            level = pairing.upper if stronger else pairing.lower
            position = position.play(self._move(position, Handicap.of_level(level), int(stronger), dice))
        return 0

    def _move(self, position: KernelPosition, handicap: Handicap, side: int, dice: Dice) -> Move:
        """The move that the engine plays with this handicap; the same is done in `engine.search`."""
        searcher, candidates = self._sides[side][1], Candidates()

        def follow(fields: tuple[Any, ...]) -> None:
            report = Report.read(fields)
            candidates.add(report)
            if handicap.is_enough(report):
                searcher.stop()

        searcher.prepare()
        searcher.run(position, nodes=handicap.most_nodes, multi_pv=handicap.candidates, on_report=follow)
        reports = candidates.reports
        return handicap.chosen(reports, dice, position.key).line[0] if reports else position.legal_moves()[0]


def pairings(pairs: int) -> list[LevelPairing]:
    """All there is to play, each pairing of levels in turn."""
    return [
        LevelPairing(lower, lower + step, number)
        for number in range(pairs)
        for step in STEPS
        for lower in range(HIGHEST + 1 - step)
    ]


def results(variant: Variant, wanted: Sequence[LevelPairing], seed: int, jobs: int) -> Iterator[LevelResult]:
    """Play the pairings in so many processes; in their order.

    Raises:
        BrokenProcessPool: one of the processes has died.
    """
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (variant, seed)) as pool:
        yield from pool.map(_play, wanted, chunksize=8)


def ratings(played: Sequence[LevelResult]) -> list[int]:
    """The Elo of each level, the lowest first; levels in a wrong order are given their mean, one Elo apart."""
    points: dict[tuple[int, int], float] = {}
    games: dict[tuple[int, int], float] = {}
    for (lower, upper, _), scored in played:
        for one, other, share in ((lower, upper, 2 - scored), (upper, lower, scored)):
            points[one, other] = points.get((one, other), PRIOR / 2) + share
            games[one, other] = games.get((one, other), PRIOR) + 2
    strengths = _strengths(points, games)
    return _in_order([ELO * math.log(strength / strengths[HIGHEST]) + ANCHOR for strength in strengths])


def check(path: Path) -> None:
    """Refuse to write in place of something else.

    Raises:
        ValueError: the file is there and holds no levels.
    """
    if not path.exists() or not path.stat().st_size:
        return
    try:
        known = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict) or "elo" not in known:
        raise ValueError(f"{path} is not a file of levels; name another one")


def write(path: Path, elo: Sequence[int], made: Mapping[str, int]) -> None:
    """Write what `levels.json` of a game holds."""
    path.write_text(json.dumps({"elo": list(elo), "anchor_nodes": ANCHOR_NODES, **made}) + "\n", "utf-8")


def _strengths(points: Mapping[tuple[int, int], float], games: Mapping[tuple[int, int], float]) -> list[float]:
    strengths = [1.0] * (HIGHEST + 1)
    won = [sum(share for (one, _), share in points.items() if one == level) for level in range(HIGHEST + 1)]
    for _ in range(ROUNDS):
        met = [0.0] * (HIGHEST + 1)
        for (one, other), number in games.items():
            met[one] += number / (strengths[one] + strengths[other])
        found = [share / meetings for share, meetings in zip(won, met, strict=True)]
        if max(abs(math.log(new / old)) for new, old in zip(found, strengths, strict=True)) < 1e-9:
            return found
        strengths = found
    return strengths


def _in_order(elo: Sequence[float]) -> list[int]:
    """Ever larger numbers as near to these as can be, and the last one as it was."""
    pools: list[list[float]] = []
    for value in elo:
        pools.append([value])
        while len(pools) > 1 and _mean(pools[-2]) >= _mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    whole = [round(_mean(pool)) for pool in pools for _ in pool]
    for level in range(1, len(whole)):
        whole[level] = max(whole[level], whole[level - 1] + 1)
    return [value + ANCHOR - whole[-1] for value in whole]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


_player: LevelPlayer


def _begin(variant: Variant, seed: int) -> None:
    global _player
    _player = LevelPlayer(variant, seed)


def _play(pairing: LevelPairing) -> LevelResult:
    return _player.pair(pairing)
