"""The daemon over TCP: carries DXP messages to a session, and carries out what it returns.

One thread waits for the sockets; the engine's worker wakes it up through a pair of them, so that the same code runs on
Windows, where only sockets can be waited for. A listener takes one opponent at a time and goes on with the next when
one has gone; a connector calls again as long as there are games to play.
"""

from __future__ import annotations

import contextlib
import gc
import math
import queue
import selectors
import socket
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

from turkengine.daemon.log import Log
from turkengine.daemon.sockets import Callers, Connection
from turkengine.daemon.waiting import Waiting
from turkengine.engine.core import EngineCore
from turkengine.engine.kernel_types import Kernel, load_kernel
from turkengine.engine.options import Options
from turkengine.engine.report import Answer
from turkengine.errors import OptionError, unforeseen
from turkengine.interruption import INTERRUPTED, allowed, postponed
from turkengine.rules.variant import Variant
from turkengine.wire.actions import NewGame, Quit, StartSearch, StopSearch
from turkengine.wire.address import Address
from turkengine.wire.dxp.actions import DxpAction, GameOver, HangUp, Send, Tell
from turkengine.wire.dxp.session import DxpSession
from turkengine.wire.dxp.terms import DxpSettings

TICK = 0.5  # s of waiting at most: Ctrl-C is not noticed in between on Windows
CALLING = 1.9  # s that one attempt to connect may take; nothing can be said meanwhile
BETWEEN_CALLS = 0.5  # s

Event = Callable[[float], list[DxpAction]]


