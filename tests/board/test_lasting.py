"""Nothing that was acknowledged is lost: not by kill -9, a restart, a full disk, or a page that sleeps."""

from __future__ import annotations

import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from board.serving import Board, Browser, board
from websockets.exceptions import ConnectionClosed

KILLS = 8  # the command `scripts/bench board` does 50


def test_no_acknowledged_move_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    chance, acknowledged = random.Random(1), 0
    running = Board(tmp_path, lenient=True)
    port, browser = running.port, running.browser()
    made = browser.new_game("international", white={"kind": "engine", "level": 0})
    for _ in range(KILLS):
        killer = threading.Timer(chance.uniform(0.05, 0.4), running.kill)
        playing = browser.connect(made["address"])
        game = playing.next("game")
        assert len(game["moves"]) in (acknowledged, acknowledged + 1, acknowledged + 2)
        assert [move["ply"] for move in game["moves"]] == list(range(1, len(game["moves"]) + 1))
        acknowledged = len(game["moves"])
        killer.start()
        now = game["now"]
        try:
            while now["ending"] is None:
                if now["side"] == "B":
                    playing.say("move", ply=now["ply"], move=chance.choice(now["legal"])["move"])
                    acknowledged = now["ply"] + 1
                now = playing.next("played")["now"]
        except (ConnectionClosed, OSError):
            pass
        killer.join()
        running.kill()
        running = Board(tmp_path, port=port, lenient=True)
        if now["ending"] is not None:
            made, acknowledged = browser.new_game("international", white={"kind": "engine", "level": 0}), 0
    assert "Traceback" not in running.end()


def test_seats_offers_suggestions_talk_and_clocks_survive_a_restart(tmp_path: Path) -> None:
    first = Board(tmp_path, "--db", "g.db")
    browser, other = first.browser(), first.browser()
    made = browser.new_game(black={"kind": "link", "name": "B"}, time="300+2")
    address, _, key = made["links"]["B"].partition("#")
    other.ask("POST", f"{address}/claim", {"key": key})
    white, black, watcher = browser.connect(address), other.connect(address), first.browser().connect(address)
    white.say("move", ply=0, move="a3-a4")
    black.say("draw", ply=1)
    watcher.say("suggest", ply=1, move="a6-a5")
    watcher.say("talk", text="hello")
    time.sleep(0.5)
    assert first.end() == ""
    with pytest.raises(ConnectionClosed) as caught:
        white.next("nothing")
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1012
    second = Board(tmp_path, "--db", "g.db", port=first.port)
    time.sleep(0.5)
    back = other.connect(address)
    assert back.next("you")["seats"] == ["B"]
    game = back.next("game")
    assert [move["text"] for move in game["moves"]] == ["a3-a4"]
    assert game["now"]["offers"]["draw"] == "B"
    assert [arrow["move"] for arrow in game["suggestions"]["arrows"]] == ["a6-a5"]
    assert [line["text"] for line in game["talk"]] == ["hello"]
    assert 300 < game["now"]["clocks"]["W"] <= 302
    assert 298 < game["now"]["clocks"]["B"] < 299.6  # the turn before counts, the time away does not
    assert browser.connect(address).next("you")["seats"] == ["W"]
    assert second.end() == ""


def test_who_is_muted_stays_so_until_he_wants_them_again(tmp_path: Path) -> None:
    first = Board(tmp_path, "--db", "g.db")
    browser = first.browser()
    made = browser.new_game()
    playing, watcher = browser.connect(made["address"]), first.browser().connect(made["address"])
    playing.next("game")
    assert playing.say("mute", muted=True)["type"] == "ok"
    assert playing.next("game")["players"]["W"]["muted"] is True
    watcher.say("suggest", ply=0, move="a3-a4")
    watcher.say("talk", text="hello")
    first.kill()
    second = Board(tmp_path, "--db", "g.db", port=first.port)
    back = browser.connect(made["address"])
    game = back.next("game")
    assert game["players"]["W"]["muted"] is True
    assert (game["talk"], game["suggestions"]["arrows"]) == ([], [])
    assert back.say("mute", muted=False)["type"] == "ok"
    game = back.next("game")
    assert [line["text"] for line in game["talk"]] == ["hello"]
    assert [arrow["move"] for arrow in game["suggestions"]["arrows"]] == ["a3-a4"]
    second.end()


