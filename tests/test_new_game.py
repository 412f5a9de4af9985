"""A game that is not among ours, made as `turkengine/training/README.md` says: a folder with a declaration, no more.

It is built in a copy of the sources, played by hand-made values, learnt from games against itself, and played again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DECLARATION = '''"""Turkish draughts on a board of eight by six with men on one rank."""

from dataclasses import replace

from turkengine.games import turkish
from turkengine.rules.board import Board

VARIANT = replace(
    turkish.VARIANT,
    name="toy-game",
    place=99,
    title="A toy",
    board=Board(files=8, ranks=6, dark_only=False),
    home_ranks=range(1, 2),
    game_type=None,
)
'''
PERFT = """
from turkengine import games, kernel
from turkengine.rules.position import Position

def count(position, plies):
    moves = position.legal_moves()
    return len(moves) if plies == 1 else sum(count(position.play(move), plies - 1) for move in moves)

toy = games.variant_named("toy-game")
fast = kernel.load(toy).Position.start()
print(*(fast.perft(depth) == count(Position.start(toy), depth) for depth in range(1, 5)))
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with the folder of a new game, built for that game alone."""
    folder = tmp_path_factory.mktemp("sources")
    ignored = shutil.ignore_patterns("*.so", "*.c", "_*.h", "_*.pyx", "__pycache__")
    for name in ("turkengine", "scripts"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "setup.py", folder)
    toy = folder / "turkengine" / "games" / "toy_game"
    toy.mkdir()
    (toy / "__init__.py").write_text(DECLARATION, "utf-8")
    build(folder)
    return folder


def build(folder: Path) -> None:
    """Compile the kernel of the new game where its sources are; quickly, since nothing is measured."""
    environment = {**os.environ, "TURKENGINE_GAMES": "toy-game", "CFLAGS": "-O1"}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", "--force"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr


def run(folder: Path, *arguments: str, text: str = "") -> str:
    """What Python writes with these arguments, the copy of the sources being the package."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("PYTHONSAFEPATH", None)
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def toy(folder: Path, *arguments: str, text: str = "") -> str:
    """What a command of turkengine writes there."""
    return run(folder, "-m", "turkengine", *arguments, text=text)


def test_is_a_game_of_every_command_by_its_folder_alone(sources: Path) -> None:
    assert ["toy-game", "A", "toy"] in [line.split() for line in toy(sources, "variants").splitlines()]
    assert run(sources, "-c", PERFT).split() == ["True"] * 4
    answer = toy(sources, "uci", "--set", "variant=toy-game", "--set", "hash=1", text="position startpos\ngo depth 6\n")
    assert answer.splitlines()[-1].startswith("bestmove ")
    assert "toy-game" in toy(sources, "bench", "--variant", "toy-game", "--depth", "5")


def test_says_what_has_not_been_measured(sources: Path) -> None:
    conversation = "uci\nsetoption name Skill Level value 3\nsetoption name Hash value 1\nisready\nquit\n"
    answer = toy(sources, "uci", "--set", "variant=toy-game", text=conversation)
    assert "option skill-level: the levels of toy-game have not been measured" in answer


def test_is_learnt_from_its_own_games(sources: Path) -> None:
    pytest.importorskip("numpy")
    pytest.importorskip("scipy")
    weights = sources / "turkengine" / "games" / "toy_game" / "evaluation.weights"
    toy(sources, "train", "generate", "toy-game", "--games", "40", "--nodes", "500", "--jobs", "1", "-o", "toy.games")
    toy(sources, "train", "fit", "toy-game", "toy.games", "--units", "16", "--rounds", "1", "-o", str(weights))
    build(sources)
    answer = toy(sources, "uci", "--set", "variant=toy-game", "--set", "hash=1", text="position startpos\ngo depth 6\n")
    assert answer.splitlines()[-1].startswith("bestmove ")


def test_weights_of_another_game_are_refused(sources: Path) -> None:
    folder = sources / "turkengine" / "games"
    done = run(
        sources,
        "-c",
        "from turkengine.errors import WeightsError; from turkengine.games import variant_named\n"
        "from turkengine.kernel.weights import read\nfrom pathlib import Path\n"
        f"try: read(Path({str(folder / 'croda' / 'evaluation.weights')!r}), variant_named('turkish'))\n"
        "except WeightsError as error: print(error)",
    )
    assert "croda/evaluation.weights holds weights of 'croda', not of turkish" in done
