"""Files of games, read one game after another: however long a file is, only a part of it is in memory.

The text is cut before tags that follow a game, and each part is parsed by itself. Text is UTF-8; a line that is not is
taken as Windows-1252, and where it is not that either as Latin-1, which any bytes are. A file that cannot be opened
raises `OSError`; whatever is wrong inside one is a fault of the game it stands in, and the rest is read.
"""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from turkengine.errors import PdnError
from turkengine.notation.pdn.cutting import parts
from turkengine.notation.pdn.game import PdnGame
from turkengine.notation.pdn.parser import Parsed, move_places, parse

BLOCK = 1 << 18  # what is asked of a file at a time


@dataclass(frozen=True)
class PdnFault:
    """Something wrong in a file: the line it is in, counted from 1, and what it is."""

    line: int
    reason: str


@dataclass(frozen=True)
class PdnEntry:
    """One game of a file.

    Attributes:
        game: the game itself.
        file: what the file is called, for messages.
        number: the how many-th game of the file it is, from 1.
        line: the line in which it begins, from 1.
        faults: what could not be read as written, in the order of the text.
    """

    game: PdnGame
    file: str
    number: int
    line: int
    faults: tuple[PdnFault, ...] = ()
    _text: str = field(default="", repr=False, compare=False)

    def line_of(self, order: int) -> int:
        """The line in which a move stands: the how many-th of the text from 0, moves in variations counted too."""
        places = move_places(self._text)
        return self.line + self._text.count("\n", 0, places[order]) if order < len(places) else self.line


def read_games(source: str | Path | IO[Any]) -> Iterator[PdnGame]:
    """The games of a file, without a word about what is wrong in it.

    Raises:
        OSError, PdnError: as for `read`.
    """
    return (entry.game for entry in read(source))


def read(source: str | Path | IO[Any], name: str | None = None) -> Iterator[PdnEntry]:
    """The games of a file with their places and faults, one after another.

    Args:
        source: a path, or an open file of bytes or of text, which is left open.
        name: what the file is called in messages, its path unless given.

    Raises:
        OSError: it cannot be read.
        PdnError: it holds no text.
    """
    if isinstance(source, (str, Path)):
        with open(source, "rb") as stream:
            yield from read(stream, str(source) if name is None else name)
        return
    if name is None:
        name = str(getattr(source, "name", "-"))
    yield from _entries(_texts(source, name), name)


def _entries(texts: Iterator[str], name: str) -> Iterator[PdnEntry]:
    """The games of a text that comes in pieces."""
    number = 0
    for part, line, final in parts(texts):
        counted = 0  # up to where the lines of the part are counted
        for parsed in parse(part, 0, final):
            line += part.count("\n", counted, parsed.start)
            counted = parsed.start
            number += 1
            yield _entry(parsed, part, line, name, number)


def _entry(parsed: Parsed, part: str, line: int, file: str, number: int) -> PdnEntry:
    text = part[parsed.start : parsed.end]
    blank = len(text) - len(text.lstrip())
    first = line + text.count("\n", 0, blank)
    lines: dict[str, list[int]] = {}
    counted = parsed.start
    for place, reason in parsed.faults:
        line += part.count("\n", counted, place)
        counted = max(counted, place)
        lines.setdefault(reason, []).append(max(first, line))
    faults = tuple(
        PdnFault(found[0], reason if len(found) == 1 else f"{reason} ({len(found)} times in this game)")
        for reason, found in lines.items()
    )
    return PdnEntry(parsed.game, file, number, first, faults, text[blank:])


def _texts(stream: IO[Any], name: str) -> Iterator[str]:
    """A file in pieces that end with a line, where lines are not longer than a piece; line ends are LF."""
    rest: Any = None
    while block := stream.read(BLOCK):
        if rest is None and isinstance(block, bytes):
            _check_encoding(block, name)
            block = block.removeprefix(codecs.BOM_UTF8)
        elif rest is None:
            block = block.removeprefix("\ufeff")
        whole = rest + block if rest else block
        newline, blank = (b"\n", b" ") if isinstance(whole, bytes) else ("\n", " ")
        cut = (whole.rfind(newline) + 1) or (whole.rfind(blank) + 1 if len(whole) > BLOCK else 0)
        rest = whole[cut:]
        yield _decoded(whole[:cut])
    if rest:
        yield _decoded(rest)


def _check_encoding(block: bytes, name: str) -> None:
    if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise PdnError(f"{name}: the file is in UTF-16; save it as UTF-8")
    if 100 * block.count(0) > len(block):
        raise PdnError(f"{name}: the file is full of zero bytes, so it is no text")


def _decoded(block: bytes | str) -> str:
    if isinstance(block, bytes):
        try:
            text = block.decode()
        except UnicodeDecodeError:
            text = "".join(map(_decoded_line, block.splitlines(keepends=True)))
    else:
        text = block
    if "\0" in text:
        text = text.replace("\0", " ")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decoded_line(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            return line.decode(encoding)
    return line.decode("latin-1")
