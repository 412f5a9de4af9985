"""What people see while something does not come: what is waited for and how long, after two seconds and then less and
less often, so that nobody sits before a screen that says nothing.
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
    """One wait.

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
            self._tell(f"waiting for {self._what}: {now - since:.0f} s")
            self._next *= GROWTH
        self.due = since + self._next
