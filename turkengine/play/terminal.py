"""A session carried by standard input and output: a terminal, or a pipe on which a script talks.

Lines are read in a thread of their own, so that a clock runs out and Ctrl-C is heard while nobody writes.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Mapping
from typing import TextIO

from turkengine.daemon.pipes import read_some
from turkengine.play.session import PlaySession
from turkengine.play.text_board import Look
from turkengine.wire.lines import LineSplitter

STANDARD_INPUT = 0
READ_AHEAD = 1000  # lines
TICK = 0.5  # s of waiting at most: Ctrl-C is not noticed in between on Windows
WITHOUT_SIGNS = ("dumb", "linux")  # terminals whose fonts have letters only


def look_of(output: TextIO, environment: Mapping[str, str] = os.environ, ascii_only: bool = False) -> Look:
    """What can be shown there: letters alone on a pipe and where somebody wants it so."""
    if not output.isatty():
        return Look()
    terminal = environment.get("TERM", "")
    signs = (output.encoding or "").lower().startswith("utf") and terminal not in WITHOUT_SIGNS and not ascii_only
    return Look(signs, colours=terminal != "dumb" and not environment.get("NO_COLOR"), always=True)


def converse(session: PlaySession, changed: Callable[[], None], show: Callable[[str], None]) -> None:
    """Carry a session from its beginning to its end.

    Args:
        changed: called whenever something has happened, before anything is waited for.
        show: writes text as it is, at once.

    Raises:
        ClientError: the engine cannot be started.
        KeyboardInterrupt: somebody has pressed Ctrl-C.
    """
    terminal = session.look.always
    lines = Reader(STANDARD_INPUT)

    def tell(told: list[str]) -> None:
        if told:
            show("".join(f"{line}\n" for line in told))
        changed()

    def ask() -> None:
        show(f"{session.prompt}> " if terminal else f"{session.prompt}\n")

    tell(session.begin())
    while not session.closed:
        if session.thinks:
            tell(session.think())
            continue
        ask()
        while (line := lines.next(session.time_left)) is None and not lines.ended:
            if flagged := session.flag():
                show("\n" if terminal else "")
                tell(flagged)
                ask()
        if lines.ended:
            show("\n" if terminal else "")
            return
        tell(session.receive(line or ""))


class Reader:
    """Lines as they come."""

    def __init__(self, descriptor: int, put: Callable[[str | None], None] | None = None) -> None:
        """A thread reads from now on; nobody waits for it.

        Args:
            put: takes each line, and None at the end, in that thread; without it `next` gives them.
        """
        self.ended = False
        self._lines: queue.Queue[str | None] = queue.Queue(READ_AHEAD)
        self._put = put or self._lines.put
        threading.Thread(target=self._read, args=(descriptor,), name="turkengine lines", daemon=True).start()

    def next(self, seconds: float | None) -> str | None:
        """The next line, waited for so long at most; None where none has come, and for good once it has `ended`."""
        wait = TICK if seconds is None else max(min(seconds, TICK), 0.0)
        try:
            line = self._lines.get(timeout=wait)
        except queue.Empty:
            return None
        self.ended = line is None
        return line

    def _read(self, descriptor: int) -> None:
        splitter = LineSplitter()
        while data := read_some(descriptor):
            for line in splitter.feed(data):
                self._put(line or "")
        for line in splitter.end():
            self._put(line or "")
        self._put(None)
