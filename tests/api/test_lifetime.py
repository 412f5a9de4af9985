"""Engines that are dropped, forked, cancelled, left on: nothing is left over, and nobody waits for nothing."""

from __future__ import annotations

import asyncio
import gc
import os
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from turkengine import Analysis, Bound, Engine, ExternalEngine, Info, Limit, Position, PovScore, Score, Side
from turkengine.api import analysis as analyses
from turkengine.engine.hashtable import Emptying

START = Position()
OURS = f"uci:{shlex.quote(sys.executable)} -m turkengine uci"
A_MOMENT = 3.0  # s for whatever ends by itself, on a busy machine
AT_ONCE = 0.5  # s

Make = Callable[[], Engine | ExternalEngine]


@pytest.fixture(params=["own", "external"])
def make(request: pytest.FixtureRequest) -> Make:
    return (lambda: Engine(hash=1)) if request.param == "own" else lambda: ExternalEngine(OURS, {"Hash": 1})


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """What is dropped has to go by itself: the collector rests while an engine searches."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def slow_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that takes twenty seconds to be made."""

    def slowly(emptying: Emptying) -> None:
        for _ in range(400):
            if emptying._unwanted:
                return
            time.sleep(0.05)

    monkeypatch.setattr(Emptying, "_run", slowly)


def threads_end(before: set[threading.Thread]) -> bool:
    until = time.monotonic() + A_MOMENT
    while set(threading.enumerate()) - before and time.monotonic() < until:
        time.sleep(0.01)
    return not set(threading.enumerate()) - before


def test_an_engine_that_is_dropped_leaves_no_thread_and_no_process(make: Make) -> None:
    before = set(threading.enumerate())
    engine = make()
    engine.analyse(START, Limit(depth=2))
    process = engine._client.process._process if isinstance(engine, ExternalEngine) else None
    with pytest.warns(ResourceWarning, match="was not closed"):
        del engine
    assert threads_end(before)
    assert process is None or process.poll() is not None


def test_an_engine_that_is_dropped_in_a_search_ends_it_and_the_analysis_says_so(make: Make) -> None:
    before = set(threading.enumerate())
    engine = make()
    running = engine.analysis(START)
    next(iter(running))
    with pytest.warns(ResourceWarning, match="was not closed"):
        del engine
    with pytest.raises(RuntimeError, match="the engine of this search was dropped"):
        running.wait(A_MOMENT)
    assert threads_end(before)


def test_an_engine_that_is_closed_is_not_warned_of(make: Make, recwarn: pytest.WarningsRecorder) -> None:
    with make() as engine:
        engine.analyse(START, Limit(depth=2))
    del engine
    assert not [warning for warning in recwarn if warning.category is ResourceWarning]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_is_told_that_the_engine_is_not_its_own(make: Make, tmp_path: Path) -> None:
    with make() as engine:
        engine.analyse(START, Limit(depth=2))
        said = tmp_path / "said"
        child = os.fork()
        if not child:
            try:
                engine.analyse(START, Limit(depth=2))
            except RuntimeError as error:
                said.write_text(str(error))
                engine.close()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert said.read_text().startswith("this engine belongs to the process that this one was forked from")
        assert engine.analyse(START, Limit(depth=2)).move is not None, "the child has closed nothing of ours"


@pytest.mark.usefixtures("slow_table")
def test_an_analysis_begins_at_once_and_is_stopped_at_once_while_the_table_is_made() -> None:
    began = time.monotonic()
    with Engine(hash=64) as engine:
        running = engine.analysis(START)
        assert time.monotonic() - began < AT_ONCE
        running.stop()
        assert running.wait(A_MOMENT)
        assert running.move in START.legal_moves()
    assert time.monotonic() - began < 2 * AT_ONCE


@pytest.mark.usefixtures("slow_table")
def test_a_task_that_is_cancelled_while_the_table_is_made_ends_at_once() -> None:
    async def patient() -> None:
        with Engine(hash=64) as engine:
            task = asyncio.create_task(engine.analyse_async(START, Limit(depth=60)))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    began = time.monotonic()
    asyncio.run(patient())
    assert time.monotonic() - began < 2 * AT_ONCE


def test_a_task_that_is_cancelled_before_its_search_has_begun_leaves_none_behind() -> None:
    async def impatient(engine: Engine) -> None:
        first = engine.analysis(START, Limit(time=0.3))
        task = asyncio.create_task(engine.analyse_async(START, Limit(time=600)))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await first.wait_async()

    with Engine(hash=1) as engine:
        asyncio.run(impatient(engine))
        began = time.monotonic()
        assert engine.analyse(START, Limit(depth=2)).move is not None
        assert time.monotonic() - began < A_MOMENT


def test_the_clock_of_a_search_starts_when_the_table_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Emptying, "_run", lambda emptying: time.sleep(0.5))
    with Engine(hash=64) as engine:
        began = time.perf_counter()
        assert engine.analyse(START, Limit(time=0.2)).move in START.legal_moves()
        assert time.perf_counter() - began > 0.5 + 0.2 - 0.02


def test_an_analysis_that_is_left_on_keeps_the_last_reports_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "MOST_INFOS", 5)
    analysis = Analysis(START, 1, True, lambda _: None)
    move = START.legal_moves()[0]
    reports = iter(analysis)
    for depth in range(1, 13):
        analysis.tell(Info(START, 1, depth, PovScore(Score(0), Side.WHITE), Bound.EXACT, depth, 0.1, (move,)))
        if depth == 2:
            assert [next(reports).depth, next(reports).depth] == [1, 2]
    analysis.finish(move, None)
    assert [info.depth for info in reports] == [8, 9, 10, 11, 12]
    assert [info.depth for info in analysis] == [8, 9, 10, 11, 12]
    assert (analysis.depth, analysis.nodes) == (12, 12)
