"""Analyses on a real server: trees that grow, an engine that follows, PDN and FEN in and out."""

from __future__ import annotations

from typing import Any

import pytest
from board.serving import Board, Browser, Socket


def made(browser: Browser, **fields: Any) -> tuple[str, Socket, dict[str, Any]]:
    status, answer = browser.ask("POST", "/api/trees", fields)
    assert status == 201, answer
    socket = browser.connect(answer["address"])
    return answer["address"], socket, socket.next("tree")


def test_a_tree_grows_and_adds_nothing_twice(browser: Browser) -> None:
    address, socket, tree = made(browser, variant="turkish")
    assert socket.next("you") == {"type": "you", "edit": True}
    assert [node["id"] for node in tree["nodes"]] == [0]
    assert socket.say("add", node=0, moves=["a3-a4", "a6-a5"])["node"] == 2
    assert socket.say("add", node=0, moves=["a3-a4", "b6-b5"])["node"] == 3
    assert socket.say("add", node=0, moves=["a3-a4", "a6-a5"])["node"] == 2
    nodes = {node["id"]: node for node in browser.connect(address).next("tree")["nodes"]}
    assert nodes[1]["children"] == [2, 3]
    assert (nodes[2]["ply"], nodes[2]["move"], nodes[2]["side"]) == (2, "a6-a5", "W")


def test_comments_marks_promotion_and_removal_reach_the_pdn(browser: Browser) -> None:
    address, socket, _ = made(browser, variant="turkish")
    socket.say("add", node=0, moves=["a3-a4", "a6-a5"])
    socket.say("add", node=1, moves=["b6-b5"])
    assert socket.say("comment", node=2, text="quiet {really}")["type"] == "ok"
    assert socket.say("nags", node=3, nags=[1])["type"] == "ok"
    assert socket.say("promote", node=3)["type"] == "ok"
    text = browser.ask("GET", f"{address}/pdn")[1].decode()
    assert "1. a3-a4 b6-b5! (1... a6-a5 {quiet (really)}) *" in text
    tree = browser.connect(address).next("tree")
    gone = next(node["id"] for node in tree["nodes"] if node["move"] == "a6-a5")
    assert socket.say("remove", node=gone)["type"] == "ok"
    assert "a6-a5" not in browser.ask("GET", f"{address}/pdn")[1].decode()
    assert socket.say("remove", node=0)["code"] == "bad-message"
    assert socket.say("look", node=99)["code"] == "bad-message"
    assert socket.say("add", node=0, moves=["a3-a5"])["code"] == "illegal"


def test_others_read_and_do_not_change(browser: Browser, other: Browser) -> None:
    address, socket, _ = made(browser, variant="turkish")
    reader = other.connect(address)
    assert reader.next("you")["edit"] is False
    assert reader.say("add", node=0, moves=["a3-a4"])["code"] == "not-yours"
    assert reader.say("search", node=0)["code"] == "not-yours"
    assert reader.say("look", node=0)["type"] == "ok"
    assert len(reader.next("legal")["legal"]) == 8
    socket.say("add", node=0, moves=["a3-a4"])
    assert {reader.next("node")["node"]["id"] for _ in range(2)} == {0, 1}


def test_the_engine_shows_its_lines_until_it_is_stopped(browser: Browser) -> None:
    _, socket, _ = made(browser, variant="turkish")
    socket.say("add", node=0, moves=["a3-a4"])
    assert socket.say("search", node=1, lines=3)["type"] == "ok"
    while len((found := socket.next("lines"))["lines"]) < 3 or found["depth"] < 5:
        pass
    assert [line["rank"] for line in found["lines"]] == [1, 2, 3]
    assert sum(found["lines"][0]["chances"]) == pytest.approx(1, abs=0.01)
    assert socket.say("search", node=0, lines=1)["type"] == "ok"
    while (found := socket.next("lines"))["node"] != 0:
        pass
    assert socket.say("stop")["type"] == "ok"
    while socket.next("lines")["running"]:
        pass
    assert socket.say("search", node=0, threat=True)["type"] == "ok"
    while (found := socket.next("lines"))["side"] == "W":
        pass
    assert found["lines"][0]["moves"][0][1] in "67"  # Black's move


def test_a_game_comes_in_as_pdn_and_is_judged(browser: Browser) -> None:
    pdn = '[GameType "20"] [White "A"] 1. 32-28 19-23 (1... 18-22 {instead}) 2. 28x19 14x23 *'
    address, socket, tree = made(browser, pdn=pdn)
    assert tree["tags"]["White"] == "A"
    assert len(tree["nodes"]) == 6
    assert [next(n["move"] for n in tree["nodes"] if n["id"] == i) for i in tree["main"]][1:3] == ["32-28", "19-23"]
    assert socket.say("annotate", depth=3)["type"] == "ok"
    assert socket.say("look", node=0)["type"] == "ok"  # nobody waits for a judgement
    while (report := socket.next("report"))["state"] == "running":
        assert report["of"] == 5
    assert (report["state"], report["done"]) == ("done", 5)
    course = socket.next("course")
    assert len(course["nodes"]) == len(course["men"]) == len(course["chances"]) == 5
    assert set(course["players"]) == {"W", "B"}
    assert "accuracy" in course["players"]["W"]
    later = browser.connect(address)
    assert later.next("tree")["main"] == course["nodes"]
    assert later.next("course") == course
    assert "[%eval" in browser.ask("GET", f"{address}/pdn")[1].decode()


