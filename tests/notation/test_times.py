"""Times as files and people have them."""

from __future__ import annotations

import pytest

from turkengine.notation.times import clock_text, left_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0:00:00"),
        (-3.0, "0:00:00"),
        (0.047, "0:00:00.047"),
        (0.13, "0:00:00.13"),
        (59.9996, "0:01:00"),
        (5400.5, "1:30:00.5"),
        (360_000, "100:00:00"),
    ],
)
def test_a_clock_in_a_file(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (5400.0, "1:30:00"),
        (3599.5, "1:00:00"),
        (60.0, "1:00"),
        (59.9, "1:00"),
        (59.0, "0:59"),
        (600.5, "10:01"),
        (9.99, "9.9 s"),
        (0.04, "0.0 s"),
        (-3.0, "0.0 s"),
    ],
)
def test_what_is_left_shows_seconds_begun_and_tenths_at_the_end(seconds: float, text: str) -> None:
    assert left_text(seconds) == text
