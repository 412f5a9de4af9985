"""Messages through one socket at moments that the test sets."""

from __future__ import annotations

import math
import socket
from collections.abc import Iterator

import pytest

from turkengine.daemon.sockets import APART, CHUNK, HELD_OFF, MOST_UNSENT, Callers, Connection, listen
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


class Clock:
    """The moment that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def passes(self, connection: Connection, moment: float) -> None:
        self.now = moment
        connection.flush()


@pytest.fixture
def clock() -> Clock:
    return Clock()


class TestConnection:
    @pytest.fixture
    def ends(self, clock: Clock) -> Iterator[tuple[Connection, socket.socket]]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            far = socket.create_connection(server.getsockname())
            near, _ = server.accept()
        far.settimeout(10)
        connection = Connection(near, clock)
        yield connection, far
        connection.close()
        far.close()

    def test_sends_one_message_at_a_time_and_keeps_them_apart(
        self, ends: tuple[Connection, socket.socket], clock: Clock
    ) -> None:
        connection, far = ends
        connection.send(b"one\0")
        connection.send(b"two\0")
        assert connection.due <= 50.0
        clock.passes(connection, 50.0)
        assert far.recv(100) == b"one\0"
        assert connection.due == 50.0 + APART
        clock.passes(connection, 50.0 + APART / 2)
        far.setblocking(False)
        with pytest.raises(BlockingIOError):
            far.recv(100)
        far.settimeout(10)
        clock.passes(connection, 50.0 + APART)
        assert far.recv(100) == b"two\0"
        assert connection.due == math.inf

    def test_counts_from_the_moment_at_which_a_message_has_really_gone(
        self, ends: tuple[Connection, socket.socket], clock: Clock
    ) -> None:
        connection, far = ends

        class Slow(socket.socket):
            """One of a system that takes its time."""

            def send(self, data: bytes, flags: int = 0) -> int:
                clock.now += 5 * APART
                return super().send(data, flags)

        connection.stream = Slow(fileno=connection.stream.detach())
        connection.send(b"A\0")
        connection.send(b"M\0")
        clock.passes(connection, 50.0)
        gone = clock.now
        assert far.recv(100) == b"A\0"
        assert connection.due == gone + APART
        clock.passes(connection, gone + APART / 2)
        far.setblocking(False)
        with pytest.raises(BlockingIOError):
            far.recv(100)

    def test_gives_whole_messages(self, ends: tuple[Connection, socket.socket], clock: Clock) -> None:
        connection, far = ends
        assert connection.receive() == [], "nothing has come"
        connection.stream.settimeout(10)
        far.sendall(b"E00\0E01\0M00")
        assert connection.receive() == [b"E00", b"E01"]
        far.sendall(b"00\0")
        assert connection.receive() == [b"M0000"]
        far.sendall(b"\0\0E00\0\0")
        assert connection.receive() == [b"E00"], "two ends together are no message"
        far.close()
        assert connection.receive() is None

    def test_does_not_listen_to_an_end_that_does_not(
        self, ends: tuple[Connection, socket.socket], clock: Clock
    ) -> None:
        connection, _ = ends
        for _ in range(MOST_UNSENT):
            assert connection.reads
            connection.send(b"K0\0")
        assert not connection.reads

    def test_waits_for_an_end_that_takes_nothing_and_loses_nothing(
        self, ends: tuple[Connection, socket.socket], clock: Clock
    ) -> None:
        connection, far = ends
        message = b"x" * 1_000_000 + b"\0"
        for _ in range(20):
            connection.send(message)
        for turn in range(1000):
            clock.passes(connection, float(turn))
        assert connection.due < math.inf, "it is full"
        received, turn = 0, 1000
        while connection.due < math.inf or received < 20 * len(message):
            clock.passes(connection, float(turn))
            received += len(far.recv(1 << 20))
            turn += 1
        assert received == 20 * len(message)

    def test_that_is_hung_up_sends_what_it_has_and_lets_the_other_end_close(
        self, ends: tuple[Connection, socket.socket], clock: Clock
    ) -> None:
        connection, far = ends
        connection.send(b"A\0")
        connection.send(b"E01\0")
        clock.now = 10.0
        connection.hang_up()
        clock.passes(connection, 10.0)
        clock.passes(connection, 10.1)
        clock.now = 10.2
        assert not connection.over
        assert far.recv(CHUNK) + far.recv(CHUNK) == b"A\0E01\0"
        assert far.recv(CHUNK) == b""
        clock.now = 12.0
        assert connection.over, "it need not"

    def test_that_is_hung_up_is_over_even_if_nothing_can_be_sent(
        self, ends: tuple[Connection, socket.socket], clock: Clock
    ) -> None:
        connection, _ = ends
        connection.send(b"x" * 50_000_000)
        clock.now = 10.0
        connection.hang_up()
        clock.passes(connection, 10.0)
        clock.now = 10.5
        assert not connection.over
        clock.now = 11.0
        assert connection.over


class TestCallers:
    def test_one_waits_and_others_are_sent_away(self) -> None:
        callers = Callers(Address("127.0.0.1", 0))
        place = (callers.place.host, callers.place.port)
        callers.stream.settimeout(10)
        assert not callers.wait(0.0, unread=False)
        with socket.create_connection(place) as first, socket.create_connection(place) as second:
            callers.take(0.0)
            callers.take(0.0)
            second.settimeout(10)
            assert second.recv(1) == b""
            assert callers.wait(0.0, unread=False)
            stream, caller = callers.let_in()
            assert caller.endswith(f":{first.getsockname()[1]}")
            stream.close()
        assert not callers.wait(0.0, unread=False)
        callers.close()

    def test_an_opponent_that_goes_on_sending_holds_a_caller_off_for_a_moment_only(self) -> None:
        callers = Callers(Address("127.0.0.1", 0))
        callers.stream.settimeout(10)
        with socket.create_connection((callers.place.host, callers.place.port)):
            callers.take(50.0)
            assert not callers.wait(50.0, unread=True), "its end may follow what was read"
            assert callers.wait(50.0 + HELD_OFF, unread=True)
        callers.close()