class DxpDaemon:
    """One session, one engine, and one opponent at a time."""

    def __init__(
        self,
        settings: DxpSettings,
        place: Address,
        options: Options,
        show: Callable[[str], None],
        verbose: bool = False,
        pdn: Path | None = None,
        load: Callable[[Variant], Kernel] = load_kernel,
    ) -> None:
        """Nothing runs yet.

        Args:
            settings: what is played; with `stays` we listen at `place`, otherwise we connect to it.
            place: where.
            options: of the engine.
            show: shows a line.
            verbose: whether details are shown too.
            pdn: the file that every game is added to.
            load: gives the kernel of a variant.
        """
        self._settings, self._place, self._show, self._verbose, self._pdn = settings, place, show, verbose, pdn
        self._engine = EngineCore(options, load, self._failed)
        self._options = options
        self._session = DxpSession(settings, load)
        self._selector = selectors.DefaultSelector()
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._wake, self._woken = socket.socketpair()
        self._callers: Callers | None = None  # None where it is we who call
        self._opponent: Connection | None = None
        self._awaiting = Waiting()  # what has to come next, for those who watch
        self._leaving: list[Connection] = []  # hung up, and not closed yet
        self._call_at, self._why = 0.0, ""  # when the next call is due, and why the last one has failed
        self._give_up_at = math.inf
        self._log = Log()
        self._now = self._began = 0.0
        self._faults = 0
        self._over = False

    def run(self) -> int:
        """Play until there is nothing more to play.

        Returns:
            The exit status: 0 when every game has ended in order, 1 when one has not or there was no opponent, 130
            after Ctrl-C or SIGTERM.
        """
        gc.freeze()  # what has been imported is never garbage, and need not be looked through in a game
        status = 0
        with postponed():  # whatever has come is followed to its end: a move is in the game, the game in its file
            try:
                if not self._begin():
                    return 1
                while not self._over:
                    self._turn()
            except KeyboardInterrupt:
                status = INTERRUPTED
                self._now = time.perf_counter()
                self._obey(self._session.interrupt())
            finally:
                self._end()
        return status or (1 if self._faults else 0)

    # The loop.

    def _begin(self) -> bool:
        """Make ready; whether there is a place to play at."""
        self._woken.setblocking(False)
        self._wake.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        try:
            self._log.open(self._options.log_file)
        except OptionError as error:
            self._show(str(error))
        for note in self._engine.configure(self._options):
            self._show(note)
        if self._settings.stays:
            try:
                self._callers = Callers(self._place)
            except OSError as error:
                self._show(f"cannot listen at {self._place}: {error.strerror or error}")
                return False
            self._selector.register(self._callers.stream, selectors.EVENT_READ)
            self._show(f"listening at {self._callers.place}")
        self._now = self._began = time.perf_counter()
        self._give_up_at = self._now + self._settings.patience
        return True

    def _turn(self) -> None:
        """Wait for what comes first, and do what there is to do."""
        wait = max(min(self._due() - time.perf_counter(), TICK), 0.0)
        with allowed():
            ready = {key.fileobj for key, _ in self._selector.select(wait)}
        self._now = time.perf_counter()
        if self._woken in ready:
            self._forget_waking()
        while not self._events.empty():
            self._hear(self._events.get())
        for leaving in self._leaving:
            if leaving.stream in ready:
                self._drain(leaving)
        if self._opponent is not None and self._opponent.stream in ready:
            self._read(self._opponent)
        if self._callers is not None and self._callers.stream in ready:
            self._callers.take(self._now)
        if self._session.deadline <= self._now:
            self._hear(self._session.timeout)
        self._flush()
        if self._callers is not None:
            unread = self._opponent is not None and self._opponent.stream in ready  # its end may follow what was read
            self._admit(self._callers, unread)
        elif self._opponent is None and not self._over and self._call_at <= self._now:
            self._call()
        self._say_what_is_awaited()

    def _due(self) -> float:
        connections = [*self._leaving, *([self._opponent] if self._opponent else [])]
        moments = [self._session.deadline, self._awaiting.due, *(connection.due for connection in connections)]
        if self._callers is None and self._opponent is None:
            moments.append(self._call_at)
        return min(moments)

    def _end(self) -> None:
        """Let the last messages out, close everything."""
        while self._leaving:
            self._selector.select(0.01)
            self._now = time.perf_counter()
            for leaving in self._leaving:
                self._drain(leaving)
            self._flush()
        for closing in (self._callers, self._opponent, self._wake, self._woken):
            if closing is not None:
                closing.close()
        self._selector.close()
        self._engine.close()

    # Connections.

    def _call(self) -> None:
        """Connect to the opponent, or to where it will be."""
        try:
            with allowed():
                stream = socket.create_connection((self._place.host, self._place.port), timeout=CALLING)
        except OSError as error:
            self._now = time.perf_counter()
            why = "no answer" if isinstance(error, TimeoutError) else error.strerror or str(error)
            if self._now >= self._give_up_at:
                self._show(f"cannot connect to {self._place}: {why}; given up")
                self._faults += 1
                self._over = True
            self._call_at, self._why = self._now + BETWEEN_CALLS, why
            return
        self._now = time.perf_counter()
        self._call_at = self._now + BETWEEN_CALLS  # also where the connection does not last
        self._welcome(stream, str(self._place))

    def _admit(self, callers: Callers, unread: bool) -> None:
        """Nobody gets in while a game is on; who calls between two games waits until that is clear."""
        if not callers.wait(self._now, unread):
            return
        if self._session.busy:
            stream, caller = callers.let_in()
            self._show(f"{caller} is turned away: a game is on")
            stream.close()
            return
        if self._opponent is not None and self._session.gives_way(self._now):
            self._close(self._opponent)
            self._hear(partial(self._session.disconnected, "has given way to another one"))
        if self._opponent is None and not self._over:
            self._welcome(*callers.let_in())

    def _welcome(self, stream: socket.socket, who: str) -> None:
        try:
            self._opponent = Connection(stream)
        except OSError:  # it has gone again
            stream.close()
            return
        self._selector.register(stream, selectors.EVENT_READ)
        self._show(f"connected with {who}")
        self._hear(self._session.connected)

    def _read(self, opponent: Connection) -> None:
        try:
            messages = opponent.receive()
        except OSError as error:
            return self._lost(f"has broken the connection: {error.strerror or error}")
        if messages is None:
            return self._lost("has closed the connection")
        for message in messages:
            self._note("<", "a message that is too long" if message is None else _text(message))
            if self._opponent is opponent:
                self._hear(partial(self._session.receive, message))

    def _note(self, sign: str, message: str) -> None:
        """Write to the log. A disk that is full ends it, not the game."""
        try:
            self._log.write(sign, message, self._now)
        except OptionError as error:
            self._show(str(error))

    def _lost(self, how: str) -> None:
        if self._opponent is not None:
            self._close(self._opponent)
            self._hear(partial(self._session.disconnected, how))

    def _drain(self, leaving: Connection) -> None:
        """Throw away what still comes, until the other end closes too."""
        try:
            ended = leaving.receive() is None
        except OSError:
            ended = True
        if ended:
            self._close(leaving)

    def _flush(self) -> None:
        """Send what is due, on every connection."""
        for connection in [*self._leaving, *([self._opponent] if self._opponent else [])]:
            try:
                connection.flush()
            except OSError as error:
                if connection is self._opponent:
                    self._lost(f"has broken the connection: {error.strerror or error}")
                else:
                    self._close(connection)
                continue
            if connection.over:
                self._close(connection)
        if self._opponent is not None and self._opponent.reads is not self._heard(self._opponent):
            if self._opponent.reads:
                self._selector.register(self._opponent.stream, selectors.EVENT_READ)
            else:
                self._selector.unregister(self._opponent.stream)

    def _heard(self, connection: Connection) -> bool:
        return connection.stream in self._selector.get_map()

    def _close(self, connection: Connection) -> None:
        if self._heard(connection):
            self._selector.unregister(connection.stream)
        connection.close()
        if connection is self._opponent:
            self._opponent = None
        self._leaving = [other for other in self._leaving if other is not connection]

    def _say_what_is_awaited(self) -> None:
        """Nobody who watches has to guess why nothing happens."""
        if self._opponent is not None:
            awaited = self._session.awaited
        else:
            awaited = "a call" if self._callers is not None else f"{self._place} to take the call ({self._why})"
        line = self._awaiting.line(None if self._over else awaited, max(self._session.since, self._began), self._now)
        if line is not None and (self._verbose or not self._session.thinking(self._now)):
            self._show(line)

    # What the session wants.

    def _hear(self, event: Event) -> None:
        """Let the session know, and do what it says. A mistake of ours costs the game that it is made in, no other."""
        try:
            actions = event(self._now)
        except Exception as error:
            self._show(unforeseen(error))
            if self._opponent is not None:
                self._close(self._opponent)
            actions = self._session.disconnected("cannot be followed after an internal error", self._now)
        self._obey(actions)

    def _obey(self, actions: list[DxpAction]) -> None:
        for action in actions:
            match action:
                case Send(data):
                    if self._opponent is not None:
                        self._opponent.send(data)
                        self._note(">", _text(data[:-1]))
                case Tell(line, detail):
                    if self._verbose or not detail:
                        self._show(line)
                case GameOver():
                    self._game_over(action)
                case HangUp():
                    if self._opponent is not None:
                        self._opponent.hang_up()
                        self._leaving.append(self._opponent)
                        self._opponent = None
                case NewGame():
                    self._engine.new_game()
                case StartSearch():
                    self._search(action)
                case StopSearch():
                    self._engine.stop()
                case Quit():
                    self._over = True

    def _search(self, search: StartSearch) -> None:
        try:
            self._engine.start(search.position, search.limits, lambda report: None, self._answered, self._now)
        except Exception as error:  # the game still needs a move
            self._show(unforeseen(error))
            self._answered(Answer(search.position.legal_moves()[0], None))

    def _game_over(self, action: GameOver) -> None:
        self._faults += action.record.fault
        self._give_up_at = self._now + self._settings.patience
        if self._pdn is not None:
            try:
                with self._pdn.open("a", encoding="utf-8") as file:
                    file.write(action.record.pdn(f"{date.today():%Y.%m.%d}"))
            except OSError as error:
                self._show(f"{self._pdn} cannot be written: {error.strerror}")
        self._show(str(action.record))

    def _answered(self, answer: Answer) -> None:
        """In the engine's thread."""
        self._queue(partial(self._session.answer, answer))

    def _failed(self, failure: Exception) -> None:
        """In the engine's thread."""
        self._queue(lambda _: [Tell(unforeseen(failure))])

    def _queue(self, event: Event) -> None:
        """Have an event taken by the thread that waits for the sockets."""
        self._events.put(event)
        with contextlib.suppress(OSError):  # full: it is awake; closed: nobody waits any more
            self._wake.send(b"\0")

    def _forget_waking(self) -> None:
        with contextlib.suppress(BlockingIOError, InterruptedError):
            while self._woken.recv(1024):
                pass


def _text(message: bytes) -> str:
    return message.decode("ascii", "backslashreplace")
