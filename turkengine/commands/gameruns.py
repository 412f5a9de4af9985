"""What commands that work through files of games share: the run that goes on, the bar, and everything wrong named."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turkengine import __version__
from turkengine.commands.output import check_outputs, written
from turkengine.commands.progress import Bar
from turkengine.errors import TurkengineError
from turkengine.interruption import INTERRUPTED
from turkengine.rules.variant import Variant

if TYPE_CHECKING:
    from turkengine.analysis.engines import EngineNamed
    from turkengine.analysis.games import PlayedGame, Source
    from turkengine.analysis.runner import AnalysisSettings, Watcher
    from turkengine.analysis.store import AnalysisStore

FAULTS, UNUSABLE = 1, 2


@dataclass(frozen=True)
class Farmed:
    """A cluster that does the work.

    Attributes:
        address: of its scheduler.
        most: games at a time; as many as its workers have threads if None.
    """

    address: str
    most: int | None = None

    def analyse(
        self, games: Iterator[PlayedGame], store: AnalysisStore, settings: AnalysisSettings, watcher: Watcher
    ) -> None:
        """Do what `runner.analyse` does."""
        from turkengine.analysis.farm import analyse_on
        from turkengine.farm.cluster import Cluster

        with Cluster(self.address, lambda line: click.echo(line, err=True)) as cluster:
            analyse_on(cluster, games, store, settings, watcher, self.most)


@dataclass(frozen=True)
class Wanted:
    """What every such command knows of its run.

    Attributes:
        files: of games, `-` for standard input.
        variant: the game where tags do not name it.
        db: keeps what is done.
        outputs: files to be written by the options that name them, `-` for standard output; None for none.
        farm: the scheduler of a cluster that does the work; this machine if None.
        jobs: searches or games at a time; as many as there is room for if None.
        quiet: no line for each game, and no bar.
    """

    files: Sequence[str]
    variant: Variant | None
    db: Path | None
    outputs: Mapping[str, str | None]
    farm: str | None
    jobs: int | None
    quiet: bool


class GamesRun(ABC):
    """Files of games worked through and reported. It is also who watches the jobs."""

    def __init__(self, wanted: Wanted, settings: AnalysisSettings, kept: Mapping[str, str]) -> None:
        """Nothing is read yet but standard input.

        Args:
            kept: the settings that a run which goes on must share, beside the version of the program.

        Raises:
            BadParameter: an output cannot be written, or would be written over another file.
        """
        from turkengine.analysis.games import Source

        check_outputs(wanted.outputs, wanted.files, wanted.db)
        self.sources = [
            Source("<stdin>", sys.stdin.buffer.read()) if file == "-" else Source(file) for file in wanted.files
        ]
        self.variant, self.settings, self.db = wanted.variant, settings, wanted.db
        self.kept = {"program": f"turkengine {__version__}", **kept}
        self.quiet = wanted.quiet or "-" in wanted.outputs.values()
        self._outputs = wanted.outputs
        self._farm = Farmed(wanted.farm, wanted.jobs) if wanted.farm is not None else None
        self._worst = self._games = 0
        self._bar = Bar(0, "positions", shown=False)

    @abstractmethod
    def report(self, store: AnalysisStore) -> None:
        """Write what was asked for."""

    def run(self) -> int:
        """Do it all; the exit status."""
        from turkengine.analysis.games import played_games, positions_in
        from turkengine.analysis.runner import analyse
        from turkengine.analysis.store import AnalysisStore

        try:
            with AnalysisStore(self.db, lambda line: click.echo(line, err=True)) as store:
                store.settle(self.kept)
                if not self.quiet and sys.stderr.isatty():
                    self._bar = Bar(positions_in(self.sources), "positions", shown=True)
                games = self._counted(played_games(self.sources, self.variant, self.complain))
                if self._farm is None:
                    analyse(games, store, self.settings, self)
                else:
                    self._farm.analyse(games, store, self.settings, self)
                self._bar.clear()
                if self._games or self._worst < UNUSABLE:  # an older report stays where there was nothing to read
                    self.report(store)
        except KeyboardInterrupt:
            self._bar.clear()
            further = "; run it again with the same --db to continue" if self.db is not None else ""
            click.echo(f"interrupted{further}", err=True)
            return INTERRUPTED
        except TurkengineError as error:
            self._bar.clear()
            click.echo(f"turkengine: {error}", err=True)
            return UNUSABLE
        return self._worst

    def _counted(self, games: Iterator[PlayedGame]) -> Iterator[PlayedGame]:
        for game in games:
            self._games += 1
            yield game

    def found(self, store: AnalysisStore) -> Iterator[tuple[PlayedGame, dict[str, Any]]]:
        """Every game of which something is known, in the order of the files, and what its record says."""
        from turkengine.analysis.games import played_games

        for game in played_games(self.sources, self.variant):
            data = store.data(game.digest)
            if data is not None:
                yield game, data

    def asked_for(self, option: str) -> bool:
        """Whether there is something to be written to."""
        return self._outputs[option] is not None

    def writing(self, option: str) -> AbstractContextManager[Callable[[str | bytes], object]]:
        """What writes to the file that an option names, nowhere where it names none."""
        if not self.asked_for(option):
            return nullcontext(lambda _: None)
        return written(self._outputs[option], option)

    def complain(self, file: str, line: int, reason: str) -> None:
        """Something is wrong in a file, or with all of it."""
        self._bar.clear()
        click.echo(f"{file}:{line}: {reason}" if line else f"{file}: {reason}", err=True)
        self._worst = max(self._worst, FAULTS if line else UNUSABLE)

    def advance(self, positions: int) -> None:
        """Positions have been searched."""
        self._bar.advance(positions)

    def skip(self, positions: int) -> None:
        """Positions need not be searched."""
        self._bar.skip(positions)

    def fail(self, game: PlayedGame, reason: TurkengineError) -> None:
        """A game could not be worked through."""
        self.complain(game.entry.file, game.entry.line, f"{game.title}: {reason}")


def title_of(sources: Sequence[Source]) -> str:
    """What the files are called together."""
    first = Path(sources[0].name).name
    return first if len(sources) == 1 else f"{first} and {len(sources) - 1} more"


def engine_named(name: str, mebibytes: int) -> EngineNamed:
    """What makes engines of this name; one has been tried.

    Raises:
        BadParameter: there is none, or none with such a table.
    """
    from turkengine.analysis.engines import BUILTIN, EngineNamed

    engine = EngineNamed(name, mebibytes)
    try:
        engine().close()
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="--hash" if name == BUILTIN else "--engine") from None
    return engine
