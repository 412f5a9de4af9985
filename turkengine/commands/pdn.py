"""The commands `turkengine pdn ...`: files of games checked, put into standard form, selected from, and counted.

Each takes files one after another and games one after another, so that files of any size can be given. Exit status: 0,
1 where `check` has found a fault, 2 where a file or an argument cannot be used, 130 where it was interrupted.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import click

from turkengine.commands.arguments import VariantName
from turkengine.commands.kernels import compiled
from turkengine.commands.output import written
from turkengine.commands.progress import Bar
from turkengine.errors import TurkengineError
from turkengine.notation.fen import Setup
from turkengine.notation.pdn.dates import Date, read_date
from turkengine.notation.pdn.kinds import kind_of
from turkengine.notation.pdn.normal import normalised
from turkengine.notation.pdn.reader import PdnEntry, read
from turkengine.notation.pdn.replaying import UNKNOWN, Replay, replay
from turkengine.notation.pdn.selecting import OUTCOMES, Selection
from turkengine.notation.pdn.statistics import Statistics
from turkengine.notation.pdn.writer import write
from turkengine.rules.variant import Variant

UNUSABLE = 2  # exit status
KIB = 1 << 10

files_argument = click.argument("files", nargs=-1, required=True, metavar="FILE...")
variant_option = click.option(
    "--variant",
    type=VariantName(),
    help="The game of those games whose tags do not say it, instead of the first that replays them.",
)
output_option = click.option(
    "-o", "--output", metavar="FILE", help="Write there instead of to standard output; it is replaced."
)


@click.group()
def pdn() -> None:
    """Check, normalise, filter and count files of games (PDN).

    FILE is a file in Portable Draughts Notation; - is standard input. Games of other kinds of draughts are read and
    written too, but their moves are not checked.

    \b
    Examples:
      turkengine pdn check games.pdn
      turkengine pdn normalise games.pdn -o clean.pdn
      turkengine pdn filter games.pdn --player Sijbrands --result draw
      turkengine pdn stats games.pdn --json
    """


@pdn.command()
@files_argument
@variant_option
@click.option("--quiet", is_flag=True, help="Only the faults, without the summary.")
def check(files: tuple[str, ...], variant: Variant | None, quiet: bool) -> None:
    """Read every game, replay it by the rules, and print each fault as FILE:LINE: what is wrong.

    A summary follows. The exit status is 1 where there is a fault, 2 where a file cannot be read.

    \b
    Examples:
      turkengine pdn check games.pdn
      turkengine pdn check --variant turkish old/*.pdn
      turkengine pdn check --quiet - < games.pdn
    """
    summary = _Summary()
    collection = _Collection(files, bar=True)
    for entry in collection:
        played = replay(entry.game, variant, _position)
        faults = _faults(entry, played)
        if faults:
            collection.bar.clear()
        for line, reason in faults:
            click.echo(f"{entry.file}:{line}: {reason}")
        summary.add(entry, played, len(faults))
    if not quiet:
        for told in summary.lines(len(files)):
            click.echo(told)
    sys.exit(collection.status or (1 if summary.faults else 0))


@pdn.command()
@files_argument
@variant_option
@output_option
def normalise(files: tuple[str, ...], variant: Variant | None, output: str | None) -> None:
    """Write every game in standard form: PDN 3.0.

    Tags in their order, GameType in full, moves from and to and with their path where that leaves a doubt, results as
    the game writes them. Faults go to standard error, and what is wrong is written unchanged.

    \b
    Examples:
      turkengine pdn normalise games.pdn
      turkengine pdn normalise games.pdn more.pdn -o all.pdn
      turkengine pdn normalise --variant turkish - < old.pdn > new.pdn
    """
    collection = _Collection(files)
    with written(output) as put:
        for entry in collection:
            game, played = normalised(entry.game, variant, _position)
            _complain(entry, played)
            put(write(game))
    sys.exit(collection.status)


@pdn.command("filter")
@files_argument
@click.option("--player", default="", metavar="TEXT", help="White or Black has TEXT in the name.")
@click.option("--white", default="", metavar="TEXT", help="White has TEXT in the name.")
@click.option("--black", default="", metavar="TEXT", help="Black has TEXT in the name.")
@click.option("--event", default="", metavar="TEXT", help="The event has TEXT in its name.")
@click.option("--tag", "tags", multiple=True, metavar="NAME=TEXT", help="The tag NAME holds TEXT (again for another).")
@click.option(
    "--result",
    "outcomes",
    multiple=True,
    type=click.Choice(list(OUTCOMES)),
    help="Who has won (again for another), in either way of writing results.",
)
@click.option("--kind", default="", metavar="GAME", help="The game: a name, or a number of GameType.")
@click.option("--since", metavar="DATE", help="Played on that day or later: 1996.12.28, 1996.12 or 1996.")
@click.option("--until", metavar="DATE", help="Played on that day or earlier.")
@click.option("--min-plies", type=click.IntRange(0), metavar="N", help="At least N moves of one side.")
@click.option("--max-plies", type=click.IntRange(0), metavar="N", help="At most N moves of one side.")
@click.option("--fen", default="", metavar="FEN", help="The position comes up.")
@click.option("--illegal/--legal", default=None, help="With a move that cannot be played, or without.")
@click.option("--faulty/--faultless", default=None, help="With anything that `check` reports, or without.")
@click.option("--invert", is_flag=True, help="Just the games that would be left out.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="No more than the first N.")
@click.option("--count", is_flag=True, help="Print how many there are instead of the games.")
@variant_option
@output_option
def select(
    files: tuple[str, ...],
    variant: Variant | None,
    output: str | None,
    invert: bool,
    limit: int | None,
    count: bool,
    **conditions: Any,
) -> None:
    """Write those games that meet every condition, as they are.

    Texts are looked for anywhere in a tag, in upper or lower case. A date that a game leaves open is not compared.

    \b
    Examples:
      turkengine pdn filter games.pdn --player wiersma --result white --since 1976 --until 1984
      turkengine pdn filter games.pdn --kind international --min-plies 40 -o long.pdn
      turkengine pdn filter games.pdn --fen "W:W31-50:B1-20" --count
      turkengine pdn filter games.pdn --illegal
      turkengine pdn filter - --tag Round=3 --invert < games.pdn
    """
    selection = _selection(**conditions)
    collection = _Collection(files)
    found = 0
    with written(None if count else output) as put:
        for entry in collection:
            played = cache(lambda game=entry.game: replay(game, variant, _position))
            if selection.meets(entry, played) is invert:
                continue
            found += 1
            if not count:
                put(write(entry.game))
            if found == limit:
                break
        if count:
            click.echo(found)
    sys.exit(collection.status)


@pdn.command()
@files_argument
@variant_option
@click.option("--plies", default=2, show_default=True, type=click.IntRange(1), help="Moves that make an opening.")
@click.option("--openings", default=10, show_default=True, type=click.IntRange(0), help="Openings shown.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
def stats(files: tuple[str, ...], variant: Variant | None, plies: int, openings: int, as_json: bool) -> None:
    """Count games, moves, results, games played, openings and faults.

    \b
    Examples:
      turkengine pdn stats games.pdn
      turkengine pdn stats games.pdn --plies 4 --openings 20
      turkengine pdn stats --json - < games.pdn
    """
    counted = Statistics(plies)
    collection = _Collection(files, bar=True)
    for entry in collection:
        counted.add(entry, replay(entry.game, variant, _position))
    if as_json:
        click.echo(json.dumps(counted.as_json(openings), ensure_ascii=False, indent=2))
    else:
        for line in counted.lines(openings):
            click.echo(line)
    sys.exit(collection.status)


class _Collection:
    """The games of several files. One that cannot be read is named, and the rest is read.

    Where a command has little to say before its end, a `bar` shows how far it is in files that are not standard input.
    """

    def __init__(self, files: tuple[str, ...], bar: bool = False) -> None:
        self.files, self.status = files, 0
        size = sum(os.path.getsize(file) for file in files if os.path.isfile(file))
        self.bar = Bar(size // KIB, "KiB", shown=bar and size > 0)

    def __iter__(self) -> Iterator[PdnEntry]:
        for file in self.files:
            try:
                yield from read(sys.stdin.buffer, "<stdin>") if file == "-" else self._entries(file)
            except KeyboardInterrupt:
                self.bar.clear()
                raise
            except OSError as error:
                self._fail(f"{file}: {error.strerror or error}")
            except TurkengineError as error:
                self._fail(str(error))

        self.bar.clear()

    def _entries(self, file: str) -> Iterator[PdnEntry]:
        with open(file, "rb") as stream:
            before = 0
            for entry in read(stream, file):
                here = stream.tell() // KIB if stream.seekable() else 0
                self.bar.advance(here - before)
                before = here
                yield entry

    def _fail(self, message: str) -> None:
        self.bar.clear()
        click.echo(f"Error: {message}", err=True)
        self.status = UNUSABLE


@dataclass
class _Summary:
    """What `check` says at its end."""

    games: int = 0
    plies: int = 0
    faults: int = 0
    faulty: int = 0
    inferred: int = 0
    replayed: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)

    def add(self, entry: PdnEntry, played: Replay[Any], faults: int) -> None:
        self.games += 1
        self.plies += len(entry.game.line.plies)
        self.faults += faults
        self.faulty += faults > 0
        self.inferred += played.inferred
        if played.variant is not None:
            self.replayed[played.variant.name] += 1
        else:
            self.others[played.other] += 1

    def lines(self, files: int) -> Iterator[str]:
        yield f"{_many(self.games, 'game')}, {_many(self.plies, 'ply', 'plies')} in {_many(files, 'file')}"
        if self.replayed:
            inferred = f", {self.inferred} of them inferred from the moves" if self.inferred else ""
            yield f"replayed: {_listed(self.replayed)}{inferred}"
        if self.others:
            yield f"not replayed: {_listed(self.others)}"
        if self.others[UNKNOWN]:
            yield f"{UNKNOWN}: neither a tag nor the moves say which game it is; name it with --variant"
        yield f"{_many(self.faults, 'fault')} in {_many(self.faulty, 'game')}" if self.faults else "no faults"


def _faults(entry: PdnEntry, played: Replay[Any]) -> list[tuple[int, str]]:
    """Line and reason of everything wrong with a game, in the order of the lines."""
    found = [(fault.line, fault.reason) for fault in entry.faults]
    told = kind_of(entry.game).fault
    if told:
        found.append((entry.line, told))
    for illegal in played.illegal:
        line = entry.line_of(illegal.order) if illegal.ply else entry.line
        found.append((line, str(illegal)))
    return sorted(found, key=lambda fault: fault[0])


def _complain(entry: PdnEntry, played: Replay[Any]) -> None:
    for line, reason in _faults(entry, played):
        click.echo(f"{entry.file}:{line}: {reason}", err=True)


def _selection(white: str, black: str, event: str, tags: tuple[str, ...], **conditions: Any) -> Selection:
    """The conditions of the command line.

    Raises:
        BadParameter: one of them cannot be read.
    """
    wanted = [(name, text) for name, text in (("White", white), ("Black", black), ("Event", event)) if text]
    for tag in tags:
        name, equals, text = tag.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{tag!r} is not NAME=TEXT", param_hint="--tag")
        wanted.append((name, text))
    try:
        return Selection(
            player=conditions["player"],
            tags=tuple(wanted),
            outcomes=frozenset(conditions["outcomes"]),
            kind=conditions["kind"],
            since=_date("--since", conditions["since"]),
            until=_date("--until", conditions["until"]),
            least_plies=conditions["min_plies"],
            most_plies=conditions["max_plies"],
            position=conditions["fen"],
            illegal=conditions["illegal"],
            faulty=conditions["faulty"],
        )
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="--fen") from None


def _date(option: str, text: str | None) -> Date | None:
    if text is None:
        return None
    date = read_date(text, whole=True)
    if date is None:
        raise click.BadParameter(f"{text!r} is not a date; write 1996.12.28, 1996.12 or 1996", param_hint=option)
    return date


def _position(variant: Variant, setup: Setup | None) -> Any:
    """The compiled kernel's position: it plays many times as fast as the readable rules, and agrees with them."""
    maker = compiled(variant).Position
    if setup is None:
        return maker.start()
    return maker.from_cells(setup.cells, setup.side, setup.no_progress, setup.material_plies)


def _many(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())
