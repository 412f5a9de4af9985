"""From games to weights: the files, games that can be repeated, and a fit that finds what was put in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from kernel import positions

from turkengine import commands
from turkengine.kernel import weights
from turkengine.rules.position import Position
from turkengine.rules.variant import Side
from turkengine.rules.variants import CRODA, INTERNATIONAL, TURKISH, Variant
from turkengine.training import dataset, selfplay
from turkengine.training.features import Features, features
from turkengine.training.fit import Weights, fit, slope_of
from turkengine.training.patterns import STATES, placements
from turkengine.training.publish import publish

NODES = 500


def records(variant: Variant, games: int, seed: int = 1) -> dataset.Records:
    player = selfplay.Player(variant, NODES)
    return np.array([one for number in range(games) for one in player.game(seed, number)], dtype=dataset.RECORD)


class TestGames:
    @pytest.mark.parametrize("variant", [INTERNATIONAL, CRODA], ids=lambda variant: variant.name)
    def test_are_the_same_for_a_seed_and_a_number(self, variant: Variant) -> None:
        first, second = selfplay.Player(variant, NODES), selfplay.Player(variant, NODES)
        second.game(1, 7)
        assert first.game(1, 3) == second.game(1, 3)
        assert first.game(1, 3) != first.game(2, 3)

    def test_keep_quiet_positions_with_the_result_from_whites_side(self) -> None:
        kept = records(TURKISH, 3)
        assert set(np.unique(kept["result"])) <= {-1, 0, 1}
        assert np.abs(kept["score"]).max() <= selfplay.KEPT
        assert not (kept["white"] & kept["black"]).any()
        for name in ("result", "game"):
            changes = np.flatnonzero(np.diff(kept[name].astype(int)))
            assert set(changes) <= set(np.flatnonzero(np.diff(kept["game"].astype(int))))


class TestFiles:
    def test_cut_off_in_the_middle_are_read_to_the_last_whole_record(self, tmp_path: Path) -> None:
        path, kept = tmp_path / "games", records(CRODA, 2)
        path.write_bytes(kept.tobytes() + b"rest")
        assert np.array_equal(np.asarray(dataset.read(path)), kept)

    def test_without_a_record_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "games"
        path.write_bytes(b"too short")
        with pytest.raises(ValueError, match="holds no positions"):
            dataset.read(path)

    def test_go_on_with_the_game_that_was_not_whole(self, tmp_path: Path) -> None:
        path, kept = tmp_path / "games", records(CRODA, 3)
        path.write_bytes(kept.tobytes()[:-40])
        assert dataset.whole_games(path) == 2
        assert np.array_equal(np.asarray(dataset.read(path)), kept[kept["game"] < 2])
        assert dataset.whole_games(tmp_path / "none") == 0

    def test_of_weights_are_read_as_they_were_written(self, tmp_path: Path) -> None:
        tables = 1 + max(one.table for one in placements(TURKISH.board))
        values = np.random.default_rng(1).normal(size=(2, tables * STATES)).astype(np.float32)
        others = np.random.default_rng(2).normal(size=(2, 2 + 64)).astype(np.float32)
        path = tmp_path / "turkish.weights"
        publish(path, TURKISH, Weights(values, others), (3, 8), {})
        read = weights.read(path, TURKISH)
        written = np.frombuffer(read.tables, dtype=np.int16).reshape(-1, 2).T
        assert np.array_equal(written, np.round(100 * values))
        assert read.man == np.round(100 * others[:, 0]).tolist()
        assert (read.holding_pieces, read.holding_divisor) == (3, 8)


@pytest.mark.parametrize("variant", [INTERNATIONAL, TURKISH, CRODA], ids=lambda variant: variant.name)
def test_what_the_fit_counts_is_what_the_kernel_counts(variant: Variant) -> None:
    """The evaluation once more, in numpy, from the file that the kernel has read: equal but for rounding at the end."""
    read = weights.read_weights(variant)
    tables = np.frombuffer(read.tables, dtype=np.int16).reshape(-1, 2).T.astype(np.float32)
    others = np.concatenate([[read.man, read.to_move], read.kings]).T.astype(np.float32)
    kept = records(variant, 3)
    kept = kept[::5]
    values = Weights(tables, others).values(features(variant, kept))
    for record, value in zip(kept, values, strict=True):
        side = Side.BLACK if record["side"] else Side.WHITE
        position = positions.compiled(Position(variant, letters(variant, record), side))
        evaluation = position.evaluate() if position.side is Side.WHITE else -position.evaluate()
        held = any(sum(position.count(side)) <= read.holding_pieces for side in Side)
        assert held or abs(evaluation - value) <= 2, position


def letters(variant: Variant, record: np.void) -> str:
    white, black, kings = int(record["white"]), int(record["black"]), int(record["kings"])
    return "".join(
        ("W" if kings >> square & 1 else "w")
        if white >> square & 1
        else ("B" if kings >> square & 1 else "b")
        if black >> square & 1
        else "e"
        for square in range(variant.board.size)
    )


def test_the_fit_finds_weights_that_made_the_results() -> None:
    data = features(CRODA, records(CRODA, 30))
    dice = np.random.default_rng(1)
    truth = np.zeros((2, data.counts.shape[1]), dtype=np.float32)
    truth[:, 0], truth[:, 2:] = 1.5, 4.0
    chance = 1 / (1 + np.exp(-0.8 * (data.counts @ truth[0])))
    won = (dice.random(len(chance)) < chance).astype(np.float32)
    scores = (np.log(chance / (1 - chance)) / 0.8).astype(np.float32)
    planted = Features(data.states, data.signs, data.counts, data.opening, won, scores)
    found = fit(CRODA, planted, planted, slope=slope_of(planted), blend=1.0, pull=1000.0, rounds=60)
    assert np.corrcoef(found.values(planted), data.counts @ truth[0])[0, 1] > 0.99


def turkengine(*words: str) -> str:
    """What a command prints, run as a user runs it: `generate` starts processes of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "turkengine", *words], capture_output=True, encoding="utf-8", timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_make_weights_from_nothing(tmp_path: Path) -> None:
    games, made, plot = tmp_path / "croda.games", tmp_path / "croda.weights", tmp_path / "losses.svg"
    order = ("train", "generate", "croda", "--nodes", "500", "--jobs", "1", "-o", str(games))
    assert "10 games and" in turkengine(*order, "--games", "10")
    assert "13 games and" in turkengine(*order, "--games", "22"), "the last one may not have been whole"
    told = turkengine("train", "fit", "croda", str(games), "--rounds", "12", "--plot", str(plot), "-o", str(made))
    assert "round   10: loss 0." in told
    assert plot.read_text().startswith("<?xml")
    assert made.stat().st_size > 1000


def test_too_few_games_are_named(tmp_path: Path) -> None:
    games = tmp_path / "few"
    games.write_bytes(records(CRODA, 1).tobytes())
    result = CliRunner().invoke(commands.turkengine, ["train", "fit", "croda", str(games), "-o", str(tmp_path / "w")])
    assert result.exit_code == 2
    assert "20 games or more" in result.output
