"""Reads the data files that the tests of every generator share: `data/rules/*.txt` and `data/perft/*.perft`.

The files describe their own formats; this gives plain values, texts that each test reads in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from turkengine.rules.outcome import Outcome

DATA = Path(__file__).parent.parent / "data"


@dataclass
class Case:
    """One block of `positions.txt`; what the block does not claim is None or empty."""

    case: str = ""
    variant: str = ""
    article: str = ""
    position: str = ""
    line: tuple[str, ...] = ()
    moves: tuple[str, ...] | None = None
    count: int | None = None
    outcome: str | None = None
    reads: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    refuses: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.variant}: {self.case}"

    def claim(self, key: str, value: str) -> None:
        """Take in one line of the block."""
        if key in ("line", "moves"):
            setattr(self, key, tuple(value.split()))
        elif key in ("reads", "after", "refuses"):
            text, _, meaning = value.partition(" = ")
            getattr(self, key)[text] = meaning
        elif key in ("case", "variant", "article", "position", "outcome"):
            setattr(self, key, value)
        elif key == "count":
            self.count = int(value)
        else:
            raise ValueError(f"positions.txt: no case has a line {key!r}")


@dataclass(frozen=True)
class Perft:
    """One line of a `.perft` file: how many move sequences there are from a position, by depth."""

    variant: str
    position: str
    counts: dict[int, int]

    def up_to(self, leaves: int) -> dict[int, int]:
        """The depths with at most so many leaves."""
        return {depth: count for depth, count in self.counts.items() if count <= leaves}

    def __str__(self) -> str:
        return f"{self.variant}: {self.position[:40]}"


def positions() -> list[Case]:
    """All cases of `positions.txt`."""
    return list(_blocks(DATA / "rules" / "positions.txt"))


def perfts() -> list[Perft]:
    """All lines of all `.perft` files; the name of the file is that of the variant."""
    files = sorted((DATA / "perft").glob("*.perft"))
    return [_perft(path.stem, line) for path in files for line in _lines(path) if line]


def told(end: Outcome | None) -> str:
    """An outcome as `positions.txt` claims it."""
    if end is None:
        return "none"
    winner = "draw" if end.winner is None else end.winner.name.capitalize()
    return f"{winner}: {end.reason.value}"


def _blocks(path: Path) -> Iterator[Case]:
    block = Case()
    for line in [*_lines(path), ""]:
        if line:
            key, _, value = line.partition(":")
            block.claim(key, value.strip())
        elif block.case:
            yield block
            block = Case()


def _perft(variant: str, line: str) -> Perft:
    position, *depths = line.split(" ;D")
    return Perft(variant, position, {int(depth): int(count) for depth, count in map(str.split, depths)})


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line.strip()
