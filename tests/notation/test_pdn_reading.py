"""Games in: every dialect in use, every fault named with its line, and nothing lost."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import games
from notation.reading import only, read_text

from turkengine.errors import PdnError
from turkengine.notation.pdn import Line, PdnGame, Ply, SetUp, cutting, read, read_games, reader, tokens, write
from turkengine.notation.pdn.game import plies_in_order

DATA = Path(__file__).resolve().parents[1] / "data" / "pdn"


def faults(text: str) -> list[str]:
    """Every fault of a text as LINE: reason."""
    return [f"{fault.line}: {fault.reason}" for entry in read_text(text) for fault in entry.faults]


# --- What a game is made of ---


def test_a_game_is_tags_moves_and_a_result() -> None:
    text = '[Event "Cup"]\n[White "Ann"]\n[Result "2-0"]\n\n1. 32-28 19-23\n2. 28x19 14x23 2-0\n'
    game = only(text)
    assert game.tags == (("Event", "Cup"), ("White", "Ann"), ("Result", "2-0"))
    assert game.moves == ("32-28", "19-23", "28x19", "14x23")
    assert game.terminator == game.result == "2-0"


def test_the_result_is_that_of_the_text_and_without_one_that_of_the_tag() -> None:
    assert only('[Result "1-0"]\n\n1. 32-28 *').result == "1-0"
    assert only('[Result "0-1"]\n\n1. 32-28 1-0').result == "1-0"
    assert only('[Result "4-6"]\n\n1. 32-28 *').result == "*"


@pytest.mark.parametrize("result", ["2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0", "*"])
def test_every_result_ends_a_game(result: str) -> None:
    first, second = read_text(f"1. 32-28 {result}\n\n1. 31-27 {result}\n")
    assert (first.game.moves, first.game.terminator) == (("32-28",), result)
    assert (second.game.moves, second.number, second.line) == (("31-27",), 2, 3)


def test_a_drawn_move_is_no_result() -> None:
    assert only("1. 1-10 2-07 3. 1-1 ").moves == ("1-10", "2-07")


def test_comments_variations_and_glyphs_keep_their_places() -> None:
    game = only("{first} 1. 32-28! {a} (1. 31-27 {b} $14 (1. 33-29) {c}) {d} 1... 19-23?? $9 2. 28x19(!?) *")
    inner = Line((Ply("33-29"),))
    variation = Line((Ply("31-27", (14,), ("b", inner, "c")),))
    assert game.line == Line(
        (Ply("32-28", (1,), ("a", variation, "d")), Ply("19-23", (4, 9)), Ply("28x19", (5,))), ("first",)
    )
    assert game.line.plies[0].comments == ("a", "d")
    assert game.line.plies[0].variations == (variation,)
    assert [ply.text for ply in plies_in_order(game.line)] == ["32-28", "31-27", "33-29", "19-23", "28x19"]


def test_a_position_can_be_set_up_between_moves() -> None:
    played = only('1. 32-28 /FEN "B:W28:B1-3"/ 1... 1-6 *').line.plies
    assert played == (Ply("32-28", remarks=(SetUp("B:W28:B1-3"),)), Ply("1-6"))


def test_blanks_and_line_breaks_in_a_comment_count_as_one_blank() -> None:
    assert only("{ long \n\t comment }  1. 32-28 *").line.comments == ("long comment",)


def test_comments_to_the_end_of_the_line_are_comments() -> None:
    game = only('% about the file\n[White "Ann"]\n% about the game\n1. 32-28 ; a } good one\n1... 19-23 *\n')
    assert game.line.comments == ("about the file", "about the game")
    assert game.line.plies[0].comments == ("a ) good one",)


def test_comments_behind_the_last_result_belong_to_the_game_before_them() -> None:
    first, second = read_text('1. 32-28 1-0 {mate}\n\n[White "Ann"]\n1. 31-27 *')
    assert first.game.line.plies[0].comments == ("mate",)
    assert second.game.line.plies[0].comments == ()


def test_a_game_without_tags_has_the_comment_before_its_moves() -> None:
    first, second = read_text("1. 32-28 1-0 {the second game} 1. 31-27 *")
    assert first.game.line.plies[0].comments == ()
    assert second.game.line.comments == ("the second game",)


def test_tags_alone_are_a_game() -> None:
    first, second = read_text('[White "Ann"]\n[Result "*"]\n\n[White "Eve"]\n[Result "*"]\n*')
    assert (first.game.tag("White"), second.game.tag("White")) == ("Ann", "Eve")


def test_a_blank_line_between_tags_ends_no_header() -> None:
    assert only('[White "Ann"]\n\n[Black "Eve"]\n\n1. 32-28 *').tags == (("White", "Ann"), ("Black", "Eve"))


def test_a_tag_is_found_in_any_case() -> None:
    assert only('[Setup "1"] [FEN "W:W1:B2"] *').tag("SetUp") == "1"


# --- Dialects ---


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1.32-28 19-23", ("32-28", "19-23")),
        ("01. 32-28  19-23 02. 28x19", ("32-28", "19-23", "28x19")),
        ("1. 32-28\n1... 19-23", ("32-28", "19-23")),
        ("1. ... 19-23", ("19-23",)),
        ("1. 32 - 28 19 -23", ("32-28", "19-23")),
        ("17. 1- 6 47x 9 18.  4x 1", ("1-6", "47x9", "4x1")),
        ("1. 28:19 14X23 2. 37\N{MULTIPLICATION SIGN}28 1\N{EN DASH}6", ("28:19", "14X23", "37\u00d728", "1\u20136")),
        ("1. 3228 1923 2. 28x19x23", ("3228", "1923", "28x19x23")),
        ("1. a3b4 c3-d4 2. d4:b6:d8 h6xf4xh2", ("a3b4", "c3-d4", "d4:b6:d8", "h6xf4xh2")),
        ("1. a3-a4 A6-A5", ("a3-a4", "A6-A5")),
    ],
)
def test_moves_are_read_however_they_are_written(text: str, moves: tuple[str, ...]) -> None:
    assert only(f"{text} *").moves == moves
    assert not faults(f"{text} *")


def test_a_star_that_touches_a_move_marks_it_as_forced() -> None:
    assert only("1. 32-28* 19-23 *").line.plies == (Ply("32-28", (7,)), Ply("19-23"))
    assert only("1. 32-28*").terminator == "*"


def test_a_half_sign_makes_a_draw_too() -> None:
    assert only("1. 32-28 \u00bd-\u00bd").terminator == "1/2-1/2"


def test_escaped_quotes_are_read_and_other_backslashes_stay() -> None:
    assert only(r'[Event "the \"64\" cup"] *').tag("Event") == 'the "64" cup'
    assert only(r'[Source "C:\games\new"] *').tag("Source") == r"C:\games\new"


# --- Files ---


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_line_ends_and_encodings_do_not_matter(ending: str, encoding: str) -> None:
    text = '[White "J\u00fcrg"]\n[Black "Ren\u00e9"]\n\n1. 32-28 {\u00e0 point}\n2. 28x19x *\n'
    (entry,) = read(io.BytesIO(text.replace("\n", ending).encode(encoding)))
    assert entry.game.tags == (("White", "J\u00fcrg"), ("Black", "Ren\u00e9"))
    assert entry.game.line.plies[0].comments == ("\u00e0 point",)
    assert [fault.line for fault in entry.faults] == [5]


def test_a_line_in_another_encoding_leaves_the_others_as_they_are() -> None:
    text = '[White "\u0410\u043d\u043d\u0430"]\n'.encode() + '[Black "Ren\u00e9"]\n*'.encode("latin-1")
    (entry,) = read(io.BytesIO(text))
    assert entry.game.tags == (("White", "\u0410\u043d\u043d\u0430"), ("Black", "Ren\u00e9"))


@pytest.mark.parametrize("data", ["1. 32-28 *".encode("utf-16"), b"\0" * 100])
def test_a_file_that_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(PdnError, match=r"x\.pdn: the file is"):
        list(read(io.BytesIO(data), "x.pdn"))


def test_a_path_and_an_open_file_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "two.pdn"
    path.write_text('[White "Ann"]\n1. 32-28 1-0\n\n[White "Eve"]\n1. 31-27 0-1\n', encoding="utf-8")
    entries = list(read(path))
    assert [(entry.file, entry.number, entry.line) for entry in entries] == [(str(path), 1, 1), (str(path), 2, 4)]
    with path.open(encoding="utf-8") as stream:
        assert (
            [entry.game for entry in read(stream)] == [entry.game for entry in entries] == list(read_games(str(path)))
        )
    with pytest.raises(FileNotFoundError):
        next(read(tmp_path / "none.pdn"))


@settings(deadline=None, max_examples=60)
@given(st.lists(games.games, max_size=4), st.integers(10, 200))
def test_it_does_not_matter_where_a_long_file_is_cut(written: list[PdnGame], block: int) -> None:
    text = "".join(map(write, written)).encode()
    whole = [(entry.game, entry.line, entry.faults) for entry in read(io.BytesIO(text))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "BLOCK", block)
        assert [(entry.game, entry.line, entry.faults) for entry in read(io.BytesIO(text))] == whole
    assert [game for game, _, _ in whole] == written


def test_games_without_tags_are_handed_out_before_the_file_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "BLOCK", 100)
    monkeypatch.setattr(cutting, "LONGEST_PART", 300)
    stream = io.BytesIO(b"1. 32-28 19-23 1-0\n" * 1000)
    entries = read(stream)
    next(entries)
    assert stream.tell() < 1000
    lines = [entry.line for entry in entries]
    assert lines == list(range(2, 1001))


def test_a_game_knows_the_lines_of_its_moves() -> None:
    first, second = read_text("1. 32-28\n\n1-0\n\n\n1. 31-27 (1. 33-29\n18-23) 19-23\n2. 27-22 *")
    assert [first.line_of(0), *(second.line_of(order) for order in range(5))] == [1, 6, 6, 7, 7, 8]


@settings(deadline=None, max_examples=300)
@given(games.texts)
def test_many_moves_taken_at_once_are_read_like_one_after_another(text: str) -> None:
    at_once = read_text(text)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("RUN", "TAG_RUN"):
            patch.setattr(tokens, name, re.compile("(?!)"))  # never matches
        assert read_text(text) == at_once
    for entry in at_once:
        moves = list(plies_in_order(entry.game.line))
        lines = [entry.line_of(order) for order in range(len(moves))]
        assert lines == sorted(lines)


# --- Faults ---


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1. 32-28 what is this 19-23 *", "1: 'what is this' is neither a move nor a mark; it is kept as a comment"),
        ("1. - - 2. - - *", "1: '- -' is neither a move nor a mark; it is kept as a comment (2 times in this game)"),
        ("1. 32-28 - 2. 28-22 *", "1: '-' is neither a move nor a mark; it is kept as a comment"),
        ("1. 32-28 . *", "1: '.' is neither a move nor a mark; it is kept as a comment"),
        ("1. 1-0", "1: the number '1.' has no move"),
        ("1. 32-28 19-23 2. *", "1: the number '2.' has no move"),
        ("1. 32-28\n{ a { b } }\n*", "2: this } closes no comment (comments do not nest); it is left out"),
        ("1. 32-28\n{ open\n*", "2: the comment that begins here is not closed with }"),
        ("1. 32-28\n( 1. 31-27\n*", "2: the variation that begins here is not closed with )"),
        ("1. 32-28\n)\n*", "2: this ) closes no variation; it is left out"),
        ("(1. 31-27) 1. 32-28 *", "1: the variation that begins here stands before any move"),
        ("1. 32-28 (1. 31-27 1-0) *", "1: the result 1-0 stands in a variation; it is kept as a comment"),
        ("$2 1. 32-28 *", "1: '$2' is neither a move nor a mark; it is kept as a comment"),
        ("\n[White Ann]\n*", '2: the tag White is not written as [White "value"]'),
        ('[White "Ann]\n*', '1: the tag White is not written as [White "value"]'),
        ('[Site "the "64" club"]\n*', '1: the tag Site is not written as [Site "value"]'),
        ('[White "Ann"]\n[White "Eve"]\n*', "2: the tag White is given twice; the first one counts"),
        ('[Result "0-1"]\n1. 32-28 1-0', "1: the tag Result says 0-1, the text ends with 1-0"),
        ('[Result "*"]\n1. 32-28 1-0', "1: the tag Result says *, the text ends with 1-0"),
        ('[Result "1-0"]\n1. 32-28\n', "1: there is no result at the end of the game; the tag Result says 1-0"),
        ('1. 32-28\n\n[White "Ann"]\n*', "1: there is no result at the end of the game"),
        (
            '[Result "4-6"]\n1. 32-28\n4-6\n',
            "3: 4-6 in the tag Result is not a known result; here it is read as a move",
        ),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, told: str) -> None:
    assert faults(text) == [told]


def test_what_is_no_fault() -> None:
    assert faults('[Result "1-0"]\n1. 32-28 2-0') == []
    assert faults('[Result ""]\n1. 32-28 2-0') == []
    assert faults("1. 32-28 19-23") == []
    assert faults("\n\n") == []


def test_what_cannot_be_read_stays_in_the_game_as_a_comment() -> None:
    game = only("1. 32-28 19-23+ (something) 2. 28x19 *")
    assert game.moves == ("32-28", "19-23", "28x19")
    assert game.line.plies[1].remarks == ("+", Line(remarks=("something",)))


@pytest.mark.parametrize(
    ("tag", "value"), [("[White Ann]", "Ann"), ('[White "Ann', "Ann"), ('[White "the "64" club"]', 'the "64" club')]
)
def test_a_tag_that_is_written_wrong_keeps_its_value(tag: str, value: str) -> None:
    assert only(f"{tag}\n*").tag("White") == value


def test_an_open_comment_ends_where_the_tags_of_the_next_game_begin() -> None:
    first, second = read_text('1. 32-28 { oh\n2. 37-32 1-0\n\n[White "Ann"]\n1. 31-27 {fine} *')
    assert first.game.line.plies[0].comments == ("oh 2. 37-32 1-0",)
    assert second.game.moves == ("31-27",)
    assert not second.faults


def test_brackets_in_a_comment_are_no_tags() -> None:
    game = only('1. 32-28 {see\n[diagram]\nand [Event "x"]} 19-23 *')
    assert game.line.plies[0].comments == ('see [diagram] and [Event "x"]',)
    assert game.tags == ()


def test_a_tag_behind_a_result_begins_the_next_game() -> None:
    first, second = read_text('1. 32-28 1-0[White "Ann"]\n[Black "Eve"]\n1. 31-27 0-1')
    assert first.game.tags == ()
    assert second.game.tags == (("White", "Ann"), ("Black", "Eve"))


def test_variations_without_an_end_are_cut_at_a_hundred_levels() -> None:
    (entry,) = read_text("1. 32-28 " + "(1. 31-27 " * 5000 + "*")
    assert len(list(plies_in_order(entry.game.line))) == 5001
    assert entry.faults


def test_a_faulty_game_leaves_the_next_one_alone() -> None:
    entries = list(read(DATA / "faults.pdn"))
    assert [(entry.game.tag("White"), bool(entry.faults)) for entry in entries] == [
        ("No result", True),
        ("Fine", False),
        ("Open comment", True),
        ("Fine", False),
        ("Broken tag", True),
        ("Unknown moves", True),
        ("Fine", False),
    ]
    assert all(entry.game.moves == ("32-28", "19-23", "28x19") for entry in entries if not entry.faults)


@settings(deadline=None)
@given(games.texts)
def test_any_text_is_read_without_an_error(text: str) -> None:
    for number, entry in enumerate(read_text(text), start=1):
        assert entry.number == number
        assert all("\n" not in fault.reason for fault in entry.faults)
        assert all(entry.line <= fault.line <= text.count("\n") + text.count("\r") + 1 for fault in entry.faults)


@pytest.mark.parametrize(
    "piece", ["1-", "1 - ", "a1x", "/W:", "/W: ", "/FEN ", " ", "[", "[A ", "{ ", "(", "1.", "%\n"]
)
@pytest.mark.parametrize("begin", ["", "/W:", "1-2", "[A"])
def test_a_game_of_one_long_mistake_is_read_at_once(begin: str, piece: str) -> None:
    entries = read_text(begin + piece * (100_000 // len(piece)) + "?")
    assert len(list(entries)) == 1
