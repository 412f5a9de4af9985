"""What commands take on the command line, where more than one takes it."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from turkengine.engine.options import REGISTRY
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS, variant_named
from turkengine.rules.variant import Variant


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


def _complete_setting(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Option names, and values where there are few."""
    settings = [f"{option.name}={value}" for option in REGISTRY for value in option.values or ("",)]
    return [setting for setting in settings if setting.startswith(incomplete)]


set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=_complete_setting,
    help="Preset an option (again for another), for GUIs that cannot set it.",
)
config_option = click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Read options from FILE in place of your own turkengine.toml.",
)
