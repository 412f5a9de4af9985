"""What outlives the server: games, seats, talk and trees in one SQLite file, written by one thread.

A change is acknowledged after its commit. The file is held alone: a second server on it is refused.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from turkengine.storage import Form, Storage, StoreError, locked

TABLES = """
create table game (
    address text primary key,
    changed real not null,              -- seconds since 1970
    running integer not null,           -- whether a clock runs, so that it has to be watched after a start
    data text not null                  -- the whole game with its seats and its talk, as JSON
) without rowid;
create index game_changed on game (changed);
create table tree (
    address text primary key,
    changed real not null,
    variant text not null,
    seat text not null,                 -- SHA-256 of the key of whoever may change it
    pdn text not null
) without rowid;
"""

T = TypeVar("T")


class BoardFile(Storage):
    """The file itself; it belongs to the thread that opens it."""

    form = Form(
        application=0x74756262,  # "tubb"
        version=1,
        tables=TABLES,
        role="the file of a board",
        content="games",
        same="the same settings",
        synchronous=2,  # an acknowledged move survives a loss of power
        without_path=":memory:",
    )

    def __init__(self, path: Path | None = None) -> None:
        """Open it, or make it.

        Raises:
            StoreError: it is no such file, or another board has it.
        """
        self._lock = locked(path, self.form, "keeps its games") if path is not None else None
        try:
            super().__init__(path)
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        super().close()
        if self._lock is not None:
            self._lock.close()

    def keep(self, sql: str, values: tuple[object, ...]) -> None:
        """One change.

        Raises:
            StoreError: the disk does not take it.
        """
        try:
            with self._transaction():
                self._database.execute(sql, values)
        except sqlite3.Error as error:
            raise StoreError(f"this cannot be kept, so nothing has changed: {error}") from None

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """What the file has to say."""
        return self._database.execute(sql, values).fetchall()


class Keeper:
    """The file as the rest of the server uses it: from the event loop, without ever holding that up."""

    def __init__(self, path: Path | None = None) -> None:
        """Open it, or make it.

        Raises:
            StoreError: it is no such file, or another server has it.
        """
        self._thread = ThreadPoolExecutor(1, "turkengine board file")
        try:
            self._file = self._thread.submit(BoardFile, path).result()
        except StoreError:
            self._thread.shutdown()
            raise

    async def keep_game(self, address: str, running: bool, data: str) -> None:
        """Keep a game as it is now.

        Raises:
            StoreError: the disk does not take it.
        """
        sql = "insert or replace into game values (?, ?, ?, ?)"
        await self._do(lambda: self._file.keep(sql, (address, time.time(), running, data)))

    async def game(self, address: str) -> str | None:
        """A game, None where there is none."""
        rows = await self._do(lambda: self._file.rows("select data from game where address = ?", (address,)))
        return rows[0][0] if rows else None

    async def newest(self, most: int) -> list[tuple[Any, ...]]:
        """(address, changed, data) of the games that have changed last."""
        sql = "select address, changed, data from game order by changed desc limit ?"
        return await self._do(lambda: self._file.rows(sql, (most,)))

    async def running(self) -> list[str]:
        """The games whose clocks run."""
        rows = await self._do(lambda: self._file.rows("select address from game where running"))
        return [address for [address] in rows]

    async def keep_tree(self, address: str, variant: str, seat: str, pdn: str) -> None:
        """Keep an analysis as it is now.

        Raises:
            StoreError: the disk does not take it.
        """
        sql = "insert or replace into tree values (?, ?, ?, ?, ?)"
        await self._do(lambda: self._file.keep(sql, (address, time.time(), variant, seat, pdn)))

    async def tree(self, address: str) -> tuple[Any, ...] | None:
        """(variant, seat, PDN) of an analysis, None where there is none."""
        sql = "select variant, seat, pdn from tree where address = ?"
        rows = await self._do(lambda: self._file.rows(sql, (address,)))
        return rows[0] if rows else None

    def close(self) -> None:
        """Let go of the file, after what is being written."""
        self._thread.submit(self._file.close).result()
        self._thread.shutdown()

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._thread.submit(work))
