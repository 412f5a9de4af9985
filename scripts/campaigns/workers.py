"""A match and an analysis on a cluster of Dask whose workers are killed in the middle of their games

The size is the number of games of each. In the end each game is there once and can be replayed.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

from kills import COMMAND, LONGEST, SIGNALS, replayed

SIZE = 40
NODES = 20_000
WORKERS = 2


def run(size: int, folder: Path) -> str:
    """First the match, then its games are analysed."""
    from match.test_farm import Cluster  # not before it is known that Dask is there

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dice = random.Random(size)
    size += size % 2
    with Cluster(folder) as cluster:
        workers = cluster.hire(WORKERS)
        farm = ["--farm", cluster.address]
        match = ["match", "A=builtin:hash=1", "B=builtin:hash=1", "--nodes", str(NODES), "--games", str(size)]
        match += ["--plain", "--db", "match.db", "--pdn", "match.pdn"]
        killed = survive([*match, *farm], folder, cluster, workers, dice)
        games = replayed(folder / "match.pdn")
        assert len(set(games)) == len(games) == size, f"{len(games)} games and not {size} in {folder / 'match.pdn'}"
        analysis = ["analyse", "match.pdn", "--nodes", str(NODES), "--quiet", "--db", "analysis.db"]
        killed += survive([*analysis, "--pdn", "analysed.pdn", *farm], folder, cluster, workers, dice)
        assert replayed(folder / "analysed.pdn") == games, "the analysed games are others than those played"
    return f"{size} games played and analysed, each once, in spite of {killed} workers killed"


def survive(
    arguments: list[str], folder: Path, cluster: object, workers: list[subprocess.Popen[bytes]], dice: random.Random
) -> int:
    """Run a command to its end while workers are killed and others hired; how many were killed."""
    killed = 0
    until = time.monotonic() + LONGEST
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, stdout=log, stderr=log)
        while True:
            try:
                status = process.wait(dice.uniform(1, 5))
                break
            except subprocess.TimeoutExpired:
                assert time.monotonic() < until, f"{arguments[0]} does not come to its end, see {folder / 'log'}"
            doomed = workers.pop(dice.randrange(len(workers)))
            doomed.send_signal(SIGNALS[killed % 2])
            doomed.wait(LONGEST)
            killed += 1
            workers += cluster.hire(1)  # type: ignore[attr-defined]
    assert status == 0, f"{arguments[0]} ended with {status}, see {folder / 'log'}"
    return killed
