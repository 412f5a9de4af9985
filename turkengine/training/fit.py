"""Fits the weights of the evaluation to games, by logistic regression.

The chance to win is taken as 1 / (1 + exp(-slope * value)), with the value in men from White's side and half a point
for a draw. The slope is the one that fits the search scores of the same games, so that new values keep the old scale
and the margins of the search keep their meaning. What is aimed at is the result of the game, blended with the chance
that the search saw: a result tells the truth with much noise, a score less of it with less noise. Every weight has a
value for the opening and one for the ending, mixed by the pieces left as the kernel mixes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from turkengine.rules.variant import Variant
from turkengine.training.features import KINGS, MAN, Features, Floats
from turkengine.training.patterns import STATES, placements

FIRST_MAN, FIRST_KING = 1.0, 3.5  # men: where the fit begins


@dataclass(frozen=True)
class Weights:
    """In men.

    Attributes:
        tables: [2, tables * STATES] of the patterns, opening first, then ending.
        others: [2, 2 + squares] of what `Features.counts` counts.
    """

    tables: Floats
    others: Floats

    def values(self, data: Features) -> Floats:
        """[positions] the evaluation from White's side."""
        opening, ending = (
            (self.tables[phase][data.states] * data.signs).sum(axis=1) + data.counts @ self.others[phase]
            for phase in range(2)
        )
        return np.asarray(opening * data.opening + ending * (1 - data.opening), dtype=np.float32)


@dataclass(frozen=True)
class Round:
    """How far the fit is: the loss on the positions learnt from and, now and then, on those kept apart."""

    number: int
    loss: float
    validation: float | None


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
    slope: float,
    blend: float,
    pull: float,
    rounds: int,
    on_round: Callable[[Round], None] = lambda _: None,
) -> Weights:
    """The weights that predict best.

    Args:
        slope: of the chance to win, in most cases that of `slope_of`.
        blend: the part of the search's chance in what is aimed at, the rest is the result.
        pull: how strongly the values of patterns are held near 0; about so many positions speak for 0.
        rounds: of the method (L-BFGS), which ends earlier where nothing gets better.
        on_round: told after each one; the loss of `validation` every tenth time.
    """
    task = _Task(data, slope, (1 - blend) * data.results + blend * chances(slope * data.scores), pull, _start(variant))
    done = 0

    def follow(vector: Any) -> None:
        nonlocal done
        done += 1
        told = loss_of(slope * task.weights(vector).values(validation), validation.results) if done % 10 == 0 else None
        on_round(Round(done, task.loss, told))

    begin = np.concatenate([task.start.tables.ravel(), task.start.others.ravel()]).astype(np.float64)
    options = {"maxiter": rounds, "maxcor": 8}
    found = minimize(task, begin, jac=True, method="L-BFGS-B", callback=follow, options=options)
    return task.weights(found.x)


def _start(variant: Variant) -> Weights:
    tables = 1 + max(placement.table for placement in placements(variant.board))
    others = np.zeros((2, KINGS + variant.board.size), dtype=np.float32)
    others[:, MAN], others[:, KINGS:] = FIRST_MAN, FIRST_KING
    return Weights(np.zeros((2, tables * STATES), dtype=np.float32), others)


class _Task:
    """The function to be made small: of all weights in one vector, with its slopes."""

    def __init__(self, data: Features, slope: float, wanted: Floats, pull: float, start: Weights) -> None:
        self._data, self._slope, self._wanted, self._pull, self.start = data, slope, wanted, pull, start
        self._columns = [np.ascontiguousarray(column) for column in data.states.T]
        self._shares = (data.opening, 1 - data.opening)
        self.loss = 0.0

    def weights(self, vector: Any) -> Weights:
        """What a vector stands for."""
        cut = self.start.tables.size
        tables, others = (part.astype(np.float32) for part in (vector[:cut], vector[cut:]))
        return Weights(tables.reshape(self.start.tables.shape), others.reshape(self.start.others.shape))

    def __call__(self, vector: Any) -> tuple[float, Any]:
        weights, number = self.weights(vector), len(self._wanted)
        logits = self._slope * weights.values(self._data)
        self.loss = loss_of(logits, self._wanted)
        residual = self._slope * (chances(logits) - self._wanted) / number
        table_slopes = 2 * self._pull * weights.tables.astype(np.float64) / number
        other_slopes = np.zeros(weights.others.shape)
        for phase, share in enumerate(self._shares):
            part = residual * share
            for column, sign in zip(self._columns, self._data.signs, strict=True):
                table_slopes[phase] += np.bincount(column, part * sign, minlength=table_slopes.shape[1])
            other_slopes[phase] = part @ self._data.counts
        held = self._pull * float((weights.tables**2).sum()) / number
        return self.loss + held, np.concatenate([table_slopes.ravel(), other_slopes.ravel()])
