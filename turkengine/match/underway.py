"""The games under way of a match, in a file beside its database, for whoever looks on from another process.

Nobody who looks on is known here, so nobody can slow a match: a game notes what it has come to, and twice a second at
most the whole is written anew, where something has changed. Whoever reads the file finds what was there before or what
is there now. Its time shows whether the match is still being played.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from turkengine.client.contract import Thought
from turkengine.match.clocked import ClockedGame
from turkengine.match.schedule import Key
from turkengine.rules.variant import Side

EVERY = 0.5  # s between two writings
BEAT = 2.0  # s after which the file is at least touched
ALIVE = 10.0  # s without that after which nobody plays any more
LONGEST_LINE = 10  # plies of a line
VERSION = 1  # of the file; a larger one has other fields

RUNNING, OVER, STOPPED = "running", "over", "stopped"


def path_beside(database: Path) -> Path:
    """Where the games under way of a match are."""
    return database.with_name(database.name + ".live")


class UnderWay:
    """One game, as the thread that plays it leaves it after each move; read in another one."""

    def __init__(self, names: Mapping[Side, str], opening: str) -> None:
        """It has not begun."""
        self._names, self._opening = dict(names), opening
        self._clocked: ClockedGame | None = None
        self._turn = 0.0
        self._thoughts: dict[Side, tuple[int, Thought]] = {}

    def note(self, clocked: ClockedGame, thought: Thought | None) -> None:
        """The game has come so far; `thought` is what the engine that has just moved has said."""
        self._clocked, self._turn = clocked, time.time()
        if thought is not None:
            self._thoughts[clocked.game.side.opponent] = len(clocked.game.moves), thought

    def as_data(self) -> dict[str, Any] | None:
        """The game as what JSON can hold, None where it has not begun."""
        clocked = self._clocked
        if clocked is None:
            return None
        record = replace(clocked.record(self._names, self._opening), seconds=0.0)  # else there is always something new
        return {
            "record": record.as_data(),
            "turn": round(self._turn, 3),
            "clocks": {side.value: clock and clock.remaining for side, clock in clocked.clocks.items()},
            "lines": {side.value: _line(ply, thought) for side, (ply, thought) in list(self._thoughts.items())},
        }


class LiveFile:
    """The file itself."""

    def __init__(self, database: Path, heading: Callable[[], dict[str, Any]]) -> None:
        """Nothing is written yet.

        Args:
            heading: what there is to say about the match beside its games, asked after each game.
        """
        self.path = path_beside(database)
        self._heading = heading
        self._known: dict[str, Any] | None = None
        self._written, self._beaten, self._last = 0.0, 0.0, ""

    def changed(self) -> None:
        """A game is over, so the heading may be another one."""
        self._known = None

    def show(self, games: Mapping[Key, UnderWay]) -> None:
        """Write what has changed, where it is time to.

        Raises:
            OSError: it cannot be written.
        """
        now = time.monotonic()
        if now - self._written >= EVERY:
            self._written = now
            self._write(RUNNING, {str(key): game.as_data() for key, game in list(games.items())}, now)

    def end(self, state: str) -> None:
        """Nothing is played any more.

        Raises:
            OSError: it cannot be written.
        """
        self._write(state, {}, time.monotonic())

    def _write(self, state: str, games: Mapping[str, Any], now: float) -> None:
        if self._known is None:
            self._known = self._heading()
        shown = {name: game for name, game in games.items() if game is not None}
        data = {"version": VERSION, "state": state, **self._known, "games": shown}
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        if text != self._last:
            beside = self.path.with_name(self.path.name + ".new")
            beside.write_text(text, encoding="utf-8")
            os.replace(beside, self.path)
            self._last, self._beaten = text, now
        elif now - self._beaten >= BEAT:
            os.utime(self.path)
            self._beaten = now


def _line(ply: int, thought: Thought) -> dict[str, Any]:
    """What an engine has said with its move; squares and victims instead of texts, which whoever reads it may make."""
    return {
        "ply": ply,
        "score": thought.score.hundredths if thought.score is not None else None,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": round(thought.seconds, 3),
        "moves": [[move.origin, move.target, sorted(move.captured)] for move in thought.line[:LONGEST_LINE]],
    }
