"""The engine's promises: it never waits, answers once, and keeps the rules of the answer. The search is pretended."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import NoReturn

import pytest
from engine import fakes
from engine.listening import Listener, begin, board, search

from turkengine.engine.core import EngineCore
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Answer, Bound
from turkengine.engine.score import WIN
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.rules.variant import Side, Variant


class TestSearching:
    def test_returns_at_once_and_answers_in_another_thread(self, engine: EngineCore, listener: Listener) -> None:
        begin(engine, listener, Limits(move_time=0.2))
        assert engine.busy
        assert not listener.answers
        assert engine.wait(5)
        assert not engine.busy
        assert listener.thread == "turkengine search"

    def test_answers_with_the_first_move_of_the_last_exact_line_of_rank_one(
        self, engine: EngineCore, listener: Listener
    ) -> None:
        engine.configure(Options(multi_pv=3))
        search(engine, listener, Limits(depth=6))
        assert {report.rank for report in listener.reports} == {1, 2, 3}
        best = [report for report in listener.reports if report.rank == 1][-1]
        assert listener.answers[0].move == best.line[0]
        assert listener.answers[0].ponder == best.line[1]

    @pytest.mark.parametrize(
        "limits",
        [Limits(depth=0), Limits(nodes=0), Limits(nodes=1), Limits(mate=0), Limits(depth=-3), Limits(move_time=0.0)],
        ids=str,
    )
    def test_reports_a_line_before_every_move(self, engine: EngineCore, listener: Listener, limits: Limits) -> None:
        assert search(engine, listener, limits) < 0.05
        assert listener.reports[-1].line[0] == listener.answers[0].move
        assert listener.answers[0].move in engine.position().legal_moves()

    def test_goes_on_with_one_thread_where_there_is_no_memory_for_more_and_says_so(self, listener: Listener) -> None:
        class Greedy(fakes.Searcher):
            def run(self, *arguments: object, threads: int = 1, **named: object) -> None:
                if threads > 1:
                    raise MemoryError("no memory for threads")
                super().run(*arguments, threads=threads, **named)  # type: ignore[arg-type]

        def load(variant: Variant) -> fakes.Kernel:
            kernel = fakes.Kernel(variant)
            kernel.Searcher = Greedy  # type: ignore[method-assign, assignment]
            return kernel

        said: list[Exception] = []
        with EngineCore(Options(threads=2), load, said.append) as engine:
            search(engine, listener, Limits(depth=3))
        assert [report.depth for report in listener.reports] == [1, 2, 3]
        assert [str(error) for error in said] == ["option threads: there is no memory for 2; 1 has searched"]

    def test_keeps_to_the_root_moves(self, kernels: fakes.Kernels, listener: Listener) -> None:
        kernels.settings["pace"] = 10.0
        with EngineCore(load=kernels) as engine:
            wanted = engine.position().legal_moves()[4]
            search(engine, listener, Limits(move_time=0.01, root_moves=(wanted,)))
        assert listener.answers[0].move == wanted

    def test_ends_with_the_first_of_several_limits(self, engine: EngineCore, listener: Listener) -> None:
        search(engine, listener, Limits(depth=3, nodes=10**9, move_time=60.0))
        assert listener.reports[-1].depth == 3

    def test_answers_at_once_where_there_is_no_move(self, engine: EngineCore, listener: Listener) -> None:
        nobody = engine.position(board(INTERNATIONAL, w="6", b="1"), Side.WHITE)
        assert search(engine, listener, Limits(infinite=True, ponder=True), nobody) < 0.05
        assert listener.answers == [Answer(None, None)]
        assert not listener.reports

    @pytest.mark.parametrize(
        ("cells", "score"),
        [
            (board(TURKISH, W="d4", b="a7"), 0),  # one piece each
            (board(TURKISH, w="a2 b2"), WIN),  # nobody left on the other side
        ],
    )
    def test_gives_a_move_and_the_true_score_where_the_game_is_over(
        self, engine: EngineCore, listener: Listener, cells: str, score: int
    ) -> None:
        engine.configure(Options(TURKISH))
        search(engine, listener, Limits(depth=0), engine.position(cells))
        assert listener.answers[0].move is not None
        assert listener.reports[0].score.hundredths == score

    @pytest.mark.parametrize(("black", "plies"), [("22 1", 2), ("23", 1)])
    def test_never_ponders_beyond_the_end_of_the_game(
        self, engine: EngineCore, listener: Listener, black: str, plies: int
    ) -> None:
        """White gives its last man, or takes the last man of Black."""
        position = engine.position(board(INTERNATIONAL, w="33" if plies == 2 else "28", b=black))
        move = position.legal_moves()[0] if plies == 1 else next(m for m in position.legal_moves() if m.target == 27)
        search(engine, listener, Limits(depth=4, root_moves=(move,)), position)
        assert len(listener.reports[-1].line) == plies
        assert listener.answers == [Answer(move, None)]

    def test_follows_the_variant_of_the_position(self, engine: EngineCore, kernels: fakes.Kernels) -> None:
        for variant in (CRODA, INTERNATIONAL, CRODA):
            listener = Listener()
            search(engine, listener, Limits(depth=2), fakes.PositionMaker(variant).start())
            assert listener.answers[0].move is not None
        assert set(kernels.loaded) == {"croda", "international"}

    def test_is_refused_during_another(self, engine: EngineCore, listener: Listener) -> None:
        begin(engine, listener, Limits(infinite=True))
        forbidden: list[Callable[[], object]] = [
            lambda: begin(engine, Listener(), Limits()),
            lambda: engine.configure(Options()),
            engine.new_game,
            engine.clear_table,
            lambda: engine.perft(engine.position(), 1, print),
        ]
        for call in forbidden:
            with pytest.raises(RuntimeError, match="searching"):
                call()
        engine.stop()
        assert engine.wait(1)
        assert len(listener.answers) == 1

    def test_may_be_started_from_the_answer_of_the_one_before(self, engine: EngineCore, listener: Listener) -> None:
        first, position = Listener(), engine.position()

        def again(answer: Answer) -> None:
            first.on_answer(answer)
            engine.start(position, Limits(depth=2), listener.on_report, listener.on_answer)

        engine.start(position, Limits(depth=2), first.on_report, again)
        assert engine.wait(5)
        assert len(first.answers) == len(listener.answers) == 1


class TestStopping:
    def test_usually_brings_the_answer_within_ten_milliseconds(self, engine: EngineCore) -> None:
        taken = []
        for _ in range(20):
            listener = Listener()
            begin(engine, listener, Limits(infinite=True))
            assert listener.reported.wait(1)
            stopped = time.perf_counter()
            engine.stop()
            assert engine.wait(1)
            taken.append(listener.answered - stopped)
        assert median(taken) < 0.01

    def test_is_not_lost_before_the_search_has_begun(self, engine: EngineCore) -> None:
        for _ in range(200):
            listener = Listener()
            begin(engine, listener, Limits(infinite=True))
            engine.stop()
            assert engine.wait(1), "the stop was lost"
            assert len(listener.answers) == 1
            assert listener.reports

    def test_belongs_to_one_search_and_not_to_the_next(self, engine: EngineCore, listener: Listener) -> None:
        engine.stop()
        begin(engine, Listener(), Limits(infinite=True))
        engine.stop()
        engine.stop()
        assert engine.wait(1)
        engine.stop()
        engine.ponder_hit()
        search(engine, listener, Limits(depth=8))
        assert listener.reports[-1].depth == 8

    def test_happens_by_itself_when_the_engine_is_closed(self, kernels: fakes.Kernels, listener: Listener) -> None:
        engine = EngineCore(load=kernels)
        begin(engine, listener, Limits(infinite=True))
        engine.close()
        engine.close()
        assert len(listener.answers) == 1
        with pytest.raises(RuntimeError, match="closed"):
            begin(engine, Listener(), Limits(depth=1), fakes.PositionMaker(INTERNATIONAL).start())


class TestHolding:
    @pytest.mark.parametrize("limits", [Limits(depth=1, infinite=True), Limits(depth=1, ponder=True)], ids=str)
    def test_the_answer_waits_though_the_search_has_ended(
        self, engine: EngineCore, listener: Listener, limits: Limits
    ) -> None:
        begin(engine, listener, limits)
        assert listener.reported.wait(1)
        assert not engine.wait(0.1)
        assert not listener.answers
        engine.stop()
        assert engine.wait(1)
        assert len(listener.answers) == 1

    def test_a_ponder_hit_lets_out_the_answer_of_a_search_that_has_ended(
        self, engine: EngineCore, listener: Listener
    ) -> None:
        begin(engine, listener, Limits(depth=1, ponder=True))
        assert listener.reported.wait(1)
        engine.ponder_hit()
        assert engine.wait(1)

    def test_a_ponder_hit_does_not_end_an_infinite_search(self, engine: EngineCore, listener: Listener) -> None:
        begin(engine, listener, Limits(depth=1, ponder=True, infinite=True))
        engine.ponder_hit()
        assert not engine.wait(0.1)

    def test_a_ponder_hit_starts_the_clock(self, engine: EngineCore, listener: Listener) -> None:
        begin(engine, listener, Limits(move_time=0.1, ponder=True))
        assert not engine.wait(0.2)
        hit = time.perf_counter()
        engine.ponder_hit()
        assert engine.wait(1)
        assert 0.08 < listener.answered - hit < 0.12

    def test_a_ponder_hit_is_not_lost_before_the_search_has_begun(self, engine: EngineCore) -> None:
        for _ in range(100):
            listener = Listener()
            begin(engine, listener, Limits(move_time=0.002, ponder=True))
            engine.ponder_hit()
            assert engine.wait(1), "the ponder-hit was lost"

    def test_ponder_hit_and_stop_together_give_one_answer(self, engine: EngineCore, listener: Listener) -> None:
        begin(engine, listener, Limits(move_time=10.0, ponder=True))
        engine.ponder_hit()
        engine.stop()
        assert engine.wait(1)
        assert len(listener.answers) == 1


class TestTime:
    def test_a_move_time_is_usually_met(self, engine: EngineCore) -> None:
        taken = [search(engine, Listener(), Limits(move_time=0.06)) for _ in range(10)]
        assert min(taken) > 0.05
        assert median(taken) < 0.065

    @pytest.mark.parametrize(
        "limits",
        [
            Limits(clock=GameClock(0.001)),
            Limits(clock=GameClock(-1.0, 1.0)),
            Limits(clock=GameClock(0.05, moves=1)),
            Limits(move_time=0.0),
            Limits(move_time=-5.0),
        ],
        ids=str,
    )
    def test_that_is_up_still_gives_a_move(self, engine: EngineCore, listener: Listener, limits: Limits) -> None:
        assert search(engine, listener, limits) < 0.05
        assert listener.answers[0].move is not None

    @pytest.mark.parametrize("limits", [Limits(clock=GameClock(600.0, 10.0)), Limits(move_time=5.0)], ids=str)
    def test_is_not_spent_on_a_single_move(self, engine: EngineCore, listener: Listener, limits: Limits) -> None:
        single = engine.position(board(INTERNATIONAL, w="28", b="22 1"))
        assert len(single.legal_moves()) == 1
        assert search(engine, listener, limits, single) < 0.05
        assert listener.reports

    def test_is_spent_on_a_single_move_where_more_is_asked_for(self, engine: EngineCore, listener: Listener) -> None:
        single = engine.position(board(INTERNATIONAL, w="28", b="22 1"))
        engine.configure(Options(multi_pv=2))
        assert search(engine, listener, Limits(move_time=0.1), single) > 0.09

    def test_sees_no_garbage_collection(self, kernels: fakes.Kernels, listener: Listener) -> None:
        collected_by_itself = []
        kernels.settings["on_run"] = lambda: collected_by_itself.append(gc.isenabled())
        with EngineCore(load=kernels) as engine:
            search(engine, listener, Limits(depth=2))
        assert collected_by_itself == [False]
        assert gc.isenabled()


class Broken(Exception):
    """What goes wrong in these tests."""


def fail(*_: object) -> NoReturn:
    raise Broken


class TestFailures:
    @pytest.fixture
    def failures(self) -> list[Exception]:
        return []

    @pytest.fixture
    def heard(self, kernels: fakes.Kernels, failures: list[Exception]) -> Iterator[EngineCore]:
        with EngineCore(load=kernels, on_failure=failures.append) as engine:
            yield engine

    def test_of_the_search_are_told_and_do_not_cost_the_answer(
        self, kernels: fakes.Kernels, heard: EngineCore, failures: list[Exception], listener: Listener
    ) -> None:
        kernels.settings["on_run"] = fail
        search(heard, listener, Limits(move_time=1.0))
        assert [type(failure) for failure in failures] == [Broken]
        assert listener.answers[0].move is not None
        assert listener.reports[-1].line[0] == listener.answers[0].move

    def test_of_an_infinite_search_are_told_while_the_answer_waits(
        self, kernels: fakes.Kernels, listener: Listener
    ) -> None:
        kernels.settings["on_run"] = fail
        told = threading.Event()
        with EngineCore(load=kernels, on_failure=lambda _: told.set()) as engine:
            begin(engine, listener, Limits(infinite=True))
            assert told.wait(5)
            assert not listener.answers
        assert len(listener.answers) == 1

    @pytest.mark.parametrize("step", ["legal_moves", "evaluate", "outcome", "play"])
    def test_of_a_position_do_not_cost_the_answer_either(
        self, heard: EngineCore, failures: list[Exception], listener: Listener, step: str
    ) -> None:
        position = heard.position()
        setattr(position, step, fail)
        search(heard, listener, Limits(depth=0), position)
        search(heard, another := Listener(), Limits(depth=3), position)
        assert failures
        assert (listener.answers[0].move is None) == (another.answers[0].move is None) == (step == "legal_moves")
        assert not heard.busy

    def test_of_a_listener_end_the_search(
        self, heard: EngineCore, failures: list[Exception], listener: Listener
    ) -> None:
        heard.start(heard.position(), Limits(infinite=True), fail, listener.on_answer)
        assert heard.wait(5)
        assert type(failures[0]) is Broken
        assert len(listener.answers) == 1

    def test_of_a_job_are_told_and_it_is_done_all_the_same(self, heard: EngineCore, failures: list[Exception]) -> None:
        done: list[object] = []
        position = heard.position()
        position.perft = position.legal_moves = fail  # type: ignore[method-assign]
        heard.perft(position, 3, done.append)
        heard.wait(5)
        heard.run(fail, done.append)
        heard.wait(5)
        assert done == [None, None]
        assert [type(failure) for failure in failures] == [Broken, Broken]

    def test_are_raised_by_wait_behind_the_answer_where_nobody_is_told(
        self, engine: EngineCore, listener: Listener
    ) -> None:
        engine.start(engine.position(), Limits(infinite=True), fail, listener.on_answer)
        with pytest.raises(Broken):
            engine.wait(5)
        assert len(listener.answers) == 1
        assert engine.wait(5)

    def test_of_the_one_who_is_told_are_raised_by_wait(self, kernels: fakes.Kernels, listener: Listener) -> None:
        kernels.settings["on_run"] = fail
        with EngineCore(load=kernels, on_failure=fail) as engine:
            begin(engine, listener, Limits(depth=1))
            with pytest.raises(Broken):
                engine.wait(5)
        assert listener.answers[0].move is not None


def test_a_bound_is_no_answer(kernels: fakes.Kernels, listener: Listener) -> None:
    class Failing(fakes.Searcher):
        def run(self, position, *, on_report, **limits):  # type: ignore[no-untyped-def]
            exact, better = position.legal_moves()[:2]
            on_report((1, 1, 1.0, 1, 10, 0, 5, 0.0, 0, 0, (exact,)))
            on_report((2, 2, 2.0, 1, 50, 1, 9, 0.0, 0, 0, (better,)))

    with EngineCore(load=kernels) as engine:
        position = engine.position()
        kernels.loaded["international"].Searcher = lambda table: Failing(table)  # type: ignore[method-assign]
        search(engine, listener, Limits(depth=2), position)
    assert [report.bound for report in listener.reports] == [Bound.EXACT, Bound.LOWER]
    assert listener.answers == [Answer(position.legal_moves()[0], None)]
