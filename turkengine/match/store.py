"""A match in a file: what has been played, whatever happens to the program that plays it.

An SQLite database in write-ahead mode takes one game in one transaction. A game is in it as a whole or not at all, and
only once, since its key is unique; whoever opens the file later goes on with what is missing. Other programs may read
it meanwhile, but only one may play.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from turkengine.match.repeats import result_of
from turkengine.match.schedule import Key, Results
from turkengine.record.record import Record
from turkengine.storage import Form, Storage, StoreError
from turkengine.waiting import Tell

HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # by another program

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
        self._lock = _locked(path) if path is not None else None
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


def _locked(path: Path) -> IO[Any]:
    """A file beside the database whose lock says that somebody plays; the system lets go of it however that ends."""
    real = Path(os.path.realpath(path))  # whoever comes through a link meets the same lock
    if real.is_symlink():
        raise StoreError(f"{path} cannot be used as the file of a match: {os.strerror(errno.ELOOP)}")
    if real.is_file() and real.stat().st_nlink > 1:  # SQLite's log and the lock go by the name: two would write at once
        raise StoreError(f"{path} has another name in the file system (a hard link); give a copy of it")
    beside = real.with_name(real.name + ".lock")
    try:
        stream = beside.open("ab")
    except OSError as error:
        raise StoreError(f"{path} cannot be used as the file of a match: {error.strerror}") from None
    try:
        _lock(stream)
    except OSError as error:
        stream.close()
        if error.errno not in HELD:
            raise StoreError(f"{path} cannot be locked: {error.strerror}") from None
        raise StoreError(f"another program plays the match in {path}; wait for its end or name another file") from None
    return stream


def _lock(stream: IO[Any]) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
