"""The messages shown in `protocol/dxp.md` are those of a session, to the byte, and its first game is the transcript."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from wire.dxp.talk import Opponent

from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.wire.dxp.codec import LONGEST_CHAT

PROTOCOL = Path(__file__).resolve().parents[3] / "protocol"
PAGE = (PROTOCOL / "dxp.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"^    (peer|engine)  +(\w[^|]*)\|", re.MULTILINE)


def shown(heading: str) -> list[tuple[str, str]]:
    """Who says what below a heading."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return SHOWN.findall(section)


def held(opponent: Opponent, messages: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same conversation as it is really held; our moves are the only legal ones."""
    opponent.call()
    conversation = []
    for who, text in messages:
        if who == "peer":
            conversation.append((who, text))
            answers = opponent.say(text)
            if not answers and opponent.session.busy and opponent.searches:
                answers = opponent.answer()
            conversation += [("engine", answer) for answer in answers]
    return conversation


def test_the_game_is_played_as_it_is_shown() -> None:
    game = shown("A game, byte by byte")
    assert len(game) == 8
    opponent = Opponent(variant=INTERNATIONAL, name="turkengine 0.1.0")
    assert held(opponent, game) == game
    assert opponent.hung_up
    assert opponent.records[0].reason == "no piece left"


def test_the_game_is_that_of_the_transcript() -> None:
    lines = (PROTOCOL / "dxp" / "one-game.transcript").read_text(encoding="utf-8").splitlines()
    said = [("peer" if line[0] == ">" else "engine", line[2:]) for line in lines if line[0] in "<>"]
    game = shown("A game, byte by byte")
    assert [text for who, text in game if who == "peer"] == [text for who, text in said if who == "peer"]
    assert [text for who, text in game if who == "engine" and text[0] != "A"] == [
        text for who, text in said if who == "engine" and text[0] != "A"
    ]


def test_the_messages_of_an_8x8_game_are_those_shown() -> None:
    game = shown("Other boards")
    opponent = Opponent(variant=TURKISH, name="turkengine 0.1.0")
    opponent.call()
    request, accept, move = (text for _, text in game)
    assert opponent.say(request) == [accept]
    opponent.say(move)
    assert opponent.searched.position.cells[24] == "w", "a4"


def test_the_fields_stand_where_the_table_says() -> None:
    places = [(int(at), width) for at, width in re.findall(r"^\|[^|]*\| (\d+) \| ([^|]+?) \|", PAGE, re.MULTILINE)]
    request = places[: places.index((44, "50")) + 1]
    for (at, width), (following, _) in pairwise(request):
        assert at + int(width) == following
    assert (1, f"up to {LONGEST_CHAT}") in places
