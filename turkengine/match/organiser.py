"""A whole match from its settings to its reports: tries the engines, opens the file, plays, and writes what was asked.

The commands for a match and for a tournament differ in what they read; this is what they have in common.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from turkengine.errors import OptionError
from turkengine.match.entrants import called_here, tried
from turkengine.match.html import html_report
from turkengine.match.plan import Plan
from turkengine.match.progress import LiveProgress, PlainProgress, Progress
from turkengine.match.report import text_report
from turkengine.match.runner import End, Runner
from turkengine.match.schedule import Key, Results
from turkengine.match.store import Store
from turkengine.match.summary import Faults, Summary
from turkengine.record.record import Record
from turkengine.record.scoresheet import pdn_of

if TYPE_CHECKING:
    from turkengine.match.farm import Farm

Echo = Callable[[str], object]


class Organiser:
    """One match under way."""

    def __init__(self, plan: Plan, echo: Echo, live: bool = False, farm: Farm | None = None) -> None:
        """Start every engine once, to see that it is there and what it calls itself.

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
        self.contest = plan.contest(tried(plan.entries, plan.variant, called_here if farm is None else farm.names_of))
        names = [entrant.name for entrant in self.contest.entrants]
        self.settings = plan.settings(names)
        self.title = plan.title or (" against ".join(names) if len(names) == 2 else f"{len(names)} engines")
        self.outputs = plan.outputs
        self.faults = Faults()

    def hold(self, store: Store) -> tuple[End, Summary]:
        """Play what is missing, and report.

        Raises:
            OptionError, StoreError: the file holds something else, or one that is to be made is there already.
        """
        store.settle(self.settings)
        self._claim(store)
        before = len(store.results())
        for _, record in store.games():
            self.faults.add(record)
        if before:
            self.echo(f"{before} games have been played before")
        runner = Runner(self.contest, store, self, self.players)
        self._write_pdn(store)
        with self._progress(runner.results) as self._shown:
            end = runner.run()
        summary = self.summarise(runner.results, end is not End.INTERRUPTED)
        self._write_pdn(store)
        self._write_reports(store, summary)
        self.echo(text_report(summary).rstrip("\n"))
        if end is not End.PLAYED:
            self.echo(f"{end.value} after {len(runner.results)} games")
        return end, summary

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        """Of the runner: a game is over and kept."""
        self.faults.add(record)
        if self.outputs.pdn is not None:
            with self.outputs.pdn.open("a", encoding="utf-8") as file:
                file.write(pdn_of(record, self.title, str(key)))
        self._shown.on_game(key, record, results)

    def on_tick(self) -> None:
        """Of the runner: nothing has happened for a while."""
        self._shown.on_tick()

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
            extra=tuple(schedule.byes(results).items()),
            tiebreaks=tuple(schedule.tiebreaks(results).items()),
            order=schedule.order(results),
            halves_a_win=self.plan.halves_a_win,
        )

    def _progress(self, results: Results) -> Progress:
        if self.live:
            return LiveProgress(self.summarise, results, self.contest.schedule.total)
        return PlainProgress(self.echo, self.summarise)

    def _claim(self, store: Store) -> None:
        """See to it that no file of somebody else is overwritten."""
        for path in (self.outputs.pdn, self.outputs.json, self.outputs.html):
            if path is None:
                continue
            if path.exists() and path.stat().st_size and not store.owns(path):
                raise OptionError(f"{path} is there already and not from this match; name another file or remove it")
            try:
                path.open("a").close()
            except OSError as error:
                raise OptionError(f"{path} cannot be written: {error.strerror}") from None
            store.own(path)

    def _write_pdn(self, store: Store) -> None:
        if self.outputs.pdn is not None:
            _replace(self.outputs.pdn, "".join(pdn_of(record, self.title, str(key)) for key, record in store.games()))

    def _write_reports(self, store: Store, summary: Summary) -> None:
        if self.outputs.json is not None:
            data = summary.as_data(list(store.games()))
            _replace(self.outputs.json, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        if self.outputs.html is not None:
            _replace(self.outputs.html, html_report(summary, store.keys_in_order(), list(store.games())))


def _replace(path: Path, text: str) -> None:
    """Write a file as a whole: whoever reads it sees the one before or the new one."""
    if not path.is_file():  # a pipe or a device
        path.write_text(text, encoding="utf-8")
        return
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)
