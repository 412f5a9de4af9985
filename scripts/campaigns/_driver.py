"""Everything that the kernel does, a number of times, in a process of its own: what the campaigns with watchers run.

    python _driver.py SIZE

The size is the number of positions of each game. With one thread every search is made twice and must come out the same.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from endgame.tables import every_position
from kernel import positions
from kernel.searching import iterations, search

from turkengine import kernel
from turkengine.endgame.build import build
from turkengine.games import VARIANTS
from turkengine.kernel import endgames
from turkengine.rules.variant import Variant

THREADS = 3
NODES = 4_000
MEMORY = 1 << 30  # bytes


def main(size: int) -> None:
    nodes = 0
    for variant in VARIANTS:  # first: a sanitizer names no function of what is loaded after its first report
        kernel.load(variant)
    for variant in VARIANTS:
        tables = [endings_of(variant, in_memory) for in_memory in (4 << 20, 0)]
        for seed in range(size):
            dice = random.Random(seed)
            nodes += examine(variant, positions.middle_game(variant, seed, plies=dice.randrange(60)), tables[0])
            nodes += examine(variant, positions.compiled(positions.thrown(variant, dice)), tables[0])
            nodes += examine(variant, positions.compiled(positions.thrown(variant, dice, most=4)), tables[seed % 2])
        with tempfile.TemporaryDirectory() as folder:
            solve(variant, Path(folder))
        print(variant.name, file=sys.stderr, flush=True)
    print(f"{nodes} nodes in 3 x {size} positions of each of {len(VARIANTS)} variants, and tables built")


def endings_of(variant: Variant, in_memory: int) -> Any:
    """The tables that come with the program, in memory or left on disk."""
    endgames.IN_MEMORY = in_memory
    endings, complaints = endgames.mount(kernel.load(variant), variant, [endgames.SHIPPED], 5)
    assert complaints == [], complaints
    return endings


def examine(variant: Variant, position: Any, endings: Any) -> int:
    """Count, search alone and together, stop from outside; the nodes of one thread."""
    module = kernel.load(variant)
    assert position.perft(2) == position.perft(2, True)
    endings.look_up(position)
    if position.outcome() is not None:
        return 0
    table = module.Table(1)
    by = module.Searcher(table)
    first = search(position, by, nodes=NODES, multi_pv=2, endings=endings)
    table.clear()
    by.new_game()
    again = search(position, by, nodes=NODES, multi_pv=2, endings=endings)
    assert iterations(again) == iterations(first), f"the same search twice differs: {position}"
    search(position, by, nodes=THREADS * NODES, threads=THREADS, endings=endings, contempt=10)
    by.prepare()
    stopper = threading.Timer(0.01, by.stop)
    stopper.start()
    by.run(position, threads=2, depth=60, on_report=lambda fields: by.current_move())
    stopper.join()
    return first[-1].nodes if first else 0  # the first iteration of a board full of captures takes more


def solve(variant: Variant, folder: Path) -> None:
    """Build the smallest tables by several threads, and ask the search about them."""
    module = kernel.load(variant)
    shipped, endgames.SHIPPED = endgames.SHIPPED, folder / "none"
    build(module, variant, 2, folder, jobs=THREADS, memory=MEMORY, on_built=lambda done: None)
    endgames.SHIPPED = shipped
    endings, complaints = endgames.mount(module, variant, [folder], 5)
    assert complaints == [], complaints
    for position in list(every_position(variant, "KvK"))[::211]:
        known = endings.look_up(position)
        assert known is not None
        if position.outcome() is None:
            search(position, nodes=200, endings=endings, threads=2)


if __name__ == "__main__":
    main(int(sys.argv[1]))
