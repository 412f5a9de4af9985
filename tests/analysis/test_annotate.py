"""Games judged move by move, from what a scripted engine says."""

from __future__ import annotations

import pytest
from analysis.scripted import ScriptedEngine, positions_of

from turkengine.analysis.annotate import judged, seen
from turkengine.analysis.judge import Mark
from turkengine.analysis.judged import JudgedGame
from turkengine.api.limit import Limit
from turkengine.api.position import Position
from turkengine.errors import TurkengineError
from turkengine.rules.variant import Side

START = Position()
AFTER = START.play("32-28")
LIMIT = Limit(nodes=1000)
SHOT = Position("W:W26,27,28,32,37,44:B12,16,17,19,20,34,35")


def record_of(told, start: Position, *moves: str, multipv: int = 1) -> JudgedGame:
    positions = positions_of(start, *moves)
    return judged(ScriptedEngine(told), positions, positions[-1].moves, LIMIT, multipv)


def test_a_move_gets_what_the_searches_on_both_sides_say() -> None:
    told = {START.fen(): ((30, "31-27 19-23"),), AFTER.fen(): ((20, "19-23"),)}
    (move,) = record_of(told, START, "32-28").moves
    assert (move.ply, move.side, move.move, move.fen) == (1, "W", "32-28", "W:W31-50:B1-20")
    assert (move.evaluation, move.men) == ("-0.20", -0.2)
    assert (move.best, move.lines[0].evaluation, move.lines[0].moves) == ("31-27", "0.30", ("31-27", "19-23"))
    assert move.loss == 0.5
    assert (move.depth, move.nodes) == (9, 1000)
    assert move.cost == pytest.approx(0.130, abs=0.005)
    assert move.mark is Mark.MISTAKE
    assert not move.forced


def test_the_best_move_costs_nothing_whatever_is_found_behind_it() -> None:
    told = {START.fen(): ((30, "32-28"),), AFTER.fen(): ((300, "19-23"),)}
    (move,) = record_of(told, START, "32-28").moves
    assert (move.loss, move.cost, move.mark) == (0.0, 0.0, Mark.NONE)
    assert move.evaluation == "-3.00"


def test_a_move_better_than_the_best_one_costs_nothing() -> None:
    told = {START.fen(): ((30, "31-27"),), AFTER.fen(): ((-100, "19-23"),)}
    (move,) = record_of(told, START, "32-28").moves
    assert (move.loss, move.cost) == (0.0, 0.0)


def test_scores_are_told_from_white_whoever_moves() -> None:
    told = {START.fen(): ((10, "32-28"),), AFTER.fen(): ((-10, "19-23"),)}
    record = record_of(told, START, "32-28", "17-22")
    assert record.start == "0.10"
    black = record.moves[1]
    assert black.side == "B"
    assert black.lines[0].evaluation == "0.10"
    assert black.evaluation == "0.00"
    assert black.chances.win == pytest.approx(black.chances.loss)


def test_a_win_is_told_in_moves() -> None:
    won = Position("W:W28,32,46:B23,5")
    told = {won.fen(): ((9997, "28x19"),)}
    (move,) = record_of(told, won, "28x19").moves
    assert move.forced
    assert move.lines[0].evaluation == "#2"


def test_a_forced_move_is_called_so_and_has_no_mark() -> None:
    start = Position("W:W28,32:B23,5")
    told = {start.fen(): ((500, "28x19"),)}
    (move,) = record_of(told, start, "28x19").moves
    assert move.forced
    assert move.mark is Mark.NONE


def test_a_shot_that_is_played_is_praised_once() -> None:
    told = {SHOT.fen(): ((200, "28-22 17x28 32x25"),)}
    after = SHOT.play_line(["28-22", "17x28"])
    told[after.fen()] = ((200, "32x25"),)
    first, second, third = record_of(told, SHOT, "28-22", "17x28", "32x25").moves
    assert first.mark is Mark.GOOD
    assert first.shot is not None
    assert first.remark == "shot 1 for 3"
    assert first.is_critical
    assert (second.shot, third.shot) == (None, None)
    assert third.mark is Mark.NONE


