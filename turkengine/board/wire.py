"""What pages say, as plain values: read, checked, cut to size; no socket, no game, no clock.

A message is a JSON object with a `type` and the fields of that type, and nothing that comes in is believed. Text of
people loses what could deceive or break a line: control characters, marks that turn the direction of writing.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from turkengine.errors import TurkengineError, shown

LONGEST_MESSAGE = 4096  # bytes
LONGEST_NAME, LONGEST_TALK, LONGEST_COMMENT, LONGEST_MOVE = 40, 200, 1000, 200  # characters
MOST_MOVES = 200  # of a line that is added at once
LARGEST = 2**31


class WireError(TurkengineError):
    """A message that is refused.

    Attributes:
        code: the word for it in protocol/board.md.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Message:
    """What somebody wants.

    Attributes:
        number: what the answer refers to, None where none was given.
        fields: those of the type; what was left out has its usual value.
    """

    type: str
    number: int | None
    fields: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


@dataclass(frozen=True)
class Field:
    """What a field takes; `usual` where it may be left out, `...` where it may not."""

    check: Callable[[Any], bool]
    takes: str
    usual: Any = ...
    clean: Callable[[Any], Any] = lambda value: value


def clean(text: str, longest: int | None = None) -> str:
    """Text of people in one line, without what cannot be seen."""
    kept = "".join(
        " " if letter.isspace() else letter
        for letter in unicodedata.normalize("NFC", text)
        if letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    return " ".join(kept.split())[:longest].strip()


def is_whole(value: object) -> bool:
    """Whether it is a number of a place or a ply."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


def text(longest: int, usual: Any = ...) -> Field:
    """One line of people."""

    def fits(value: Any) -> bool:
        return isinstance(value, str) and len(value) <= longest

    return Field(fits, f"a text of at most {longest} characters", usual, lambda value: clean(value, longest))


def _list_of(check: Callable[[Any], bool], most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) <= most and all(check(item) for item in value)


def _is_move(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_MOVE


PLY = Field(is_whole, "a number from 0 on")
MOVE = Field(_is_move, f"a text of 1 to {LONGEST_MOVE} characters")
SIDE = Field(lambda value: value in ("W", "B"), '"W" or "B"', None)
GAME = Field(lambda value: isinstance(value, str) and len(value) <= 40, "the name of a game, as in 1.2.1")
YES = Field(lambda value: isinstance(value, bool), "true or false")

GAME_MESSAGES: Mapping[str, Mapping[str, Field]] = {
    "move": {"ply": PLY, "move": MOVE},
    "resign": {"side": SIDE},
    "draw": {"ply": PLY, "side": SIDE},
    "back": {"ply": PLY, "side": SIDE},
    "decline": {},
    "settle": {"stand": YES},
    "again": {},
    "suggest": {"ply": PLY, "move": text(LONGEST_MOVE)},
    "mute": {"muted": YES},
    "talk": {"text": text(LONGEST_TALK)},
    "name": {"name": text(LONGEST_NAME)},
    "ping": {},
}
TREE_MESSAGES: Mapping[str, Mapping[str, Field]] = {
    "look": {"node": PLY},
    "add": {"node": PLY, "moves": Field(_list_of(_is_move, MOST_MOVES), f"a list of 1 to {MOST_MOVES} moves")},
    "comment": {"node": PLY, "text": text(LONGEST_COMMENT)},
    "nags": {"node": PLY, "nags": Field(_list_of(lambda n: is_whole(n) and n < 256, 8), "a list of at most 8 numbers")},
    "promote": {"node": PLY},
    "remove": {"node": PLY},
    "search": {
        "node": PLY,
        "lines": Field(lambda value: is_whole(value) and 1 <= value <= 10, "a number from 1 to 10", 1),
        "threat": Field(lambda value: isinstance(value, bool), "true or false", False),
    },
    "stop": {},
    "annotate": {"depth": Field(lambda value: is_whole(value) and 1 <= value <= 30, "a number from 1 to 30", 10)},
    "ping": {},
}
WATCH_MESSAGES: Mapping[str, Mapping[str, Field]] = {
    "open": {"game": GAME},
    "games": {"before": GAME},
    "ping": {},
}


def object_of(data: str | bytes, longest: int = LONGEST_MESSAGE) -> dict[str, Any]:
    """A JSON object from outside.

    Raises:
        WireError: it is none, or too long.
    """
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > longest:
        raise WireError("too-long", f"a message may have {longest} bytes, this one has {size}")
    try:
        value = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):  # a text that is no UTF-8 is a ValueError, too
        raise WireError("bad-json", "this is no JSON; send one object") from None
    if not isinstance(value, dict):
        raise WireError("bad-json", f"a message is a JSON object, not {_kind(value)}")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise WireError("bad-json", "this has half of a letter in it (a lone surrogate)") from None
    return value


def read(data: str | bytes, known: Mapping[str, Mapping[str, Field]]) -> Message:
    """A message of one of the types in `known`.

    Raises:
        WireError: it is none of them; `number_of` still finds what the answer refers to.
    """
    if isinstance(data, bytes):
        raise WireError("bad-json", "a message is a text frame, not a binary one")
    return message_of(object_of(data), known)


def message_of(value: Mapping[str, Any], known: Mapping[str, Mapping[str, Field]]) -> Message:
    """The same of an object that has been read."""
    name = value.get("type")
    if not isinstance(name, str) or name not in known:
        said = shown(name) if isinstance(name, str) else _kind(name)
        raise WireError("bad-message", f"there is no message {said}; send one of {', '.join(known)}")
    return Message(name, number_of(value), fields_of(value, known[name], f"the message {name}"))


def fields_of(value: Mapping[str, Any], fields: Mapping[str, Field], of: str) -> dict[str, Any]:
    """The fields of an object, each checked; others are ignored.

    Raises:
        WireError: one is missing, or takes something else.
    """
    found = {}
    for name, field in fields.items():
        given = value.get(name)
        if given is None:
            if field.usual is ...:
                raise WireError("bad-message", f"{of} needs {name}: {field.takes}")
            found[name] = field.usual
            continue
        if not field.check(given):
            raise WireError("bad-message", f"{name} of {of} takes {field.takes}")
        found[name] = field.clean(given)
    return found


def number_of(value: Mapping[str, Any]) -> int | None:
    """What an answer refers to."""
    number = value.get("id")
    return number if is_whole(number) else None


def written(**fields: Any) -> str:
    """A message of ours as text."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)


def refusal(code: str, message: str, number: int | None = None) -> str:
    """What is wrong, in one line to whom it concerns."""
    return written(type="error", re=number, code=code, text=message)


def _no_number(name: str) -> float:
    raise ValueError(name)


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return kinds.get(type(value), "a number")
