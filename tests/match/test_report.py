"""Reports: text, page and data, of matches that are hard to report too."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from record.test_scoresheet import PLAYED

from turkengine.match.html import html_report
from turkengine.match.report import aligned, signed, sprt_line, text_report
from turkengine.match.schedule import GameResult, Key, Results
from turkengine.match.sprt import EloModel, Sprt
from turkengine.match.statistics import Estimate, Pairs
from turkengine.match.summary import SCHEMA, SCHEMA_VERSION, Faults, Summary
from turkengine.record.record import Ending, EndingKind, Incident, Record
from turkengine.rules.variant import Side


def record(white: str, black: str, halves: int, **changes: object) -> Record:
    winner = {0: Side.BLACK, 1: None, 2: Side.WHITE}[halves]
    ending = Ending(EndingKind.RULES, winner, "no legal move" if winner else "agreed")
    return replace(PLAYED, white=white, black=black, **{"ending": ending, **changes})


def summary(
    names: str, games: list[tuple[Key, Record]], sprt: Sprt | None = None, halves_a_win: int = 2, title: str = "T"
) -> Summary:
    faults = Faults()
    for _, game in games:
        faults.add(game)
    results = Results(GameResult(key, game.white, game.black, game.ending.halves) for key, game in games)
    settings = {"variant": "international"}
    return Summary(title, list(names), settings, results, faults, sprt, finished=True, halves_a_win=halves_a_win)


def match(scores: list[int]) -> list[tuple[Key, Record]]:
    """Games of A and B by A's half points, colours in turn."""
    return [
        (Key(0, 0, game), record("A", "B", score) if game % 2 == 0 else record("B", "A", 2 - score))
        for game, score in enumerate(scores)
    ]


def test_a_match_as_text() -> None:
    text = text_report(summary("AB", match([2, 1, 1, 1, 2, 2, 0, 1]), Sprt(0, 5)))
    assert text == (
        "T\n"
        "  variant: international\n"
        "\n"
        "   player  points  games  +  =  -   score         rating\n"
        "1  A           10      8  3  4  1  62.5 %  +41.6 ± 112.7\n"
        "2  B            6      8  1  4  3  37.5 %  -41.6 ± 112.7\n"
        "\n"
        "A against B: +3 =4 -1, 5 of 8, 50.0 % drawn\n"
        "pairs 0: 0, 1/2: 1, 1: 1, 3/2: 1, 2: 1 (25.0 % shared)\n"
        "Elo +88.7 ± 243.2, nElo +109.9 ± 240.8, LOS 81.4 %\n"
        "LLR 0.04 (-2.94, 2.94) for 0 and 5 nElo: not decided\n"
        "\n"
        "8 games, 4 plies and 2.5 s each; ended by rules 8\n"
    )


def test_without_games_every_line_is_there() -> None:
    text = text_report(summary("AB", [], Sprt(0, 5)))
    assert "A against B: +0 =0 -0, 0 of 0, 0.0 % drawn" in text
    assert "Elo +0.0 ± ?, nElo +0.0 ± ?, LOS 50.0 %" in text
    assert "LLR 0.00 (-2.94, 2.94) for 0 and 5 nElo: not decided" in text
    assert text.endswith("0 games\n")


def test_nothing_but_wins_is_told_as_infinite() -> None:
    assert "Elo +inf ± ?, nElo +inf ± ?, LOS 87.5 %" in text_report(summary("AB", match([2, 2, 2, 2])))


def test_points_are_written_as_the_game_scores() -> None:
    games = match([2, 1])
    assert "1  A            3 " in text_report(summary("AB", games, halves_a_win=2))
    assert "1  A          1.5 " in text_report(summary("AB", games, halves_a_win=1))


def three() -> list[tuple[Key, Record]]:
    games = []
    for board, (one, other) in enumerate(("AB", "AC", "BC")):
        games.append((Key(0, board, 0), record(one, other, 2)))
        games.append((Key(0, board, 1), record(other, one, 1)))
    return games


def test_several_players_have_a_cross_table_in_the_order_of_the_standings() -> None:
    text = text_report(summary("CBA", three()))
    assert "     1    2    3\n1  A    x  3/2  3/2\n2  B  1/2    x  3/2\n3  C  1/2  1/2    x\n" in text


