"""Any other engine, by the protocol that it speaks, with the same interface as our own.

    with ExternalEngine("hub:scan hub") as engine:
        analysis = engine.analyse(position, Limit(time=1))

The process starts with the first order, and again after a crash. An engine that ends, keeps silent or answers nonsense
raises one `ClientError` that says why; the next order finds it started anew.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import NoneType

from turkengine.api import checking
from turkengine.api.analysis import Analysis, Info
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import PovScore
from turkengine.client import judging
from turkengine.client.contract import ClientError, Fault
from turkengine.client.lines import LineClient
from turkengine.client.naming import TALKS, client_from
from turkengine.engine.limits import Limits
from turkengine.engine.report import Bound
from turkengine.errors import OptionError, shown
from turkengine.rules.position import Position as ReadablePosition
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
        self._set: tuple[object, int] = (None, 1)  # the process, and how many best lines it has been told to find
        self._variant: Variant | None = None
        self._thread: threading.Thread | None = None
        self._halted = False  # the search under way is to end

    @property
    def name(self) -> str:
        """What it was named here, else what it calls itself; its command before the first order."""
        return self._client.name

    def _begin(self, analysis: Analysis, limits: Limits, new_game: bool) -> None:
        self._halted = False
        variant = analysis.position.variant
        if not self._client.alive() or variant is not self._variant:
            self._client.start(variant)
            self._variant, new_game = variant, True
        if new_game:
            self._client.new_game()
        self._set_lines(analysis.multipv)
        self._thread = threading.Thread(
            target=self._search, args=(analysis, limits), name=f"waits for {self.name}", daemon=True
        )
        self._thread.start()

    def _set_lines(self, multipv: int) -> None:
        process = self._client.process
        before = self._set[1] if self._set[0] is process else 1
        if multipv != before:
            self._client.set_option(MULTI_PV[self._dialect], str(multipv))
        self._set = process, multipv

    def _search(self, analysis: Analysis, limits: Limits) -> None:
        began = time.perf_counter()
        position = analysis.position
        readable = position.readable()

        def report(found: Found) -> None:
            if self._halted:  # a stop may have come before the order
                self._client.stop()
            analysis.tell(_info(analysis, readable, found, time.perf_counter() - began))

        self._client.on_report = report
        try:
            deadline = None
            if limits.move_time is not None and self._margin is not None:
                deadline = limits.move_time + self._margin
            if not readable.legal_moves():
                self._ended(analysis, None, None, None)
                return
            thought = self._client.think(readable, limits, deadline)
        except ClientError as failure:
            self._ended(analysis, None, None, failure)
        except Exception as failure:
            self._client.close()
            reason = f"{self.name}: internal error, {type(failure).__name__}: {failure}"
            self._ended(analysis, None, None, ClientError(Fault.CRASH, reason))
        else:
            self._ended(analysis, thought.move, thought.ponder, None)

    def _halt(self, analysis: Analysis) -> None:
        if analysis is self._current:
            self._halted = True
            self._client.stop()

    def _close(self) -> None:
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(self._margin)
        self._client.close()


def _option_text(name: object, value: object) -> str:
    """The value of an option as a protocol takes it."""
    checking.require("a name in options", name, str, "a text")
    checking.require(f"the option {name}", value, (str, bool, int, float, Path), "a text, a number, or True or False")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _info(analysis: Analysis, readable: ReadablePosition, found: Found, seconds: float) -> Info:
    position = analysis.position
    assert found.score is not None, "a report without a score is none"
    line = judging.legal_line(readable, found.line)
    score = PovScore(found.score, position.side)
    return Info(position, found.rank, found.depth, score, Bound.EXACT, found.nodes, seconds, line)
