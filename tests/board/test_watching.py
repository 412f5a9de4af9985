"""A match of another process, shown from its files, which are only read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from board.serving import Browser, Socket, board
from websockets.exceptions import ConnectionClosed

from turkengine.board.matchfile import MatchFile
from turkengine.match.underway import ALIVE, path_beside

SLOW = "--movetime", "0.02"


def playing(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A match of Turkish draughts in a process of its own."""
    command = [sys.executable, "-m", "turkengine", "match", "a=builtin:hash=1", "b=builtin:hash=1", "--db", "match.db"]
    return subprocess.Popen(
        [*command, "--variant", "turkish", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(match: subprocess.Popen[str]) -> str:
    said, _ = match.communicate(timeout=100)
    assert match.returncode == 0, said
    return said


def until(socket: Socket, played: int, state: str | None = None) -> dict[str, Any]:
    """The table once so many games are over."""
    while (match := socket.next("match"))["played"] < played or match["state"] != (state or match["state"]):
        pass
    return match


def test_a_match_is_shown_as_it_grows_and_its_games_are_replayed(tmp_path: Path) -> None:
    with board(tmp_path, "--watch", "match.db") as running:
        socket = running.browser().connect("/w")
        assert socket.next("notice")["code"] == "no-match"
        ended(playing(tmp_path, "--games", "2", "--nodes", "50"))
        match = until(socket, 2)
        assert {row["name"] for row in match["standings"]} == {"a", "b"}
        assert sum(row["points"] for row in match["standings"]) == 2
        assert match["cross"]["a"]["b"] + match["cross"]["b"]["a"] == 2
        number = match["games"][0]["game"]
        assert socket.say("open", game=number)["type"] == "ok"
        record = socket.next("record")
        assert len(record["moves"]) == match["games"][0]["plies"]
        assert record["moves"][-1]["ply"] == len(record["moves"])
        assert record["ending"]["reason"] == match["games"][0]["reason"]
        assert socket.say("open", game="9.9.9")["code"] == "no-game"
        assert socket.say("games", before=number)["type"] == "ok"
        assert [game["game"] for game in socket.next("games")["games"]] == [match["games"][1]["game"]]
        assert socket.say("games", before="9.9.9")["code"] == "no-game"


def test_games_under_way_are_seen_with_what_both_engines_say(tmp_path: Path) -> None:
    with board(tmp_path, "--watch", "match.db") as running:
        socket = running.browser().connect("/w")
        match = playing(tmp_path, "--games", "2", "--concurrency", "2", "--tc", "1+0.01", "--sprt", "0,5")
        while not (shown := socket.next("under_way"))["games"] or not all(
            game["ply"] > 12 and all(game["lines"].values()) for game in shown["games"]
        ):
            pass
        assert shown["state"] == "running"
        for game in shown["games"]:
            assert {game["white"], game["black"]} == {"a", "b"}
            assert 0 < game["clocks"][game["side"]] <= 3
            assert time.time() - game["at"] < 5
            opponent = game["lines"]["B" if game["side"] == "W" else "W"]
            assert opponent["ply"] == game["ply"]
            assert opponent["moves"][0] == game["text"]
            assert opponent["depth"] > 0
        name = shown["games"][0]["game"]
        assert socket.say("open", game=name)["type"] == "ok"
        record = socket.next("record")
        assert record["ending"] is None
        assert len(record["moves"]) >= shown["games"][0]["ply"]
        assert record["moves"][-1]["cells"] != record["start"]["cells"]
        ended(match)
        last = until(socket, 2, "over")
        assert last["under_way"] == []
        assert last["total"] == 2
        assert set(last["llr"]) == {"value", "lower", "upper", "elo0", "elo1", "accepted"}
        assert last["llr"]["lower"] < last["llr"]["value"] < last["llr"]["upper"]


def test_a_match_that_was_killed_is_said_to_be_played_no_more(tmp_path: Path) -> None:
    match = playing(tmp_path, "--games", "2", *SLOW)
    beside = path_beside(tmp_path / "match.db")
    until_when = time.monotonic() + 60
    while not (beside.exists() and json.loads(beside.read_text())["games"]):
        assert time.monotonic() < until_when
        time.sleep(0.05)
    match.kill()
    match.communicate()
    file = MatchFile(tmp_path / "match.db")
    file.look()
    assert file.state == "running"  # nobody can know yet
    old = time.time() - ALIVE
    os.utime(beside, (old, old))
    assert file.look()[1]
    assert file.state == "stopped"


def test_another_match_under_the_same_name_is_another_match(tmp_path: Path) -> None:
    file = MatchFile(tmp_path / "match.db")
    ended(playing(tmp_path, "--games", "4", "--nodes", "50"))
    file.look()
    assert len(file.finished) == 4
    for path in tmp_path.glob("match.db*"):
        path.unlink()
    ended(playing(tmp_path, "--games", "2", "--nodes", "60"))
    file.look()
    assert len(file.finished) == 2
    assert len(file.results) == 2


def test_games_that_repeat_others_do_not_count(tmp_path: Path) -> None:
    ended(playing(tmp_path, "--games", "4", "--nodes", "50", "--openings", "start"))
    file = MatchFile(tmp_path / "match.db")
    file.look()
    repeats = {game["game"]: game["repeats"] for game in file.listed(None, 100)}
    assert [name is None for name in repeats.values()] == [False, False, True, True]
    assert sum(standing.games.total for standing in file.summary().standings) == 4  # two games of each of two


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version":1}', '{"version":1,"state":"running","games":[5]}'])
def test_a_file_beside_that_is_damaged_shows_no_games_under_way(tmp_path: Path, text: str) -> None:
    ended(playing(tmp_path, "--games", "2", "--nodes", "50"))
    path_beside(tmp_path / "match.db").write_text(text)
    file = MatchFile(tmp_path / "match.db")
    file.look()
    assert (len(file.finished), file.under_way, file.state) == (2, {}, "stopped")
    assert set(file.summary().names) == {"a", "b"}


def test_the_match_is_not_changed_by_being_read(tmp_path: Path) -> None:
    ended(playing(tmp_path, "--games", "2", "--nodes", "50"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with board(tmp_path, "--watch", "match.db") as running:
        until(running.browser().connect("/w"), 2)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_of_something_else_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, only text " * 100)
    with board(tmp_path, "--watch", "notes.txt") as running:
        socket = running.browser().connect("/w")
        assert "cannot be read" in socket.next("notice")["text"]
    assert (tmp_path / "notes.txt").read_text() == "no database at all, only text " * 100


def test_without_a_match_the_page_says_how_to_get_one(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        assert "--watch" in running.browser().connect("/w").next("notice")["text"]


def test_a_match_with_a_board_says_where_it_is_and_takes_it_along(tmp_path: Path) -> None:
    match = playing(tmp_path, "--games", "2", "--board", *SLOW)
    assert match.stdout is not None
    while not (line := match.stdout.readline()).startswith("the board is at"):
        assert line, "no address"
    socket = Browser(int(line.split(":")[-1].partition("/")[0])).connect("/w")
    assert until(socket, 2, "over")["under_way"] == []
    assert "turkengine board --watch match.db" in ended(match)
    with pytest.raises(ConnectionClosed):
        socket.next("nothing")


def test_a_board_needs_a_database_to_read(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "turkengine", "match", "a=builtin", "b=builtin", "--nodes", "50", "--board"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "--db FILE" in done.stderr
