"""The commands `turkengine endgame ...`: tables of endings built, verified, listed and asked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turkengine.commands.arguments import GameCommand, variant_option
from turkengine.commands.kernels import compiled
from turkengine.commands.onlookers import onlookers
from turkengine.errors import EndgameError, TurkengineError
from turkengine.interruption import INTERRUPTED
from turkengine.rules.bounds import MOST_PIECES
from turkengine.rules.variant import Variant

if TYPE_CHECKING:
    from turkengine.endgame.material import Material

START = "start"
MEBIBYTE = 1 << 20

folder_option = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where tables are, one folder for each game in it. [default: your own, where the engine looks too]",
)
jobs_option = click.option("--jobs", type=click.IntRange(1), help="Threads that work. [default: one a processor]")
pieces_option = click.option(
    "--pieces", type=click.IntRange(2, MOST_PIECES), default=MOST_PIECES, help="Endings of so many pieces or fewer."
)


@click.group()
def endgame() -> None:
    """Endgame tables: exact results of endings with few pieces, and the plies to the end.

    Tables of 2 and 3 pieces come with the program. The engine uses every table that it finds in its own folder and in
    yours; the option endgame-path names another one.

    \b
    Examples:
      turkengine endgame build --variant turkish --pieces 4
      turkengine endgame verify --variant turkish
      turkengine endgame probe --variant turkish "W:WKa1,Kc3:BKh8"
      turkengine endgame list
    """


@endgame.command(cls=GameCommand)
@variant_option(required=True)
@click.option("--pieces", type=click.IntRange(2, MOST_PIECES), default=4, show_default=True, help="Up to so many.")
@folder_option
@jobs_option
@onlookers()
def build(variant: Variant, pieces: int, folder: Path | None, jobs: int | None) -> None:
    """Build every table of a game that is not there yet.

    An interrupted build continues when it is started again. Five pieces take a long time and up to 2.6 GiB of
    memory.

    \b
    Examples:
      turkengine endgame build --variant international
      turkengine endgame build --variant turkish --pieces 4 --folder /srv/tables
    """
    from turkengine.endgame.build import Built
    from turkengine.endgame.build import build as built
    from turkengine.engine import machine

    show = Step()

    def tell(done: Built) -> None:
        show.clear()
        seconds = "was there" if done.seconds is None else f"{done.seconds:.1f} s"
        click.echo(f"{done.balance.name:<8}{_summary(done.file.tables)}, {_size(done.file.size)}, {seconds}")

    with Told(show):
        built(
            compiled(variant),
            variant,
            pieces,
            _own(folder),
            jobs=jobs or machine.processors(),
            memory=machine.free_memory() * MEBIBYTE,
            on_built=tell,
            on_step=show,
        )


@endgame.command(cls=GameCommand)
@variant_option(required=True)
@pieces_option
@click.option("--sample", type=click.IntRange(0), default=20, show_default=True, help="Positions of each to search.")
@folder_option
@jobs_option
def verify(variant: Variant, pieces: int, sample: int, folder: Path | None, jobs: int | None) -> None:
    """Verify the tables of a game: checksums, every position against its moves, a sample against a search.

    The exit status is 1 where a fault is found.

    \b
    Examples:
      turkengine endgame verify --variant croda
      turkengine endgame verify --variant turkish --pieces 3 --sample 500
    """
    from turkengine.endgame.build import sound
    from turkengine.endgame.material import balances
    from turkengine.endgame.verify import verify as verified
    from turkengine.engine import machine
    from turkengine.kernel import endgames

    show = Step()
    faults = 0
    own = _own(folder)
    for place in endgames.folders(own):
        for path in endgames.files_in(place, variant):
            try:
                endgames.read(path, variant)
            except EndgameError as error:
                click.echo(str(error))
                faults += 1
    wanted = [
        balance for number in range(2, pieces + 1) for balance in balances(number) if sound(variant, balance, own)
    ]
    with Told(show):
        kernel = compiled(variant)
        for done in verified(
            kernel, variant, wanted, own, jobs=jobs or machine.processors(), sample=sample, on_step=show
        ):
            show.clear()
            for fault in done.faults:
                click.echo(fault)
            faults += len(done.faults)
            if not done.faults:
                click.echo(f"{done.balance.name:<8}{done.positions:,} positions follow, {done.searched} searched: ok")
    if faults:
        raise click.ClickException(f"{faults} fault{'' if faults == 1 else 's'}; build what is damaged again")


@endgame.command(cls=GameCommand)
@variant_option(required=True)
@click.argument("fen", metavar=f"FEN|{START}")
@folder_option
def probe(variant: Variant, fen: str, folder: Path | None) -> None:
    """What the tables know of the position FEN, and of each move, the best first.

    A win or loss that comes only after a count of plies has made the game a draw is marked as too late. Where no table
    knows the position the exit status is 1.

    \b
    Examples:
      turkengine endgame probe --variant turkish "W:WKa1,Kc3:BKh8"
      turkengine endgame probe --variant international "W:WK46,K47:BK3:H6"
    """
    from turkengine.kernel import endgames
    from turkengine.notation import fen as notation
    from turkengine.notation import moves
    from turkengine.wire import diagram

    kernel: Any = compiled(variant)
    position = kernel.Position.start()
    try:
        if fen.strip().lower() != START:
            setup = notation.parse(variant, fen)
            position = kernel.Position.from_cells(setup.cells, setup.side, setup.no_progress, setup.material_plies)
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="FEN") from None
    if position.outcome() is not None:
        click.echo(f"the game is over: {diagram.result(position)}")
        return
    endings, complaints = endgames.mount(kernel, variant, endgames.folders(_own(folder)), MOST_PIECES)
    for complaint in complaints:
        click.echo(complaint, err=True)
    known = endings.look_up(position)
    if known is None:
        raise click.ClickException(_unknown(variant, position, endings.most_pieces))
    click.echo(_words(known))
    rated = []
    for move in position.legal_moves():
        after = position.play(move)
        known = endings.look_up(after)
        if not after.count(after.side)[0] + after.count(after.side)[1]:
            known = (-1, 0, True)
        rated.append((_rank(known), moves.full(position, move), known))
    for _, name, known in sorted(rated, key=lambda one: (one[0], one[1])):
        click.echo(f"{name}: {'not known' if known is None else _words((-known[0], known[1] + 1, known[2]))}")


@endgame.command("list", cls=GameCommand)
@variant_option("This game only.")
@folder_option
def show_list(variant: Variant | None, folder: Path | None) -> None:
    """The tables that the engine finds, of one game or of every game.

    \b
    Examples:
      turkengine endgame list
      turkengine endgame list --variant croda
    """
    from turkengine.games import VARIANTS
    from turkengine.kernel import endgames

    for game in (variant,) if variant is not None else VARIANTS:
        for place in endgames.folders(_own(folder)):
            for path in endgames.files_in(place, game):
                try:
                    file = endgames.read(path, game)
                except EndgameError as error:
                    click.echo(f"{error}; it is ignored")
                else:
                    click.echo(f"{game.name:<14}{path.stem:<8}{_summary(file.tables)}, {_size(file.size)}")


class Step:
    """What is done at the moment, on one line of a terminal that the next one replaces."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._shown = ""

    def __call__(self, balance: Material, step: str) -> None:
        """Show it, where there is a terminal."""
        if self._live:
            line = f"{balance.name}: {step}"
            sys.stderr.write("\r" + line.ljust(len(self._shown)))
            sys.stderr.flush()
            self._shown = line

    def clear(self) -> None:
        """Make room for a line that stays."""
        if self._shown:
            sys.stderr.write("\r" + " " * len(self._shown) + "\r")
            sys.stderr.flush()
            self._shown = ""


