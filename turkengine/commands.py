"""The commands of `turkengine`. Each reads its arguments and hands them to the floor that does the work."""

from __future__ import annotations

import time
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from turkengine import __version__, cli
from turkengine.arguments import VariantName
from turkengine.commands_pdn import pdn
from turkengine.engine import bench as standing
from turkengine.engine.contract import Kernel, load_kernel
from turkengine.engine.options import REGISTRY
from turkengine.engine.perft import count
from turkengine.errors import TurkengineError
from turkengine.notation import fen as notation
from turkengine.notation import moves
from turkengine.rules.variant import Variant
from turkengine.rules.variants import VARIANTS


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


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Without a command it listens on standard input and takes the protocol from the first line.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@set_option
@config_option
@click.pass_context
def turkengine(ctx: click.Context, settings: tuple[str, ...], file: Path | None) -> None:
    """A draughts engine for International draughts, Turkish draughts and Croda.

    \b
    Examples:
      turkengine hub                         what a draughts GUI starts
      turkengine hub --set variant=turkish   the same, preset for Turkish draughts
      turkengine uci                         the UCI-like protocol, for scripts and other GUIs
      turkengine perft croda 5               count move sequences
      turkengine bench                       measure the speed
    """
    if ctx.invoked_subcommand is None:
        ctx.exit(cli.serve(None, settings, file))
    ctx.obj = (settings, file)


def _serve(ctx: click.Context, dialect: str, settings: tuple[str, ...], file: Path | None) -> None:
    earlier_settings, earlier_file = ctx.obj
    ctx.exit(cli.serve(dialect, (*earlier_settings, *settings), file or earlier_file))


@turkengine.command()
@set_option
@config_option
@click.pass_context
def hub(ctx: click.Context, settings: tuple[str, ...], file: Path | None) -> None:
    """Be an engine that speaks Hub, version 2.

    \b
    Examples:
      turkengine hub
      turkengine hub --set variant=turkish --set threads=2
      turkengine hub --config tournament.toml
    """
    _serve(ctx, "hub", settings, file)


@turkengine.command()
@set_option
@config_option
@click.pass_context
def uci(ctx: click.Context, settings: tuple[str, ...], file: Path | None) -> None:
    """Be an engine that speaks the UCI-like protocol.

    \b
    Examples:
      turkengine uci
      turkengine uci --set variant=croda --set hash=256
    """
    _serve(ctx, "uci", settings, file)


@turkengine.command()
@click.argument("variant", type=VariantName())
@click.argument("depth", type=click.IntRange(0, 100), metavar="DEPTH")
@click.option("--fen", metavar="FEN", help="Count from this position instead of the start.")
@click.option("--divide", is_flag=True, help="Show the count below each move.")
@click.option("--all", "every_leaf", is_flag=True, help="Make the last move too instead of counting the moves.")
def perft(variant: Variant, depth: int, fen: str | None, divide: bool, every_leaf: bool) -> None:
    """Count the move sequences of DEPTH plies. The last number printed is the total.

    \b
    Examples:
      turkengine perft international 7
      turkengine perft turkish 4 --divide --fen "W:WKd4,Ke4:BKd5,Ke5"
      turkengine perft croda 6 --all
    """
    maker = _kernel(variant).Position
    try:
        setup = notation.parse(variant, fen) if fen is not None else None
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None
    position = maker.from_cells(setup.cells, setup.side) if setup is not None else maker.start()
    began = time.process_time()
    counted = count(position, depth, every_leaf)
    seconds = time.process_time() - began
    assert counted is not None  # nobody can stop it but Ctrl-C
    if divide:
        for move, leaves in counted.by_move:
            click.echo(f"{moves.full(position, move)}: {leaves}")
    speed = f", {counted.leaves / seconds / 1e6:.0f} million/s" if seconds > 0.01 else ""
    click.echo(f"{variant.name}, depth {depth}: {seconds:.3f} s CPU{speed}")
    click.echo(counted.leaves)


@turkengine.command()
@click.option(
    "--depth", type=click.IntRange(1, 100), metavar="PLIES", help="Search to this depth instead of each game's own."
)
@click.option("--variant", "variants", type=VariantName(), multiple=True, help="Only this game (again for another).")
def bench(depth: int | None, variants: tuple[Variant, ...]) -> None:
    """Search fixed positions of every game and show the speed.

    One thread, a fresh table for each position. The signature tells two searches apart: it stays the same as long as
    the engine looks at the same positions.

    \b
    Examples:
      turkengine bench
      turkengine bench --variant turkish --depth 12
    """
    for line in standing.lines(_kernel, depth, variants or VARIANTS):
        click.echo(line)


@turkengine.command()
def variants() -> None:
    """List the games that can be played.

    \b
    Example:
      turkengine variants
    """
    names = [", ".join((variant.name, *variant.aliases)) for variant in VARIANTS]
    for name, variant in zip(names, VARIANTS, strict=True):
        click.echo(f"{name:{max(map(len, names))}}  {variant.title}")


@turkengine.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Examples:
      turkengine completion bash >> ~/.bashrc
      turkengine completion zsh >> ~/.zshrc
      turkengine completion fish > ~/.config/fish/completions/turkengine.fish
    """
    script = get_completion_class(shell)
    assert script is not None  # click knows the shells offered above
    click.echo(script(turkengine, {}, "turkengine", cli.COMPLETION).source())


turkengine.add_command(pdn)


def _kernel(variant: Variant) -> Kernel:
    try:
        return load_kernel(variant)
    except ImportError as error:
        raise click.ClickException(f"the engine's compiled part cannot be loaded: {error}") from None


from turkengine import dxp_command  # noqa: E402, F401  # adds its command, with the options declared above
