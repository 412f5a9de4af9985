"""Fits the weights of the evaluation to games.

The chance to win is taken as 1 / (1 + exp(-slope * value)), with the value in men from the side to move and half a
point for a draw. The slope is the one that fits the search scores of the same games, so that new values keep the old
scale and the margins of the search keep their meaning. What is aimed at is the result of the game, blended with the
chance that the search saw: a result shows the truth with much noise, a score less of it with less noise.

The method is Adam (Kingma and Ba, 2015) on parts of the positions in random order, with steps that become smaller
along half a cosine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from turkengine.rules.variant import Variant
from turkengine.training.features import Features, Floats, mirrored
from turkengine.training.network import Network, Pass

BATCH = 8192  # positions a step
FIRST_STEP = 0.002  # of every weight, in the units of `Network`
WARM_UP = 200  # steps
MEAN, SQUARE = 0.9, 0.999  # how long Adam remembers slopes and their squares
TINY = 1e-8


@dataclass(frozen=True)
class Epoch:
    """How far the fit is, after each time through all positions: the loss on them, and on those kept apart."""

    number: int
    loss: float
    validation: float


def loss_of(logits: Floats, wanted: Floats) -> float:
    """The mean cross entropy of predictions, given as logits, against chances."""
    return float(np.mean(np.logaddexp(0, logits) - wanted * logits))


def chances(logits: Floats) -> Floats:
    """The chances that logits stand for."""
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


def slope_of(data: Features) -> float:
    """The steepness with which search scores become results."""
    found = minimize_scalar(
        lambda slope: loss_of(slope * data.scores, data.results), bounds=(0.01, 5), method="bounded"
    )
    return float(found.x)


def fit(
    variant: Variant,
    data: Features,
    validation: Features,
    *,
    units: int,
    slope: float,
    blend: float,
    rounds: int,
    seed: int = 1,
    on_round: Callable[[Epoch], None] = lambda _: None,
) -> Network:
    """The weights that predict best.

    Args:
        units: hidden units of the network.
        slope: of the chance to win, in most cases that of `slope_of`.
        blend: the part of the search's chance in what is aimed at, the rest is the result.
        rounds: how often it goes through all positions.
        seed: of the order of the positions and of the weights at the start.
        on_round: called after each one.
    """
    dice = np.random.default_rng(seed)
    network = Network.start(variant, units, seed)
    wanted = ((1 - blend) * data.results + blend * chances(slope * data.scores)).astype(np.float32)
    batch = min(BATCH, len(data))
    batches = len(data) // batch
    adam = _Adam(network, rounds * batches)
    for number in range(1, rounds + 1):
        total = 0.0
        for chosen in np.array_split(dice.permutation(len(data))[: batches * batch], batches):
            part = data.part(np.sort(chosen))
            if not variant.board.dark_only and dice.random() < 0.5:
                part = replace(part, mover=mirrored(variant, part.mover), waiter=mirrored(variant, part.waiter))
            on_the_way = Pass(network, part)
            logits, aim = slope * on_the_way.value, wanted[np.sort(chosen)]
            total += loss_of(logits, aim)
            wrong = np.asarray(slope * (chances(logits) - aim) / len(aim), dtype=np.float32)
            adam.step(on_the_way.slopes(wrong))
        on_round(Epoch(number, total / batches, loss_of(slope * network.values(validation), validation.results)))
    return network


class _Adam:
    """Changes a network step by step, each weight by its own measure."""

    def __init__(self, network: Network, steps: int) -> None:
        self._network, self._steps, self._done = network, steps, 0
        self._means: list[Any] = [np.zeros_like(part) for part in network.parts]
        self._squares: list[Any] = [np.zeros_like(part) for part in network.parts]

    def step(self, slopes: Network) -> None:
        """One step downhill."""
        size = FIRST_STEP * min(1, (self._done + 1) / WARM_UP) * (1 + math.cos(math.pi * self._done / self._steps)) / 2
        self._done += 1
        size *= math.sqrt(1 - SQUARE**self._done) / (1 - MEAN**self._done)
        for part, slope, mean, square in zip(
            self._network.parts, slopes.parts, self._means, self._squares, strict=True
        ):
            mean += (1 - MEAN) * (slope - mean)
            square += (1 - SQUARE) * (slope * slope - square)
            part -= (size * mean / (np.sqrt(square) + TINY)).astype(np.float32)
