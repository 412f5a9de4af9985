"""Games that repeat each other: recognised whatever comes between, kept, and no evidence."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from match.scripted import Scripted, at_random
from match.test_report import summary
from match.test_runner import Heard, contest
from record.test_scoresheet import PLAYED

from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.match.html import html_report
from turkengine.match.knockout import Knockout
from turkengine.match.openings import BY_CHANCE, Listed, from_file, from_start, named
from turkengine.match.repeats import course_of, result_of, warning
from turkengine.match.report import text_report
from turkengine.match.runner import End, Runner
from turkengine.match.schedule import GameResult, Key, Pairing, Results, RoundRobin
from turkengine.match.sprt import Sprt
from turkengine.match.statistics import Games, Pairs
from turkengine.match.store import MatchStore
from turkengine.match.swiss import Swiss
from turkengine.record.record import Ending, EndingKind, Played, Record
from turkengine.rules.variant import Side

ONE, OTHER = b"one", b"other"


def game(number: int, halves: int, course: bytes, board: int = 0) -> GameResult:
    """A game of A and B by A's half points, colours in turn."""
    white, black = ("A", "B") if number % 2 == 0 else ("B", "A")
    return GameResult(Key(0, board, number), white, black, halves if white == "A" else 2 - halves, course)


def line(*texts: str, book: int = 0, **changes: object) -> Record:
    moves = tuple(
        Played(Side.WHITE if ply % 2 == 0 else Side.BLACK, text, book=ply < book, seconds=ply / 3)
        for ply, text in enumerate(texts)
    )
    return replace(PLAYED, moves=moves, fen="", **changes)  # type: ignore[arg-type]


def test_a_game_that_repeats_another_is_a_result_and_does_not_count() -> None:
    results = Results([game(0, 2, ONE), game(1, 1, ONE), game(2, 2, ONE), game(3, 1, ONE)])
    assert len(results) == 4
    assert results.games("A", "B") == Games(won=1, drawn=1)
    assert results.pairs("A", "B") == Pairs((0, 0, 0, 1, 0))
    assert results.pairs("B", "A") == Pairs((0, 1, 0, 0, 0))
    assert [results.repeated(Key(0, 0, number)) for number in range(4)] == [None, None, Key(0, 0, 0), Key(0, 0, 1)]
    assert [result.key.game for result in results.repeats()] == [2, 3]


def test_a_pair_counts_where_both_of_its_games_do() -> None:
    results = Results([game(0, 2, ONE), game(1, 1, ONE), game(2, 2, ONE), game(3, 0, OTHER)])
    assert results.games("A", "B") == Games(won=1, drawn=1, lost=1)
    assert results.pairs("A", "B") == Pairs((0, 0, 0, 1, 0))


def test_what_counts_does_not_depend_on_the_order_in_which_games_end() -> None:
    games = [game(0, 2, ONE), game(1, 1, OTHER), game(2, 2, ONE), game(3, 0, ONE)]
    for order in itertools.permutations(games):
        results = Results(order)
        assert results.games("A", "B") == Games(won=1, drawn=1, lost=1)
        assert results.pairs("A", "B") == Pairs((0, 0, 0, 1, 0))
        assert [result.key.game for result in results.repeats()] == [2]


def test_the_same_moves_of_others_or_with_exchanged_colours_are_no_repetition() -> None:
    other = GameResult(Key(0, 1, 0), "A", "C", 2, ONE)
    results = Results([game(0, 1, ONE), game(1, 1, ONE), other])
    assert results.repeats() == []
    assert results.pairs("A", "B") == Pairs((0, 0, 1, 0, 0))


def test_the_course_is_the_position_of_the_opening_and_every_move_from_there() -> None:
    played = line("32-28", "19-23", "28x19", book=2)
    assert course_of(played) == course_of(line("32-28", "19-23", "28x19", book=2, seconds=9.0, began="another day"))
    assert course_of(played) != course_of(line("32-28", "19-23", "28x19", book=0))
    assert course_of(played) != course_of(line("32-28", "19-24", "28x19", book=2))
    assert course_of(played) != course_of(line("32-28", "19-23", "28x19", "14x23", book=2))
    assert course_of(played) != course_of(line("32-28", "19-23", "28x19", book=2, opening="", ending=LOST))
    assert course_of(played) != course_of(replace(played, fen="W:W32,K5:B19"))


LOST = Ending(EndingKind.TIME, Side.BLACK, "White is out of time")


def test_an_opening_is_the_same_whatever_the_order_of_its_moves() -> None:
    one = line("32-28", "19-23", "31-26", "18-22", "37-32", book=4)
    assert course_of(one) == course_of(line("31-26", "18-22", "32-28", "19-23", "37-32", book=4))
    assert course_of(one) != course_of(line("31-26", "18-22", "32-28", "19-24", "37-32", book=4))
    taken = line("32-28", "19-23", "28x19", "14x23", "37-32", book=4)
    assert course_of(taken) != course_of(line("32-28", "19-23", "28x19", "13x24", "37-32", book=4))


