"""The command `turkengine puzzles` as it is used: in a process of its own, with files that are right and wrong."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GAMES = """[White "A"]
[Black "B"]
[GameType "20"]
[FEN "W:WK2,15,20,25,29:B4,9,14,K46"]

1. 2-16 *

[White "C"]
[Black "D"]
[GameType "30"]
[FEN "W:Wa5,f5,a4,b4,c4,e4,g3,h3,g2,h2:Ba7,b7,e7,h7,a6,c6,d6,h6,h5,Kc1"]

1. f5-g5 h5xf5 2. b4-b5 c1xc5 3. b5xf7 *

[White "E"]
[Black "F"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 *
"""
COMMON = ("games.pdn", "--nodes", "5000", "--proof", "60000")


def puzzles(*words: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "turkengine", "puzzles", *words]
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=100, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games.pdn").write_text(GAMES)
    return tmp_path


def test_puzzles_are_told_in_a_line_each_and_written(folder: Path) -> None:
    result = puzzles(*COMMON, "--pdn", "found.pdn", "--fen", "found.txt", folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    first, second, total = result.stdout.splitlines()
    told = r"games\.pdn:1: ply 1, 29-23 46x19 2x35, shot 1 for 1, a king taken, rating \d+"
    assert re.fullmatch(told, first)
    assert second.startswith("games.pdn:8: ply 1, f5-g5 h5xf5 b4-b5 c1xc5 b5xf7, shot 2 for 3, a king taken, rating ")
    assert total == "2 puzzles in 3 games"
    assert (folder / "found.txt").read_text().splitlines() == [
        "W:WK2,15,20,25,29:B4,9,14,K46",
        "W:Wa5,f5,a4,b4,c4,e4,g3,h3,g2,h2:Ba7,b7,e7,h7,a6,c6,d6,h6,h5,Kc1",
    ]
    check = [sys.executable, "-m", "turkengine", "pdn", "check", "found.pdn"]
    checked = subprocess.run(
        check, cwd=folder, env={**os.environ, "PYTHONSAFEPATH": "1"}, capture_output=True, text=True
    )
    assert checked.stdout.splitlines() == [
        "2 games, 8 plies in 1 file",
        "replayed: 1 international, 1 turkish",
        "no faults",
    ]


def test_a_run_goes_on_with_what_it_has(folder: Path) -> None:
    one = puzzles("games.pdn", *COMMON[1:], "--db", "p.db", "--pdn", "one.pdn", "--quiet", folder=folder)
    again = puzzles("games.pdn", *COMMON[1:], "--db", "p.db", "--pdn", "two.pdn", "--jobs", "1", folder=folder)
    assert (one.returncode, one.stdout, again.returncode) == (0, "", 0)
    assert (folder / "one.pdn").read_bytes() == (folder / "two.pdn").read_bytes()
    other = puzzles(*COMMON[:3], "--proof", "9", "--db", "p.db", folder=folder)
    assert other.returncode == 2
    assert "p.db holds an analysis with proof '60000', not '9'" in other.stderr


def test_a_file_of_analysis_is_not_mixed_with_one_of_puzzles(folder: Path) -> None:
    analyse = [sys.executable, "-m", "turkengine", "analyse", "games.pdn", "--nodes", "50", "--db", "a.db", "--quiet"]
    subprocess.run(analyse, cwd=folder, env={**os.environ, "PYTHONSAFEPATH": "1"}, check=True)
    result = puzzles(*COMMON, "--db", "a.db", folder=folder)
    assert result.returncode == 2
    assert "a.db holds an analysis with" in result.stderr


def test_everything_wrong_is_named_with_its_file_and_line(folder: Path) -> None:
    (folder / "bad.pdn").write_text(GAMES.replace("19-23 2.", "19-99 2."))
    result = puzzles("bad.pdn", "none.pdn", "--nodes", "10", "--proof", "10", folder=folder)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "bad.pdn:19: ply 2: '19-99' names '99'; the squares are 1 to 50",
        "none.pdn: No such file or directory",
    ]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "Missing argument"),
        (("games.pdn", "--proof", "0"), "0 is not in the range x>=1"),
        (("games.pdn", "--pdn", "nowhere/p.pdn"), "there is no folder"),
    ],
)
def test_what_cannot_be_meant_is_refused(folder: Path, words: tuple[str, ...], reason: str) -> None:
    result = puzzles(*words, folder=folder)
    assert result.returncode == 2
    assert reason in " ".join(result.stderr.split())
