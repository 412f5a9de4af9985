"""The command `turkengine analyse` as it is used: in a process of its own, with files that are right and wrong."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data" / "pdn"
VARIANTS = str(DATA / "variants.pdn")

TWO = """[White "A"]
[Black "B"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *

[White "C"]
[Black "D"]
[Variant "croda"]

1. d3-e4 e6-d5 *
"""


def turkengine(*words: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "turkengine", "analyse", *words]
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=100, check=False
    )


def test_games_are_told_in_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "two.pdn").write_text(TWO)
    result = turkengine("two.pdn", "--nodes", "300", folder=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    first, second = result.stdout.splitlines()
    assert first.startswith("two.pdn:1: A - B *, 6 plies, accuracy ")
    assert second.startswith("two.pdn:7: C - D *, 2 plies, accuracy ")


def test_all_reports_are_written(tmp_path: Path) -> None:
    outputs = ("--pdn", "a.pdn", "--json", "a.jsonl", "--html", "a.html", "--quiet")
    result = turkengine(VARIANTS, "--nodes", "300", "--multipv", "2", *outputs, folder=tmp_path)
    assert result.returncode == 1  # a game of Canadian draughts is among them
    assert result.stdout == ""
    assert f"{VARIANTS}:60: this is a game of Canadian draughts" in result.stderr
    games = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert len(games) == 9
    assert {game["variant"] for game in games} == {"international", "turkish", "turkish-app", "croda"}
    several = [move for game in games for move in game["moves"] if move["lines"] and not move["forced"]]
    assert len(several) > 20
    assert all(len(move["lines"]) == 2 for move in several)
    assert (tmp_path / "a.pdn").read_text().count("[Event ") == 9
    page = (tmp_path / "a.html").read_text()
    assert page.count("<details") == 9


def test_a_report_can_go_to_standard_output(tmp_path: Path) -> None:
    (tmp_path / "two.pdn").write_text(TWO)
    result = turkengine("-", "--depth", "2", "--json", "-", folder=tmp_path, text=TWO)
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == ["<stdin>", "<stdin>"]


def test_a_run_that_was_killed_gives_the_same_as_one_left_alone(tmp_path: Path) -> None:
    games = "\n".join(
        TWO.replace("32-28 19-23 2. 28x19 14x23 3. 37-32 10-14", move) for move in ("31-27", "33-29", "34-30", "35-30")
    )
    (tmp_path / "games.pdn").write_text(TWO + "\n" + games)
    common = ("games.pdn", "--nodes", "30000", "--quiet")

    def outputs(name: str) -> tuple[str, ...]:
        return ("--db", f"{name}.db", "--pdn", f"{name}.pdn", "--json", f"{name}.jsonl", "--html", f"{name}.html")

    assert turkengine(*common, *outputs("whole"), folder=tmp_path).returncode == 0
    command = [sys.executable, "-m", "turkengine", "analyse", *common, *outputs("cut"), "--jobs", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PYTHONSAFEPATH": "1"})
    until = time.monotonic() + 60
    while not _games_in(tmp_path / "cut.db") and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert turkengine(*common, *outputs("cut"), folder=tmp_path).returncode == 0
    for ending in ("pdn", "jsonl", "html"):
        assert (tmp_path / f"cut.{ending}").read_bytes() == (tmp_path / f"whole.{ending}").read_bytes()


def _games_in(path: Path) -> int:
    import sqlite3

    if not path.exists():
        return 0
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        return int(database.execute("select count(*) from game").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path, number: str) -> None:
    (tmp_path / "two.pdn").write_text(TWO)
    command = [sys.executable, "-m", "turkengine", "analyse", "two.pdn", "--movetime", "60", "--db", "a.db"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONSAFEPATH": "1"}, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 60
    while not (tmp_path / "a.db").exists() and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(getattr(signal, number))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "interrupted; run it again with the same --db to continue\n"


@pytest.mark.parametrize("command", ["analyse", "puzzles"])
def test_a_reader_that_leaves_takes_no_result_with_it(tmp_path: Path, command: str) -> None:
    (tmp_path / "two.pdn").write_text(TWO)
    process = subprocess.Popen(
        [sys.executable, "-m", "turkengine", command, "two.pdn", "--nodes", "500", "--pdn", "out.pdn", "--db", "a.db"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    assert process.wait(60) == 1
    assert "standard output cannot be written: Broken pipe" in errors
    assert (tmp_path / "out.pdn").exists()
    assert _games_in(tmp_path / "a.db") == 2
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="a terminal")
def test_a_terminal_shows_a_bar_with_the_time_left(tmp_path: Path) -> None:
    import pexpect

    (tmp_path / "two.pdn").write_text(TWO * 20)
    command = ["-m", "turkengine", "analyse", "two.pdn", "--movetime", "0.4", "--jobs", "1"]
    terminal = pexpect.spawn(
        sys.executable, command, cwd=tmp_path, env={**os.environ, "PYTHONSAFEPATH": "1"}, timeout=60, encoding="utf-8"
    )
    terminal.expect(r"\[#*-+\] +\d+ %  \d+ of 200 positions  \d:\d\d left")
    terminal.expect(r"two\.pdn:1: A - B")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_other_settings_do_not_go_on(tmp_path: Path) -> None:
    (tmp_path / "two.pdn").write_text(TWO)
    assert turkengine("two.pdn", "--nodes", "100", "--db", "a.db", folder=tmp_path).returncode == 0
    result = turkengine("two.pdn", "--nodes", "200", "--db", "a.db", folder=tmp_path)
    assert result.returncode == 2
    assert "a.db holds an analysis with limit 'nodes=100', not 'nodes=200'" in result.stderr


def test_everything_wrong_is_named_and_the_rest_is_analysed(tmp_path: Path) -> None:
    (tmp_path / "bad.pdn").write_text(TWO.replace("3. 37-32", "3. 99-1"))
    (tmp_path / "empty.pdn").touch()
    (tmp_path / "folder").mkdir()
    result = turkengine("bad.pdn", "empty.pdn", "folder", "none.pdn", "--nodes", "100", folder=tmp_path)
    assert result.returncode == 2
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr.splitlines() == [
        "bad.pdn:5: ply 5: '99-1' names '99'; the squares are 1 to 50",
        "empty.pdn: there is no game in it",
        "folder: Is a directory",
        "none.pdn: No such file or directory",
    ]
    assert turkengine("bad.pdn", "--nodes", "100", folder=tmp_path).returncode == 1


def test_an_engine_that_dies_is_named_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "two.pdn").write_text(TWO)
    (tmp_path / "mortal.py").write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'hub': print('id name=mortal\\nparam name=variant type=enum values=\"normal croda\"\\nwait')\n"
        "    if word == 'init': print('ready')\n"
        "    if word == 'ping': print('pong')\n"
        "    if word == 'go': sys.exit('no more')\n"
        "    sys.stdout.flush()\n"
    )
    engine = f"hub:{shlex.quote(sys.executable)} mortal.py"
    result = turkengine("two.pdn", "--nodes", "100", "--engine", engine, "--jobs", "1", folder=tmp_path)
    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        "two.pdn:1: A - B: mortal: it has ended with exit status 1; its last words: no more",
        "two.pdn:7: C - D: mortal: it has ended with exit status 1; its last words: no more",
    ]


def test_another_engine_analyses_too(tmp_path: Path) -> None:
    (tmp_path / "two.pdn").write_text(TWO)
    engine = f"hub:{shlex.quote(sys.executable)} -m turkengine hub"
    result = turkengine("two.pdn", "--depth", "3", "--engine", engine, "--jobs", "1", folder=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 2


# Positions


def test_positions_give_a_line_of_json_each(tmp_path: Path) -> None:
    result = turkengine(
        "--fen", "W:W31-50:B1-20", "--fen", "W:W28:B23", "--depth", "4", "--multipv", "2", folder=tmp_path
    )
    first, second = map(json.loads, result.stdout.splitlines())
    assert (first["schema"], first["depth"], len(first["lines"])) == ("turkengine-position", 4, 2)
    assert (second["eval"], second["best"], second["men"]) == ("#1", "28x19", 10.0)
    assert result.returncode == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_positions_come_by_standard_input(tmp_path: Path, jobs: str) -> None:
    text = "W:Wa2,b2:Bh7,g7\n\nrubbish\nB:WKa1:Bh5,h6\n"
    result = turkengine("--stdin", "--variant", "turkish", "--nodes", "50", "--jobs", jobs, folder=tmp_path, text=text)
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["fen"] for one in told] == ["W:Wa2,b2:Bg7,h7", "rubbish", "B:WKa1:Bh6,h5"]
    assert "error" in told[1]
    assert result.returncode == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "give files of games, or --fen, or --stdin"),
        (("a.pdn", "--stdin"), "one of them only"),
        (("--stdin", "--html", "a.html"), "positions go to standard output"),
        (("a.pdn", "--engine", "scan"), "write hub:COMMAND or uci:COMMAND"),
        (("a.pdn", "--html", "nowhere/a.html"), "there is no folder"),
        (("a.pdn", "--pdn", "."), "this is a folder"),
        (("a.pdn", "--variant", "chess"), "chess"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, words: tuple[str, ...], reason: str) -> None:
    result = turkengine(*words, folder=tmp_path)
    assert result.returncode == 2
    assert reason in " ".join(result.stderr.split())
