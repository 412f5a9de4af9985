"""An engine with a pretended kernel, and its listener."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from engine import fakes
from engine.listening import Listener

from turkengine.engine.core import EngineCore


@pytest.fixture
def kernels() -> fakes.Kernels:
    return fakes.Kernels()


@pytest.fixture
def engine(kernels: fakes.Kernels) -> Iterator[EngineCore]:
    with EngineCore(load=kernels) as engine:
        yield engine


@pytest.fixture
def listener() -> Listener:
    return Listener()
