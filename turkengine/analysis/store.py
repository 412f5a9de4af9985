"""A run of analysis in a file: every game that is done, whatever happens to the program.

An SQLite database in write-ahead mode takes one game in one transaction. A game is known by what it is, not by where it
stands: its text, the engine and the limits decide what is found, so a game that has been analysed once is never
analysed again, in whatever file it comes back.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from turkengine.analysis.judged import JudgedGame
from turkengine.errors import OptionError
from turkengine.storage import Form, Storage, StoreError

WORK = "work"  # the setting that says what is looked for in games; analysis where it is not given
TABLES = "create table game (digest blob primary key, record text not null) without rowid;"


def digest_of(variant: str, start: str, moves: Sequence[str]) -> bytes:
    """What a game is known by: the variant, the FEN of its start, and its moves as text."""
    return hashlib.sha256("\n".join((variant, start, *moves)).encode()).digest()


class Recorded(Protocol):
    """What can be found in a game and kept."""

    def as_data(self) -> dict[str, Any]:
        """As JSON takes it."""


class AnalysisStore(Storage):
    """The file of a run; use it in a `with` block, in one thread. Without a path it is there as long as the program
    runs, on the disk where it is much.
    """

    form = Form(
        application=0x74756161,  # "tuaa"
        version=1,
        tables=TABLES,
        role="a file of analysis",
        content="an analysis",
        same="the same",
        synchronous=1,  # a loss of power may lose the last game, which is analysed again
        without_path="",
    )

    def settle(self, settings: Mapping[str, str]) -> None:
        """Keep the settings of the run, or see to it that they are those kept; `WORK` says what is looked for in games.

        Raises:
            OptionError: the file is one of another work, or naming the first setting that differs, with both values.
        """
        kept = self.settings()
        before, now = (some.get(WORK, "analysis") for some in (kept, settings))
        if kept and before != now:
            raise OptionError(f"{self.path} holds {before}, not {now}; name another file")
        super().settle(settings)

    def add(self, digest: bytes, record: Recorded) -> None:
        """Keep what has been found in a game.

        Raises:
            StoreError: the disk does not take it.
        """
        text = json.dumps(record.as_data(), separators=(",", ":"), ensure_ascii=False)
        try:
            with self._transaction():
                self._database.execute("insert or ignore into game values (?, ?)", (digest, text))
        except sqlite3.Error as error:
            raise StoreError(f"a game cannot be kept in {self.path}: {error}") from None

    def record(self, digest: bytes) -> JudgedGame | None:
        """What is known of a game, None where it has not been analysed."""
        data = self.data(digest)
        return JudgedGame.from_data(data) if data is not None else None

    def data(self, digest: bytes) -> dict[str, Any] | None:
        """What a record of a game says as JSON, None where there is none."""
        for (record,) in self._rows("select record from game where digest = ?", digest):
            try:
                found: dict[str, Any] = json.loads(record)
            except ValueError as error:
                raise StoreError(f"{self.path} is damaged: a record cannot be read ({error})") from None
            return found
        return None

    def __contains__(self, digest: bytes) -> bool:
        return any(self._rows("select 1 from game where digest = ?", digest))

    def __len__(self) -> int:
        return sum(count for (count,) in self._rows("select count(*) from game"))
