"""What is waited for, said before anybody wonders: after two seconds, and then each time that the wait has doubled."""

from __future__ import annotations

import math

FIRST = 2.0  # s


class Waiting:
    """One wait after the other."""

    def __init__(self) -> None:
        """Nothing is waited for yet."""
        self.due = math.inf  # the moment at which there is something to say
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
        if now < self.due:
            return None
        waited = now - since
        self.due = now + waited
        return f"waiting for {what}, {_length(waited)} so far"


def _length(seconds: float) -> str:
    for unit, least, name in ((3600, 7200, "h"), (60, 120, "min")):
        if seconds >= least:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds:.0f} s"