def thinking(name: str) -> Scripted:
    """Plays by chance, and the same in every game."""

    class Thinker(Scripted):
        def new_game(self) -> None:
            super().new_game()
            self.choose = at_random(7)

    return Thinker(name=name)


def test_a_sequential_test_is_not_decided_by_one_pair_played_over_and_over(tmp_path: Path) -> None:
    def make(name: str) -> Scripted:
        return Scripted([None] * 1000 if name == "B" else (), name)

    played = contest(RoundRobin("AB", 50), make=make, sprt=Sprt(0, 100), concurrency=3)
    with MatchStore(tmp_path / "m.db") as store:
        runner = Runner(played, store, Heard())
        assert runner.run() is End.PLAYED
        assert runner.results.pairs("A", "B") == Pairs((0, 0, 0, 0, 1))
    with MatchStore(tmp_path / "m.db") as store:  # and none of that is forgotten
        assert store.results().pairs("A", "B") == Pairs((0, 0, 0, 0, 1))
        assert len(store.results().repeats()) == 98


def test_a_match_that_goes_on_knows_the_games_before(tmp_path: Path) -> None:
    for pairs in (1, 3):
        with MatchStore(tmp_path / "m.db") as store:
            Runner(contest(RoundRobin("AB", pairs), make=thinking), store, Heard()).run()
            assert len(store.results()) == 2 * pairs
            assert store.results().pairs("A", "B").total == 1


def test_every_report_says_what_repeats() -> None:
    games = [(Key(0, 0, number), replace(PLAYED, **dict(zip(("white", "black"), two, strict=True))))
             for number, two in enumerate(["AB", "BA", "BA", "AB"])]  # fmt: skip
    made = summary("AB", games)
    made = replace(made, results=Results(itertools.starmap(result_of, games)))
    text = text_report(made)
    assert "of 2, " in text
    assert "2 of them repeat an earlier game and do not count; more openings would help" in text
    data = made.as_data(games)
    assert data["repeated"] == data["duels"][0]["repeated"] == data["standings"][0]["repeated"] == 2
    assert sum(data["duels"][0]["pairs"]) == 1
    assert [one["repeats"] for one in data["games"]] == [None, None, "1.1.2", "1.1.1"]
    page = html_report(made, [key for key, _ in games], games)
    assert "repeats game 1.1.2 and does not count" in page
    assert "2 of them repeat an earlier game" in page


def test_a_knockout_and_a_swiss_tournament_need_a_result_of_repeated_games() -> None:
    for schedule in (Knockout("AB", 2), Swiss("AB", 2, 1)):
        results = Results()
        for pairing in schedule.pairings(results):
            for key in pairing.keys:
                results.add(_won_by_a(pairing, key))
        assert results.halves(schedule.pairings(results), "A") == 8
        assert results.games("A", "B").won == 2
        assert schedule.repeats_score
        assert {pairing.pair for pairing in schedule.pairings(results)} == {0, 1}, "no tie-break is needed"


def _won_by_a(pairing: Pairing, key: Key) -> GameResult:
    white, black = pairing.players(key)
    return GameResult(key, white, black, 2 if white == "A" else 0, ONE)


@pytest.fixture
def of_three(tmp_path: Path) -> Listed:
    (tmp_path / "three.fen").write_text("W:Wa3,e3:Bh6,g6\nW:Wb3,e3:Bh6,g6\nW:Wc3,e3:Bh6,g6\n")
    return from_file(tmp_path / "three.fen", TURKISH, 8, 1)


def test_too_few_openings_are_said_before(of_three: Listed) -> None:
    assert warning(of_three, 3) == ""
    assert warning(of_three, 4).startswith("warning: there are about 3 different openings for 4 pairs of games; a game")
    assert warning(from_start(INTERNATIONAL), 1) == ""
    assert warning(from_start(INTERNATIONAL), 50).startswith("warning: there is 1 opening for 50 pairs of games")


@pytest.mark.parametrize(
    ("plies", "pairs", "enough"), [(0, 1, True), (0, 2, False), (1, 9, False), (4, 50, True), (4, 5000, False)]
)
def test_lines_by_chance_that_are_too_short_to_differ_are_said_before(plies: int, pairs: int, enough: bool) -> None:
    openings = named(BY_CHANCE, INTERNATIONAL, plies, 40, 1)
    assert (warning(openings, pairs) == "") is enough
    assert warning(named(BY_CHANCE, INTERNATIONAL, 8, 40, 1), 10**6) == ""
