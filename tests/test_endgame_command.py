"""`turkengine endgame` as somebody uses it: built, interrupted, verified, listed, asked; and an engine that uses it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from turkengine.games import VARIANTS
from turkengine.kernel.endgames import SHIPPED

TURKENGINE = [sys.executable, "-m", "turkengine"]

posix_only = pytest.mark.skipif(os.name == "nt", reason="a process is ended by a signal")


def endgame(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TURKENGINE, "endgame", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=100
    )


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-400] ^= 4
    path.write_bytes(content)


def test_a_position_is_asked_with_every_move_the_best_first(tmp_path: Path) -> None:
    run = endgame(tmp_path, "probe", "turkish", "W:WKa1,c3:BKh8", "--folder", "none")
    assert run.returncode == 0
    told = run.stdout.splitlines()
    assert told[0] == "win in 23 plies"
    assert "c3-b3: win in 23 plies" in told[1:4]
    assert told[-1].endswith(": draw")


def test_a_capture_that_ends_the_game_is_a_win_in_one_ply(tmp_path: Path) -> None:
    run = endgame(tmp_path, "probe", "turkish", "W:WKa1:BKa5")
    assert run.stdout.splitlines()[:2] == ["win in 1 plies", "a1xa6: win in 1 plies"]


def test_a_win_that_comes_too_late_is_told_so(tmp_path: Path) -> None:
    run = endgame(tmp_path, "probe", "international", "W:WK46,K47,31:BK3,K4:H49")
    assert run.returncode == 1
    run = endgame(tmp_path, "probe", "croda", "W:WKa1,Kc3:BKh8:H90")
    assert run.stdout.splitlines()[0] == "win in 11 plies, too late: a draw by the count of plies"


@pytest.mark.parametrize(
    ("fen", "told"),
    [
        ("start", "no table has more than 5 pieces, and 32 are on the board"),
        (
            "B:WKa1,Kb1:Bf6,Kh8",
            "no table knows KKvMK, 4 pieces: the largest table found has 3; "
            "`turkengine endgame build --variant turkish --pieces 4` makes it",
        ),
    ],
)
def test_why_no_table_knows_a_position_is_told(tmp_path: Path, fen: str, told: str) -> None:
    run = endgame(tmp_path, "probe", "turkish", fen, "--folder", "none")
    assert (run.returncode, run.stdout, run.stderr) == (1, "", f"Error: {told}\n")


@pytest.mark.parametrize(
    ("fen", "told"),
    [
        ("B:WKa1:B", "White has won, no piece left"),
        ("W:WKa1:BKh8", "drawn, one piece each"),
        ("W:WKa1,Kc3:BKh8:H200", "drawn, too many moves without progress"),
    ],
)
def test_a_game_that_is_over_is_told_so(tmp_path: Path, fen: str, told: str) -> None:
    run = endgame(tmp_path, "probe", "turkish", fen)
    assert (run.returncode, run.stdout, run.stderr) == (0, f"the game is over: {told}\n", "")


def test_a_text_that_is_no_position_is_refused(tmp_path: Path) -> None:
    run = endgame(tmp_path, "probe", "turkish", "W:WKz9:BKa1")
    assert run.returncode == 2
    assert "Invalid value for FEN" in run.stderr


def test_the_tables_there_are_are_listed(tmp_path: Path) -> None:
    run = endgame(tmp_path, "list", "--folder", "none")
    assert run.returncode == 0
    assert len(run.stdout.splitlines()) == 9 * len(VARIANTS)
    assert "turkish       KKvK    99.83 % won, 0.00 % lost, longest 15; " in run.stdout


def test_tables_are_verified_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    run = endgame(tmp_path, "verify", "international", "--pieces", "2", "--folder", "own")
    assert run.returncode == 0, run.stderr
    assert [line.split()[0] for line in run.stdout.splitlines()] == ["KvK", "KvM", "MvM"]
    shutil.copytree(SHIPPED / "international" / "tables", tmp_path / "own" / "international")
    damage(tmp_path / "own" / "international" / "KvM.endgame")
    run = endgame(tmp_path, "verify", "international", "--pieces", "2", "--folder", "own")
    assert run.returncode == 1
    path = Path("own", "international", "KvM.endgame")
    assert f"{path}: the file is damaged, its checksum is wrong; build it again" in run.stdout
    assert run.stderr == "Error: 1 fault; build what is damaged again\n"


@posix_only
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_or_a_signal_ends_a_build_and_the_same_command_goes_on(tmp_path: Path, number: str) -> None:
    command = [*TURKENGINE, "endgame", "build", "international", "--folder", "own", "--jobs", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as build:
        assert build.stdout is not None
        assert build.stderr is not None
        lines = [build.stdout.readline() for _ in range(10)]
        build.send_signal(getattr(signal, number))
        assert build.wait(20) == 130
        assert build.stderr.read() == "interrupted; the same command continues from here\n"
    assert [line.split()[0] for line in lines][-2:] == ["MMvM", "KKvKK"]
    assert sorted(path.name for path in (tmp_path / "own" / "international").iterdir())[0] == "KKvKK.endgame"
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as build:
        assert build.stdout is not None
        again = [build.stdout.readline() for _ in range(10)]
        build.send_signal(getattr(signal, number))
        build.wait(20)
    assert all(line.endswith(", was there\n") for line in again)


def searched(folder: Path, *lines: str) -> str:
    """What an engine says until its first answer."""
    command = [*TURKENGINE, "uci", "--config", os.devnull]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    told = ""
    with subprocess.Popen(command, cwd=folder, **pipes) as engine:  # type: ignore[call-overload]
        engine.stdin.write("\n".join([*lines, ""]))
        engine.stdin.flush()
        while not told.rpartition("\n")[2].startswith("bestmove "):
            told += "\n" + engine.stdout.readline().rstrip()
        engine.stdin.write("quit\n")
    return str(told)


def test_an_engine_names_a_damaged_table_and_plays_on(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED / "turkish" / "tables", tmp_path / "own" / "turkish")
    path = tmp_path / "own" / "turkish" / "KKKvK.endgame"
    path.write_text("no table", "utf-8")
    folder = f"setoption name Endgame Path value {tmp_path / 'own'}"
    told = searched(tmp_path, folder, "variant turkish", "position fen W:WKa1,c3:BKh8", "go depth 20")
    assert f"{path}: this is not a file of endgame tables, or its first line is damaged; it is ignored" in told
    assert "score mate 12 " in told


def test_an_engine_without_tables_searches(tmp_path: Path) -> None:
    off = "setoption name Endgame Pieces value 0"
    told = searched(tmp_path, off, "variant turkish", "position fen W:WKa1,c3:BKh8", "go depth 5")
    assert "info depth 5 " in told
    assert "score mate" not in told
    assert "tbhits 0 " in told


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = f"setoption name Endgame Path value {tmp_path / 'gone'}"
    told = searched(tmp_path, folder, "variant turkish", "position fen W:WKa1,c3:BKh8", "go depth 5")
    assert f"option endgame-path: {tmp_path / 'gone'} is not a folder" in told
