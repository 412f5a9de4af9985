"""Pages: text stays text, nothing is fetched, and a browser may run the one script alone."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from analysis.scripted import ScriptedEngine
from match.test_report import match, summary

import turkengine.pages
from turkengine.analysis.annotate import judged
from turkengine.analysis.games import PlayedGame, Source, played_games
from turkengine.analysis.page import html_page
from turkengine.analysis.puzzle_book import MOST_PUZZLES, FoundPuzzle, puzzle_page
from turkengine.analysis.puzzles import Puzzle
from turkengine.api.limit import Limit
from turkengine.games import INTERNATIONAL, variant_named
from turkengine.match.html import html_report
from turkengine.pages.boards import changes, in_words, number_of
from turkengine.rules.variant import Side

HOSTILE = "</script><script>alert(1)</script> \" ' <!-- & {{ 7 * 6 }} \u202e\u05d0"
FEN = "W:W26,27,28,32,37,44:B12,16,17,19,20,34,35"
TEMPLATES = sorted(Path(turkengine.pages.__file__).parent.glob("*.html"))


class Read(HTMLParser):
    """The elements of a page that is well formed, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []  # innermost element and text
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def text_of(self, tag: str) -> list[str]:
        return [text for inside, text in self.texts if inside == tag]

    @property
    def policy(self) -> dict[str, str]:
        (found,) = [attrs for _, attrs in self.seen if attrs.get("http-equiv") == "Content-Security-Policy"]
        rules = (rule.partition(" ")[::2] for rule in (found["content"] or "").split("; "))
        return dict(rules)


def played(name: str, moves: str = "1. 44-40 {%s} 35x44 2. 28-22 17x28 *") -> PlayedGame:
    tag = name.replace('"', "''")  # which ends a tag
    comment = name.replace("{", "(").replace("}", ")")
    text = f'[Event "{tag}"]\n[White "{tag}"]\n[Black "B"]\n[GameType "20"]\n[FEN "{FEN}"]\n\n{moves}\n'
    (game,) = played_games([Source("a.pdn", text.replace("%s", comment).encode())], None)
    return game


def analysis_page(name: str) -> str:
    game = played(name)
    return "".join(
        html_page(
            name, [(name, name)], [(game, judged(ScriptedEngine({}), game.positions, game.moves, Limit(nodes=1)))]
        )
    )


def found(name: str) -> FoundPuzzle:
    puzzle = Puzzle(1, FEN, ("28-22", "17x28", "32x25"), "shot 1 for 3", "2.00", "0.10", 5000, 1230)
    return FoundPuzzle(played(name), puzzle)


def puzzles_page(name: str) -> str:
    return "".join(puzzle_page(name, [found(name)]))


def match_page(name: str) -> str:
    games = [
        (key, replace(game, white=name if game.white == "A" else "B", black=name if game.black == "A" else "B"))
        for key, game in match([2, 1, 0, 1])
    ]
    made = summary("AB", games, title=name)
    return html_report(replace(made, names=[name, "B"], settings={name: name}), [key for key, _ in games], games)


every_page = pytest.mark.parametrize("page", [analysis_page, puzzles_page, match_page])


@every_page
def test_names_titles_and_comments_stay_text(page) -> None:
    made = page(HOSTILE)
    read = Read(made)
    assert read.text_of("title")[0] == HOSTILE
    assert HOSTILE in read.text_of("bdi"), "isolated, so that its direction does not reach what stands beside it"
    assert "alert(1)" not in "".join(text for text in read.text_of("script") if "cells" not in text)
    assert "<script>alert" not in made
    assert sum(tag == "script" for tag, _ in read.seen) == sum(tag == "script" for tag, _ in Read(page("A")).seen)


@every_page
def test_a_browser_may_run_the_one_script_and_fetch_nothing(page) -> None:
    read = Read(page("A"))
    policy = read.policy
    assert policy["default-src"] == "'none'"
    inline = {
        "style-src": read.text_of("style"),
        "script-src": [t for t in read.text_of("script") if '"use strict"' in t],
    }
    for kind, texts in inline.items():
        digests = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts]
        assert " ".join(digests) == policy.get(kind, "")
    assert not [attrs for _, attrs in read.seen if "style" in attrs or any(name.startswith("on") for name in attrs)]
    links = [value or "" for _, attrs in read.seen for name, value in attrs.items() if name in ("src", "href")]
    assert all(link.startswith("#") for link in links)


@every_page
def test_a_page_can_be_read_aloud(page) -> None:
    read = Read(page("A"))
    assert ("html", {"lang": "en"}) in read.seen
    levels = [int(tag[1]) for tag, _ in read.seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    drawings = [attrs for tag, attrs in read.seen if tag == "svg"]
    assert all(drawing.get("aria-label") or drawing.get("aria-hidden") for drawing in drawings)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_only_drawings_and_what_is_kept_here_go_in_as_they_are(path: Path) -> None:
    names = re.findall(r"\{\{ ([\w.]+)\|safe \}\}", path.read_text(encoding="utf-8"))
    own = {"style", "script", "shapes", "shares", "plot", "game.course"}
    assert path.read_text(encoding="utf-8").count("safe") == len(names)
    assert {name for name in names if not name.endswith(".drawing")} <= own


def test_a_puzzle_hides_its_solution_and_says_who_is_to_move() -> None:
    page = puzzles_page("A")
    before, _, hidden = page.partition("<details>")
    assert "28-22" not in before.split("<main>")[1]
    assert "White to move; White men 26 27 28 32 37 44; Black men 12 16 17 19 20 34 35" in before
    assert "28-22" in hidden.split("</details>")[0]
    assert '<small class="White">White to move</small>' in before
    assert "Rating <b>1230</b> · shot 1 for 3" in before


def test_more_puzzles_than_a_page_holds_are_counted() -> None:
    page = "".join(puzzle_page("A", [found("A")] * (MOST_PUZZLES + 1)))
    assert page.count("<article") == MOST_PUZZLES
    assert f"the first {MOST_PUZZLES} of {MOST_PUZZLES + 1} puzzles" in page
    assert "No puzzle was found." in "".join(puzzle_page("A", []))


def test_what_a_file_says_about_a_move_is_on_the_page() -> None:
    game = played("A", "1. 44-40 {a [%clk 0:01] trap} 35x44 *")
    record = judged(ScriptedEngine({}), game.positions, game.moves, Limit(nodes=1))
    assert '"k":"a trap"' in "".join(html_page("A", [], [(game, record)]))


def test_a_position_in_words() -> None:
    cells = "wB" + "e" * 48
    assert in_words(INTERNATIONAL, cells, Side.BLACK) == "Black to move; White men 1; Black kings 2"


def test_what_changes_on_a_board() -> None:
    assert changes("wbe", "ebw") == [0, "e", 2, "w"]


def test_numbers_of_moves() -> None:
    assert [number_of(INTERNATIONAL, Side.WHITE, ply) for ply in (1, 2, 3)] == ["1.", "1...", "2."]
    assert [number_of(INTERNATIONAL, Side.BLACK, ply) for ply in (1, 2)] == ["1...", "2."]
    assert [number_of(variant_named("english"), Side.BLACK, ply) for ply in (1, 2)] == ["1.", "1..."]
