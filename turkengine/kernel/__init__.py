"""The compiled kernel: move generation, perft and search, one extension module a variant.

The sources are the `.pxi` files of this folder, in the order that `kernel.pxi` gives. The build compiles them once for
each game in `turkengine/games`, whose declaration they see as constants.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType

from turkengine.kernel.settings import values_of
from turkengine.kernel.weights import read_weights
from turkengine.rules.variant import Variant


def module_name(variant: Variant) -> str:
    """What the compiled module of `variant` is called within this package; the build makes it by this name."""
    return "_" + variant.name.replace("-", "_")


@cache
def load(variant: Variant) -> ModuleType:
    """The compiled module of `variant`, with its weights set: classes Position, Table and Searcher.

    Raises:
        ImportError: it has not been built.
        WeightsError: its weights cannot be used.
    """
    module = import_module(f"{__name__}.{module_name(variant)}")
    weights = read_weights(variant)
    module.set_weights(weights)
    module.set_settings(values_of(weights.search))
    return module
