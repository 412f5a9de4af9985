"""A picture of how a fit went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turkengine.rules.variant import Variant
from turkengine.training.fit import Epoch


def draw(path: Path, variant: Variant, rounds: Sequence[Epoch], of_search: float) -> None:
    """Draw the losses, round by round, beside that of the search scores; the ending of the name chooses the format."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.plot([one.number for one in rounds], [one.loss for one in rounds], label="aim, positions learnt from")
    axes.plot([one.number for one in rounds], [one.validation for one in rounds], label="results, games kept apart")
    axes.axhline(of_search, linestyle=":", color="gray", label="results, scores of the search")
    axes.set(title=f"Weights for {variant.name}", xlabel="round", ylabel="loss (mean cross entropy)")
    axes.legend()
    figure.savefig(path)
