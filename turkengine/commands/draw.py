"""The command `turkengine draw`: a position as a picture, SVG or PNG."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turkengine.commands.arguments import variant_option
from turkengine.commands.kernels import compiled
from turkengine.commands.output import written
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS
from turkengine.rules.variant import Variant

if TYPE_CHECKING:
    from turkengine.api.position import Position

START = "start"  # in place of a FEN


class _Mark(click.ParamType):  # type: ignore[type-arg, unused-ignore]  # generic only in newer versions
    """A square and what stands on it."""

    name = "mark"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Both; a square alone gets a frame."""
        if isinstance(value, tuple):
            return value
        square, _, text = str(value).partition("=")
        if len(text) > 2:
            self.fail(f"{text!r} does not fit in a corner; write one or two letters", param, ctx)
        return square, text


@click.command()
@click.argument("fen", metavar="FEN")
@click.option("-o", "--output", metavar="FILE", help="Where to: FILE.svg or FILE.png.  [default: SVG on the output]")
@variant_option(default=VARIANTS[0].name, show_default=True)
@click.option("--moves", default="", metavar="MOVES", help='Played first, as in "32-28 19-23"; the last one is shown.')
@click.option("--arrow", "arrows", multiple=True, metavar="MOVE", help="An arrow, as in 32-28 (again for another).")
@click.option("--mark", "marks", multiple=True, type=_Mark(), metavar="SQUARE[=TEXT]", help="As in 28=! (again, too).")
@click.option("--flipped", is_flag=True, help="Seen from Black's side.")
@click.option("--size", type=click.IntRange(1, 10_000), metavar="PIXELS", help="The width.  [default of PNG: 480]")
@click.option("--no-coordinates", is_flag=True, help="Without the names of squares.")
def draw(
    fen: str,
    output: str | None,
    variant: Variant,
    moves: str,
    arrows: tuple[str, ...],
    marks: tuple[tuple[str, str], ...],
    flipped: bool,
    size: int | None,
    no_coordinates: bool,
) -> None:
    """Draw a position as SVG or PNG.

    FEN may be "start". A PNG needs the library resvg_py, which the extra "draw" brings: pip install ".[draw]".

    \b
    Examples:
      turkengine draw start -o start.svg
      turkengine draw "W:W26,27,28,32,37,44:B12,16,17,19,20,34,35" --arrow 28-22 --mark "22=!" -o shot.png
      turkengine draw "W:WKb1:Bb4,d6,f4,h8" --variant turkish --moves b1xf3 --size 300 > board.svg
    """
    ending = Path(output).suffix.lower() if output not in (None, "-") else ".svg"
    if ending not in (".svg", ".png"):
        raise click.BadParameter(f"{output}: the name ends neither in .svg nor in .png", param_hint="--output")
    compiled(variant)
    try:
        position = _position(fen, variant, moves)
        content = _drawn(position, ending, arrows, dict(marks), flipped, size, not no_coordinates)
    except (TurkengineError, ValueError) as error:
        click.echo(f"turkengine: {error}", err=True)
        sys.exit(2)
    with written(output) as put:
        put(content)


def _position(fen: str, variant: Variant, moves: str) -> Position:
    from turkengine.api.position import Position

    return Position(None if fen == START else fen, variant).play_line(moves.split())


def _drawn(
    position: Position,
    ending: str,
    arrows: tuple[str, ...],
    marks: dict[str, str],
    flipped: bool,
    size: int | None,
    coordinates: bool,
) -> str | bytes:
    from turkengine.api.picture import PNG_SIZE

    if ending == ".png":
        width = size or PNG_SIZE
        return position.to_png(arrows=arrows, marks=marks, flipped=flipped, size=width, coordinates=coordinates)
    return position.to_svg(arrows=arrows, marks=marks, flipped=flipped, size=size, coordinates=coordinates) + "\n"
