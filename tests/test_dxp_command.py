"""`turkengine dxp`, as a command: what it refuses, what it passes on, and as processes that play."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

import pytest
from click.testing import CliRunner, Result

import turkengine
from turkengine import commands
from turkengine.engine.limits import Limits
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.notation.fen import parse
from turkengine.rules.variant import Side
from turkengine.wire.address import Address
from turkengine.wire.dxp.terms import DxpSettings


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands.turkengine, ["dxp", *arguments], prog_name="turkengine")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give one of --listen [HOST:]PORT and --connect HOST:PORT"),
        (("--listen", "1", "--connect", "a:1"), "give one of"),
        (("--listen", "none"), "'none' has no port; write PORT or HOST:PORT"),
        (("--connect", "27531"), "'27531' is not an address; write HOST:PORT"),
        (("--listen", "1", "--variant", "chess"), "no variant is called 'chess'"),
        (("--listen", "1", "--minutes", "-1"), "-1"),
        (("--listen", "1", "--minutes", "1000"), "1000 minutes cannot be sent"),
        (("--listen", "1", "--minutes", "0.001"), "0.001 minutes cannot be sent"),
        (("--listen", "1", "--minutes", "nan"), "nan"),
        (("--listen", "1", "--moves", "1000"), "1000"),
        (("--listen", "1", "--games", "0"), "0"),
        (("--listen", "1", "--colour", "red"), "red"),
        (("--listen", "1", "--fen", "W:W31:B20"), "--fen goes with --initiate"),
        (("--listen", "1", "--initiate", "--fen", "W:Wx:B20"), "there is no square 'x'"),
    ],
)
def test_a_wrong_argument_is_named_in_a_line(arguments: tuple[str, ...], message: str) -> None:
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert message in " ".join(refused.output.split("Error: ")[1].split())
    assert "Traceback" not in refused.output


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What the daemon is given, in place of playing."""
    given: list[tuple[object, ...]] = []

    class Daemon:
        def __init__(self, *arguments: object) -> None:
            given.append(arguments)

        def run(self) -> int:
            return 7

    monkeypatch.setattr("turkengine.daemon.tcp.DxpDaemon", Daemon)
    return given


def test_a_listener_follows_on_this_machine_only(started: list[tuple[object, ...]]) -> None:
    assert run("--listen", "27531").exit_code == 7
    settings, place, options, *_ = started[0]
    assert place == Address("127.0.0.1", 27531)
    assert settings == DxpSettings(INTERNATIONAL, no_progress=100, stays=True)
    assert settings.name == f"turkengine {turkengine.__version__}"
    assert options.variant is INTERNATIONAL


def test_everything_that_is_wanted_is_passed_on(started: list[tuple[object, ...]]) -> None:
    wanted = "--connect [::1]:2 --initiate --variant turkish --games 3 --colour black --minutes .5 --moves 0 --name Ann"
    limits = "--depth 9 --nodes 1000 --move-time 0.5 --patience 9 --set hash=2 --set variant=croda --pdn x.pdn -v"
    fen = "W:Wa3:Bh6"
    assert run(*wanted.split(), *limits.split(), "--fen", fen).exit_code == 7
    settings, place, options, _, verbose, pdn = started[0]
    assert place == Address("::1", 2)
    assert settings == DxpSettings(
        TURKISH,
        "Ann",
        initiate=True,
        games=3,
        ours=Side.BLACK,
        minutes=0.5,
        moves=0,
        setup=parse(TURKISH, fen),
        limits=Limits(depth=9, nodes=1000, move_time=0.5),
        no_progress=100,
        patience=9.0,
    )
    assert (options.hash, options.variant, verbose, pdn) == (2, TURKISH, True, Path("x.pdn"))


def test_an_initiator_asks_for_one_game(started: list[tuple[object, ...]]) -> None:
    run("--listen", "1", "--initiate")
    assert started[0][0].games == 1  # type: ignore[attr-defined]


def test_what_is_wrong_with_an_option_is_said_and_the_game_goes_on(started: list[tuple[object, ...]]) -> None:
    result = run("--listen", "1", "--set", "hash=lots", "--set", "threads=2")
    assert result.exit_code == 7
    assert result.stderr.startswith("option hash does not take 'lots'")
    assert started[0][2].threads == 2  # type: ignore[attr-defined]


