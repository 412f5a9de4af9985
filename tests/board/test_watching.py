"""A match of another process, shown from its file, which is only read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from board.serving import board


def test_a_match_is_shown_as_it_grows_and_its_games_are_replayed(tmp_path: Path) -> None:
    with board(tmp_path, "--watch", "match.db") as running:
        browser = running.browser()
        socket = browser.connect("/w")
        assert socket.next("notice")["code"] == "no-match"
        command = [sys.executable, "-m", "turkengine", "match", "a=builtin", "b=builtin", "--variant", "turkish"]
        done = subprocess.run(
            [*command, "--games", "2", "--nodes", "50", "--db", "match.db"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        while (match := socket.next("match"))["played"] < 2:
            pass
        assert {row["name"] for row in match["standings"]} == {"a", "b"}
        assert sum(row["points"] for row in match["standings"]) == 2
        number = match["games"][0]["game"]
        assert socket.say("open", game=number)["type"] == "ok"
        record = socket.next("record")
        assert len(record["moves"]) == match["games"][0]["plies"]
        assert record["moves"][-1]["ply"] == len(record["moves"])
        assert socket.say("open", game="9.9.9")["code"] == "no-game"


def test_a_file_of_something_else_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, only text " * 100)
    with board(tmp_path, "--watch", "notes.txt") as running:
        socket = running.browser().connect("/w")
        while "cannot be read" not in socket.next("notice")["text"]:
            pass
    assert (tmp_path / "notes.txt").read_text() == "no database at all, only text " * 100


def test_without_a_match_the_page_says_how_to_get_one(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        assert "--watch" in running.browser().connect("/w").next("notice")["text"]
