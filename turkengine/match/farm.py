"""Games on other machines: a cluster plays the tasks of a match, and this program keeps the games."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from turkengine.farm.cluster import Cluster
from turkengine.farm.errands import Errands
from turkengine.match import farmhand
from turkengine.match.entrants import Called, Entry
from turkengine.match.schedule import Key, Pairing
from turkengine.match.seat import Task
from turkengine.match.underway import UnderWay
from turkengine.record.record import Record
from turkengine.rules.variant import Variant


class Farm:
    """A cluster and what it plays of one match, players as `runner.Players` has them; use it in a `with` block."""

    def __init__(
        self,
        address: str,
        most: int | None = None,
        logs: Path | None = None,
        echo: Callable[[str], object] = print,
    ) -> None:
        """Connect.

        Args:
            address: of the scheduler, as in `tcp://scheduler:8786`.
            most: games at a time; as many as the workers have threads if None.
            logs: a folder for the lines that are exchanged with the engines, one file a game.
            echo: takes a line for people.

        Raises:
            OptionError: Dask is not installed.
            FarmError: there is no scheduler.
        """
        self.logs = logs
        self._most = most
        self._ready: deque[tuple[Key, Record] | Pairing] = deque()
        self._cluster = Cluster(address, echo)
        self._errands: Errands[Task, farmhand.Games] = Errands(self._cluster, farmhand.play_task)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cluster.close()

    def names_of(self, entries: Sequence[Entry], variant: Variant) -> list[Called]:
        """What engines are called, each having been tried on every worker.

        Raises:
            ClientError: naming the worker on which one cannot be started.
            FarmError: there is no worker, or one cannot play at all.
        """
        return list(self._cluster.asked(farmhand.try_engines, entries, variant)[0])

    @property
    def places(self) -> int:
        """As many as the workers have threads now."""
        places = self._cluster.places("the match")
        return places if self._most is None else min(places, self._most)

    @property
    def under_way(self) -> Mapping[Key, UnderWay]:
        """None that could be seen: games come from there when they are over."""
        return {}

    def begin(self, task: Task) -> None:
        """Send a task."""
        self._errands.send(task, "-".join(map(str, task.keys)), task, self.logs is not None)

    def news(self, seconds: float) -> tuple[Key, Record] | Pairing | None:
        """What happens next; None where nothing does for so long.

        Raises:
            ClientError: naming the worker on which an engine cannot be started.
            FarmError: the cluster is lost, or a task has ended several workers.
        """
        if not self._ready and (done := self._errands.next(seconds)) is not None:
            self._take(*done)
        return self._ready.popleft() if self._ready else None

    def end(self) -> Iterator[tuple[Key, Record]]:
        """Have everything come to its end; the games that are over by then."""
        for task, games in self._errands.end(farmhand.break_off, farmhand.end_engines):
            self._take(task, games)
        yield from (message for message in self._ready if isinstance(message, tuple))
        self._ready.clear()

    def _take(self, task: Task, games: farmhand.Games) -> None:
        for key, record, log in games:
            if self.logs is not None:
                (self.logs / f"{key}.log").write_text(log, encoding="utf-8", errors="backslashreplace")
            self._ready.append((key, record))
        self._ready.append(task.pairing)
