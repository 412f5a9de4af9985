"""What the tests with real clients share: finding the client, starting the engine as it does, judging the game.

Each client is a package in a virtual environment of its own, which `scripts/test` makes and names in an environment
variable. A small driver runs there: it lets the client play whole games with the engine and prints what happened as
JSON, and the test judges that with our rules.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from turkengine.notation import moves
from turkengine.rules.outcome import Outcome, outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

DRIVERS = Path(__file__).parent
LONGEST = 100  # s for a driver with all its games


def interpreter(variable: str) -> str:
    """The Python of the client; the test is skipped where there is none, and fails where there has to be one."""
    found = os.environ.get(variable, "")
    if not found:
        missing = f"{variable} names no Python with this client; scripts/test installs it"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found


def engine(folder: Path, *settings: str) -> Path:
    """A program that is the engine with options preset, as users give it to a client that takes nothing but a path."""
    if os.name == "nt":
        pytest.skip("the program that starts the engine is written for a POSIX shell")
    presets = [word for setting in settings for word in ("--set", setting)]
    path = folder / "engine"
    path.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-m", "turkengine"])} "$@" {shlex.join(presets)}\n')
    path.chmod(0o755)
    return path


def drive(python: str, driver: str, *arguments: object, home: Path) -> Any:
    """What the driver has printed."""
    environment = {**os.environ, "XDG_CONFIG_HOME": str(home), "HOME": str(home)}  # no settings of the user
    result = subprocess.run(
        [python, str(DRIVERS / driver), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=LONGEST,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout)


def legal_positions(variant: Variant, texts: list[str]) -> list[Position]:
    """The positions of a game from its start, all of whose moves must be legal."""
    positions = [Position.start(variant)]
    for text in texts:
        positions.append(positions[-1].play(moves.read(positions[-1], text)))
    return positions


def replay(variant: Variant, texts: list[str]) -> tuple[Position, Outcome | None]:
    """The position at the end of a game that must not go on beyond its end, and its outcome."""
    *before, last = legal_positions(variant, texts)
    for ply, position in enumerate(before):
        assert outcome(position) is None, f"the game is over after {ply} plies, and {texts[ply]} is played"
    return last, outcome(last)


def mover(ply: int) -> Side:
    """Who makes the move of this index in a game from the start."""
    return Side.BLACK if ply % 2 else Side.WHITE
