"""What is served beside games: the page and its files, with the headers that keep everything else out."""

from __future__ import annotations

import http.client
import json
import re
import socket
from contextlib import closing
from pathlib import Path

import pytest
from board.serving import Board, Browser, board

import turkengine.board
from turkengine.board.guard import POLICY
from turkengine.games import VARIANTS

STATIC = Path(turkengine.board.__file__).parent / "static"
there_is_a_page = pytest.mark.skipif(not STATIC.exists(), reason="the page is not built into this package")


def got(port: int, path: str, **headers: str) -> http.client.HTTPResponse:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        answer.text = answer.read()  # type: ignore[attr-defined]
        return answer


@there_is_a_page
@pytest.mark.parametrize("path", ["/", "/g/whatever", "/a", "/a/whatever", "/w"])
def test_every_address_is_the_same_page(running: Board, path: str) -> None:
    answer = got(running.port, path)
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.text == got(running.port, "/").text  # type: ignore[attr-defined]


@there_is_a_page
def test_the_page_needs_nothing_from_elsewhere_and_nothing_inline(running: Board) -> None:
    page = got(running.port, "/").text.decode()  # type: ignore[attr-defined]
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", page)
    assert not re.findall(r"<style|style=|\son\w+=|<script(?![^>]*src=)", page)


@there_is_a_page
@pytest.mark.parametrize("path", sorted(STATIC.glob("*")) if STATIC.exists() else [], ids=lambda path: path.name)
def test_each_file_comes_with_its_type_and_is_not_sent_twice(running: Board, path: Path) -> None:
    answer = got(running.port, f"/static/{path.name}")
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
    assert answer.status == 200
    assert answer.headers["Content-Type"].partition(";")[0] == kinds.get(path.suffix, answer.headers["Content-Type"])
    again = got(running.port, f"/static/{path.name}", If_None_Match=answer.headers["ETag"])
    assert (again.status, again.text) == (304, b"")  # type: ignore[attr-defined]


@there_is_a_page
@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/none"])
def test_nothing_else_is_served(running: Board, path: str) -> None:
    assert got(running.port, path).status == 404


def test_every_game_is_described(running: Board, browser: Browser) -> None:
    status, answer = browser.ask("GET", "/api/variants")
    assert status == 200
    assert [one["name"] for one in answer["variants"]] == [variant.name for variant in VARIANTS]
    for described, variant in zip(answer["variants"], VARIANTS, strict=True):
        assert len(described["squares"]) == len(described["start"]) == variant.board.size
        assert described["results"] == list(variant.results)
        assert described["numbered"] == variant.board.names[0].isdecimal()


def test_what_is_not_there_or_not_so_is_said(browser: Browser) -> None:
    assert browser.ask("GET", "/nothing")[0] == 404
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        status, answer = browser.ask(method, "/api/games")
        assert (status, answer["error"]["code"]) == (403, "bad-origin")
    status, answer = browser.ask("GET", "/g/nothing/pdn")
    assert (status, answer["error"]["code"]) == (404, "no-game")


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_the_other_address_of_this_machine_leads_here_too(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        try:
            connection = http.client.HTTPConnection("::1", running.port, timeout=20)
            connection.request("GET", "/api/games")
        except OSError:
            pytest.skip("this machine has no ::1")
        with closing(connection):
            answer = connection.getresponse()
            assert (answer.status, json.load(answer)) == (200, {"games": []})


def test_a_game_is_listed_and_written_as_pdn(browser: Browser) -> None:
    made = browser.new_game("turkish", white={"kind": "here", "name": "Ayşe"}, black={"kind": "link", "name": "B"})
    playing = browser.connect(made["address"])
    playing.say("move", ply=0, move="a3-a4")
    listed = browser.ask("GET", "/api/games")[1]["games"][0]
    assert (listed["game"], listed["ply"], listed["white"], listed["over"]) == (made["game"], 1, "Ayşe", False)
    text = browser.ask("GET", f"{made['address']}/pdn")[1].decode()
    assert '[White "Ayşe"]' in text
    assert "1. a3-a4" in text
