"""The course of a game as a drawing: White's expected result after every move, and the moves with a mark."""

from __future__ import annotations

from turkengine.analysis.judge import Mark
from turkengine.analysis.record import GameRecord

WIDTH, HEIGHT = 600, 120  # of the drawing, in the units of SVG

_CLASSES = {Mark.GOOD: "good", Mark.DUBIOUS: "dubious", Mark.MISTAKE: "mistake", Mark.BLUNDER: "blunder"}


def course_svg(record: GameRecord) -> str:
    """The drawing: the lighter the column, the better for White; dots are moves with a mark."""
    moves = record.moves
    if not moves:
        return ""
    points = [(place_of(move.ply, len(moves)), _height(move.chances.expectation)) for move in moves]
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    first, last = points[0][0], points[-1][0]
    dots = "".join(
        f'<circle class="{_CLASSES[move.mark]}" cx="{x:g}" cy="{y:g}" r="4" data-ply="{move.ply}">'
        f"<title>{move.move}{move.mark.value}</title></circle>"
        for move, (x, y) in zip(moves, points, strict=True)
        if move.mark is not Mark.NONE
    )
    return (
        f'<svg class="course" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img"'
        f' aria-label="expected result of White" data-plies="{len(moves)}">'
        f'<rect class="black" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<polygon class="white" points="{first:g},{HEIGHT} {line} {last:g},{HEIGHT}"/>'
        f'<line class="level" x1="0" x2="{WIDTH}" y1="{HEIGHT / 2:g}" y2="{HEIGHT / 2:g}"/>'
        f'<polyline class="line" points="{line}"/>{dots}<line class="here" x1="0" x2="0" y1="0" y2="{HEIGHT}"/></svg>'
    )


def place_of(ply: int, plies: int) -> float:
    """Where a move stands along the drawing."""
    return round((ply - 0.5) * WIDTH / plies, 1)


def _height(expectation: float) -> float:
    return round((1 - expectation) * HEIGHT, 1)
