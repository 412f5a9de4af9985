"""Building an opening book: best-first expansion, scores backed up to the start (Lincke's drop-out expansion, 2001).

The book grows from the start position. Expanding a position means searching each position that a legal move leads to,
every one with so many nodes and an empty table. The scores are backed up, and then those positions are expanded next
whose lines have lost least: each move costs what it loses against the best one there, and a little more for its ply. So
good lines become long, and bad replies are known as far as they are likely.

Searches are the only thing that takes time, so they alone are kept, in a file that grows line by line. Built again from
it the book grows the same way up to where it was interrupted, and on from there; neither the number of processes nor an
interruption changes anything.
"""

from __future__ import annotations

import heapq
import json
import re
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from turkengine.engine.book import MOST_PLIES, BookEntry
from turkengine.engine.kernel_types import KernelPosition, load_kernel
from turkengine.engine.score import WIN
from turkengine.errors import BookError, shown
from turkengine.kernel.weights import weights_file
from turkengine.rules.variant import Side, Variant
from turkengine.training.bookreading import over
from turkengine.training.selfplay import SelfPlayer

LINE = re.compile("([0-9a-f]{16}) (-?[0-9]{1,5})")  # of the file of searches: a key and a score
TOGETHER = 16  # positions expanded at a time, however many processes there are

Place = tuple[str, str]
"""Cells and side, as a process is sent a position."""


@dataclass(frozen=True)
class Recipe:
    """All that a book depends on, beside the rules and the search.

    Attributes:
        positions: how many are expanded.
        nodes: of each search.
        margin: hundredths of a man; moves that lose more are left out of the book, unless they were expanded.
        ply_cost: hundredths of a man that a ply adds to what a line has lost: more makes the book broader.
    """

    positions: int
    nodes: int
    margin: int
    ply_cost: int


@dataclass
class _Node:
    """A position of the book that is being built."""

    position: KernelPosition
    plies: int
    searched: int  # the score of its own search
    value: int  # backed up
    children: list[int] | None = None  # keys of those after it that are further from the start; None: not expanded
    over: bool = False


class Builder:
    """A book that grows."""

    def __init__(self, variant: Variant, recipe: Recipe) -> None:
        """Only the start position is known."""
        self._variant, self._recipe = variant, recipe
        start = load_kernel(variant).Position.start()
        self.start = start.key
        self._nodes = {start.key: _Node(start, 0, 0, 0)}
        self.expanded = 0

    def grow(
        self, search: Callable[[Sequence[tuple[int, Place]]], dict[int, int]], on_growth: Callable[[int], None]
    ) -> None:
        """Expand as many positions as the recipe says, or all that there are.

        Args:
            search: gives the scores of positions by their keys.
            on_growth: called with how many have been expanded.
        """
        while self.expanded < self._recipe.positions:
            chosen = self._next(min(TOGETHER, self._recipe.positions - self.expanded))
            if not chosen:
                return
            found = {key: self._behind(key) for key in chosen}
            new = {key: position for behind in found.values() for key, position in behind if key not in self._nodes}
            scores = search([(key, (one.cells, one.side.value)) for key, one in new.items() if one.outcome() is None])
            for key in chosen:
                self._expand(key, found[key], scores)
            self.expanded += len(chosen)
            self._back_up()
            on_growth(self.expanded)

    def entries(self) -> dict[int, BookEntry]:
        """What goes into the book."""
        kept: dict[int, BookEntry] = {}
        waiting = [self.start]
        while waiting:
            key = waiting.pop()
            node = self._nodes[key]
            if key in kept:
                continue
            children = node.children or []
            kept[key] = BookEntry(node.value, node.plies, bool(children))
            for child in children:
                behind = self._nodes[child]
                if behind.children or node.value + behind.value <= self._recipe.margin:
                    waiting.append(child)
        return kept

    def _behind(self, key: int) -> list[tuple[int, KernelPosition]]:
        """Where each legal move leads, without the counts of the game before; in an order that is always the same."""
        position = self._nodes[key].position
        legal = sorted(position.legal_moves(), key=lambda move: (move.origin, move.target, *sorted(move.captured)))
        maker = load_kernel(self._variant).Position
        after = [position.play(move) for move in legal]
        return [(one.key, maker.from_cells(one.cells, one.side)) for one in after]

    def _expand(self, key: int, behind: Sequence[tuple[int, KernelPosition]], scores: dict[int, int]) -> None:
        node = self._nodes[key]
        node.children = []
        for child, position in behind:
            if child not in self._nodes:
                end = over(position)
                score = scores[child] if end is None else end
                self._nodes[child] = _Node(position, node.plies + 1, score, score, over=end is not None)
            if self._nodes[child].plies > node.plies and child not in node.children:  # never back: there is no cycle
                node.children.append(child)

    def _back_up(self) -> None:
        """A position is worth what its best move is."""
        for node in sorted(self._nodes.values(), key=lambda node: -node.plies):
            if node.children:
                node.value = max(-self._nodes[child].value for child in node.children)

    def _next(self, most: int) -> list[int]:
        """The positions to be expanded next: those at the end of the lines that cost least, from the start on."""
        costs = {self.start: 0}
        waiting = [(0, self.start)]
        chosen: list[int] = []
        while waiting and len(chosen) < most:
            cost, key = heapq.heappop(waiting)
            node = self._nodes[key]
            if cost > costs[key]:
                continue
            if node.children is None:
                if not node.over and node.plies < MOST_PLIES - 1:
                    chosen.append(key)
                continue
            for child in node.children:
                further = cost + node.value + self._nodes[child].value + self._recipe.ply_cost
                if further < costs.get(child, further + 1):
                    costs[child] = further
                    heapq.heappush(waiting, (further, child))
        return chosen


