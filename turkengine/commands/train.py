"""The commands `turkengine train ...`: games to learn from, the weights learnt, and how strong the levels of play are.

`generate`, `fit` and `chances` need the extra `train`; `levels` and `tune` need no more than the engine. Nothing is
written but to the file that is named: never to those of the installed engine unless somebody names them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turkengine.commands.arguments import GameCommand, variant_option
from turkengine.commands.onlookers import onlookers
from turkengine.kernel.settings import SETTINGS
from turkengine.kernel.weights import read_weights, weights_file, with_search
from turkengine.rules.variant import Variant

if TYPE_CHECKING:
    from turkengine.training.dataset import Records
    from turkengine.training.fit import Epoch

HELD_OUT = 20  # one game in so many is kept apart to see whether what was learnt is true of games not seen


def _writable(ctx: click.Context, param: click.Parameter, path: Path) -> Path:
    """Refuse a file that cannot be written before hours have been spent; nothing is left of the trial."""
    made = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be written: {error.strerror or error}") from None
    if made:
        path.unlink()
    return path


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Name the file where the disk does not take it."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from None


def _output(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option that names the file to be written."""
    path = click.Path(path_type=Path, dir_okay=False)
    return click.option("-o", "--output", type=path, callback=_writable, required=True, help=what)


weights_output = _output("The file of weights.")


@click.group()
def train() -> None:
    """Make the weights of the evaluation: games against itself, then a fit to them.

    generate, fit and chances need numpy and scipy, fit --plot matplotlib too: pip install ".[train]". levels
    and tune need nothing more. The result is written to the file that -o names; the engine itself does not change.

    \b
    Examples:
      turkengine train generate --variant croda --games 20000 -o croda.games
      turkengine train fit --variant croda croda.games -o croda.weights
    """


@train.command(cls=GameCommand)
@variant_option(required=True)
@click.option("--games", type=click.IntRange(1), default=10_000, show_default=True, help="How many there shall be.")
@click.option("--nodes", type=click.IntRange(500), default=2500, show_default=True, help="Of each search.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other games for each.")
@click.option("--jobs", type=click.IntRange(1), help="Processes that play. [default: one for each processor]")
@_output("The file; continued if it is there.")
@onlookers()
def generate(variant: Variant, games: int, nodes: int, seed: int, jobs: int | None, output: Path) -> None:
    """Play games to learn from, and keep every quiet position with its score and the result.

    The same command continues an interrupted run. The same seed gives the same games.

    \b
    Example:
      turkengine train generate --variant turkish --games 20000 --seed 2 -o turkish.games
    """
    _need_libraries()
    import numpy as np

    from turkengine.engine.machine import processors
    from turkengine.training import dataset, selfplay

    done = dataset.whole_games(output)
    wanted = range(done, games)
    positions = 0
    with (
        _writing(output),
        output.open("ab") as stream,
        click.progressbar(length=games, label=f"{variant.name} games", show_pos=True) as bar,
    ):
        bar.update(done)
        for game in selfplay.games(variant, seed, wanted, nodes, jobs or processors()):
            stream.write(np.array(game, dtype=dataset.RECORD).tobytes())
            stream.flush()
            positions += len(game)
            bar.update(1)
    click.echo(f"{len(wanted)} games and {positions} positions more in {output}")


@train.command(cls=GameCommand)
@variant_option(required=True)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--units", type=click.IntRange(16, 1024), help="Hidden units of a side. [default: as many as now]")
@click.option("--blend", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Part of the search score.")
@click.option("--rounds", type=click.IntRange(1), default=12, show_default=True, help="Through all positions.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the order of the positions.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw the losses there (.svg or .png).")
@weights_output
@onlookers()
def fit(
    variant: Variant,
    files: tuple[Path, ...],
    units: int | None,
    blend: float,
    rounds: int,
    seed: int,
    plot: Path | None,
    output: Path,
) -> None:
    """Fit the weights to the games in FILES, and write them as the engine reads them.

    Shows the loss as it falls, on the positions learnt from and on games kept apart. To play with the new weights,
    put the file in the game's folder, turkengine/games/VARIANT, as evaluation.weights. A network of more or fewer
    --units needs a kernel built for it: install the package again then.

    \b
    Example:
      turkengine train fit --variant turkish turkish-1.games turkish-2.games -o turkish.weights
    """
    _need_libraries()
    from turkengine.training.features import features
    from turkengine.training.fit import fit as fitted
    from turkengine.training.fit import loss_of, slope_of
    from turkengine.training.publish import publish

    in_force = read_weights(variant)
    learnt, held_out = _split(files)
    click.echo(f"{variant.name}: {len(learnt)} positions to learn from, {len(held_out)} kept apart")
    data, validation = features(variant, learnt), features(variant, held_out)
    told: list[Epoch] = []

    def follow(done: Epoch) -> None:
        told.append(done)
        click.echo(f"round {done.number:>4}: loss {done.loss:.5f}, kept apart {done.validation:.5f}")

    slope = slope_of(data)
    network = fitted(
        variant,
        data,
        validation,
        units=units or in_force.units,
        slope=slope,
        blend=blend,
        rounds=rounds,
        seed=seed,
        on_round=follow,
    )
    loss = loss_of(slope * network.values(validation), validation.results)
    of_search = loss_of(slope * validation.scores, validation.results)
    click.echo(f"kept apart: loss {loss:.5f}, that of the search scores {of_search:.5f}")
    made = {
        "positions": len(learnt),
        "blend": blend,
        "rounds": rounds,
        "seed": seed,
        "slope": round(slope, 4),
        "loss": round(loss, 5),
    }
    with _writing(output):
        publish(output, variant, network, made)
    if network.units != in_force.units:
        click.echo(f"the kernel was built for {in_force.units} units: put it in place and install turkengine again")
    if plot is not None:
        from turkengine.training.report import draw

        draw(plot, variant, told, of_search)


@train.command(cls=GameCommand)
@variant_option(required=True)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
def chances(variant: Variant, files: tuple[Path, ...]) -> None:
    """Fit what a score means for the result to the games in FILES.

    What is printed belongs into the file chances.json of the game's folder, turkengine/games/VARIANT.

    \b
    Example:
      turkengine train chances --variant turkish turkish.games
    """
    _need_libraries()
    import numpy as np

    from turkengine.training import dataset
    from turkengine.training.chances import fit_chances

    try:
        read = [np.asarray(dataset.read(file)) for file in files]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="FILES") from None
    records = np.concatenate(read)
    steepness, lead, loss = fit_chances(records)
    numbers = {
        "steepness": round(steepness, 3),
        "lead": round(lead, 3),
        "positions": len(records),
        "games": sum(len(np.unique(part["game"])) for part in read),
        "loss": round(loss, 4),
    }
    click.echo(json.dumps(numbers))


