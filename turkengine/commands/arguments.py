"""What commands take on the command line, where more than one takes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem

from turkengine.engine.options import REGISTRY
from turkengine.errors import TurkengineError
from turkengine.rules.variant import Variant
from turkengine.rules.variants import VARIANTS, variant_named

if TYPE_CHECKING:
    from turkengine.match.clocks import TimeControl


T = TypeVar("T")
file_option = click.Path(path_type=Path, dir_okay=False)


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


def read_with(reader: Callable[[str], T]) -> Callable[[click.Context, click.Parameter, str | None], T | None]:
    """A callback that reads the text of an option, and names the option where that cannot be done."""

    def callback(ctx: click.Context, param: click.Parameter, value: str | None) -> T | None:
        try:
            return reader(value) if value is not None else None
        except TurkengineError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    return callback


def clock_of(text: str) -> TimeControl:
    """The clock of `--tc`."""
    from turkengine.match.clocks import TimeControl

    return TimeControl.read(text)


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
