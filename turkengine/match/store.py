"""A match in a file: what has been played, whatever happens to the program that plays it.

An SQLite database in write-ahead mode takes one game in one transaction. A game is in it as a whole or not at all, and
only once, since its key is unique; whoever opens the file later goes on with what is missing. Other programs may read
it meanwhile, but only one may play.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from turkengine.errors import OptionError, TurkengineError
from turkengine.match.record import Record
from turkengine.match.schedule import Key, Result, Results

FORMAT = 1  # of the file; another number means that it cannot be read here
APPLICATION = 0x7475726B  # what SQLite's header says the file is: "turk"

TABLES = """
create table setting (name text primary key, value text not null) without rowid;
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


class StoreError(TurkengineError):
    """A file that holds no match, one of another match, or one that cannot be written."""


class Store:
    """The file of one match; use it in a `with` block."""

    def __init__(self, path: Path | None = None) -> None:
        """Open it, or make it.

        Args:
            path: None keeps everything in memory.

        Raises:
            StoreError: it is no such file, or another program plays the same match.
        """
        self.path = path
        self._lock = _locked(path) if path is not None else None
        try:
            self._database = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise StoreError(f"{path} cannot be used as the file of a match: {error}") from None
        except StoreError:
            self.close()
            raise

    def _prepare(self) -> None:
        run = self._database.execute
        [application], [version] = run("pragma application_id").fetchone(), run("pragma user_version").fetchone()
        empty = not run("select count(*) from sqlite_master").fetchone()[0]
        if not empty and application != APPLICATION:
            raise StoreError(f"{self.path} is a database of something else; name another file")
        if not empty and version != FORMAT:
            raise StoreError(f"{self.path} has format {version}, and this version reads {FORMAT}; name another file")
        run("pragma journal_mode = wal")
        run("pragma synchronous = full")  # one wait for the disk a game: even a loss of power loses none
        if empty:
            pragmas = f"pragma application_id = {APPLICATION}; pragma user_version = {FORMAT};"
            self._database.executescript(f"begin immediate; {TABLES} {pragmas} commit;")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if hasattr(self, "_database"):
            self._database.close()
        if self._lock is not None:
            self._lock.close()

    def settle(self, settings: Mapping[str, str]) -> None:
        """Keep the settings of the match, or see to it that they are those kept.

        Raises:
            OptionError: naming the first setting that differs, with both values.
        """
        kept = dict(self._database.execute("select name, value from setting"))
        if not kept:
            with self._transaction():
                self._database.executemany("insert into setting values (?, ?)", settings.items())
            return
        for name in sorted({*kept, *settings}):
            before, now = kept.get(name, "not given"), settings.get(name, "not given")
            if before != now:
                raise OptionError(
                    f"{self.path} holds a match with {name} {before!r}, not {now!r};"
                    " give the same settings to go on, or name another file"
                )

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
        rows = self._database.execute("select round, board, game, white, black, halves from game")
        return Results(Result(Key(*row[:3]), *row[3:]) for row in rows)

    def games(self) -> Iterator[tuple[Key, Record]]:
        """All games by their keys."""
        rows = self._database.execute("select round, board, game, record from game order by round, board, game")
        for *key, record in rows:
            yield Key(*key), Record.from_data(json.loads(record))

    def owns(self, path: Path) -> bool:
        """Whether this match has made the file before."""
        rows = self._database.execute("select count(*) from output where path = ?", (str(path.resolve()),))
        return bool(rows.fetchone()[0])

    def own(self, path: Path) -> None:
        """Note that this match makes the file."""
        with self._transaction():
            self._database.execute("insert or ignore into output values (?)", (str(path.resolve()),))

    def keys_in_order(self) -> list[Key]:
        """The games in the order in which they have ended."""
        return [Key(*row) for row in self._database.execute("select round, board, game from game order by id")]

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("begin immediate")
        try:
            yield
            self._database.execute("commit")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("rollback")
            raise


def _locked(path: Path) -> IO[Any]:
    """A file beside the database whose lock says that somebody plays; the system lets go of it however that ends."""
    beside = path.with_name(path.name + ".lock")
    try:
        stream = beside.open("ab")
    except OSError as error:
        raise StoreError(f"{path} cannot be used as the file of a match: {error.strerror}") from None
    try:
        _lock(stream)
    except OSError:
        stream.close()
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
