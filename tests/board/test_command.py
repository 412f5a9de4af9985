"""`turkengine board` as it is started: what it prints, who can come, what is wrong said in one line."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from board.serving import Board

COMMAND = [sys.executable, "-m", "turkengine", "board", "--no-browser", "--port", "0"]


def run(folder: Path, *command: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_a_port_that_somebody_else_has_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = run(tmp_path, "-m", "turkengine", "board", "--no-browser", "--port", port)
    assert done.returncode == 2
    assert re.fullmatch(rf"turkengine: port {port} cannot be used: .+; give another --port\n", done.stderr)


def test_what_is_not_installed_is_named_with_the_cure(tmp_path: Path) -> None:
    script = (
        "import importlib.util as u, sys\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name in ('segno', 'uvicorn') else find(name, *more)\n"
        "sys.argv = ['turkengine', *{}]\nfrom turkengine.cli import main\nsys.exit(main())"
    )
    cure = "the board needs uvicorn, segno; pip install 'turkengine[board]'"
    done = run(tmp_path, "-c", script.format(["board", "--no-browser"]))
    assert (done.returncode, done.stderr) == (2, f"turkengine: {cure}\n")
    match = ["match", "a=builtin", "b=builtin", "--nodes", "9", "--games", "2", "--db", "m.db", "--board"]
    done = run(tmp_path, "-c", script.format(match))
    assert (done.returncode, done.stderr) == (2, f"turkengine: {cure}\n")


def test_it_ends_with_whoever_has_started_it_where_it_is_attached(tmp_path: Path) -> None:
    board = subprocess.Popen(
        [*COMMAND, "--attached"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert board.stdin is not None
    assert board.stdout is not None
    assert board.stdout.readline().startswith("the board is at ")
    board.stdin.close()
    assert board.wait(30) == 0


def test_a_second_attached_board_finds_another_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = run(tmp_path, "-m", "turkengine", "board", "--no-browser", "--attached", "--port", port)
    assert done.returncode == 0
    assert f":{port}/" not in done.stdout


def asked(address: str, port: int, host: str) -> int:
    with closing(http.client.HTTPConnection(address, port, timeout=20)) as connection:
        connection.putrequest("GET", "/api/variants", skip_host=True)
        connection.putheader("Host", f"{host}:{port}")
        connection.endheaders()
        answer = connection.getresponse()
        if answer.status == 200:
            assert json.load(answer)["addresses"]
        return answer.status


def test_others_in_the_network_find_it_by_every_name_that_it_has_there(tmp_path: Path) -> None:
    board = Board(tmp_path, "--lan")
    assert board.process.stdout is not None
    line = board.process.stdout.readline()
    if not line.startswith("in the same network: "):
        board.end()
        pytest.skip("this machine is in no network")
    address = line.removeprefix("in the same network: http://").partition(":")[0]
    for host in (address, socket.gethostname(), f"{socket.gethostname().partition('.')[0]}.local"):
        assert asked(address, board.port, host) == 200 or "." in socket.gethostname()
    assert asked(address, board.port, "evil.example") == 403
    board.end()


def test_without_lan_nobody_else_reaches_it(tmp_path: Path) -> None:
    from turkengine.board.serving import addresses

    board = Board(tmp_path)
    for address in addresses():
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((address, board.port), 5)
    board.end()


def test_a_terminal_shows_a_square_code_for_a_camera(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    from turkengine.board.serving import addresses

    if not addresses():
        pytest.skip("this machine is in no network")
    child = pexpect.spawn(COMMAND[0], [*COMMAND[1:], "--lan"], cwd=str(tmp_path), encoding="utf-8", timeout=30)
    child.expect("in the same network: (http\\S+)")
    child.expect("▄▄▄▄▄")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
