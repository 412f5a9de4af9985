"""A board as SVG: squares, men, kings, the last move, arrows, marks on squares, names of squares.

One square is 40 units wide. The drawing needs no font but a plain one and nothing from outside; it scales to any size.
Boards on which only dark squares are played are chequered, those on which all are played have one colour. Where squares
are numbered each has its number in its corner; letters and numbers stand along the edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import hypot

from turkengine.errors import shown
from turkengine.rules.board import FILE_LETTERS, Board

UNIT = 40  # of a square's side
MARGIN = 18  # for letters and numbers along the edge

STYLE = (
    ".tk-light{fill:#f3e3c3}.tk-dark{fill:#b98a5b}.tk-plain{fill:#ead5ac;stroke:#9a7b4f}.tk-last{fill:#f2d14c;opacity:.6}"
    ".tk-w{fill:#fffaf0;stroke:#4a4038}.tk-b{fill:#39312b;stroke:#171310}.tk-rw{fill:none;stroke:#b9ad9c}"
    ".tk-rb{fill:none;stroke:#6d6156}.tk-cw{fill:#c98a12}.tk-cb{fill:#f0b93a}.tk-name{font-size:7.5px;fill:#4a3218}"
    ".tk-edge{font-size:11px;fill:#777}.tk-arrow{stroke-width:6;stroke-linejoin:round;opacity:.8}"
    ".tk-mark{font-size:12px;font-weight:bold;fill:#fff}.tk-name,.tk-edge,.tk-mark"
    "{font-family:Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif}"
)
"""What the classes look like."""

GOOD, BAD, NEUTRAL = "#2c7a3f", "#b3382c", "#2a6fb0"
"""Colours of arrows and marks."""

_STRANGE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 has no place for

_CROWN = "M-9 6 L-11 -6 L-5 0 L0 -9 L5 0 L11 -6 L9 6 Z"  # around the middle of a piece


@dataclass(frozen=True)
class Arrow:
    """A line from the middle of one square to that of another, by their indices, over those of `via`."""

    origin: int
    target: int
    colour: str = NEUTRAL
    via: tuple[int, ...] = ()


@dataclass(frozen=True)
class SquareMark:
    """A word of one or two letters, as `!` or `??`, in a square's corner; a frame around the square without letters."""

    square: int
    text: str = ""
    colour: str = NEUTRAL


def board_svg(
    board: Board,
    cells: str,
    *,
    last: Iterable[int] = (),
    arrows: Sequence[Arrow] = (),
    marks: Sequence[SquareMark] = (),
    flipped: bool = False,
    size: int | None = None,
    names: bool = True,
    alone: bool = True,
    title: str = "",
) -> str:
    """The drawing, one `svg` element.

    Args:
        cells: one letter a square in index order: w b (men), W B (kings), e (empty).
        last: squares to be shown as those of the last move.
        arrows, marks: drawn above the pieces.
        flipped: with Black at the bottom.
        size: pixels of its width; the width there is if None.
        names: with numbers or letters of the squares.
        alone: with all that it needs inside. A page of many boards leaves that out, holds `STYLE` once, and
            `definitions` of each board that it shows.
        title: what is read to those who cannot see it.

    Raises:
        ValueError: a text holds a character that no SVG can hold, as control characters are.
    """
    margin = MARGIN if names and board.lettered else 0
    middles = centres(board, flipped, margin)
    width, height = board.files * UNIT + margin, board.ranks * UNIT + margin
    if alone:
        parts = [f"<style>{STYLE}</style>", *_ground(board, middles, margin)]
    else:
        parts = [f'<use href="#{_ground_name(board)}" x="{margin}"/>']
    parts += [_square(*middles[square], "tk-last") for square in dict.fromkeys(last)]
    if names:
        parts += _edges(board, flipped, height, margin) if board.lettered else _numbers(board, middles)
    draw = piece if alone else _used_piece
    parts += [draw(*middles[square], letter) for square, letter in enumerate(cells) if letter != "e"]
    parts += [_arrow([middles[place] for place in _stations(arrow)], arrow.colour) for arrow in arrows]
    parts += [_mark(middles[mark.square], mark) for mark in marks]
    sized = f' width="{size}" height="{round(size * height / width)}"' if size is not None else ""
    label = f' role="img" aria-label="{_written("a title", title or "board")}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{sized}{label}>'
    return f"{opening}{''.join(parts)}</svg>"


def piece(x: float, y: float, letter: str) -> str:
    """A man (w, b) or king (W, B) around a point."""
    colour = letter.lower()
    disc = f'<circle class="tk-{colour}" cx="{x}" cy="{y}" r="16"/><circle class="tk-r{colour}" cx="{x}" cy="{y}" r="'
    if letter.islower():
        return f'{disc}10"/>'
    return f'{disc}14"/><path class="tk-c{colour}" transform="translate({x} {y})" d="{_CROWN}"/>'


def centres(board: Board, flipped: bool = False, margin: int | None = None) -> list[tuple[int, int]]:
    """The middle of each square in units of the drawing, in index order.

    Args:
        margin: left of the board; that of a drawing with names if None.
    """
    if margin is None:
        margin = MARGIN if board.lettered else 0
    half = UNIT // 2
    found = []
    for file, rank in board.places:
        across, down = (board.files - 1 - file, rank) if flipped else (file, board.ranks - 1 - rank)
        found.append((margin + across * UNIT + half, down * UNIT + half))
    return found


