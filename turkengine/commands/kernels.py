"""The compiled kernels, as the commands need them: where one is missing, the user reads a line and no traceback."""

from __future__ import annotations

import click

from turkengine.engine.kernel_types import Kernel, load_kernel
from turkengine.rules.variant import Variant


def compiled(variant: Variant) -> Kernel:
    """The compiled kernel of a variant.

    Raises:
        ClickException: it has not been built.
    """
    try:
        return load_kernel(variant)
    except ImportError as error:
        raise click.ClickException(f"the engine's compiled part cannot be loaded: {error}") from None
