"""Searches in several threads: they share the limits, end together, and never leave the leading one without a move."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest
from kernel import positions
from kernel.searching import answer, plies_to_end, search, searcher
from rules.strategies import every_variant

from turkengine import kernel
from turkengine.engine.core import EngineCore
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.rules.variant import Variant


@every_variant
def test_two_threads_answer_and_end(variant: Variant) -> None:
    with EngineCore(Options(variant, hash=1, threads=2)) as engine:
        for seed in range(4):
            position = positions.middle_game(variant, seed)
            listener, _ = answer(engine, position, Limits(depth=7))
            assert listener.answer is not None
            assert listener.answer.move in position.legal_moves()
            assert listener.reports[-1].depth == 7
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("turkengine")]


def test_their_number_may_change_from_search_to_search() -> None:
    position = positions.start(TURKISH)
    by = searcher(position)
    for threads in (1, 4, 2, 1, 3):
        assert search(position, by, depth=5, threads=threads)[-1].depth == 5


@pytest.mark.parametrize("threads", [2, 8, 32])
@pytest.mark.parametrize("limits", [{"nodes": 3000}, {"deadline": -1.0}], ids=str)
def test_more_than_processors_leave_time_for_a_first_iteration(threads: int, limits: dict[str, Any]) -> None:
    position = positions.middle_game(CRODA, seed=5)
    by = searcher(position)
    by.prepare()
    by.deadline = limits.get("deadline", float("inf"))
    reports: list[Any] = []
    by.run(position, threads=threads, nodes=limits.get("nodes", 0), on_report=reports.append)
    assert reports[0][0] == 1


def test_that_the_system_does_not_give_are_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def start(run: Any, arguments: tuple[Any, ...]) -> None:
        if given:
            raise RuntimeError("can't start new thread")
        given.append(threading.Thread(target=run, args=arguments))
        given[0].start()

    monkeypatch.setattr(kernel.load(CRODA), "start_new_thread", start)
    assert search(positions.start(CRODA), depth=7, threads=4)[-1].depth == 7
    given[0].join(10)
    assert not given[0].is_alive()


@pytest.mark.parametrize("variant", [TURKISH, CRODA, INTERNATIONAL], ids=lambda variant: variant.name)
def test_distances_to_a_win_are_those_that_one_thread_tells(variant: Variant) -> None:
    """Deep enough for the threads to leave moves to each other, and for wins that are found to be the shortest."""
    dice, compared = random.Random(4), 0
    while compared < 12:
        position = positions.compiled(positions.thrown(variant, dice, most=5))
        told = search(position, depth=11)
        alone = plies_to_end(told[-1].score) if told else None
        if alone is None or not 2 < alone < 8:
            continue
        compared += 1
        by = searcher(position)
        for threads in (2, 4):
            assert plies_to_end(search(position, by, depth=11, threads=threads)[-1].score) == alone, position
