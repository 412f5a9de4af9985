"""What pages say is checked before anything sees it, and nothing that comes in makes it fail in another way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turkengine.board.wire import (
    GAME_MESSAGES,
    LONGEST_MESSAGE,
    LONGEST_TALK,
    TREE_MESSAGES,
    Message,
    WireError,
    clean,
    object_of,
    read,
)

KNOWN = {**TREE_MESSAGES, **GAME_MESSAGES}


def refused(data: str | bytes) -> str:
    with pytest.raises(WireError) as caught:
        read(data, KNOWN)
    assert "\n" not in str(caught.value)
    return caught.value.code


def test_a_move_is_read_with_its_number() -> None:
    message = read('{"type": "move", "id": 7, "ply": 14, "move": "a3-a4", "more": 1}', KNOWN)
    assert message == Message("move", 7, {"ply": 14, "move": "a3-a4"})


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("", "bad-json"),
        ("hello", "bad-json"),
        ("[]", "bad-json"),
        ("null", "bad-json"),
        ("NaN", "bad-json"),
        ('{"type": "move", "ply": NaN}', "bad-json"),
        ("[" * 4000, "bad-json"),
        ('{"a":' * 800, "bad-json"),
        ('{"type": "talk", "text": "' + "x" * 5000 + '"}', "too-long"),
        ('{"type": "talk", "text": "' + "é" * 2100 + '"}', "too-long"),
        (b'{"type": "ping"}', "bad-json"),
        (b"\xff\x00", "bad-json"),
        ("{}", "bad-message"),
        ('{"type": []}', "bad-message"),
        ('{"type": "keep"}', "bad-message"),
        ('{"type": "move"}', "bad-message"),
        ('{"type": "move", "ply": true, "move": "a3-a4"}', "bad-message"),
        ('{"type": "move", "ply": -1, "move": "a3-a4"}', "bad-message"),
        ('{"type": "move", "ply": 1.5, "move": "a3-a4"}', "bad-message"),
        ('{"type": "move", "ply": 99999999999999999999, "move": "a3-a4"}', "bad-message"),
        ('{"type": "move", "ply": 1, "move": ["a3-a4"]}', "bad-message"),
        ('{"type": "resign", "side": "w"}', "bad-message"),
        ('{"type": "talk", "text": "' + "x" * (LONGEST_TALK + 1) + '"}', "bad-message"),
        ('{"type": "nags", "node": 1, "nags": [256]}', "bad-message"),
    ],
)
def test_what_is_no_message_is_refused_in_one_line(data: str | bytes, code: str) -> None:
    assert refused(data) == code


@given(st.text() | st.binary())
def test_anything_is_a_message_or_refused(data: str | bytes) -> None:
    said = ""
    try:
        read(data, KNOWN)
    except WireError as error:
        said = str(error)
    assert "\n" not in said


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(sorted(KNOWN))},
        optional=dict.fromkeys(("id", "ply", "move", "side", "text", "name", "node", "moves", "nags"), VALUES),
    )
)
def test_fields_of_any_kind_are_taken_or_refused(fields: dict[str, Any]) -> None:
    try:
        message = read(json.dumps(fields), KNOWN)
    except WireError:
        return
    for value in message.fields.values():
        assert isinstance(value, (str, int, bool, list, type(None)))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("  hello \n\t there ", "hello there"),
        ("\u202eabc\u202c\u2066d\u2069", "abcd"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # it is text, and is shown as text
        ("\u200b\u200d", ""),
        ("Ayşe 🙂", "Ayşe 🙂"),
    ],
)
def test_text_loses_what_deceives(said: str, kept: str) -> None:
    assert clean(said, 40) == kept


def test_a_message_of_just_the_length_is_read() -> None:
    text = json.dumps({"type": "ping", "filler": ""})
    filled = text.replace('""', '"' + "x" * (LONGEST_MESSAGE - len(text)) + '"')
    assert object_of(filled)["type"] == "ping"
    with pytest.raises(WireError):
        object_of(filled + " ")
