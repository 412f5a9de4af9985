"""Positions to learn from, in a file: 32 bytes each, little endian, one game after another.

    offset  size  what
         0     8  squares with a white piece, bit i for the square of index i
         8     8  squares with a black piece
        16     8  squares with a king of either side
        24     2  score of the search in hundredths of a man, from White's side
        26     1  result of the game from White's side: 1, 0 or -1
        27     1  side to move: 0 White, 1 Black
        28     4  number of the game, counted from 0

There is no header: files of one variant may be put one after another, and a file cut off in the middle is read up to
the last whole record.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

RECORD = np.dtype(
    [
        ("white", "<u8"),
        ("black", "<u8"),
        ("kings", "<u8"),
        ("score", "<i2"),
        ("result", "i1"),
        ("side", "u1"),
        ("game", "<u4"),
    ]
)

Records = np.ndarray[Any, np.dtype[np.void]]


def read(path: Path) -> Records:
    """The records of a file; a last one that is not whole is left out.

    They are read and not mapped: a mapped file that is cut off meanwhile ends the process. 50 million take 1.6 GB.

    Raises:
        ValueError: it holds no record.
    """
    count = path.stat().st_size // RECORD.itemsize
    if count == 0:
        raise ValueError(f"{path} holds no positions")
    return np.fromfile(path, dtype=RECORD, count=count)


def whole_games(path: Path) -> int:
    """Cut a file back to the games that are surely whole, and count them: the last one may have been interrupted."""
    if not path.exists():
        return 0
    count = path.stat().st_size // RECORD.itemsize
    if count == 0:
        path.write_bytes(b"")
        return 0
    games = read(path)["game"]
    last = int(games[-1])
    first_of_last = int(np.searchsorted(games, last))
    del games
    with path.open("rb+") as stream:
        stream.truncate(first_of_last * RECORD.itemsize)
    return last