def test_a_shot_that_is_missed_is_named() -> None:
    told = {SHOT.fen(): ((200, "28-22 17x28 32x25"),), SHOT.play("44-40").fen(): ((50, "35x44"),)}
    (move,) = record_of(told, SHOT, "44-40").moves
    assert move.mark is Mark.BLUNDER
    assert move.missed_shot is not None
    assert move.missed_win
    assert move.remark == "missed win; missed shot 1 for 3: 28-22 17x28 32x25"


def test_the_only_good_move_of_several_lines_is_praised() -> None:
    told = {START.fen(): ((0, "32-28"), (-100, "31-27"))}
    assert record_of(told, START, "32-28", multipv=2).moves[0].mark is Mark.GOOD
    told = {START.fen(): ((0, "32-28"), (-10, "31-27"))}
    assert record_of(told, START, "32-28", multipv=2).moves[0].mark is Mark.NONE
    assert len(record_of(told, START, "32-28", multipv=2).moves[0].lines) == 2


def test_the_end_of_a_game_is_known_without_a_search() -> None:
    start = Position("W:W28:B23")
    engine = ScriptedEngine({start.fen(): ((9999, "28x19"),)})
    positions = positions_of(start, "28x19")
    record = judged(engine, positions, positions[-1].moves, LIMIT)
    assert engine.asked == [start.fen()]
    assert record.moves[0].evaluation == "#0"
    assert record.moves[0].chances.win == 1.0


def test_a_drawn_end_is_certain_and_what_is_played_behind_it_costs_nothing() -> None:
    over = Position("B:WKf1:Bh8", "turkish")  # one piece each
    positions = positions_of(over, "h8-h7", "f1-h1")
    record = judged(ScriptedEngine({}), positions, positions[-1].moves, LIMIT)
    first = record.moves[0]
    assert (first.chances.draw, first.cost, first.lines, first.best) == (1.0, 0.0, (), "")


def test_positions_are_searched_from_the_last_to_the_first_in_one_game_of_the_engine() -> None:
    engine = ScriptedEngine({})
    positions = positions_of(START, "32-28", "19-23")
    counted: list[int] = []
    judged(engine, positions, positions[-1].moves, LIMIT, on_position=lambda: counted.append(1))
    judged(engine, positions, positions[-1].moves, LIMIT)
    assert engine.asked[:3] == [position.fen() for position in reversed(positions)]
    assert len(counted) == 3
    assert len(engine.games) == 2


def test_a_position_set_up_in_mid_game_does_not_make_the_move_before_it_bad() -> None:
    positions = [START, Position("B:W30:B25")]
    told = {START.fen(): ((0, "31-27"),), AFTER.fen(): ((0, "19-23"),), positions[1].fen(): ((9999, "25x34"),)}
    (move,) = judged(ScriptedEngine(told), positions, AFTER.moves, LIMIT).moves
    assert move.cost == 0.0


def test_a_failure_of_the_engine_is_passed_on() -> None:
    with pytest.raises(TurkengineError, match="enough"):
        seen(ScriptedEngine({}, fails_at=START.fen()), START, LIMIT)


def test_a_record_survives_json() -> None:
    told = {SHOT.fen(): ((200, "28-22 17x28 32x25"),), SHOT.play("44-40").fen(): ((50, "35x44"),)}
    record = record_of(told, SHOT, "44-40", "35x44")
    assert JudgedGame.from_data(record.as_data()) == JudgedGame.from_data(
        JudgedGame.from_data(record.as_data()).as_data()
    )
    summary = record.summary(Side.WHITE)
    assert (summary.moves, summary.forced, summary.missed_wins, summary.missed_shots) == (1, 0, 1, 1)
    assert summary.count(Mark.BLUNDER) == 1
    assert summary.accuracy is not None
    assert summary.accuracy < 30
    assert record.summary(Side.BLACK).accuracy == 100
