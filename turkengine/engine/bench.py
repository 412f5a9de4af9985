"""The standing measurement: fixed positions of every game, searched to a fixed depth by one thread with a fresh table.

Two things come of it. The speed, in nodes per second of processor time, which a busy machine distorts least. And the
signature, a fingerprint of how many nodes each position took: a change that only tidies up must leave it as it is, a
change of the search cannot. The positions, in Hub form, and the depth are in `bench.json` of each game; a game without
that file is not measured unless it is asked for, and then from its start.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from turkengine import games
from turkengine.engine.kernel_types import Kernel, RawReport, load_kernel
from turkengine.notation.hub import parse_hub
from turkengine.rules.variant import Variant

USUAL_DEPTH = 9  # of a game without positions of its own
TABLE_SIZE = 16  # MiB; small enough to be cleared before each position
HEAD = f"{'':14}{'positions':>10}{'depth':>6}{'nodes':>14}{'nodes/s':>13}{'CPU s':>9}  signature"


@dataclass(frozen=True)
class BenchResult:
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
    variants: Iterable[Variant] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[str]:
    """The table as it grows, line by line; the sum comes last.

    Args:
        load: gives the kernel of a variant.
        depth: in place of the usual one of each game.
        variants: the games to be measured; all that have positions for it if None.
        stopped: asked before each position; the table ends where it says so.
    """
    results: list[BenchResult] = []
    yield HEAD
    for variant in variants if variants is not None else measured_games():
        result = measure(load(variant), variant, depth, stopped)
        if result is None:
            yield "stopped"
            return
        results.append(result)
        yield str(result)
    nodes = tuple(count for result in results for count in result.nodes)
    yield str(BenchResult("total", None, nodes, sum(result.seconds for result in results)))


def measured_games() -> list[Variant]:
    """The games that have positions for the measurement."""
    return [variant for variant in games.VARIANTS if _standing(variant) is not None]


def _standing(variant: Variant) -> dict[str, Any] | None:
    return games.measured(variant, "bench", depth=int, positions=list)


def measure(
    kernel: Kernel, variant: Variant, depth: int | None = None, stopped: Callable[[], bool] = lambda: False
) -> BenchResult | None:
    """Search the positions of one game one after another; None if `stopped` said so."""
    standing = _standing(variant) or {"depth": USUAL_DEPTH, "positions": []}
    depth = depth or int(standing["depth"])
    table = kernel.Table(TABLE_SIZE)
    searcher = kernel.Searcher(table)
    nodes, seconds = [], 0.0
    setups = [parse_hub(variant, text) for text in standing["positions"]]
    starts = [kernel.Position.from_cells(setup.cells, setup.side) for setup in setups]
    for position in starts or [kernel.Position.start()]:
        if stopped():
            return None
        table.clear()
        searcher.new_game()
        searcher.prepare()
        reports: list[tuple[Any, ...]] = []
        began = time.thread_time()
        searcher.run(position, depth=depth, on_report=reports.append)
        seconds += time.thread_time() - began
        nodes.append(RawReport(*reports[-1]).nodes)
    return BenchResult(variant.name, depth, tuple(nodes), seconds)
