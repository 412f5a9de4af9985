"""The command `turkengine tournament`: what a file describes."""

from __future__ import annotations

from pathlib import Path

import click

from turkengine.commands.arguments import farm_option
from turkengine.commands.holding import held
from turkengine.commands.onlookers import onlookers
from turkengine.errors import TurkengineError


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--concurrency", type=click.IntRange(1, 1024), metavar="N", help="Games at a time, in place of FILE's.")
@click.option("--check", is_flag=True, help="Read FILE, show what would be played, and play nothing.")
@farm_option
@click.option("--plain", is_flag=True, help="Lines instead of a table on a terminal.")
@click.pass_context
def tournament(
    ctx: click.Context, file: Path, concurrency: int | None, check: bool, farm: str | None, plain: bool
) -> None:
    """Hold the tournament that FILE describes: round robin, gauntlet, knockout or Swiss.

    docs/match.md describes the file, with an example of each. If FILE names a db, an interrupted tournament
    continues where it stopped.

    \b
    Examples:
      turkengine tournament league.toml
      turkengine tournament league.toml --check
    """
    from dataclasses import replace

    from turkengine.match.tournament import read_plan

    try:
        plan = read_plan(file)
    except TurkengineError as error:
        raise click.UsageError(str(error)) from None
    if concurrency is not None:
        plan = replace(plan, concurrency=concurrency)
    if check:
        names = [entry.name or f"engine {number}" for number, entry in enumerate(plan.entries, start=1)]
        for name, value in plan.settings(names).items():
            click.echo(f"{name}: {value}")
        return
    with onlookers():
        ctx.exit(held(plan, plain, farm))
