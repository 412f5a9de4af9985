"""What a conversation of `check.py` is held with: a process and its pipes, or a program that listens at a port.

Only the standard library is used.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator


class Difference(Exception):
    """The engine did something that the transcript does not say."""


class Pipes:
    """An engine as a process, spoken to in lines."""

    end = b"\n"

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def pieces(self) -> Iterator[bytes]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            yield line.removesuffix(self.end)

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def finish(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def status(self, wait: float) -> int:
        try:
            return self.process.wait(wait)
        except subprocess.TimeoutExpired:
            raise Difference("the output is closed, but the process still runs") from None

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class Messages:
    """An engine that listens, spoken to in messages; its process, if we start it, is nobody's business but ours."""

    end = b"\0"

    def __init__(self, command: list[str], place: tuple[str, int] | None, wait: float) -> None:
        self.place = place or ("127.0.0.1", free_port())
        words = [word.replace("{port}", str(self.place[1])) for word in command]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet) if command else None
        self.stream = self.call(wait)

    def call(self, wait: float) -> socket.socket:
        until = time.monotonic() + wait
        while True:
            try:
                stream = socket.create_connection(self.place)
            except OSError as error:
                if time.monotonic() > until or (self.process is not None and self.process.poll() is not None):
                    self.close()
                    raise Difference(f"nobody listens at {self.place[0]}:{self.place[1]}: {error}") from None
                time.sleep(0.05)
            else:
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return stream

    def pieces(self) -> Iterator[bytes]:
        begun, stream = b"", self.stream
        try:
            while data := stream.recv(4096):
                *whole, begun = (begun + data).split(self.end)
                yield from whole
        except OSError:
            pass
        if begun:
            yield begun

    def write(self, data: bytes) -> None:
        self.stream.sendall(data)

    def finish(self) -> None:
        with contextlib.suppress(OSError):  # it is closed at the other end
            self.stream.shutdown(socket.SHUT_WR)

    def status(self, wait: float) -> int:
        return 0

    def hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self.stream.shutdown(socket.SHUT_RDWR)  # else a thread that still reads would keep it open
        self.stream.close()

    def call_again(self, wait: float) -> None:
        self.hang_up()
        self.stream = self.call(wait)

    def close(self) -> None:
        if hasattr(self, "stream"):
            self.hang_up()
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def place(text: str) -> tuple[str, int]:
    """HOST:PORT, taken apart."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)
