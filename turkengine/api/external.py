"""Any other engine, by the protocol that it speaks, with the same interface as our own.

    with ExternalEngine("hub:scan hub") as engine:
        analysis = engine.analyse(position, Limit(time=1))

The process starts with the first order, and again after a crash. An engine that ends, keeps silent or answers nonsense
raises one `ClientError` that says why; the next order finds it started anew.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
import weakref
from collections.abc import Mapping
from pathlib import Path
from types import NoneType

from turkengine.api import checking
from turkengine.api.analysis import Analysis, Info
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import PovScore
from turkengine.api.ordering import SearchEnd
from turkengine.api.position import Position
from turkengine.client import judging
from turkengine.client.contract import ClientError, ClientFault, Thought
from turkengine.client.lines import LEAVING, LineClient
from turkengine.client.naming import TALKS, client_from
from turkengine.engine.limits import Limits
from turkengine.engine.report import Bound
from turkengine.errors import OptionError, shown
from turkengine.rules.variant import Variant
from turkengine.wire.client_session import Found

MULTI_PV = {"hub": "multi-pv", "hub1": "multi-pv", "uci": "MultiPV"}  # what the option is called in each dialect


class ExternalEngine(BaseEngine):
    """An engine that runs as a process and speaks Hub, Hub 1 or the UCI-like dialect."""

    def __init__(
        self,
        command: str,
        options: Mapping[str, object] | None = None,
        *,
        name: str = "",
        directory: str | Path | None = None,
        margin: float | None = 10.0,
    ) -> None:
        """Nothing is started yet.

        Args:
            command: the protocol, a colon, and how the program is started: `hub:scan hub`, `uci:turkengine uci`.
            options: its own options by name, set before the first order.
            name: what it is called here; what it calls itself if empty.
            directory: where the program runs.
            margin: seconds beyond the time of a `Limit` after which an engine that has not answered counts as failed;
                None waits for ever, as it is done for limits without time.

        Raises:
            OptionError: the command names no protocol that is spoken here, or cannot be read.
        """
        super().__init__()
        checking.require("command", command, str, "a text as in 'hub:scan hub'")
        checking.require("options", options, (Mapping, NoneType), "a dict of names and values")
        checking.require("name", name, str, "a text")
        checking.require("directory", directory, (str, Path, NoneType), "the path of a folder")
        if margin is not None:
            checking.seconds("margin", margin)
        self._dialect = command.strip().partition(":")[0]
        if self._dialect not in TALKS:
            raise OptionError(f"the engine {shown(command)} names no protocol; write hub:COMMAND or uci:COMMAND")
        given = {key: _option_text(key, value) for key, value in (options or {}).items()}
        folder = Path(directory) if directory is not None else None
        client = client_from(command, name=name, options=given, directory=folder)
        assert isinstance(client, LineClient), "these protocols are spoken by processes"
        self._client, self._margin = client, margin
        self._set: tuple[object, int] = (None, 1)  # the process, and how many best lines it has been asked for
        self._variant: Variant | None = None
        self._searches: list[ExternalSearch] = []  # the last one
        self._dropped = weakref.finalize(self, _dropped, client, self._searches, os.getpid())

    @property
    def name(self) -> str:
        """What it was named here, else what it calls itself; its command before the first order."""
        return self._client.name

    def _begin(self, analysis: Analysis, limits: Limits, new_game: bool) -> None:
        variant = analysis.position.variant
        if not self._client.alive() or variant is not self._variant:
            self._client.start(variant)
            self._variant, new_game = variant, True
        if new_game:
            self._client.new_game()
        self._set_lines(analysis.multipv)
        search = ExternalSearch(self._client, analysis, limits, self._margin, SearchEnd(self._ended, analysis))
        self._searches[:] = [search]
        search.start()

    def _set_lines(self, multipv: int) -> None:
        process = self._client.process
        before = self._set[1] if self._set[0] is process else 1
        if multipv != before:
            self._client.set_option(MULTI_PV[self._dialect], str(multipv))
        self._set = process, multipv

    def _halt(self, analysis: Analysis) -> None:
        self._must_be_at_home()
        if analysis is self._current:
            for search in self._searches:
                search.halt()

    def _close(self) -> None:
        self._dropped.detach()
        for search in self._searches:
            search.wait(self._margin)
        self._client.close()


class ExternalSearch:
    """One search, and the thread that waits for its end; it does not hold the engine, which may be dropped."""

    def __init__(
        self, client: LineClient, analysis: Analysis, limits: Limits, margin: float | None, ended: SearchEnd
    ) -> None:
        self._client, self._analysis, self._limits, self._ended = client, analysis, limits, ended
        self._deadline = None if limits.move_time is None or margin is None else limits.move_time + margin
        self._began = time.perf_counter()
        self._halted = False
        self._thread = threading.Thread(target=self._run, name=f"waits for {client.name}", daemon=True)

    def start(self) -> None:
        """Begin; `ended` is called when it is over."""
        self._thread.start()

    def halt(self) -> None:
        """Have it end."""
        self._halted = True
        self._client.stop()

    def wait(self, seconds: float | None) -> None:
        """Wait until it is over, but no longer than that."""
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def _run(self) -> None:
        position = self._analysis.position
        self._client.on_report = self._report
        try:
            thought = None
            if position.legal_moves():
                thought = self._client.think(position, self._limits, self._deadline)
        except ClientError as failure:
            self._finish(None, failure)
        except Exception as failure:
            self._client.close()
            reason = f"{self._client.name}: internal error, {type(failure).__name__}: {failure}"
            self._finish(None, ClientError(ClientFault.CRASH, reason))
        else:
            self._finish(thought, None)

    def _finish(self, thought: Thought | None, failure: ClientError | None) -> None:
        self._client.on_report = None
        move, ponder = (None, None) if thought is None else (thought.move, thought.ponder)
        self._ended(move, ponder, failure)

    def _report(self, found: Found) -> None:
        if self._halted:  # a stop may have come before the order
            self._client.stop()
        self._analysis.tell(_info(self._analysis.position, found, time.perf_counter() - self._began))


def _dropped(client: LineClient, searches: list[ExternalSearch], owner: int) -> None:
    """Nobody has the engine any more, so nobody would end its process."""
    if os.getpid() != owner:  # a fork has copied the object, but the process is its parent's
        return
    warnings.warn(f"the engine {client.name} was not closed; use it in a with block", ResourceWarning, stacklevel=3)
    for search in searches:
        search.halt()
        search.wait(LEAVING)
    client.close()


def _option_text(name: object, value: object) -> str:
    """The value of an option as a protocol takes it."""
    checking.require("a name in options", name, str, "a text")
    checking.require(f"the option {name}", value, (str, bool, int, float, Path), "a text, a number, or True or False")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _info(position: Position, found: Found, seconds: float) -> Info:
    assert found.score is not None, "a report without a score is none"
    line = judging.legal_line(position, found.line)
    score = PovScore(found.score, position.side)
    return Info(position, found.rank, found.depth, score, Bound.EXACT, found.nodes, seconds, line)
