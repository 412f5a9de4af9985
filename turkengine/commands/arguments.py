"""What commands take on the command line, where more than one takes it.

One thing has one spelling, and it is declared here. Other spellings that were in use work as before and are shown
nowhere: those of an option are its `aliases`, and a game can still come first, without `--variant`, where it used to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from turkengine.engine.options import REGISTRY
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS, variant_named
from turkengine.rules.variant import Side, Variant

if TYPE_CHECKING:
    from turkengine.match.clocks import TimeControl

T = TypeVar("T")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
file_option = click.Path(path_type=Path, dir_okay=False)
farm_option = click.option(
    "--farm", metavar="ADDRESS", help="Work on the cluster of this Dask scheduler, as tcp://scheduler:8786."
)


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


class Spelled(click.Option):
    """An option with spellings that work and are not shown."""

    def __init__(self, *arguments: Any, aliases: Sequence[str] = (), **settings: Any) -> None:
        """As any option; `aliases` are the spellings that are not shown."""
        super().__init__(*arguments, **settings)
        self.aliases = list(aliases)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser know all spellings; messages and help use the first."""
        shown = self.opts
        self.opts = [*shown, *self.aliases]
        super().add_to_parser(parser, ctx)
        self.opts = shown


class _FirstWord(click.Argument):
    """The game as the first word; it shows nowhere, and `GameCommand` reads it."""

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Nothing."""
        return []


class _Unread(VariantName):
    """Completed like the name of a game, and else left to `--variant`."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What is there."""
        return value


class GameCommand(click.Command):
    """A command whose game may come as its first word, in place of `--variant`."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """As any command."""
        super().__init__(*arguments, **settings)
        self.params.insert(0, _FirstWord(["first_word"], type=_Unread(), required=False, expose_value=False))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the first word as the game where no option gives it."""
        place = self._first_word(ctx, args)
        if any(word == "--variant" or word.startswith("--variant=") for word in args):
            args = ["", *args]
        elif place is not None:
            args = ["", f"--variant={args[place]}", *args[:place], *args[place + 1 :]]
        return super().parse_args(ctx, args)

    def _first_word(self, ctx: click.Context, args: list[str]) -> int | None:
        """The place of the first word that is no option and no value of one."""
        options = {
            spelling: param
            for param in self.get_params(ctx)
            if isinstance(param, click.Option)
            for spelling in (*param.opts, *param.secondary_opts, *getattr(param, "aliases", ()))
        }
        skipped = 0
        for place, word in enumerate(args):
            if skipped:
                skipped -= 1
            elif not word.startswith("-") or word == "-":
                return place
            elif word == "--":
                return place + 1 if place + 1 < len(args) else None
            else:
                option = options.get(word)
                skipped = option.nargs if option is not None and not option.is_flag and not option.count else 0
        return None


def variant_option(help_text: str = "The game.", **settings: Any) -> Decorator:
    """The game that is meant."""
    return click.option("--variant", type=VariantName(), help=help_text, **settings)


def movetime_option(help_text: str) -> Decorator:
    """Seconds for each move or position."""
    return click.option(
        "--movetime",
        cls=Spelled,
        aliases=["--move-time"],
        type=click.FloatRange(0, min_open=True),
        metavar="S",
        help=help_text,
    )


def nodes_option(help_text: str) -> Decorator:
    """Nodes for each move or position."""
    return click.option("--nodes", type=click.IntRange(1), metavar="N", help=help_text)


def depth_option(help_text: str, most: int = 500) -> Decorator:
    """Plies of each search."""
    return click.option("--depth", type=click.IntRange(1, most), metavar="PLIES", help=help_text)


def multipv_option(help_text: str) -> Decorator:
    """How many best lines are wanted."""
    return click.option(
        "--multipv",
        cls=Spelled,
        aliases=["--multi-pv", "--lines"],
        type=click.IntRange(1, 100),
        default=1,
        show_default=True,
        metavar="N",
        help=help_text,
    )


def colour_option(help_text: str) -> Decorator:
    """White or black."""
    sides = click.Choice([side.name.lower() for side in Side])
    return click.option("--colour", cls=Spelled, aliases=["--color"], type=sides, help=help_text)


def read_with(reader: Callable[[str], T]) -> Callable[[click.Context, click.Parameter, str | None], T | None]:
    """A callback that reads the text of an option, and names the option where that cannot be done."""

    def callback(ctx: click.Context, param: click.Parameter, value: str | None) -> T | None:
        try:
            return reader(value) if value is not None else None
        except TurkengineError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    return callback


def read_each_with(
    reader: Callable[[str], T],
) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], tuple[T, ...]]:
    """The same for an option that may be given again."""
    return lambda ctx, param, values: tuple(reader(value) for value in values)


def clock_of(text: str) -> TimeControl:
    """The clock of `--tc` between programs."""
    from turkengine.match.clocks import TimeControl

    return TimeControl.read(text)


def people_clock_of(text: str) -> TimeControl:
    """The clock of `--tc` where people play: a number without a unit is minutes."""
    from turkengine.match.clocks import TimeControl

    return TimeControl.read(text, in_minutes=True)


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
    help="Preset an option, for GUIs that cannot set it (may be repeated).",
)
config_option = click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Read options from FILE in place of your own turkengine.toml.",
)
