"""How an engine, its searches and who has ordered them know each other without keeping each other alive.

Threads hold the analysis that they feed, and the engine holds it as well. If either held the engine, one that is
dropped would search on until the end of the process.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

from turkengine.api.analysis import Analysis
from turkengine.rules.move import Move

Ended = Callable[[Analysis, Move | None, Move | None, Exception | None], None]


class Order:
    """A search that a task has ordered, and may not want any more before it has begun."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards the following
        self._analysis: Analysis | None = None
        self.cancelled = False

    def begun(self, analysis: Analysis) -> None:
        """It is under way."""
        with self._lock:
            self._analysis = analysis
            cancelled = self.cancelled
        if cancelled:
            analysis.stop()

    def cancel(self) -> None:
        """It is not wanted."""
        with self._lock:
            self.cancelled = True
            analysis = self._analysis
        if analysis is not None:
            analysis.stop()


class SearchEnd:
    """Passes the end of a search on to its engine, or to the analysis alone where there is no engine any more."""

    def __init__(self, ended: Ended, analysis: Analysis) -> None:
        """`ended` is a method of the engine."""
        self._ended, self._analysis = weakref.WeakMethod(ended), analysis

    def __call__(self, move: Move | None, ponder: Move | None, failure: Exception | None) -> None:
        """It has ended, for a reason if it has failed."""
        ended = self._ended()
        if ended is not None:
            ended(self._analysis, move, ponder, failure)
        else:
            lost = RuntimeError("the engine of this search was dropped; keep it in a variable, at best in a with block")
            self._analysis.finish(move, ponder, failure or lost)


def weakly(halt: Callable[[Analysis], None]) -> Callable[[Analysis], None]:
    """A method of an engine for its analysis; where there is no engine any more nothing is left to be stopped."""
    method = weakref.WeakMethod(halt)

    def stop(analysis: Analysis) -> None:
        found = method()
        if found is not None:
            found(analysis)

    return stop
