"""Files of endgame tables: found, checked and mounted, so that the search can ask them.

`PIECES.endgame`, in a folder for each variant, holds one balance of pieces with either side to move, for instance
`MKvK.endgame` a man and a king against a king. It is one line of JSON and, after it, for each table one after another

* the lengths of the code's words, in bits, a byte for each token;
* the starts of the blocks, four bytes each, lowest first, counted from the first block;
* the blocks, as in `packing.pxi`.

The line holds

* `format`: the number of this format;
* `variant`, `rules`: the game, and what its rules make of an ending, as `rules_of` writes it. A file made for other
  rules is refused, and so is one made before the rules of its game were changed;
* `tables`: for each its `counts` (own men, own kings, enemy men, enemy kings, the side to move being "own"), how many
  positions are `won`, `drawn` and `lost`, the `longest` win or loss in plies (null where there is none), and the bytes
  that `starts` and `blocks` take;
* `checksum`: the CRC-32 of the other fields, written as JSON with sorted keys, and of all that follows the line.

A file is not mapped: where one is cut off while it is mapped, by a copy in its place for instance, the next look ends
the process. Small files, as those of up to four pieces are, are read into memory, 21 MiB for a game at most; of larger
ones a block is read where it is asked for. What can no longer be read is not known, and the search goes on without it.

`turkengine/endgame` makes such files.
"""

from __future__ import annotations

import json
import os
import re
import sys
import weakref
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from turkengine import games
from turkengine.errors import EndgameError, shown
from turkengine.rules.bounds import MOST_PIECES as MOST_PIECES  # which those who read files ask for too
from turkengine.rules.variant import Variant

FORMAT = 1
SUFFIX = ".endgame"
SHIPPED = games.HERE  # where each game has those that come with the program
TOKENS = 264  # of `packing.pxi`
LONGEST_HEADER = 1 << 16  # bytes
IN_MEMORY = 4 << 20  # bytes; larger files are left where they are
CHUNK = 1 << 20  # bytes of a file that are looked at together
NAME = re.compile("M*K*vM*K*")


class Part:
    """A part of a file that stays where it is; the file is open as long as this lives."""

    def __init__(self, stream: BinaryIO, offset: int, length: int) -> None:
        self.offset, self.length = offset, length
        self._file = os.dup(stream.fileno())
        weakref.finalize(self, os.close, self._file)

    def __len__(self) -> int:
        return self.length

    def fileno(self) -> int:
        """The number that the system knows the open file by."""
        return self._file


@dataclass(frozen=True)
class EndgameTable:
    """One side to move of a file.

    Attributes:
        counts: own men, own kings, enemy men, enemy kings, "own" being the side to move.
        won, drawn, lost: how many positions are; mirror images count.
        longest: plies of the longest win or loss, None where there is none.
        lengths, starts, blocks: what a kernel's `Endings.mount` takes.
    """

    counts: tuple[int, int, int, int]
    won: int
    drawn: int
    lost: int
    longest: int | None
    lengths: bytes
    starts: bytes | memoryview
    blocks: bytes | memoryview | Part


@dataclass(frozen=True)
class File:
    """A file whose name and size are right and whose rules are those of its variant."""

    path: Path
    size: int
    tables: tuple[EndgameTable, ...]


def own_folder() -> Path:
    """Where the user's own tables are kept: in the folder that the system keeps data in."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home)
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return folder / "turkengine" / "tables"


def folders(own: str | Path = "") -> tuple[Path, ...]:
    """Where tables are looked for: those that come with the program, then the user's, in `own` (`~` for home)."""
    return SHIPPED, Path(os.path.expanduser(own)) if own else own_folder()


