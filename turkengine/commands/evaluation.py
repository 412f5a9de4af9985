"""The command `turkengine eval`: what the engine thinks of a position before it searches."""

from __future__ import annotations

import json
import sys

import click

from turkengine.commands.arguments import variant_option
from turkengine.commands.kernels import compiled
from turkengine.engine.evaluation import Evaluation, evaluation
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.score import MAN
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS
from turkengine.notation import fen as notation
from turkengine.rules.variant import Variant
from turkengine.wire import diagram
from turkengine.wire import evaluation as pages

SCHEMA, VERSION = "turkengine-eval", 1
START = "start"
USAGE = 2  # exit status


@click.command("eval")
@click.argument("fen", default=START, metavar=f"[FEN|{START}]")
@variant_option(default=VARIANTS[0].name, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the page.")
def evaluate(fen: str, variant: Variant, as_json: bool) -> None:
    """Show the static evaluation of a position, term by term and piece by piece.

    The terms are the plain values of the pieces, and what the network makes of how they stand. On the board each piece
    stands above what it is worth there: the evaluation less that of the position without it. All this is seen from
    White's side; the last line is the score for the side to move, which a search begins with.

    \b
    Examples:
      turkengine eval
      turkengine eval --variant turkish "W:WKb1:Bb4,d6,f4,h8"
      turkengine eval --variant croda start --json
    """
    maker = compiled(variant).Position
    try:
        setup = None if fen.strip().lower() == START else notation.parse(variant, fen)
    except TurkengineError as error:
        click.echo(f"turkengine: {error}", err=True)
        sys.exit(USAGE)
    position = (
        maker.start()
        if setup is None
        else maker.from_cells(setup.cells, setup.side, setup.no_progress, setup.material_plies)
    )
    found = evaluation(position, maker)
    if as_json:
        click.echo(json.dumps(_told(position, found), ensure_ascii=False, indent=2))
        return
    for line in (*pages.lines(position, found), f"Result: {diagram.result(position)}"):
        click.echo(line)


def _told(position: KernelPosition, found: Evaluation) -> dict[str, object]:
    """The same for programs; numbers in men."""
    board = position.variant.board
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "variant": position.variant.name,
        "fen": notation.write_counted(position),
        "side": position.side.value,
        "white": found.white / MAN,
        "score": found.score / MAN,
        "terms": [
            {"name": name, "white": white / MAN, "black": black / MAN, "sum": (white - black) / MAN}
            for name, white, black in found.terms
        ],
        "pieces": [
            {"square": board.names[square], "piece": position.cells[square], "worth": worth / MAN}
            for square in board.reading_order
            if (worth := found.pieces[square]) is not None
        ],
        "result": diagram.result(position),
    }
