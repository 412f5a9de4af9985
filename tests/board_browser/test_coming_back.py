"""A page that loses its server finds it again, and nothing of the game is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from board.serving import Board
from board_browser.visiting import Visitor

Visit = Callable[..., Visitor]


def test_a_restart_in_mid_game(visit: Visit, tmp_path: Path) -> None:
    first = Board(tmp_path, "--db", "games.db")
    white, black = visit(first.port), visit(first.port)
    made = white.make(black={"kind": "link", "name": ""}, time="300+2")
    black.page.goto(white.origin + made["links"]["B"])
    black.sees("White to move")
    white.tap("a3", "a4")
    black.sees("Your move")
    first.kill()
    for one in (white, black):
        one.sees("The connection is lost", ".offline")
    black.tap("h6")
    black.tap("h5")  # made while there is no server
    second = Board(tmp_path, "--db", "games.db", port=first.port)
    for one in (white, black):
        one.has_moves("a3-a4", "h6-h5")
        assert one.page.locator(".offline").count() == 0
    white.sees("Your move")
    white.sees(r"[45]:\d\d", ".clock")
    assert "Connected again." in white.spoken
    assert "Traceback" not in second.end()


def test_five_seconds_without_network(visit: Visit) -> None:
    white, black = visit(), visit()
    lines: list[tuple[Any, Any]] = []
    cut = False

    def carry(line: Any) -> None:
        if cut:
            line.close()
        else:
            lines.append((line, line.connect_to_server()))

    white.page.route_web_socket("**/ws", carry)
    made = white.make(black={"kind": "link", "name": ""})
    black.page.goto(white.origin + made["links"]["B"])
    black.sees("White to move")
    white.tap("a3", "a4")
    black.sees("Your move")
    cut = True
    white.context.set_offline(True)
    for pair in lines:
        for end in pair:
            end.close()
    white.sees("The connection is lost", ".offline")
    black.tap("h6", "h5")
    black.has_moves("a3-a4", "h6-h5")
    white.wait(5)
    assert white.moves == ["a3-a4"]
    cut = False
    white.context.set_offline(False)
    white.has_moves("a3-a4", "h6-h5")
    white.tap("b3", "b4")
    black.has_moves("a3-a4", "h6-h5", "b3-b4")
