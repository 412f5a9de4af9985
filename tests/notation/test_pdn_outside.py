"""What stands outside a game never makes, splits or doubles one: it is named with its line, and kept as a comment."""

from __future__ import annotations

import contextlib
import io

import pytest
from notation.reading import read_text

from turkengine.errors import PdnError
from turkengine.notation.pdn import normalised, read, reader, write
from turkengine.notation.pdn.annotations import clocks, elapsed, evaluation
from turkengine.notation.pdn.dates import read_date


def told(text: str) -> list[tuple[tuple[str, ...], str, list[str]]]:
    """Moves, result and faults of every game."""
    return [
        (entry.game.moves, entry.game.result, [f"{fault.line}: {fault.reason}" for fault in entry.faults])
        for entry in read_text(text)
    ]


def outside(line: int, text: str) -> str:
    return f"{line}: {text!r} stands outside a game; it is kept as a comment"


@pytest.mark.parametrize(
    ("behind", "named"),
    [
        ("2-0", "2-0"),
        ("2-0 2-0 *", "2-0 2-0 *"),
        ("1/2-1/2", "1/2-1/2"),
        ("!", "!"),
        ("(!?)", "(!?)"),
        ("$3", "$3"),
        ("(1. 31-27 18-23)", "(1. 31-27 18-23)"),
        ("(1. 31-27 (1. 33-29) 0-2)", "(1. 31-27 (1. 33-29) 0-2)"),
        ("(", "("),
        (")", ")"),
        ("White won after 45-40", "White won after 45-40"),
        ("24. 31-27 was better", None),  # a move directly behind a result begins a game
        ("better was 24. 31-27", "better was 24. 31-27"),
        ("2.", "2."),
        ('/FEN "W:W31:B1"/', '/FEN "W:W31:B1"/'),
    ],
)
@pytest.mark.parametrize("following", ["", '\n\n[Event "next"]\n1. 33-28 *', "\n\n1. 33-28 *"])
def test_what_stands_behind_a_result_makes_no_game(behind: str, named: str | None, following: str) -> None:
    games = told(f"1. 32-28 19-23\n2-0 {behind}{following}")
    assert games[0][:2] == (("32-28", "19-23"), "2-0")
    if named is None:
        return
    if following.startswith("\n\n1.") and behind.startswith(("(1.", "/FEN")):
        assert len(games) == 2  # they may be about the game whose moves follow
        return
    assert games[0][2] == [outside(2, named)]
    assert games[1:] == ([(("33-28",), "*", [])] if following else [])


@pytest.mark.parametrize(
    ("before", "named"),
    [
        ("My games", "1: 'My games' is neither a move nor a mark; it is kept as a comment"),
        ("From 32-28 on", outside(1, "From 32-28 on")),
        ("2-0", "1: the result 2-0 stands before any game; it is kept as a comment"),
        ("!", "1: '!' is neither a move nor a mark; it is kept as a comment"),
        ("(", "1: the variation that begins here is not closed with )"),
    ],
)
def test_what_stands_before_the_first_tag_makes_no_game(before: str, named: str) -> None:
    games = told(f'{before}\n\n[White "Ann"]\n\n1. 32-28 2-0')
    assert [(moves, result) for moves, result, _ in games] == [(("32-28",), "2-0")]
    assert named in games[0][2]


def test_prose_before_the_first_tag_is_kept() -> None:
    (entry,) = read_text('Moves as 32-28 (or 1. 31-27) occur.\n[White "Ann"]\n1. 32-28 *')
    assert entry.game.tag("White") == "Ann"
    assert entry.game.line.comments == ("Moves as 32-28 (or 1. 31-27) occur.",)


def test_a_game_whose_first_word_cannot_be_read_is_a_game() -> None:
    assert told("l. 32-28 19-23 2. 28x19 2-0")[0][:2] == (("32-28", "19-23", "28x19"), "2-0")
    assert told("Ann - Eve 1. 32-28 2-0\n\n[White 'x']\n*")[0][0] == ("32-28",)


@pytest.mark.parametrize("result", ["2-0", "2-0 2-0", "*", "2-0 {fine}"])
def test_the_rest_of_a_game_before_the_first_tag_is_no_game(result: str) -> None:
    ((moves, _, faults),) = told(f'-28 19x30 2. 39-33 {result}\n\n[White "Ann"]\n\n1. 32-28 2-0')
    assert moves == ("32-28",)
    assert len(faults) == 1
    assert "stands outside a game" in faults[0]


