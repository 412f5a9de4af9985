"""The command `turkengine play`: a game with a person, in the terminal."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from turkengine.commands.arguments import (
    GameCommand,
    colour_option,
    depth_option,
    file_option,
    movetime_option,
    nodes_option,
    people_clock_of,
    read_with,
    variant_option,
)
from turkengine.commands.holding import NOT_STARTED, PLAYED
from turkengine.commands.onlookers import onlookers
from turkengine.commands.playing import ASK, HUMAN, Keeping, held
from turkengine.engine.options import FULL_STRENGTH, STRONGEST_ELO, WEAKEST_ELO
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS, variant_named
from turkengine.interruption import INTERRUPTED
from turkengine.rules.variant import Side, Variant

if TYPE_CHECKING:
    from turkengine.engine.limits import Limits
    from turkengine.match.clocks import TimeControl
    from turkengine.play.kept import Kept, Shelf
    from turkengine.play.live import LiveGame, Seat
    from turkengine.wire.address import Address

BUILTIN = re.compile("builtin(?::(.*))?", re.DOTALL)
LOOPBACK = "127.0.0.1"
USUAL_SECONDS = 1.0  # for each move of an engine that nothing limits


def _listening(text: str) -> Address:
    from turkengine.wire.address import address

    return address(text, LOOPBACK)


def _joining(text: str) -> Address:
    from turkengine.wire.address import address

    return address(text)


@click.command(cls=GameCommand)
@variant_option(f"The game.  [default: {VARIANTS[0].name}; asked for on a terminal]")
@click.option(
    "--opponent",
    default="builtin",
    show_default=True,
    metavar=f"ENGINE|{HUMAN}",
    help=f"An engine as in match, or {HUMAN} for two people at this terminal.",
)
@colour_option("Yours. [default: white]")
@click.option(
    "--tc",
    callback=read_with(people_clock_of),
    metavar="[MOVES/]MIN[+S]",
    help="A clock for both: minutes, and seconds added for each move, as 5+3.",
)
@movetime_option(f"Seconds for each move of the engine. [default: {USUAL_SECONDS:g} without another limit]")
@nodes_option("Nodes for each move of the engine.")
@depth_option("Depth of the engine's search.")
@click.option(
    "--level",
    type=click.IntRange(0, FULL_STRENGTH),
    metavar=f"0..{FULL_STRENGTH}",
    help=f"The engine's, its option skill-level: 0 is a beginner, {FULL_STRENGTH} is full strength.",
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
@click.option("--resume", is_flag=True, help="Continue the last game that was not finished.")
@click.option("--new", is_flag=True, help="Begin a new game and ask nothing; an unfinished one stays where it is.")
@click.option(
    "--listen",
    callback=read_with(_listening),
    metavar="[HOST:]PORT",
    help="Play with somebody who joins over a network.",
)
@click.option("--join", callback=read_with(_joining), metavar="HOST:PORT", help="Join a game that somebody hosts.")
@click.option("--pdn", type=file_option, metavar="FILE", help="Add the game to this file.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Letters for the pieces, not signs.")
@click.pass_context
@onlookers()
def play(
    ctx: click.Context,
    /,
    resume: bool,
    new: bool,
    listen: Address | None,
    join: Address | None,
    pdn: Path | None,
    ascii_only: bool,
    **game: Any,
) -> None:
    """Play against the engine, another one, or another person, in this terminal or over a network.

    Moves are written as people write them; help lists the commands. On a pipe it is a plain conversation in lines. A
    hint is always given at full strength, whatever the level. On a terminal the game is saved as it goes on, and
    --resume continues it.

    \b
    Examples:
      turkengine play
      turkengine play --variant turkish --colour black --level 3 --pdn games.pdn
      turkengine play --opponent human --tc 5+3
      turkengine play --listen 0.0.0.0:27600 --tc 10
      turkengine play --join 192.168.1.20:27600
      turkengine play --variant croda --opponent "hub:/path/to/engine hub" --movetime 2
    """
    from turkengine.play.terminal import look_of

    given = [name for name in (*game, "new") if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    _refuse_together(resume, join, listen, given)
    look = look_of(sys.stdout, ascii_only=ascii_only)
    if join is not None:
        ctx.exit(_joined(join, look.signs))
    person = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    keeps = person or resume or new or listen is not None
    shelf = (
        _shelf() if keeps and not str(game["opponent"]).startswith("dxp:") else None
    )  # that program does not go back
    kept = _kept(shelf, resume, ask=person and not given and listen is None) if shelf is not None and not new else None
    if kept is None and person and not given and listen is None and pdn is None:
        game |= _asked()
    if listen is not None and kept is None:
        game |= {"opponent": HUMAN, "colour": game["colour"] or Side.WHITE.name.lower()}
    settings = _told(game) if kept is None else dict(kept.settings)
    live, advice = _seated(settings, listen is not None)
    if kept is not None:
        try:
            live.restore(kept.record, kept.spent)
        except TurkengineError as error:
            raise click.ClickException(f"{kept.path}: the game cannot be continued: {error}") from None
    ctx.exit(held(live, advice, settings, look, listen, Keeping(shelf, kept, live, settings, pdn)))


def _refuse_together(resume: bool, join: Address | None, listen: Address | None, given: list[str]) -> None:
    if join is not None and (resume or listen is not None or given):
        raise click.UsageError("--join takes everything from the host; leave out the other options")
    if resume and given:
        raise click.UsageError(f"--resume takes everything from the game that is kept; leave out --{given[0]}")


def _joined(place: Address, signs: bool) -> int:
    """Join a game; the exit status."""
    from turkengine.play.door import NetworkError, join

    try:
        join(place, signs, lambda text: click.echo(text, nl=False))
    except NetworkError as error:
        click.echo(f"turkengine: {error}", err=True)
        return NOT_STARTED
    except KeyboardInterrupt:
        return INTERRUPTED
    return PLAYED


def _shelf() -> Shelf:
    """Where games are kept."""
    from turkengine.kernel.endgames import own_folder
    from turkengine.play.kept import Shelf

    return Shelf(own_folder().parent / "games")


def _kept(shelf: Shelf, resume: bool, ask: bool) -> Kept | None:
    """The game to go on with."""
    if not (resume or ask):
        return None
    try:
        kept = shelf.newest()
    except (TurkengineError, OSError) as error:
        if resume:
            raise click.ClickException(str(error)) from None
        click.echo(f"turkengine: {error}", err=True)
        return None
    if kept is None:
        if resume:
            raise click.ClickException("no unfinished game is kept; turkengine play begins one")
        return None
    if resume:
        return kept
    from turkengine.play.words import moves_text

    record = kept.record
    title, began = variant_named(record.variant).title, record.began.replace("T", " ")
    said = f"{title}, begun {began} UTC, {moves_text(len(record.moves))}"
    return kept if click.confirm(f"Continue your unfinished game ({said})?", default=True) else None


def _asked() -> dict[str, Any]:
    """What somebody who has said nothing wants to play."""
    for number, variant in enumerate(VARIANTS, start=1):
        click.echo(f"{number}  {variant.title}")
    named: Variant = click.prompt("Which game, by number or name?", default="1", value_proc=_variant_chosen)
    level = click.prompt(
        f"Your opponent's level, from 0 (a beginner) to {FULL_STRENGTH} (full strength)?",
        default=FULL_STRENGTH,
        type=click.IntRange(0, FULL_STRENGTH),
        show_choices=False,
    )
    return {"variant": named, "level": level}


def _variant_chosen(text: str) -> Variant:
    if text.strip().isdecimal() and 1 <= int(text) <= len(VARIANTS):
        return VARIANTS[int(text) - 1]
    try:
        return variant_named(text.strip())
    except TurkengineError as error:
        raise click.UsageError(str(error)) from None


def _told(game: dict[str, Any]) -> dict[str, Any]:
    """What was asked for as plain values, so that it can be kept."""
    variant, tc = game["variant"] or VARIANTS[0], game["tc"]
    return game | {"variant": variant.name, "tc": str(tc) if tc is not None else None}


def _seated(settings: dict[str, Any], network: bool) -> tuple[LiveGame, Limits]:
    """The game as the settings want it, and what a hint may take."""
    from turkengine.engine.limits import Limits
    from turkengine.match.clocks import TimeControl
    from turkengine.notation.fen import read
    from turkengine.play.live import LiveGame
    from turkengine.rules.position import Position

    variant, fen, tc = variant_named(settings["variant"]), settings["fen"], settings["tc"]
    limits = Limits(move_time=settings["movetime"], nodes=settings["nodes"], depth=settings["depth"])
    strength = _strength(settings["level"], settings["elo"])
    control = TimeControl.read(tc) if tc is not None else None
    try:
        start = read(variant, fen) if fen is not None else Position.start(variant)
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None
    colour = settings["colour"]
    if settings["opponent"] == HUMAN:
        seats = _two_people(None if network else colour, control, limits, strength)
    else:
        seats = _against(settings["opponent"], colour, control, limits, strength)
    return LiveGame(start, seats), limits if limits != Limits() else Limits(move_time=USUAL_SECONDS)


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
    from turkengine.play.live import Seat

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
    from turkengine.play.live import Seat

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
