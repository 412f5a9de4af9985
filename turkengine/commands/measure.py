"""The commands that count and measure: `turkengine perft`, `bench` and `variants`."""

from __future__ import annotations

import time

import click

from turkengine.commands.arguments import GameCommand, VariantName, depth_option, variant_option
from turkengine.commands.kernels import compiled
from turkengine.engine import bench as standing
from turkengine.engine.perft import count
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS
from turkengine.notation import fen as notation
from turkengine.notation import moves
from turkengine.rules.variant import Variant


@click.command(cls=GameCommand)
@variant_option(required=True)
@click.argument("depth", type=click.IntRange(0, 100), metavar="DEPTH")
@click.option("--fen", metavar="FEN", help="Count from this position instead of the start.")
@click.option("--divide", is_flag=True, help="Show the count below each move.")
@click.option("--all", "every_leaf", is_flag=True, help="Make the last move too instead of counting the moves.")
def perft(variant: Variant, depth: int, fen: str | None, divide: bool, every_leaf: bool) -> None:
    """Count the move sequences of DEPTH plies. The last number printed is the total.

    \b
    Examples:
      turkengine perft --variant international 7
      turkengine perft --variant turkish 4 --divide --fen "W:WKd4,Ke4:BKd5,Ke5"
      turkengine perft --variant croda 6 --all
    """
    maker = compiled(variant).Position
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


@click.command()
@depth_option("Search to this depth instead of each game's own.", most=100)
@click.option("--variant", "variants", type=VariantName(), multiple=True, help="Only this game (again for another).")
def bench(depth: int | None, variants: tuple[Variant, ...]) -> None:
    """Search fixed positions of every game and show the speed.

    One thread, a fresh table for each position. The signature identifies the search: it stays the same as long as
    the engine looks at the same positions.

    \b
    Examples:
      turkengine bench
      turkengine bench --variant turkish --depth 12
    """
    for line in standing.lines(compiled, depth, variants or VARIANTS):
        click.echo(line)


@click.command()
def variants() -> None:
    """List the games that can be played.

    \b
    Example:
      turkengine variants
    """
    names = [", ".join((variant.name, *variant.aliases)) for variant in VARIANTS]
    for name, variant in zip(names, VARIANTS, strict=True):
        click.echo(f"{name:{max(map(len, names))}}  {variant.title}")
