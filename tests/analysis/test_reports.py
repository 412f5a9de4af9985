"""An analysed game as PDN, JSON and a page."""

from __future__ import annotations

import json
import re
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO

import pytest
from analysis.scripted import ScriptedEngine

from turkengine.analysis.annotate import judged
from turkengine.analysis.games import PlayedGame, Source, played_games
from turkengine.analysis.judged import JudgedGame
from turkengine.analysis.page import html_page
from turkengine.analysis.positions import analysed
from turkengine.analysis.report import annotated, json_line
from turkengine.api.limit import Limit
from turkengine.api.position import Position
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.notation import pdn
from turkengine.notation.pdn.annotations import evaluation

FEN = "W:W26,27,28,32,37,44:B12,16,17,19,20,34,35"
GAME = f"""[White "Anna <b>"]
[Black "Bert"]
[Result "2-0"]
[GameType "20"]
[FEN "{FEN}"]

1. 44-40 {{hm}} (1. 44-39) 35x44 2. 28-22 17x28 3. 32x25 *
"""


@pytest.fixture
def game() -> PlayedGame:
    (found,) = played_games([Source("a.pdn", GAME.encode())], None)
    return found


@pytest.fixture
def record(game: PlayedGame) -> JudgedGame:
    start = game.positions[0]
    told = {
        start.fen(): ((200, "28-22 17x28 32x25"),),
        start.play("44-40").fen(): ((50, "35x44"),),
        game.positions[2].fen(): ((9990, "28-22 17x28 32x25"),),
    }
    return judged(ScriptedEngine(told), game.positions, game.moves, Limit(nodes=1))


def test_the_game_is_annotated_and_nothing_of_it_is_lost(game: PlayedGame, record: JudgedGame) -> None:
    text = pdn.write(annotated(game, record))
    assert '[White "Anna <b>"]' in text
    joined = " ".join(text.split())
    assert (
        "1. 44-40?? {hm} (1. 44-39) {[%eval -0.50] missed win; missed shot 1 for 3: 28-22 17x28 32x25}"
        " (1. 28-22 {[%eval 2.00]} 17x28 2. 32x25) 35x44" in joined
    )
    assert "2. 28-22! {[%eval 0.00] shot 1 for 3} 17x28 $7" in joined


def test_what_is_written_reads_back_with_its_evaluations(game: PlayedGame, record: JudgedGame) -> None:
    (again,) = pdn.read_games(StringIO(pdn.write(annotated(game, record))))
    first = again.line.plies[0]
    assert evaluation(first).men == -0.5
    assert first.nags == (4,)
    assert again.moves == ("44-40", "35x44", "28-22", "17x28", "32x25")


def test_analysed_again_a_game_has_the_new_evaluations_alone(game: PlayedGame, record: JudgedGame) -> None:
    once = pdn.write(annotated(game, record))
    (again,) = played_games([Source("a.pdn", once.replace("[%eval -0.50]", "[%eval 7.00]").encode())], None)
    assert pdn.write(annotated(again, record)) == once


def test_marks_of_others_stay(record: JudgedGame) -> None:
    (marked,) = played_games([Source("a.pdn", GAME.replace("44-40", "44-40!").encode())], None)
    assert annotated(marked, record).line.plies[0].nags == (1,)


def test_a_line_of_json_tells_everything(game: PlayedGame, record: JudgedGame) -> None:
    line = json_line(game, record)
    assert line.count("\n") == 1
    data = json.loads(line)
    assert (data["schema"], data["version"], data["file"], data["game"], data["line"]) == (
        "turkengine-analysis",
        1,
        "a.pdn",
        1,
        1,
    )
    assert data["tags"]["White"] == "Anna <b>"
    assert data["players"]["W"]["marks"] == {"!": 1, "??": 1}
    assert data["players"]["W"]["missed_wins"] == 1
    first = data["moves"][0]
    assert (first["move"], first["eval"], first["best"], first["mark"], first["loss"]) == (
        "44-40",
        "-0.50",
        "28-22",
        "??",
        2.5,
    )
    assert first["missed_shot"] == {
        "gives": 1,
        "takes": 3,
        "kings": 0,
        "plies": 3,
        "crowns": False,
        "text": "28-22 17x28 32x25",
    }
    assert sum(data["moves"][0]["chances"].values()) == pytest.approx(1, abs=0.002)


