"""Whoever is connected: what is said to him waits in a line of its own, and who does not read is let go.

Nothing waits for a reader. His line takes so much; when it is full he is disconnected, and sees all of it again when he
comes back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from turkengine.board.wire import WireError
from turkengine.rules.variant import Side

LONGEST_LINE = 64  # messages
LARGEST_LINE = 2_000_000  # characters
STALLED, TOO_OFTEN, NOT_HERE, NOT_ALLOWED, ENDING = 4408, 4429, 4404, 4403, 1012


class Visitor:
    """One socket.

    Attributes:
        seats: those of the game that its browser holds.
        name: of one who looks on.
        muted: whether it wants nothing of those who look on.
    """

    def __init__(self, socket: WebSocket, seats: tuple[Side, ...] = ()) -> None:
        self.socket, self.seats = socket, seats
        self.name, self.muted = "", False
        self._line: asyncio.Queue[str] = asyncio.Queue()
        self._waiting = 0
        self._task: asyncio.Task[None] | None = None
        self.gone = asyncio.Event()
        self.code = STALLED

    def tell(self, text: str) -> None:
        """Say something; it is sent when he reads."""
        if self.gone.is_set():
            return
        self._waiting += len(text)
        if self._line.qsize() >= LONGEST_LINE or self._waiting > LARGEST_LINE:
            self.leave(STALLED)
            return
        self._line.put_nowait(text)

    def leave(self, code: int) -> None:
        """Disconnect him."""
        self.code = code
        self.gone.set()

    async def hold(self, heard: Callable[[str | bytes], Awaitable[None]]) -> None:
        """Carry the conversation until one side ends it.

        Args:
            heard: takes each message; what it raises as WireError with the code `too-many` ends it.
        """
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read(heard))
        leaving = asyncio.create_task(self.gone.wait())
        tasks = (writer, reader, leaving)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            left = self.gone.is_set()
            self.gone.set()
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            if left:
                with suppress(Exception):  # he may be gone already
                    await asyncio.wait_for(self.socket.close(self.code), 1)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, (WebSocketDisconnect, RuntimeError, OSError)):
                raise result

    async def _write(self) -> None:
        while True:
            text = await self._line.get()
            await self.socket.send_text(text)
            self._waiting -= len(text)

    async def _read(self, heard: Callable[[str | bytes], Awaitable[None]]) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            try:
                said = heard(text if text is not None else message.get("bytes") or b"")
                await asyncio.shield(asyncio.ensure_future(said))  # what has begun is done, also where he leaves
            except WireError as error:
                self.leave(TOO_OFTEN if error.code == "too-many" else ENDING)
                return
