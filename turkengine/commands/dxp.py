"""The command `turkengine dxp`: games with another program over TCP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from turkengine.commands.arguments import (
    colour_option,
    config_option,
    depth_option,
    movetime_option,
    nodes_option,
    set_option,
    variant_option,
)
from turkengine.commands.onlookers import onlookers
from turkengine.errors import TurkengineError
from turkengine.rules.variant import Side, Variant

LOOPBACK = "127.0.0.1"


@click.command()
@click.option("--listen", "listen_at", metavar="[HOST:]PORT", help=f"Wait for calls; HOST is {LOOPBACK} by default.")
@click.option("--connect", "connect_to", metavar="HOST:PORT", help="Call a program that listens.")
@click.option("--initiate", is_flag=True, help="Ask for the games; without it the other side does.")
@variant_option("The game; both sides are set to the same.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="How many. [default: 1 with --initiate, else any]")
@colour_option("Ours in every game. [default: in turn, white first, with --initiate, else any]")
@click.option("--minutes", type=click.FloatRange(0), metavar="M", help="Each player's, 0 for 2 s a move. [default: 5]")
@click.option(
    "--moves", type=click.IntRange(0, 999), metavar="N", help="A game ends after this many, 0 for never. [default: 75]"
)
@click.option("--fen", metavar="FEN", help="The position to begin with.")
@click.option("--name", metavar="NAME", help="What the other side sees: 32 letters. [default: turkengine and version]")
@depth_option("Search no deeper.", most=100)
@nodes_option("Search no more nodes for a move.")
@movetime_option("Search no longer for a move.")
@click.option(
    "--patience",
    type=click.FloatRange(0.1),
    default=30.0,
    show_default=True,
    metavar="S",
    help="Seconds to wait for the opponent: to take our call, to answer, to move after its time is up.",
)
@click.option(
    "--pdn", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Add every game to this file."
)
@click.option("-v", "--verbose", is_flag=True, help="Show the moves too.")
@set_option
@config_option
@click.pass_context
@onlookers()
def dxp(
    ctx: click.Context,
    listen_at: str | None,
    connect_to: str | None,
    initiate: bool,
    variant: Variant | None,
    games: int | None,
    colour: str | None,
    minutes: float | None,
    moves: int | None,
    fen: str | None,
    name: str | None,
    depth: int | None,
    nodes: int | None,
    movetime: float | None,
    patience: float,
    pdn: Path | None,
    verbose: bool,
    settings: tuple[str, ...],
    file: Path | None,
) -> None:
    """Play with another program over DXP (DamExchange).

    One side listens and one connects; one asks for the games (--initiate) and one follows: all four combinations work.
    A follower takes the games that it is asked for; with --colour, --minutes or --moves only those. Each game is a
    line when it ends. The exit status is 0 if all ended in order, 1 if one did not or what is shown could not be
    written, 130 after Ctrl-C, SIGTERM or SIGHUP, which end the game that is on in order.

    \b
    Examples:
      turkengine dxp --listen 27531
      turkengine dxp --connect 127.0.0.1:27531 --initiate --games 10 --minutes 1
      turkengine dxp --listen 0.0.0.0:27531 --variant turkish --set hash=256 --pdn games.pdn
    """
    from turkengine.daemon.tcp import DxpDaemon
    from turkengine.engine.limits import Limits
    from turkengine.engine.settings import load_options
    from turkengine.notation.fen import parse
    from turkengine.wire.address import AddressError, address
    from turkengine.wire.dxp.codec import minutes_text
    from turkengine.wire.dxp.terms import DxpSettings

    if (listen_at is None) == (connect_to is None):
        raise click.UsageError("give one of --listen [HOST:]PORT and --connect HOST:PORT")
    if fen is not None and not initiate:
        raise click.UsageError("--fen goes with --initiate; a follower gets its positions from the other side")
    try:
        place = address(listen_at, LOOPBACK) if listen_at is not None else address(connect_to or "")
    except AddressError as error:
        raise click.BadParameter(str(error), param_hint="--listen" if connect_to is None else "--connect") from None
    earlier_settings, earlier_file = ctx.obj
    options, complaints = load_options((*earlier_settings, *settings), file or earlier_file)
    for complaint in complaints:
        click.echo(complaint, err=True)
    options = replace(options, variant=variant or options.variant)
    try:
        if minutes is not None:
            minutes_text(minutes)
        setup = parse(options.variant, fen) if fen is not None else None
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="--fen" if fen is not None else "--minutes") from None
    wanted = DxpSettings(
        options.variant,
        initiate=initiate,
        games=games if games is not None or not initiate else 1,
        ours=Side[colour.upper()] if colour is not None else None,
        minutes=minutes,
        moves=moves,
        setup=setup,
        limits=Limits(depth=depth, nodes=nodes, move_time=movetime),
        no_progress=options.no_progress,
        patience=patience,
        stays=listen_at is not None,
    )
    if name is not None:
        wanted = replace(wanted, name=name)
    ctx.exit(DxpDaemon(wanted, place, options, click.echo, verbose, pdn).run())
