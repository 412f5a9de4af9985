"""What a match writes beside its database, on a disk that does not take it."""

from __future__ import annotations

import resource
import signal
from pathlib import Path

import pytest

from turkengine.match import organiser


@pytest.mark.parametrize("before", ["", "x" * 60])
def test_a_game_that_does_not_fit_leaves_nothing_of_itself(tmp_path: Path, before: str) -> None:
    path = tmp_path / "games.pdn"
    if before:
        path.write_text(before, encoding="utf-8")
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            organiser._append(path, "y" * 150)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert (path.read_text(encoding="utf-8") if path.exists() else "") == before
    assert path.exists() == bool(before)
