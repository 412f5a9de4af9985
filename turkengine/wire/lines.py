"""Bytes to lines: what every line protocol begins with, at either end."""

from __future__ import annotations

LONGEST_LINE = 1 << 20  # bytes; a game of a hundred thousand plies fits
BYTE_ORDER_MARK = "\N{BYTE ORDER MARK}".encode()


class LineSplitter:
    """Cuts a stream of bytes into lines, however it arrives. A line without end never takes more than its limit."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        """Lines of more than `longest` bytes are given as None, once their end has come."""
        self._longest = longest
        self._begun = bytearray()
        self._overlong = False
        self._first = True

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that `data` completes; bytes that are no text are replaced."""
        *ended, rest = data.split(b"\n")
        lines: list[str | None] = []
        for part in ended:
            self._append(part)
            lines.append(self._take())
        self._append(rest)
        return lines

    def end(self) -> list[str | None]:
        """The stream has ended: what has been begun is a line too."""
        return [self._take()] if self._begun or self._overlong else []

    def _append(self, part: bytes) -> None:
        self._overlong = self._overlong or len(self._begun) + len(part) > self._longest
        if self._overlong:
            self._begun.clear()
        else:
            self._begun += part

    def _take(self) -> str | None:
        if self._first:
            self._first = False
            self._begun = self._begun.removeprefix(BYTE_ORDER_MARK)
        line = None if self._overlong else self._begun.decode("utf-8", "replace").removesuffix("\r")
        self._begun.clear()
        self._overlong = False
        return line
