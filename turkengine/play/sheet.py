"""One game in a file that may hold others: written after what was there, and again in its own place as it goes on."""

from __future__ import annotations

import os
from io import SEEK_END
from pathlib import Path

SEPARATED = b"\n\n"  # what an earlier game ends with


class Sheet:
    """A game's place in a file. Nothing that others have written there is ever lost."""

    def __init__(self, path: Path) -> None:
        """Nothing is written yet."""
        self._path = path
        self._place = 0
        self._written: bytes | None = None

    def write(self, text: str) -> None:
        """Put the game down as it is now.

        Raises:
            OSError: that cannot be done.
        """
        data = text.encode()
        if data == self._written:
            return
        with self._path.open("r+b" if self._path.exists() else "w+b") as file:
            kept = file.read()
            file.seek(self._place)
            if self._written is None or kept[self._place :] != self._written:  # somebody else has written after it
                self._place = file.seek(0, SEEK_END) + file.write(_gap(kept))
            file.write(data)
            file.truncate()
        self._written = data


class Sheets:
    """The files that one game is kept in."""

    def __init__(self) -> None:
        """None yet."""
        self._sheets: dict[Path, Sheet] = {}

    def check(self, path: Path) -> None:
        """See whether a file can be written.

        Raises:
            OSError: it cannot.
        """
        made = not path.exists()
        path.open("ab").close()
        if made:
            path.unlink()

    def keep(self, name: str, text: str) -> None:
        """Put the game down in a file as it is now.

        Raises:
            OSError: that cannot be done.
        """
        path = Path(os.path.realpath(os.path.expanduser(name)))
        self._sheets.setdefault(path, Sheet(path)).write(text)


def _gap(kept: bytes) -> bytes:
    """What has to come between the last game and the next."""
    return b"" if not kept or kept.endswith(SEPARATED) else b"\n" if kept.endswith(b"\n") else SEPARATED
