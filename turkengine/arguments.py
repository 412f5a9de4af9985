"""What commands take on the command line, where more than one takes it."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from turkengine.errors import TurkengineError
from turkengine.rules.variant import Variant
from turkengine.rules.variants import VARIANTS, variant_named


class VariantName(click.ParamType):  # type: ignore[type-arg, unused-ignore]  # generic only in newer versions
    """The name of a game."""

    name = "variant"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Variant:
        """The variant called so."""
        try:
            return value if isinstance(value, Variant) else variant_named(str(value))
        except TurkengineError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin like this."""
        return [CompletionItem(variant.name) for variant in VARIANTS if variant.name.startswith(incomplete.lower())]
