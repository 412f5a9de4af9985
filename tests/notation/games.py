"""Games as hypothesis makes them up: whatever a file of games can say, legal or not."""

from __future__ import annotations

from hypothesis import strategies as st

from turkengine.notation.pdn import RESULTS, Line, PdnGame, Ply, SetUp

LETTERS = "abcdefgh"

squares = st.one_of(
    st.integers(1, 50).map(str),
    st.tuples(st.sampled_from(LETTERS), st.integers(1, 8)).map(lambda square: f"{square[0]}{square[1]}"),
)
numbered = st.lists(st.integers(1, 50).map(str), min_size=2, max_size=5)
lettered = st.lists(
    st.tuples(st.sampled_from(LETTERS), st.integers(1, 8)).map(lambda square: f"{square[0]}{square[1]}"),
    min_size=2,
    max_size=5,
)
moves = (
    st.tuples(st.sampled_from("-x:"), st.one_of(numbered, lettered))
    .map(lambda move: move[0].join(move[1]))
    .filter(lambda text: text not in RESULTS)
)
words = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), exclude_characters="}"), min_size=1, max_size=12
)
hard_words = st.sampled_from(
    ["[Event", '"x"]', '[Event "x"]', "%", "{", "[%clk", "0:10:00]", "1-0", "*", "(", ")", "12.", "$1", "/FEN", ";"]
)
comments = st.lists(st.one_of(words, hard_words), max_size=20).map(lambda chosen: " ".join(" ".join(chosen).split()))
setups = st.just(SetUp("W:W31-50:B1-20"))


def plies(remarks: st.SearchStrategy[str | Line | SetUp]) -> st.SearchStrategy[Ply]:
    nags = st.lists(st.integers(0, 255), max_size=3).map(tuple)
    return st.builds(Ply, moves, nags, st.lists(remarks, max_size=3).map(tuple))


def lines(remarks: st.SearchStrategy[str | Line | SetUp]) -> st.SearchStrategy[Line]:
    return st.builds(Line, st.lists(plies(remarks), max_size=6).map(tuple), st.lists(remarks, max_size=2).map(tuple))


simple = st.one_of(comments, setups)
remarks = st.one_of(comments, setups, lines(st.one_of(comments, comments, lines(simple))))  # variations in variations
values = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=20)
names = st.one_of(
    st.sampled_from(["Event", "White", "Result", "FEN", "GameType"]), st.from_regex(r"\A[A-Z][a-z]{1,8}\Z")
)
tags = st.lists(st.tuples(names, values), max_size=8, unique_by=lambda tag: tag[0]).map(tuple)
games = st.builds(PdnGame, tags, lines(remarks), st.sampled_from(sorted(RESULTS))).filter(
    lambda game: bool(game.tags or game.line.plies)  # a result alone is no game
)

tokens = [
    *['[White "A"]\n', '[Black "B" ]', "[Event", '[FEN "W:W31-50:B1-20"]\n', '[Result "1-0"]', '/FEN "W:W1:B2"/'],
    *["1. 32-28 ", "19-23 ", "2... ", "17.", "...", "a3b4 ", "3228", " - - ", "10- 4 ", "x", ":", "\u00d7"],
    *["1-0 ", "1/2-1/2\n", "\u00bd-\u00bd", "*", "0-0", "2-0", "1-1", "(", ")", "{", "}", "{ a }", "% line\n", ";c\n"],
    *["$3 ", "!", "(!?)", "\\", '"', "]", "\n", "\n\n", "\t", "\r\n", "\ufeff"],
]
texts = st.lists(st.one_of(st.sampled_from(tokens), st.text(max_size=5)), max_size=40).map("".join)
