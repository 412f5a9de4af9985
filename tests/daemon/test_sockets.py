"""Messages through one socket at moments that the test sets."""

from __future__ import annotations

import math
import socket
from collections.abc import Iterator

import pytest

from turkengine.daemon.sockets import APART, CHUNK, MOST_UNSENT, Connection, listen
from turkengine.wire.address import Address


def test_a_place_can_be_listened_at_again_at_once() -> None:
    first = listen(Address("127.0.0.1", 0))
    port = first.getsockname()[1]
    with socket.create_connection(("127.0.0.1", port)) as caller:
        taken, _ = first.accept()
        taken.close()
        first.close()
        listen(Address("127.0.0.1", port)).close()
        caller.recv(1)


class TestConnection:
    @pytest.fixture
    def ends(self) -> Iterator[tuple[Connection, socket.socket]]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            far = socket.create_connection(server.getsockname())
            near, _ = server.accept()
        far.settimeout(10)
        connection = Connection(near)
        yield connection, far
        connection.close()
        far.close()

    def test_sends_one_message_at_a_time_and_keeps_them_apart(self, ends: tuple[Connection, socket.socket]) -> None:
        connection, far = ends
        connection.send(b"one\0")
        connection.send(b"two\0")
        assert connection.due <= 50.0
        connection.flush(50.0)
        assert far.recv(100) == b"one\0"
        assert connection.due == 50.0 + APART
        connection.flush(50.0 + APART / 2)
        far.setblocking(False)
        with pytest.raises(BlockingIOError):
            far.recv(100)
        far.settimeout(10)
        connection.flush(50.0 + APART)
        assert far.recv(100) == b"two\0"
        assert connection.due == math.inf

    def test_gives_whole_messages(self, ends: tuple[Connection, socket.socket]) -> None:
        connection, far = ends
        assert connection.receive() == [], "nothing has come"
        connection.stream.settimeout(10)
        far.sendall(b"E00\0E01\0M00")
        assert connection.receive() == [b"E00", b"E01"]
        far.sendall(b"00\0")
        assert connection.receive() == [b"M0000"]
        far.close()
        assert connection.receive() is None

    def test_does_not_listen_to_an_end_that_does_not(self, ends: tuple[Connection, socket.socket]) -> None:
        connection, _ = ends
        for _ in range(MOST_UNSENT):
            assert connection.reads
            connection.send(b"K0\0")
        assert not connection.reads

    def test_waits_for_an_end_that_takes_nothing_and_loses_nothing(
        self, ends: tuple[Connection, socket.socket]
    ) -> None:
        connection, far = ends
        message = b"x" * 1_000_000 + b"\0"
        for _ in range(20):
            connection.send(message)
        for turn in range(1000):
            connection.flush(float(turn))
        assert connection.due < math.inf, "it is full"
        received, turn = 0, 1000
        while connection.due < math.inf or received < 20 * len(message):
            connection.flush(float(turn))
            received += len(far.recv(1 << 20))
            turn += 1
        assert received == 20 * len(message)

    def test_that_is_hung_up_sends_what_it_has_and_lets_the_other_end_close(
        self, ends: tuple[Connection, socket.socket]
    ) -> None:
        connection, far = ends
        connection.send(b"A\0")
        connection.send(b"E01\0")
        connection.hang_up(10.0)
        connection.flush(10.0)
        connection.flush(10.1)
        assert not connection.over(10.2)
        assert far.recv(CHUNK) + far.recv(CHUNK) == b"A\0E01\0"
        assert far.recv(CHUNK) == b""
        assert connection.over(12.0), "it need not"

    def test_that_is_hung_up_is_over_even_if_nothing_can_be_sent(self, ends: tuple[Connection, socket.socket]) -> None:
        connection, _ = ends
        connection.send(b"x" * 50_000_000)
        connection.hang_up(10.0)
        connection.flush(10.0)
        assert not connection.over(10.5)
        assert connection.over(11.0)