@cache
def rules_of(variant: Variant) -> str:
    """What the value of an ending depends on, as text; counts of plies, titles and the like are not part of it."""
    board = variant.board
    directions = (variant.man_steps, variant.man_captures, variant.king_directions)
    ground = ("d" if board.a1_dark else "l") if board.dark_only else ""
    priority = "+".join(one.name.lower() for one in variant.capture_priority) or "free"
    kings = "".join(f"{right:+d}{forward:+d}" for right, forward in variant.king_captures)
    return " ".join(
        (
            f"{board.files}x{board.ranks}{ground}",
            *("".join(f"{right:+d}{forward:+d}" for right, forward in moves) for moves in directions),
            *(
                str(int(trait))
                for trait in (variant.reversal_banned, variant.one_piece_each_draws, variant.lone_man_loses)
            ),
            *(trait.name.lower() for trait in (variant.king_landing, variant.removal)),
            priority,
            variant.promotion.name.lower(),
            *([f"kings{kings}"] if kings else ()),
            *(() if variant.kings_fly else ["short"]),
            *(() if variant.men_take_kings else ["men-spare-kings"]),
        )
    )


def folder_in(place: Path, variant: Variant) -> Path:
    """The folder for the tables of a variant in a place of tables."""
    return games.folder_of(variant) / "tables" if place == games.HERE else place / variant.name


def files_in(place: Path, variant: Variant) -> list[Path]:
    """The files that a place holds for a variant, those of fewer pieces first."""
    return sorted(folder_in(place, variant).glob(f"*{SUFFIX}"), key=lambda path: (len(path.stem), path.name))


def read(path: Path, variant: Variant) -> File:
    """A file, of which as much is read as `IN_MEMORY` allows; its first line first, then all for the checksum.

    Raises:
        EndgameError: it cannot be read, is damaged, was made for other rules, or should have another name; the message
            names it.
    """
    try:
        if not path.is_file():
            raise EndgameError(f"{path}: {'this is not a regular file' if path.exists() else 'there is no such file'}")
        with path.open("rb") as stream:
            return _read(path, stream, variant)
    except OSError as error:
        raise EndgameError(f"{path}: {error.strerror or error}") from None


def _read(path: Path, stream: BinaryIO, variant: Variant) -> File:
    size = os.fstat(stream.fileno()).st_size
    if size == 0:
        raise EndgameError(f"{path}: the file is empty")
    line = stream.readline(LONGEST_HEADER)
    try:
        header = json.loads(line if line.endswith(b"\n") else b"")
        if header["format"] != FORMAT:
            raise EndgameError(f"{path}: its format is {header['format']!r:.40}, not {FORMAT}; build it again")
        places = _places(header["tables"], size - len(line))
        name = _name([counts for counts, *_ in places])
        if header["variant"] != variant.name:
            raise EndgameError(_of_another_game(path, name, header["variant"], variant))
        if header["rules"] != rules_of(variant):
            raise EndgameError(f"{path}: it was made for other rules of {variant.name}; build it again")
        if path.stem != name:
            raise EndgameError(f"{path}: it holds {name} of {variant.name}; call it {name}{SUFFIX}")
        body = _InMemory(stream.read(size)) if size <= IN_MEMORY else _OnDisk(stream, len(line))
        if header.pop("checksum") != checksum(header, body.chunks()):
            raise EndgameError(f"{path}: the file is damaged, its checksum is wrong; build it again")
        tables = tuple(
            EndgameTable(
                counts,
                table["won"],
                table["drawn"],
                table["lost"],
                table["longest"],
                bytes(body.read(starts - TOKENS, starts)),
                body.read(starts, blocks),
                body.part(blocks, end),
            )
            for table, (counts, starts, blocks, end) in zip(header["tables"], places, strict=True)
        )
    except _WrongSize as error:
        raise EndgameError(f"{path}: the file is damaged, {error}; build it again") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise EndgameError(f"{path}: this is not a file of endgame tables, or its first line is damaged") from None
    return File(path, size, tables)


class _InMemory:
    """What follows the first line of a file, all of it."""

    def __init__(self, content: bytes) -> None:
        self._content = memoryview(content)

    def chunks(self) -> Iterable[memoryview]:
        return [self._content]

    def read(self, begin: int, end: int) -> memoryview:
        return self._content[begin:end]

    part = read


