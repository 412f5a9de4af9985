"""Plots: axes, curves, and the course of a game."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from turkengine.drawing.plots import bar_plot, course_plot, interval_plot, share_plot, ticks

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>\"'&"


def test_axes_have_round_numbers() -> None:
    assert ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert ticks(-3.2, 3.1) == [-2, 0, 2]
    assert ticks(0.0, 0.013) == [0, 0.005, 0.01]


def test_the_course_is_light_from_below_as_far_as_white_is_better() -> None:
    drawing = ElementTree.fromstring(course_plot([0.5, 1.0], [(2, "good", "32-28!")]))
    (area,) = drawing.iter(f"{SVG}polygon")
    assert area.get("points") == "0,120 0,60 150,60 450,0 600,0 600,120"
    (dot,) = drawing.iter(f"{SVG}circle")
    assert (dot.get("class"), dot.get("cx"), dot.get("cy"), dot.get("data-ply")) == ("good", "450", "0", "2")
    assert [title.text for title in dot] == ["32-28!"]
    assert course_plot([], []) == ""


def test_shares_fill_the_bar() -> None:
    drawing = ElementTree.fromstring(share_plot([("won", "A", 3), ("drawn", "drawn", 0), ("lost", "B", 1)]))
    widths = [float(part.get("width", "")) for part in drawing.iter(f"{SVG}rect")]
    assert [round(width / sum(widths), 2) for width in widths] == [0.75, 0, 0.25]
    assert drawing.get("aria-label") == "A 3, drawn 0, B 1"


@pytest.mark.parametrize(
    "drawing",
    [
        interval_plot([(HOSTILE, 1.0, 0.0, 2.0)], HOSTILE),
        bar_plot([(HOSTILE, 1)], HOSTILE, HOSTILE),
        share_plot([("won", HOSTILE, 1)]),
        course_plot([0.5], [(1, "good", HOSTILE)]),
    ],
    ids=["interval", "bar", "share", "course"],
)
def test_names_stay_text(drawing: str) -> None:
    read = ElementTree.fromstring(drawing)
    assert any(HOSTILE in (element.text or "") for element in read.iter())
