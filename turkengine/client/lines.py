"""An engine that speaks a line protocol, as a client: a process, and a conversation with it.

Every wait has an end. An engine that does not answer in time is asked to stop; if it does not even do that its process
is killed, and started again when it is needed next.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from turkengine.client import judging
from turkengine.client.contract import ClientError, ClientFault, Log, Thought
from turkengine.client.dialects import detected
from turkengine.client.process import Ended, OutputLine, Process, words_of
from turkengine.engine.limits import Limits
from turkengine.errors import OptionError, VariantError, shown
from turkengine.rules.position import GamePosition, Position
from turkengine.rules.variant import Variant
from turkengine.waiting import Tell, Waiting
from turkengine.wire.client_session import (
    Answered,
    ClientSession,
    Complained,
    Event,
    Found,
    Greeted,
    InStep,
    Ready,
    Stage,
)
from turkengine.wire.hub_client import HubClientSession

PATIENCE = 20.0  # s for the greeting, and again until it is ready
STOPPING = 1.0  # s from `stop` to the answer
LEAVING = 1.0  # s from `quit` to the end
CATCHING_UP = 1.0  # s for what an engine has written since its answer

E = TypeVar("E", Greeted, Ready, InStep, Answered)


class LineClient:
    """A process that speaks the dialect of a client session."""

    def __init__(
        self,
        command: str,
        talk: Callable[[], ClientSession] | None,
        name: str = "",
        options: Mapping[str, str] | None = None,
        directory: Path | None = None,
        patience: float | None = None,
    ) -> None:
        """Nothing is started yet.

        Args:
            command: the program and its arguments.
            talk: makes a conversation in the dialect of the engine; None to find out which it is at the start.
            name: what it is called here; what it calls itself if empty.
            options: set by name before the first game.
            directory: where the program runs; the current one if None.
            patience: seconds that it has to greet, and to get ready; `PATIENCE` if None.

        Raises:
            OptionError: the command cannot be read.
        """
        self._command, self._words, self._directory = command, words_of(command), directory
        self._talk, self._options, self._patience = (
            talk,
            dict(options or {}),
            PATIENCE if patience is None else patience,
        )
        self._named = bool(name)
        self.name = name or command
        self._journal = _Journal()
        self.on_report: Callable[[Found], None] | None = None  # called in `think` with what the search reports
        self.on_wait: Tell | None = None  # called with a line for people where something does not come
        self._process: Process | None = None
        self._session = talk() if talk is not None else HubClientSession()  # until the dialect is known
        self._variant: Variant | None = None

    @property
    def log(self) -> Log | None:
        """As in `Client`."""
        return self._journal.log

    @log.setter
    def log(self, log: Log | None) -> None:
        self._journal.log = log

    @property
    def session(self) -> ClientSession:
        """The conversation: what the engine has declared can be looked up there."""
        return self._session

    @property
    def dialect(self) -> str:
        """What it speaks, as far as that is known."""
        return self._session.dialect

    @property
    def ungreeted(self) -> bool:
        """Whether it has been greeted, and has said nothing that would be an answer in any dialect."""
        return self._session.stage is Stage.GREETING and not self._session.seems

    @property
    def process(self) -> Process:
        """The process, for whoever has more to say than a client."""
        assert self._process is not None, "it has been started"
        return self._process

    def start(self, variant: Variant) -> None:
        """Start the process and have it get ready. What plays already stays; for another variant it starts anew."""
        if self._process is not None and self.alive() and variant is self._variant:
            return
        self.close()
        self._variant = variant
        if self._directory is not None and not self._directory.is_dir():
            raise self._fault(ClientFault.START, f"its folder {self._directory} is not there")
        if self._talk is None:
            self._talk = detected(self._command, self._directory, self.on_wait)
        self._session = self._talk()
        try:
            self._process = Process(self._words, self._directory, self._journal.note)
        except OSError as error:
            raise self._fault(
                ClientFault.START, f"{self._words[0]} cannot be started: {error.strerror or error}"
            ) from None
        try:
            self._process.send(*self._session.hello())
            self._await(Greeted, "greet")
            if self._session.seems and not self._session.name:
                seems, said = self._session.seems, shown(self._session.strange or "")
                raise self._fault(
                    ClientFault.START,
                    f"it does not speak {self._session.dialect}, since it says {said}; write {seems}:{self._command}",
                )
            if self._session.name and not self._named:
                self.name = self._session.name
            self._process.send(*self._session.set_up(variant, self._options))
            self._await(Ready, "get ready", complaints=True)
        except (VariantError, OptionError) as error:
            self._end()
            raise self._fault(ClientFault.START, str(error)) from None
        except BaseException:
            self._end()
            raise

    def new_game(self) -> None:
        """Have the engine forget the game before, and be sure that nothing of it is still to come."""
        if not self.alive():
            assert self._variant is not None, "an engine is started before its first game"
            self.start(self._variant)
        assert self._process is not None
        self._process.send(*self._session.new_game())
        try:
            self._await(InStep, "get ready for a new game", fault=ClientFault.SILENCE)
        except ClientError:
            self._end()
            raise
        self._session.unasked = None

    def think(self, position: GamePosition, limits: Limits, deadline: float | None = None) -> Thought:
        """Order a search, and take the answer."""
        process, session = self._process, self._session
        if process is None:
            raise self._fault(ClientFault.CRASH, "it does not run")
        try:
            self._catch_up(process)
            lines = session.ask(position, limits)
            timed = limits.move_time is not None or limits.clock is not None  # then silence has an end anyhow
            waiting = None if timed or self.on_wait is None else Waiting(f"{self.name} to answer", self.on_wait)
            ordered = time.perf_counter()
            process.send(*lines)
            found = self.wait_for(Answered, None if deadline is None else ordered + deadline, waiting=waiting)
        except OptionError as error:
            raise self._fault(ClientFault.START, str(error)) from None
        except Ended as ended:
            self._end()
            raise self._fault(ClientFault.CRASH, str(ended)) from None
        if found is None:
            assert deadline is not None
            raise self._late(deadline)
        answer, moment = found
        return self._judged(position, answer, moment - ordered)

    def stop(self) -> None:
        """Have the search under way end; `think`, in another thread, returns what it has found."""
        process = self._process
        if process is not None and self._session.stage is Stage.SEARCHING:
            process.send(*self._session.stop())

    def set_option(self, name: str, value: str) -> None:
        """Set an option between searches.

        Raises:
            OptionError: the engine has none of this name, or it does not take the value.
        """
        known = self._session.parameter(name)
        if known is not None:
            known.check(value)
        self.process.send(self._session.setting_line(known.name if known is not None else name, value))

    def game_over(self, position: Position) -> None:
        """It keeps no game, so there is nothing to send."""

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.running

    def close(self) -> None:
        """Say goodbye, and see to it that the process is gone."""
        if self._process is None:
            return
        if self._process.running:
            if self._session.stage is Stage.SEARCHING:
                self._process.send(*self._session.stop())
            self._process.send(*self._session.quit())
            self._process.finish()
            self._process.wait(LEAVING)
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _judged(self, position: GamePosition, answer: Answered, seconds: float) -> Thought:
        found = answer.found
        thought = partial(
            Thought,
            depth=found.depth,
            nodes=found.nodes,
            score=found.score,
            seconds=seconds,
            find_line=partial(judging.legal_line, position, found.line),
        )
        if answer.move is None:
            return thought(None)
        try:
            move = judging.legal_move(self.name, position, answer.move)
        except ClientError as error:
            complaint = self._session.complaint
            if complaint:
                error.args = (f"{error}; before, it complained: {complaint}",)
            raise
        said = () if answer.ponder is None else (answer.move, answer.ponder)
        return thought(move, find_both=partial(judging.legal_line, position, said))

    def _await(
        self, kind: type[E], doing: str, fault: ClientFault = ClientFault.START, complaints: bool = False
    ) -> None:
        """Wait for an event of the beginning; with `complaints`, one of the engine is the end of it."""
        until = time.perf_counter() + self._patience
        try:
            found = self.wait_for(kind, until, complaints, Waiting(f"{self.name} to {doing}", self.on_wait))
        except Ended as ended:
            raise self._fault(ClientFault.CRASH if fault is not ClientFault.START else fault, str(ended)) from None
        if found is None:
            said = f"; it says {shown(self._session.strange)}" if self._session.strange else ""
            raise self._fault(fault, f"it does not {doing} within {self._patience:g} s{said}")

    def wait_for(
        self, kind: type[E], until: float | None, complaints: bool = False, waiting: Waiting | None = None
    ) -> tuple[E, float] | None:
        """The next event of a kind and its moment; None where it has not come until then, whatever else comes.

        Raises:
            Ended: none can come any more.
            ClientError: with `complaints`, where the engine complains.
        """
        process, end = self._process, math.inf if until is None else until
        assert process is not None
        while True:
            line = process.receive(end if waiting is None else min(end, waiting.due), self._put_aside)
            if line is not None:
                event = self._hear(line)
                if isinstance(event, kind):
                    return event, line.moment
                if complaints and self._session.complaints_count and isinstance(event, Complained):
                    raise self._fault(ClientFault.START, f"it complains: {event.message}")
            now = time.perf_counter() if line is None else line.moment
            if now >= end:
                return None
            if waiting is not None:
                waiting.look(now, process.heard if self._session.stage is Stage.SEARCHING else 0.0)

    def _catch_up(self, process: Process) -> None:
        """Take what has come since the last answer; another answer among it puts everything in doubt."""
        until = time.perf_counter() + CATCHING_UP
        while (line := process.receive(0.0)) is not None:
            self._hear(line)
            if line.moment >= until:
                self._end()
                raise self._fault(ClientFault.GARBAGE, "it does not stop writing, though nothing has been asked")
        if self._session.unasked is not None:
            self._end()
            raise self._fault(ClientFault.GARBAGE, f"it has answered once too often: {shown(self._session.unasked)}")

    def _put_aside(self, data: bytes) -> bool:
        """Leave reports unread, unless somebody wants to see every line."""
        return self.log is None and self.on_report is None and self._session.put_aside(data)

    def _hear(self, line: OutputLine) -> Event | None:
        if line.text is not None:
            if self.on_report is not None and (found := self._session.told(line.text)) is not None:
                self.on_report(found)
            return self._session.receive(line.text)
        self._session.strange = self._session.strange or "a line without end"
        return None

    def _late(self, deadline: float) -> ClientError:
        """No answer has come in time: stop the search, or else the process."""
        assert self._process is not None
        self._process.send(*self._session.stop())
        strange = self._session.strange
        said = f"; it says {shown(strange)}" if strange else ""
        try:
            stopped = self.wait_for(Answered, time.perf_counter() + STOPPING) is not None
        except Ended as ended:
            self._end()
            return self._fault(ClientFault.CRASH, f"no answer within {deadline:.3f} s, and when it was stopped {ended}")
        if stopped:
            return self._fault(ClientFault.TIMEOUT, f"no answer within {deadline:.3f} s")
        self._end()
        fault = ClientFault.GARBAGE if strange else ClientFault.SILENCE
        return self._fault(fault, f"no answer within {deadline:.3f} s, and none when it was stopped{said}")

    def _fault(self, reason: ClientFault, what: str) -> ClientError:
        return ClientError(reason, f"{self.name}: {what}")

    def _end(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()


class _Journal:
    """What the threads of a process write to. They keep no client alive that nobody has any more."""

    log: Log | None = None

    def note(self, sign: str, line: str) -> None:
        """A line was sent, or has come."""
        log = self.log
        if log is not None:
            log(sign, line)
