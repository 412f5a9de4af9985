"""Endings played out: the engine on one side, the tables' best defence or a merciless holder on the other."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from typing import Any

from endgame.tables import every_position, is_quiet
from kernel.searching import searcher

from turkengine.engine.kernel_types import RawReport
from turkengine.rules.move import Move
from turkengine.rules.variant import Side, Variant

NODES = 2_000  # of each search: far more than a move in the tables takes


def engine_with(endings: Any, position: Any) -> Callable[[Any], Move]:
    """What the engine plays with these tables."""
    by = searcher(position)

    def choose(here: Any) -> Move:
        reports: list[tuple[Any, ...]] = []
        by.prepare()
        by.run(here, nodes=NODES, endings=endings, on_report=reports.append)
        move: Move = RawReport(*reports[-1]).line[0]
        return move

    return choose


def stubborn(endings: Any, dice: random.Random) -> Callable[[Any], Move]:
    """The defence: of the moves that lose as slowly as can be, or hold, any; a draw by a count is held too."""

    def choose(here: Any) -> Move:
        rated = []
        for move in here.legal_moves():
            after = here.play(move)
            known = endings.look_up(after)
            if known is None:  # the last piece is taken
                return move
            won, plies, in_time = known
            rated.append(((-won if in_time else 0, plies if won > 0 else -plies), move))
        best = max(rate for rate, _ in rated)
        return dice.choice([move for rate, move in rated if rate == best])

    return choose


def sample(
    variant: Variant,
    name: str,
    endings: Any,
    number: int,
    seed: int,
    wanted: Callable[[int, int], bool],
    quiet: bool = True,
) -> list[Any]:
    """Random positions of an ending, White to move, in which the game goes on; all where there are fewer.

    `wanted` is asked with the result and the plies that the tables tell, and a win has to be in time.
    """
    dice = random.Random(seed)
    fitting = []
    for position in every_position(variant, name):
        won, plies, in_time = endings.look_up(position)
        if wanted(won, plies) and in_time:
            fitting.append(position)
    dice.shuffle(fitting)
    going_on = (position for position in fitting if position.outcome() is None and (not quiet or is_quiet(position)))
    return list(islice(going_on, number))


def played_out(position: Any, players: dict[Side, Callable[[Any], Move]], most: int) -> tuple[Side | None, int]:
    """Who wins under the rules, None for a draw or where `most` plies decide nothing; and the plies played."""
    for plies in range(most + 1):
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner, plies
        if plies < most:
            position = position.play(players[position.side](position))
    return None, most
