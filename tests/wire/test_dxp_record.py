"""What is kept of a game over DXP."""

from __future__ import annotations

import pytest
from wire.dxp_talk import Opponent

from turkengine.games import CRODA

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
        '[Variant "international"]\n'
        '[TimeControl "75/300"]\n'
        '[Termination "the opponent gives up"]\n'
        "\n"
        "1. 32-28 {[%emt 1.25]} 19-23 {[%emt 0.50]} 2. 28x19 {[%emt 2.00]} 0-2\n"
        "\n"
    )


def test_a_game_that_black_begins_says_so() -> None:
    opponent = Opponent()
    opponent.call()
    opponent.say(f"R01{'Ann':32}Z000000BZ{'e' * 19}z{'e' * 29}W")
    opponent.answer("20-25")
    opponent.say("M0000504500", "E00")
    text = opponent.records[0].pdn("2026.11.30")
    assert '[SetUp "1"]\n[FEN "B:WK50:B20"]\n\n1... 20-25 {[%emt 0.00]} 2. 50-45 {[%emt 0.00]} *\n' in text
    assert "TimeControl" not in text


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
    assert max(map(len, text.splitlines())) <= 100


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
