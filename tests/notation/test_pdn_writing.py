"""Games out: what is written is PDN 3.0 and reads back as the same value."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from notation import games
from notation.reading import read_text

from turkengine.errors import PdnError
from turkengine.notation.pdn import Line, PdnGame, Ply, SetUp, write

WIDTH = 80


def line(*texts: str) -> Line:
    return Line(tuple(map(Ply, texts)))


# --- Round trips ---


@settings(deadline=None)
@given(games.games)
def test_what_is_written_reads_back_as_the_same_game(game: PdnGame) -> None:
    (entry,) = read_text(write(game))
    assert entry.game == game


@settings(deadline=None)
@given(games.games, games.games)
def test_games_written_one_behind_the_other_stay_apart(first: PdnGame, second: PdnGame) -> None:
    assert [entry.game for entry in read_text(write(first) + write(second))] == [first, second]


@settings(deadline=None, max_examples=200)
@given(games.texts)
def test_whatever_is_read_can_be_written_and_reads_back_without_a_new_game(text: str) -> None:
    found = [entry.game for entry in read_text(text)]
    assert [entry.game for entry in read_text("".join(map(write, found)))] == found


# --- Form ---


def test_a_game_is_its_tags_an_empty_line_its_moves_and_its_end() -> None:
    game = PdnGame((("White", "Ann"), ("Result", "2-0")), line("32-28", "19-23", "28x19"))
    assert write(game) == '[White "Ann"]\n[Result "2-0"]\n\n1. 32-28 19-23 2. 28x19 *\n\n'


def test_marks_stand_behind_the_move_and_other_glyphs_apart() -> None:
    game = PdnGame(line=Line((Ply("32-28", (1,)), Ply("19-23", (3, 14)), Ply("28x19", (7,)))))
    assert write(game) == "1. 32-28! 19-23!! $14 2. 28x19 $7 *\n\n"


def test_the_second_side_shows_its_number_only_where_a_line_begins_with_it() -> None:
    variation = Line((Ply("18-23"), Ply("38-32")), ("worse",))
    played = (Ply("32-28", remarks=("sharp",)), Ply("19-23", remarks=(variation,)), Ply("28x19"))
    assert write(PdnGame(line=Line(played))) == "1. 32-28 {sharp} 19-23 ({worse} 1... 18-23 2. 38-32) 2. 28x19 *\n\n"


def test_a_game_that_black_begins_says_so() -> None:
    game = PdnGame((("FEN", "B:W28:B1,2"),), line("1-6", "28-23"))
    assert "\n1... 1-6 2. 28-23 *" in write(game)


def test_the_side_that_begins_usually_is_taken_from_the_tag() -> None:
    english = (("GameType", "21,B,8,8,N1,0"),)
    assert "\n1. 11-15 22-18 *" in write(PdnGame(english, line("11-15", "22-18")))
    assert "\n1... 27-23 *" in write(PdnGame((*english, ("FEN", "W:W27:B10")), line("27-23")))


def test_a_position_set_up_between_moves_stands_in_slashes() -> None:
    game = PdnGame(line=Line((Ply("32-28", remarks=(SetUp("B:W28:B1"),)), Ply("1-6"))))
    assert write(game) == '1. 32-28 /FEN "B:W28:B1"/ 1-6 *\n\n'


def test_no_line_is_longer_than_eighty_characters_where_it_can_be_broken() -> None:
    long_comment = " ".join(f"word{number}" for number in range(60))
    game = PdnGame(line=Line(tuple(Ply("32-28", remarks=(long_comment,)) for _ in range(5))))
    lines = write(game).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert min(map(len, lines[:-2])) > WIDTH - 20


def test_no_line_of_a_comment_looks_like_a_tag() -> None:
    game = PdnGame(line=Line((Ply("32-28", remarks=('see [Event "x"] ' * 20 + "there",)),)))
    assert not any(text.startswith("[") for text in write(game).splitlines())


@pytest.mark.parametrize("before", range(40, 80))
def test_no_line_is_broken_within_a_command(before: int) -> None:
    comment = "x" * before + " [%eval 0.35] [%clk 0:09:58] [%tqu Two words\nand more] end"
    text = write(PdnGame(line=Line((Ply("32-28", remarks=(comment,)),))))
    for command in ("[%eval 0.35]", "[%clk 0:09:58]", "[%tqu Two words and more]"):
        assert command in text


def test_quotes_and_backslashes_in_a_tag_are_escaped() -> None:
    assert write(PdnGame((("Event", 'the "64" \\ cup'),))).startswith(r'[Event "the \"64\" \\ cup"]')


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (PdnGame(line=line("pass")), "'pass' is not written as a move"),
        (PdnGame(line=line("1-0")), "'1-0' is not written as a move"),
        (PdnGame(line=line("2\u20130")), "'2\u20130' is not written as a move"),
        (PdnGame(line=line("10- 4")), "'10- 4' is not written as a move"),
        (PdnGame(line=Line(remarks=("a } b",))), "a comment cannot hold }"),
        (PdnGame((("Event", "two\nlines"),)), "the value of the tag Event has a line break"),
        (PdnGame((("No name", ""),)), "'No name' is not a name for a tag"),
        (PdnGame(terminator="won"), "'won' is not a result; there are"),
        (PdnGame(line=Line(remarks=(SetUp("a/b"),))), "'a/b' is not a position that can be set up"),
    ],
)
def test_what_pdn_has_no_place_for_is_refused(game: PdnGame, message: str) -> None:
    with pytest.raises(PdnError, match=re.escape(message)):
        write(game)


def test_a_move_from_the_first_square_to_itself_is_written_so_that_it_is_no_draw() -> None:
    assert write(PdnGame(line=line("32-28", "1-1"))) == "1. 32-28 01-01 *\n\n"


@pytest.mark.parametrize("piece", ["1-", "1x", "1 - ", "a1", "a1-", "1", ".", "1.", "(", "!", " "])
def test_a_move_of_any_length_is_refused_at_once(piece: str) -> None:
    with pytest.raises(PdnError):
        write(PdnGame(line=line("1-" + piece * (100_000 // len(piece)) + "?!!")))
