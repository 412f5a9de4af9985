"""Engines as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from client.engines import LONGEST, START, fake_command, ours

from turkengine.client import dialects
from turkengine.client.builtin import BuiltinClient
from turkengine.client.contract import ClientError
from turkengine.client.dxp import DxpClient
from turkengine.client.lines import LineClient
from turkengine.client.naming import client_from
from turkengine.client.process import words_of
from turkengine.engine.limits import Limits
from turkengine.errors import OptionError
from turkengine.games import INTERNATIONAL


def test_every_kind_is_made_from_its_text() -> None:
    assert isinstance(client_from("builtin"), BuiltinClient)
    for kind in ("hub", "hub1", "uci"):
        client = client_from(f"{kind}: engine --fast ")
        assert isinstance(client, LineClient)
        assert client.session.dialect == kind
        assert client.name == "engine --fast"
    peer = client_from("dxp:[::1]:27531")
    assert isinstance(peer, DxpClient)
    assert peer.name == "dxp:[::1]:27531"


def test_a_process_is_started_by_its_text_with_options_and_a_name() -> None:
    with client_from(f"hub:{ours('hub')}", name="Bob", options={"hash": "1"}) as client:
        client.start(INTERNATIONAL)
        assert client.think(START, Limits(depth=2), LONGEST).move is not None
        assert client.name == "Bob"


@pytest.mark.parametrize("dialect", ["hub", "hub1", "uci"])
def test_the_dialect_of_a_program_is_found_out(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialects, "HESITATION", 0.3)
    command = fake_command(dialect, "none")
    for text in (f"auto:{command}", command):
        with client_from(text) as client:
            client.start(INTERNATIONAL)
            assert isinstance(client, LineClient)
            assert client.session.dialect == dialect
            assert client.name.startswith("Fake")
            assert client.think(START, Limits(depth=2), LONGEST).move is not None


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    client = client_from(f"hub:{fake_command('hub', 'none')}", name="Bob", directory=tmp_path / "no")
    with pytest.raises(ClientError, match=r"^Bob: its folder .*no is not there$"):
        client.start(INTERNATIONAL)


@pytest.mark.parametrize(
    ("dialect", "other", "said"), [("hub1", "hub", "name Fake 1"), ("hub", "hub1", "id name=Fake")]
)
def test_an_engine_that_greets_in_another_dialect_is_refused_with_the_right_one(
    dialect: str, other: str, said: str
) -> None:
    client = client_from(f"{other}:{fake_command(dialect, 'none')}", name="Bob")
    message = f"Bob: it does not speak {other}, since it says '{said}"
    with pytest.raises(ClientError, match=rf"^{message}.*; write {dialect}:.*fake_engine\.py {dialect} none"):
        client.start(INTERNATIONAL)
    assert not client.alive()


def test_a_process_runs_where_it_is_told_to(tmp_path: Path) -> None:
    with client_from(f"hub:{fake_command('hub', 'none')}", directory=tmp_path) as client:
        client.start(INTERNATIONAL)
        assert client.alive()


def test_the_built_in_engine_takes_options() -> None:
    with client_from("builtin:hash=1, multi-pv=2", options={"threads": "2"}) as client:
        client.start(INTERNATIONAL)
        assert client.think(START, Limits(depth=3), LONGEST).depth == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the engine '' has no kind; write one of builtin[:OPTION=VALUE,...], hub:COMMAND"),
        ("scan hub", "the engine 'scan hub' has no kind"),
        ("chess:stockfish", "the engine 'chess:stockfish' has no such kind"),
        ("hub:", "'hub:' lacks the command; write hub:COMMAND, as in hub:turkengine hub"),
        ("uci:'engine", "cannot be read: No closing quotation"),
        ("builtin:hash", "'hash' is not a setting of the built-in engine; write OPTION=VALUE"),
        ("builtin:hash=no", "option hash does not take 'no'"),
        ("dxp:27531", "'27531' is not an address; write HOST:PORT"),
    ],
)
def test_a_text_that_names_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        client_from(text)


def test_what_a_kind_has_no_use_for_is_refused() -> None:
    with pytest.raises(OptionError, match="takes no options; set hash where it is started"):
        client_from("dxp:a:1", options={"hash": "1"})
    with pytest.raises(OptionError, match="starts no program, so it takes no folder"):
        client_from("builtin", directory=Path())


def test_a_command_is_taken_apart_as_a_shell_does() -> None:
    assert words_of('engine "two words" x') == ["engine", "two words", "x"]
    with pytest.raises(OptionError, match="a command is missing"):
        words_of("  ")
