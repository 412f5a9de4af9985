"""The standing measurement."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine import fakes

from turkengine.engine import bench
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP, measured
from turkengine.notation.hub import read_hub
from turkengine.rules.outcome import outcome
from turkengine.rules.variant import Variant

FAST = {"pace": 0.0}


@pytest.mark.parametrize("variant", bench.measured_games(), ids=lambda variant: variant.name)
def test_the_positions_of_every_game_are_played_on_and_differ(variant: Variant) -> None:
    data = measured(variant, "bench")
    assert data is not None
    positions = [read_hub(variant, text) for text in data["positions"]]
    assert len({(position.cells, position.side) for position in positions}) == len(positions) >= 4
    assert {position.side.value for position in positions} == {"W", "B"}
    for position in positions:
        assert outcome(position) is None


def test_a_game_without_positions_is_measured_from_its_start_where_it_is_asked_for() -> None:
    assert {INTERNATIONAL, TURKISH, TURKISH_APP, CRODA} <= set(bench.measured_games())
    nowhere = replace(CRODA, name="nowhere")
    _, line, _ = bench.lines(fakes.Kernels(**FAST), 1, [nowhere])
    assert line.split()[:3] == ["nowhere", "1", "1"]


def test_prints_a_line_for_each_game_and_one_for_all() -> None:
    head, turkish, croda, total = bench.lines(fakes.Kernels(**FAST), 2, [TURKISH, CRODA])
    assert head.split()[-1] == "signature"
    assert turkish.split()[:4] == ["turkish", "10", "2", "2,000"]
    assert croda.split()[0] == "croda"
    assert total.split()[:3] == ["total", "20", "4,000"]


def test_the_signature_stays_while_the_nodes_do() -> None:
    def signature(depth: int) -> str:
        return [line.split()[-1] for line in bench.lines(fakes.Kernels(**FAST), depth, [TURKISH])][-1]

    assert signature(2) == signature(2) != signature(3)


def test_can_be_stopped_between_two_positions() -> None:
    asked = iter([False] * 12 + [True])
    *_, croda = bench.lines(fakes.Kernels(**FAST), 1, [TURKISH, CRODA], lambda: next(asked))
    assert croda == "stopped"
