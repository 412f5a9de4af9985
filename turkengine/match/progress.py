"""What somebody sees while a match is played: a table that stays in its place on a terminal, else a line a game."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from turkengine.match.report import duel_lines, ending_lines, sprt_line, table
from turkengine.match.schedule import Key, Results
from turkengine.match.summary import Summary
from turkengine.record.record import Record

LINES_BETWEEN_FIGURES = 20  # games
LATEST_GAMES = 8  # shown below the table
LEAST_PAUSE = 0.5  # s between two drawings of the table, which are not free

Summarise = Callable[[Results], Summary]


class Progress(Protocol):
    """A listener of the runner with a beginning and an end."""

    def on_game(self, key: Key, record: Record, results: Results) -> None: ...

    def on_tick(self) -> None: ...

    def __enter__(self) -> Progress: ...

    def __exit__(self, *error: object) -> None: ...


def game_line(key: Key, record: Record, halves_a_win: int) -> str:
    """A game in one line."""
    halves = record.ending.halves
    points = ["0", "1/2", "1"] if halves_a_win == 1 else ["0", "1", "2"]
    article = f" ({record.ending.article})" if record.ending.article.startswith("6.") else ""
    return (
        f"game {key}: {record.white} {points[halves]}-{points[2 - halves]} {record.black},"
        f" {record.ending.reason}{article}, {len(record.moves)} plies"
    )


class PlainProgress:
    """A line for each game, and the figures now and then."""

    def __init__(self, echo: Callable[[str], object], summarise: Summarise) -> None:
        self._echo, self._summarise = echo, summarise

    def __enter__(self) -> PlainProgress:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is left to be done."""

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        """Tell of the game."""
        summary = self._summarise(results)
        self._echo(game_line(key, record, summary.halves_a_win))
        if len(results) % LINES_BETWEEN_FIGURES == 0:
            if len(summary.names) == 2:
                _, *lines = duel_lines(summary.duels[0], summary.sprt)
                self._echo(f"after {len(results)} games: " + "; ".join(lines))
            else:
                self._echo("\n".join(table(summary)))

    def on_tick(self) -> None:
        """Nothing new."""


class LiveProgress:
    """The table, the figures and the latest games, drawn anew where they stand. Needs `rich`."""

    def __init__(self, summarise: Summarise, results: Results, total: int | None) -> None:
        """Nothing is drawn yet.

        Args:
            total: games there will be, None where that is not known.
        """
        from rich.live import Live

        self._summarise, self._results, self._total = summarise, results, total
        self._games: deque[str] = deque(maxlen=LATEST_GAMES)
        self._drawn = 0.0
        self._before = len(results)
        self._began = time.monotonic()
        self._live = Live(auto_refresh=False, transient=True)

    def __enter__(self) -> LiveProgress:
        self._live.__enter__()
        self._draw()
        return self

    def __exit__(self, *error: Any) -> None:
        self._draw()
        self._live.__exit__(*error)

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        """Show the game, not more often than is of use."""
        self._results = results
        self._games.append(game_line(key, record, self._summarise(results).halves_a_win))
        self.on_tick()

    def on_tick(self) -> None:
        """Draw, where it has been long enough."""
        if time.monotonic() - self._drawn >= LEAST_PAUSE:
            self._draw()

    def _draw(self) -> None:
        from rich.text import Text

        summary = self._summarise(self._results)
        lines = [summary.title, "", *table(summary), ""]
        if len(summary.names) == 2:
            lines += [*duel_lines(summary.duels[0])]
            if summary.sprt is not None:
                lines.append(sprt_line(summary.sprt, summary.duels[0].pairs))
        lines += [*ending_lines(summary), self._pace(), "", *self._games]
        self._live.update(Text("\n".join(lines), no_wrap=True, overflow="ellipsis"), refresh=True)
        self._drawn = time.monotonic()

    def _pace(self) -> str:
        seconds = time.monotonic() - self._began
        new = len(self._results) - self._before
        pace = f", {3600 * new / seconds:.0f} an hour" if new and seconds > 1 else ""
        of = f" of at most {self._total}" if self._total is not None else ""
        return f"{len(self._results)}{of} games{pace}; Ctrl-C ends it"