class Told:
    """Shows an error of the tables as a command does, and an interruption with what to do about it."""

    def __init__(self, show: Step) -> None:
        self._clear: Callable[[], None] = show.clear

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._clear()
        if isinstance(error, EndgameError):
            raise click.ClickException(str(error)) from None
        if isinstance(error, KeyboardInterrupt):
            click.echo("interrupted; the same command continues from here", err=True)
            raise SystemExit(INTERRUPTED) from None


def _own(folder: Path | None) -> Path:
    from turkengine.kernel import endgames

    return folder if folder is not None else endgames.own_folder()


def _unknown(variant: Variant, position: Any, most: int) -> str:
    """Why no table knows a position, and what would help."""
    from turkengine.endgame.material import Material

    (kings, men), (enemy_kings, enemy_men) = (position.count(side) for side in (position.side, position.side.opponent))
    material = Material(men, kings, enemy_men, enemy_kings)
    if material.pieces > MOST_PIECES:
        return f"no table has more than {MOST_PIECES} pieces, and {material.pieces} are on the board"
    there = f"the largest table found has {most}" if material.pieces > most else "its table is not there"
    build = f"turkengine endgame build --variant {variant.name} --pieces {material.pieces}"
    return f"no table knows {material.balance.name}, {material.pieces} pieces: {there}; `{build}` makes it"


def _summary(tables: Any) -> str:
    """Both sides to move, the stronger one first."""
    parts = []
    for table in tables:
        total = table.won + table.drawn + table.lost
        longest = "" if table.longest is None else f", longest {table.longest}"
        parts.append(f"{100 * table.won / total:.2f} % won, {100 * table.lost / total:.2f} % lost{longest}")
    return "; to move second: ".join(parts)


def _size(size: int) -> str:
    return f"{size / MEBIBYTE:.1f} MiB" if size >= MEBIBYTE else f"{size / 1024:.0f} KiB"


def _words(known: tuple[int, int, bool]) -> str:
    """A win, draw or loss in words."""
    won, plies, in_time = known
    if won == 0:
        return "draw"
    late = "" if in_time else ", too late: a draw by the count of plies"
    return f"{'win' if won > 0 else 'loss'} in {plies} plies{late}"


def _rank(known: tuple[int, int, bool] | None) -> tuple[int, int]:
    """For sorting moves by what is known after them, the other side then being to move: best first."""
    if known is None:
        return 1, 1
    won, plies, in_time = known
    if won == 0 or not in_time:
        return 1, 0
    return (0, plies) if won < 0 else (2, -plies)
