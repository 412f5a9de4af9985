"""Reads `data/games`: positions with all their legal moves, as public programs of these games give them.

Squares are numbered as a page is read from White's side, whatever the game itself calls them, and a position is in FEN
or in the letters of the Hub protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from turkengine.games import VARIANTS, variant_named
from turkengine.notation.fen import Setup, by_letters
from turkengine.rules.move import Move
from turkengine.rules.movegen import EMPTY, KING, MAN
from turkengine.rules.variant import Side, Variant

DATA = Path(__file__).parent.parent / "data" / "games"


@dataclass(frozen=True)
class Published:
    """A position and its legal moves: what joins the squares, from, to, and the captured squares in order."""

    variant: Variant
    setup: Setup
    moves: frozenset[tuple[str, int, int, tuple[int, ...]]]

    @property
    def has_too_many(self) -> bool:
        """Whether a side has more pieces than a game begins with, which no position may have."""
        cells = self.setup.cells.lower()
        return any(cells.count(MAN[side]) > self.variant.pieces_per_side for side in Side)

    def __str__(self) -> str:
        return f"{self.variant.name}: {self.setup.side.value} {self.setup.cells}"


def published() -> list[Published]:
    """All positions of the games that there are, those that show one rule first."""
    return [*_cases(), *_positions()]


def named(variant: Variant, move: Move) -> tuple[str, int, int, tuple[int, ...]]:
    """A move as `Published.moves` has it."""
    number = variant.board.reading_places.__getitem__
    captured = tuple(sorted(number(square) + 1 for square in move.captured))
    return ("x" if captured else "-"), number(move.origin) + 1, number(move.target) + 1, captured


def _cases() -> Iterator[Published]:
    names = {variant.name for variant in VARIANTS}
    for line in (DATA / "cases.tsv").read_text("utf-8").splitlines():
        name, position, legal, *_ = line.split("\t")
        if name in names:
            yield _published(variant_named(name), position, legal)


def _positions() -> Iterator[Published]:
    for path in sorted(DATA.glob("positions_*.tsv")):
        variant = variant_named(path.stem.removeprefix("positions_"))
        for line in path.read_text("utf-8").splitlines():
            yield _published(variant, *line.split("\t"))


def _published(variant: Variant, position: str, legal: str) -> Published:
    setup = _numbered(variant, position) if ":" in position else by_letters(variant, position)
    return Published(variant, setup, frozenset(map(_move, legal.split())))


def _move(text: str) -> tuple[str, int, int, tuple[int, ...]]:
    sign = "x" if "x" in text else "-"
    origin, target, *captured = map(int, text.split(sign))
    return sign, origin, target, tuple(sorted(captured))


def _numbered(variant: Variant, position: str) -> Setup:
    to_move, *fields = position.split(":")
    cells = [EMPTY] * variant.board.size
    for field in fields:
        for name in field[1:].split(","):
            letters = KING if name.startswith("K") else MAN
            cells[variant.board.reading_order[int(name.removeprefix("K")) - 1]] = letters[Side(field[0])]
    return Setup("".join(cells), Side(to_move))
