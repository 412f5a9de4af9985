"""Large tables, which take longer to be handed out and emptied than a move may take."""

from __future__ import annotations

import threading

import pytest
from engine import fakes
from engine.listening import Listener, begin, search

from turkengine.engine.core import EngineCore
from turkengine.engine.hashtable import AT_ONCE, STOPGAP
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import Options

LARGE = Options(hash=4 * AT_ONCE)


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """A large table is emptied by a piece each time that this is released."""
    chunks = threading.Semaphore(0)
    monkeypatch.setattr(fakes.Table, "chunks", chunks)
    return chunks


def searched_with(kernels: fakes.Kernels) -> list[int]:
    """The sizes of the tables with which a search was made."""
    (kernel,) = kernels.loaded.values()
    return [searcher.table.mebibytes for searcher in kernel.searchers if searcher.runs]


@pytest.mark.parametrize("limits", [Limits(move_time=0.1), Limits(clock=GameClock(2.0))], ids=["move time", "clock"])
def test_a_move_that_is_due_does_not_wait_for_the_table(
    engine: EngineCore, kernels: fakes.Kernels, listener: Listener, stuck: threading.Semaphore, limits: Limits
) -> None:
    assert engine.configure(LARGE) == []
    search(engine, listener, limits)
    assert listener.answer is not None
    assert listener.answer.move == listener.reports[-1].line[0]
    stuck.release(10)
    assert searched_with(kernels) == [STOPGAP]
    engine.settle()
    search(engine, Listener(), limits)
    assert searched_with(kernels) == [LARGE.hash, STOPGAP]


def test_a_search_that_has_time_waits_for_the_table(
    engine: EngineCore, kernels: fakes.Kernels, listener: Listener, stuck: threading.Semaphore
) -> None:
    engine.configure(LARGE)
    begin(engine, listener, Limits(depth=2))
    assert not listener.reported.wait(0.1)
    stuck.release(10)
    assert engine.wait(10)
    assert listener.answer is not None
    assert searched_with(kernels) == [LARGE.hash]


def test_a_search_that_waits_is_stopped_at_once(
    engine: EngineCore, listener: Listener, stuck: threading.Semaphore
) -> None:
    engine.configure(LARGE)
    begin(engine, listener, Limits(infinite=True))
    engine.stop()
    assert engine.wait(10)
    assert listener.answer is not None
    assert listener.answer.move is not None
    stuck.release(10)


def test_a_search_that_waits_while_pondering_waits_no_longer_when_its_clock_starts(
    engine: EngineCore, kernels: fakes.Kernels, listener: Listener, stuck: threading.Semaphore
) -> None:
    engine.configure(LARGE)
    begin(engine, listener, Limits(move_time=0.1, ponder=True))
    assert not listener.ended.wait(0.2)
    engine.ponder_hit()
    assert listener.ended.wait(10)
    assert listener.answer is not None
    stuck.release(10)


def test_a_table_that_is_emptied_again_begins_anew(
    engine: EngineCore, kernels: fakes.Kernels, stuck: threading.Semaphore
) -> None:
    engine.configure(LARGE)
    threading.Timer(0.1, stuck.release, (20,)).start()
    engine.new_game()
    engine.settle()
    assert (kernels.searcher.table.cleared, kernels.searcher.games) == (2, 1)


def test_a_table_that_is_not_wanted_any_more_is_left_as_it_is(
    engine: EngineCore, kernels: fakes.Kernels, stuck: threading.Semaphore
) -> None:
    engine.configure(LARGE)
    threading.Timer(0.1, stuck.release, (20,)).start()
    assert engine.configure(Options(hash=1)) == []
    assert kernels.searcher.table.mebibytes == 1
    assert stuck.acquire(blocking=False), "most pieces have been left"
