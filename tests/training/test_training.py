"""From games to weights: the files, games that can be repeated, and a fit that finds what was put in."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from kernel import positions

from turkengine import commands
from turkengine.errors import WeightsError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, Variant
from turkengine.kernel import weights
from turkengine.kernel.settings import SETTINGS, values_of
from turkengine.rules.position import Position
from turkengine.rules.variant import Side
from turkengine.training import dataset, selfplay, tune
from turkengine.training.chances import fit_chances
from turkengine.training.features import features, mirrored
from turkengine.training.fit import fit, slope_of
from turkengine.training.network import Network, Pass
from turkengine.training.publish import publish

NODES = 500


def records(variant: Variant, games: int, seed: int = 1) -> dataset.Records:
    player = selfplay.SelfPlayer(variant, NODES)
    return np.array([one for number in range(games) for one in player.game(seed, number)], dtype=dataset.RECORD)


class TestGames:
    @pytest.mark.parametrize("variant", [INTERNATIONAL, CRODA], ids=lambda variant: variant.name)
    def test_are_the_same_for_a_seed_and_a_number(self, variant: Variant) -> None:
        first, second = selfplay.SelfPlayer(variant, NODES), selfplay.SelfPlayer(variant, NODES)
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


def small_weights(folder: Path) -> Path:
    """A file of weights for Turkish draughts that knows nothing yet, of 16 units."""
    path = folder / "turkish.weights"
    publish(path, TURKISH, Network.start(TURKISH, 16), {})
    return path


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
        path, network = tmp_path / "turkish.weights", Network.start(TURKISH, 16)
        publish(path, TURKISH, network, {})
        read = weights.read(path, TURKISH)
        assert list(read.rows) == np.round(weights.ONE * network.rows).ravel().tolist()
        assert list(read.bias) == np.round(weights.ONE * network.bias).tolist()
        assert read.men == [100.0] * 64
        assert read.kings == [300.0] * 64

    def test_of_weights_of_another_game_are_refused(self, tmp_path: Path) -> None:
        path = small_weights(tmp_path)
        with pytest.raises(WeightsError, match=r"holds weights of 'turkish', not of croda"):  # on a board as large
            weights.read(path, CRODA)

    def test_of_weights_for_another_board_are_refused(self, tmp_path: Path) -> None:
        path = small_weights(tmp_path)
        line, _, packed = path.read_bytes().partition(b"\n")
        path.write_bytes(json.dumps({**json.loads(line), "variant": "international"}).encode() + b"\n" + packed)
        with pytest.raises(WeightsError, match="another board"):
            weights.read(path, INTERNATIONAL)

    @pytest.mark.parametrize("units", [None, "16", 16.0, True, 0, -16, 10**12])
    def test_of_weights_that_tell_no_number_of_units_are_refused(self, tmp_path: Path, units: object) -> None:
        path = small_weights(tmp_path)
        line, _, packed = path.read_bytes().partition(b"\n")
        header = {**json.loads(line), "units": units}
        path.write_bytes(json.dumps(header).encode() + b"\n" + packed)
        with pytest.raises(WeightsError, match=r"turkish.weights .*units.*; put back the one"):
            weights.read(path, TURKISH)

    @pytest.mark.parametrize("damage", [b"", b"{}\n", b"[]\n", b"no JSON\n", "header", "numbers"], ids=str)
    def test_of_weights_that_are_damaged_are_named(self, tmp_path: Path, damage: bytes | str) -> None:
        path = small_weights(tmp_path)
        whole = path.read_bytes()
        cut = {"header": 100, "numbers": len(whole) - 100}
        path.write_bytes(whole[: cut[damage]] if isinstance(damage, str) else damage)
        with pytest.raises(WeightsError, match=r"turkish.weights is not a file of weights: .*; put back the one"):
            weights.read(path, TURKISH)

    def test_of_weights_too_large_for_the_kernel_are_not_written(self, tmp_path: Path) -> None:
        path, network = tmp_path / "turkish.weights", Network.start(TURKISH, 16)
        network.rows[0, 0] = 200
        with pytest.raises(ValueError, match="too large for the kernel"):
            publish(path, TURKISH, network, {})
        assert not path.exists()


def network_of(variant: Variant) -> Network:
    """The network in the file that the kernel has read."""
    read, inputs = weights.read_weights(variant), 4 * variant.board.size
    pieces = np.zeros(inputs)
    pieces[: inputs // 2] = [*read.men, *read.kings]
    return Network(
        *(
            np.asarray(part, dtype=np.float32)
            for part in (
                np.reshape(read.rows, (inputs, read.units)) / weights.ONE,
                np.asarray(read.bias) / weights.ONE,
                np.reshape(read.outputs, (weights.BUCKETS, -1)) / (100 * weights.OUTPUT),
                np.asarray(read.base) / 100,
                pieces / 100,
            )
        )
    )


@pytest.mark.parametrize("variant", [INTERNATIONAL, TURKISH, CRODA], ids=lambda variant: variant.name)
def test_what_the_fit_computes_is_what_the_kernel_computes(variant: Variant) -> None:
    """The network once more, in numpy, from the file that the kernel has read: equal but for rounding."""
    kept = records(variant, 3)
    kept = kept[::5]
    for record, value in zip(kept, network_of(variant).values(features(variant, kept)), strict=True):
        side = Side.BLACK if record["side"] else Side.WHITE
        position = positions.compiled(Position(variant, letters(variant, record), side))
        assert abs(position.evaluate() - 100 * value) <= 4, position


def test_the_slopes_are_those_of_the_value() -> None:
    """Each kind of weight is moved a little in a random direction, and the value changes as the slopes say."""
    dice = np.random.default_rng(1)
    network, data = Network.start(TURKISH, 16), features(TURKISH, records(TURKISH, 1))
    network.rows *= 0.1  # no unit is cut off, where there is no slope
    network.bias += 0.2
    wanted = dice.normal(size=len(data))
    slopes = Pass(network, data).slopes(wanted.astype(np.float32))
    for part, slope in zip(network.parts, slopes.parts, strict=True):
        before, step = part.copy(), 0.0005 * dice.normal(size=part.shape).astype(np.float32)
        part[...] = before + step
        above = wanted @ Pass(network, data).value
        part[...] = before - step
        below = wanted @ Pass(network, data).value
        part[...] = before
        assert (above - below) / 2 == pytest.approx(float((step * slope).sum()), rel=0.02)


def test_a_mirrored_position_is_the_same_seen_from_the_other_side_edge() -> None:
    """The man on a1, the first square, stands on h1 then."""
    seen = np.zeros((1, 4 * 64), dtype=np.uint8)
    seen[0, TURKISH.board.square_at(0, 0)] = 1
    assert mirrored(TURKISH, seen)[0].nonzero()[0].tolist() == [TURKISH.board.square_at(7, 0)]


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


def test_the_fit_finds_what_made_the_results() -> None:
    """Men are worth 1.5 and kings 4, and nothing else counts."""
    data = features(CRODA, records(CRODA, 60))
    worth = np.repeat([1.5, 4.0, -1.5, -4.0], CRODA.board.size).astype(np.float32)
    truth = data.mover @ worth
    chance = 1 / (1 + np.exp(-0.8 * truth))
    won = (np.random.default_rng(1).random(len(chance)) < chance).astype(np.float32)
    planted = replace(data, results=won, scores=(np.log(chance / (1 - chance)) / 0.8).astype(np.float32))
    found = fit(CRODA, planted, planted, units=32, slope=slope_of(planted), blend=1.0, rounds=60)
    assert np.corrcoef(found.values(planted), truth)[0, 1] > 0.98


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
    told = turkengine("train", "fit", "croda", str(games), "--rounds", "3", "--plot", str(plot), "-o", str(made))
    assert "round    3: loss 0." in told
    assert plot.read_text().startswith("<?xml")
    assert made.stat().st_size > 1000
    assert "install turkengine again" not in told
    told = turkengine("train", "fit", "croda", str(games), "--units", "16", "--rounds", "1", "-o", str(made))
    assert "the kernel was built for 64 units: put it in place and install turkengine again" in told
    assert weights.read(made, CRODA).units == 16


def test_the_chances_that_made_the_results_are_found() -> None:
    random = np.random.default_rng(1)
    found = np.zeros(40_000, dtype=dataset.RECORD)
    found["score"] = random.normal(0, 150, len(found)).astype(int)
    men = found["score"] / 100
    win, defeat = (1 / (1 + np.exp(-1.5 * (side * men - 0.8))) for side in (1, -1))
    drawn = random.random(len(found))
    found["result"] = np.where(drawn < win, 1, np.where(drawn > 1 - defeat, -1, 0))
    steepness, lead, loss = fit_chances(found)
    assert steepness == pytest.approx(1.5, abs=0.05)
    assert lead == pytest.approx(0.8, abs=0.03)
    assert 0 < loss < np.log(3)


def test_the_command_prints_what_the_file_of_chances_holds(tmp_path: Path) -> None:
    games = tmp_path / "few"
    games.write_bytes(records(CRODA, 3).tobytes())
    result = CliRunner().invoke(commands.turkengine, ["train", "chances", "croda", str(games)])
    assert result.exit_code == 0
    told = json.loads(result.output)
    assert told["games"] == 3
    assert told["steepness"] > 0
    (tmp_path / "none").touch()
    assert CliRunner().invoke(commands.turkengine, ["train", "chances", "croda", str(tmp_path / "none")]).exit_code == 2


def test_too_few_games_are_named(tmp_path: Path) -> None:
    games = tmp_path / "few"
    games.write_bytes(records(CRODA, 1).tobytes())
    result = CliRunner().invoke(commands.turkengine, ["train", "fit", "croda", str(games), "-o", str(tmp_path / "w")])
    assert result.exit_code == 2
    assert "20 games or more" in result.output


class TestTuning:
    def test_finds_its_way_to_the_better_setting(self) -> None:
        """Whoever has the larger margin wins, and nothing else matters."""
        index = [setting.name for setting in SETTINGS].index("surplus_margin")
        path = tune._Path(values_of({}), rounds=1000)
        for number in range(1000):
            order = path.order(number, seed=1)
            path.take(order, 2 if order.up[index] > order.down[index] else -2)
        assert path.named["surplus_margin"] > 1.2 * SETTINGS[index].usual
        others = [setting for setting in SETTINGS if setting.name != "surplus_margin"]
        assert all(abs(path.named[other.name] - other.usual) < 3 * other.step for other in others)

    def test_stays_within_the_bounds(self) -> None:
        path = tune._Path([setting.least for setting in SETTINGS], rounds=10)
        for number in range(10):
            order = path.order(number, seed=1)
            for values in (order.up, order.down):
                named = dict(zip((setting.name for setting in SETTINGS), values, strict=True))
                assert values_of(named) == values
            path.take(order, -2)

    def test_a_pair_between_equals_of_the_same_opening_is_even(self) -> None:
        duel = tune.SettingsDuel(CRODA, NODES)
        usual = values_of({})
        assert duel.pair(random.Random(1), usual, usual) == 0

    def test_the_command_writes_the_weights_with_what_was_found(self, tmp_path: Path) -> None:
        made = tmp_path / "croda.weights"
        order = ("train", "tune", "croda", "--rounds", "2", "--nodes", "500", "--jobs", "1", "-o", str(made))
        assert "surplus_margin" in turkengine(*order)
        read, before = weights.read(made, CRODA), weights.read_weights(CRODA)
        assert set(read.search) == {setting.name for setting in SETTINGS}
        assert read._replace(search=before.search) == before


@pytest.mark.parametrize(
    ("found", "words"), [({"depth": 3}, "no setting 'depth'"), ({"window": 1000}, "window goes from 4 to 100")]
)
def test_settings_that_the_search_does_not_have_are_refused(found: dict[str, int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        values_of(found)


def test_the_group_names_all_its_commands() -> None:
    assert sorted(commands.train.commands) == ["chances", "fit", "generate", "levels", "tune"]