class Process:
    """The command as a process of its own."""

    def __init__(self, home: Path, *arguments: str, output: int | TextIO = subprocess.PIPE) -> None:
        environment = {**os.environ, "XDG_CONFIG_HOME": str(home), "APPDATA": str(home), "HOME": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "turkengine", "dxp", *arguments],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().rstrip("\n")

    def end(self) -> tuple[str, str, int]:
        """Everything else that is written, and the exit status."""
        output, errors = self.process.communicate(timeout=60)
        return output, errors, self.process.returncode


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    processes: list[Process] = []

    def begin(*arguments: str, **output: Any) -> Process:
        processes.append(Process(tmp_path, *arguments, **output))
        return processes[-1]

    yield begin
    for each in processes:
        each.process.kill()
        each.process.communicate()


def test_two_processes_play_with_each_other(start: Callable[..., Process], tmp_path: Path) -> None:
    games = tmp_path / "games.pdn"
    listener = start("--listen", "0", "--games", "2", "--depth", "1", "--variant", "croda", "--pdn", str(games))
    port = listener.line().rpartition(":")[2]
    wanted = ["--initiate", "--variant", "croda", "--games", "2", "--depth", "1", "--moves", "5"]
    connector = start("--connect", f"127.0.0.1:{port}", *wanted)
    output, errors, status = listener.end()
    assert (errors, status) == ("", 0)
    assert re.findall(r"^game \d: .*? \(", output, re.MULTILINE) == [
        "game 1: *, 5 moves are played (",
        "game 2: *, 5 moves are played (",
    ]
    assert games.read_text(encoding="utf-8").count("[Event ") == 2
    assert connector.end()[1:] == ("", 0)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C reaches the whole console there")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_ends_the_game_in_order(number: str, start: Callable[..., Process], tmp_path: Path) -> None:
    games = tmp_path / "games.pdn"
    listener = start("--listen", "0", "--set", "hash=1", "--set", "book=false", "--pdn", str(games))
    port = int(listener.line().rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.settimeout(20)
        peer.sendall(f"R01{'Ann':32}W999000A\0".encode())
        assert peer.recv(100).endswith(b"0\0")
        listener.process.send_signal(getattr(signal, number))
        assert peer.recv(100) == b"E01\0"
        assert peer.recv(100) == b""
    output, errors, status = listener.end()
    assert (errors, status) == ("", 130)
    assert "game 1: *, interrupted (White turkengine" in output
    assert '[Termination "unfinished: interrupted"]' in games.read_text(encoding="utf-8")


FULL = Path("/dev/full")


@pytest.mark.parametrize(
    "reader",
    ["leaves", "never reads", pytest.param("is full", marks=pytest.mark.skipif(not FULL.exists(), reason="none here"))],
)
def test_a_game_does_not_depend_on_who_looks_on(reader: str, start: Callable[..., Process], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    games = tmp_path / "games.pdn"
    wanted = ["--connect", f"127.0.0.1:{port}", "--games", "1", "--depth", "1", "--set", "hash=1", "--pdn", str(games)]
    with socket.create_server(("127.0.0.1", port)) as server:
        server.settimeout(60)
        with FULL.open("w") if reader == "is full" else nullcontext(subprocess.PIPE) as output:
            connector = start(*wanted, output=output)
        if reader == "leaves":
            assert connector.process.stdout
            connector.process.stdout.close()
        peer, _ = server.accept()
        with peer:
            peer.settimeout(20)
            peer.sendall(f"R01{'Ann':32}Z999000A\0".encode())
            assert peer.recv(100).endswith(b"0\0")
            peer.sendall(f"C{'x' * 100}\0".encode() * 3000)
            peer.sendall(b"M0000322800\0")
            assert peer.recv(100).startswith(b"M")
            peer.sendall(b"E01\0")
            assert peer.recv(100) == b"E01\0"
    assert connector.process.wait(60) == 1, "lines were lost"
    assert "1. 32-28 " in games.read_text(encoding="utf-8")
    if reader == "leaves":
        connector.process.stdout = None


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C reaches the whole console there")
def test_an_interrupt_without_a_game_is_quiet(start: Callable[..., Process]) -> None:
    listener = start("--listen", "0")
    listener.line()
    listener.process.send_signal(signal.SIGINT)
    assert listener.end() == ("", "", 130)
