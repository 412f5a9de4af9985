"""What is kept of a game over DXP."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from record.test_scoresheet import PLAYED
from wire.dxp.talk import Opponent

from turkengine.games import CRODA
from turkengine.notation import pdn
from turkengine.record.scoresheet import pdn_of

REQUEST = f"R01{'Ann':32}Z005075A"


def test_a_game_is_kept_as_pdn() -> None:
    opponent = Opponent()
    opponent.call()
    opponent.say(REQUEST)
    opponent.say("M0000322800", after=1.25)
    opponent.answer("19-23", after=0.5)
    opponent.say("M000028190123", "E10", after=2)
    assert opponent.records[0].pdn("2026.11.30") == (
        '[Event "DXP"]\n'
        '[Date "2026.11.30"]\n'
        '[Round "1"]\n'
        '[White "Ann"]\n'
        '[Black "us"]\n'
        '[Result "0-2"]\n'
        '[GameType "20,W,10,10,N2,0"]\n'
        '[TimeControl "75/300"]\n'
        '[Termination "resigned: the opponent gives up"]\n'
        "\n"
        "1. 32-28 {[%emt 0:00:01.25] [%clk 0:04:58.75]} 19-23\n"
        "{[%emt 0:00:00.5] [%clk 0:04:59.5]} 2. 28x19 {[%emt 0:00:02] [%clk 0:04:56.75]}\n"
        "*\n"
        "\n"
    )


def test_a_game_that_black_begins_says_so() -> None:
    opponent = Opponent()
    opponent.call()
    opponent.say(f"R01{'Ann':32}Z000000BZ{'e' * 19}z{'e' * 29}W")
    opponent.answer("20-25")
    opponent.say("M0000504500", "E00")
    text = opponent.records[0].pdn("2026.11.30")
    assert '[SetUp "1"]\n[FEN "B:WK50:B20"]\n' in text
    assert text.endswith("\n\n1... 20-25 {[%emt 0:00:00]} 2. 50-45 {[%emt 0:00:00]} *\n\n")
    assert '[TimeControl "2 s a move"]' in text
    assert '[Result "*"]' in text


def test_a_game_without_a_number_has_no_game_type() -> None:
    opponent = Opponent(variant=CRODA)
    opponent.call()
    opponent.say(REQUEST, "E00")
    text = opponent.records[0].pdn("2026.11.30")
    assert '[Variant "croda"]' in text
    assert "GameType" not in text


def test_lines_are_not_long_and_quotes_are_escaped() -> None:
    opponent = Opponent(name='a "quoted" \\ name')
    opponent.call()
    opponent.say(f"R01{'Ann':32}Z005000A")
    moves = iter(["32-28", "19-23", "28x19", "14x23", "37-32", "10-14", "41-37", "14-19"])
    for white in moves:
        captured = {"28x19": "0123"}.get(white, "00")
        opponent.say(f"M0000{white[:2]}{white[3:]}{captured}")
        opponent.answer(next(moves))
    opponent.say("E00")
    text = opponent.records[0].pdn("2026.11.30")
    assert '[Black "a \\"quoted\\" \\\\ name"]' in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_a_peer_sends_as_its_name_stays_in_its_tag() -> None:
    opponent = Opponent(name='two\nlines"]')
    opponent.call()
    opponent.say(REQUEST, "M0000322800")
    opponent.say("E00")
    text = opponent.records[0].pdn("2026.11.30")
    assert '[Black "two lines\\"]"]\n' in text
    (entry,) = pdn.read(io.StringIO(text))
    assert (entry.game.tag("Black"), entry.faults) == ('two lines"]', ())


def test_the_tags_are_those_of_a_match() -> None:
    opponent = Opponent()
    opponent.call()
    opponent.say(REQUEST, "M0000322800", "E00")
    (ours,) = pdn.read(io.StringIO(opponent.records[0].pdn("2026.11.30")))
    (theirs,) = pdn.read(io.StringIO(pdn_of(replace(PLAYED, opening=""), "A match", "1.1.1")))
    assert [name for name, _ in ours.game.tags] == [name for name, _ in theirs.game.tags]


@pytest.mark.parametrize(("plies", "told"), [(0, "0 moves"), (1, "1 move"), (2, "1 move"), (3, "2 moves")])
def test_the_line_of_a_game_counts_moves(plies: int, told: str) -> None:
    opponent = Opponent()
    opponent.call()
    opponent.say(REQUEST)
    for ply in range(plies):
        if ply % 2:
            opponent.answer("19-23")
        else:
            opponent.say("M0000322800" if ply == 0 else "M000028190123")
    opponent.say("E00")
    assert str(opponent.records[0]) == f"game 1: *, the opponent ends the game (White Ann, Black us, {told})"