def test_a_blunder_is_a_critical_moment(browser: Browser) -> None:
    _, socket, _ = made(browser, pdn='[GameType "20"] 1. 35-30 19-23 2. 34-29 23x25 3. 39-34 *')
    socket.say("annotate", depth=6)
    while socket.next("report")["state"] == "running":
        pass
    course = socket.next("course")
    moment = next(one for one in course["critical"] if one["mark"] in ("?", "??"))
    assert moment["node"] in course["nodes"]
    assert moment["best"] != ""
    assert moment["line"][0] == moment["best"]
    assert moment["loss"] > 0.5


def test_a_judgement_can_be_stopped_and_nothing_changes_under_it(browser: Browser) -> None:
    _, socket, _ = made(browser, pdn='[GameType "20"] 32-28 19-23 28x19 14x23 *')
    assert socket.say("annotate", depth=30)["type"] == "ok"
    assert socket.say("comment", node=1, text="x")["code"] == "busy"
    assert socket.say("annotate", depth=3)["code"] == "busy"
    assert socket.say("stop")["type"] == "ok"
    while (report := socket.next("report"))["state"] == "running":
        pass
    assert report["state"] == "stopped"
    assert socket.say("comment", node=1, text="x")["type"] == "ok"
    _, empty, _ = made(browser, variant="turkish")
    assert empty.say("annotate", depth=3)["code"] == "bad-message"


def test_engines_go_to_whoever_needs_one(browser: Browser) -> None:
    searching = []
    for _ in range(6):
        _, socket, _ = made(browser, variant="turkish")
        if len(searching) == 4:
            assert socket.say("search", node=0)["code"] == "busy"
            searching.pop(0).say("stop")
        assert socket.say("search", node=0)["type"] == "ok"
        while not socket.next("lines")["lines"]:
            pass
        searching.append(socket)
    for socket in searching:
        assert socket.say("stop")["type"] == "ok"


def test_a_tree_survives_a_restart(running: Board, browser: Browser) -> None:
    address, socket, _ = made(browser, variant="croda", fen="W:WKa1:BKh8,a8")
    move = None
    socket.say("look", node=0)
    move = socket.next("legal")["legal"][0]["move"]
    assert socket.say("add", node=0, moves=[move])["type"] == "ok"
    port = running.port
    running.kill()
    fresh = Board(running.folder, port=port, lenient=True)
    running.process = fresh.process
    again = browser.connect(address)
    assert again.next("you")["edit"] is True
    assert [node["move"] for node in again.next("tree")["nodes"]] == ["", move]


def test_a_game_between_people_is_analysed_when_it_is_over(browser: Browser) -> None:
    game = browser.new_game()
    status, answer = browser.ask("POST", "/api/trees", {"game": game["game"]})
    assert (status, answer["error"]["code"]) == (403, "in-play")
    socket = browser.connect(game["address"])
    socket.say("move", ply=0, move="a3-a4")
    socket.say("resign", side="B")
    assert len(made(browser, game=game["game"])[2]["nodes"]) == 2


def test_a_position_that_people_play_is_searched_by_no_way(browser: Browser) -> None:
    socket = browser.connect(browser.new_game()["address"])
    now = socket.next("game")["now"]
    texts = []
    for ply in range(9):
        texts.append(now["legal"][0]["move"])
        assert socket.say("move", ply=ply, move=texts[-1])["type"] == "ok"
        now = socket.next("played")["now"]
    _, by_fen, _ = made(browser, variant="turkish", fen=now["fen"])
    assert by_fen.say("search", node=0)["code"] == "in-play"
    last = by_fen.say("add", node=0, moves=[now["legal"][0]["move"]])["node"]
    assert by_fen.say("search", node=last)["code"] == "in-play"
    _, by_moves, _ = made(browser, variant="turkish")
    reached = by_moves.say("add", node=0, moves=texts)["node"]
    assert by_moves.say("search", node=reached)["code"] == "in-play"
    assert by_moves.say("annotate", depth=1)["code"] == "in-play"
    assert by_moves.say("search", node=0)["type"] == "ok"
    socket.say("resign")
    assert by_fen.say("search", node=0)["type"] == "ok"


def test_a_pdn_loses_what_deceives(browser: Browser) -> None:
    _, _, tree = made(browser, pdn='[GameType "20"] [White "a\u202eb"] 1. 32-28 {x\u0000\u2066y <script>} *')
    assert tree["tags"]["White"] == "ab"
    assert tree["nodes"][1]["comment"] == "x y <script>"  # a NUL is a blank to the reader of PDN


def pdn_with(variations: int) -> str:
    return '[GameType "20"] 1. 32-28 19-23 ' + "(1... 18-22) " * variations + "*"


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({}, 400, "bad-message"),
        ({"pdn": "hello"}, 400, "bad-pdn"),
        ({"pdn": "(" * 100_000}, 400, "bad-pdn"),
        ({"pdn": pdn_with(10_000)}, 400, "bad-pdn"),
        ({"pdn": "x" * (1024 * 1024 + 1)}, 413, "too-long"),
        ({"pdn": "x" * (1024 * 1024 + 5000)}, 413, "too-long"),
        ({"variant": "chess"}, 400, "bad-position"),
        ({"variant": "turkish", "fen": "W:Wz9:B"}, 400, "bad-position"),
        ({"game": "nothing"}, 404, "no-game"),
    ],
)
def test_what_is_no_analysis_is_refused(browser: Browser, fields: dict[str, Any], status: int, code: str) -> None:
    found, answer = browser.ask("POST", "/api/trees", fields)
    assert (found, answer["error"]["code"]) == (status, code)
    assert "\n" not in answer["error"]["text"]
