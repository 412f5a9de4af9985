"""Endgame tables as the tests need them: those that come with the program, and small solvers to compare them with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from kernel.positions import turned

from turkengine import kernel
from turkengine.endgame.material import Material, material_named
from turkengine.kernel import endgames
from turkengine.rules.movegen import EMPTY
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

LOST = (-1, 0)
DRAWN = (0, 0)


@cache
def shipped(variant: Variant) -> Any:
    """The tables that come with the program."""
    endings, complaints = endgames.mount(kernel.load(variant), variant, [endgames.SHIPPED], 5)
    assert complaints == []
    return endings


def every_position(variant: Variant, name: str) -> Iterator[Any]:
    """Every placement of an ending with White, whose pieces come first, to move."""
    module = kernel.load(variant)
    white, black = (Material(part.count("M"), part.count("K"), 0, 0) for part in name.split("v"))
    ending = Material(white.men, white.kings, black.men, black.kings)
    assert ending.balance == material_named(name)
    for number in range(module.ending_size(ending)):
        position = module.position_at(ending, number)
        if position is not None:
            yield position


def is_quiet(position: Any) -> bool:
    """Whether nobody could capture, whichever side was to move."""
    other = type(position).from_cells(position.cells, position.side.opponent)
    return not any(move.is_capture for one in (position, other) for move in one.legal_moves())


def one_against_one(variant: Variant) -> dict[str, tuple[int, int]]:
    """Every placement of one piece each, White to move, with its value, found with the readable rules alone.

    The value is (1, plies) for a win, (-1, plies) for a loss and (0, 0) for a draw.
    """
    values: dict[str, tuple[int, int] | None] = {}
    after: dict[str, list[str]] = {}
    for cells in _placements(variant):
        position = Position(variant, cells, Side.WHITE)
        end = outcome(position, no_progress=0)
        if end is not None:
            values[cells] = DRAWN if end.winner is None else (1 if end.winner is Side.WHITE else -1, 0)
            continue
        values[cells] = None
        after[cells] = [turned(position.play(move).cells) for move in position.legal_moves()]
    plies = 0
    while True:
        found = {}
        for cells, followers in after.items():
            if values[cells] is None:
                known = [values.get(follower, LOST) for follower in followers]  # no placement: the last piece is gone
                if any(value is not None and value[0] < 0 and value[1] == plies for value in known):
                    found[cells] = (1, plies + 1)
                elif all(value is not None and value[0] > 0 for value in known):
                    found[cells] = (-1, plies + 1)
        if not found and plies > 40:
            return {cells: value or DRAWN for cells, value in values.items()}
        values.update(found)
        plies += 1


def _placements(variant: Variant) -> Iterator[str]:
    for white, black in product("wW", "bB"):
        for here, there in product(range(variant.board.size), repeat=2):
            if here == there:
                continue
            if white == "w" and here in variant.promotion_squares[Side.WHITE]:
                continue
            if black == "b" and there in variant.promotion_squares[Side.BLACK]:
                continue
            cells = [EMPTY] * variant.board.size
            cells[here], cells[there] = white, black
            yield "".join(cells)
