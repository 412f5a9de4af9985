"""pydraughts plays over DXP with an engine that listens, as its users would; its moves are judged by our rules.

This client loses messages that arrive together, never says that a game is over, and leaves with `E01`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clients import playing

from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.notation import fen
from turkengine.rules.outcome import outcome

DRIVER = "drive_pydraughts_dxp.py"
LONGEST = 30  # s for the engine to see that the client has gone


class Listening:
    """The engine as a process of its own that listens."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "turkengine", "dxp", "--listen", "0", "--nodes", "2000", "--games", "1"]
        environment = {**os.environ, "XDG_CONFIG_HOME": str(home), "APPDATA": str(home), "HOME": str(home)}
        self.process = subprocess.Popen(
            [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def over(self) -> str:
        """The line of the game, after which the engine ends."""
        output, _ = self.process.communicate(timeout=LONGEST)
        (line,) = [line for line in output.splitlines() if line.startswith("game 1: ")]
        return line


@pytest.fixture
def listen(tmp_path: Path) -> Iterator[Callable[..., Listening]]:
    started: list[Listening] = []

    def start(*arguments: str) -> Listening:
        started.append(Listening(tmp_path, *arguments))
        return started[-1]

    yield start
    for engine in started:
        engine.process.kill()
        engine.process.communicate()


@pytest.fixture
def python() -> str:
    return playing.interpreter("TURKENGINE_PYDRAUGHTS")


@pytest.mark.parametrize("seed", [0, 1])
def test_a_whole_international_game_is_played_and_won(
    seed: int, python: str, listen: Callable[..., Listening], tmp_path: Path
) -> None:
    engine = listen()
    game = playing.drive(python, DRIVER, engine.port, "chance", seed, home=tmp_path)
    ours = playing.mover(seed % 2)
    _, end = playing.replay(INTERNATIONAL, game["moves"])
    assert end is not None
    assert end.winner is ours
    assert game["name"].startswith("turkengine ")
    assert engine.over().startswith(f"game 1: {'0-2' if seed else '2-0'}, {end.reason.value} (")


def test_the_client_understands_the_moves_of_a_turkish_opening(
    python: str, listen: Callable[..., Listening], tmp_path: Path
) -> None:
    engine = listen("--variant", "turkish")
    game = playing.drive(python, DRIVER, engine.port, "turkish", home=tmp_path)
    position, _ = playing.replay(TURKISH, game["moves"])
    assert len(game["moves"]) == 12
    assert outcome(position) is None
    assert engine.over().startswith("game 1: *, the opponent ends the game (White turkengine ")


def test_a_position_is_set_up(python: str, listen: Callable[..., Listening], tmp_path: Path) -> None:
    engine = listen()
    game = playing.drive(python, DRIVER, engine.port, "set-up", home=tmp_path)
    assert len(game["moves"]) == 4
    position = fen.read(INTERNATIONAL, "B:WK50,45:B20,12")
    for text in game["moves"]:
        position = position.play(playing.moves.read(position, text))
    assert "Black turkengine " in engine.over()


def test_moves_are_taken_back(python: str, listen: Callable[..., Listening], tmp_path: Path) -> None:
    engine = listen()
    game = playing.drive(python, DRIVER, engine.port, "back", home=tmp_path)
    assert game["accepted"] == [True, True]
    assert game["back"] == 1
    playing.replay(INTERNATIONAL, game["first"])
    playing.replay(INTERNATIONAL, game["moves"])
    assert len(game["moves"]) == len(game["first"]) == 3
    assert game["moves"][1] != game["first"][1]
    assert engine.over().endswith("2 moves)")
