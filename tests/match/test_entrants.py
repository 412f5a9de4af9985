"""Engines are tried before the first game: what cannot play is refused, with what would be right."""

from __future__ import annotations

import re

import pytest
from client.engines import fake_command, ours

from turkengine.client import dialects, lines
from turkengine.client.contract import ClientError
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.match.clocks import TimeControl
from turkengine.match.entrants import Called, Entry, called, tried

NODES, TIME = TimeControl(nodes=10**9), TimeControl(time=60.0)


@pytest.fixture(autouse=True)
def no_long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialects, "HESITATION", 0.5)


def entry(text: str, control: TimeControl = TIME) -> Entry:
    return Entry.read(text, control)


@pytest.mark.parametrize(("dialect", "right"), [("uci", "hub"), ("hub", "uci")])
def test_an_engine_that_is_silent_in_one_dialect_and_greets_in_another_is_named_with_that(
    dialect: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "PATIENCE", 2.0)
    command = ours(right)
    with pytest.raises(ClientError) as caught:
        called(entry(f"x={dialect}:{command}"), INTERNATIONAL)
    message = str(caught.value)
    assert re.match(r"x: it does not greet within 2 s", message)
    assert message.endswith(f"; it seems to speak {right}, so write {right}:{command}")


def test_an_engine_of_the_first_version_started_as_the_second_is_refused_at_once() -> None:
    command = fake_command("hub1", "none")
    with pytest.raises(ClientError) as caught:
        called(entry(f"scan=hub:{command}"), INTERNATIONAL)
    assert str(caught.value) == f"scan: it does not speak hub, since it says 'name Fake 1'; write hub1:{command}"


def test_a_limit_that_a_dialect_has_no_word_for_is_refused() -> None:
    text = f"scan=hub1:{fake_command('hub1', 'none')}"
    with pytest.raises(ClientError, match=r"^scan: Hub 1 has no word for a number of nodes; give a time or a depth"):
        called(entry(text, NODES), INTERNATIONAL)
    assert called(entry(text), INTERNATIONAL) == Called("scan", text.partition("=")[2])


def test_the_dialect_is_found_out_once_for_the_whole_match() -> None:
    command = fake_command("uci", "none")
    for text in (f"auto:{command}", command):
        assert called(entry(text), INTERNATIONAL) == Called("Fake 1", f"uci:{command}")
    (entrant,) = tried([entry(f"x=auto:{command}")], INTERNATIONAL)
    client = entrant.make()
    assert isinstance(client, lines.LineClient)
    assert (client.name, client.session.dialect) == ("x", "uci")


def test_a_trial_takes_no_longer_than_a_move_has_to() -> None:
    assert TimeControl(depth=40, nodes=10**9).trial.depth == 2
    assert NODES.trial.nodes == 1000
    assert TimeControl(move_time=60.0).trial.move_time == 0.1
    clock = TimeControl(time=3600.0, increment=30.0, moves=40).trial.clock
    assert clock is not None
    assert (clock.remaining, clock.increment, clock.moves) == (2.0, 0.1, 40)
    assert called(entry("builtin:hash=1", NODES), TURKISH).engine == "builtin:hash=1"


@pytest.mark.parametrize("text", ["old=hub:/x/y hub", "hub:/x/y hub --a=b", "a b=builtin:hash=1"])
def test_names_stand_in_front_of_the_kind(text: str) -> None:
    found = entry(text)
    assert found.name == {"o": "old", "h": "", "a": "a b"}[text[0]]
    assert found.engine == text.removeprefix(f"{found.name}=")
