"""Two people play over a network: a host and a guest as real processes, and callers who mean no good."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from turkengine.notation import pdn
from turkengine.play.door import HELLO, printable

pytestmark = pytest.mark.timeout(40)
PLAY = [sys.executable, "-m", "turkengine", "play"]


class Person:
    """A process that plays, its lines in and out."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*PLAY, *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
        )
        self.heard: list[str] = []

    def say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def hear(self, pattern: str) -> re.Match[str]:
        """The next line that has this in it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.heard.append(line.rstrip("\n"))
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"nothing like {pattern} in {self.heard}")

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(20)


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Person]]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    people: list[Person] = []

    def seated(*arguments: str) -> Person:
        people.append(Person(tmp_path, *arguments))
        return people[-1]

    yield seated
    for person in people:
        person.process.kill()
        person.process.wait()
        for stream in (person.process.stdin, person.process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()


def place_of(host: Person) -> str:
    return host.hear(r"turkengine play --join (\S+)")[1]


def call(place: str) -> socket.socket:
    name, _, port = place.rpartition(":")
    return socket.create_connection((name, int(port)), timeout=10)


def everything(stream: socket.socket) -> str:
    said = b""
    while data := stream.recv(4096):
        said += data
    return said.decode()


def test_a_game_between_two(sit: Callable[..., Person], tmp_path: Path) -> None:
    host = sit("--listen", "0", "--tc", "5+3", "--pdn", "x.pdn")
    place = place_of(host)
    host.say("32-28")
    host.hear("nobody has joined yet")
    guest = sit("--join", place)
    guest.hear("You play Black")
    guest.hear(r" 50w\s+49w")  # the board as Black sees it: White's men at the top
    guest.hear("White to move, ")
    guest.say("19-23")
    guest.hear("it is White's turn")
    guest.say("save stolen.pdn")
    guest.hear("the host saves the game")
    guest.say("hint")
    guest.hear("there are no hints")
    host.say("32-27")
    guest.hear("White plays 32-27")
    guest.say("20-40")
    for person in (host, guest):
        person.hear(r"'20-40' is not a legal move; a man moves .*\(5\.4\.2\)")
        person.hear("Black plays another move")
    guest.say("19-23")
    guest.hear("Black plays 19-23")
    host.hear("Black plays 19-23")
    guest.say("undo")
    host.hear("Black wants to take 19-23 back")
    guest.say("yes")
    guest.hear("White is asked, not you")
    host.say("no")
    guest.hear("only where the opponent consents")
    guest.say("resign")
    for person in (host, guest):
        person.hear("2-0, White has won: Black gives up")
    host.say("quit")
    guest.hear("the host has left")
    assert (host.end(), guest.end()) == (0, 0)
    assert not (tmp_path / "stolen.pdn").exists()
    [game] = pdn.read_games(tmp_path / "x.pdn")
    assert (list(game.moves), game.tag("Result")) == (["32-27", "19-23"], "2-0")


def test_a_guest_that_leaves_can_come_again_and_no_time_passes_meanwhile(
    sit: Callable[..., Person], tmp_path: Path
) -> None:
    host = sit("--listen", "0", "--tc", "0:04", "--colour", "black")
    place = place_of(host)
    guest = sit("--join", place)
    guest.hear("White to move")
    guest.process.kill()
    host.hear("White has left; the clocks stand still")
    time.sleep(4.5)
    again = sit("--join", place)
    again.hear(r"White to move, [1-4]\.\d s|White to move, 0:0[34]")
    again.say("32-28")
    host.hear("White plays 32-28")
    host.hear("Black to move")
    assert host.end() == 0
    again.hear("the host has left; the game is kept there")
    [kept] = (tmp_path / "turkengine" / "games").glob("*.game")
    assert "32-28" in kept.read_text()


def test_a_hosted_game_goes_on(sit: Callable[..., Person]) -> None:
    host = sit("--listen", "0")
    guest = sit("--join", place_of(host))
    guest.hear("White to move")
    host.say("32-28")
    guest.hear("White plays 32-28")
    assert host.end() == 0
    host = sit("--listen", "0", "--resume")
    guest = sit("--join", place_of(host))
    guest.hear("The game goes on after 1 move")
    guest.hear("Black to move")
    guest.say("19-23")
    host.hear("Black plays 19-23")


def test_the_flag_of_a_guest_falls_though_nobody_writes(sit: Callable[..., Person]) -> None:
    host = sit("--listen", "0", "--tc", "0:01", "--colour", "black")
    guest = sit("--join", place_of(host))
    for person in (host, guest):
        person.hear("0-2, Black has won: White is out of time")


def test_whoever_calls_without_a_greeting_takes_no_seat(sit: Callable[..., Person]) -> None:
    host = sit("--listen", "0")
    place = place_of(host)
    with call(place) as junk:
        junk.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert everything(junk).startswith("this is a game of turkengine")
    with call(place) as junk, contextlib.suppress(ConnectionError):  # more than is read
        junk.sendall(b"\x00\xff" * 5000)
        assert everything(junk).startswith("this is")
    silent = [call(place) for _ in range(6)]  # they say nothing
    guest = sit("--join", place)
    guest.hear("You play Black")
    second = sit("--join", place)
    second.hear("somebody else has joined this game")
    assert second.process.wait(10) == 0
    for stream in silent:
        stream.close()


def test_a_guest_that_floods_or_never_reads_stops_nothing(sit: Callable[..., Person]) -> None:
    host = sit("--listen", "0")
    place = place_of(host)
    with call(place) as flood:
        flood.sendall(f"{HELLO}\n".encode())
        flood.settimeout(0.5)
        with contextlib.suppress(OSError):
            for _ in range(1000):
                flood.sendall(b"board\n" * 1000)
        host.hear("Black has joined")
        host.hear("Black has left")
    with call(place) as deaf:
        deaf.sendall(f"{HELLO}\n".encode())
        host.hear("Black has joined")
        before = time.monotonic()
        host.say("32-28")
        host.hear("White plays 32-28")
        assert time.monotonic() - before < 2
    host.hear("Black has left")
    guest = sit("--join", place)
    guest.hear("Black to move")
    guest.say("\x1b[2J\x07nonsense")
    guest.hear(r"'\\x1b\[2j\\x07nonsense' is not a command|nonsense.*is not a command")


def test_nobody_who_hosts_is_named(sit: Callable[..., Person]) -> None:
    run = subprocess.run([*PLAY, "--join", "127.0.0.1:9"], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 3
    assert run.stderr == "turkengine: nobody hosts a game at 127.0.0.1:9: Connection refused\n"


def test_a_host_that_hangs_up_without_a_word_is_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"
        with subprocess.Popen(
            [*PLAY, "--join", place], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as guest:
            stream, _ = server.accept()
            with stream:
                stream.recv(100)
            _, errors = guest.communicate(timeout=60)
    assert guest.returncode == 3
    assert errors == f"turkengine: nobody hosts a game at {place}: whoever listens there has hung up without a word\n"


def test_a_port_that_is_taken_is_named(sit: Callable[..., Person]) -> None:
    place = place_of(sit("--listen", "0"))
    run = subprocess.run([*PLAY, "--listen", place], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 3
    assert re.fullmatch(rf"turkengine: cannot listen at {place}: .*; name another port\n", run.stderr)


def test_what_a_host_sends_commands_no_terminal() -> None:
    assert printable("a\x1b[2J\x9b\u202e\tb ○") == "a[2Jb ○"
