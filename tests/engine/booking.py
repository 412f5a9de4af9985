"""A small book of Turkish draughts, made in a moment: static scores take the place of searches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turkengine.engine import book
from turkengine.engine.kernel_types import load_kernel
from turkengine.rules.variant import Side, Variant
from turkengine.training.bookbuilding import Builder, Place, Recipe

RECIPE = Recipe(positions=40, nodes=500, margin=15, ply_cost=2)


def at_sight(variant: Variant, wanted: Sequence[tuple[int, Place]]) -> dict[int, int]:
    """The static score of each position."""
    maker = load_kernel(variant).Position
    return {key: maker.from_cells(cells, Side(side)).evaluate() for key, (cells, side) in wanted}


def grown(variant: Variant, recipe: Recipe = RECIPE) -> Builder:
    builder = Builder(variant, recipe)
    builder.grow(lambda wanted: at_sight(variant, wanted), lambda _: None)
    return builder


def written(path: Path, variant: Variant) -> Path:
    """The file of such a book."""
    builder = grown(variant)
    book.write(path, variant, builder.start, builder.entries(), {"nodes": 0})
    return path
