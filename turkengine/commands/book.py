"""The commands `turkengine book ...`: opening books built, looked at, checked, and turned into lists of openings."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from turkengine.commands.arguments import GameCommand, variant_option
from turkengine.commands.kernels import compiled
from turkengine.commands.onlookers import onlookers
from turkengine.commands.output import written
from turkengine.engine.book import Book, path_of, read, variant_of, write
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.options import MOST_BOOK_PLIES, Options
from turkengine.engine.score import MAN
from turkengine.errors import BookError, TurkengineError
from turkengine.notation import fen, moves
from turkengine.rules.variant import Variant

UNUSABLE = 1  # exit status
MOST_SHOWN = 20  # faults

book_file = click.option(
    "--file", "path", type=click.Path(path_type=Path, dir_okay=False), help="The book. [default: the engine's own]"
)


@click.group("book")
def book() -> None:
    """Build, show and check opening books, and export lists of openings.

    \b
    Examples:
      turkengine book show --variant international
      turkengine book show --variant turkish a3-a4 h6-h5
      turkengine book verify --variant croda
      turkengine book export --variant turkish --plies 6 -o openings.txt
      turkengine book build --variant croda --positions 200 --nodes 5000 -o croda.book
    """


@book.command(cls=GameCommand)
@variant_option(required=True)
@click.option("--positions", type=click.IntRange(1), default=500, show_default=True, help="Expanded: those with moves.")
@click.option("--nodes", type=click.IntRange(500), default=20_000, show_default=True, help="Of each search.")
@click.option(
    "--margin",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="Moves that lose more are left out; hundredths of a man.",
)
@click.option(
    "--ply-cost",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="What a ply counts beside what a line has lost: more is broader, less is deeper.",
)
@click.option("--jobs", type=click.IntRange(1), help="Processes that search. [default: one for each processor]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The book. [default: VARIANT.book, here]"
)
@onlookers()
def build(
    variant: Variant, positions: int, nodes: int, margin: int, ply_cost: int, jobs: int | None, output: Path | None
) -> None:
    """Build a book: search on from the positions whose lines lose least, again and again.

    The searches are kept beside the book, in a file that ends in .searches. The same command continues an interrupted
    build, and with more positions extends a finished one. The same arguments give the same book.

    \b
    Example:
      turkengine book build --variant turkish --positions 2000 -o turkish.book
    """
    from turkengine.engine.machine import processors
    from turkengine.training.bookbuilding import Recipe
    from turkengine.training.bookbuilding import build as built

    path = output or Path(f"{variant.name}.book")
    kept = path.with_name(path.name + ".searches")
    recipe = Recipe(positions, nodes, margin, ply_cost)
    compiled(variant)
    _check_free(path, variant)
    try:
        with click.progressbar(length=positions, label=f"{variant.name} positions", show_pos=True) as bar:
            builder = built(variant, recipe, kept, jobs or processors(), lambda done: bar.update(done - bar.pos))
    except BookError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or kept}: {error.strerror}") from None
    entries = builder.entries()
    made = {"expanded": builder.expanded, "nodes": nodes, "margin": margin, "ply_cost": ply_cost}
    try:
        write(path, variant, builder.start, entries, made)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}; the searches are in {kept}") from None
    click.echo(f"{path}: {len(entries)} positions, {builder.expanded} of them with moves")


@book.command(cls=GameCommand)
@variant_option(required=True)
@click.argument("line", nargs=-1, metavar="[MOVE...]")
@click.option("--variety", type=click.IntRange(0, 200), default=Options().book_variety, show_default=True)
@book_file
def show(variant: Variant, line: tuple[str, ...], variety: int, path: Path | None) -> None:
    """Show what the book plays at the start, or after MOVES: scores, how often, and the line expected.

    Scores are from the side to move, in men. How often a move is played depends on the option book-variety.

    \b
    Examples:
      turkengine book show --variant international
      turkengine book show --variant turkish a3-a4 h6-h5 --variety 0
    """
    opened, position = _opened(variant, path), compiled(variant).Position.start()
    for number, text in enumerate(line, start=1):
        try:
            position = position.play(moves.read(position, text))
        except TurkengineError as error:
            raise click.BadParameter(f"move {number}: {error}", param_hint="MOVE") from None
    known = opened.moves(position, variety)
    click.echo(f"{fen.write(position)}")
    if not known:
        click.echo("not in the book")
        return
    for one in known:
        expected = opened.line(position, one.move)
        texts, after = [], position
        for move in expected:
            texts.append(moves.landing(after, move))
            after = after.play(move)
        click.echo(f"{texts[0]:<10} {one.score / MAN:+.2f} {100 * one.share:5.1f} %  {' '.join(texts[1:])}".rstrip())


@book.command(cls=GameCommand)
@variant_option(required=True)
@book_file
def verify(variant: Variant, path: Path | None) -> None:
    """Check a book: its checksum, that legal moves lead to every position, and that all scores are backed up.

    The exit status is 0 if nothing is wrong.

    \b
    Example:
      turkengine book verify --variant international
    """
    from turkengine.training.bookreading import faults

    opened = _opened(variant, path)
    found = faults(opened, compiled(variant).Position.start())
    for fault in found[:MOST_SHOWN]:
        click.echo(fault)
    if found:
        click.echo(f"{path or path_of(variant)}: {len(found)} fault{'' if len(found) == 1 else 's'}")
        sys.exit(UNUSABLE)
    click.echo(f"{path or path_of(variant)}: {len(opened)} positions, no faults")


@book.command(cls=GameCommand)
@variant_option(required=True)
@click.option("--plies", type=click.IntRange(1, MOST_BOOK_PLIES), default=8, show_default=True, help="From the start.")
@click.option(
    "--most",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="Leave out positions that are worth more to a side; hundredths of a man.",
)
@click.option("-o", "--output", metavar="FILE", help="The list. [default: standard output]")
@book_file
def export(variant: Variant, plies: int, most: int, output: str | None, path: Path | None) -> None:
    """Write the positions that are this many plies from the start, as a list of openings for `turkengine match`.

    Each line is a FEN and, after #, the moves that lead there. Positions in which a piece must be taken are left out.

    \b
    Example:
      turkengine book export --variant turkish --plies 6 -o turkish.txt
    """
    from turkengine.training.bookreading import lines

    opened = _opened(variant, path)
    with written(output) as put:
        count = 0
        for line, position in lines(opened, compiled(variant).Position.start(), plies, most):
            put(f"{fen.write(position)} # {line}\n")
            count += 1
    if output not in (None, "-"):
        click.echo(f"{output}: {count} openings")


def _check_free(path: Path, variant: Variant) -> None:
    """Refuse to write in place of what is no book of the game, before anything has been searched."""
    if not path.exists():
        return
    try:
        there = variant_of(path)
    except BookError:
        there = None
    if there is not variant:
        raise click.ClickException(f"{path} exists and is no book of {variant.name}; name another file with --output")


def _opened(variant: Variant, path: Path | None) -> Book:
    start: KernelPosition = compiled(variant).Position.start()
    try:
        return read(path or path_of(variant), variant, start.key)
    except BookError as error:
        raise click.ClickException(str(error)) from None