def _ground(board: Board, centres: Sequence[tuple[int, int]], margin: int) -> list[str]:
    width, height = board.files * UNIT, board.ranks * UNIT
    kind = "tk-light" if board.dark_only else "tk-plain"
    ground = f'<rect class="{kind}" x="{margin}" y="0" width="{width}" height="{height}"/>'
    if board.dark_only:
        corners = "".join(f"M{x - UNIT // 2} {y - UNIT // 2}h{UNIT}v{UNIT}h-{UNIT}z" for x, y in centres)
        return [ground, f'<path class="tk-dark" d="{corners}"/>']
    lines = [f"M{margin + file * UNIT} 0v{height}" for file in range(1, board.files)]
    lines += [f"M{margin} {rank * UNIT}h{width}" for rank in range(1, board.ranks)]
    return [ground, f'<path class="tk-plain" d="{"".join(lines)}"/>']


def _square(x: int, y: int, kind: str) -> str:
    return f'<rect class="{kind}" x="{x - UNIT // 2}" y="{y - UNIT // 2}" width="{UNIT}" height="{UNIT}"/>'


def _numbers(board: Board, centres: Sequence[tuple[int, int]]) -> list[str]:
    return [
        f'<text class="tk-name" x="{x - UNIT // 2 + 1}" y="{y - UNIT // 2 + 7}">{name}</text>'
        for name, (x, y) in zip(board.names, centres, strict=True)
    ]


def _edges(board: Board, flipped: bool, height: int, margin: int) -> list[str]:
    half = UNIT // 2
    files, ranks = range(board.files), range(board.ranks)
    parts = []
    for place in files:
        name = FILE_LETTERS[board.files - 1 - place if flipped else place]
        parts.append(_edge(margin + place * UNIT + half, height - 5, name))
    for place in ranks:
        parts.append(_edge(margin // 2, place * UNIT + half + 4, str(place + 1 if flipped else board.ranks - place)))
    return parts


def _edge(x: int, y: int, text: str) -> str:
    return f'<text class="tk-edge" x="{x}" y="{y}" text-anchor="middle">{text}</text>'


def _stations(arrow: Arrow) -> tuple[int, ...]:
    """The squares that an arrow touches, none twice in a row."""
    squares = (arrow.origin, *arrow.via, arrow.target)
    return tuple(square for place, square in enumerate(squares) if not place or square != squares[place - 1])


def _arrow(points: Sequence[tuple[int, int]], colour: str) -> str:
    """A shaft and a head; where there is no way to go, a ring."""
    ink = _written("a colour", colour)
    x, y = points[-1]
    if len(points) == 1:
        return f'<circle class="tk-arrow" cx="{x}" cy="{y}" r="17" fill="none" stroke="{ink}"/>'
    before = points[-2]
    length = hypot(x - before[0], y - before[1])
    right, down = (x - before[0]) / length, (y - before[1]) / length
    neck = x - 14 * right, y - 14 * down
    wings = (neck[0] - 8 * down, neck[1] + 8 * right), (neck[0] + 8 * down, neck[1] - 8 * right)
    shaft, head = (
        " ".join(f"{round(across, 1):g},{round(along, 1):g}" for across, along in corners)
        for corners in ((*points[:-1], neck), ((x, y), *wings))
    )
    return (
        f'<g class="tk-arrow"><polyline points="{shaft}" fill="none" stroke="{ink}"/>'
        f'<polygon points="{head}" fill="{ink}"/></g>'
    )


def _mark(centre: tuple[int, int], mark: SquareMark) -> str:
    ink = _written("a colour", mark.colour)
    if not mark.text:
        x, y, side = centre[0] - UNIT // 2 + 2, centre[1] - UNIT // 2 + 2, UNIT - 4
        return f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="none" stroke="{ink}" stroke-width="4"/>'
    x, y = centre[0] + 11, centre[1] - 11  # within the square, so that nothing is cut off at the edge of the board
    return (
        f'<circle cx="{x}" cy="{y}" r="9" fill="{ink}"/>'
        f'<text class="tk-mark" x="{x}" y="{y + 4}" text-anchor="middle">{_written("a mark", mark.text)}</text>'
    )


def _written(what: str, text: str) -> str:
    """A text from outside within the drawing."""
    strange = _STRANGE.search(text)
    if strange is not None:
        raise ValueError(
            f"{what} cannot hold the character U+{ord(strange[0]):04X}; {shown(text)} cannot stand in an SVG"
        )
    return escape(text)


def definitions(boards: Iterable[Board]) -> str:
    """What the boards of a page share: the pieces, `tk-w`, `tk-b`, `tk-W`, `tk-B`, and the ground of each board."""
    shapes = [f'<g id="tk-{letter}">{piece(0, 0, letter)}</g>' for letter in "wbWB"]
    for board in boards:
        shapes.append(f'<g id="{_ground_name(board)}">{"".join(_ground(board, centres(board, margin=0), 0))}</g>')
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{"".join(shapes)}</defs></svg>'


def _ground_name(board: Board) -> str:
    return f"tk-{board.files}x{board.ranks}{('d' if board.a1_dark else 'l') if board.dark_only else ''}"


def _used_piece(x: int, y: int, letter: str) -> str:
    return f'<use href="#tk-{letter}" x="{x}" y="{y}"/>'
