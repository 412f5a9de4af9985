"""A program at the other end of a DXP connection, as a client.

The protocol knows games, not positions: a game is asked for when its first move is needed, so that it begins where the
opening ends, and each question sends the other player's last move. The program keeps its own clock and takes no other
limits than the minutes of a whole game.
"""

from __future__ import annotations

import contextlib
import socket
import time
from types import TracebackType
from typing import Self, TypeVar

from turkengine.client.contract import ClientError, ClientFault, Log, Thought
from turkengine.engine.kernel_types import load_kernel
from turkengine.engine.limits import Limits
from turkengine.rules.outcome import outcome
from turkengine.rules.position import GamePosition, Position
from turkengine.rules.variant import Variant
from turkengine.wire.address import Address
from turkengine.wire.dxp.actions import Send
from turkengine.wire.dxp.client import (
    Accepted,
    Broken,
    DxpClientSession,
    DxpClientState,
    Happening,
    Moved,
    Over,
    Refused,
    TakenBack,
)
from turkengine.wire.dxp.codec import FrameSplitter
from turkengine.wire.dxp.frames import EndReason

PATIENCE = 20.0  # s for the call to be taken, and for the answer to a request
BETWEEN_CALLS = 0.2  # s
ENDING = 1.5  # s for the confirmation of an end, and for an end that is due
APART = 0.02  # s between two messages: a widely used program loses one that arrives together with another
SENDING = 5.0  # s that a message may take to be sent
TICK = 0.5  # s of waiting at most: Ctrl-C is not noticed in between on Windows
LATE = 0.1  # s after the end of a wait in which what has come by then is still taken, and no more of a flood
CHUNK = 1 << 14  # bytes read at once

MISCOUNTING = ("scan",)  # programs, as their names begin, that go back to another move than the one asked for

E = TypeVar("E", Accepted, Moved, Over, TakenBack)
CLAIMS = {
    EndReason.UNKNOWN: "without a result",
    EndReason.DRAWN: "and says that it is a draw",
    EndReason.WON: "and says that it has won",
}


