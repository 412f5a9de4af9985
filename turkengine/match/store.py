"""A match in a file: what has been played, whatever happens to the program that plays it.

An SQLite database in write-ahead mode takes one game in one transaction. A game is in it as a whole or not at all, and
only once, since its key is unique; whoever opens the file later goes on with what is missing. Other programs may read
it meanwhile, but only one may play.
"""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from turkengine.match.repeats import result_of
from turkengine.match.schedule import Key, Results
from turkengine.record.record import Record
from turkengine.storage import Form, Storage, StoreError, locked
from turkengine.waiting import Tell

TABLES = """
create table game (
    id integer primary key,             -- in the order in which games have ended
    round integer not null, board integer not null, game integer not null,
    white text not null, black text not null,
    halves integer not null,            -- half points of White: 0, 1 or 2
    kind text not null, reason text not null,
    plies integer not null, seconds real not null, began text not null,
    record text not null,               -- the whole game as JSON
    unique (round, board, game)
);
create table output (path text primary key) without rowid;  -- files that are made from this one
create view result as select round, board, game, white, black, halves / 2.0 as points, kind, reason, plies from game;
"""


class MatchStore(Storage):
    """The file of one match; use it in a `with` block."""

    form = Form(
        application=0x7475726B,  # "turk"
        version=1,
        tables=TABLES,
        role="the file of a match",
        content="a match",
        same="the same settings",
        synchronous=2,  # one wait for the disk a game: even a loss of power loses none
        without_path=":memory:",
    )

    def __init__(self, path: Path | None = None, tell: Tell | None = None) -> None:
        """Open it, or make it.

        Args:
            path: None keeps everything in memory.
            tell: takes a line for people while another program holds the file.

        Raises:
            StoreError: it is no such file, or another program plays the same match.
        """
        self._lock = locked(path, self.form, "plays the match") if path is not None else None
        try:
            super().__init__(path, tell)
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        super().close()
        if self._lock is not None:
            self._lock.close()

    def add(self, key: Key, record: Record) -> None:
        """Keep a game, in one transaction.

        Raises:
            StoreError: it is there already, or the disk does not take it.
        """
        ending = record.ending
        values = (
            *(key.round, key.board, key.game, record.white, record.black, ending.halves),
            *(ending.kind.value, ending.reason, len(record.moves), record.seconds, record.began),
            json.dumps(record.as_data(), separators=(",", ":"), ensure_ascii=False),
        )
        columns = "round, board, game, white, black, halves, kind, reason, plies, seconds, began, record"
        try:
            with self._transaction():
                places = ", ".join("?" * len(values))
                self._database.execute(f"insert into game ({columns}) values ({places})", values)
        except sqlite3.Error as error:
            raise StoreError(f"game {key} cannot be kept in {self.path}: {error}") from None

    def results(self) -> Results:
        """How all games have ended."""
        return Results(itertools.starmap(result_of, self.games()))

    def games(self) -> Iterator[tuple[Key, Record]]:
        """All games by their keys."""
        for *place, record in self._rows("select round, board, game, record from game order by round, board, game"):
            try:
                game = Key(*map(int, place)), Record.from_data(json.loads(record))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise StoreError(
                    f"{self.path} is damaged: game {'.'.join(map(str, place))} cannot be read ({error!r})"
                ) from None
            yield game

    def owns(self, path: Path) -> bool:
        """Whether this match has made the file before."""
        return any(self._rows("select 1 from output where path = ?", os.path.realpath(path)))

    def own(self, path: Path) -> None:
        """Note that this match makes the file."""
        try:
            with self._transaction():
                self._database.execute("insert or ignore into output values (?)", (os.path.realpath(path),))
        except sqlite3.Error as error:
            raise self._unusable(error) from None

    def keys_in_order(self) -> list[Key]:
        """The games in the order in which they have ended."""
        return [Key(*row) for row in self._rows("select round, board, game from game order by id")]
