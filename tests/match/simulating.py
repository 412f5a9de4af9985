"""Tournaments without games: the stronger player wins, or what a test says."""

from __future__ import annotations

from collections.abc import Callable

from turkengine.match.schedule import GameResult, Key, Pairing, Results, Schedule

Judge = Callable[[Pairing, str, str], int]
"""The half points of the first of two in each game of a pairing."""


def stronger(order: str) -> Judge:
    """Who stands earlier in `order` wins every game."""
    return lambda pairing, one, other: 2 if order.index(one) < order.index(other) else 0


def simulated(schedule: Schedule, judge: Judge) -> tuple[Results, list[list[Pairing]]]:
    """All results, and what was added each time that everything known had been played."""
    results, stages = Results(), []
    while True:
        due = [pairing for pairing in schedule.pairings(results) if not results.played(pairing)]
        if not due:
            return results, stages
        stages.append(due)
        for pairing in due:
            for key in pairing.keys:
                results.add(result_of(pairing, key, judge))


def result_of(pairing: Pairing, key: Key, judge: Judge) -> GameResult:
    """One game of a pairing, decided."""
    white, black = pairing.players(key)
    return GameResult(key, white, black, judge(pairing, white, black))
