"""Engines for the tests of clients: ours as a process, and fakes that misbehave."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from turkengine.client.lines import LineClient
from turkengine.client.naming import TALKS
from turkengine.games import INTERNATIONAL
from turkengine.notation import moves
from turkengine.rules.position import Position

FAKE = Path(__file__).with_name("fake_engine.py")
START = Position.start(INTERNATIONAL)
LONGEST = 60.0  # s for anything awaited; what takes longer hangs


def command(*words: str) -> str:
    """A command line that a client takes apart into these words."""
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)


def ours(dialect: str, *settings: str) -> str:
    """The command that starts our own engine, wherever the tests run."""
    start = "import sys; from turkengine.cli import main; sys.exit(main())"
    presets = [word for setting in settings for word in ("--set", setting)]
    return command(sys.executable, "-c", start, dialect, "--config", "none.toml", *presets)


def fake_command(dialect: str, mischief: str, *texts: str) -> str:
    """The command that starts a fake engine with a mischief."""
    return command(sys.executable, str(FAKE), dialect, mischief, *(texts or ("31-26", "31-27")))


def fake(mischief: str, *texts: str, dialect: str = "hub", **arguments: object) -> LineClient:
    """A client of a fake engine."""
    return LineClient(fake_command(dialect, mischief, *texts), TALKS[dialect], **arguments)  # type: ignore[arg-type]


def after(*texts: str) -> Position:
    """The position after moves from the start, with its history."""
    position = START
    for text in texts:
        position = position.play(moves.read(position, text))
    return position
