"""Games in standard form: what changes, what stays, and that doing it twice changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from notation import games
from notation.reading import only, read_text

from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP
from turkengine.notation.pdn import PdnGame, normalised, read, replay, write
from turkengine.notation.pdn.dates import Date, read_date, within
from turkengine.notation.pdn.normal import STANDARD_TAGS, result_of, tidied
from turkengine.rules.variant import Variant

GAMES = Path(__file__).resolve().parents[1] / "data" / "pdn" / "variants.pdn"


def normal(text: str, variant: Variant | None = None) -> PdnGame:
    return normalised(only(text), variant)[0]


@settings(deadline=None, max_examples=50)
@given(games.games)
def test_doing_it_twice_changes_nothing(game: PdnGame) -> None:
    once, _ = normalised(game)
    assert normalised(once)[0] == once
    assert [entry.game for entry in read_text(write(once))] == [once]


def test_a_game_in_standard_form_is_the_same_game() -> None:
    for entry in read(GAMES):
        once, played = normalised(entry.game)
        again = replay(once)
        assert (again.variant, again.moves) == (played.variant, played.moves)
        assert len(once.moves) == len(entry.game.moves)


def test_a_whole_game_looks_like_this() -> None:
    text = (
        '[Black "Eve"]\n[White "Ann"]\n[result "1-0"]\n[Annotator "Bob"]\n[Date "28-3-1996"]\n'
        '[GameType "20"]\n[Setup "1"]\n[FEN "W:W28, 48:B02,12,22."]\n\n'
        "01. 28:17:08 02X13 (1... 2x3) 02. 48-43 1-0\n"
    )
    assert write(normal(text)) == (
        '[Date "1996.03.28"]\n[White "Ann"]\n[Black "Eve"]\n[Result "2-0"]\n[GameType "20,W,10,10,N2,0"]\n'
        '[SetUp "1"]\n[FEN "W:W28,48:B2,12,22"]\n[Annotator "Bob"]\n\n'
        "1. 28x8 2x13 (1... 2x3) 2. 48-43 *\n\n"
    )


def test_tags_are_put_in_the_order_of_the_standard_and_none_is_lost() -> None:
    shuffled = "".join(f'[{name} "{name}"]\n' for name in ("Z", *reversed(STANDARD_TAGS), "A"))
    names = [name for name, _ in normal(f"{shuffled}*").tags]
    assert names == [*STANDARD_TAGS, "Z", "A"]


@pytest.mark.parametrize(
    ("variant", "tags"),
    [
        (INTERNATIONAL, (("GameType", "20,W,10,10,N2,0"),)),
        (TURKISH, (("GameType", "30,W,8,8,A0,0"),)),
        (TURKISH_APP, (("GameType", "30,W,8,8,A0,0"), ("Variant", "turkish-app"))),
        (CRODA, (("Variant", "croda"),)),
    ],
)
def test_the_tags_say_which_game_it_is(variant: Variant, tags: tuple[tuple[str, str], ...]) -> None:
    assert normal("*", variant).tags == (("Result", "*"), *tags)


def test_a_result_is_written_as_the_game_writes_it_and_in_the_tag_only() -> None:
    for result, written in (("1-0", "2-0"), ("1/2-1/2", "1-1"), ("0-2", "0-2"), ("0-0", "0-0"), ("*", "*")):
        assert result_of(result, INTERNATIONAL) == written
        found = normal(f"1. 32-28 {result}", INTERNATIONAL)
        assert (found.tag("Result"), found.terminator) == (written, "*")
    assert result_of("2-0", TURKISH) == "1-0"


def test_where_tag_and_text_disagree_both_stay() -> None:
    found = normal('[Result "0-1"]\n1. 32-28 1-0')
    assert (found.tag("Result"), found.terminator) == ("0-1", "1-0")


def test_a_result_that_pdn_does_not_know_stays() -> None:
    found = normal('[Result "4-6"]\n1. 32-28 *')
    assert (found.tag("Result"), found.terminator) == ("4-6", "*")


def test_a_whole_path_is_written_only_where_the_ends_leave_a_doubt() -> None:
    assert normal('[FEN "W:W28,48:B12,22"]\n1. 28x17x8 *', INTERNATIONAL).moves == ("28x8",)
    assert normal('[FEN "W:WK4:B13,20,32,37"]\n1. 4x15x13x20x32 *', INTERNATIONAL).moves == ("4x27x38x15",)


def test_a_move_that_cannot_be_played_stays() -> None:
    game, played = normalised(only("1. 32-28 19-23 2. 04:15 23X32 *"), INTERNATIONAL)
    assert game.moves == ("32-28", "19-23", "4:15", "23x32")
    assert played.fault is not None


def test_a_game_of_another_kind_is_tidied_and_left_as_it_is() -> None:
    text = '[GameType "27"]\n[FEN "W:Wc3:Bd4."]\n1. C3:e5 1-0'
    assert write(normal(text)) == ('[Result "1-0"]\n[GameType "27"]\n[SetUp "1"]\n[FEN "W:Wc3:Bd4"]\n\n1. c3:e5 *\n\n')


@pytest.mark.parametrize(
    ("text", "tidy"),
    [("01-06", "1-6"), ("10x04", "10x4"), ("A3\u2013A4", "a3-a4"), ("28\u00d719", "28x19"), ("30-20", "30-20")],
)
def test_a_text_is_tidied_without_a_board(text: str, tidy: str) -> None:
    assert tidied(text) == tidy


# --- Dates ---


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1996.12.28", Date(1996, 12, 28)),
        ("1970.4.2", Date(1970, 4, 2)),
        ("1996-12-28", Date(1996, 12, 28)),
        ("13-01-1996", Date(1996, 1, 13)),
        ("1.2.1965", Date(1965, 2, 1)),
        ("12/28/1996", Date(1996, 12, 28)),
        ("28/12/1996", Date(1996, 12, 28)),
        ("3/4/1996", Date(1996)),
        ("5/5/1996", Date(1996, 5, 5)),
        ("1996.??.??", Date(1996)),
        ("1996.12.??", Date(1996, 12)),
        ("1950.", Date(1950)),
        ("2004.10.27 - 2004.11.01", Date(2004, 10, 27)),
        ("????.??.??", None),
        ("17 april 2009", None),
        ("1996.13.01", None),
        ("", None),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, date: Date | None) -> None:
    assert read_date(text) == date


def test_a_date_is_rewritten_only_where_it_is_the_whole_tag() -> None:
    assert normal('[Date "13-01-1996"] *').tag("Date") == "1996.01.13"
    assert normal('[Date "1950."] *').tag("Date") == "1950.??.??"
    assert normal('[Date "2004.10.27 - 2004.11.01"] *').tag("Date") == "2004.10.27 - 2004.11.01"


@pytest.mark.parametrize(
    ("date", "since", "until", "inside"),
    [
        (Date(1996, 12, 28), Date(1996), Date(1996), True),
        (Date(1996, 12, 28), Date(1996, 12, 29), None, False),
        (Date(1996, 12, 28), None, Date(1996, 12, 28), True),
        (Date(1996), Date(1996, 5), Date(1996, 7), True),
        (Date(1995), Date(1996, 5), None, False),
        (Date(1997), None, Date(1996, 5), False),
    ],
)
def test_what_is_not_known_of_a_date_is_not_compared(
    date: Date, since: Date | None, until: Date | None, inside: bool
) -> None:
    assert within(date, since, until) is inside