@dataclass
class Searches:
    """The scores of positions searched, in a file beside the book, and the processes that search more.

    Attributes:
        known: by key, from the side to move.
    """

    variant: Variant
    nodes: int
    path: Path
    known: dict[int, int] = field(default_factory=dict)

    def load(self) -> None:
        """Take what the file holds; one that does not exist is begun.

        Raises:
            BookError: it is of another game, of searches of other lengths, or of other weights, or damaged.
        """
        head = json.dumps(
            {
                "format": "turkengine searches 1",
                "variant": self.variant.name,
                "nodes": self.nodes,
                "weights": f"{zlib.crc32(weights_file(self.variant)):08x}",
            }
        )
        if not self.path.exists() or not self.path.stat().st_size:
            self.path.write_text(head + "\n", "ascii")
            return
        first, *lines = self.path.read_text("ascii", errors="replace").split("\n")
        if first != head:
            raise BookError(f"{self.path} holds searches for another book; remove it, or name another file")
        whole = lines[:-1]  # the last one may have been cut off
        self.known = dict(self._read(number, line) for number, line in enumerate(whole, start=2))
        self.path.write_text("\n".join([head, *whole, ""]), "ascii")

    def _read(self, number: int, line: str) -> tuple[int, int]:
        found = LINE.fullmatch(line)
        if found is None or abs(int(found[2])) > WIN:
            raise BookError(
                f"{self.path} is damaged at line {number}: {shown(line)}; cut it off there, or remove the file"
            )
        return int(found[1], 16), int(found[2])

    def run(self, pool: ProcessPoolExecutor, wanted: Sequence[tuple[int, Place]]) -> dict[int, int]:
        """The scores of positions; those that are not known are searched, and kept."""
        new = [(key, place) for key, place in wanted if key not in self.known]
        if new:
            with self.path.open("a", encoding="ascii") as stream:
                for (key, _), score in zip(new, pool.map(_search, [place for _, place in new]), strict=True):
                    self.known[key] = score
                    stream.write(f"{key:016x} {score}\n")
                    stream.flush()
        return {key: self.known[key] for key, _ in wanted}


def build(variant: Variant, recipe: Recipe, path: Path, jobs: int, on_growth: Callable[[int], None]) -> Builder:
    """Build a book.

    Args:
        path: of the searches.
        jobs: processes that search.

    Raises:
        BookError: the searches in the file are not for this book.
        BrokenProcessPool: one of the processes has died.
    """
    searches = Searches(variant, recipe.nodes, path)
    searches.load()
    builder = Builder(variant, recipe)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (variant, recipe.nodes)) as pool:
        builder.grow(lambda wanted: searches.run(pool, wanted), on_growth)
    return builder


class Judge:
    """Searches positions of one variant, each as if it were the first."""

    def __init__(self, variant: Variant, nodes: int) -> None:
        """Searches of so many nodes."""
        self._player = SelfPlayer(variant, nodes)

    def score(self, place: Place) -> int:
        """From the side to move, in hundredths of a man."""
        cells, side = place
        self._player.new_game()
        return self._player.think(self._player.kernel.Position.from_cells(cells, Side(side)))[0]


_judge: Judge


def _begin(variant: Variant, nodes: int) -> None:
    global _judge
    _judge = Judge(variant, nodes)


def _search(place: Place) -> int:
    return _judge.score(place)
