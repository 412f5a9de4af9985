"""A match and an analysis killed again and again, by -9 and by TERM, and started again until they are done

The size is the number of games of each. In the end each game is there once and can be replayed.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from turkengine.notation import pdn

SIZE = 60
NODES = 2_000
LONGEST = 600.0  # s that one start may take
COMMAND = [sys.executable, "-m", "turkengine"]
SIGNALS = (signal.SIGKILL, signal.SIGTERM)


def run(size: int, folder: Path) -> str:
    """First the match, then its games are analysed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dice = random.Random(size)
    size += size % 2
    match = ["match", "A=builtin:hash=1", "B=builtin:hash=1", "--nodes", str(NODES), "--games", str(size)]
    match += ["--concurrency", "2", "--plain", "--db", "match.db", "--pdn", "match.pdn"]
    killed = survive(match, folder, dice)
    games = replayed(folder / "match.pdn")
    assert len(games) == size, f"{len(games)} games and not {size} in {folder / 'match.pdn'}"
    assert len(set(games)) == size, "a game is there twice"
    analysis = ["analyse", "match.pdn", "--nodes", str(NODES), "--quiet", "--db", "analysis.db"]
    analysis += ["--json", "analysis.json", "--pdn", "analysed.pdn"]
    killed += survive(analysis, folder, dice)
    lines = (folder / "analysis.json").read_text().splitlines()
    assert len(lines) == size, f"{len(lines)} games and not {size} in {folder / 'analysis.json'}"
    analysed = replayed(folder / "analysed.pdn")
    assert analysed == games, "the analysed games are others than those played"
    return f"{size} games played and analysed, each once, in spite of {killed} kills"


def survive(arguments: list[str], folder: Path, dice: random.Random) -> int:
    """Start a command and kill it, until it comes to its end before that; how often it was killed."""
    killed = 0
    patience = 1.0
    while True:
        with (folder / "log").open("ab") as log:
            process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, stdout=log, stderr=log)
        try:
            status = process.wait(dice.uniform(0.3, patience))
        except subprocess.TimeoutExpired:
            process.send_signal(SIGNALS[killed % 2])
            killed += 1
            patience *= 1.1  # a start that is killed before it gets to work brings nothing
            began = time.monotonic()
            process.wait(LONGEST)
            assert time.monotonic() - began < 10, f"{arguments[0]} took its time to end"
            continue
        assert status == 0, f"{arguments[0]} ended with {status}, see {folder / 'log'}"
        return killed


def replayed(path: Path) -> list[tuple[str, ...]]:
    """The games of a file, each as what names it and its moves, all of which are legal."""
    games = []
    for game in pdn.read_games(path):
        played = pdn.replay(game)
        assert played.fault is None, f"{path}: {played.fault}"
        assert played.moves, f"{path}: a game without moves"
        names = [game.tag(name) for name in ("Event", "Round", "White", "Black", "Result")]
        games.append((*names, *map(str, played.moves)))
    return games
