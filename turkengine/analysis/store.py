"""A run of analysis in a file: every game that is done, whatever happens to the program.

An SQLite database in write-ahead mode takes one game in one transaction. A game is known by what it is, not by where it
stands: its text, the engine and the limits decide what is found, so a game that has been analysed once is never
analysed again, in whatever file it comes back.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from turkengine.analysis.record import GameRecord
from turkengine.errors import OptionError, TurkengineError

FORMAT = 1  # of the file; another number means that it cannot be read here
APPLICATION = 0x74756161  # what SQLite's header says the file is: "tuaa"

TABLES = """
create table setting (name text primary key, value text not null) without rowid;
create table game (digest blob primary key, record text not null) without rowid;
"""


class StoreError(TurkengineError):
    """A file that holds no analysis, or one of other settings, or one that cannot be written."""


def digest_of(variant: str, start: str, moves: Sequence[str]) -> bytes:
    """What a game is known by: the variant, the FEN of its start, and its moves as text."""
    return hashlib.sha256("\n".join((variant, start, *moves)).encode()).digest()


class Recorded(Protocol):
    """What can be found in a game and kept."""

    def as_data(self) -> dict[str, Any]:
        """As JSON takes it."""


class Store:
    """The file of a run; use it in a `with` block, in one thread."""

    def __init__(self, path: Path | None = None) -> None:
        """Open it, or make it.

        Args:
            path: None keeps everything as long as the program runs, on the disk where it is much.

        Raises:
            StoreError: it is no such file, or cannot be used.
        """
        self.path = path
        try:
            self._database = sqlite3.connect("" if path is None else path, isolation_level=None)
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise StoreError(f"{path} cannot be used as a file of analysis: {error}") from None
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
        run("pragma synchronous = 1")  # a loss of power may lose the last game, which is analysed again
        if empty:
            pragmas = f"pragma application_id = {APPLICATION}; pragma user_version = {FORMAT};"
            self._database.executescript(f"begin immediate; {TABLES} {pragmas} commit;")

    def settle(self, settings: Mapping[str, str]) -> None:
        """Keep the settings of the run, or see to it that they are those kept.

        Raises:
            OptionError: naming the first setting that differs, with both values.
        """
        kept = dict(self._database.execute("select name, value from setting"))
        if not kept:
            self._database.execute("begin immediate")
            self._database.executemany("insert into setting values (?, ?)", settings.items())
            self._database.execute("commit")
            return
        for name in sorted({*kept, *settings}):
            before, now = kept.get(name, "not given"), settings.get(name, "not given")
            if before != now:
                raise OptionError(
                    f"{self.path} holds an analysis with {name} {before!r}, not {now!r};"
                    " give the same to go on, or name another file"
                )

    def add(self, digest: bytes, record: Recorded) -> None:
        """Keep what has been found in a game.

        Raises:
            StoreError: the disk does not take it.
        """
        text = json.dumps(record.as_data(), separators=(",", ":"), ensure_ascii=False)
        try:
            self._database.execute("insert or ignore into game values (?, ?)", (digest, text))
        except sqlite3.Error as error:
            raise StoreError(f"a game cannot be kept in {self.path}: {error}") from None

    def record(self, digest: bytes) -> GameRecord | None:
        """What is known of a game, None where it has not been analysed."""
        data = self.data(digest)
        return GameRecord.from_data(data) if data is not None else None

    def data(self, digest: bytes) -> dict[str, Any] | None:
        """What a record of a game has told as JSON, None where there is none."""
        row = self._database.execute("select record from game where digest = ?", (digest,)).fetchone()
        found: dict[str, Any] | None = json.loads(row[0]) if row is not None else None
        return found

    def __contains__(self, digest: bytes) -> bool:
        return self._database.execute("select 1 from game where digest = ?", (digest,)).fetchone() is not None

    def __len__(self) -> int:
        return int(self._database.execute("select count(*) from game").fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(AttributeError):  # it could not even be opened
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