def test_results_alone_are_no_games() -> None:
    ((moves, _, faults),) = told("2-0\n2-0\n")
    assert moves == ()
    assert faults == ["1: the result 2-0 stands before any game; it is kept as a comment"]


@pytest.mark.parametrize(
    "comment", ['see\n[Event "x"]\n', 'see [Event "x"] ', '\n\n[Event "x"]\n[White "y"]\n\n1. 31-27 *\n']
)
def test_a_tag_in_a_comment_begins_no_game(comment: str) -> None:
    first, second = read_text(f'1. 32-28 {{{comment}}} 19-23 2-0\n\n[White "Ann"]\n1. 33-28 *')
    assert first.game.moves == ("32-28", "19-23")
    assert not first.faults
    assert first.game.line.plies[0].comments == (" ".join(comment.split()),)
    assert second.game.tag("White") == "Ann"


@pytest.mark.parametrize("mark", [";", "%"])
def test_a_tag_in_a_comment_to_the_end_of_the_line_begins_no_game(mark: str) -> None:
    (entry,) = read_text(f'1. 32-28\n{mark} as in [Event "x"]\n19-23 2-0')
    assert entry.game.moves == ("32-28", "19-23")


@pytest.mark.parametrize("block", [1, 7, 30, 100])
def test_it_does_not_matter_where_a_file_is_cut(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        'Prose 31-27\n[White "A"]\n1. 32-28 {x\n[Event "y"]\n} 2-0 2-0\n\n[White "B"]\n1. 31-27 { open\n\n'
        '[White "C"]\n1. 33-28 {a} *\n{about the next} 1. 34-30 *'
    )
    whole = list(read(io.BytesIO(text.encode())))
    assert [entry.game.tag("White") for entry in whole] == ["A", "B", "C", ""]
    monkeypatch.setattr(reader, "BLOCK", block)
    assert list(read(io.BytesIO(text.encode()))) == whole


def test_a_comment_that_is_open_for_long_is_not_waited_for() -> None:
    text = '1. 32-28 { open\n\n[White "B"]\n1. 31-27 *\n\n' + '[White "C"]\n1. 31-27 *\n\n' * 60_000
    stream = io.BytesIO(text.encode())
    entries = read(stream)
    assert next(entries).game.moves == ("32-28",)
    assert next(entries).game.tag("White") == "B"
    assert stream.tell() < len(text)


def test_a_position_that_the_tags_both_set_up_and_do_not_is_named() -> None:
    ((_, _, faults),) = told('[SetUp "0"]\n[FEN "W:W31:B1"]\n1. 31-27 *')
    assert faults == ["1: the tag SetUp says 0, no position set up, beside a tag FEN; the FEN counts"]


# --- Signs ---

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
BLANKS = ["\u00a0", "\u00ad", "\u2009", "\u200b", "\u200c", "\u200d", "\u202f", "\u2060", "\ufeff"]


@pytest.mark.parametrize("dash", DASHES)
@pytest.mark.parametrize("blank", ["", " ", *BLANKS])
def test_every_dash_and_blank_is_read_in_moves_and_results(dash: str, blank: str) -> None:
    between = f"{blank}{dash}{blank}"
    games = told(f"{blank}1.{blank}32{between}28{blank} 19{between}23 2{between}0\n1. 31{between}27 1{between}1")
    assert [(len(moves), result, faults) for moves, result, faults in games] == [(2, "2-0", []), (1, "1-1", [])]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *[("2 - 0", "2-0"), ("2 -0", "2-0"), ("0\u20132", "0-2"), ("1:0", "1-0"), ("2:0", "2-0"), ("0 : 0", "0-0")],
        *[("1/2", "1/2-1/2"), ("\u00bd", "1/2-1/2"), ("\u00bd-\u00bd", "1/2-1/2"), ("\u00bd \u2013 \u00bd", "1/2-1/2")],
        *[("1/2 - 1/2", "1/2-1/2"), ("1/2\u20111/2", "1/2-1/2"), ("0.5-0.5", "1/2-1/2"), ("0,5 - 0,5", "1/2-1/2")],
    ],
)
def test_every_spelling_of_a_result_is_one(text: str, result: str) -> None:
    assert told(f'[Result "{text}"]\n1. 32-28 {text}\n\n1. 31-27 {text}') == [
        (("32-28",), result, []),
        (("31-27",), result, []),
    ]
    assert told(f'[Result "{text}"]\n1. 32-28 *')[0][1] == result


