"""What has been done, in a file that outlives the program: an SQLite database with the settings it was done under.

What is kept is there as a whole or not at all, whatever happens to the program, since the database is in write-ahead
mode and each change is one transaction. A file of something else is never touched, and a run goes on only with the
settings that it began with. What is kept beside them is the business of whoever derives from `Storage`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, ClassVar, Self, TypeVar

from turkengine.errors import OptionError, TurkengineError
from turkengine.waiting import Tell, Waiting

PATIENCE = 60.0  # s for which another program may hold the file
LOOK = 0.5  # s between two looks whether it still does
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # by another program
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

T = TypeVar("T")

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

    def __init__(self, path: Path | None = None, tell: Tell | None = None) -> None:
        """Open it, or make it.

        Args:
            tell: takes a line for people while another program holds the file.

        Raises:
            StoreError: it is no such file, or cannot be used.
        """
        self.path, self._tell = path, tell
        try:
            place = self.form.without_path if path is None else path
            self._database = sqlite3.connect(place, isolation_level=None, timeout=LOOK)
            self._patiently(self._prepare)
            self._check_tables()
        except sqlite3.Error as error:
            self.close()
            raise self._unusable(error) from None
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

    def _check_tables(self) -> None:
        """See to it that the tables are those of the form: a file may say that it is one, and not be."""
        with contextlib.closing(sqlite3.connect(":memory:")) as model:
            model.executescript(SETTINGS + self.form.tables)
            wanted = _columns(model)
        found = _columns(self._database)
        for table, columns in wanted.items():
            missing = columns - found.get(table, set())
            if missing:
                raise StoreError(
                    f"{self.path} cannot be used as {self.form.role}: it is damaged, its table {table} lacks"
                    f" {', '.join(sorted(missing))}; name another file"
                )

    def _patiently(self, run: Callable[[], T]) -> T:
        """Do something as soon as no other program holds the file."""
        waiting = Waiting(f"another program that holds {self.path}", self._tell)
        until = time.perf_counter() + PATIENCE
        while True:
            try:
                return run()
            except sqlite3.OperationalError as error:
                now = time.perf_counter()
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in LOCKED or now >= until:
                    raise
                waiting.look(now)

    def _rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """What a query finds.

        Raises:
            StoreError: the file is damaged.
        """
        try:
            yield from self._database.execute(sql, values)
        except sqlite3.Error as error:
            raise self._unusable(error) from None

    def _unusable(self, error: Exception) -> StoreError:
        """What to raise where the file fails."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        cure = "; name another file" if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) else ""
        return StoreError(f"{self.path} cannot be used as {self.form.role}: {error}{cure}")

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
        return dict(self._rows("select name, value from setting"))

    def settle(self, settings: Mapping[str, str]) -> None:
        """Keep the settings of what is done, or see to it that they are those kept.

        Raises:
            OptionError: naming the first setting that differs, with both values.
            StoreError: the file cannot be read or written.
        """
        kept = self.settings()
        if not kept:
            try:
                with self._transaction():
                    self._database.executemany("insert into setting values (?, ?)", settings.items())
            except sqlite3.Error as error:
                raise self._unusable(error) from None
            return
        for name in sorted({*kept, *settings}):
            before, now = kept.get(name, "not given"), settings.get(name, "not given")
            if before != now:
                raise OptionError(
                    f"{self.path} holds {self.form.content} with {name} {before!r}, not {now!r};"
                    f" give {self.form.same} to continue, or name another file"
                )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """What is changed within is there as a whole or not at all."""
        self._patiently(lambda: self._database.execute("begin immediate"))
        try:
            yield
            self._database.execute("commit")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("rollback")
            raise


def locked(path: Path, form: Form, doing: str) -> IO[Any]:
    """A file beside the database whose lock says that somebody has it; the system lets go of it however that ends.

    Args:
        doing: what another program does with the file, in the message: "plays the match".

    Raises:
        StoreError: another program has it, or it cannot be locked.
    """
    real = Path(os.path.realpath(path))  # whoever comes through a link meets the same lock
    if real.is_symlink():
        raise StoreError(f"{path} cannot be used as {form.role}: {os.strerror(errno.ELOOP)}")
    if real.is_file() and real.stat().st_nlink > 1:  # SQLite's log and the lock go by the name: two would write at once
        raise StoreError(f"{path} has another name in the file system (a hard link); give a copy of it")
    beside = real.with_name(real.name + ".lock")
    try:
        stream = beside.open("ab")
    except OSError as error:
        raise StoreError(f"{path} cannot be used as {form.role}: {error.strerror}") from None
    try:
        _lock(stream)
    except OSError as error:
        stream.close()
        if error.errno not in HELD:
            raise StoreError(f"{path} cannot be locked: {error.strerror}") from None
        raise StoreError(f"another program {doing} in {path}; wait for its end or name another file") from None
    return stream


def _lock(stream: IO[Any]) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _columns(database: sqlite3.Connection) -> dict[str, set[str]]:
    """The columns of each table and view."""
    names = [name for (name,) in database.execute("select name from sqlite_master where type in ('table', 'view')")]
    return {
        name: {row[0] for row in database.execute("select name from pragma_table_info(?)", (name,))} for name in names
    }
