"""What a session says of the time that players have."""

from __future__ import annotations

import pytest

from turkengine.match.clocks import TimeControl
from turkengine.play.words import control_text


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (TimeControl(time=300, increment=3), "5:00 + 3 s a move"),
        (TimeControl(time=5400, moves=40), "40 moves in 1:30:00"),
        (TimeControl(time=60, move_time=2), "1:00, 2 s a move"),
        (TimeControl(nodes=100), "100 nodes"),
    ],
)
def test_a_control_is_read_out_in_minutes(control: TimeControl, text: str) -> None:
    assert control_text(control) == text
