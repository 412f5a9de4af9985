"""A socket from its opening to its end: may it come in, how often may it speak, and to whom its messages go."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.websockets import WebSocket

from turkengine.board.guard import Allowance, Counter, address_of
from turkengine.board.visitors import NOT_HERE, TOO_OFTEN, Visitor
from turkengine.board.wire import Field, Message, WireError, message_of, number_of, object_of, refusal, written
from turkengine.errors import TurkengineError

FORGIVEN = 100  # messages beyond what is allowed, before whoever sends them is disconnected

Obey = Callable[[Visitor, Message], Awaitable[object]]


@dataclass(frozen=True)
class Place:
    """What a socket speaks with.

    Attributes:
        known: the messages that are understood.
        obey: does what one wants; what it returns as a mapping goes into the answer.
    """

    known: Mapping[str, Mapping[str, Field]]
    enter: Callable[[Visitor], Awaitable[None]]
    obey: Obey
    leave: Callable[[Visitor], object]


class Sockets:
    """All of them, counted by address."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._messages = Counter(allowance.messages, 1.0)
        self._open: dict[str, int] = defaultdict(int)
        self.visitors: set[Visitor] = set()

    async def hold(self, socket: WebSocket, visitor: Visitor, find: Callable[[], Awaitable[Place]]) -> None:
        """Carry one until it ends."""
        address = address_of(socket.scope)
        if self._open[address] >= self._allowance.sockets:
            await self._refuse(socket, TOO_OFTEN, "too-many", f"{self._allowance.sockets} connections are enough")
            return
        with self._counted(address, visitor):
            try:
                place = await find()
            except WireError as error:
                await self._refuse(socket, NOT_HERE, error.code, str(error))
                return
            await socket.accept()
            await place.enter(visitor)
            try:
                await visitor.hold(self._heard(address, visitor, place))
            finally:
                place.leave(visitor)

    def close(self, code: int) -> None:
        """Disconnect everybody."""
        for visitor in self.visitors:
            visitor.leave(code)

    @contextmanager
    def _counted(self, address: str, visitor: Visitor) -> Iterator[None]:
        self._open[address] += 1
        self.visitors.add(visitor)
        try:
            yield
        finally:
            self.visitors.discard(visitor)
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _refuse(self, socket: WebSocket, code: int, word: str, text: str) -> None:
        await socket.accept()  # only so does a page hear why
        await socket.send_text(refusal(word, text))
        await socket.close(code, text[:100])

    def _heard(self, address: str, visitor: Visitor, place: Place) -> Callable[[str | bytes], Awaitable[None]]:
        forgiven = FORGIVEN

        async def heard(data: str | bytes) -> None:
            nonlocal forgiven
            if not self._messages.more(address):
                forgiven -= 1
                if forgiven < 0:
                    raise WireError("too-many", "too many messages")
                visitor.tell(refusal("too-often", f"{self._allowance.messages} messages a second are enough"))
                return
            number = None
            try:
                if isinstance(data, bytes):
                    raise WireError("bad-json", "a message is a text frame, not a binary one")
                value = object_of(data)
                number = number_of(value)
                message = message_of(value, place.known)
                more = await place.obey(visitor, message)
                visitor.tell(written(type="ok", re=number, **(more if isinstance(more, dict) else {})))
            except WireError as error:
                visitor.tell(refusal(error.code, str(error), number))
            except TurkengineError as error:
                visitor.tell(refusal("illegal", str(error), number))
            except Exception as error:
                logging.getLogger("turkengine.board").exception("a message of a page")
                visitor.tell(refusal("internal", f"internal error, {type(error).__name__}", number))

        return heard
