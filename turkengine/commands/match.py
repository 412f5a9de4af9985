"""The command `turkengine match`: games between engines, and who is better."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from turkengine.commands.arguments import (
    clock_of,
    depth_option,
    farm_option,
    file_option,
    movetime_option,
    nodes_option,
    read_each_with,
    read_with,
    variant_option,
)
from turkengine.commands.holding import held
from turkengine.commands.onlookers import onlookers
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS
from turkengine.rules.bounds import MOST_PIECES

if TYPE_CHECKING:
    from turkengine.match.conduct import Conduct, DrawRule, ResignRule
    from turkengine.match.entrants import Entry
    from turkengine.match.plan import Plan

BY_CHANCE, FROM_START = "random", "start"  # openings that are no file


def _draw(text: str) -> DrawRule:
    from turkengine.match.conduct import DrawRule

    return DrawRule.read(text)


def _resign(text: str) -> ResignRule:
    from turkengine.match.conduct import ResignRule

    return ResignRule.read(text)


def _processors(text: str) -> tuple[int, ...]:
    from turkengine.match.plan import read_processors

    return read_processors(text)


def _folder(text: str) -> tuple[str, Path]:
    name, equals, folder = text.partition("=")
    if not equals or os.sep in name:
        name, folder = "", text
    return name.strip(), Path(folder).expanduser()


def _bounds(text: str) -> tuple[float, float]:
    from turkengine.match.sprt import read_bounds

    return read_bounds(text)


@click.command()
@click.argument("engines", nargs=-1, metavar="ENGINE_A ENGINE_B [ENGINE...]")
@variant_option(default=VARIANTS[0].name, show_default=True)
@click.option(
    "--games", type=click.IntRange(2), default=100, show_default=True, metavar="N", help="For each two engines; even."
)
@click.option(
    "--tc", callback=read_with(clock_of), metavar="[MOVES/]S[+INC]", help="A clock in seconds, as 1+0.02 or 40/60."
)
@movetime_option("Seconds for each move.")
@nodes_option("Nodes for each move.")
@depth_option("Depth of each search.")
@click.option(
    "--openings",
    default=BY_CHANCE,
    metavar=f"FILE|{FROM_START}|{BY_CHANCE}",
    show_default=True,
    help="A file of games (PDN) or of positions (a FEN a line), the starting position, or balanced random lines.",
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
@click.option("--sprt", callback=read_with(_bounds), metavar="ELO0,ELO1", help="Stop once either is accepted.")
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
    help="How long to wait for a move without a time limit.",
)
@click.option("--draw", callback=read_with(_draw), metavar="SCORE,PLIES[,AFTER]", help="Draw by both engines' scores.")
@click.option("--resign", callback=read_with(_resign), metavar="SCORE,PLIES", help="Loss by both engines' scores.")
@click.option(
    "--tables",
    type=click.IntRange(2, MOST_PIECES),
    metavar="PIECES",
    help="Endgame tables decide, up to this many pieces.",
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
@click.option("--db", type=file_option, metavar="FILE", help="Keeps the match; run it again with this to continue.")
@click.option("--pdn", type=file_option, metavar="FILE", help="Write every game.")
@click.option("--json", "json_file", type=file_option, metavar="FILE", help="The report for programs.")
@click.option("--html", type=file_option, metavar="FILE", help="The report as a page.")
@click.option("--log", "logs", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="Every line.")
@click.option(
    "--directory",
    "folders",
    callback=read_each_with(_folder),
    multiple=True,
    metavar="[NAME=]FOLDER",
    help="Run the engine NAME, or every program, in FOLDER (again for another).",
)
@click.option("--affinity", callback=read_with(_processors), metavar="N,...", help="Processors, one for each game.")
@farm_option
@click.option("--plain", is_flag=True, help="Lines instead of a table on a terminal.")
@click.pass_context
def match(ctx: click.Context, /, engines: tuple[str, ...], farm: str | None, plain: bool, **given: Any) -> None:
    """Play games between engines, and say which is stronger and how sure that is.

    An ENGINE is builtin[:OPTION=VALUE,...], hub:COMMAND, hub1:COMMAND, uci:COMMAND, auto:COMMAND or dxp:HOST:PORT, with
    NAME= in front to give it another name. Two make a match, more play a round robin. Games come in
    pairs: the same opening with colours exchanged. With --db an interrupted match continues where it stopped.

    \b
    Examples:
      turkengine match builtin old=hub:/path/to/old/engine --games 200 --tc 1+0.02 --concurrency 2
      turkengine match new=builtin old=builtin:hash=16 --variant turkish --nodes 5000 --games 40
      turkengine match builtin "uci:turkengine uci" --tc 1+0.02 --games 20000 --sprt 0,5 --db test.db --html test.html
    """
    plan = _plan(engines, SimpleNamespace(**given))
    with onlookers():
        ctx.exit(held(plan, plain, farm))


def _plan(engines: tuple[str, ...], given: SimpleNamespace) -> Plan:
    """The match that was asked for, from the options by their names."""
    from turkengine.match import openings
    from turkengine.match.plan import Outputs, Plan
    from turkengine.match.schedule import RoundRobin
    from turkengine.match.sprt import EloModel, Sprt

    if len(engines) < 2:
        raise click.UsageError("give two engines or more, as in: turkengine match builtin hub:COMMAND --tc 1+0.02")
    if given.games % 2:
        raise click.BadParameter(f"{given.games} is odd; games come in pairs", param_hint="--games")
    if given.sprt is not None and len(engines) > 2:
        raise click.BadParameter("the test is one of two engines; enter two", param_hint="--sprt")
    try:
        return Plan(
            title="",
            variant=given.variant,
            entries=_entries(engines, given),
            schedule=lambda names: RoundRobin(names, given.games // 2),
            openings=openings.named(
                given.openings, given.variant, given.opening_plies, given.opening_score, given.seed
            ),
            conduct=_conduct(given),
            sprt=Sprt(given.sprt[0], given.sprt[1], given.alpha, given.beta, EloModel(given.sprt_scale))
            if given.sprt
            else None,
            concurrency=given.concurrency,
            db=given.db,
            outputs=Outputs(given.pdn, given.json_file, given.html),
            logs=given.logs,
            processors=given.affinity or (),
        )
    except TurkengineError as error:
        raise click.UsageError(str(error)) from None


def _entries(engines: tuple[str, ...], given: SimpleNamespace) -> list[Entry]:
    """Who plays, under the limits that all have and each in its folder."""
    from turkengine.match.clocks import TimeControl
    from turkengine.match.entrants import Entry

    limits = {"move_time": given.movetime, "nodes": given.nodes, "depth": given.depth}
    if given.tc is None and not any(limits.values()):
        raise click.UsageError("give a limit: --tc 1+0.02, --movetime 0.1, --nodes 5000 or --depth 8")
    control = replace(given.tc, **limits) if given.tc is not None else TimeControl(**limits)
    entries = [Entry.read(text, control, dict(given.folders)) for text in engines]
    for name, _ in given.folders:
        if name and name not in [entry.name for entry in entries]:
            reason = f"no engine is called {name!r}; write {name}= in front of it"
            raise click.BadParameter(reason, param_hint="--directory")
    return entries


def _conduct(given: SimpleNamespace) -> Conduct:
    """What the referee goes by."""
    from turkengine.match.conduct import Conduct, Policy, TableRule

    tables, folder = given.tables, given.tables_folder
    if folder is not None and tables is None:
        raise click.UsageError("--tables-folder is of use with --tables only; give --tables 3 too")
    return Conduct(
        margin=given.margin,
        move_margin=given.move_margin,
        patience=given.patience,
        no_progress=given.no_progress,
        longest=given.longest,
        draw=given.draw,
        resign=given.resign,
        irregularity=Policy(given.irregularity),
        tables=TableRule.found(given.variant, tables, folder and folder.absolute()) if tables is not None else None,
    )