def test_a_board_ends_in_order_whoever_asks_for_it(tmp_path: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        running = Board(tmp_path, "--db", "g.db")
        socket = running.browser().connect(running.browser().new_game()["address"])
        running.process.send_signal(number)
        with pytest.raises(ConnectionClosed) as caught:
            socket.next("nothing")
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1012
        assert running.process.wait(20) == 130
        assert running.process.stderr is not None
        assert running.process.stderr.read() == ""


def test_a_flag_falls_also_where_nobody_comes_back_after_a_restart(tmp_path: Path) -> None:
    first = Board(tmp_path, "--db", "g.db")
    browser = first.browser()
    made = browser.new_game(time="1")
    first.kill()
    second = Board(tmp_path, "--db", "g.db", port=first.port)
    time.sleep(1.5)
    listed = browser.ask("GET", "/api/games")[1]["games"]
    assert [(game["game"], game["over"], game["result"]) for game in listed] == [(made["game"], True, "0-1")]
    second.end()


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("create table mine (value)")
    before = path.read_bytes()
    command = [sys.executable, "-m", "turkengine", "board", "--no-browser", "--port", "0", "--db", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == f"turkengine: {path} is a database of something else; name another file\n"
    assert path.read_bytes() == before


def test_a_second_board_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with board(tmp_path, "--db", "g.db"):
        command = [sys.executable, "-m", "turkengine", "board", "--no-browser", "--port", "0", "--db", "g.db"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "g.db" in done.stderr


def test_a_reader_that_stalls_is_dropped_and_nobody_waits_for_him(tmp_path: Path) -> None:
    with board(tmp_path, lenient=True) as running:
        browser = running.browser()
        made = browser.new_game()
        talker = browser.connect(made["address"])
        with socket.create_connection(("127.0.0.1", running.port), 10) as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            host, path = f"127.0.0.1:{running.port}", made["address"]
            stalled.sendall(
                f"GET {path}/ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert stalled.recv(12) == b"HTTP/1.1 101"
            talker.next("watchers")
            longest = 0.0
            for _ in range(60):  # each sends the whole game twice, some kilobytes
                began = time.perf_counter()
                for ply in (0, 1):
                    talker.say("move", ply=ply, move=("a3-a4", "a6-a5")[ply])
                for ply in (2, 1):
                    talker.say("back", ply=ply)
                longest = max(longest, time.perf_counter() - began)
                talker.later = [message for message in talker.later if message["type"] == "watchers"]
                if talker.later:
                    break
            talker.later = []
        assert longest < 2
        assert browser.connect(made["address"]).next("game")["watchers"] == 0


@pytest.mark.skipif(not Path("/dev/full").exists() or shutil.which("sh") is None, reason="needs a POSIX shell")
def test_a_full_disk_refuses_the_move_and_changes_nothing(tmp_path: Path) -> None:
    running = Board(tmp_path, lenient=True)
    browser = Browser(running.port)
    made = browser.new_game()
    playing = browser.connect(made["address"])
    playing.next("game")
    assert playing.say("move", ply=0, move="a3-a4")["type"] == "ok"
    resource = pytest.importorskip("resource")
    pid = running.process.pid
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    assert playing.say("move", ply=1, move="a6-a5")["code"] == "not-kept"
    assert browser.connect(made["address"]).next("game")["now"]["ply"] == 1
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert playing.say("move", ply=1, move="a6-a5")["type"] == "ok"
    assert "Traceback" not in running.end()
