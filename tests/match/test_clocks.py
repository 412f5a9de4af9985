"""Time controls as text, and the clocks that keep them."""

from __future__ import annotations

import math

import pytest

from turkengine.errors import OptionError
from turkengine.match.clocks import GRACE, Clock, TimeControl


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("1+0.02", TimeControl(time=1, increment=0.02)),
        ("60", TimeControl(time=60)),
        (".5", TimeControl(time=0.5)),
        ("40/300", TimeControl(time=300, moves=40)),
        ("2:30+1", TimeControl(time=150, increment=1)),
        ("50/80:00+30", TimeControl(time=4800, moves=50, increment=30)),
    ],
)
def test_a_time_control_is_read(text: str, control: TimeControl) -> None:
    assert TimeControl.read(text) == control
    assert TimeControl.read(str(control)) == control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("5+3", TimeControl(time=300, increment=3)),
        ("5:00+3", TimeControl(time=300, increment=3)),
        ("0:30", TimeControl(time=30)),
        ("0.5", TimeControl(time=30)),
        ("40/90", TimeControl(time=5400, moves=40)),
    ],
)
def test_where_people_play_a_number_without_a_unit_is_minutes(text: str, control: TimeControl) -> None:
    assert TimeControl.read(text, in_minutes=True) == control


def test_where_people_play_the_example_is_in_minutes() -> None:
    with pytest.raises(OptionError, match=r"MINUTES\[\+SECONDS\], as in 5\+3 or 0:30"):
        TimeControl.read("fast", in_minutes=True)


@pytest.mark.parametrize("text", ["", "+1", "1+", "a", "0", "1+-1", "1 + 2", "0/10", "1/2/3", "1e3", "."])
def test_a_text_that_is_none_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(OptionError, match=r"1\+0\.02|more than 0"):
        TimeControl.read(text)


def test_a_player_without_any_limit_is_refused() -> None:
    with pytest.raises(OptionError, match="needs a limit"):
        TimeControl()


def test_a_control_says_what_it_is() -> None:
    assert str(TimeControl(move_time=0.1)) == "0.1 s a move"
    assert str(TimeControl(time=60, increment=0.5, depth=9)) == "60+0.5, depth 9"
    assert str(TimeControl(nodes=5000)) == "5000 nodes"


def test_half_of_a_control() -> None:
    assert TimeControl.read("40/60+1").halved == TimeControl.read("40/30+0.5")
    assert TimeControl(nodes=1, depth=8).halved == TimeControl(nodes=1, depth=8)


def test_the_increment_comes_after_the_move() -> None:
    clock = Clock(TimeControl.read("1+0.5"))
    assert clock.spend(0.75) == 0
    assert clock.remaining == 0.75
    assert clock.spend(0.80) == pytest.approx(0.05)


def test_time_is_added_after_the_moves_of_a_session() -> None:
    clock = Clock(TimeControl.read("2/10"))
    assert (clock.limits.clock.remaining, clock.limits.clock.moves) == (10, 2)
    clock.spend(4)
    assert (clock.limits.clock.remaining, clock.limits.clock.moves) == (6, 1)
    clock.spend(5)
    assert (clock.limits.clock.remaining, clock.limits.clock.moves) == (11, 2)


def test_a_time_for_each_move_does_not_add_up() -> None:
    clock = Clock(TimeControl(move_time=0.5))
    assert [clock.spend(0.4), clock.spend(0.5), clock.spend(0.75)] == [0, 0, 0.25]
    assert clock.limits.move_time == 0.5
    assert clock.limits.clock is None


def test_time_without_a_move_brings_no_increment_and_counts_for_no_session() -> None:
    clock = Clock(TimeControl.read("2/1+5"))
    assert clock.waste(0.25) == 0
    assert (clock.limits.clock.remaining, clock.limits.clock.moves) == (0.75, 2)


def test_an_engine_is_waited_for_beyond_its_time_so_that_its_lateness_can_be_told() -> None:
    assert Clock(TimeControl.read("2+1")).deadline(margin=0.5, patience=60) == 2.5 + GRACE
    assert Clock(TimeControl(move_time=3)).deadline(margin=0, patience=60) == 3 + GRACE
    late = Clock(TimeControl.read("1"))
    late.spend(1.25)
    assert late.deadline(margin=1, patience=60) == 1 + GRACE


def test_a_move_without_a_time_limit_is_waited_for_as_long_as_patience_lasts() -> None:
    assert Clock(TimeControl(depth=5)).deadline(margin=0, patience=7) == 7
    assert math.isinf(Clock(TimeControl(nodes=5)).allowed)
