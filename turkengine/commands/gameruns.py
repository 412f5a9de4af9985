"""What commands that work through files of games share: the run that goes on, the bar, and everything wrong named."""

from __future__ import annotations

import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from turkengine.commands.progress import Bar
from turkengine.errors import TurkengineError
from turkengine.rules.variant import Variant

if TYPE_CHECKING:
    from turkengine.analysis.engines import EngineNamed
    from turkengine.analysis.games import PlayedGame, Source
    from turkengine.analysis.runner import Settings, Watcher
    from turkengine.analysis.store import Store

FAULTS, UNUSABLE, INTERRUPTED = 1, 2, 130

farm_option = click.option(
    "--farm", metavar="ADDRESS", help="Work on the cluster of this Dask scheduler, as tcp://scheduler:8786."
)


@dataclass(frozen=True)
class Farmed:
    """A cluster that does the work.

    Attributes:
        address: of its scheduler.
        most: games at a time; as many as its workers have threads if None.
    """

    address: str
    most: int | None = None

    def analyse(self, games: Iterator[PlayedGame], store: Store, settings: Settings, watcher: Watcher) -> None:
        """Do what `runner.analyse` does."""
        from turkengine.analysis.farm import analyse_on
        from turkengine.match.cluster import Cluster

        with Cluster(self.address, lambda line: click.echo(line, err=True)) as cluster:
            analyse_on(cluster, games, store, settings, watcher, self.most)


class GamesRun(ABC):
    """Files of games worked through and reported. It is also who watches the jobs."""

    def __init__(
        self,
        files: Sequence[str],
        variant: Variant | None,
        settings: Settings,
        kept: dict[str, str],
        db: Path | None,
        quiet: bool,
        farm: Farmed | None = None,
    ) -> None:
        """Nothing is read yet but standard input.

        Args:
            variant: the game where tags do not tell it.
            kept: the settings that a run which goes on must share.
            quiet: no bar.
            farm: a cluster that does the work; this machine if None.
        """
        from turkengine.analysis.games import Source

        self.sources = [Source("<stdin>", sys.stdin.buffer.read()) if file == "-" else Source(file) for file in files]
        self.variant, self.settings, self.kept, self.db, self.quiet = variant, settings, kept, db, quiet
        self._farm = farm
        self._worst = self._games = 0
        self._bar = Bar(0, "positions", shown=False)

    @abstractmethod
    def report(self, store: Store) -> None:
        """Write what was asked for."""

    def status(self) -> int:
        """Do it; the exit status."""
        from turkengine.analysis.games import played_games, positions_in
        from turkengine.analysis.runner import analyse
        from turkengine.analysis.store import Store

        signal.signal(signal.SIGTERM, interrupt)
        try:
            with Store(self.db) as store:
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
            further = "; run it again with the same --db to go on" if self.db is not None else ""
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

    def found(self, store: Store) -> Iterator[tuple[PlayedGame, dict[str, Any]]]:
        """Every game of which something is known, in the order of the files, and what its record tells."""
        from turkengine.analysis.games import played_games

        for game in played_games(self.sources, self.variant):
            data = store.data(game.digest)
            if data is not None:
                yield game, data

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
        BadParameter: there is none.
    """
    from turkengine.analysis.engines import EngineNamed

    engine = EngineNamed(name, mebibytes)
    try:
        engine().close()
    except TurkengineError as error:
        raise click.BadParameter(str(error), param_hint="--engine") from None
    return engine


def interrupt(number: int, frame: FrameType | None) -> None:
    """End as on Ctrl-C."""
    raise KeyboardInterrupt
