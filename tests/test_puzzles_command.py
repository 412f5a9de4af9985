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
[FEN "B:W21,27,33,35,39,40,42,43,45,46,48,49,50:B2-8,11,13,15,19,20,25"]

1... 3-9 *

[White "C"]
[Black "D"]
[GameType "30"]
[FEN "B:WKb8,d7,f7,a4,e4,h4,a3:Ba6,a5,Ka1"]

1... a6-b6 2. a4xc6 a1xh3 *

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
    told = r"games\.pdn:1: ply 1, 25-30 35x24 20x47, shot 1 for 3, to a king, rating \d+"
    assert re.fullmatch(told, first)
    assert second.startswith("games.pdn:8: ply 1, a6-b6 a4xc6 a1xh3, shot 2 for 7, a king taken, rating ")
    assert total == "2 puzzles in 3 games"
    assert (folder / "found.txt").read_text().splitlines() == [
        "B:W21,27,33,35,39,40,42,43,45,46,48,49,50:B2-8,11,13,15,19,20,25",
        "B:WKb8,d7,f7,a4,e4,h4,a3:Ba6,a5,Ka1",
    ]
    check = [sys.executable, "-m", "turkengine", "pdn", "check", "found.pdn"]
    checked = subprocess.run(
        check, cwd=folder, env={**os.environ, "PYTHONSAFEPATH": "1"}, capture_output=True, text=True
    )
    assert checked.stdout.splitlines() == [
        "2 games, 6 plies in 1 file",
        "replayed: 1 international, 1 turkish",
        "no faults",
    ]


def test_puzzles_become_a_page_to_solve_them_on(folder: Path) -> None:
    result = puzzles(*COMMON, "--html", "found.html", folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    page = (folder / "found.html").read_text(encoding="utf-8")
    assert "<title>Puzzles from games.pdn</title>" in page
    assert re.findall(r'<h2>(Puzzle \d) <small class="\w+">(.*?)</small>', page) == [
        ("Puzzle 1", "Black to move"),
        ("Puzzle 2", "Black to move"),
    ]
    assert [re.findall(r"<b>([^<]+)</b></li>", hidden) for hidden in re.findall(r"<ol.*?</ol>", page, re.DOTALL)] == [
        ["25-30", "35x24", "20x47"],
        ["a6-b6", "a4xc6", "a1xh3"],
    ]
    assert "International draughts" in page
    assert "Turkish draughts" in page


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
    assert (result.returncode, result.stderr) == (
        2,
        "turkengine: a.db holds analysis, not puzzles; name another file\n",
    )


def test_games_of_other_kinds_are_told_in_one_line_for_each_file(folder: Path) -> None:
    other = '[GameType "{}"]\n\n1. 11-15 *\n\n'
    (folder / "one.pdn").write_text(other.format(27))
    (folder / "many.pdn").write_text(other.format(27) * 5 + other.format(50) + GAMES.replace("3-9", "3-99"))
    result = puzzles("one.pdn", "many.pdn", "--nodes", "10", "--proof", "10", folder=folder)
    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        "one.pdn:1: this is a game of Canadian draughts, which is not analysed here; it is left out",
        "many.pdn:30: ply 1: '3-99' names '99'; the squares are 1 to 50",
        "many.pdn:1: 6 games are left out: 5 of Canadian draughts (lines 1, 5, 9, ...), 1 of Othello (line 21)",
    ]


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


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        (("--pdn", "games.pdn"), "--pdn: games.pdn: this file is read too"),
        (("--html", "games.pdn"), "--html: games.pdn: this file is read too"),
        (("--fen", "./games.pdn"), "--fen: ./games.pdn: this file is read too"),
        (("--db", "kept.db", "--pdn", "kept.db"), "--pdn: kept.db: this file is given as --db too"),
        (("--pdn", "both", "--fen", "both"), "--fen: both: this file is given as --pdn too"),
    ],
)
def test_no_file_is_written_over_another_one(folder: Path, outputs: tuple[str, ...], words: str) -> None:
    result = puzzles(*COMMON, *outputs, folder=folder)
    assert result.returncode == 2
    assert words in result.stderr
    assert [path.name for path in folder.iterdir()] == ["games.pdn"]
    assert (folder / "games.pdn").read_text() == GAMES


def test_an_older_report_stays_where_nothing_can_be_read(folder: Path) -> None:
    (folder / "found.pdn").write_text("precious")
    assert puzzles("none.pdn", "--pdn", "found.pdn", folder=folder).returncode == 2
    assert (folder / "found.pdn").read_text() == "precious"
