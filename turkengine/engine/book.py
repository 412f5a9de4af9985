"""Opening books: positions known beforehand, with their scores, from which moves are played at once.

A book holds positions and no moves. The moves of a position are the legal ones that lead to another position of the
book which lies more plies from the start, so they can never be illegal, and transpositions come by themselves. A file,
`openings.book` in the folder of the game, is one line of JSON and after it, compressed by zlib, three columns of
numbers, lowest byte first:

* the Zobrist key of each position, 8 bytes, in ascending order;
* its score from the side to move in hundredths of a man, 2 bytes, signed: what the best of its moves leads to, or what
  a search has found where it has none;
* plies from the start, 7 bits, and on top of them the bit that says that it has moves: 1 byte.

The line holds `format`, `variant`, `positions`, `start` (the key of the start position, by which another numbering is
told), `crc32` of the three columns uncompressed, and `made`: how it was built. `docs/book.md` describes building.

A right checksum says only that a file is as somebody has written it. So what no builder writes is refused as well: keys
out of order, scores beyond a win, a start that is not at ply 0.
"""

from __future__ import annotations

import json
import math
import os
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from operator import ge
from pathlib import Path
from typing import Any, NamedTuple

from turkengine import games
from turkengine.engine.dice import Dice
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.limits import Limits
from turkengine.engine.options import FULL_STRENGTH, Options
from turkengine.engine.score import MAN, WIN
from turkengine.errors import BookError, VariantError, shown
from turkengine.rules.move import Move
from turkengine.rules.variant import Variant

FORMAT = "turkengine book 1"
LARGEST = 1 << 28  # bytes of a file, and of its columns in memory
LONGEST_HEADER = 1 << 16  # bytes
BYTES = 11  # of a position in the columns
EXPANDED = 0x80  # the bit of a position that has moves
MOST_PLIES = 0x7F
LONGEST_LINE = 12  # plies of a line that is shown


class BookEntry(NamedTuple):
    """What a book knows of a position."""

    score: int
    plies: int
    expanded: bool


class BookMove(NamedTuple):
    """A move of a book: what it is worth to the side that plays it, and the part of games in which it is played."""

    move: Move
    score: int
    share: float


class Book:
    """A book in memory."""

    def __init__(self, header: Mapping[str, Any], keys: array[int], scores: array[int], marks: bytes) -> None:
        """The columns of the file, keys in ascending order."""
        self.header = header
        self._keys, self._scores, self._marks = keys, scores, marks

    def __len__(self) -> int:
        return len(self._keys)

    def entry(self, key: int) -> BookEntry | None:
        """What is known of the position with this key."""
        place = bisect_left(self._keys, key)
        if place == len(self._keys) or self._keys[place] != key:
            return None
        mark = self._marks[place]
        return BookEntry(self._scores[place], mark & MOST_PLIES, mark & EXPANDED != 0)

    def moves(self, position: KernelPosition, variety: int = 0) -> list[BookMove]:
        """The moves that the book has for a position, the best first; empty where it has none.

        Args:
            variety: hundredths of a man that a move may lose to be played; the more it loses, the less often.
        """
        here = self.entry(position.key)
        if here is None or not here.expanded:
            return []
        found = []
        for move in position.legal_moves():
            there = self.entry(position.play(move).key)
            if there is not None and there.plies > here.plies:
                found.append((-there.score, move))
        found.sort(key=lambda one: (-one[0], one[1].origin, one[1].target, sorted(one[1].captured)))
        weights = _weights([score for score, _ in found], variety)
        return [
            BookMove(move, score, weight / sum(weights)) for (score, move), weight in zip(found, weights, strict=True)
        ]

    def line(self, position: KernelPosition, first: Move) -> tuple[Move, ...]:
        """A move, and the best moves of the book after it."""
        line = [first]
        position = position.play(first)
        while len(line) < LONGEST_LINE and (known := self.moves(position)):
            line.append(known[0].move)
            position = position.play(known[0].move)
        return tuple(line)

    def chosen(self, position: KernelPosition, plies: int, variety: int, dice: Dice) -> BookMove | None:
        """The move to play, None where the book has none, or not for positions so many plies from the start.

        A position that comes back is left to the search, which knows about draws by repetition.
        """
        here = self.entry(position.key)
        if here is None or here.plies >= plies or position.occurrences > 1:
            return None
        known = self.moves(position, variety)
        return known[dice.choose([move.share for move in known], position.key)] if known else None


def _weights(scores: Sequence[int], variety: int) -> list[float]:
    """How often moves are played, the best first: one that loses as much as is allowed a seventh as often as it."""
    if not scores:
        return []
    losses = [scores[0] - score for score in scores]
    if variety <= 0:
        return [1.0, *(0.0 for _ in losses[1:])]
    return [math.exp(-2 * loss / variety) if loss <= variety else 0.0 for loss in losses]


