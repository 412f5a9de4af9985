"""pydraughts plays with the engine, as its users would: International and Turkish games from the first move to the end.

The client has a generator of its own for both games. In Turkish it lets a king jump over pieces without taking them, so
there it only carries the moves, and all moves are judged by our rules.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from clients import playing

from turkengine.engine.options import REGISTRY
from turkengine.games import INTERNATIONAL, TURKISH, VARIANTS
from turkengine.notation.hub import write_hub
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

DRIVER = "drive_pydraughts.py"


@pytest.fixture
def python() -> str:
    return playing.interpreter("TURKENGINE_PYDRAUGHTS")


@pytest.mark.parametrize("seed", [0, 1])
def test_a_whole_international_game_is_played_and_won(seed: int, python: str, tmp_path: Path) -> None:
    game = playing.drive(python, DRIVER, playing.engine(tmp_path), "chance", seed, home=tmp_path)
    ours = playing.mover(seed % 2)
    _, end = playing.replay(INTERNATIONAL, game["moves"])
    assert end is not None
    assert end.winner is ours
    assert game["winner"] == ours.value  # the client sees it as we do
    assert game["exit"] == 0
    engine_moves = [text for ply, text in enumerate(game["moves"]) if playing.mover(ply) is ours]
    assert len(game["infos"]) == len(engine_moves)
    assert all({"depth", "score", "nodes"} <= set(info) for info in game["infos"])
    assert any(info["score"].get("win", 0) > 0 for info in game["infos"])  # seen coming
    assert game["ponders"] >= len(engine_moves) // 2


def test_the_greeting_is_understood_and_every_limit_leads_to_a_move(python: str, tmp_path: Path) -> None:
    game = playing.drive(python, DRIVER, playing.engine(tmp_path, "hash=4"), "limits", home=tmp_path)
    assert game["id"]["name"] == "turkengine"
    assert game["variants"] == sorted(variant.hub_name or variant.name for variant in VARIANTS)
    assert set(game["options"]) == {option.name for option in REGISTRY if option.kind != "button"}
    playing.replay(INTERNATIONAL, game["moves"])
    assert len(game["moves"]) == 5
    assert game["exit"] == 0


def test_a_whole_turkish_game_is_played_with_numbered_squares(python: str, tmp_path: Path) -> None:
    engine = playing.engine(tmp_path, "variant=turkish", "square-names=numeric", "hash=4")
    game = playing.drive(python, DRIVER, engine, "turkish", home=tmp_path)
    assert game["start"] == write_hub(Position.start(TURKISH))
    positions = playing.legal_positions(TURKISH, game["moves"])
    assert any(outcome(position) is not None for position in positions), write_hub(positions[-1])
    assert all(square.isdecimal() for text in game["moves"] for square in text.replace("x", "-").split("-"))
    assert game["exit"] == 0


def test_the_client_understands_the_moves_of_a_turkish_opening(python: str, tmp_path: Path) -> None:
    engine = playing.engine(tmp_path, "variant=turkish", "square-names=numeric", "hash=4")
    game = playing.drive(python, DRIVER, engine, "opening", home=tmp_path)
    position, _ = playing.replay(TURKISH, game["moves"])
    assert (len(game["moves"]), position.side) == (12, Side.WHITE)
    assert game["exit"] == 0
