"""A DXP daemon in a thread, and opponents in the hands of a test."""

from __future__ import annotations

import socket
import struct
import threading
from pathlib import Path

from turkengine.daemon.tcp import DxpDaemon
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.games import INTERNATIONAL
from turkengine.wire.address import Address
from turkengine.wire.dxp.terms import DxpSettings

ANYWHERE = Address("127.0.0.1", 0)
LONGEST = 20.0  # s for anything awaited; what takes longer hangs
QUICK = Limits(nodes=200)


class Running:
    """A daemon in a thread of its own, and the lines that it shows."""

    def __init__(
        self, place: Address, options: Options | None = None, pdn: Path | None = None, **wanted: object
    ) -> None:
        settings = DxpSettings(**{"variant": INTERNATIONAL, "name": "us", "limits": QUICK, **wanted})  # type: ignore[arg-type]
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self.daemon = DxpDaemon(settings, place, options or Options(hash=1), self._show, pdn=pdn)
        self.status: int | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self.status = self.daemon.run()
        self._show("ended")

    def _show(self, line: str) -> None:
        with self._changed:
            self.lines.append(line)
            self._changed.notify_all()

    def line(self, start: str, count: int = 1) -> str:
        """The so manieth line that begins like this, once it has come."""

        def found() -> list[str]:
            return [line for line in self.lines if line.startswith(start)]

        with self._changed:
            assert self._changed.wait_for(lambda: len(found()) >= count, LONGEST), self.lines
            return found()[count - 1]

    def ended(self) -> int | None:
        """The exit status, once it has ended."""
        self.line("ended")
        return self.status

    @property
    def place(self) -> Address:
        """Where it listens."""
        host, _, port = self.line("listening at ").removeprefix("listening at ").rpartition(":")
        return Address(host, int(port))

    def end(self) -> None:
        self.daemon._over = True
        self._thread.join(LONGEST)
        assert not self._thread.is_alive()


class Peer:
    """The other end of a connection, in the hands of the test."""

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream
        self.stream.settimeout(LONGEST)
        self._begun = b""

    def say(self, *messages: str | bytes) -> None:
        for message in messages:
            self.stream.sendall((message.encode() if isinstance(message, str) else message) + b"\0")

    def hear(self) -> str:
        """The next message, empty where the connection has been closed."""
        while b"\0" not in self._begun:
            data = self.stream.recv(1000)
            if not data:
                assert not self._begun
                return ""
            self._begun += data
        message, _, self._begun = self._begun.partition(b"\0")
        return message.decode("ascii")

    def close(self) -> None:
        self.stream.close()

    def reset(self) -> None:
        """Close so that the other end sees an error."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.stream.close()


def call(listener: Running) -> Peer:
    return Peer(socket.create_connection((listener.place.host, listener.place.port)))