@pytest.mark.parametrize("text", ["12-8", "4-6", "White wins", "1-0-0", "2-"])
def test_what_is_no_result_is_one_fault_at_most_in_the_reading(text: str) -> None:
    ((_, result, faults),) = told(f"1. 32-28 19-23 {text} *")
    assert result == "*"
    assert len(faults) <= 1


def test_signs_in_comments_and_tags_stay_as_they_are() -> None:
    (entry,) = read_text('[White "A\u200db\u00a0\u2013"]\n1. 32\u200b-28 {c\u200dd \u2013} *')
    assert entry.game.tag("White") == "A\u200db\u00a0\u2013"
    assert entry.game.line.plies[0].comments == ("c\u200dd \u2013",)


@pytest.mark.parametrize(("byte", "sign"), [(0x80, "\u20ac"), (0x92, "\u2019"), (0x96, "\u2013"), (0xE9, "\u00e9")])
def test_a_line_that_is_not_utf_8_is_windows_1252(byte: int, sign: str) -> None:
    data = b'[White "A' + bytes([byte]) + b'"]\n[Black "\xc3\xa9"]\n1. 32' + bytes([0x96]) + b"28 *"
    (entry,) = read(io.BytesIO(data))
    assert (entry.game.tag("White"), entry.game.tag("Black")) == (f"A{sign}", "\u00e9")
    assert entry.game.moves == ("32\u201328",)


# --- Length ---

NUMBER = "9" * 500_000


@pytest.mark.parametrize(
    "text",
    [
        *[f"1. 32-28 {NUMBER}. 19-23 *", f"1. 32-28 {NUMBER} 19-23 *", f"1. 32-{NUMBER} 19-23 *", f"1. {NUMBER}x28 *"],
        *[f"1. a1-b{NUMBER} *", f"1. a1{NUMBER} *", f"1. 32-28 1/{NUMBER} *", f"1. 32-28 ${NUMBER} *"],
        *[f'[Date "{NUMBER}"]\n*', f'[GameType "{NUMBER}"]\n*', f'[Result "{NUMBER}"]\n*', f'[Variant "{NUMBER}"]\n*'],
        *[f'[FEN "W:W{NUMBER}:B1"]\n*', f'[FEN "W:W31:B1:H{NUMBER}"]\n*', f'1. 32-28 /FEN "W:W{NUMBER}:B1"/ *'],
        *[f"1. 32-28 {{[%{name} {NUMBER}]}} *" for name in ("emt", "clk", "clock", "eval")],
    ],
    ids=lambda text: text.replace(NUMBER, "N"),
)
def test_a_number_of_any_length_is_read_and_written_at_once(text: str) -> None:
    """Looked at from each of its digits it would take an hour."""
    for entry in read_text(text):
        game, _ = normalised(entry.game)
        read_date(game.tag("Date"))
        for ply in game.line.plies:
            clocks(ply), elapsed(ply), evaluation(ply)
        with contextlib.suppress(PdnError):
            write(game)


@pytest.mark.parametrize(
    "piece", ["2-0 ", "(", "( ", "{", "{a} ", "1/2 ", "[A", "1.", "! ", "; \n", "/W:", "\u200b", "24. 31-27 "]
)
def test_what_stands_behind_a_result_is_read_at_once_however_long_it_is(piece: str) -> None:
    first, *_ = read_text("1. 32-28 2-0 nothing " + piece * (300_000 // len(piece)))
    assert first.game.moves == ("32-28",)


@pytest.mark.parametrize("piece", ['\n[A "b"]\n', '\\"'])
def test_tags_and_quotes_are_looked_at_once(piece: str) -> None:
    assert len(list(read_text("\u00a0" + piece * 40_000))) in (1, 40_000)


def test_tags_in_comments_are_looked_at_once() -> None:
    text = "1. 32-28 {" + '\n[A "b"]\n x' * 60_000 + "} 19-23 *"
    (entry,) = read(io.BytesIO(text.encode()))
    assert entry.game.moves == ("32-28", "19-23")
