"""Games as PDN: what the engines said is read back as it was."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from match.test_store import RECORD

from turkengine.notation import pdn
from turkengine.notation.pdn.annotations import clocks, commands, elapsed, evaluation
from turkengine.record.record import Ending, EndingKind, Played, Record
from turkengine.record.scoresheet import pdn_of
from turkengine.rules.variant import Side

PLAYED = Record(
    variant="international",
    white="New",
    black='Old "one"',
    fen="",
    opening="Roozenburg",
    controls=("1+0.02", "1+0.02"),
    began="2026-11-30T09:18:00",
    seconds=2.5,
    moves=(
        Played(Side.WHITE, "32-28", book=True),
        Played(Side.BLACK, "19-23", seconds=0.0314, clock=0.9886, score=-35, depth=12, nodes=34567),
        Played(Side.WHITE, "28x19", seconds=61.5, clock=-0.25, score=9_993, depth=7),
        Played(Side.BLACK, "14x23", seconds=0.0, clock=3661.0, score=-9_992),
    ),
    incidents=(),
    ending=Ending(EndingKind.TIME, Side.WHITE, "Black is out of time by 0.250 s"),
)


def read(text: str) -> pdn.PdnGame:
    [entry] = pdn.read(StringIO(text))
    assert entry.faults == ()
    return entry.game


def test_tags_say_who_played_what_and_how_it_ended() -> None:
    game = read(pdn_of(PLAYED, "A match", "1.1.3"))
    assert dict(game.tags) == {
        "Event": "A match",
        "Date": "2026.11.30",
        "Round": "1.1.3",
        "White": "New",
        "Black": 'Old "one"',
        "Result": "2-0",
        "GameType": "20,W,10,10,N2,0",
        "Opening": "Roozenburg",
        "TimeControl": "1+0.02",
        "Termination": "time: Black is out of time by 0.250 s",
    }


def test_a_game_that_was_broken_off_has_no_result_and_perhaps_no_place_in_a_match() -> None:
    game = read(pdn_of(replace(PLAYED, ending=Ending(EndingKind.UNFINISHED, None, "broken off")), "At home"))
    assert (game.tag("Result"), game.tag("Round")) == ("*", "-")
    assert game.tag("Termination") == "unfinished: broken off"


def test_moves_replay_and_carry_evaluations_depths_and_clocks() -> None:
    game = read(pdn_of(PLAYED, "A match"))
    replay = pdn.replay(game)
    assert replay.fault is None
    assert len(replay.moves) == 4
    book, first, second, third = game.line.plies
    assert book.comments == ()
    assert evaluation(first).men == 0.35
    assert commands(first)["depth"] == "12"
    assert commands(first)["nodes"] == "34567"
    assert elapsed(first) == 0.031
    assert clocks(first).mover == 0.989
    assert evaluation(second).win_in == 4
    assert elapsed(second) == 61.5
    assert clocks(second).mover == 0.0
    assert evaluation(third).win_in == 4
    assert clocks(third).mover == 3661.0


def test_a_position_set_up_is_told_and_an_irregular_move_that_stood_sets_up_its_own() -> None:
    text = pdn_of(RECORD, "Event")
    game = read(text)
    assert game.fen == "W:WKd4:Bd6"
    assert game.tag("SetUp") == "1"
    assert game.tag("WhiteTimeControl") == "1+0.02"
    assert game.tag("BlackTimeControl") == "depth 5"
    assert pdn.SetUp("B:WKa8:Bd6") in game.line.plies[2].remarks
    assert game.line.comments == ("Black, ply 2: 0.100 s late",)
    assert game.result == "0-1"


def test_a_variant_without_a_number_is_named() -> None:
    game = read(pdn_of(replace(PLAYED, variant="croda", moves=()), "Event"))
    assert game.tag("Variant") == "croda"
    assert game.result == "1-0"