def is_wanted(options: Options, limits: Limits) -> bool:
    """Whether a search is a move of a game that may come from a book, and nobody asks what the search would find.

    A game has a clock. A fixed time for a move is a target, and is asked for in analyses too.
    """
    if not options.book or options.multi_pv > 1 or limits.analysis or limits.root_moves or limits.clock is None:
        return False
    if options.limit_strength or options.skill_level < FULL_STRENGTH:
        return False
    given = (limits.depth, limits.nodes, limits.mate)
    return all(limit is None for limit in given) and (limits.ponder or not limits.infinite)


def path_of(variant: Variant) -> Path:
    """Where the book that comes with the engine lies."""
    return games.folder_of(variant) / "openings.book"


def named(file: str) -> Path:
    """The file that an option names; `~` is the home folder."""
    return Path(os.path.expanduser(file))


def variant_of(path: Path) -> Variant:
    """The variant that a book says it is for.

    Raises:
        BookError: naming the file, where it cannot be read or is no book.
    """
    line, _ = _content(path)
    name = _fields(path, line).get("variant")
    try:
        return games.variant_named(str(name))
    except VariantError:
        raise BookError(f"{path} is a book of {shown(str(name))}, which is not played here") from None


def read(path: Path, variant: Variant, start: int) -> Book:
    """The book in a file.

    Args:
        start: the key of the variant's start position.

    Raises:
        BookError: naming the file, where it cannot be read, is damaged, or is not for this game.
    """
    line, packed = _content(path)
    header = _header(path, line, variant, start)
    count = header["positions"]
    unpacked = zlib.decompressobj()
    try:
        columns = unpacked.decompress(packed, BYTES * count + 1)
    except zlib.error:
        raise BookError(f"{path} is damaged: it cannot be unpacked; build it again") from None
    whole = len(columns) == BYTES * count and unpacked.eof and not unpacked.unused_data
    if not whole or f"{zlib.crc32(columns):08x}" != header.get("crc32"):
        raise BookError(f"{path} is damaged: the checksum is wrong; build it again")
    keys, scores = array("Q", columns[: 8 * count]), array("h", columns[8 * count : 10 * count])
    if sys.byteorder == "big":
        keys.byteswap()
        scores.byteswap()
    book = Book(header, keys, scores, columns[10 * count :])
    if reason := _absurd(book, keys, scores, start):
        raise BookError(f"{path} is damaged: {reason}; build it again")
    return book


def _absurd(book: Book, keys: array[int], scores: array[int], start: int) -> str:
    """What is wrong with columns that no builder has written, empty where nothing is."""
    if any(map(ge, keys, keys[1:])):
        return "its positions are not in ascending order"
    if scores and (far := max(max(scores), -min(scores))) > WIN:
        return f"it holds the score {far / MAN:.2f}, and a win is worth {WIN / MAN:.2f}"
    root = book.entry(start)
    if root is not None and root.plies:
        return f"it has the start position at ply {root.plies}"
    return ""


def _content(path: Path) -> tuple[bytes, bytes]:
    """The line that a file begins with, and what follows it."""
    try:
        if not path.is_file():
            raise BookError(f"{path}: {'this is not a regular file' if path.exists() else 'there is no such file'}")
        if path.stat().st_size > LARGEST:
            raise BookError(f"{path} is too large to be an opening book")
        line, _, packed = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise BookError(f"{path} cannot be read: {error.strerror}") from None
    return line, packed


def _fields(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line) if len(line) <= LONGEST_HEADER else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BookError(f"{path} is not an opening book of this program; `turkengine book build` makes one")
    return header


def _header(path: Path, line: bytes, variant: Variant, start: int) -> dict[str, Any]:
    header = _fields(path, line)
    if header.get("variant") != variant.name:
        raise BookError(f"{path} is a book of {shown(str(header.get('variant')))}, not of {variant.name}")
    if header.get("start") != f"{start:016x}":
        raise BookError(f"{path} numbers positions in another way than this version; build it again")
    count = header.get("positions")
    if type(count) is not int or not 0 <= count <= LARGEST // BYTES:
        raise BookError(f"{path} is damaged: it does not say how many positions it holds, or too many; build it again")
    return header


def write(path: Path, variant: Variant, start: int, entries: Mapping[int, BookEntry], made: Mapping[str, Any]) -> None:
    """Write a book as a whole, in place of one that is there; `made` says how it was built."""
    ordered = sorted(entries.items())
    keys = array("Q", (key for key, _ in ordered))
    scores = array("h", (entry.score for _, entry in ordered))
    if sys.byteorder == "big":
        keys.byteswap()
        scores.byteswap()
    marks = bytes(min(entry.plies, MOST_PLIES) | (EXPANDED if entry.expanded else 0) for _, entry in ordered)
    columns = keys.tobytes() + scores.tobytes() + marks
    header = {
        "format": FORMAT,
        "variant": variant.name,
        "positions": len(ordered),
        "start": f"{start:016x}",
        "crc32": f"{zlib.crc32(columns):08x}",
        "made": dict(made),
    }
    growing = path.with_name(path.name + ".new")
    growing.write_bytes(json.dumps(header).encode() + b"\n" + zlib.compress(columns, 9))
    os.replace(growing, path)