def test_what_engines_have_done_wrong_is_told() -> None:
    late = Incident(3, Side.WHITE, "overrun", "late", late=0.25)
    wrong = Incident(3, Side.BLACK, "irregularity", "5.4.6: why", "5.4.6")
    crash = Ending(EndingKind.CRASH, Side.BLACK, "it has ended")
    games = match([2, 1])
    games[0] = (games[0][0], replace(games[0][1], incidents=(late, late, wrong), ending=crash))
    text = text_report(summary("AB", games))
    assert "A has lost by crash 1" in text
    assert "A has been late with 2 moves, by 0.250 s at most" in text
    assert "B has made 1 irregular moves" in text
    assert "ended by rules 1, crash 1" in text


def test_data_is_valid_json_without_numbers_that_json_does_not_know() -> None:
    games = match([2, 2, 2, 2])
    data = json.loads(json.dumps(summary("AB", games, Sprt(0, 5)).as_data(games), allow_nan=False))
    assert (data["schema"], data["version"]) == (SCHEMA, SCHEMA_VERSION) == ("turkengine-match", 1)
    assert [standing["name"] for standing in data["standings"]] == ["A", "B"]
    [duel] = data["duels"]
    assert duel["pairs"] == [0, 0, 0, 0, 2]
    assert duel["elo"] == {"value": None, "low": None, "high": None}
    assert duel["sprt"]["accepted"] is None
    assert [game["key"] for game in data["games"]] == ["1.1.1", "1.1.2", "1.1.3", "1.1.4"]
    assert data["games"][0]["points"] == 1.0


class Page(HTMLParser):
    """Sees to it that every element is closed, and collects what refers to something outside."""

    VOID = frozenset({"meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.outside: list[str] = []
        self.drawn = 0
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.outside += [value or "" for name, value in attrs if name in ("src", "href")]
        self.drawn += tag == "svg"
        for name, value in attrs:
            assert "nan" not in (value or "") or name in ("class", "aria-label"), (tag, name, value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize(
    ("names", "games", "plots"),
    [("AB", match([2, 1, 1, 1, 2, 2, 0, 1] * 3), 4), ("AB", [], 0), ("AB", match([2] * 8), 3), ("ABC", three(), 2)],
    ids=["a match", "no games", "nothing but wins", "three players"],
)
def test_the_page_needs_nothing_beside_it(names: str, games: list[tuple[Key, Record]], plots: int) -> None:
    made = summary(names, games, Sprt(0, 5) if len(names) == 2 else None)
    page = Page(html_report(made, [key for key, _ in games], games))
    assert page.outside == []
    assert page.drawn == plots
    assert set(names) <= {word.strip() for word in page.words}


def test_names_cannot_write_into_the_page() -> None:
    games = [(Key(0, 0, 0), record("<b>", "&", 1))]
    faults = Faults()
    made = Summary("<script>", ["<b>", "&"], {}, Results([GameResult(Key(0, 0, 0), "<b>", "&", 1)]), faults)
    text = html_report(made, [Key(0, 0, 0)], games)
    assert "<script>" not in text
    assert "<b>" not in text
    Page(text)


def test_an_estimate_is_written_with_its_error() -> None:
    assert signed(Estimate(3.05, 0.74, 5.36)) == "+3.0 ± 2.3"
    assert signed(Estimate(-12.0, -math.inf, math.inf)) == "-12.0 ± ?"
    assert signed(Estimate(-math.inf, -math.inf, math.inf)) == "-inf ± ?"


def test_the_test_says_its_scale_and_its_verdict() -> None:
    known = Pairs((379, 10170, 21828, 10640, 343))
    assert sprt_line(Sprt(0, 2), known) == "LLR 2.95 (-2.94, 2.94) for 0 and 2 nElo: H1 accepted"
    assert sprt_line(Sprt(0, 2, scale=EloModel.LOGISTIC), known).endswith("for 0 and 2 Elo: H1 accepted")


def test_columns_are_aligned() -> None:
    assert aligned([["", "name", "n"], ["1", "x", "100"]], left=(1,)) == ["   name    n", "1  x     100"]
