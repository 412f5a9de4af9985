"""The command `turkengine analyse`: games and positions, told by what the engine thinks of them.

Exit status: 0, 1 where something was wrong in a game or an engine has failed, 2 where a file or an argument cannot be
used, 130 where it was interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turkengine.commands.arguments import (
    depth_option,
    farm_option,
    movetime_option,
    multipv_option,
    nodes_option,
    variant_option,
)
from turkengine.commands.gameruns import (
    FAULTS,
    GamesRun,
    Wanted,
    engine_named,
    title_of,
)
from turkengine.commands.kernels import compiled
from turkengine.commands.onlookers import onlookers
from turkengine.games import VARIANTS
from turkengine.interruption import INTERRUPTED
from turkengine.rules.variant import Side, Variant

if TYPE_CHECKING:
    from turkengine.analysis.games import PlayedGame
    from turkengine.analysis.judged import JudgedGame
    from turkengine.analysis.runner import AnalysisSettings
    from turkengine.analysis.store import AnalysisStore

NODES = 100_000  # of a search without another limit
BUILTIN = "builtin"


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE...]")
@click.option("--fen", "fens", multiple=True, metavar="FEN", help="A position instead of games (again for another).")
@click.option("--stdin", "piped", is_flag=True, help="Positions from standard input instead, a FEN in each line.")
@variant_option("The game, where tags do not say it; that of positions.")
@movetime_option("Seconds for each position.")
@nodes_option(f"Nodes for each position; without a limit {NODES}.")
@depth_option("Depth of each search.")
@multipv_option("Lines of each position.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Searches at once.  [default: processors]")
@click.option(
    "--hash",
    "mebibytes",
    type=click.IntRange(1),
    default=32,
    show_default=True,
    metavar="MIB",
    help="Table of each search.",
)
@click.option("--engine", "name", default=BUILTIN, metavar="ENGINE", help="Another: hub:COMMAND or uci:COMMAND.")
@click.option("--db", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keeps what is done.")
@click.option("--pdn", metavar="FILE", help="The games with evaluations, marks and better lines.")
@click.option("--json", "json_file", metavar="FILE", help="A line of JSON for each game.")
@click.option("--html", metavar="FILE", help="A page with boards, courses and critical moments.")
@farm_option
@click.option("--quiet", is_flag=True, help="No line for each game, and no bar.")
@click.pass_context
def analyse(
    ctx: click.Context,
    files: tuple[str, ...],
    fens: tuple[str, ...],
    piped: bool,
    variant: Variant | None,
    movetime: float | None,
    nodes: int | None,
    depth: int | None,
    multipv: int,
    jobs: int | None,
    mebibytes: int,
    name: str,
    db: Path | None,
    pdn: str | None,
    json_file: str | None,
    html: str | None,
    farm: str | None,
    quiet: bool,
) -> None:
    """Search every position of every game, and judge each move.

    FILE holds games (PDN); - is standard input. A move gets its score, depth, best line, what it has lost, chances, and
    a mark: ?! ? ?? ! or forced. With --db an interrupted run continues where it stopped. With --fen or
    --stdin positions are searched instead, and each gives a line of JSON.

    \b
    Examples:
      turkengine analyse games.pdn --movetime 0.1 --html games.html
      turkengine analyse games.pdn --nodes 200000 --db games.db --pdn analysed.pdn --json games.jsonl
      turkengine analyse --fen "W:W31-50:B1-20" --depth 12 --multipv 3
      turkengine analyse --stdin --variant turkish --nodes 1000 < positions.txt > found.jsonl
    """
    from turkengine.analysis.runner import AnalysisSettings
    from turkengine.api.limit import Limit

    if bool(files) + bool(fens) + piped != 1:
        raise click.UsageError("give files of games, or --fen, or --stdin, and one of them only")
    if (fens or piped) and (db or pdn or json_file or html or farm):
        raise click.UsageError("positions go to standard output; --db, --pdn, --json, --html and --farm are for games")
    if (movetime, nodes, depth) == (None,) * 3:
        nodes = NODES
    compiled(variant or VARIANTS[0])

    engine = engine_named(name, mebibytes)
    limit = Limit(time=movetime, nodes=nodes, depth=depth)
    settings = AnalysisSettings(limit, multipv, jobs or os.cpu_count() or 1, engine)
    if not files:
        ctx.exit(_positions(fens or _lines(), variant or VARIANTS[0], settings))
    kept = {
        "limit": " ".join(f"{key}={value}" for key, value in _limits(limit)),
        "multipv": str(multipv),
        "hash": str(mebibytes),
        "engine": name,
    }
    outputs = {"--pdn": pdn, "--json": json_file, "--html": html}
    with onlookers():
        ctx.exit(_Run(Wanted(files, variant, db, outputs, farm, jobs, quiet), settings, kept).run())


class _Run(GamesRun):
    """Games analysed and reported."""

    def report(self, store: AnalysisStore) -> None:
        """Write what was asked for, each file as a whole."""
        from turkengine.analysis.page import html_page
        from turkengine.analysis.report import annotated, json_line
        from turkengine.notation.pdn import write

        with self.writing("--pdn") as put_pdn, self.writing("--json") as put_line:
            for game, record in self._analysed(store):
                if self.asked_for("--pdn"):
                    put_pdn(write(annotated(game, record)))
                if self.asked_for("--json"):
                    put_line(json_line(game, record))
                if not self.quiet:
                    click.echo(game_line(game, record))
        if self.asked_for("--html"):
            shown = [(name.capitalize(), value) for name, value in self.kept.items() if name in ("engine", "limit")]
            if self.kept["engine"] == BUILTIN:
                shown[-1] = ("Engine", self.kept["program"])
            with self.writing("--html") as put:
                for part in html_page(title_of(self.sources), shown, self._analysed(store)):
                    put(part)

    def _analysed(self, store: AnalysisStore) -> Iterator[tuple[PlayedGame, JudgedGame]]:
        """Every game that has been analysed, in the order of the files."""
        from turkengine.analysis.judged import JudgedGame

        return ((game, JudgedGame.from_data(data)) for game, data in self.found(store))


def game_line(game: PlayedGame, record: JudgedGame) -> str:
    """A game in one line."""
    from turkengine.analysis.judge import Mark

    white, black = record.summary(Side.WHITE), record.summary(Side.BLACK)

    def accuracy(value: float | None) -> str:
        return f"{value:.1f}" if value is not None else "-"

    told = [f"accuracy {accuracy(white.accuracy)} : {accuracy(black.accuracy)}"]
    for mark in (Mark.BLUNDER, Mark.MISTAKE, Mark.DUBIOUS):
        told.append(f"{mark.value} {white.count(mark)} : {black.count(mark)}")
    for name, ours, theirs in (
        ("missed wins", white.missed_wins, black.missed_wins),
        ("missed shots", white.missed_shots, black.missed_shots),
    ):
        if ours or theirs:
            told.append(f"{name} {ours} : {theirs}")
    result = game.entry.game.result
    return f"{game.entry.file}:{game.entry.line}: {game.title} {result}, {len(record.moves)} plies, {', '.join(told)}"


def _positions(texts: tuple[str, ...] | Iterator[str], variant: Variant, settings: AnalysisSettings) -> int:
    """Positions to standard output; the exit status."""
    from turkengine.analysis.positions import analysed, as_line

    status = 0
    output = sys.stdout
    try:
        for told in analysed(texts, variant, settings.engine, settings.limit, settings.multipv, settings.jobs):
            if "error" in told:
                status = FAULTS
            output.write(as_line(told))
            output.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def _limits(limit: object) -> Iterator[tuple[str, object]]:
    for name in ("time", "nodes", "depth"):
        value = getattr(limit, name)
        if value is not None:
            yield name, value