class DxpClient:
    """One program that listens."""

    def __init__(self, place: Address, name: str = "", patience: float = PATIENCE) -> None:
        """Nothing is connected yet.

        Args:
            place: where it listens.
            name: what it is called here; what it calls itself if empty.
            patience: seconds that it has to take a call, and to answer a request.
        """
        self._place, self._patience = place, patience
        self._named = bool(name)
        self.name = name or f"dxp:{place}"
        self.log: Log | None = None
        self._variant: Variant | None = None
        self._connection: _Connection | None = None
        self._session: DxpClientSession | None = None
        self._since = 0.0  # when its last move came

    def start(self, variant: Variant) -> None:
        """Call it; that it is set to the variant shows with the first game."""
        if self.alive() and variant is self._variant:
            return
        self.close()
        self._variant = variant
        until = time.perf_counter() + self._patience
        while True:
            try:
                stream = socket.create_connection((self._place.host, self._place.port), timeout=self._patience)
                self._connection = _Connection(stream)
                break
            except OSError as error:
                if time.perf_counter() >= until:
                    why = error.strerror or str(error)
                    raise self._fault(ClientFault.START, f"cannot connect to {self._place}: {why}") from None
            time.sleep(BETWEEN_CALLS)
        self._session = DxpClientSession(variant, load_kernel)

    def new_game(self) -> None:
        """End the game that is on; the next one is asked for with its first position."""
        if self.alive():
            self._end_game("")
        if not self.alive():
            assert self._variant is not None, "it is called before its first game"
            self.start(self._variant)

    def think(self, position: GamePosition, limits: Limits, deadline: float | None = None) -> Thought:
        """Send the last move, or ask for a game where none is on, and wait for its move."""
        if self._session is None or self._connection is None:
            raise self._fault(ClientFault.CRASH, "it is not connected")
        try:
            thought = self._catch_up()
            if thought is not None:
                return thought
            if not self._session.follows(position):
                self._end_game("")
                self._ask_for_game(position, limits)
            self._send(self._session.play(position, time.perf_counter() - self._since))
            ordered = time.perf_counter()
            found = self._next(Moved, None if deadline is None else ordered + deadline)
        except OSError as error:
            self.close()
            raise self._fault(ClientFault.CRASH, f"the connection is broken: {error.strerror or error}") from None
        if found is None:
            assert deadline is not None
            raise self._late(deadline)
        if isinstance(found, Over):
            return self._given_up(found)
        self._since = time.perf_counter()
        return Thought(found.move, seconds=self._since - ordered)

    def take_back(self, position: Position) -> str:
        """Ask it to go back to `position`; where it does not answer, the game there is ended."""
        if self._session is None or not self.alive():
            return ""  # no game is on there, so the next one begins with what is on the board then
        try:
            if self._session.opponent.casefold().startswith(MISCOUNTING):
                return f"{self.name} cannot take moves back: it loses count"
            asked = self._session.take_back(position)
            self._send(asked)
            found = self._next(TakenBack, time.perf_counter() + self._patience) if asked else None
        except OSError as error:
            self.close()
            raise self._fault(ClientFault.CRASH, f"the connection is broken: {error.strerror or error}") from None
        if isinstance(found, Over):
            return f"{self.name} has ended the game"
        if found is None:
            self._end_game("")
            return ""
        self._since = time.perf_counter()
        return "" if found.agreed else f"{self.name} does not agree"

    def give_up(self) -> None:
        """Tell it that our side has given up."""
        self._end_game("", given_up=True)

    def game_over(self, position: Position) -> None:
        """Tell it the last move, and wait for the end or say it."""
        if self._session is None or self._connection is None:
            return
        with contextlib.suppress(OSError, ClientError):  # whatever it says now, the game is over
            if self._session.follows(position):
                self._send(self._session.play(position, time.perf_counter() - self._since))
                if outcome(position) is not None and self._next(Over, time.perf_counter() + ENDING) is not None:
                    return
        self._end_game("")

    def alive(self) -> bool:
        """Whether the connection is there."""
        return self._connection is not None and not self._connection.closed

    def close(self) -> None:
        """End the game that is on, and hang up."""
        if self.alive():
            self._end_game("")
        self._hang_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # The game.

    def _ask_for_game(self, position: GamePosition, limits: Limits) -> None:
        assert self._session is not None
        self._send(self._session.request(position, limits))
        if self._next(Accepted, time.perf_counter() + self._patience) is None:
            strange = self._session.strange
            self._hang_up()
            said = f"; {strange}" if strange else ""
            raise self._fault(
                ClientFault.START, f"no answer to the request for a game within {self._patience:g} s{said}"
            )
        if self._session.opponent and not self._named:
            self.name = self._session.opponent
        self._since = time.perf_counter()

    def _catch_up(self) -> Thought | None:
        """What has come since its last move: nothing, in a game that goes on."""
        assert self._session is not None
        playing = self._session.state is DxpClientState.OURS
        found = self._next(Over, time.perf_counter())
        return self._given_up(found) if isinstance(found, Over) and playing else None

    def _given_up(self, over: Over) -> Thought:
        """The answer of a program that ends the game in place of a move."""
        if over.last:
            self._hang_up()
        if over.reason is EndReason.LOST:
            return Thought(None)
        raise self._fault(ClientFault.ABANDONED, f"it ends the game {CLAIMS[over.reason]}")

    def _late(self, deadline: float) -> ClientError:
        self._end_game(f"no move within {deadline:.3f} s")
        told = f"no move within {deadline:.3f} s"
        if self.alive():
            return self._fault(ClientFault.TIMEOUT, told)
        return self._fault(ClientFault.SILENCE, f"{told}, and the end of the game was not confirmed")

    def _end_game(self, why: str, given_up: bool = False) -> None:
        """Say that the game is over, if one is on, and wait for the confirmation; without one the line is cut."""
        if self._session is None:
            return
        try:
            self._send(self._session.end(why, given_up))
            if self._session.state is not DxpClientState.ENDING:
                return
            until = time.perf_counter() + ENDING
            while self._session.state is DxpClientState.ENDING and time.perf_counter() < until:
                if isinstance(over := self._next(Over, until, forgiving=True), Over) and over.last:
                    self._hang_up()
                    return
            if self._session.state is DxpClientState.ENDING:
                self._hang_up()
        except (OSError, ClientError):
            self._hang_up()

    # The wire.

    def _next(self, kind: type[E], until: float | None, forgiving: bool = False) -> E | Over | None:
        """The next event of a kind, or the end of the game; None where neither has come until then.

        Raises:
            ClientError: it refuses the game, or breaks a rule; a `forgiving` caller does not care any more.
            OSError: the connection is broken.
        """
        assert self._session is not None
        while self._connection is not None:
            message = self._connection.receive(until)
            if message is _NOTHING:
                return None
            self._note("<", "(a message that is too long)" if message is None else _text(message))
            for event in self._session.receive(message):
                if isinstance(event, Send):
                    self._send([event])
                elif isinstance(event, Broken | Refused):
                    if not forgiving:
                        self._give_up(event)
                elif isinstance(event, kind | Over):
                    return event
        raise OSError("the connection is closed")

    def _give_up(self, event: Happening) -> None:
        """The game cannot go on; the people at the other end get to know why."""
        if isinstance(event, Refused):
            raise self._fault(ClientFault.START, event.why)
        assert isinstance(event, Broken)
        self._end_game(event.why)
        fault = ClientFault.GARBAGE if event.move is None and event.article is None else ClientFault.ILLEGAL_MOVE
        raise ClientError(fault, f"{self.name}: {event.why}", event.article, event.move)

    def _send(self, messages: list[Send]) -> None:
        for message in messages:
            if self._connection is None:
                raise OSError("the connection is closed")
            self._note(">", _text(message.data[:-1]))
            self._connection.send(message.data)

    def _hang_up(self) -> None:
        connection, self._connection, self._session = self._connection, None, None
        if connection is not None:
            connection.close()

    def _fault(self, reason: ClientFault, what: str) -> ClientError:
        return ClientError(reason, f"{self.name}: {what}")

    def _note(self, sign: str, line: str) -> None:
        log = self.log
        if log is not None:
            log(sign, line)


