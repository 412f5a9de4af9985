"""The command `turkengine puzzles`: positions to be solved, found in games.

Exit status: as `turkengine analyse`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turkengine.commands.arguments import farm_option, variant_option
from turkengine.commands.gameruns import GamesRun, Wanted, engine_named, title_of
from turkengine.commands.kernels import compiled
from turkengine.commands.onlookers import onlookers
from turkengine.games import VARIANTS
from turkengine.rules.variant import Variant

if TYPE_CHECKING:
    from turkengine.analysis.games import PlayedGame
    from turkengine.analysis.puzzles import PuzzleRecord
    from turkengine.analysis.store import AnalysisStore

NODES, PROOF = 20_000, 400_000
BUILTIN = "builtin"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@variant_option("The game, where tags do not say it.")
@click.option("--nodes", type=click.IntRange(1), default=NODES, show_default=True, help="Nodes for each position.")
@click.option("--proof", type=click.IntRange(1), default=PROOF, show_default=True, help="Nodes of each proof.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Games at once.  [default: processors]")
@click.option("--hash", "mebibytes", type=click.IntRange(1), default=32, show_default=True, help="MiB for each job.")
@click.option("--db", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keeps what is done.")
@click.option("--pdn", metavar="FILE", help="The puzzles with their solutions.")
@click.option("--fen", metavar="FILE", help="The positions alone, one in each line.")
@click.option("--html", metavar="FILE", help="A page to solve them on: boards, and solutions when asked for.")
@farm_option
@click.option("--quiet", is_flag=True, help="No line for each puzzle, and no bar.")
@click.pass_context
def puzzles(
    ctx: click.Context,
    files: tuple[str, ...],
    variant: Variant | None,
    nodes: int,
    proof: int,
    jobs: int | None,
    mebibytes: int,
    db: Path | None,
    pdn: str | None,
    fen: str | None,
    html: str | None,
    farm: str | None,
    quiet: bool,
) -> None:
    """Find positions in games that have one solution, a combination.

    FILE holds games or positions (PDN); - is standard input. In a puzzle no capture is due, exactly one move wins, it
    begins a combination, and its later moves are the only ones that win, too. It is rated by the nodes that a search
    takes to find it: 100 points for each doubling. With --db an interrupted run continues.

    \b
    Examples:
      turkengine puzzles games.pdn --pdn puzzles.pdn --html puzzles.html
      turkengine puzzles games.pdn --db puzzles.db --proof 2000000 --fen puzzles.txt --jobs 4
    """
    from turkengine.analysis.puzzles import Hunt
    from turkengine.analysis.runner import AnalysisSettings
    from turkengine.api.limit import Limit

    compiled(variant or VARIANTS[0])
    settings = AnalysisSettings(
        Limit(nodes=nodes), 1, jobs or os.cpu_count() or 1, engine_named(BUILTIN, mebibytes), Hunt(nodes, proof)
    )
    kept = {"work": "puzzles", "nodes": str(nodes), "proof": str(proof), "hash": str(mebibytes)}
    outputs = {"--pdn": pdn, "--fen": fen, "--html": html}
    with onlookers():
        ctx.exit(_Run(Wanted(files, variant, db, outputs, farm, jobs, quiet), settings, kept).run())


class _Run(GamesRun):
    """Puzzles found and written."""

    def report(self, store: AnalysisStore) -> None:
        """Write the puzzles, each file as a whole."""
        from turkengine.analysis.puzzle_book import FoundPuzzle, collected, puzzle_page

        number = 0
        shown: list[FoundPuzzle] = []
        with self.writing("--pdn") as put_pdn, self.writing("--fen") as put_fen:
            for number, found in enumerate(collected(self._records(store)), start=1):
                put_pdn(found.pdn(number))
                put_fen(f"{found.puzzle.fen}\n")
                if self.asked_for("--html"):
                    shown.append(found)
                if not self.quiet:
                    click.echo(found.line)
        if self.asked_for("--html"):
            with self.writing("--html") as put:
                for part in puzzle_page(f"Puzzles from {title_of(self.sources)}", shown):
                    put(part)
        if not self.quiet:
            games = sum(1 for _ in self.found(store))
            click.echo(f"{number} puzzle{'' if number == 1 else 's'} in {games} game{'' if games == 1 else 's'}")

    def _records(self, store: AnalysisStore) -> Iterator[tuple[PlayedGame, PuzzleRecord]]:
        from turkengine.analysis.puzzles import PuzzleRecord

        return ((game, PuzzleRecord.from_data(data)) for game, data in self.found(store))
