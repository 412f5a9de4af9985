"""Long jobs beside the search: counting move sequences, and any other."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from engine import fakes

from turkengine.engine.core import EngineCore
from turkengine.engine.perft import Count, count
from turkengine.games import TURKISH


class TestPerft:
    @pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (1, 9), (2, 81), (3, 658), (4, 4265)])
    def test_counts_in_the_background(self, engine: EngineCore, depth: int, leaves: int) -> None:
        counts: list[Count | None] = []
        engine.perft(engine.position(), depth, counts.append)
        assert engine.wait(10)
        (counted,) = counts
        assert counted is not None
        assert counted.leaves == leaves
        assert len(counted.by_move) == (9 if depth else 0)
        assert sum(below for _, below in counted.by_move) == (leaves if depth else 0)

    def test_plays_the_upper_plies_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("turkengine.engine.perft.KERNEL_DEPTH", 1)
        counted = count(fakes.PositionMaker(TURKISH).start(), 3)
        assert counted is not None
        assert counted.leaves == 708

    def test_can_be_stopped(self, engine: EngineCore) -> None:
        counts: list[Count | None] = []
        engine.perft(engine.position(), 8, counts.append)
        engine.stop()
        assert engine.wait(10)
        assert counts == [None]


def test_any_job_runs_in_the_background_and_hears_of_a_stop(engine: EngineCore) -> None:
    results: list[str] = []

    def job(stopped: Callable[[], bool]) -> str:
        while not stopped():
            time.sleep(0.001)
        return "stopped"

    engine.run(job, results.append)
    assert engine.busy
    engine.stop()
    assert engine.wait(1)
    assert results == ["stopped"]
