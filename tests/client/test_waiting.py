"""Waits that end whatever an engine does meanwhile, and that people hear of."""

from __future__ import annotations

import itertools
import re
import resource
import time

import pytest
from client.engines import LONGEST, START, fake

from turkengine import waiting
from turkengine.client.contract import ClientError, ClientFault
from turkengine.engine.limits import Limits
from turkengine.games import INTERNATIONAL
from turkengine.waiting import Waiting
from turkengine.wire.client_session import LONGEST_PARAMETERS, LONGEST_REPORTS, MOST_PARAMETERS, Stage
from turkengine.wire.hub_client import HubClientSession

PATIENCE = 0.5


@pytest.mark.parametrize("mischief", ["no pause", "drip", "options"])
def test_an_engine_that_writes_without_pause_is_timed_out_at_the_start(mischief: str) -> None:
    began = time.monotonic()
    client = fake(mischief, patience=PATIENCE)
    with pytest.raises(ClientError, match=re.escape("it does not greet within 0.5 s")) as caught:
        client.start(INTERNATIONAL)
    assert caught.value.reason is ClientFault.START
    assert time.monotonic() - began < LONGEST / 4
    assert not client.alive()


def test_reports_without_end_do_not_put_off_the_deadline() -> None:
    with fake("reports without end", patience=LONGEST) as client:
        client.start(INTERNATIONAL)
        client.think(START, Limits(depth=3), LONGEST)
        began = time.monotonic()
        with pytest.raises(ClientError, match=r"no answer within 0\.300 s, and none when it was stopped") as caught:
            client.think(START, Limits(depth=3), 0.3)
        assert caught.value.reason is ClientFault.SILENCE
        assert time.monotonic() - began < LONGEST / 4


def test_options_without_end_take_no_memory_without_end() -> None:
    session = HubClientSession()
    session.hello()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(100_000):
        session.receive(f"param name=p{number} value={'v' * 1000} type=string")
    assert len(session.parameters) <= MOST_PARAMETERS
    assert sum(len(one.value) for one in session.parameters.values()) <= LONGEST_PARAMETERS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10  # KiB
    assert session.strange is not None
    assert session.strange.startswith("param name=p1")


def test_what_is_kept_of_reports_and_names_is_bounded() -> None:
    session = HubClientSession()
    session.hello()
    session.receive(f"id name={'x' * 10**6}")
    assert len(session.name) < 1000
    session.receive("wait")
    session.set_up(INTERNATIONAL, {})
    session.receive("ready")
    assert session.stage is Stage.IDLE
    session.ask(START, Limits(depth=3))
    for _ in range(200):
        session.receive("info " + "x" * 10**6)
    assert sum(map(len, session._reports)) <= LONGEST_REPORTS + 11 * 10**6
    session.receive('info depth=7 score=0.25 pv="31-26"')
    assert session.found().depth == 7


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST", 0.1)


def test_an_engine_that_does_not_start_is_said_at_growing_intervals(soon: None) -> None:
    said: list[tuple[float, str]] = []
    client = fake("dumb", patience=2.0)
    client.on_wait = lambda line: said.append((time.monotonic() - began, line))
    began = time.monotonic()
    with pytest.raises(ClientError, match="it does not greet within 2 s"):
        client.start(INTERNATIONAL)
    assert all(re.fullmatch(r"waiting for .*fake_engine.* to greet: \d+ s", line) for _, line in said)
    moments = [moment for moment, _ in said]
    assert 3 <= len(moments) <= 5  # after 0.1, 0.2, 0.4, 0.8 and 1.6 s
    gaps = [later - sooner for sooner, later in itertools.pairwise(moments)]
    assert gaps == sorted(gaps)


@pytest.mark.parametrize(
    ("limits", "heard"), [(Limits(depth=3), True), (Limits(move_time=5.0), False)], ids=["a depth", "a time"]
)
def test_silence_in_a_search_is_said_where_no_time_ends_it(soon: None, limits: Limits, heard: bool) -> None:
    said: list[str] = []
    with fake("slow", patience=LONGEST) as client:
        client.start(INTERNATIONAL)
        client.think(START, Limits(depth=3), LONGEST)
        client.on_wait = said.append
        client.think(START, limits, LONGEST)
    assert [line for line in said if line.startswith("waiting for Fake 1 to answer: ")] == said
    assert bool(said) is heard


def test_a_wait_of_which_nobody_wants_to_know_says_nothing() -> None:
    assert Waiting("nothing", None).due == float("inf")


def test_an_engine_that_was_heard_is_not_silent() -> None:
    said: list[str] = []
    wait = Waiting("x to answer", said.append)
    now = time.perf_counter() + 3
    wait.look(now, heard=now - 1)
    assert said == []
    assert wait.due == now + 1
    wait.look(now + 1, heard=now - 1)
    assert said == ["waiting for x to answer: 2 s"]
    wait.look(now + 2.9, heard=now - 1)
    assert len(said) == 1
    wait.look(now + 3, heard=now - 1)
    assert said[1:] == ["waiting for x to answer: 4 s"]