@train.command(cls=GameCommand)
@variant_option(required=True)
@click.option("--pairs", type=click.IntRange(1), default=40, show_default=True, help="Pairs of games for each pairing.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other games for each.")
@click.option("--jobs", type=click.IntRange(1), help="Processes that play. [default: one for each processor]")
@_output("The file.")
@onlookers()
def levels(variant: Variant, pairs: int, seed: int, jobs: int | None, output: Path) -> None:
    """Measure how strong each level of skill-level is, in games between the levels.

    Each level plays against the one above it and the one above that. What comes of it turns the option elo into a
    level, once it is the file levels.json of the game's folder, turkengine/games/VARIANT. The same seed gives the same
    ratings.

    \b
    Example:
      turkengine train levels --variant turkish --pairs 100 -o levels.json
    """
    from turkengine.engine.machine import processors
    from turkengine.training import levels as measured

    _check_levels(output)
    wanted = measured.pairings(pairs)
    played = []
    with click.progressbar(length=len(wanted), label=f"{variant.name} pairs of games", show_pos=True) as bar:
        for result in measured.results(variant, wanted, seed, jobs or processors()):
            played.append(result)
            bar.update(1)
    elo = measured.ratings(played)
    with _writing(output):
        measured.write(output, elo, {"pairs": pairs, "seed": seed})
    click.echo(f"{variant.name}: Elo of levels 0 to {len(elo) - 1}: {' '.join(map(str, elo))}")


@train.command(cls=GameCommand)
@variant_option(required=True)
@click.option("--rounds", type=click.IntRange(1), default=5000, show_default=True, help="Pairs of games.")
@click.option("--nodes", type=click.IntRange(500), default=5000, show_default=True, help="Of each search.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other games for each.")
@click.option("--jobs", type=click.IntRange(1), help="Processes that play. [default: one for each processor]")
@weights_output
@onlookers()
def tune(variant: Variant, rounds: int, nodes: int, seed: int, jobs: int | None, output: Path) -> None:
    """Find the settings of the search by games, and write the weights in force with them.

    Whether they are better is for a match to say: put the file in the place of evaluation.weights in the folder of the
    game in another installation, and play the two against each other.

    \b
    Example:
      turkengine train tune --variant croda --rounds 4000 -o croda.weights
    """
    from turkengine.engine.machine import processors
    from turkengine.training import tune as tuning

    before = read_weights(variant).search
    with click.progressbar(length=rounds, label=f"{variant.name} pairs", show_pos=True) as bar:
        found = tuning.tune(
            variant,
            before,
            rounds=rounds,
            nodes=nodes,
            seed=seed,
            jobs=jobs or processors(),
            on_round=lambda _: bar.update(1),
        )
    for setting in SETTINGS:
        click.echo(f"{setting.name:<16} {before.get(setting.name, setting.usual):>5} {found[setting.name]:>5}")
    with _writing(output):
        output.write_bytes(with_search(weights_file(variant), found))


def _check_levels(output: Path) -> None:
    """Refuse a file that holds something else, before hours have been spent."""
    from turkengine.training import levels as measured

    try:
        measured.check(output)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--output") from None


def _split(files: tuple[Path, ...]) -> tuple[Records, Records]:
    """What to learn from and what to keep apart; whole games, so that none is in both."""
    import numpy as np

    from turkengine.training import dataset

    try:
        records = np.concatenate([np.asarray(dataset.read(file)) for file in files])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="FILES") from None
    held_out = records["game"] % HELD_OUT == 0
    if held_out.all() or not held_out.any():
        raise click.BadParameter(f"there must be {HELD_OUT} games or more", param_hint="FILES")
    return records[~held_out], records[held_out]


def _need_libraries() -> None:
    """Say what to install where the libraries are missing; and leave the processors to the processes."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        import numpy  # noqa: F401
        import scipy  # noqa: F401
    except ImportError as error:
        cure = "install turkengine with its extra train, as in: pip install '.[train]'"
        raise click.ClickException(f"{error.name} is missing; {cure}") from None
