"""The command `turkengine play`: a game with a person, in the terminal."""

from __future__ import annotations

import re
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turkengine.cli import INTERRUPTED
from turkengine.commands.arguments import VariantName
from turkengine.commands.holding import NOT_STARTED, PLAYED, USAGE, interrupt
from turkengine.commands.match import clock_of, file_option, read_with
from turkengine.engine.options import FULL_STRENGTH, STRONGEST_ELO, WEAKEST_ELO
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS
from turkengine.rules.variant import Side, Variant

if TYPE_CHECKING:
    from turkengine.engine.limits import Limits
    from turkengine.match.clocks import TimeControl
    from turkengine.play.session import Session
    from turkengine.play.sheet import Sheets
    from turkengine.play.table import Seat

BUILTIN = re.compile("builtin(?::(.*))?", re.DOTALL)
HUMAN = "human"
ASK = "ask"
USUAL_SECONDS = 1.0  # for each move of an engine that nothing limits


@click.command()
@click.argument("variant", type=VariantName(), default=VARIANTS[0].name)
@click.option(
    "--opponent",
    default="builtin",
    show_default=True,
    metavar=f"ENGINE|{HUMAN}",
    help=f"An engine as in match, or {HUMAN} for two people at this terminal.",
)
@click.option(
    "--colour",
    type=click.Choice([side.name.lower() for side in Side]),
    help="Yours. [default: white]",
)
@click.option("--tc", callback=read_with(clock_of), metavar="[MOVES/]S[+INC]", help="A clock for both, as 5:00+3.")
@click.option(
    "--movetime",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help=f"Seconds for each move of the engine. [default: {USUAL_SECONDS:g} without another limit]",
)
@click.option("--nodes", type=click.IntRange(1), metavar="N", help="Nodes for each move of the engine.")
@click.option("--depth", type=click.IntRange(1, 500), metavar="PLIES", help="Depth of the engine's search.")
@click.option(
    "--level",
    type=click.IntRange(0, FULL_STRENGTH),
    metavar=f"0..{FULL_STRENGTH}",
    help=f"The engine's, as its option skill-level: from a beginner's on; {FULL_STRENGTH} is full strength.",
)
@click.option(
    "--elo",
    type=click.IntRange(WEAKEST_ELO, STRONGEST_ELO),
    metavar=f"{WEAKEST_ELO}..{STRONGEST_ELO}",
    help="The engine's strength by a rating instead, as its option elo.",
)
@click.option("--fen", metavar="FEN", help="The position to begin with.")
@click.option(
    "--irregularity",
    type=click.Choice(["rectify", "stand", "forfeit", ASK]),
    default="rectify",
    show_default=True,
    help=f"What follows a move against the rules; {ASK}: the opponent decides, if a person.",
)
@click.option("--pdn", type=file_option, metavar="FILE", help="Add the game to this file.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Letters for the pieces, not signs.")
@click.pass_context
def play(
    ctx: click.Context,
    variant: Variant,
    opponent: str,
    colour: str | None,
    tc: TimeControl | None,
    movetime: float | None,
    nodes: int | None,
    depth: int | None,
    level: int | None,
    elo: int | None,
    fen: str | None,
    irregularity: str,
    pdn: Path | None,
    ascii_only: bool,
) -> None:
    """Play against the engine, another one, or another person, in this terminal.

    Moves are written as people write them; help lists the commands. On a pipe it is a plain conversation in lines. A
    hint is always that of full strength, whatever the level.

    \b
    Examples:
      turkengine play
      turkengine play turkish --colour black --level 3 --pdn games.pdn
      turkengine play --opponent human --tc 5:00+3
      turkengine play croda --opponent "hub:/path/to/engine hub" --movetime 2
    """
    from turkengine.client.builtin import BuiltinClient
    from turkengine.engine.limits import Limits
    from turkengine.match.conduct import Policy
    from turkengine.notation.fen import read
    from turkengine.play.session import Session
    from turkengine.play.sheet import Sheets
    from turkengine.play.table import Table
    from turkengine.play.terminal import look_of
    from turkengine.rules.position import Position

    limits = Limits(move_time=movetime, nodes=nodes, depth=depth)
    strength = _strength(level, elo)
    try:
        start = read(variant, fen) if fen is not None else Position.start(variant)
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None
    if opponent == HUMAN:
        seats = _two_people(colour, tc, limits, strength)
    else:
        seats = _against(opponent, colour, tc, limits, strength)
    sheets = Sheets()
    session = Session(
        Table(start, seats),
        look_of(sys.stdout, ascii_only=ascii_only),
        adviser=BuiltinClient(options={"hash": "16"}),
        advice=limits if limits != Limits() else Limits(move_time=USUAL_SECONDS),
        keep=sheets.keep,
        irregularity=None if irregularity == ASK else Policy(irregularity),
    )
    if pdn is not None:
        try:
            sheets.check(pdn)
        except OSError as error:
            message = f"{pdn} cannot be written: {error.strerror or error}; name another file"
            raise click.BadParameter(message, param_hint="--pdn") from None
    ctx.exit(_held(session, sheets, pdn))


