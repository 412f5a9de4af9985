"""py-draughts plays with the engine, as its users would: International games from the first move to the end.

This client gives the engine nothing but its path, sends no parameters, and loses lines that arrive together.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from clients import playing

from turkengine.engine.options import REGISTRY
from turkengine.games import INTERNATIONAL

DRIVER = "drive_py_draughts.py"


@pytest.fixture
def python() -> str:
    return playing.interpreter("TURKENGINE_PY_DRAUGHTS")


@pytest.mark.parametrize("seed", [0, 1])
def test_a_whole_international_game_is_played_and_won(seed: int, python: str, tmp_path: Path) -> None:
    game = playing.drive(python, DRIVER, playing.engine(tmp_path, "hash=4"), seed, home=tmp_path)
    ours = playing.mover(seed % 2)
    _, end = playing.replay(INTERNATIONAL, game["moves"])
    assert end is not None
    assert end.winner is ours
    assert game["result"] == ("1-0" if ours.value == "W" else "0-1")  # the client sees it as we do
    assert len(game["scores"]) == sum(playing.mover(ply) is ours for ply in range(len(game["moves"])))
    assert max(game["scores"]) > 99  # seen coming
    assert game["exit"] == 0


def test_the_greeting_is_understood_and_no_line_of_it_is_lost(python: str, tmp_path: Path) -> None:
    game = playing.drive(python, DRIVER, playing.engine(tmp_path, "hash=4"), 2, home=tmp_path)
    assert game["name"] == "turkengine"
    assert set(game["parameters"]) == {option.name for option in REGISTRY if option.kind != "button"}
    assert (game["parameters"]["variant"], game["parameters"]["hash"]) == ("normal", "4")
    assert game["ping"]
    playing.replay(INTERNATIONAL, [game["first_move_at_depth_six"]])
