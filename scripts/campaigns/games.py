"""Fast games of each variant, every move and ending of which the readable rules are asked about

The size is the number of games of each variant. A game is known by its number, so a run that was interrupted goes on.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import click
from kernel import positions
from kernel.searching import search, searcher

from turkengine.games import VARIANTS
from turkengine.notation import fen
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

SIZE = 1_000
LONGEST = 300  # plies
OPENING = 6  # plies by chance, so that games differ
BY_CHANCE = 0.1  # of the later moves
NODES = 150


def run(size: int, folder: Path) -> str:
    """Play on from the first game that is not done."""
    moves = 0
    for variant in VARIANTS:
        state = folder / variant.name
        begin, known = map(int, state.read_text().split()) if state.exists() else (0, 0)
        for number in range(begin, size):
            known += plies_of_game(variant, number)
            state.write_text(f"{number + 1} {known}")
            if number % 100 == 99:
                click.echo(f"{variant.name}: {number + 1} games")
        moves += known
    return f"{size} games of each of {len(VARIANTS)} variants, {moves} moves"


def plies_of_game(variant: Variant, number: int) -> int:
    """Play one game by both rules at once; its plies."""
    dice = random.Random(number)
    fast: Any = positions.start(variant)
    law = Position.start(variant)
    by = searcher(fast)
    for ply in range(LONGEST):
        where = f"{variant.name}, game {number}, ply {ply}: {fen.write(law)}"
        legal = law.legal_moves()
        assert set(fast.legal_moves()) == set(legal), f"other moves: {where}"
        ending = outcome(law)
        assert fast.outcome() == ending, f"{fast.outcome()} and not {ending}: {where}"
        if ending is not None:
            return ply
        move = dice.choice(legal)
        if ply >= OPENING and dice.random() >= BY_CHANCE:
            for line in search(fast, by, nodes=NODES):  # none where the first iteration takes more
                move = line.moves[0]
        assert move in legal, f"{move} is not legal: {where}"
        fast, law = fast.play(move), law.play(move)
    return LONGEST
