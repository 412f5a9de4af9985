"""What the page says in five languages: the same keys, the same places for values, and nothing that nobody says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import turkengine.board
from turkengine.rules.reason import Reason

BOARD = Path(turkengine.board.__file__).parent
LANGUAGES = ("en", "nl", "pt", "ru", "tr")
FORMS = {"en": 2, "nl": 2, "pt": 3, "ru": 3, "tr": 2}  # at most: what the plural rules of a language tell apart
PLACE = re.compile(r"\{(\w+)(?:\|((?:[^{}]|\{\w+\})*))?\}")


def words(language: str) -> dict[str, Any]:
    return json.loads((BOARD / "words" / f"{language}.json").read_text(encoding="utf-8"))


def values(text: str) -> set[str]:
    """The values that a text has places for, those within forms of number included."""
    names = set()
    for name, forms in PLACE.findall(text):
        names |= {name, *re.findall(r"\{(\w+)\}", forms)}
    return names


def test_there_are_five() -> None:
    assert sorted(path.stem for path in (BOARD / "words").glob("*.json")) == list(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_key_and_value(language: str) -> None:
    english, own = words("en"), words(language)
    assert list(own) == list(english)
    for key, text in own.items():
        assert text.strip() == text != "", key
        assert values(text) == values(english[key]), key
        for _, forms in PLACE.findall(text):
            assert not forms or 2 <= forms.count("|") + 1 <= FORMS[language], key


def test_every_key_is_said_and_every_said_key_is_there() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in sorted((BOARD / "static").glob("*.js")))
    said = set(re.findall(r"say\(\s*'([\w.-]+)'", scripts)) | set(re.findall(r"'([a-z]+\.[a-z.-]+)'", scripts))
    begun = [one for one in re.findall(r"`([a-z]+\.(?:[\w.-]+\.)?)\$\{", scripts) if one]
    english = words("en")
    missing = set(re.findall(r"say\(\s*'([\w.-]+)'", scripts)) - set(english)
    assert missing == set()
    unsaid = [key for key in english if key not in said and not key.startswith(tuple(begun))]
    assert unsaid == []


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.name)
def test_every_reason_for_the_end_of_a_game_has_words(reason: Reason) -> None:
    assert "reason." + re.sub(r"\d+", "#", reason.value) in words("en"), "else people read it in English"


OF_PLAY = {
    "game.js",
    "hand.js",
    "home.js",
    "players.js",
    "scoresheet.js",
    "sounds.js",
    "status.js",
    "talk.js",
    "tools.js",
}
OF_ANALYSIS = {"analysis.js", "lines.js", "setup.js", "tree.js"}
OF_A_MATCH = {"watch.js"}


@pytest.mark.parametrize("others", [OF_ANALYSIS | OF_A_MATCH, OF_PLAY | OF_A_MATCH], ids=["play", "analysis"])
def test_what_a_page_loads_is_small(others: set[str]) -> None:
    sizes = {path.name: path.stat().st_size for path in (BOARD / "static").iterdir()}
    assert others <= set(sizes)
    assert sum(size for name, size in sizes.items() if name not in others) <= 120_000, sizes
