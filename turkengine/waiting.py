"""What people see while something does not come: what is waited for and how long, after two seconds and then each time
that the wait has doubled, so that nobody sits before a screen that shows nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

FIRST = 2.0  # s of silence before the first line
GROWTH = 2  # times as long until the next one, and so on

Tell = Callable[[str], object]
"""Takes a line for people."""


class Waiting:
    """One wait, looked at by whoever waits.

    Attributes:
        due: the moment of `time.perf_counter()` at which it is time to look again; infinity where nobody wants to know.
    """

    def __init__(self, what: str, tell: Tell | None) -> None:
        """It begins.

        Args:
            what: as in "scan to greet".
            tell: None where nobody wants to know.
        """
        self._what, self._tell = what, tell
        self._began = time.perf_counter()
        self._next = FIRST
        self.due = math.inf if tell is None else self._began + FIRST

    def look(self, now: float, heard: float = 0.0) -> None:
        """Say what is waited for, where it is due.

        Args:
            heard: when there was the last sign of life, from which the silence counts.
        """
        if now < self.due or self._tell is None:
            return
        since = max(self._began, heard)
        if now - since >= self._next:
            self._tell(_line(self._what, now - since))
            self._next *= GROWTH
        self.due = since + self._next


class Waits:
    """One wait after another, for a loop that knows at any moment what it waits for.

    Attributes:
        due: the moment at which there is something to say; infinity while nothing is waited for.
    """

    def __init__(self) -> None:
        """Nothing is waited for yet."""
        self.due = math.inf
        self._what: str | None = None
        self._since = 0.0

    def line(self, what: str | None, since: float, now: float) -> str | None:
        """What is to be said now.

        Args:
            what: is waited for, as in "a call"; None for nothing.
            since: the moment at which that began, in seconds. Another one, or another word, is another wait.
        """
        if (what, since) != (self._what, self._since):
            self._what, self._since = what, since
            self.due = math.inf if what is None else since + FIRST
        if what is None or now < self.due:
            return None
        waited = now - since
        self.due = since + GROWTH * waited
        return _line(what, waited)


def _line(what: str, waited: float) -> str:
    return f"waiting for {what}, {_length(waited)} so far"


def _length(seconds: float) -> str:
    for unit, least, name in ((3600, 7200, "h"), (60, 120, "min")):
        if seconds >= least:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds:.0f} s"
