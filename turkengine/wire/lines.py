"""Bytes to lines: what every line protocol begins with, at either end. Other protocols end their messages otherwise."""

from __future__ import annotations

LONGEST_LINE = 1 << 20  # bytes; a game of a hundred thousand plies fits
BYTE_ORDER_MARK = "\N{BYTE ORDER MARK}".encode()


class Splitter:
    """Cuts a stream of bytes at each `end`, however it arrives. A part without end never takes more than its limit."""

    def __init__(self, end: bytes, longest: int) -> None:
        """Parts of more than `longest` bytes are given as None, once their end has come."""
        self._end = end
        self._longest = longest
        self._begun = bytearray()
        self._overlong = False

    @property
    def inside(self) -> bool:
        """Whether a part has begun whose end has not come."""
        return bool(self._begun) or self._overlong

    def feed(self, data: bytes) -> list[bytes | None]:
        """The parts that `data` completes, without their ends."""
        *ended, rest = data.split(self._end)
        parts: list[bytes | None] = []
        for part in ended:
            self._append(part)
            parts.append(self.take())
        self._append(rest)
        return parts

    def take(self) -> bytes | None:
        """What has begun, as if its end had come."""
        part = None if self._overlong else bytes(self._begun)
        self._begun.clear()
        self._overlong = False
        return part

    def _append(self, part: bytes) -> None:
        self._overlong = self._overlong or len(self._begun) + len(part) > self._longest
        if self._overlong:
            self._begun.clear()
        else:
            self._begun += part


class LineSplitter:
    """Cuts a stream of bytes into lines of text; bytes that are not text are replaced."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        """Lines of more than `longest` bytes are given as None, once their end has come."""
        self._parts = Splitter(b"\n", longest)
        self._first = True

    @property
    def inside(self) -> bool:
        """Whether a line has begun whose end has not come."""
        return self._parts.inside

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that `data` completes."""
        return [self._text(part) for part in self._parts.feed(data)]

    def end(self) -> list[str | None]:
        """The stream has ended: what has been begun is a line too."""
        return [self._text(self._parts.take())] if self._parts.inside else []

    def _text(self, part: bytes | None) -> str | None:
        first, self._first = self._first, False
        if part is None:
            return None
        return (part.removeprefix(BYTE_ORDER_MARK) if first else part).decode("utf-8", "replace").removesuffix("\r")
