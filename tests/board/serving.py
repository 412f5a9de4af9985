"""A real board in a process of its own, and browsers as the tests need them: requests, cookies, sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 20.0  # s


@dataclass
class Browser:
    """Somebody who visits the board.

    Attributes:
        cookies: by the path that they are sent to.
    """

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    sockets: list[Socket] = field(default_factory=list)

    def ask(self, method: str, path: str, body: object = None, **headers: str | None) -> tuple[int, Any]:
        """One request as a page makes it; a header that is None is left out."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        given: dict[str, str | None] = {"Host": f"127.0.0.1:{self.port}"}
        if method == "POST":
            given |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        cookie = self.cookies.get(path.rpartition("/")[0])
        given |= {"Cookie": cookie} | {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.putheader("Content-Length", str(len(raw) if method == "POST" else 0))
            connection.endheaders(raw if method == "POST" else None)
            answer = connection.getresponse()
            text = answer.read()
            for cookie in answer.headers.get_all("Set-Cookie") or ():
                pair, *attributes = cookie.split("; ")
                place = next(one.removeprefix("Path=") for one in attributes if one.startswith("Path="))
                self.cookies[place] = pair
            kind = answer.headers.get("Content-Type", "")
            return answer.status, json.loads(text) if kind.startswith("application/json") else text

    def new_game(self, variant: str = "turkish", **more: Any) -> dict[str, Any]:
        """A game, between two people at this browser where nothing else is said."""
        here = {"kind": "here", "name": "A"}
        status, made = self.ask("POST", "/api/games", {"variant": variant, "white": here, "black": here} | more)
        assert status == 201, made
        return made

    def connect(self, address: str, **headers: str) -> Socket:
        """Open the socket of a game or an analysis."""
        given = {"Origin": f"http://127.0.0.1:{self.port}"}
        if address in self.cookies:
            given["Cookie"] = self.cookies[address]
        given |= headers
        origin = given.pop("Origin", None)
        entering = connect(
            f"ws://127.0.0.1:{self.port}{address}/ws",
            origin=origin,
            additional_headers=given,
            proxy=None,
            open_timeout=PATIENCE,
            max_size=None,
            max_queue=None,
            compression=None,
        )
        socket = Socket(entering)
        self.sockets.append(socket)
        return socket


class Socket:
    """A conversation with the board."""

    def __init__(self, entering: ClientConnection) -> None:
        self._held = contextlib.ExitStack()
        self.raw = self._held.enter_context(entering)
        self.number = 0
        self.later: list[dict[str, Any]] = []

    def next(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; those of others wait."""
        for place, message in enumerate(self.later):
            if message["type"] in types:
                return self.later.pop(place)
        while True:
            message = json.loads(self.raw.recv(PATIENCE))
            if message["type"] in types:
                return message
            self.later.append(message)

    def say(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message; its answer, `ok` or `error`."""
        self.number += 1
        self.raw.send(json.dumps({"type": kind, "id": self.number, **fields}))
        answer = self.next("ok", "error")
        assert answer["re"] == self.number, answer
        return answer

    def close(self) -> None:
        self._held.close()


class Board:
    """`turkengine board` as a user starts it."""

    def __init__(self, folder: Path, *arguments: str, port: int = 0, lenient: bool = False) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "turkengine", "board", "--no-browser", "--port", str(port), *arguments]
        if lenient:
            command = [sys.executable, str(Path(__file__).with_name("lenient_board.py")), "board.db", str(port)]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            assert self.process.stderr is not None
            raise AssertionError(self.process.stderr.read())
        self.port = int(line.split(":")[-1].partition("/")[0])

    def browser(self) -> Browser:
        return Browser(self.port)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def end(self) -> str:
        """End it as Ctrl-C does; what it has said on standard error."""
        self.process.terminate()
        _, errors = self.process.communicate(timeout=PATIENCE)
        return errors


@contextlib.contextmanager
def board(folder: Path, *arguments: str, port: int = 0, lenient: bool = False) -> Iterator[Board]:
    """A board for the length of a test; what it says on standard error is a failure."""
    running = Board(folder, *arguments, port=port, lenient=lenient)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.terminate()
        _, errors = running.process.communicate(timeout=PATIENCE)
    assert "Traceback" not in errors, errors
