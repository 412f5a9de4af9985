"""The commands that wait for the end of a search: in order, and in bounded room."""

from __future__ import annotations

from collections import deque

MOST_WAITING = 1 << 25  # bytes that they may take: hundreds of thousands of short ones
WAITING_COST = 80  # bytes that a command takes beside its text


class Backlog:
    """Lines in the order in which they came."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self._bytes = 0
        self._full = False

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, line: str) -> bool:
        """Keep a line; False, once, where there is no room. No later one is kept then: it may build on this one."""
        if self._full:
            return True
        self._bytes += WAITING_COST + len(line)
        if self._bytes > MOST_WAITING:
            self._full = True
            return False
        self._lines.append(line)
        return True

    def take(self) -> str:
        """The first one."""
        line = self._lines.popleft()
        self._bytes -= WAITING_COST + len(line)
        return line

    def clear(self) -> None:
        """Forget them; there is room again."""
        self._lines.clear()
        self._bytes, self._full = 0, False

    def commands(self) -> list[str]:
        """The words that the lines begin with, each once."""
        return list(dict.fromkeys(line.split(None, 1)[0] for line in self._lines))
