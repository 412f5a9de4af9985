"""What somebody sees while a match is played: a table that stays in its place on a terminal, else a line a game."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from turkengine.match.report import duel_lines, ending_lines, repetition, sprt_line, table
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

    def on_wait(self, line: str) -> None: ...

    def on_tick(self) -> None: ...

    def __enter__(self) -> Progress: ...

    def __exit__(self, *error: object) -> None: ...


def game_line(key: Key, record: Record, summary: Summary) -> str:
    """A game in one line."""
    halves_a_win = summary.halves_a_win
    halves = record.ending.halves
    points = ["0", "1/2", "1"] if halves_a_win == 1 else ["0", "1", "2"]
    article = f" ({record.ending.article})" if record.ending.article.startswith("6.") else ""
    return (
        f"game {key}: {record.white} {points[halves]}-{points[2 - halves]} {record.black},"
        f" {record.ending.reason}{article}, {len(record.moves)} plies"
        f"{repetition(summary.results, key)}"
    )


class Pace:
    """How fast games are played in this run."""

    def __init__(self, before: int, total: int | None) -> None:
        """It begins.

        Args:
            before: games that have been played in earlier runs.
            total: games there will be, None where that is not known.
        """
        self._before, self.total = before, total
        self._began = time.monotonic()

    def an_hour(self, done: int) -> str:
        """How many games an hour, from so many games that are over; empty where it is too soon to know."""
        new, seconds = done - self._before, time.monotonic() - self._began
        return f"{3600 * new / seconds:.0f} an hour" if new and seconds > 1 else ""

    def left(self, done: int) -> str:
        """How long it will take yet, at most; empty where that is not known."""
        new, seconds = done - self._before, time.monotonic() - self._began
        if not new or seconds <= 1 or self.total is None or done >= self.total:
            return ""
        minutes, rest = divmod(round((self.total - done) * seconds / new), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{rest:02} left" if hours else f"{minutes}:{rest:02} left"


class PlainProgress:
    """A line for each game with the score after it, and the figures now and then."""

    def __init__(self, echo: Callable[[str], object], summarise: Summarise, pace: Pace) -> None:
        self._echo, self._summarise, self._pace = echo, summarise, pace

    def __enter__(self) -> PlainProgress:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is left to be done."""

    def on_game(self, key: Key, record: Record, results: Results) -> None:
        """Tell of the game."""
        summary = self._summarise(results)
        first, second = sorted((record.white, record.black), key=list(summary.names).index)
        games, left = results.games(first, second), self._pace.left(len(results))
        score = f"{first} +{games.won} ={games.drawn} -{games.lost}"
        of = f" of {self._pace.total}" if self._pace.total is not None else ""
        self._echo(f"{game_line(key, record, summary)}; {score}; {len(results)}{of} games{f', {left}' if left else ''}")
        if len(results) % LINES_BETWEEN_FIGURES == 0:
            if len(summary.names) == 2:
                _, *lines = duel_lines(summary.duels[0], summary.sprt)
                self._echo(f"after {len(results)} games: " + "; ".join(lines))
            else:
                self._echo("\n".join(table(summary)))

    def on_wait(self, line: str) -> None:
        """Say it."""
        self._echo(line)

    def on_tick(self) -> None:
        """Nothing new."""


class LiveProgress:
    """The table, the figures and the latest games, drawn anew where they stand. Needs `rich`."""

    def __init__(self, summarise: Summarise, results: Results, pace: Pace) -> None:
        """Nothing is drawn yet."""
        from rich.live import Live

        self._summarise, self._results, self._pace = summarise, results, pace
        self._games: deque[str] = deque(maxlen=LATEST_GAMES)
        self._drawn = 0.0
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
        self._games.append(game_line(key, record, self._summarise(results)))
        self.on_tick()

    def on_wait(self, line: str) -> None:
        """Show it among the games."""
        self._games.append(line)
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
        lines += [*ending_lines(summary), self._how_far(), "", *self._games]
        self._live.update(Text("\n".join(lines), no_wrap=True, overflow="ellipsis"), refresh=True)
        self._drawn = time.monotonic()

    def _how_far(self) -> str:
        done, pace = len(self._results), self._pace
        of = f" of at most {pace.total}" if pace.total is not None else ""
        return ", ".join(filter(None, (f"{done}{of} games", pace.an_hour(done), pace.left(done)))) + "; Ctrl-C ends it"
