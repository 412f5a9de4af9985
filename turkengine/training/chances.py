"""What scores mean for results: fits the two numbers of `engine/chances.py` to games."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from turkengine.training.dataset import Records
from turkengine.training.features import Floats

LARGEST = 80.0  # men; what lies beyond is a win that was found, and needs no chance
SMALLEST = 1e-9


def fit_chances(records: Records) -> tuple[float, float, float]:
    """The steepness and the lead that make the results of games most likely, and the mean loss in nats.

    Args:
        records: positions with the score of a search and the result, both from White's side.
    """
    scores = np.asarray(records["score"], dtype=np.float64) / 100
    results = np.asarray(records["result"])
    kept = np.abs(scores) < LARGEST
    scores, results = scores[kept], results[kept]

    def loss(parameters: Floats) -> float:
        steepness, lead = parameters
        win, defeat = (1 / (1 + np.exp(-np.clip(steepness * (side * scores - lead), -50, 50))) for side in (1, -1))
        draw = np.clip(1 - win - defeat, SMALLEST, 1)
        likely = np.where(results > 0, win, np.where(results < 0, defeat, draw))
        return float(-np.mean(np.log(np.clip(likely, SMALLEST, 1))))

    found = minimize(loss, np.array([1.0, 0.5]), method="Nelder-Mead")
    return float(found.x[0]), float(found.x[1]), float(found.fun)
