"""A whole match from its settings to its reports: tries the engines, opens the file, plays, and writes what was asked.

The commands for a match and for a tournament differ in what they read; this is what they have in common.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from turkengine.errors import OptionError
from turkengine.match.entrants import called_here, tried
from turkengine.match.html import html_report
from turkengine.match.plan import Plan
from turkengine.match.progress import LiveProgress, Pace, PlainProgress, Progress
from turkengine.match.repeats import warning
from turkengine.match.report import text_report
from turkengine.match.runner import End, Runner
from turkengine.match.schedule import Key, Results, Schedule
from turkengine.match.store import MatchStore
from turkengine.match.summary import Faults, Summary
from turkengine.record.record import Record
from turkengine.record.scoresheet import pdn_of

if TYPE_CHECKING:
    from turkengine.match.farm import Farm

Echo = Callable[[str], object]


class Organiser:
    """One match under way.

    Attributes:
        unwritten: files that were asked for and cannot be written, each with a line that says why.
    """

    def __init__(self, plan: Plan, echo: Echo, live: bool = False, farm: Farm | None = None) -> None:
        """Try every engine, to see that it plays and what it calls itself.

        Args:
            echo: takes a line for people.
            live: whether a table is drawn on a terminal.
            farm: plays; this machine if None.

        Raises:
            ClientError: an engine cannot be started.
            OptionError: the plan cannot be held.
        """
        self.plan, self.echo, self.live = plan, echo, live
        self.players = farm
        at_a_time = plan.concurrency or (1 if farm is None else None)
        alone = next((entry for entry in plan.entries if entry.plays_one_game), None)
        if alone is not None and at_a_time != 1:
            raise OptionError(f"{alone.engine} plays one game after the other; give --concurrency 1")
        names_of = partial(called_here, tell=echo) if farm is None else farm.names_of
        self.contest = plan.contest(tried(plan.entries, plan.variant, names_of))
        names = [entrant.name for entrant in self.contest.entrants]
        self.settings = plan.settings(names)
        self.title = plan.title or (" against ".join(names) if len(names) == 2 else f"{len(names)} engines")
        self.outputs = plan.outputs
        self.faults = Faults()
        self.unwritten: dict[Path, str] = {}

    def hold(self, store: MatchStore) -> tuple[End, Summary]:
        """Play what is missing, and report.

        Raises:
            OptionError, StoreError: the file holds something else, or one that is to be made is there already.
        """
        store.settle(self.settings)
        self._claim(store)
        runner = Runner(self.contest, store, self, self.players)
        for _, record in store.games():
            self.faults.add(record)
        if runner.results:
            self.echo(f"{len(runner.results)} games have been played before")
        too_few = warning(self.plan.openings, self.contest.schedule.pairs)
        for line in (*self.plan.openings.remarks, *([too_few] if too_few else [])):
            self.echo(line)
        self._write_pdn(store)
        with self._progress(runner.results) as self._shown:
            end = runner.run()
        summary = self.summarise(runner.results, end is not End.INTERRUPTED)
        self._write_pdn(store)
        self._write_reports(store, summary)
        self.echo(text_report(summary).rstrip("\n"))
        if end is not End.PLAYED:
            self.echo(f"{end.value} after {len(runner.results)} games")
        made = [str(path) for path in self.outputs.paths if path not in self.unwritten and path.exists()]
        db = self.plan.db
        if db is not None and not db.exists():
            self.unwritten[db] = f"{db} has been removed while the match was played; no database holds its games"
        kept = [f"kept in {db}"] if db is not None and db not in self.unwritten else []
        if made or kept:
            self.echo("; ".join([*([f"written: {', '.join(made)}"] if made else []), *kept]))
        return end, summary

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        """Of the runner: a game is over and kept."""
        self.faults.add(record)
        pdn = self.outputs.pdn
        if pdn is not None and pdn not in self.unwritten:
            self._put(pdn, lambda path: _append(path, pdn_of(record, self.title, str(key))))
            if pdn in self.unwritten:
                self._shown.on_wait(f"{self.unwritten[pdn]}; the match goes on")
        self._shown.on_game(key, record, results)

    def on_tick(self) -> None:
        """Of the runner: nothing has happened for a while."""
        self._shown.on_tick()

    def on_wait(self, line: str) -> None:
        """Of the runner: an engine does not answer."""
        self._shown.on_wait(line)

    def summarise(self, results: Results, finished: bool = False) -> Summary:
        """The match as it stands."""
        schedule = self.contest.schedule
        return Summary(
            title=self.title,
            names=[entrant.name for entrant in self.contest.entrants],
            settings=self.settings,
            results=results,
            faults=self.faults,
            sprt=self.contest.sprt,
            finished=finished,
            extra=tuple(_extra(schedule, results).items()),
            tiebreaks=tuple(schedule.tiebreaks(results).items()),
            order=schedule.order(results),
            halves_a_win=self.plan.halves_a_win,
        )

    def _progress(self, results: Results) -> Progress:
        pace = Pace(len(results), self.contest.schedule.total)
        if self.live:
            return LiveProgress(self.summarise, results, pace)
        return PlainProgress(self.echo, self.summarise, pace)

    def _claim(self, store: MatchStore) -> None:
        """See to it that no file of somebody else is overwritten."""
        for path in self.outputs.paths:
            if path.exists() and path.stat().st_size and not store.owns(path):
                raise OptionError(f"{path} is there already and not from this match; name another file or remove it")
            new = not path.exists()
            try:
                path.open("a").close()
                if new:
                    path.unlink()
            except OSError as error:
                raise OptionError(f"{path} cannot be written: {error.strerror}") from None
            store.own(path)

    def _write_pdn(self, store: MatchStore) -> None:
        if self.outputs.pdn is not None:
            text = "".join(pdn_of(record, self.title, str(key)) for key, record in store.games())
            self._put(self.outputs.pdn, lambda path: _replace(path, text))

    def _write_reports(self, store: MatchStore, summary: Summary) -> None:
        games = list(store.games())
        if self.outputs.json is not None:
            data = json.dumps(summary.as_data(games), indent=1, ensure_ascii=False) + "\n"
            self._put(self.outputs.json, lambda path: _replace(path, data))
        if self.outputs.html is not None:
            page = html_report(summary, store.keys_in_order(), games)
            self._put(self.outputs.html, lambda path: _replace(path, page))

    def _put(self, path: Path, write: Callable[[Path], object]) -> None:
        """Write to a file; where that fails the match goes on, and `unwritten` says why."""
        self.unwritten.pop(path, None)
        try:
            write(path)
        except OSError as error:
            self.unwritten[path] = f"{path} cannot be written: {error.strerror or error}"


def _extra(schedule: Schedule, results: Results) -> Counter[str]:
    """Half points without a game that counts."""
    extra = Counter(schedule.byes(results))
    for game in results.repeats() if schedule.repeats_score else ():
        for name in (game.white, game.black):
            extra[name] += game.of(name)
    return extra


def _append(path: Path, text: str) -> None:
    """Add to a file the whole of a text, or nothing."""
    new, left = not path.exists(), memoryview(text.encode())
    with path.open("ab", buffering=0) as file:  # a buffer would write its rest when it is closed, after the cut
        size = file.tell() if file.seekable() else None
        try:
            while left:
                left = left[file.write(left) :]
        except OSError:
            if size is not None:
                with contextlib.suppress(OSError):  # a device
                    file.truncate(size)
            if new:
                path.unlink(missing_ok=True)
            raise


def _replace(path: Path, text: str) -> None:
    """Write a file as a whole: whoever reads it sees the one before or the new one."""
    if path.exists() and not path.is_file():  # a pipe or a device
        path.write_text(text, encoding="utf-8")
        return
    if not text and not path.exists():
        return
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
