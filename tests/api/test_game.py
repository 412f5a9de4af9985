"""Games as trees, made by hand and read from files."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from turkengine import Game, IllegalMoveError, Move, Node, PdnError, read_games

DATA = Path(__file__).resolve().parents[1] / "data" / "pdn"

FULL = """[Event "A game"]
[White "Anna"]
[GameType "20"]
[Result "2-0"]

{before all} 1. 32-28 $1 {good} 19-23 2. 28x19 14x23 (2... 13x24 {the other way} 3. 37-32 (3. 38-32) 24-29)
({instead} 2... 13x24) 3. 37-32 2-0
"""


def test_a_game_grows_move_by_move() -> None:
    game = Game(tags={"White": "Anna"})
    node = game.add("32-28", comment="a usual beginning", nags=[1])
    node.add_line(["19-23", "28x19"])
    node.add("18-22", comment="another way")
    assert [found.text for found in game.mainline()] == ["32-28", "19-23", "28x19"]
    assert [found.text for found in node.variations] == ["18-22"]
    assert game.moves[0] == Move(31, 27)
    assert game.end.ply == 3
    assert game.end.position.fen() == "B:W19,31,33-50:B1-18,20"
    assert str(game) == (
        '[White "Anna"]\n[Result "*"]\n[GameType "20,W,10,10,N2,0"]\n\n'
        "1. 32-28! {a usual beginning} 19-23 (1... 18-22 {another way}) 2. 28x19 *\n\n"
    )


def test_a_variation_can_become_the_main_line_and_leave() -> None:
    game = Game()
    game.add("32-28")
    other = game.add("31-27")
    other.promote()
    assert [node.text for node in game.children] == ["31-27", "32-28"]
    other.remove()
    assert [node.text for node in game.children] == ["32-28"]
    assert other.parent is None


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        Game().add("31-22")


def test_a_text_becomes_a_tree() -> None:
    game = Game.read(FULL)
    assert game.tags["White"] == "Anna"
    assert game.comments == ["before all"]
    first, *_, last = game.mainline()
    assert (first.nags, first.comment) == ([1], "good")
    assert last.text == "37-32"
    third = next(node for node in game.mainline() if node.text == "28x19")
    assert [node.text for node in third.children] == ["14x23", "13x24", "13x24"]
    assert third.children[1].comment == "the other way"
    assert third.children[2].lead == ["instead"]
    assert [node.text for node in third.children[1].mainline()] == ["37-32", "24-29"]
    assert [node.text for node in third.children[1].children] == ["37-32", "38-32"]
    assert game.result == "2-0"
    assert len(list(game.walk())) == 11


def test_what_is_written_reads_back_as_the_same_tree() -> None:
    game = Game.read(FULL)
    again = Game.read(str(game))
    assert str(again) == str(game)
    assert [node.text for node in again.walk()] == [node.text for node in game.walk()]


def test_moves_that_cannot_be_played_are_kept_and_told() -> None:
    text = '[GameType "20"]\n\n1. 32-28 19-23\n2. 99-98 {why} 1-2 *\n'
    game = Game.read(text)
    assert [node.text for node in game.mainline()] == ["32-28", "19-23"]
    assert [ply.text for ply in game.end.unplayed] == ["99-98", "1-2"]
    (fault,) = game.faults
    assert fault.line == 4
    assert "99" in fault.reason
    assert "2. 99-98 {why} 1-2 *" in str(game)


def test_a_variation_without_a_legal_move_is_kept() -> None:
    game = Game.read('[GameType "20"]\n\n1. 32-28 (1. 99-98 {lost}) 19-23 *')
    assert "1. 32-28 (1. 99-98 {lost}) 19-23 *" in str(game)


def test_a_position_set_up_in_mid_game_is_taken_over() -> None:
    game = Game.read('[GameType "20"]\n\n1. 32-28 /FEN "B:W30:B25"/ 25x34 *')
    assert game.end.position.fen() == "W:W:B34"
    assert game.result == "0-2"
    assert '/FEN "B:W30:B25"/' in str(game)


def test_a_game_that_begins_elsewhere_says_so() -> None:
    game = Game("B:WKa1:Bh5,h6", "turkish")
    game.add("h5-h4")
    assert game.pdn().splitlines() == [
        '[Result "*"]',
        '[GameType "30,W,8,8,A0,0"]',
        '[SetUp "1"]',
        '[FEN "B:WKa1:Bh6,h5"]',
        "",
        "1... h5-h4 *",
        "",
    ]


def test_the_games_of_a_file_come_one_after_another() -> None:
    others: list[tuple[int, str]] = []
    games = list(read_games(DATA / "variants.pdn", on_other=lambda line, what: others.append((line, what))))
    assert [game.variant.name for game in games].count("international") == 3
    assert len(games) == 9
    assert others == [(60, "Canadian draughts")]


def test_ambiguous_moves_are_decided_by_the_rest_of_the_game() -> None:
    games = [game for game in read_games(DATA / "variants.pdn") if "two ways" in game.tags.get("Event", "")]
    assert [node.text for node in games[0].mainline()] == ["4x27x38x15", "46-41"]


def test_a_text_without_a_game_is_an_error() -> None:
    with pytest.raises(PdnError, match="no game"):
        Game.read("")
    assert list(read_games(StringIO(""))) == []


def variations_within_each_other(depth: int) -> Game:
    game = Game("W:WK46:BK3")
    node: Node = game
    for ply in range(depth):
        node.add(("46-37", "3-9", "41-36", "8-2")[ply % 4])
        node = node.add(("46-41", "3-8", "41-46", "8-3")[ply % 4])
    return game


def test_variations_are_written_as_deep_as_they_can_be_read() -> None:
    game = variations_within_each_other(100)
    assert str(Game.read(str(game))) == str(game)


@pytest.mark.parametrize("depth", [101, 150])
def test_variations_that_nest_too_deeply_to_be_read_are_not_written(depth: int) -> None:
    with pytest.raises(PdnError, match=r"nest more than 100 deep after <Node 100: .*; promote one"):
        variations_within_each_other(depth).pdn()