class Balanced(HTMLParser):
    """Sees to it that every element is closed, and keeps the texts."""

    VOID = frozenset({"meta", "br", "link", "img", "rect", "circle", "path", "line", "polygon", "polyline", "use"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.outside += [value for name, value in attrs if name in ("src", "href") and value and value[0] != "#"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def page(*games: tuple[PlayedGame, JudgedGame]) -> str:
    return "".join(html_page("A & B", [("Limit", "nodes=1")], games))


def test_the_page_is_whole_and_needs_nothing_from_outside(game: PlayedGame, record: JudgedGame) -> None:
    text = page((game, record), (game, record))
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert parser.outside == []
    assert set(re.findall(r'href="#(tk-[^"]+)"', text)) <= set(re.findall(r' id="([^"]+)"', text))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert "<title>A &amp; B</title>" in text
    assert "Anna &lt;b&gt;" in text
    assert "Anna <b>" not in text


def test_the_page_shows_the_critical_moments_with_boards_and_arrows(game: PlayedGame, record: JudgedGame) -> None:
    text = page((game, record))
    figures = re.findall(r'<figure data-ply="(\d+)">(<svg.*?</svg>)<figcaption>(.*?)</figcaption>', text, re.DOTALL)
    assert [ply for ply, _, _ in figures] == ["1", "3"]
    assert all(ElementTree.fromstring(drawing) is not None for _, drawing, _ in figures)
    assert "From 2.00 to -0.50; better was 28-22" in figures[0][2]
    assert figures[0][1].count("tk-arrow") == 2
    assert "Shot 1 for 3." in figures[1][2]


def test_the_script_gets_every_position(game: PlayedGame, record: JudgedGame) -> None:
    text = page((game, record))
    (data,) = re.findall(r'<script type="application/json">(.*?)</script>', text)
    told = json.loads(data)
    cells = list(told["cells"])
    for move, position in zip(told["moves"], game.positions[1:], strict=True):
        for square, letter in zip(move["c"][::2], move["c"][1::2], strict=True):
            cells[square] = letter
        assert "".join(cells) == position.cells
    assert told["moves"][0]["n"] == "1. 44-40??"
    assert f'data-board="{INTERNATIONAL.name} flipped"' in text


def test_the_course_has_a_dot_for_each_mark(game: PlayedGame, record: JudgedGame) -> None:
    (drawing,) = re.findall(r'<svg class="course".*?</svg>', page((game, record)), re.DOTALL)
    dots = list(ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}circle"))
    assert [(dot.get("class"), dot.get("data-ply")) for dot in dots] == [("blunder", "1"), ("good", "3")]


# Positions


def test_positions_give_an_object_each_in_their_order() -> None:
    texts = ["W:W31-50:B1-20", "rubbish", "W:W:B20", "W:W28:B23"]
    found = list(analysed(texts, INTERNATIONAL, lambda: ScriptedEngine({}, otherwise=25), Limit(nodes=1)))
    assert [one["fen"] for one in found] == texts
    assert (found[0]["eval"], found[0]["men"], found[0]["best"]) == ("0.25", 0.25, "31-26")
    assert "begins with the side to move" in found[1]["error"]
    assert (found[2]["eval"], found[2]["outcome"], found[2]["lines"]) == ("#-0", "no piece left", [])


def test_several_jobs_keep_the_order() -> None:
    texts = [Position(variant="turkish").play(move).fen() for move in Position(variant="turkish").legal_moves()] * 10
    found = list(analysed(texts, TURKISH, lambda: ScriptedEngine({}), Limit(nodes=1), jobs=3))
    assert [one["fen"] for one in found] == texts


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_answer_comes_before_the_next_position_is_known(jobs: int) -> None:
    told: list[str] = []
    answered = threading.Event()

    def texts():
        yield "W:W31-50:B1-20"
        assert answered.wait(20)
        yield "W:W28:B23"

    for one in analysed(texts(), INTERNATIONAL, lambda: ScriptedEngine({}), Limit(nodes=1), jobs=jobs):
        told.append(one["fen"])
        answered.set()
    assert told == ["W:W31-50:B1-20", "W:W28:B23"]


def test_what_is_wrong_with_the_texts_is_raised() -> None:
    def texts():
        yield "W:W28:B23"
        raise OSError("the disk is gone")

    found = analysed(texts(), INTERNATIONAL, lambda: ScriptedEngine({}), Limit(nodes=1), jobs=2)
    assert next(found)["best"] == "28x19"
    with pytest.raises(OSError, match="the disk is gone"):
        next(found)


def test_a_failing_engine_is_an_error_of_its_position() -> None:
    make = lambda: ScriptedEngine({}, fails_at="W:W31-50:B1-20")  # noqa: E731
    found = list(analysed(["W:W31-50:B1-20", "W:W28:B23"], INTERNATIONAL, make, Limit(nodes=1)))
    assert found[0]["error"] == "it has had enough"
    assert "error" not in found[1]


def test_a_comment_of_any_length_is_annotated_at_once(game: PlayedGame, record: JudgedGame) -> None:
    """Each beginning of an evaluation must not be followed to the end of the comment."""
    line = game.entry.game.line
    hostile = replace(line.plies[0], remarks=("[%eval " * 200_000,))
    told = replace(game.entry.game, line=replace(line, plies=(hostile, *line.plies[1:])))
    found = annotated(replace(game, entry=replace(game.entry, game=told)), record)
    assert len(found.line.plies) == len(line.plies)
