"""The files of games that our commands write, read by pydraughts: every move of every game arrives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from clients import playing

from turkengine.notation import pdn

DRIVER = "drive_pydraughts_pdn.py"
TURKENGINE = [sys.executable, "-m", "turkengine"]


@pytest.fixture
def python() -> str:
    return playing.interpreter("TURKENGINE_PYDRAUGHTS")


def turkengine(folder: Path, *arguments: str, text: str = "") -> None:
    done = subprocess.run(
        [*TURKENGINE, *arguments], cwd=folder, input=text, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr


def every_move_arrives(python: str, file: Path) -> list[pdn.PdnGame]:
    """Compare what the client reads with what we read; the games."""
    ours = list(pdn.read_games(file))
    theirs = playing.drive(python, DRIVER, file, home=file.parent)
    assert [game["moves"] for game in theirs] == [list(game.moves) for game in ours]
    assert [game["tags"] for game in theirs] == [dict(game.tags) for game in ours]
    assert {game["result"] for game in theirs} == {"*"}  # as PDN 3.0 asks; the tag has the result
    return ours


def test_annotated_games(python: str, tmp_path: Path) -> None:
    games = tmp_path / "games.pdn"
    games.write_text(
        '[Event "a"]\n1. 32-28 {a comment} 1... 19-23 2. 28x19 {[%clk 0:09:58] and a long comment that breaks lines} '
        "14x23 3. 33-28 (3. 37-32 {x} 10-14) 3... 23x32 4. 37x28 26-31? *\n\n"
        '[Event "b"]\n1. 34-30 20-25 2. 30-24 19x30 3. 35x24 18-23 4. 33-28 23x32 5. 37x28 13-18 2-0\n'
    )
    for _ in range(2):  # also where it has been annotated before
        turkengine(tmp_path, "analyse", str(games), "--depth", "3", "--pdn", "out.pdn")
        first, second = every_move_arrives(python, tmp_path / "out.pdn")
        assert (len(first.moves), len(second.moves)) == (8, 10)
        assert all("[%eval " in comment for ply in second.line.plies for comment in ply.comments)
        games.write_bytes((tmp_path / "out.pdn").read_bytes())


def test_a_match(python: str, tmp_path: Path) -> None:
    common = ["match", "a=builtin", "b=builtin", "--games", "4", "--tc", "3+0.01", "--concurrency", "1"]
    turkengine(tmp_path, *common, "--openings", "start", "--pdn", "games.pdn")
    games = every_move_arrives(python, tmp_path / "games.pdn")
    assert len(games) == 4
    assert all(len(game.moves) > 20 for game in games)


def test_a_game_with_a_person(python: str, tmp_path: Path) -> None:
    moves = "32-28\n19-23\n28x19\n14x23\n31-10\n37-32\n10-14\nquit\n"
    turkengine(tmp_path, "play", "--opponent", "human", "--tc", "5:00+3", "--pdn", "games.pdn", text=moves)
    (game,) = every_move_arrives(python, tmp_path / "games.pdn")
    assert game.moves == ("32-28", "19-23", "28x19", "14x23", "37-32", "10-14")
    assert game.line.comments  # the irregular move is noted


def test_games_over_a_network(python: str, tmp_path: Path) -> None:
    listen = [*TURKENGINE, "dxp", "--listen", "0", "--games", "2", "--depth", "1", "--pdn", "games.pdn"]
    with subprocess.Popen(listen, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as listener:
        assert listener.stdout is not None
        port = listener.stdout.readline().rpartition(":")[2].strip()
        wanted = ["--initiate", "--games", "2", "--depth", "1", "--moves", "30"]
        turkengine(tmp_path, "dxp", "--connect", f"127.0.0.1:{port}", *wanted)
        listener.communicate(timeout=60)
    games = every_move_arrives(python, tmp_path / "games.pdn")
    assert [len(game.moves) for game in games] == [60, 60]