_NOTHING = b"\0"  # no message holds it


class _Connection:
    """Messages through a socket, waited for."""

    def __init__(self, stream: socket.socket) -> None:
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._stream = stream
        self._splitter = FrameSplitter()
        self._messages: list[bytes | None] = []
        self._next = 0.0  # the moment from which the next message may go

    @property
    def closed(self) -> bool:
        """Whether the other end has hung up; what it has said before may still be read."""
        if self._messages:
            return False
        try:
            self._stream.setblocking(False)
            return not self._stream.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True

    def send(self, data: bytes) -> None:
        """Send a message, not too soon after the one before."""
        time.sleep(max(self._next - time.perf_counter(), 0.0))
        self._stream.settimeout(SENDING)
        self._stream.sendall(data)
        self._next = time.perf_counter() + APART

    def receive(self, until: float | None) -> bytes | None:
        """The next message, None for one that was too long, `_NOTHING` where none has come until then.

        One that sends without pause, messages or bytes of none, gains no time by it.
        """
        if until is not None and time.perf_counter() >= until + LATE:
            return _NOTHING
        while not self._messages:
            wait = TICK if until is None else max(min(until - time.perf_counter(), TICK), 0.0)
            self._stream.settimeout(wait)
            try:
                data = self._stream.recv(CHUNK)
            except (TimeoutError, BlockingIOError, InterruptedError):
                if until is not None and time.perf_counter() >= until:
                    return _NOTHING
                continue
            if not data:
                raise OSError("it has hung up")
            self._messages += self._splitter.feed(data)
            if not self._messages and until is not None and time.perf_counter() >= until + LATE:
                return _NOTHING
        return self._messages.pop(0)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)
        self._stream.close()


def _text(message: bytes) -> str:
    return message.decode("ascii", "replace")
