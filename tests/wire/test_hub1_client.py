"""Driving an engine over Hub 1, as Scan 2.0 speaks it."""

from __future__ import annotations

import pytest

from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.score import Score
from turkengine.errors import VariantError
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.notation import fen, moves
from turkengine.rules.position import Position
from turkengine.wire.client_session import Answered, Complained, Found, Greeted, InStep, Ready
from turkengine.wire.hub1_client import Hub1ClientSession

START = Position.start(INTERNATIONAL)
GREETING = ("Scan 2.0 by Fabien Letouzey", "name Scan 2.0", "author Fabien Letouzey", "country France")


def ready() -> Hub1ClientSession:
    session = Hub1ClientSession()
    assert session.hello() == ["hub"]
    for line in GREETING:
        assert session.receive(line) is None
    assert session.receive("wait") == Greeted()
    assert session.set_up(INTERNATIONAL, {"book": "false"}) == ["set book false", "init"]
    assert session.receive("init eval") is None
    assert session.receive("ready") == Ready()
    return session


def test_it_greets_by_name_and_takes_any_option() -> None:
    assert ready().name == "Scan 2.0"


def test_it_plays_one_game_only() -> None:
    with pytest.raises(VariantError, match="it plays international only, not turkish"):
        Hub1ClientSession().set_up(TURKISH, {})


@pytest.mark.parametrize(
    ("limits", "lines"),
    [
        (Limits(move_time=0.1), ["time 100", "go"]),
        (Limits(depth=9), ["depth 9", "go"]),
        (Limits(clock=GameClock(60, 0.5, 40)), ["level 40 60000 500", "go"]),
        (Limits(clock=GameClock(-1)), ["level 0 0 0", "go"]),
        (Limits(ponder=True, clock=GameClock(60)), ["level 0 60000 0", "ponder"]),
    ],
)
def test_the_limits_come_behind_the_position(limits: Limits, lines: list[str]) -> None:
    assert ready().ask(START, limits) == ["pos wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww", *lines]


def test_the_moves_are_those_since_something_could_not_be_undone() -> None:
    position = fen.read(INTERNATIONAL, "W:W26,K48:BK5,12")
    for text in ("26-21", "5-10", "48-42"):
        position = position.play(moves.read(position, text))
    placed, *played, _, _ = ready().ask(position, Limits(depth=1))
    assert placed[:5] == "pos b"
    assert played == ["move 5-10", "move 48-42"]


def test_the_answer_is_a_move_and_perhaps_another_one() -> None:
    session = ready()
    session.ask(START, Limits(depth=9))
    session.receive("info 9 10.5 -12 4321 0.01 5.5 32-28 19-23")
    session.receive("info 10")
    assert session.receive("move 32-28 19-23") == Answered(
        "32-28", "19-23", Found(9, 4321, Score(-12), ("32-28", "19-23"))
    )
    session.ask(START, Limits(depth=9))
    assert session.receive("move 32-28") == Answered("32-28", None, Found())


def test_errors_and_pongs_are_heard() -> None:
    session = ready()
    assert session.new_game() == ["new", "ping"]
    assert session.receive("pong") == InStep()
    assert session.receive("error bad position") == Complained("bad position")