def _strength(level: int | None, elo: int | None) -> dict[str, str]:
    """The options of the engine that --level or --elo stand for."""
    if level is not None and elo is not None:
        raise click.UsageError("--level and --elo both say how well the engine plays; give one of them")
    if elo is not None:
        return {"limit-strength": "true", "elo": str(elo)}
    return {} if level is None else {"limit-strength": "false", "skill-level": str(level)}


def _two_people(
    colour: str | None, tc: TimeControl | None, limits: Limits, strength: dict[str, str]
) -> dict[Side, Seat]:
    from turkengine.engine.limits import Limits
    from turkengine.play.table import Seat

    if limits != Limits() or strength:
        raise click.UsageError("two people play without an engine to be limited; --tc gives both a clock")
    if colour is not None:
        raise click.UsageError("--colour is for games with an engine; here both sit at the terminal")
    return {side: Seat(control=tc) for side in Side}


def _against(
    opponent: str, colour: str | None, tc: TimeControl | None, limits: Limits, strength: dict[str, str]
) -> dict[Side, Seat]:
    from turkengine.match.clocks import TimeControl
    from turkengine.match.entrants import Entry
    from turkengine.play.table import Seat

    own = {"move_time": limits.move_time, "nodes": limits.nodes, "depth": limits.depth}
    if tc is None and not any(own.values()):
        own["move_time"] = USUAL_SECONDS
    try:
        control = replace(tc, **own) if tc is not None else TimeControl(**own)  # type: ignore[arg-type]
    except TurkengineError as error:
        raise click.UsageError(str(error)) from None
    try:
        entry = Entry.read(opponent, control)
        builtin = BUILTIN.fullmatch(entry.engine)
        if builtin is not None:  # what is written there goes before it
            entry = replace(entry, engine=f"builtin:book=true,{builtin[1] or ''}".rstrip(","))
        if strength:
            if builtin is None:
                message = "--level and --elo are for the engine of this program; set the other one's own options"
                raise click.UsageError(message)
            entry = replace(entry, options={**entry.options, **strength})
        client = entry.client()
    except TurkengineError as error:
        raise click.BadParameter(f"{error}, or {HUMAN}", param_hint="--opponent") from None
    if entry.engine.startswith("dxp:") and (limits.nodes or limits.depth):
        raise click.UsageError("a program over DXP takes no nodes or depth; give --tc or --movetime")
    ours = Side[(colour or Side.WHITE.name).upper()]
    return {ours: Seat(control=tc), ours.opponent: Seat(client, control)}


def _held(session: Session, sheets: Sheets, pdn: Path | None) -> int:
    """Hold the game; the exit status. It is kept in its file as it goes, whatever ends it."""
    from turkengine.client.contract import ClientError
    from turkengine.play.terminal import converse

    unwritten = False

    def changed() -> None:
        nonlocal unwritten
        text = session.pdn
        if pdn is None or not text or unwritten:
            return
        try:
            sheets.keep(str(pdn), text)
        except OSError as error:
            unwritten = True
            click.echo(f"turkengine: {pdn} cannot be written: {error.strerror or error}; use save", err=True)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)
    try:
        converse(session, changed, lambda text: click.echo(text, nl=False))
    except ClientError as error:
        click.echo(f"turkengine: {error}", err=True)
        return NOT_STARTED
    except KeyboardInterrupt:
        click.echo("\ninterrupted" + (f"; the game is in {pdn}" if pdn is not None and session.pdn else ""))
        return INTERRUPTED
    finally:
        changed()  # also where it was interrupted between a move and its keeping
        session.close()
    return USAGE if unwritten else PLAYED
