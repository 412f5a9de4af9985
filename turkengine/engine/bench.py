"""The standing measurement: fixed positions of every game, searched to a fixed depth by one thread with a fresh table.

Two things come of it. The speed, in nodes per second of processor time, which a busy machine distorts least. And the
signature, a fingerprint of how many nodes each position took: a change that only tidies up must leave it as it is, a
change of the search cannot. The positions, in Hub form, and depths are in bench.json.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turkengine.engine.contract import Kernel, RawReport, load_kernel
from turkengine.games import VARIANTS
from turkengine.notation.hub import parse_hub
from turkengine.rules.variant import Variant

TABLE_SIZE = 16  # MiB; small enough to be cleared before each position
HEAD = f"{'':14}{'positions':>10}{'depth':>6}{'nodes':>14}{'nodes/s':>13}{'CPU s':>9}  signature"


@dataclass(frozen=True)
class Result:
    """What one game, or all of them together, took.

    Attributes:
        name: of the variant, or "total".
        depth: of each search, None where there are several.
        nodes: for each position.
        seconds: of processor time.
    """

    name: str
    depth: int | None
    nodes: tuple[int, ...]
    seconds: float

    @property
    def signature(self) -> str:
        """A fingerprint of the node counts."""
        return f"{zlib.crc32(' '.join(map(str, self.nodes)).encode('ascii')):08x}"

    def __str__(self) -> str:
        nodes = sum(self.nodes)
        speed = nodes / self.seconds if self.seconds > 0 else 0.0
        depth = "" if self.depth is None else str(self.depth)
        return (
            f"{self.name:14}{len(self.nodes):>10}{depth:>6}{nodes:>14,}{speed:>13,.0f}{self.seconds:>9.3f}"
            f"  {self.signature}"
        )


def lines(
    load: Callable[[Variant], Kernel] = load_kernel,
    depth: int | None = None,
    variants: Iterable[Variant] = VARIANTS,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[str]:
    """The table as it grows, line by line; the sum comes last.

    Args:
        load: gives the kernel of a variant.
        depth: in place of the usual one of each game.
        variants: the games to be measured.
        stopped: asked before each position; the table ends where it says so.
    """
    results: list[Result] = []
    yield HEAD
    for variant in variants:
        result = measure(load(variant), variant, depth, stopped)
        if result is None:
            yield "stopped"
            return
        results.append(result)
        yield str(result)
    nodes = tuple(count for result in results for count in result.nodes)
    yield str(Result("total", None, nodes, sum(result.seconds for result in results)))


def measure(
    kernel: Kernel, variant: Variant, depth: int | None = None, stopped: Callable[[], bool] = lambda: False
) -> Result | None:
    """Search the positions of one game one after another; None if `stopped` said so."""
    standing = json.loads(Path(__file__).with_name("bench.json").read_text("utf-8"))[variant.name]
    depth = depth or int(standing["depth"])
    table = kernel.Table(TABLE_SIZE)
    searcher = kernel.Searcher(table)
    nodes, seconds = [], 0.0
    for text in standing["positions"]:
        if stopped():
            return None
        setup = parse_hub(variant, text)
        position = kernel.Position.from_cells(setup.cells, setup.side)
        table.clear()
        searcher.new_game()
        searcher.prepare()
        reports: list[tuple[Any, ...]] = []
        began = time.thread_time()
        searcher.run(position, depth=depth, on_report=reports.append)
        seconds += time.thread_time() - began
        nodes.append(RawReport(*reports[-1]).nodes)
    return Result(variant.name, depth, tuple(nodes), seconds)
