"""What a session says of clocks."""

from __future__ import annotations

import pytest

from turkengine.notation.times import left_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (60.0, "1:00"),
        (59.9, "1:00"),
        (59.0, "0:59"),
        (600.5, "10:01"),
        (9.99, "9.9 s"),
        (0.04, "0.0 s"),
        (-3.0, "0.0 s"),
    ],
)
def test_a_clock_shows_seconds_begun_and_tenths_at_the_end(seconds: float, text: str) -> None:
    assert left_text(seconds) == text
