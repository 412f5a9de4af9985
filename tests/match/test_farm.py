"""Matches on a cluster of Dask on this machine: a scheduler and workers, each a process that can be killed."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest
from client.engines import fake_command
from match.test_runner import Heard, different, keys

from turkengine.client.contract import ClientError
from turkengine.errors import OptionError
from turkengine.farm import cluster as cluster_module
from turkengine.farm.cluster import FarmError
from turkengine.games import CRODA, INTERNATIONAL
from turkengine.kernel.endgames import SHIPPED
from turkengine.match import farmhand
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct, TableRule
from turkengine.match.entrants import Entry, tried
from turkengine.match.farm import Farm
from turkengine.match.openings import from_start
from turkengine.match.runner import Contest, End, Runner
from turkengine.match.schedule import Pairing, RoundRobin
from turkengine.match.seat import Task
from turkengine.match.sprt import Sprt
from turkengine.match.store import MatchStore

pytest.importorskip("distributed")

LONGEST = 60.0  # s for a process to be there
QUICK = TimeControl(nodes=300)
SLOW = TimeControl(nodes=5000)


class Cluster:
    """A scheduler and workers as people start them, each in a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / "scheduler.json"
        self._processes = [
            self._started("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        ]
        until = time.monotonic() + LONGEST
        while not file.exists() or not file.read_text():
            assert time.monotonic() < until, "the scheduler does not start"
            time.sleep(0.05)
        self.address: str = json.loads(file.read_text())["address"]

    def hire(self, count: int) -> list[subprocess.Popen[bytes]]:
        """Start workers for one game at a time each."""
        arguments = ["worker", self.address, "--no-nanny", "--nthreads", "1"]
        workers = [self._started(*arguments) for _ in range(count)]
        self._processes += workers
        return workers

    def _started(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
        with (self.folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("farm")) as cluster:
        cluster.hire(2)
        until = time.monotonic() + LONGEST
        with Farm(cluster.address) as farm:
            while farm.places < 2:
                assert time.monotonic() < until, "the workers do not come"
                time.sleep(0.1)
        yield cluster


def contest(
    farm: Farm, pairs: int, control: TimeControl = QUICK, second: str = "builtin:hash=1", **more: object
) -> Contest:
    entries = [Entry("builtin:hash=1", control, "A"), Entry(second, control, "B")]
    entrants = tried(entries, INTERNATIONAL, farm.names_of)
    conduct = Conduct(longest=60)
    return Contest(entrants, RoundRobin("AB", pairs), from_start(INTERNATIONAL), conduct, **more)  # type: ignore[arg-type]


def games(pairs: int) -> list[str]:
    return [f"1.1.{game}" for game in range(1, 2 * pairs + 1)]


def test_the_games_of_a_worker_that_is_killed_are_played_elsewhere_and_each_counts_once(cluster: Cluster) -> None:
    (doomed,) = cluster.hire(1)

    def kill(count: int) -> None:
        if count == 2:
            doomed.kill()

    heard = Heard(kill)
    with MatchStore() as store, Farm(cluster.address) as farm:
        while farm.places < 3:
            time.sleep(0.1)
        assert Runner(contest(farm, 8, SLOW), store, heard, farm).run() is End.PLAYED
        assert keys(store) == games(8)
        assert {record.variant for _, record in store.games()} == {"international"}
    assert sorted(map(str, heard.keys)) == sorted(games(8))
    assert doomed.wait(LONGEST) == -signal.SIGKILL


def test_a_match_that_was_ended_goes_on_on_the_farm_or_here(cluster: Cluster) -> None:
    def stop(count: int) -> None:
        if count == 3:
            raise KeyboardInterrupt

    with MatchStore() as store:
        with Farm(cluster.address) as farm:
            assert Runner(contest(farm, 5), store, Heard(stop), farm).run() is End.INTERRUPTED
        before = keys(store)
        assert 3 <= len(before) < 10
        with Farm(cluster.address) as farm:
            heard = Heard(stop)
            played = contest(farm, 5)
            Runner(played, store, heard, farm).run()
        assert not {str(key) for key in heard.keys} & set(before)
        assert Runner(played, store, Heard()).run() is End.PLAYED
        assert keys(store) == games(5)


def test_a_decided_test_ends_the_match_and_a_later_run_plays_nothing(cluster: Cluster) -> None:
    loser = f"hub:{fake_command('hub', 'crash')}"
    with MatchStore() as store:
        for _ in range(2):
            heard = Heard()
            with Farm(cluster.address) as farm:
                played = replace(contest(farm, 5000, second=loser, sprt=Sprt(0, 100)), openings=different())
                assert Runner(played, store, heard, farm).run() is End.DECIDED
        assert heard.keys == []
        assert 2 < len(store.results()) < 1000
        assert all(result.of("A") == 2 for result in store.results())


def test_the_lines_of_every_game_come_back(cluster: Cluster, tmp_path: Path) -> None:
    with MatchStore() as store, Farm(cluster.address, logs=tmp_path) as farm:
        Runner(contest(farm, 1, second=f"hub:{fake_command('hub', 'crash')}"), store, Heard(), farm).run()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.1.1.log", "1.1.2.log"]
    assert " B > go think" in (tmp_path / "1.1.1.log").read_text()


def test_an_engine_that_cannot_be_started_there_is_named_with_the_worker(cluster: Cluster) -> None:
    with (
        Farm(cluster.address) as farm,
        pytest.raises(
            ClientError, match=r"^worker tcp://.+: B: /no/such/engine cannot be started: No such file"
        ) as caught,
    ):
        contest(farm, 1, second="hub:/no/such/engine")
    assert "\n" not in str(caught.value)


def test_endgame_tables_that_a_worker_lacks_are_named_with_it(cluster: Cluster) -> None:
    rule = TableRule.found(INTERNATIONAL, 3, SHIPPED)
    with MatchStore() as store, Farm(cluster.address) as farm:
        wanted = replace(contest(farm, 1), conduct=Conduct(longest=4, tables=rule))
        assert Runner(wanted, store, Heard(), farm).run() is End.PLAYED
    other = replace(wanted, conduct=Conduct(longest=4, tables=replace(rule, endings=(*rule.endings, "KKKKvK"))))
    with (
        MatchStore() as store,
        Farm(cluster.address) as farm,
        pytest.raises(
            ClientError, match=r"^worker tcp://.+: the endgame tables .* and KKKKvK is missing here; copy it"
        ),
    ):
        Runner(other, store, Heard(), farm).run()


def test_the_commands_play_on_a_farm(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(
        "[tournament]\ndepth = 2\nlongest = 20\nvariant = 'croda'\n" + "[[engine]]\nengine = 'builtin:hash=1'\n" * 3
    )
    turkengine, place = [sys.executable, "-m", "turkengine"], ["--farm", cluster.address, "--plain"]
    limits = ["--games", "2", "--depth", "2", "--longest", "20", "--openings", "start"]
    for arguments, count in (["match", "builtin:hash=1", "builtin:hash=1", *limits], 2), (["tournament", "t.toml"], 6):
        run = subprocess.run(
            [*turkengine, *arguments, *place],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
        )
        assert run.returncode == 0, run.stderr
        assert run.stderr == ""
        assert f"{count} games, " in run.stdout


def test_without_a_worker_it_is_said_how_to_start_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "GATHERING", 0.1)
    with (
        Cluster(tmp_path) as empty,
        Farm(empty.address) as farm,
        pytest.raises(
            FarmError, match=rf"^{empty.address} has no worker; start one with: dask worker {empty.address}$"
        ),
    ):
        contest(farm, 1)


@pytest.mark.slow
def test_a_scheduler_that_is_lost_ends_the_match_with_one_line_and_keeps_the_games(tmp_path: Path) -> None:
    with Cluster(tmp_path) as cluster, MatchStore() as store, Farm(cluster.address) as farm:
        cluster.hire(1)

        def kill(count: int) -> None:
            if count == 2:
                cluster._processes[0].kill()

        with pytest.raises(FarmError, match=r"^the scheduler at tcp://.+ is lost.*; games that are over are kept$"):
            Runner(contest(farm, 20, SLOW), store, Heard(kill), farm).run()
        assert keys(store)[:2] == games(1)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("tcp://127.0.0.1:1", "Timed out trying to connect to tcp://127.0.0.1:1 after 0.5 s"),
        ("nowhere", "missing port number in address 'nowhere'"),
        ("carrier://pigeon:1", "unknown address scheme 'carrier'"),
    ],
)
def test_a_scheduler_that_is_not_there_is_one_line(address: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECTING", 0.5)
    with pytest.raises(FarmError) as caught:
        Farm(address)
    assert str(caught.value).startswith(f"there is no scheduler at {address}: {reason}")
    assert "\n" not in str(caught.value)


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(OptionError, match=r"pip install '\.\[farm\]'$"):
        Farm("tcp://127.0.0.1:8786")


class TestAWorker:
    def task(self, pair: int) -> Task:
        entrants = tried([Entry("builtin:hash=1", QUICK, name) for name in "AB"], CRODA)
        pairing = Pairing(0, 0, pair, "A", "B", 0)
        return Task(pairing, pairing.keys, from_start(CRODA).opening(0), (entrants[0], entrants[1]), Conduct(longest=4))

    def test_keeps_engines_from_task_to_task_until_the_match_ends(self) -> None:
        before = None
        for pair in range(2):
            found = farmhand.play_task("kept", self.task(pair), False)
            assert [key.game for key, _, _ in found] == [2 * pair, 2 * pair + 1]
            (hand,) = [hand for (match, _), hand in farmhand._hands.items() if match == "kept"]
            clients = dict(hand._clients)
            assert all(client.alive() for client in clients.values())
            assert before in (None, clients)
            before = clients
        asyncio.run(farmhand.end_engines("kept"))
        assert not any(client.alive() for client in clients.values())

    def test_plays_no_game_of_a_match_that_is_broken_off(self) -> None:
        farmhand.break_off("broken off")
        assert farmhand.play_task("broken off", self.task(0), False) == []
        assert not [match for match, _ in farmhand._hands if match == "broken off"]

    def test_ends_engines_that_nobody_needs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(farmhand, "PATIENCE", 0.0)
        farmhand.play_task("left", self.task(0), False)
        until = time.monotonic() + LONGEST
        while any(match == "left" for match, _ in farmhand._hands):
            assert time.monotonic() < until
            time.sleep(0.01)
