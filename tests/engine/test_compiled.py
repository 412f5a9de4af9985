"""The engine with the compiled kernel: what the pretended one, made of Python's numbers, cannot show."""

from __future__ import annotations

import pytest
from engine.listening import Listener, search

from turkengine.engine.core import EngineCore
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options


@pytest.mark.parametrize(
    "limits",
    [
        Limits(depth=3_000_000_000, nodes=100),
        Limits(depth=1 << 31, nodes=100),
        Limits(mate=1 << 31, nodes=100),
        Limits(depth=1, nodes=1 << 64),
        Limits(depth=1, mate=10**15, nodes=10**15, move_time=1e15),
    ],
    ids=str,
)
def test_a_limit_beyond_all_searches_is_none(listener: Listener, limits: Limits) -> None:
    with EngineCore(Options(hash=1)) as engine:
        search(engine, listener, limits)
    assert listener.reports[0].depth == 1
