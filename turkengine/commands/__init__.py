"""The commands of `turkengine`. Each reads its arguments and hands them to the floor that does the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from turkengine import __version__, cli
from turkengine.commands.analyse import analyse
from turkengine.commands.arguments import config_option, set_option
from turkengine.commands.board import board
from turkengine.commands.book import book
from turkengine.commands.check import check_engine
from turkengine.commands.draw import draw
from turkengine.commands.dxp import dxp
from turkengine.commands.endgame import endgame
from turkengine.commands.evaluation import evaluate
from turkengine.commands.match import match
from turkengine.commands.measure import bench, perft, variants
from turkengine.commands.onlookers import onlookers
from turkengine.commands.pdn import pdn
from turkengine.commands.play import play
from turkengine.commands.puzzles import puzzles
from turkengine.commands.tournament import tournament
from turkengine.commands.train import train
from turkengine.errors import WeightsError, is_want_of_memory, unforeseen
from turkengine.interruption import INTERRUPTED


class _Commands(click.Group):
    """The commands; Ctrl-C or SIGTERM ends each with the status that a shell expects, weights of no use with a line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            with onlookers():  # a terminal may be what has gone
                click.echo("interrupted", err=True)
                ctx.exit(INTERRUPTED)
        except WeightsError as error:  # whichever command was the first to need the engine
            raise click.ClickException(str(error)) from None
        except (MemoryError, RuntimeError) as error:
            if not is_want_of_memory(error):
                raise
            raise click.ClickException(unforeseen(error)) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands in sections, each with what it does; the columns are the same in all of them."""
        width = max(map(len, self.commands))
        room = formatter.width - width - 6
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [((command.name or "").ljust(width), command.get_short_help_str(room)) for command in section]
                )


@click.group(
    cls=_Commands,
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
      turkengine play                        a game in this terminal
      turkengine board                       games, analysis and matches in the browser
      turkengine perft --variant croda 5     count move sequences
      turkengine bench                       measure the speed
      turkengine eval                        see what the engine thinks of a position
    """
    if ctx.invoked_subcommand is None:
        ctx.exit(cli.serve(None, settings, file))
    ctx.obj = (settings, file)


def _serve(ctx: click.Context, dialect: str, settings: tuple[str, ...], file: Path | None) -> None:
    earlier_settings, earlier_file = ctx.obj
    ctx.exit(cli.serve(dialect, (*earlier_settings, *settings), file or earlier_file))


@click.command()
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


@click.command()
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


@click.command()
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


SECTIONS: Mapping[str, Sequence[click.Command]] = {
    "Play": (play, board),
    "Engine for GUIs": (hub, uci),
    "Matches": (match, tournament, dxp, check_engine),
    "Analysis": (analyse, puzzles, evaluate, draw),
    "Files": (pdn,),
    "Building and measuring": (book, endgame, train, bench, perft, variants, completion),
}
for section in SECTIONS.values():
    for command in section:
        turkengine.add_command(command)
