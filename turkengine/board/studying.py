"""The engine of an analysis: one search at a time, its lines shown as they come, and a whole game judged.

A search begins in a thread, since it may have to wait for the end of the one before. Whoever wanted it may be gone by
then, so that nothing here hangs on a task that could be cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from turkengine.analysis.annotate import judged
from turkengine.analysis.judged import JudgedGame
from turkengine.api.analysis import Analysis, Info
from turkengine.api.engine import Engine
from turkengine.api.limit import Limit
from turkengine.api.position import Position
from turkengine.board.choices import victims
from turkengine.board.wire import WireError, written
from turkengine.errors import TurkengineError
from turkengine.rules.move import Move
from turkengine.rules.variant import Side

HASH = 64  # MiB
EVERY = 0.1  # s between two messages
MOST_STUDIES = 4  # engines of analyses at once
LONGEST_SEARCH = 900.0  # s, in case that somebody forgets it


class Study:
    """The engine of one tree."""

    open = 0

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Nothing is started yet; `tell` takes what has been found."""
        self.last = ""
        self._tell = tell
        self._engine: Engine | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._running: Analysis | None = None
        self._number = 0  # of the search that was wanted last
        self._following: asyncio.Task[None] | None = None

    async def search(self, node: int, position: Position, lines: int, threat: bool) -> None:
        """Begin a search, in place of the one before.

        Raises:
            WireError: nothing can be searched there.
        """
        self.stop()
        self._number += 1
        number = self._number
        if threat:
            position = _passed(position)
        if position.outcome() is not None:
            raise WireError("over", "the game is over there")
        engine, thread = self._started()
        analysis = await asyncio.wrap_future(thread.submit(engine.analysis, position, None, lines, game=self))
        self._running = analysis
        self._following = asyncio.create_task(self._follow(node, number, analysis))

    def stop(self) -> None:
        """End the search under way."""
        if self._running is not None:
            self._running.stop()
            self._running = None
        self.last = ""

    async def judge(self, positions: Sequence[Position], moves: Sequence[Move], depth: int) -> JudgedGame:
        """Every move of a game judged; how far that has come is shown.

        Raises:
            WireError: there is nothing to judge, or the engine has failed.
        """
        if not moves:
            raise WireError("bad-message", "there is no move to judge")
        self.stop()
        engine, thread = self._started()
        loop, done = asyncio.get_running_loop(), 0

        def on_position() -> None:
            nonlocal done
            done += 1
            said = written(type="report", state="running", done=min(done, len(positions)), of=len(positions))
            loop.call_soon_threadsafe(self._tell, said)

        limit = Limit(depth=depth)
        work = thread.submit(judged, engine, positions, moves, limit, on_position=on_position)
        try:
            record = await asyncio.wrap_future(work)
        except (TurkengineError, RuntimeError) as error:
            raise WireError("engine-failed", str(error)) from None
        self._tell(written(type="report", state="done", done=len(positions), of=len(positions)))
        return record

    def close(self) -> None:
        """Give the engine back."""
        self.stop()
        engine, self._engine = self._engine, None
        if engine is not None:
            Study.open -= 1
            engine.close()
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread = None

    def _started(self) -> tuple[Engine, ThreadPoolExecutor]:
        if self._engine is None:
            if Study.open >= MOST_STUDIES:
                raise WireError("busy", "the engine is busy with other analyses; try again later")
            self._engine, self._thread = Engine(hash=HASH), ThreadPoolExecutor(1, "turkengine board analysis")
            Study.open += 1
        assert self._thread is not None
        return self._engine, self._thread

    async def _follow(self, node: int, number: int, analysis: Analysis) -> None:
        loop = asyncio.get_running_loop()
        began, shown = loop.time(), None
        while not analysis.done:
            if loop.time() - began > LONGEST_SEARCH:
                analysis.stop()
            found = analysis.lines
            if found and found != shown and number == self._number:
                shown = found
                self._show(node, analysis, found, running=True)
            await asyncio.sleep(EVERY)
        if number == self._number:
            self._show(node, analysis, analysis.lines, running=False)
        if analysis is self._running:
            self._running = None
        if self._running is None and not self.last:
            self._release()

    def _release(self) -> None:
        """An engine that nobody uses gives its memory back when others need one."""
        if Study.open >= MOST_STUDIES:
            self.close()

    def _show(self, node: int, analysis: Analysis, found: Sequence[Info], running: bool) -> None:
        said = written(
            type="lines",
            node=node,
            side=analysis.position.side.value,
            depth=analysis.depth,
            nodes=analysis.nodes,
            time=round(found[0].time, 2) if found else 0.0,
            running=running,
            lines=[_line(info) for info in found],
        )
        self.last = said if running else ""
        self._tell(said)


def _line(info: Info) -> dict[str, Any]:
    move = info.line[0]
    chances = info.score.chances(info.position.variant, Side.WHITE)
    return {
        "rank": info.rank,
        "score": info.score.white.hundredths,
        "end": info.score.moves_to_end(),
        "text": str(info.score),
        "chances": [round(chances.win, 3), round(chances.draw, 3), round(chances.loss, 3)],
        "moves": info.texts,
        "path": list(move.path or (move.origin, move.target)),
        "captured": victims(info.position.variant.board, move),
    }


def _passed(position: Position) -> Position:
    """The same with the other side to move."""
    text = position.fen()
    return Position(position.side.opponent.value + text[1:], position.variant)
