"""The command `turkengine match`: games between engines, and who is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from turkengine.commands.arguments import VariantName
from turkengine.commands.holding import farm_option, held
from turkengine.errors import TurkengineError
from turkengine.rules.bounds import MOST_PIECES
from turkengine.rules.variant import Variant
from turkengine.rules.variants import VARIANTS

if TYPE_CHECKING:
    from turkengine.match.clocks import TimeControl
    from turkengine.match.conduct import DrawRule, ResignRule

BY_CHANCE, FROM_START = "random", "start"  # openings that are no file

T = TypeVar("T")
file_option = click.Path(path_type=Path, dir_okay=False)


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


def _draw(text: str) -> DrawRule:
    from turkengine.match.conduct import DrawRule

    return DrawRule.read(text)


def _resign(text: str) -> ResignRule:
    from turkengine.match.conduct import ResignRule

    return ResignRule.read(text)


def _processors(text: str) -> tuple[int, ...]:
    from turkengine.match.plan import read_processors

    return read_processors(text)


def _bounds(text: str) -> tuple[float, float]:
    from turkengine.match.sprt import read_bounds

    return read_bounds(text)


@click.command()
@click.argument("engines", nargs=-1, metavar="ENGINE_A ENGINE_B [ENGINE...]")
@click.option("--variant", type=VariantName(), default=VARIANTS[0].name, show_default=True, help="The game.")
@click.option(
    "--games", type=click.IntRange(2), default=100, show_default=True, metavar="N", help="For each two engines; even."
)
@click.option("--tc", callback=read_with(clock_of), metavar="[MOVES/]S[+INC]", help="A clock, as 1+0.02 or 40/60.")
@click.option("--movetime", type=click.FloatRange(0, min_open=True), metavar="S", help="Seconds for each move.")
@click.option("--nodes", type=click.IntRange(1), metavar="N", help="Nodes for each move.")
@click.option("--depth", type=click.IntRange(1, 500), metavar="PLIES", help="Depth of each search.")
@click.option(
    "--openings",
    default=BY_CHANCE,
    metavar=f"FILE|{FROM_START}|{BY_CHANCE}",
    show_default=True,
    help="Games (PDN), positions (FEN in each line), the usual start, or lines by chance that are balanced.",
)
@click.option("--opening-plies", type=click.IntRange(0, 400), default=8, show_default=True, metavar="N")
@click.option(
    "--opening-score",
    type=click.IntRange(0),
    default=40,
    show_default=True,
    metavar="N",
    help="Hundredths of a man that count as balanced.",
)
@click.option(
    "--concurrency", type=click.IntRange(1, 1024), metavar="N", help="Games at a time. [default: 1, of a farm all]"
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Decides the openings.")
@click.option("--sprt", callback=read_with(_bounds), metavar="ELO0,ELO1", help="Stop once one of the two is accepted.")
@click.option("--sprt-scale", type=click.Choice(["normalised", "logistic"]), default="normalised", show_default=True)
@click.option("--alpha", type=float, default=0.05, show_default=True, metavar="P", help="Error of the first kind.")
@click.option("--beta", type=float, default=0.05, show_default=True, metavar="P", help="Error of the second kind.")
@click.option("--margin", type=click.FloatRange(0), default=0.0, show_default=True, metavar="S", help="Beyond a clock.")
@click.option(
    "--move-margin", type=click.FloatRange(0), default=0.1, show_default=True, metavar="S", help="Beyond --movetime."
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Wait so long for a move without a time limit.",
)
@click.option("--draw", callback=read_with(_draw), metavar="SCORE,PLIES[,AFTER]", help="Draw by both engines' scores.")
@click.option("--resign", callback=read_with(_resign), metavar="SCORE,PLIES", help="Loss by both engines' scores.")
@click.option(
    "--tables",
    type=click.IntRange(2, MOST_PIECES),
    metavar="PIECES",
    help="Result by endgame tables, up to so many.",
)
@click.option(
    "--tables-folder",
    type=click.Path(path_type=Path, resolve_path=True),
    metavar="FOLDER",
    help="More tables for --tables.",
)
@click.option("--longest", type=click.IntRange(1), metavar="PLIES", help="A longer game is a draw.")
@click.option("--no-progress", type=click.IntRange(0, 1000), metavar="PLIES", help="Where the game leaves it open.")
@click.option(
    "--irregularity",
    type=click.Choice(["forfeit", "rectify", "stand"]),
    default="forfeit",
    show_default=True,
    help="What follows a move against the rules.",
)
@click.option("--db", type=file_option, metavar="FILE", help="Keeps the match; run again with it to go on.")
@click.option("--pdn", type=file_option, metavar="FILE", help="All games.")
@click.option("--json", "json_file", type=file_option, metavar="FILE", help="The report for programs.")
@click.option("--html", type=file_option, metavar="FILE", help="The report as a page.")
@click.option("--log", "logs", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="All lines.")
@click.option("--affinity", callback=read_with(_processors), metavar="N,...", help="Processors, one for each game.")
@farm_option
@click.option("--plain", is_flag=True, help="Lines in place of a table on a terminal.")
@click.pass_context
def match(
    ctx: click.Context,
    engines: tuple[str, ...],
    variant: Variant,
    games: int,
    tc: TimeControl | None,
    movetime: float | None,
    nodes: int | None,
    depth: int | None,
    openings: str,
    opening_plies: int,
    opening_score: int,
    concurrency: int | None,
    seed: int,
    sprt: tuple[float, float] | None,
    sprt_scale: str,
    alpha: float,
    beta: float,
    margin: float,
    move_margin: float,
    patience: float,
    draw: DrawRule | None,
    resign: ResignRule | None,
    tables: int | None,
    tables_folder: Path | None,
    longest: int | None,
    no_progress: int | None,
    irregularity: str,
    db: Path | None,
    pdn: Path | None,
    json_file: Path | None,
    html: Path | None,
    logs: Path | None,
    affinity: tuple[int, ...] | None,
    farm: str | None,
    plain: bool,
) -> None:
    """Play games between engines, and tell who is better and how sure that is.

    An ENGINE is builtin[:OPTION=VALUE,...], hub:COMMAND, hub1:COMMAND, uci:COMMAND or dxp:HOST:PORT, with NAME= in
    front where it is to be called something else. Two make a match, more play a round robin. Games come in pairs: the
    same opening with colours exchanged. With --db a match that was ended in any way goes on where it stopped.

    \b
    Examples:
      turkengine match builtin old=hub:/path/to/old/engine --games 200 --tc 1+0.02 --concurrency 2
      turkengine match new=builtin old=builtin:hash=16 --variant turkish --nodes 5000 --games 40
      turkengine match builtin "uci:turkengine uci" --tc 1+0.02 --games 20000 --sprt 0,5 --db test.db --html test.html
    """
    from turkengine.match import openings as sources
    from turkengine.match.clocks import TimeControl
    from turkengine.match.conduct import Conduct, Policy, TableRule
    from turkengine.match.entrants import Entry
    from turkengine.match.plan import Outputs, Plan
    from turkengine.match.schedule import RoundRobin
    from turkengine.match.sprt import Scale, Sprt

    if len(engines) < 2:
        raise click.UsageError("give two engines or more, as in: turkengine match builtin hub:COMMAND --tc 1+0.02")
    if games % 2:
        raise click.BadParameter(f"{games} is odd; games come in pairs", param_hint="--games")
    if sprt is not None and len(engines) > 2:
        raise click.BadParameter("the test is one of two engines; enter two", param_hint="--sprt")
    if tables_folder is not None and tables is None:
        raise click.UsageError("--tables-folder is of use with --tables only; give --tables 3 too")
    if (tc, movetime, nodes, depth) == (None,) * 4:
        raise click.UsageError("give a limit: --tc 1+0.02, --movetime 0.1, --nodes 5000 or --depth 8")
    try:
        limits: dict[str, Any] = {"move_time": movetime, "nodes": nodes, "depth": depth}
        control = replace(tc, **limits) if tc is not None else TimeControl(**limits)
        plan = Plan(
            title="",
            variant=variant,
            entries=[Entry.read(text, control) for text in engines],
            schedule=lambda names: RoundRobin(names, games // 2),
            openings=sources.named(openings, variant, opening_plies, opening_score, seed),
            conduct=Conduct(
                *(margin, move_margin, patience, no_progress, longest, draw, resign, Policy(irregularity)),
                TableRule.found(variant, tables, tables_folder and tables_folder.absolute())
                if tables is not None
                else None,
            ),
            sprt=Sprt(*sprt, alpha, beta, Scale(sprt_scale)) if sprt is not None else None,
            concurrency=concurrency,
            db=db,
            outputs=Outputs(pdn, json_file, html),
            logs=logs,
            processors=affinity or (),
        )
    except TurkengineError as error:
        raise click.UsageError(str(error)) from None
    ctx.exit(held(plan, plain, farm))
