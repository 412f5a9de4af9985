"""The games under way of a match in a file beside its database: what is there, when, and that nothing depends on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from match.scripted import Scripted, first_move
from match.test_runner import DEPTH, Heard

from turkengine.client.contract import Thought
from turkengine.engine.score import Score
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.match.conduct import Conduct
from turkengine.match.openings import from_start
from turkengine.match.referee import Beginning, Player, play
from turkengine.match.runner import Contest, Runner
from turkengine.match.schedule import Key, RoundRobin
from turkengine.match.seat import Entrant
from turkengine.match.store import MatchStore
from turkengine.match.underway import BEAT, EVERY, OVER, LiveFile, UnderWay, path_beside
from turkengine.record.record import Record
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

NAMES = {Side.WHITE: "A", Side.BLACK: "B"}
KEY = Key(0, 0, 0)


def players() -> dict[Side, Player]:
    return {side: Player(name, Scripted(), DEPTH) for side, name in NAMES.items()}


def test_a_game_is_seen_after_its_opening_and_after_each_move() -> None:
    start, game, seen = Position.start(TURKISH), UnderWay(NAMES, "an opening"), []
    opening = (start.legal_moves()[0],)

    def on_move(clocked: Any, thought: Thought | None) -> None:
        game.note(clocked, thought)
        seen.append(game.as_data())

    assert game.as_data() is None
    record = play(Beginning(start, opening, "an opening"), players(), Conduct(longest=5), on_move=on_move)
    assert record is not None
    assert [len(data["record"]["moves"]) for data in seen] == [1, 2, 3, 4, 5]
    last = Record.from_data(seen[-1]["record"])
    assert last.moves == record.moves
    assert last.names == NAMES
    assert {side: line["ply"] for side, line in seen[-1]["lines"].items()} == {"B": 4, "W": 5}


def test_what_engines_say_is_kept_as_squares() -> None:
    start = Position.start(INTERNATIONAL)
    move = start.legal_moves()[0]
    thought = Thought(move, 7, 1000, Score(35), 0.5, find_line=lambda: (move,))
    players = {side: Player(name, Scripted([thought]), DEPTH) for side, name in NAMES.items()}
    game = UnderWay(NAMES, "")
    play(Beginning(start), players, Conduct(longest=1), on_move=game.note)
    data = game.as_data()
    assert data is not None
    assert data["lines"] == {
        "W": {
            "ply": 1,
            "score": 35,
            "depth": 7,
            "nodes": 1000,
            "seconds": 0.5,
            "moves": [[move.origin, move.target, []]],
        }
    }


class Clock:
    """Time that passes when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("turkengine.match.underway.time.monotonic", lambda: self.now)


def begun() -> UnderWay:
    game = UnderWay(NAMES, "")
    play(Beginning(Position.start(TURKISH)), players(), Conduct(longest=1), on_move=game.note)
    return game


def test_the_file_is_written_where_something_has_changed_and_touched_where_nothing_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, asked = Clock(monkeypatch), []
    live = LiveFile(tmp_path / "m.db", lambda: asked.append(1) or {"title": "t"})
    live.show({})
    path = path_beside(tmp_path / "m.db")
    first = json.loads(path.read_text())
    assert (first["state"], first["title"], first["games"]) == ("running", "t", {})
    games = {KEY: begun()}
    live.show(games)  # too soon
    assert json.loads(path.read_text()) == first
    clock.now += EVERY
    live.show(games)
    assert list(json.loads(path.read_text())["games"]) == ["1.1.1"]
    os.utime(path, (5, 5))
    clock.now += BEAT / 2
    live.show(games)
    assert path.stat().st_mtime == 5
    clock.now += BEAT
    live.show(games)
    assert path.stat().st_mtime > 5
    assert len(asked) == 1
    live.changed()
    live.end(OVER)
    assert (len(asked), json.loads(path.read_text())["state"]) == (2, OVER)
    assert [path.name] == [one.name for one in tmp_path.iterdir()]


def test_a_runner_shows_the_games_that_are_played(tmp_path: Path) -> None:
    seen = threading.Event()

    class Watching(Heard):
        def on_moves(self, games: Mapping[Key, UnderWay]) -> None:
            super().on_moves(games)
            if self.seen:
                seen.set()

    def patient(position: Position) -> Move:
        seen.wait(10)  # no game is over before it has been seen
        return first_move(position)

    entrants = [Entrant(name, lambda name=name: Scripted(name=name, choose=patient), DEPTH) for name in "AB"]
    contest = Contest(entrants, RoundRobin("AB", 1), from_start(TURKISH), Conduct(longest=20))
    heard = Watching()
    with MatchStore(tmp_path / "m.db") as store:
        runner = Runner(contest, store, heard)
        runner.run()
    assert heard.seen["1.1.1"]["record"]["white"] == "A"
    assert runner._players.under_way == {}


def test_a_file_that_cannot_be_written_is_said_once_and_costs_no_game(tmp_path: Path) -> None:
    path_beside(tmp_path / "m.db").mkdir()
    command = ["match", "a=builtin:hash=1", "b=builtin:hash=1", "--nodes", "50", "--games", "4", "--db", "m.db"]
    done = subprocess.run(
        [sys.executable, "-m", "turkengine", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("m.db.live cannot be written: ") == 1
    assert "4 games" in done.stdout