class _OnDisk:
    """What follows the first line of a file, left where it is."""

    def __init__(self, stream: BinaryIO, begin: int) -> None:
        self._stream, self._begin = stream, begin

    def chunks(self) -> Iterator[bytes]:
        self._stream.seek(self._begin)
        while chunk := self._stream.read(CHUNK):
            yield chunk

    def read(self, begin: int, end: int) -> bytes:
        self._stream.seek(self._begin + begin)
        return self._stream.read(end - begin)

    def part(self, begin: int, end: int) -> Part:
        return Part(self._stream, self._begin + begin, end - begin)


def _of_another_game(path: Path, name: str, other: str, variant: Variant) -> str:
    told = f"{path}: it holds {name} of {shown(str(other))}, not of {variant.name}"
    wanted = path.parent.parent / other / f"{name}{SUFFIX}"
    return f"{told}; it belongs to {wanted}" if re.fullmatch("[a-z-]{1,40}", other) else told


def checksum(header: dict[str, Any], parts: Iterable[bytes | memoryview]) -> str:
    """The checksum of a header without it and of what follows it."""
    value = zlib.crc32(json.dumps(header, sort_keys=True).encode())
    for part in parts:
        value = zlib.crc32(part, value)
    return f"{value:08x}"


class _WrongSize(Exception):
    """The tables named in the first line are more or fewer than those that follow it."""


def _places(described: list[dict[str, Any]], size: int) -> list[tuple[tuple[int, int, int, int], int, int, int]]:
    """Of each table its counts and where its starts and blocks begin and end, if they fill so many bytes."""
    places = []
    end = 0
    for table in described:
        sizes = [table[name] for name in ("won", "drawn", "lost", "starts", "blocks")]
        longest = table["longest"]
        if not all(map(_is_number, sizes if longest is None else [*sizes, longest])) or not any(sizes[:3]):
            raise ValueError("these are no numbers of positions, plies and bytes")
        own_men, own_kings, enemy_men, enemy_kings = counts = table["counts"]
        if any(not _is_number(count) or count > MOST_PIECES for count in counts):
            raise ValueError("these are no numbers of pieces")
        starts = end + TOKENS
        blocks = starts + table["starts"]
        end = blocks + table["blocks"]
        places.append(((own_men, own_kings, enemy_men, enemy_kings), starts, blocks, end))
    if end != size:
        raise _WrongSize(f"it should have {end} bytes after its first line and has {size}")
    return places


def _is_number(value: object) -> bool:
    return type(value) is int and value >= 0


def _name(tables: list[tuple[int, int, int, int]]) -> str:
    """What a file is called whose tables have these counts: the first has the stronger side to move."""
    sides = [tables[0][:2], tables[0][2:]]
    if set(tables) != {(*sides[0], *sides[1]), (*sides[1], *sides[0])}:
        raise ValueError("the tables are not both sides of a balance")
    stronger, weaker = sorted(sides, key=lambda side: (sum(side), side[1]), reverse=True)
    return "v".join("M" * men + "K" * kings for men, kings in (stronger, weaker))


def mount(kernel: Any, variant: Variant, places: Iterable[Path], most_pieces: int) -> tuple[Any, list[str]]:
    """The endings that can be had, as a kernel's `Endings`, and one line for each file that cannot be used.

    Args:
        kernel: the compiled module of the variant.
        places: folders, of which an earlier one goes before a later one.
        most_pieces: larger endings are left alone.
    """
    endings = kernel.Endings()
    complaints: list[str] = []
    mounted: set[str] = set()
    for folder in places:
        for path in files_in(folder, variant):
            if NAME.fullmatch(path.stem) and (len(path.stem) - 1 > most_pieces or path.stem in mounted):
                continue
            try:
                mount_file(endings, path, variant)
            except EndgameError as error:
                complaints.append(f"{error}; it is ignored")
            else:
                mounted.add(path.stem)
    return endings, complaints


def mount_file(endings: Any, path: Path, variant: Variant) -> File:
    """Add what a file holds to a kernel's `Endings`.

    Raises:
        EndgameError: it cannot be used; the message names it.
    """
    file = read(path, variant)
    for table in file.tables:
        try:
            endings.mount(table.counts, table.lengths, table.starts, table.blocks)
        except ValueError as error:
            raise EndgameError(f"{path}: {error}") from None
    return file
