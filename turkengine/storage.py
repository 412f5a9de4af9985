"""What has been done, in a file that outlives the program: an SQLite database with the settings it was done under.

What is kept is there as a whole or not at all, whatever happens to the program, since the database is in write-ahead
mode and each change is one transaction. A file of something else is never touched, and a run goes on only with the
settings that it began with. What is kept beside them is the business of whoever derives from `Storage`.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from turkengine.errors import OptionError, TurkengineError

SETTINGS = "create table setting (name text primary key, value text not null) without rowid;"


class StoreError(TurkengineError):
    """A file that holds something else, or one that cannot be read or written."""


@dataclass(frozen=True)
class Form:
    """A kind of file.

    Attributes:
        application: what SQLite's header says the file is.
        version: of the tables; a file of another one is refused.
        tables: SQL that makes them, beside that of the settings.
        role, content: what the file is and what it holds, in messages: "the file of a match", "a match".
        same: what has to be given to go on, in messages.
        synchronous: SQLite's pragma: 2 loses nothing when the power is lost, 1 perhaps the last change.
        without_path: what SQLite opens where nothing is to stay: ":memory:", or "" for a file that it removes.
    """

    application: int
    version: int
    tables: str
    role: str
    content: str
    same: str
    synchronous: int
    without_path: str


class Storage:
    """A file of one form; use it in a `with` block.

    Attributes:
        path: None where nothing stays.
    """

    form: ClassVar[Form]

    def __init__(self, path: Path | None = None) -> None:
        """Open it, or make it.

        Raises:
            StoreError: it is no such file, or cannot be used.
        """
        self.path = path
        try:
            place = self.form.without_path if path is None else path
            self._database = sqlite3.connect(place, isolation_level=None)
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise StoreError(f"{path} cannot be used as {self.form.role}: {error}") from None
        except StoreError:
            self.close()
            raise

    def _prepare(self) -> None:
        form, run = self.form, self._database.execute
        [application], [version] = run("pragma application_id").fetchone(), run("pragma user_version").fetchone()
        empty = not run("select count(*) from sqlite_master").fetchone()[0]
        if not empty and application != form.application:
            raise StoreError(f"{self.path} is a database of something else; name another file")
        if not empty and version != form.version:
            raise StoreError(
                f"{self.path} has format {version}, and this version reads {form.version}; name another file"
            )
        run("pragma journal_mode = wal")
        run(f"pragma synchronous = {form.synchronous}")
        if empty:
            pragmas = f"pragma application_id = {form.application}; pragma user_version = {form.version};"
            self._database.executescript(f"begin immediate; {SETTINGS} {form.tables} {pragmas} commit;")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if hasattr(self, "_database"):  # it may have been impossible to open
            self._database.close()

    def settings(self) -> dict[str, str]:
        """Those that are kept; none in a file that has just been made."""
        return dict(self._database.execute("select name, value from setting"))

    def settle(self, settings: Mapping[str, str]) -> None:
        """Keep the settings of what is done, or see to it that they are those kept.

        Raises:
            OptionError: naming the first setting that differs, with both values.
        """
        kept = self.settings()
        if not kept:
            with self._transaction():
                self._database.executemany("insert into setting values (?, ?)", settings.items())
            return
        for name in sorted({*kept, *settings}):
            before, now = kept.get(name, "not given"), settings.get(name, "not given")
            if before != now:
                raise OptionError(
                    f"{self.path} holds {self.form.content} with {name} {before!r}, not {now!r};"
                    f" give {self.form.same} to go on, or name another file"
                )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """What is changed within is there as a whole or not at all."""
        self._database.execute("begin immediate")
        try:
            yield
            self._database.execute("commit")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("rollback")
            raise
