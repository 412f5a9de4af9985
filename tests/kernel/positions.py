"""Positions of the compiled kernel, made from text or from positions of the readable rules."""

from __future__ import annotations

import random
from typing import Any

from turkengine import kernel
from turkengine.notation import fen, moves
from turkengine.rules import position as rules
from turkengine.rules.movegen import EMPTY, KING, MAN
from turkengine.rules.variant import Side, Variant


def start(variant: Variant) -> Any:
    """The position in which a game begins."""
    return kernel.load(variant).Position.start()


def read(variant: Variant, text: str, line: str = "") -> Any:
    """The position that a FEN describes, after the moves of `line`."""
    setup = fen.parse(variant, text)
    maker = kernel.load(variant).Position
    position = maker.from_cells(setup.cells, setup.side, setup.no_progress, setup.material_plies)
    for move in line.split():
        position = position.play(moves.read(position, move))
    return position


def middle_game(variant: Variant, seed: int, plies: int = 20) -> Any:
    """A position of a random game that goes on, with a choice of moves."""
    dice = random.Random(seed)
    position = chosen = start(variant)
    for _ in range(plies):
        after = position.play(dice.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
        if len(position.legal_moves()) > 1:
            chosen = position
    return chosen


def choice(variant: Variant, seed: int) -> Any:
    """The same, or the next one in which there is a choice of moves."""
    position = middle_game(variant, seed)
    while len(position.legal_moves()) == 1:
        position = position.play(position.legal_moves()[0])
    return position


def repeat(position: Any, cycle: str, times: int) -> Any:
    """Play a line that leads back, again and again; its moves are read only once."""
    line = []
    for text in cycle.split():
        line.append(moves.read(position, text))
        position = position.play(line[-1])
    for _ in range(times - 1):
        for move in line:
            position = position.play(move)
    return position


def compiled(position: rules.Position) -> Any:
    """The same position in the kernel, without the game before."""
    maker = kernel.load(position.variant).Position
    return maker.from_cells(position.cells, position.side, position.no_progress, position.material_plies)


def thrown(variant: Variant, dice: random.Random, most: int | None = None, kings: float = 0.4) -> rules.Position:
    """Pieces thrown on the board: 2 to `most` of them, the part `kings` of them kings, the sides uneven or even."""
    enough = min(most or variant.board.size, variant.board.size - 1)
    cells = [EMPTY] * variant.board.size
    left = dict.fromkeys(Side, variant.pieces_per_side)
    black = dice.choice((0.3, 0.5, 0.7))
    for square in dice.sample(range(variant.board.size), dice.randint(2, enough)):
        side = Side.BLACK if dice.random() < black else Side.WHITE
        if left[side]:
            left[side] -= 1
            crowned = square in variant.promotion_squares[side] or dice.random() < kings
            cells[square] = KING[side] if crowned else MAN[side]
    return rules.Position(variant, "".join(cells), dice.choice(list(Side)))


def turned(cells: str) -> str:
    """The board seen from the other side: turned by 180 degrees, with the colours exchanged."""
    return cells[::-1].translate(str.maketrans("wbWB", "bwBW"))
