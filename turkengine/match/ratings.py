"""Ratings of several players who have met: each gets the number that explains all results together best.

A difference of ratings foretells a score on the logistic scale (Bradley-Terry, as Elo uses it); the ratings are those
of the greatest likelihood, a draw counting as half a win. They are found from how many games each two have played and
their score, so they do not depend on the order of the games. Each player is given one drawn game more against an
average opponent, so that one who has won everything has a rating too.

Errors come from how far the pairs of games really lie from what the ratings foretell (quasi-likelihood), so draws, and
the likeness of two games from one opening, make them as small or as large as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from turkengine.match.schedule import Results
from turkengine.match.statistics import ELO_SCALE, TWO_SIDED_95, UNKNOWN, Estimate, expected_score

PRIOR_GAMES = 1.0  # drawn against an average opponent
ROUNDS = 100  # of Newton's method; ten are enough
LARGEST_STEP = 2.0  # natural units of one round
EXACT = 1e-10

Matrix = list[list[float]]


def ratings(names: Sequence[str], results: Results) -> dict[str, Estimate]:
    """The rating of each player in Elo, whose mean is 0, with its 95 % interval relative to that mean."""
    played, scored = _totals(names, results)
    values = _likeliest(played, scored)
    middle = math.fsum(values) / len(values)
    errors = _errors(names, results, played, values)
    found = {}
    for name, value, error in zip(names, values, errors, strict=True):
        elo = ELO_SCALE * (value - middle)
        margin = TWO_SIDED_95 * ELO_SCALE * error
        interval = UNKNOWN if math.isinf(margin) else (elo - margin, elo + margin)
        found[name] = Estimate(elo, *interval)
    return found


def _totals(names: Sequence[str], results: Results) -> tuple[Matrix, list[float]]:
    """How many games each two have played, and the points of each player."""
    played = [[float(results.games(one, other).total) for other in names] for one in names]
    scored = [math.fsum(results.games(one, other).points for other in names if other != one) for one in names]
    return played, scored


def _likeliest(played: Matrix, scored: Sequence[float]) -> list[float]:
    """The ratings in natural units, by Newton's method: the likelihood has one maximum and is concave."""
    values = [0.0] * len(scored)
    for _ in range(ROUNDS):
        surplus = [
            scored[one]
            + PRIOR_GAMES * (0.5 - _expected(values[one]))
            - math.fsum(games * _expected(values[one] - values[other]) for other, games in enumerate(row))
            for one, row in enumerate(played)
        ]
        step = _solved(_information(played, values, PRIOR_GAMES), [[value] for value in surplus])
        largest = max(abs(change) for [change] in step)
        scale = min(1.0, LARGEST_STEP / largest) if largest else 1.0
        values = [value + scale * change for value, [change] in zip(values, step, strict=True)]
        if largest < EXACT:
            break
    return values


def _information(played: Matrix, values: Sequence[float], prior: float) -> Matrix:
    """How sharply the likelihood bends: the weight of each game is p (1 - p)."""
    size = len(values)
    matrix = [[0.0] * size for _ in range(size)]
    for one, other in combinations(range(size), 2):
        weight = played[one][other] * _spread(values[one] - values[other])
        matrix[one][other] = matrix[other][one] = -weight
    for one in range(size):
        matrix[one][one] = -math.fsum(matrix[one]) + prior * _spread(values[one])
    return matrix


def _errors(names: Sequence[str], results: Results, played: Matrix, values: Sequence[float]) -> list[float]:
    """The standard errors relative to the mean of all, infinite where the pairs are too few or too alike."""
    size = len(names)
    squares, foretold, pairs = 0.0, 0.0, 0
    for one, other in combinations(range(size), 2):
        lead = values[one] - values[other]
        for halves, count in enumerate(results.pairs(names[one], names[other]).counts):
            squares += count * (halves / 2 - 2 * _expected(lead)) ** 2
            foretold += count * 2 * _spread(lead)
            pairs += count
    if pairs < size or not squares:
        return [math.inf] * size
    dispersion = squares / foretold * pairs / (pairs - size + 1)
    information = _information(played, values, PRIOR_GAMES)
    unit = [[float(row == column) for column in range(size)] for row in range(size)]
    inverse = _solved(information, unit)
    means = [math.fsum(row) / size for row in inverse]
    mean = math.fsum(means) / size
    # the variance of a value less the mean of all values
    variances = [inverse[place][place] - 2 * means[place] + mean for place in range(size)]
    return [math.sqrt(max(dispersion * variance, 0.0)) for variance in variances]


def _expected(lead: float) -> float:
    return expected_score(ELO_SCALE * lead)


def _spread(lead: float) -> float:
    expected = _expected(lead)
    return expected * (1 - expected)


def _solved(matrix: Matrix, right: Matrix) -> Matrix:
    """The solution of matrix x = right, by Gauss-Jordan elimination with the largest pivot of each column."""
    size = len(matrix)
    rows = [[*row, *added] for row, added in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        divisor = rows[column][column]
        rows[column] = [value / divisor for value in rows[column]]
        for row in range(size):
            factor = rows[row][column]
            if row != column and factor:
                rows[row] = [value - factor * used for value, used in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows]
