"""Searches of every kind in one process: its memory stays as it is

The size is the number of searches. Games, options, threads and tables change as they do in a long tournament. What the
process holds is looked at after a tenth of the searches and at the end.
"""

from __future__ import annotations

import gc
import os
import random
from pathlib import Path

from kernel import positions

from turkengine.engine.core import EngineCore
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.games import VARIANTS

SIZE = 30_000
MOST_GROWTH = 2 << 20  # bytes: what an allocator keeps for itself moves by some hundred kB


def run(size: int, folder: Path) -> str:
    """Search, and compare what the process holds."""
    dice = random.Random(1)
    warm = 0
    searches = [(positions.middle_game(variant, seed), variant) for variant in VARIANTS for seed in range(25)]
    with EngineCore(Options(hash=1)) as engine:
        for done in range(size):
            position, variant = dice.choice(searches)
            if done % 50 == 0:
                size_of_table, threads, lines = dice.choice((1, 2)), dice.choice((1, 2)), dice.choice((1, 3))
                engine.configure(Options(variant, hash=size_of_table, threads=threads, multi_pv=lines))
                engine.new_game()
            engine.start(position, Limits(nodes=dice.choice((1, 300, 3_000))), lambda report: None, lambda answer: None)
            assert engine.wait(60), "a search did not come to its end"
            if done == size // 10:
                warm = resident()
    growth = resident() - warm
    assert growth <= MOST_GROWTH, f"the process grew by {growth / (1 << 20):.1f} MiB in {size - size // 10} searches"
    return f"{size} searches, {warm >> 20} MiB at first and {growth / (1 << 20):+.1f} MiB at the end"


def resident() -> int:
    """Bytes that the process has in memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
