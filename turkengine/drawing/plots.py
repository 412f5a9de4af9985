"""Plots as SVG, drawn without any library, so that a report is one file that every browser shows.

All share one kind of scale and one kind of axis. Colours are classes: the page that holds the plot has their style.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

WIDTH, HEIGHT = 480, 220  # of the drawing, in the units of SVG
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 16, 38  # margins
ROW = 26  # height of a name and its interval
SHARES_HEIGHT = 10
COURSE_WIDTH, COURSE_HEIGHT = 600, 120
TICKS = 6  # marks along an axis, about


@dataclass(frozen=True)
class Curve:
    """Points joined by a line, with a band around them where `low` and `high` are given."""

    points: Sequence[tuple[float, float]]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclass(frozen=True)
class Scale:
    """Numbers along a stretch of the drawing."""

    first: float
    last: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (min(max(value, self.first), self.last) - self.first) / (self.last - self.first)
        return round(self.start + share * (self.end - self.start), 1)


def curve_plot(curve: Curve, across: str, up: str, marks: Sequence[tuple[float, str]] = ()) -> str:
    """A curve over its first coordinate, with level lines at `marks`."""
    bounds = [value for value in (*curve.low, *curve.high) if math.isfinite(value)]
    heights = [y for _, y in curve.points if math.isfinite(y)] + bounds + [mark for mark, _ in marks]
    x = Scale(0, max((x for x, _ in curve.points), default=1.0) or 1.0, LEFT, WIDTH - RIGHT)
    y = _heights(heights)
    parts = [*_axes(x, y, across, up)]
    if curve.low:
        upper = [(x(at), y(value)) for (at, _), value in zip(curve.points, curve.high, strict=True)]
        lower = [(x(at), y(value)) for (at, _), value in zip(curve.points, curve.low, strict=True)]
        parts.append(f'<polygon class="band" points="{_points([*upper, *reversed(lower)])}"/>')
    for mark, name in marks:
        parts.append(f'<line class="mark" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(mark)}" y2="{y(mark)}"/>')
        parts.append(_small(WIDTH - RIGHT, y(mark) - 4, name, "end"))
    drawn = [(x(at), y(value)) for at, value in curve.points if math.isfinite(value)]
    parts.append(f'<polyline class="curve" points="{_points(drawn)}"/>')
    return _svg(parts, WIDTH, HEIGHT, f"{up} by {across}")


def interval_plot(rows: Sequence[tuple[str, float, float, float]], across: str) -> str:
    """A dot with its interval for each name."""
    finite = [value for _, *values in rows for value in values if math.isfinite(value)]
    height = TOP + BOTTOM + ROW * len(rows)
    label = min(8 * max((len(name) for name, *_ in rows), default=0) + 20, WIDTH // 3)
    low, high = _widened(finite)
    x = Scale(low, high, label, WIDTH - RIGHT)
    parts = []
    for tick in ticks(low, high):
        parts.append(f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="{TOP}" y2="{height - BOTTOM}"/>')
        parts.append(_small(x(tick), height - BOTTOM + 16, f"{tick:g}", "middle"))
    parts.append(_small(WIDTH - RIGHT, height - 4, across, "end"))
    for place, (name, value, lower, upper) in enumerate(rows):
        at = TOP + ROW * place + ROW // 2
        parts.append(f'<text x="{label - 8}" y="{at + 4}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<line class="error" x1="{x(lower)}" x2="{x(upper)}" y1="{at}" y2="{at}"/>')
        parts.append(f'<circle class="dot" cx="{x(value)}" cy="{at}" r="4.5"/>')
    return _svg(parts, WIDTH, height, across)


def bar_plot(bars: Sequence[tuple[str, int]], across: str, up: str) -> str:
    """A bar for each number."""
    y = _heights([0, *(count for _, count in bars)])
    width = (WIDTH - LEFT - RIGHT) / max(len(bars), 1)
    parts = [*_axes(None, y, across, up)]
    every = max(len(bars) // 8, 1)
    for place, (name, count) in enumerate(bars):
        left, top = LEFT + place * width, y(count)
        parts.append(
            f'<rect class="bar" x="{left + width * 0.1:.1f}" y="{top}" width="{width * 0.8:.1f}"'
            f' height="{HEIGHT - BOTTOM - top:.1f}"><title>{escape(name)}: {count}</title></rect>'
        )
        if place % every == 0:
            middle = left + width / 2
            parts.append(_small(middle, HEIGHT - BOTTOM + 16, name, "middle"))
    return _svg(parts, WIDTH, HEIGHT, f"{up} by {across}")


def share_plot(shares: Sequence[tuple[str, str, int]]) -> str:
    """One bar in parts.

    Args:
        shares: class, name and count of each part.
    """
    total = sum(count for *_, count in shares)
    x = Scale(0, total or 1, 0, WIDTH)
    parts, before = [], 0
    for kind, name, count in shares:
        left, right = x(before), x(before + count)
        before += count
        title = f"{name} {count}"
        parts.append(f'<rect class="{kind}" x="{left}" y="0" width="{right - left:.1f}" height="{SHARES_HEIGHT}">')
        parts.append(f"<title>{escape(title)}</title></rect>")
    return _svg(parts, WIDTH, SHARES_HEIGHT, ", ".join(f"{name} {count}" for _, name, count in shares), "shares")


def course_plot(expectations: Sequence[float], dots: Sequence[tuple[int, str, str]]) -> str:
    """The course of a game: White's expected result, from 0 to 1, after each ply; the lighter the better for White.

    Args:
        dots: ply, from 1, class and title of each.
    """
    if not expectations:
        return ""
    x = Scale(0, len(expectations), 0, COURSE_WIDTH)
    y = Scale(0, 1, COURSE_HEIGHT, 0)
    points = [(x(place + 0.5), y(expectation)) for place, expectation in enumerate(expectations)]
    line = " ".join(f"{across:g},{up:g}" for across, up in points)
    parts = [
        f'<rect class="black" width="{COURSE_WIDTH}" height="{COURSE_HEIGHT}"/>',
        f'<polygon class="white" points="0,{COURSE_HEIGHT} 0,{points[0][1]:g} {line}'
        f' {COURSE_WIDTH},{points[-1][1]:g} {COURSE_WIDTH},{COURSE_HEIGHT}"/>',
        f'<line class="level" x1="0" x2="{COURSE_WIDTH}" y1="{y(0.5):g}" y2="{y(0.5):g}"/>',
        f'<polyline class="line" points="{line}"/>',
        *(
            f'<circle class="{kind}" cx="{points[ply - 1][0]:g}" cy="{points[ply - 1][1]:g}" r="5" data-ply="{ply}">'
            f"<title>{escape(title)}</title></circle>"
            for ply, kind, title in dots
        ),
        f'<line class="here" x1="0" x2="0" y1="0" y2="{COURSE_HEIGHT}"/>',
    ]
    return _svg(parts, COURSE_WIDTH, COURSE_HEIGHT, "White's expected result after each move", "course")


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between two: steps of 1, 2 or 5 times a power of ten."""
    step = 10 ** math.floor(math.log10((high - low) / TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= TICKS)
    first = math.ceil(low / step)
    return [round(number * step, 10) + 0.0 for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _heights(values: Sequence[float]) -> Scale:
    low, high = _widened(values)
    return Scale(low, high, HEIGHT - BOTTOM, TOP)


def _widened(values: Sequence[float]) -> tuple[float, float]:
    """A range around the values that is not empty."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    spare = (high - low) * 0.05 or 1.0
    return low - (spare if low else 0.0), high + spare


def _axes(x: Scale | None, y: Scale, across: str, up: str) -> list[str]:
    parts = []
    for tick in ticks(y.first, y.last):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick)}" y2="{y(tick)}"/>')
        parts.append(_small(LEFT - 6, y(tick) + 4, f"{tick:g}", "end"))
    if x is not None:
        parts += [_small(x(tick), HEIGHT - BOTTOM + 16, f"{tick:g}", "middle") for tick in ticks(x.first, x.last)]
    parts.append(_small(WIDTH - RIGHT, HEIGHT - 4, across, "end"))
    turned = f'transform="translate(13 {HEIGHT / 2}) rotate(-90)"'
    parts.append(f'<text class="small" {turned} text-anchor="middle">{escape(up)}</text>')
    return parts


def _points(points: Sequence[tuple[float, float]]) -> str:
    """Coordinates without those that repeat the one before."""
    kept = points[:1]
    kept = [*kept, *(now for before, now in pairwise(points) if now != before)]
    return " ".join(f"{x},{y}" for x, y in kept)


def _small(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="small" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(parts: Sequence[str], width: int, height: int, title: str, kind: str = "plot") -> str:
    body = "\n".join(parts)
    return (
        f'<svg class="{kind}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}"'
        f' xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>'
    )
