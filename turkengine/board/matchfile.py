"""The files of a match that another program plays, read only: the games that are over, and those under way.

Of the database only what is new is read, of the file beside it (`match.underway`) what has changed. Whoever plays the
match does not know that anybody reads.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turkengine.errors import TurkengineError
from turkengine.games import variant_named
from turkengine.match.repeats import result_of
from turkengine.match.schedule import Key, Results
from turkengine.match.sprt import EloModel, Sprt
from turkengine.match.store import MatchStore
from turkengine.match.summary import Faults, Summary
from turkengine.match.underway import ALIVE, RUNNING, STOPPED, VERSION, path_beside
from turkengine.record.record import Record
from turkengine.rules.variant import Variant

AT_ONCE = 500  # games read in one look, so that the first ones of a long match are soon to be seen
COLUMNS = "id, round, board, game, record"


class NoMatchError(TurkengineError):
    """The file is none of a match, or cannot be read yet."""


@dataclass
class Heading:
    """What the program that plays says about its match; the usual values where it has said nothing.

    Attributes:
        names: the players in the order in which they were entered.
        total: how many games there will be, None where nobody knows.
        halves_a_win, extra, tiebreaks, order: as in `Summary`.
    """

    title: str = ""
    names: tuple[str, ...] = ()
    total: int | None = None
    halves_a_win: int = 2
    sprt: Sprt | None = None
    extra: Mapping[str, int] = field(default_factory=dict)
    tiebreaks: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Heading:
        """The heading of a file."""
        sprt = data["sprt"]
        return cls(
            data["title"],
            tuple(data["names"]),
            data["total"],
            data["halves_a_win"],
            Sprt(**(sprt | {"scale": EloModel(sprt["scale"])})) if sprt is not None else None,
            data["extra"],
            {name: tuple((what, value) for what, value in pairs) for name, pairs in data["tiebreaks"].items()},
            tuple(data["order"]),
        )


class MatchFile:
    """One match as it stands.

    Attributes:
        results, faults: of all games that are over.
        finished: what lists show of them, by their names, in the order in which they ended.
        under_way: the games that are played now, as `match.underway` writes them.
        heading, settings: of the match.
        variant: the game that is played; None before the first move is known.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is read yet."""
        self.path = path
        self._forget()
        self.heading = Heading()
        self.under_way: dict[str, dict[str, Any]] = {}
        self._state, self._live_stamp = STOPPED, 0
        self._state_shown = ""

    @property
    def state(self) -> str:
        """Whether it is played: a word of `match.underway`."""
        alive = self._state != RUNNING or time.time() - self._live_stamp / 1e9 < ALIVE
        return self._state if alive else STOPPED

    def look(self) -> tuple[bool, bool]:
        """Read what is new: whether there are more games that are over, and whether those under way have changed.

        Raises:
            NoMatchError: there is no match to be read.
        """
        heading = self.heading
        moved = self._look_beside()
        try:
            ended = self._look_inside()
        except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as error:
            raise NoMatchError(f"{self.path} cannot be read yet: {error}") from None
        moved = moved or self.state != self._state_shown
        self._state_shown = self.state
        return ended or self.heading != heading, moved

    def record(self, name: str) -> tuple[Record, bool] | None:
        """A game by its name, and whether it is over; None where there is none."""
        if name in self._rows:
            with closing(self._opened()) as database:
                found = database.execute("select record from game where id = ?", (self._rows[name],)).fetchone()
            return (Record.from_data(json.loads(found[0])), True) if found is not None else None
        game = self.under_way.get(name)
        return (Record.from_data(game["record"]), False) if game is not None else None

    def listed(self, before: str | None, most: int) -> list[dict[str, Any]]:
        """Games that are over, the newest first; those that ended before one of them."""
        names = list(self.finished)
        end = names.index(before) if before is not None else len(names)
        found = []
        for name in reversed(names[max(end - most, 0) : end]):
            first = self.results.repeated(self._keys[name])
            found.append(self.finished[name] | {"repeats": str(first) if first is not None else None})
        return found

    def summary(self) -> Summary:
        """All figures.

        Raises:
            NoMatchError: nobody has been entered yet.
        """
        heading = self.heading
        names = heading.names or self._entered()
        if not names:
            raise NoMatchError(f"{self.path} holds no match yet")
        return Summary(
            title=heading.title or self.path.stem,
            names=names,
            settings=self.settings,
            results=self.results,
            faults=self.faults,
            sprt=heading.sprt if len(names) == 2 else None,
            extra=tuple(heading.extra.items()),
            tiebreaks=tuple(heading.tiebreaks.items()),
            order=heading.order,
            halves_a_win=heading.halves_a_win,
        )

    def _entered(self) -> tuple[str, ...]:
        """Who takes part, by the settings, and whoever has played."""
        told = [value.partition(": ")[0] for name, value in self.settings.items() if name.startswith("engine ")]
        played = [game[side] for game in self.finished.values() for side in ("white", "black")]
        return tuple(dict.fromkeys([*(name for name in told if not played or name in played), *played]))

    def _forget(self) -> None:
        self.results, self.faults = Results(), Faults()
        self.finished: dict[str, dict[str, Any]] = {}
        self.settings: dict[str, str] = {}
        self.variant: Variant | None = None
        self._rows: dict[str, int] = {}
        self._keys: dict[str, Key] = {}
        self._last = 0  # the number of the newest game that has been read

    def _opened(self) -> sqlite3.Connection:
        path = self.path.absolute()
        writing = path.with_name(path.name + "-wal").exists()
        how = "mode=ro" if writing else "mode=ro&immutable=1"  # else files would be left beside it
        return sqlite3.connect(f"{path.as_uri()}?{how}", uri=True)

    def _look_inside(self) -> bool:
        with closing(self._opened()) as database:
            [application] = database.execute("pragma application_id").fetchone()
            if application != MatchStore.form.application:
                raise NoMatchError(f"{self.path} is not the file of a match")
            settings = dict(database.execute("select name, value from setting"))
            [last] = database.execute("select coalesce(max(id), 0) from game").fetchone()
            if settings != self.settings or last < self._last:  # another match under the same name
                self._forget()
                self.settings = settings
                self.variant = variant_named(settings["variant"]) if "variant" in settings else None
            sql = f"select {COLUMNS} from game where id > ? order by id limit {AT_ONCE}"
            rows = database.execute(sql, (self._last,)).fetchall()
        for number, *place, record in rows:
            self._enter(number, Key(*place), Record.from_data(json.loads(record)))
        return bool(rows)

    def _enter(self, number: int, key: Key, record: Record) -> None:
        name, ending, variant = str(key), record.ending, variant_named(record.variant)
        self._last = self._rows[name] = number
        self._keys[name] = key
        self.results.add(result_of(key, record))
        self.faults.add(record)
        self.finished[name] = {
            "game": name,
            "white": record.white,
            "black": record.black,
            "result": ending.result(variant),
            "winner": ending.winner.value if ending.winner is not None else None,
            "kind": ending.kind.value,
            "reason": ending.reason,
            "plies": len(record.moves),
        }
        self.under_way.pop(name, None)

    def _look_beside(self) -> bool:
        """Whether the games under way have changed; a file that is not there says that none are."""
        path = path_beside(self.path)
        try:
            stamp = path.stat().st_mtime_ns
            if stamp == self._live_stamp:
                return False
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["version"] != VERSION:
                raise NoMatchError(f"{path} has format {data['version']}, and this version reads {VERSION}")
            heading = Heading.read(data)
            state, games = str(data["state"]), dict(data["games"])
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            changed, self.under_way = bool(self.under_way), {}
            return changed
        self._live_stamp = stamp
        before, self.under_way = self.under_way, {name: game for name, game in games.items() if name not in self._rows}
        self._state, self.heading = state, heading
        return before != self.under_way
