"""How strong the levels are: games that can be repeated, and the ratings that follow from results."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from turkengine import commands
from turkengine.engine.handicap import ANCHOR, ANCHOR_NODES, HIGHEST
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, Variant
from turkengine.training import levels
from turkengine.training.levels import LevelPairing, LevelPlayer, LevelResult


def test_a_pair_of_games_is_the_same_for_a_seed_and_its_number() -> None:
    first, second = LevelPlayer(TURKISH, 1), LevelPlayer(TURKISH, 1)
    second.pair(LevelPairing(3, 4, 9))
    assert first.pair(LevelPairing(2, 5, 1)) == second.pair(LevelPairing(2, 5, 1))


@pytest.mark.parametrize("variant", [INTERNATIONAL, TURKISH, CRODA], ids=lambda variant: variant.name)
def test_a_much_higher_level_wins(variant: Variant) -> None:
    player = LevelPlayer(variant, 1)
    assert sum(player.pair(LevelPairing(0, 14, number)).points for number in range(4)) >= 6.5


def test_every_level_meets_the_two_above_it() -> None:
    wanted = levels.pairings(2)
    assert len(wanted) == len(set(wanted)) == 2 * (HIGHEST + HIGHEST - 1)
    assert LevelPairing(0, 2, 1) in wanted
    assert LevelPairing(HIGHEST - 1, HIGHEST, 0) in wanted


def test_ratings_explain_the_results_and_end_at_the_anchor() -> None:
    """Each level scores three quarters against the one below it: 191 Elo."""
    played = [LevelResult(pairing, 1.5) for pairing in levels.pairings(200) if pairing.upper - pairing.lower == 1]
    elo = levels.ratings(played)
    assert elo[-1] == ANCHOR
    assert all(188 <= upper - lower <= 193 for lower, upper in pairwise(elo))


def test_levels_that_have_lost_to_lower_ones_are_put_in_order() -> None:
    played = [LevelResult(pairing, 0.5 if pairing.lower == 7 else 1.5) for pairing in levels.pairings(3)]
    elo = levels.ratings(played)
    assert elo == sorted(set(elo))
    assert elo[-1] == ANCHOR


def test_a_file_holds_the_ratings_of_one_game_and_how_they_were_made(tmp_path: Path) -> None:
    path = tmp_path / "levels.json"
    for elo in ([1, 2], [3, 4]):
        levels.check(path)
        levels.write(path, elo, {"pairs": 1, "seed": 1})
    assert json.loads(path.read_text()) == {"elo": [3, 4], "anchor_nodes": ANCHOR_NODES, "pairs": 1, "seed": 1}


def test_the_command_writes_nothing_that_nobody_has_named() -> None:
    for command in (["levels", "croda"], ["tune", "croda"]):
        done = CliRunner().invoke(commands.turkengine, ["train", *command])
        assert (done.exit_code, "Missing option '-o' / '--output'" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("name", "message"),
    [("none/x.json", "cannot be written: No such file or directory"), ("y.json", "y.json is not a file of levels")],
)
def test_the_command_refuses_a_file_before_it_plays(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "y.json").write_text("[]")
    done = CliRunner().invoke(commands.turkengine, ["train", "levels", "croda", "-o", str(tmp_path / name)])
    assert (done.exit_code, message in done.output) == (2, True)
    assert (tmp_path / "y.json").read_text() == "[]"


def test_the_help_says_which_commands_need_more_libraries() -> None:
    told = " ".join(CliRunner().invoke(commands.turkengine, ["train", "--help"]).output.split())
    assert "generate, fit and chances need numpy and scipy" in told
    assert "levels and tune need nothing more" in told


def test_the_command_writes_the_ratings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "results", lambda *_: (LevelResult(pairing, 1.5) for pairing in levels.pairings(1)))
    path = tmp_path / "levels.json"
    done = CliRunner().invoke(commands.turkengine, ["train", "levels", "croda", "--pairs", "1", "-o", str(path)])
    assert done.exit_code == 0, done.output
    assert "croda: Elo of levels 0 to 19: " in done.output
    assert json.loads(path.read_text())["elo"][-1] == ANCHOR
