"""Finds the settings of the search by games, all of them at once: SPSA.

In each round every setting is changed a little, up or down at random. The search with these changes plays the one with
the opposite changes, and all settings move a little towards the winner's. What does not matter wanders about, what
matters is drawn to its best value by many rounds (Spall, 1992; the schedule of steps is the one that the testers of
chess engines use).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.score import LONGEST_WIN, WIN
from turkengine.kernel.settings import SETTINGS, Setting, values_of
from turkengine.rules.variant import Side, Variant
from turkengine.training.selfplay import LONGEST_GAME, SelfPlayer, result_of

SHRINKING, SLOWING = 0.101, 0.602  # how changes and steps become smaller from round to round
CALM = 0.1  # part of all rounds by which the first steps are held back
LAST_STEP = 0.002  # of a setting, for a game won, in its changes
AT_A_TIME = 8  # rounds whose games are played before any of them counts


@dataclass(frozen=True)
class Settled:
    """Where all settings stand after a round, and what the search changed one way scored against the other: -2 to 2."""

    number: int
    values: dict[str, float]
    score: float


class SettingsDuel:
    """Plays pairs of games between two settings of one variant's search."""

    def __init__(self, variant: Variant, nodes: int) -> None:
        """Searches of so many nodes each."""
        self._players = (SelfPlayer(variant, nodes), SelfPlayer(variant, nodes))

    def pair(self, dice: random.Random, first: list[int], second: list[int]) -> int:
        """Games won less games lost by the first settings: an opening, played with both colours."""
        position = self._players[0].opening(dice)
        return self._game(position, {Side.WHITE: first, Side.BLACK: second}) - self._game(
            position, {Side.WHITE: second, Side.BLACK: first}
        )

    def _game(self, position: KernelPosition, settings: Mapping[Side, list[int]]) -> int:
        """1 where White wins, -1 where Black does."""
        for player in self._players:
            player.new_game()
        for _ in range(LONGEST_GAME):
            outcome = position.outcome()
            if outcome is not None:
                return result_of(outcome)
            white = position.side is Side.WHITE
            self._players[0].kernel.set_settings(settings[position.side])
            score, move = self._players[0 if white else 1].think(position)
            if abs(score) >= WIN - LONGEST_WIN:
                return 1 if (score > 0) == white else -1
            position = position.play(move)
        return 0


def tune(
    variant: Variant,
    start: Mapping[str, int],
    *,
    rounds: int,
    nodes: int,
    seed: int,
    jobs: int,
    on_round: Callable[[Settled], None] = lambda _: None,
) -> dict[str, int]:
    """The settings found.

    Args:
        start: where the search for them begins, as in the file of weights.
        rounds: pairs of games; some thousands.
        nodes: of each search.
        seed: the same gives the same games, however many processes play them.
        jobs: how many play.

    Raises:
        BrokenProcessPool: one of them has died.
    """
    path = _Path(values_of(start), rounds)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (variant, nodes)) as pool:
        for at in range(0, rounds, AT_A_TIME):
            orders = [path.order(number, seed) for number in range(at, min(at + AT_A_TIME, rounds))]
            for order, score in zip(orders, pool.map(_play, orders), strict=True):
                path.take(order, score)
                on_round(Settled(order.number, path.named, score))
    return {name: round(value) for name, value in path.named.items()}


@dataclass(frozen=True)
class _Order:
    """One round: the settings of both sides, and which way each setting was changed."""

    number: int
    seed: int
    signs: list[int]
    up: list[int]
    down: list[int]


class _Path:
    """Where the settings stand, and how they go on."""

    def __init__(self, values: list[int], rounds: int) -> None:
        self._values = [float(value) for value in values]
        self._rounds = rounds

    @property
    def named(self) -> dict[str, float]:
        return {setting.name: value for setting, value in zip(SETTINGS, self._values, strict=True)}

    def order(self, number: int, seed: int) -> _Order:
        dice = random.Random(f"{seed} settings {number}")
        signs = [dice.choice((-1, 1)) for _ in SETTINGS]
        up, down = (
            [
                _rounded(value + way * sign * self._change(setting, number), setting, dice)
                for setting, value, sign in zip(SETTINGS, self._values, signs, strict=True)
            ]
            for way in (1, -1)
        )
        return _Order(number, seed, signs, up, down)

    def take(self, order: _Order, score: int) -> None:
        calm = CALM * self._rounds
        slower = ((calm + self._rounds) / (calm + order.number + 1)) ** SLOWING
        for index, (setting, sign) in enumerate(zip(SETTINGS, order.signs, strict=True)):
            step = LAST_STEP * slower * setting.step**2 / self._change(setting, order.number)
            moved = self._values[index] + step * score * sign
            self._values[index] = min(max(moved, setting.least), setting.most)

    def _change(self, setting: Setting, number: int) -> float:
        return float(setting.step * (self._rounds / (number + 1)) ** SHRINKING)


def _rounded(value: float, setting: Setting, dice: random.Random) -> int:
    """A whole number, in the mean the value itself."""
    return min(max(int(value + dice.random()), setting.least), setting.most)


_duel: SettingsDuel


def _begin(variant: Variant, nodes: int) -> None:
    global _duel
    _duel = SettingsDuel(variant, nodes)


def _play(order: _Order) -> int:
    return _duel.pair(random.Random(f"{order.seed} games {order.number}"), order.up, order.down)
