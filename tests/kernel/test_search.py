"""How a search ends and what it tells: limits, lines, and the promise that it can be repeated.

Some tests drive the kernel's own `Searcher`, the others the engine that everybody uses.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from engine.listening import Listener
from kernel import positions
from kernel.searching import WIN, Line, answer, iterations, played, search, searcher
from rules.strategies import every_variant

from turkengine import kernel
from turkengine.engine.core import EngineCore
from turkengine.engine.kernel_types import RawReport
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Bound
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, VARIANTS
from turkengine.rules.variant import Variant

KINGS_AGAINST_A_MAN = "W:WK2,K3,K4,K5,K6,K12,K15,K16,K25,K26,K35,K36,K45,K46,K47,K48,K49,K50:B1"


# Lines


@every_variant
@pytest.mark.parametrize("threads", [1, 2])
def test_every_line_is_legal_move_by_move(variant: Variant, threads: int) -> None:
    for seed in range(6):
        position = positions.middle_game(variant, seed, plies=10 * seed)
        for line in search(position, depth=8, multi_pv=3, threads=threads):
            assert line.moves
            assert len(list(played(position, line.moves))) == len(line.moves)


@every_variant
def test_each_iteration_tells_every_line_once_best_first(variant: Variant) -> None:
    position = positions.middle_game(variant, seed=11)
    number = min(5, len(position.legal_moves()))
    assert number > 1
    lines = [line for line in search(position, depth=7, multi_pv=5) if line.bound == 0]
    for depth in range(1, 8):
        iteration = [line for line in lines if line.depth == depth]
        assert [line.rank for line in iteration] == list(range(1, number + 1))
        assert len({line.moves[0] for line in iteration}) == number
        assert [line.score for line in iteration] == sorted((line.score for line in iteration), reverse=True)


def test_more_lines_than_moves_are_as_many_as_the_moves() -> None:
    lines = search(positions.read(INTERNATIONAL, KINGS_AGAINST_A_MAN), depth=1, multi_pv=500)
    assert [line.rank for line in lines] == list(range(1, 124))
    assert len({line.moves[0] for line in lines}) == 123


def test_lines_are_told_no_longer_than_there_is_time_but_the_best_always() -> None:
    position = positions.read(TURKISH, "W:WKa1,Kb2,Kc1,Kd2,Ke1,Kf2:BKh8,Kg8,h4")
    by = searcher(position)
    told: list[RawReport] = []

    def listen(fields: tuple[Any, ...]) -> None:
        told.append(RawReport(*fields))
        if told[-1].depth == 3 and told[-1].rank == 2:
            by.deadline = 0.0

    by.prepare()
    by.run(position, multi_pv=500, on_report=listen)
    assert len([report for report in told if report.depth == 2]) == len(position.legal_moves()) > 40
    assert [report.rank for report in told if report.depth == 3] == [1, 2]
    told.clear()
    by.prepare()
    by.deadline = 0.0
    by.run(position, multi_pv=500, on_report=listen)
    assert (told[0].depth, told[0].rank) == (1, 1)


@every_variant
def test_only_the_root_moves_are_searched(variant: Variant) -> None:
    position = positions.start(variant)
    wanted = tuple(position.legal_moves()[2:4])
    lines = search(position, depth=6, multi_pv=8, root_moves=wanted)
    assert {line.moves[0] for line in lines} == set(wanted)
    assert {line.rank for line in lines} == {1, 2}


def test_root_moves_are_told_apart_by_what_they_capture() -> None:
    position = positions.read(INTERNATIONAL, "W:WK4:B13,20,32,37")
    for move in position.legal_moves():
        assert {line.moves[0] for line in search(position, depth=4, root_moves=(move,))} == {move}


def test_a_single_legal_move_is_searched_where_a_depth_is_asked_for() -> None:
    position = positions.read(INTERNATIONAL, "W:W28,48:B12,22,1,2,3")
    lines = search(position, depth=6)
    assert {line.moves[0] for line in lines} == set(position.legal_moves())
    assert lines[-1].depth == 6
    assert len(lines[-1].moves) > 1


def test_a_single_legal_move_is_played_at_once_where_time_is_given() -> None:
    with EngineCore(Options(INTERNATIONAL, hash=1)) as engine:
        position = positions.read(INTERNATIONAL, "W:W28,48:B12,22,1,2,3")
        listener, seconds = answer(engine, position, Limits(move_time=5.0))
    assert seconds < 0.5
    assert listener.answer is not None
    assert listener.answer.move == position.legal_moves()[0]
    assert listener.reports[-1].line[0] == listener.answer.move


@every_variant
def test_the_answer_is_the_first_move_of_the_last_exact_line(variant: Variant) -> None:
    with EngineCore(Options(variant, hash=1, threads=2, multi_pv=2)) as engine:
        for seed in range(5):
            position = positions.middle_game(variant, seed)
            listener, _ = answer(engine, position, Limits(nodes=20_000))
            best = [report for report in listener.reports if report.rank == 1 and report.bound is Bound.EXACT][-1]
            assert listener.answer is not None
            assert listener.answer.move == best.line[0]
            if listener.answer.ponder is not None:
                assert listener.answer.ponder in position.play(best.line[0]).legal_moves()


def test_a_game_that_is_over_is_not_searched() -> None:
    assert search(positions.read(TURKISH, "W:Wd4:Bd6"), depth=8) == []
    assert search(positions.read(INTERNATIONAL, "W:W6:B1"), depth=8) == []


# Limits


@pytest.mark.parametrize("depth", [1, 2, 7])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_depth_limit_is_the_last_iteration(depth: int, threads: int) -> None:
    lines = search(positions.start(CRODA), depth=depth, threads=threads)
    assert [line.depth for line in lines if line.bound == 0][-1] == depth
    assert {line.depth for line in lines} == set(range(1, depth + 1))


@every_variant
def test_a_node_limit_is_met_to_the_node_by_one_thread(variant: Variant) -> None:
    position = positions.middle_game(variant, seed=5)
    free = iterations(search(position, depth=9))
    for reached in (free[4][2], free[6][2]):
        limited = iterations(search(position, nodes=reached + 1))
        assert limited == [line for line in free if line[2] <= reached]
        one_less = [line for line in iterations(search(position, nodes=reached)) if line[0] < len(limited)]
        assert one_less == limited[:-1]


@pytest.mark.parametrize("nodes", [1, 2, 100])
def test_a_few_nodes_are_enough_for_an_answer(nodes: int) -> None:
    with EngineCore(Options(TURKISH, hash=1)) as engine:
        listener, _ = answer(engine, engine.position(), Limits(nodes=nodes))
    assert listener.answer is not None
    assert listener.answer.move in positions.start(TURKISH).legal_moves()
    assert all(report.nodes <= nodes for report in listener.reports)


def test_a_mate_limit_ends_the_search_at_a_win_as_short_as_asked_for() -> None:
    position = positions.read(TURKISH, "W:WKa1,Kb1:BKh8")  # won in five moves
    short, long = search(position, mate=3, depth=9), search(position, mate=9)
    assert short[-1].depth == 9
    assert long[-1].score >= WIN - 17
    assert all(line.score < WIN - 17 for line in long[:-1])


def test_a_search_ends_by_itself_where_deeper_ones_can_find_nothing_new() -> None:
    lines = search(positions.read(TURKISH, "B:WKd4:BKd8"))
    assert (lines[-1].depth, lines[-1].score) == (2, WIN - 1), "the second iteration says the same as the first"


@every_variant
def test_a_move_time_is_kept(variant: Variant) -> None:
    with EngineCore(Options(variant, hash=1)) as engine:
        _, seconds = answer(engine, positions.middle_game(variant, seed=5), Limits(move_time=0.1))
    assert 0.05 < seconds < 0.5


# Stopping


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_is_answered_within_fifty_milliseconds(threads: int) -> None:
    waits = []
    with EngineCore(Options(INTERNATIONAL, hash=1, threads=threads)) as engine:
        position = positions.middle_game(INTERNATIONAL, seed=5)
        for _ in range(15):
            listener = Listener()
            engine.start(position, Limits(infinite=True), listener.on_report, listener.on_answer)
            assert listener.reported.wait(10)
            assert not listener.ended.is_set()
            stopped = time.perf_counter()
            engine.stop()
            assert listener.ended.wait(10)
            assert engine.wait(10)
            assert listener.answer is not None
            assert listener.answer.move in position.legal_moves()
            waits.append(listener.answered - stopped)
    assert statistics.median(waits) < 0.05


@pytest.mark.parametrize(
    "end", [lambda by: by.stop(), lambda by: setattr(by, "deadline", 0.0)], ids=["stop", "deadline"]
)
def test_an_end_that_comes_before_the_search_has_begun_ends_it(end: Callable[[Any], None]) -> None:
    position = positions.start(TURKISH)
    by = searcher(position)
    reports: list[object] = []
    by.prepare()
    end(by)
    began = time.perf_counter()
    by.run(position, on_report=reports.append)
    assert time.perf_counter() - began < 0.5
    assert len(reports) <= 1
    assert search(position, by, depth=3)[-1].depth == 3  # and is forgotten for the next one


def test_a_deadline_can_be_moved_while_the_search_is_on() -> None:
    position = positions.start(TURKISH)
    by = searcher(position)

    def shorten(report: Any) -> None:
        by.deadline = time.perf_counter() + 0.02

    by.prepare()
    by.deadline = time.perf_counter() + 60
    began = time.perf_counter()
    by.run(position, on_report=shorten)
    assert time.perf_counter() - began < 5


def test_the_root_move_being_searched_can_be_asked_for_from_outside() -> None:
    with EngineCore(Options(CRODA, hash=1)) as engine:
        listener = Listener()
        assert engine.current_move() is None
        position = engine.position()
        engine.start(position, Limits(infinite=True), listener.on_report, listener.on_answer)
        assert listener.reported.wait(10)
        current = engine.current_move()
        engine.stop()
        assert engine.wait(10)
        assert engine.current_move() is None
    assert current is not None
    move, number = current
    assert move in position.legal_moves()
    assert 1 <= number <= len(position.legal_moves())


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_listener_raises_ends_the_search_and_comes_out_of_it(threads: int) -> None:
    position = positions.start(TURKISH)
    by = searcher(position)

    def fail(report: object) -> None:
        raise ZeroDivisionError("in the listener")

    by.prepare()
    with pytest.raises(ZeroDivisionError, match="in the listener"):
        by.run(position, threads=threads, on_report=fail)
    assert search(position, by, depth=3)[-1].depth == 3


# The same again


@every_variant
def test_one_thread_searches_the_same_nodes_twice_once_everything_is_forgotten(variant: Variant) -> None:
    position = positions.middle_game(variant, seed=7)
    module = kernel.load(variant)
    table = module.Table(1)
    by = module.Searcher(table)
    first = iterations(search(position, by, depth=9))
    search(positions.middle_game(variant, seed=8), by, depth=7)
    table.clear()
    by.new_game()
    assert iterations(search(position, by, depth=9)) == first
    assert iterations(search(position, depth=9)) == first


def test_a_slow_search_tells_more_than_a_quick_one_and_searches_the_same() -> None:
    position = positions.middle_game(INTERNATIONAL, seed=7)
    quick, slow = search(position, depth=9), list[Line]()
    by = searcher(position)

    def dawdle(fields: tuple[Any, ...]) -> None:
        slow.append(Line(*fields))
        if len(slow) == 1:
            time.sleep(1)

    by.prepare()
    by.run(position, depth=9, on_report=dawdle)
    assert {line.bound for line in slow} == {0, 1, 2}, "after a second, scores outside of their windows are told too"
    assert iterations(slow) == iterations(quick)


# Memory that is handed out is filled with this byte, and so is what has been given back.
@pytest.mark.parametrize("filling", ["0", "90", "165", "255"])
def test_what_memory_held_before_does_not_matter(filling: str) -> None:
    program = (
        "import zlib; from kernel import positions; from kernel.searching import iterations, search;"
        "from turkengine.games import VARIANTS;"
        "print([zlib.crc32(repr(iterations(search(positions.middle_game(variant, seed=7), depth=8))).encode())"
        " for variant in VARIANTS])"
    )
    paths = os.pathsep.join(sys.path)
    environment = {**os.environ, "PYTHONPATH": paths, "MALLOC_PERTURB_": filling, "PYTHONMALLOC": "malloc"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    here = [
        zlib.crc32(repr(iterations(search(positions.middle_game(variant, seed=7), depth=8))).encode())
        for variant in VARIANTS
    ]
    assert done.stdout.strip() == str(here)


def test_a_search_remembers_what_the_one_before_has_found() -> None:
    position = positions.middle_game(TURKISH, seed=7)
    by = searcher(position)
    first = search(position, by, depth=10)[-1].nodes
    assert search(position, by, depth=10)[-1].nodes < first / 2


def test_a_game_that_has_repeated_itself_for_two_thousand_plies_still_gets_a_move_and_its_true_score() -> None:
    position = positions.repeat(positions.read(CRODA, "W:WKa1,a3:BKh8,h6"), "a1-a2 h8-g8 a2-a1 g8-h8", times=500)
    assert position.occurrences == 501
    with EngineCore(Options(CRODA, hash=1)) as engine:
        listener, _ = answer(engine, position, Limits(depth=5))
    assert listener.answer is not None
    assert listener.answer.move in position.legal_moves()
    assert listener.reports[-1].score.hundredths == 0


def test_the_history_of_a_game_is_searched_with_it_every_time() -> None:
    position = positions.read(CRODA, "W:WKa1,a3,b3,c3,d3:BKh8", "a1-a2 h8-h7 a2-a1 h7-h8 a1-a2 h8-h7 a2-a1")
    by = searcher(position)
    for _ in range(20):
        assert search(position, by, depth=4)[-1].score == 0  # Black repeats the position for the third time


@pytest.mark.parametrize("other", [{"contempt": -300}, {"no_progress": 6}], ids=str)
def test_what_other_rules_or_another_side_have_left_in_the_table_is_not_believed(other: dict[str, int]) -> None:
    position = positions.read(TURKISH, "W:WKa1,Ka2,b3:BKh8,Kh7")
    module = kernel.load(TURKISH)
    table = module.Table(1)
    fresh = search(position, depth=9, contempt=300)
    search(position, module.Searcher(table), depth=9, **other)
    again = search(position, module.Searcher(table), depth=9, contempt=300)
    assert [(line.depth, line.score) for line in again] == [(line.depth, line.score) for line in fresh]


@pytest.mark.parametrize(
    ("variant", "fen"),
    [(TURKISH, "W:WKa1,Kb1:BKe5:H99"), (TURKISH, "W:WKa1,Ka2:BKh8,Kh7:H99"), (INTERNATIONAL, "W:WK46,K47:BK5:H9")],
)
def test_a_draw_by_count_is_seen_at_the_horizon_too(variant: Variant, fen: str) -> None:
    reports = search(positions.read(variant, fen), depth=1, multi_pv=500)
    assert {report.score for report in reports if not report.moves[0].is_capture} == {0}
