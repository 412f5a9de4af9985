"""The engine of this program as a client."""

from __future__ import annotations

import re

import pytest
from client.engines import LONGEST, START
from engine import fakes

from turkengine import __version__
from turkengine.client import builtin
from turkengine.client.builtin import BuiltinClient
from turkengine.client.contract import ClientError, ClientFault
from turkengine.engine.core import EngineCore
from turkengine.engine.kernel_types import Kernel
from turkengine.engine.limits import Limits
from turkengine.errors import OptionError
from turkengine.games import INTERNATIONAL, VARIANTS
from turkengine.notation import moves
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant


def client(**options: str) -> BuiltinClient:
    return BuiltinClient(options={"hash": "1", **options})


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_it_plays_a_game_against_itself(variant: Variant) -> None:
    with client() as engine:
        engine.start(variant)
        engine.new_game()
        position, plies = Position.start(variant), 0
        while outcome(position) is None and plies < 100:
            thought = engine.think(position, Limits(depth=3), LONGEST)
            assert thought.move in position.legal_moves()
            if thought.depth:
                assert thought.line[0] == thought.move
                assert thought.score is not None
            position, plies = position.play(thought.move), plies + 1
    assert plies > 20


def test_it_is_called_by_its_name_and_version_or_as_it_was_configured() -> None:
    assert client().name == f"turkengine {__version__}"
    assert BuiltinClient("Bob").name == "Bob"


def test_it_follows_a_game_with_its_history() -> None:
    with client() as engine:
        engine.start(INTERNATIONAL)
        kings = Position(INTERNATIONAL, "W" + "e" * 46 + "Bee", Side.WHITE)
        position = kings
        for occurrences in (1, 2, 3):
            assert engine.think(position, Limits(depth=1), LONGEST).move is not None
            assert engine._engine is not None
            assert engine._engine._last is not None
            assert engine._engine._last[1].cells == position.cells
            assert engine._engine._last[1].occurrences == occurrences
            for text in ("1-6", "48-42", "6-1", "42-48"):
                position = position.play(moves.read(position, text))


def test_one_that_thinks_too_long_is_stopped_and_lives_on() -> None:
    with client() as engine:
        engine.start(INTERNATIONAL)
        with pytest.raises(ClientError, match=r"turkengine .*: no answer within 0.050 s") as caught:
            engine.think(START, Limits(infinite=True), 0.05)
        assert caught.value.reason is ClientFault.TIMEOUT
        assert engine.think(START, Limits(depth=1), LONGEST).move is not None


def test_a_search_that_fails_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(fakes.Searcher):
        def run(self, *arguments: object, **named: object) -> None:
            raise ZeroDivisionError("by nought")

    def load(variant: Variant) -> Kernel:
        kernel = fakes.Kernel(variant)
        kernel.Searcher = Failing
        return kernel

    monkeypatch.setattr(builtin, "EngineCore", lambda options, on_failure: EngineCore(options, load, on_failure))
    engine = client()
    engine.start(INTERNATIONAL)
    with pytest.raises(ClientError, match="internal error, ZeroDivisionError: by nought") as caught:
        engine.think(START, Limits(depth=3), LONGEST)
    assert caught.value.reason is ClientFault.CRASH
    assert not engine.alive()


def test_it_says_that_it_has_no_move() -> None:
    lost = Position(INTERNATIONAL, "e" * 49 + "w", Side.BLACK)
    with client() as engine:
        engine.start(INTERNATIONAL)
        assert engine.think(lost, Limits(depth=1), LONGEST).move is None


def test_it_can_be_closed_twice_and_started_again() -> None:
    engine = client()
    engine.start(INTERNATIONAL)
    engine.close()
    engine.close()
    assert not engine.alive()
    with pytest.raises(ClientError, match="it does not run"):
        engine.think(START, Limits(depth=1))
    engine.new_game()
    assert engine.think(START, Limits(depth=1)).move is not None
    engine.close()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("hush", "1", "no option is called 'hush'"),
        ("hash", "lots", "option hash does not take 'lots'"),
        ("variant", "turkish", "option variant means nothing to the built-in engine"),
        ("log-file", "x.log", "option log-file means nothing"),
    ],
)
def test_a_wrong_option_is_named(name: str, value: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        BuiltinClient(options={name: value})


def test_a_size_that_cannot_be_had_is_no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turkengine.engine.machine.free_memory", lambda: 8)
    engine = BuiltinClient(options={"hash": "100000"})
    with pytest.raises(ClientError, match="100000 MiB cannot be had") as caught:
        engine.start(INTERNATIONAL)
    assert caught.value.reason is ClientFault.START
