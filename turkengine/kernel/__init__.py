"""The compiled kernel: move generation, perft and search, one extension module a variant.

The sources are the `.pxi` files of this folder, in the order that `kernel.pxi` gives. The build compiles them once for
each declaration in `turkengine/rules/variants.py`, which they see as constants.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType

from turkengine.kernel.weights import read_weights
from turkengine.rules.variant import Variant


@cache
def load(variant: Variant) -> ModuleType:
    """The compiled module of `variant`, with its weights set: classes Position, Table and Searcher.

    Raises:
        ImportError: it has not been built.
    """
    module = import_module(f"{__name__}._{variant.name.replace('-', '_')}")
    module.set_weights(read_weights(variant))
    return module
