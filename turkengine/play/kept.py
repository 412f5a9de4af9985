"""Games that are kept by themselves: each in a file of its own while it goes on, all of them in one when they are over.

A game that is not over can be gone on with. While somebody plays it, nobody else is offered it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows: a game could be opened twice
    fcntl = None  # type: ignore[assignment]

from turkengine.errors import TurkengineError
from turkengine.play.live import LiveGame
from turkengine.play.sheet import Sheet
from turkengine.record.record import EndingKind, Record

FORMAT = "turkengine game 1"
PLAYED = "games.pdn"  # where games go that are over
SUFFIX = ".game"

Settings = Mapping[str, Any]


class KeptError(TurkengineError):
    """A file that holds no game."""


@dataclass(frozen=True)
class Kept:
    """A game that was broken off.

    Attributes:
        settings: how it was set up: names and values of the command line.
        spent: seconds of the turn under way, for whoever is to move.
        pdn: the game as it goes into files.
    """

    path: Path
    settings: Settings
    record: Record
    spent: float
    pdn: str

    @classmethod
    def read(cls, path: Path) -> Kept:
        """The game in a file.

        Raises:
            KeptError: there is none.
        """
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                raise KeptError(f"{path} holds a game of another version of this program; take the file away")
            return cls(path, dict(data["settings"]), Record.from_data(data["record"]), data["spent"], data["pdn"])
        except UnicodeDecodeError:  # in writing it holds the whole file
            raise KeptError(f"{path} holds no game that can be read (it is not UTF-8); take the file away") from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise KeptError(f"{path} holds no game that can be read ({error!r}); take the file away") from None


class Shelf:
    """The folder where games are kept."""

    def __init__(self, folder: Path) -> None:
        """Nothing is made yet."""
        self.folder = folder

    def newest(self) -> Kept | None:
        """The last game that is not over and that nobody plays just now.

        Raises:
            KeptError: naming a file that holds no game.
        """
        for path in sorted(self.folder.glob(f"*{SUFFIX}"), reverse=True):
            place = Place(path)
            if not place.take():
                continue
            try:
                kept = Kept.read(path)
                if kept.record.ending.kind is EndingKind.UNFINISHED:
                    return kept
                place.finish(kept.pdn)  # it was over, and there was no time to put it away
            finally:
                place.leave()
        return None

    def new(self, live: LiveGame) -> Place:
        """The place of a game that begins."""
        began = live.clocked.date.strftime("%Y%m%d-%H%M%S-%f")
        return Place(self.folder / f"{began}-{os.getpid()}{SUFFIX}")


class Place:
    """The place of one game on the shelf."""

    def __init__(self, path: Path) -> None:
        """Nothing is written yet."""
        self.path = path
        self._lock: IO[str] | None = None

    @property
    def games(self) -> Path:
        """The file of the games that are over."""
        return self.path.parent / PLAYED

    def take(self) -> bool:
        """Keep others from the game; whether nobody has taken it.

        Raises:
            OSError: the folder cannot be written to.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = self._locking.open("a", encoding="utf-8")
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return False
        self._lock = lock
        return True

    def keep(self, settings: Settings, live: LiveGame, pdn: str) -> None:
        """Put the game down as it is now; what was there before stays until that is done.

        Raises:
            OSError: that cannot be done.
        """
        if self._lock is None:
            self.take()
        data = {
            "format": FORMAT,
            "settings": dict(settings),
            "spent": round(live.spent, 3),
            "record": live.record().as_data(),
            "pdn": pdn,
        }
        written = self.path.with_suffix(".new")
        written.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        os.replace(written, self.path)

    def finish(self, pdn: str) -> None:
        """Put the game, which is over, among the others that are.

        Raises:
            OSError: that cannot be done.
        """
        Sheet(self.games).write(pdn)
        self.path.unlink(missing_ok=True)

    def leave(self) -> None:
        """Let others have the game."""
        if self._lock is None:
            return
        if not self.path.exists():
            with contextlib.suppress(OSError):  # Windows removes no file that is open; an empty one does no harm
                self._locking.unlink()
        self._lock.close()
        self._lock = None

    @property
    def _locking(self) -> Path:
        return self.path.with_suffix(".lock")
