"""How far a long command has come: one line on a terminal that stays in its place, nothing anywhere else."""

from __future__ import annotations

import sys
import time

WIDTH = 24  # of the bar, in characters
LEAST_PAUSE = 0.25  # s between two drawings


class Bar:
    """A bar for so many steps, with the time left. It writes to standard error, so that output can be piped."""

    def __init__(self, total: int, what: str, shown: bool) -> None:
        """Nothing is drawn before the first step."""
        self._total, self._what = max(total, 1), what
        self._shown = shown and sys.stderr.isatty()
        self._done = 0
        self._skipped = 0  # steps that took no time
        self._began = time.monotonic()
        self._drawn = 0.0

    def advance(self, steps: int) -> None:
        """So many steps more are done."""
        self._done += steps
        self._draw()

    def skip(self, steps: int) -> None:
        """So many steps need not be done."""
        self._skipped += steps
        self.advance(steps)

    def clear(self) -> None:
        """Leave the line to something else."""
        if self._shown and self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = 0.0

    def _draw(self) -> None:
        now = time.monotonic()
        if not self._shown or now - self._drawn < LEAST_PAUSE:
            return
        self._drawn = now
        self._total = max(self._total, self._done)  # it may have been an estimate
        share = self._done / self._total
        filled = round(WIDTH * share)
        bar = "#" * filled + "-" * (WIDTH - filled)
        text = f"[{bar}] {100 * share:3.0f} %  {self._done} of {self._total} {self._what}{self._left(now)}"
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()

    def _left(self, now: float) -> str:
        worked, seconds = self._done - self._skipped, now - self._began
        if worked <= 0 or seconds < 1:
            return ""
        left = round(max(self._total - self._done, 0) * seconds / worked)
        hours, rest = divmod(left, 3600)
        return f"  {hours}:{rest // 60:02}:{rest % 60:02} left" if hours else f"  {rest // 60}:{rest % 60:02} left"
