"""Games analysed on a cluster of Dask on this machine: a scheduler and workers, each a process that can be killed."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from match.test_farm import Cluster as Processes

from turkengine.analysis import farm as farms
from turkengine.analysis import farmhand
from turkengine.analysis.engines import EngineNamed
from turkengine.analysis.farm import analyse_on
from turkengine.analysis.games import PlayedGame, Source, played_games
from turkengine.analysis.puzzles import Hunt, PuzzleRecord
from turkengine.analysis.runner import AnalysisSettings, Judging, Work, analyse
from turkengine.analysis.store import AnalysisStore, Recorded
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import Limit
from turkengine.client.contract import ClientError
from turkengine.errors import TurkengineError
from turkengine.farm import cluster as cluster_module
from turkengine.farm.cluster import Cluster, FarmError

pytest.importorskip("distributed")

DATA = Path(__file__).resolve().parents[1] / "data" / "pdn"
BUILTIN = EngineNamed("builtin", 4)
GAMES = "\n".join(
    f'[White "{number}"]\n[GameType "20"]\n\n1. {move} 19-23 *\n'
    for number, move in enumerate(("31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30"))
)


class Watching:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.done = self.skipped = 0
        self.failures: list[str] = []

    def advance(self, positions: int) -> None:
        self.done += positions

    def skip(self, positions: int) -> None:
        self.skipped += positions

    def fail(self, game: PlayedGame, reason: TurkengineError) -> None:
        self.failures.append(f"{game.entry.line}: {reason}")


def games(text: str = "") -> Iterator[PlayedGame]:
    source = Source("games.pdn", text.encode()) if text else Source(str(DATA / "cookbook.pdn"))
    return played_games([source], None)


def settings(nodes: int = 200, engine: EngineNamed = BUILTIN, work: Work | None = None) -> AnalysisSettings:
    return AnalysisSettings(Limit(nodes=nodes), 1, 1, engine, work)


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    with Processes(tmp_path_factory.mktemp("farm")) as processes:
        processes.hire(2)
        yield processes


@pytest.fixture
def cluster(processes: Processes) -> Iterator[Cluster]:
    with Cluster(processes.address) as cluster:
        yield cluster


def data_of(store: AnalysisStore, text: str = "") -> list[object]:
    return [store.data(game.digest) for game in games(text)]


@pytest.mark.parametrize("work", [None, Hunt(1_000, 20_000)], ids=["judged", "puzzles"])
def test_a_farm_finds_what_this_machine_finds(cluster: Cluster, work: Work | None) -> None:
    here, there = Watching(), Watching()
    with AnalysisStore() as store, AnalysisStore() as farmed:
        analyse(games(), store, settings(work=work), here)
        analyse_on(cluster, games(), farmed, settings(work=work), there)
        assert None not in data_of(store)
        assert data_of(farmed) == data_of(store)
    assert there.done == here.done == 76


def test_what_the_store_holds_is_not_sent_again(cluster: Cluster, tmp_path: Path) -> None:
    watching = Watching()
    with AnalysisStore(tmp_path / "a.db") as store:
        first = next(games(GAMES))
        analyse(iter([first]), store, settings(), Watching())
        analyse_on(cluster, games(GAMES + GAMES), store, settings(), watching)
        assert len(store) == 8
    assert watching.done == 7 * 3
    assert watching.skipped == 3 + 8 * 3
    with AnalysisStore(tmp_path / "a.db") as store:
        again = Watching()
        analyse_on(cluster, games(GAMES), store, settings(), again)
    assert (again.done, again.skipped) == (0, 24)


def test_the_game_of_a_worker_that_is_killed_is_done_elsewhere(processes: Processes, cluster: Cluster) -> None:
    (doomed,) = processes.hire(1)

    class Killing(Watching):
        def advance(self, positions: int) -> None:
            super().advance(positions)
            if self.done:
                doomed.kill()

    watching = Killing()
    with AnalysisStore() as store:
        analyse_on(cluster, games(GAMES), store, settings(nodes=60_000), watching)
        assert len(store) == 8
    assert watching.done == 24
    assert doomed.wait(10) == -signal.SIGKILL


def test_a_game_at_which_the_engine_fails_is_named_and_the_rest_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "mortal.py").write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'hub': print('id name=mortal\\nparam name=variant type=enum values=\"normal\"\\nwait')\n"
        "    if word == 'init': print('ready')\n"
        "    if word == 'ping': print('pong')\n"
        "    if word == 'go': sys.exit('no more')\n"
        "    sys.stdout.flush()\n"
    )
    mortal = EngineNamed(f"hub:{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'mortal.py'))}", 4)
    watching = Watching()
    with AnalysisStore() as store:
        analyse_on(cluster, games(), store, settings(engine=mortal), watching)
        assert len(store) == 0
    assert len(watching.failures) == 4
    assert "1: mortal: it has ended with exit status 1; its last words: no more" in watching.failures


def test_a_worker_on_which_the_engine_cannot_be_started_is_named(cluster: Cluster) -> None:
    with AnalysisStore() as store, pytest.raises(ClientError, match=r"worker tcp://127\.0\.0\.1:\d+: .*no-such-engine"):
        analyse_on(cluster, games(GAMES), store, settings(engine=EngineNamed("hub:no-such-engine", 4)), Watching())


def test_a_worker_of_another_version_does_not_work(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(farms, "__version__", "0.0.1")
    with (
        AnalysisStore() as store,
        pytest.raises(FarmError, match=r"a worker has turkengine [\d.]+, and this is 0\.0\.1"),
    ):
        analyse_on(cluster, games(), store, settings(), Watching())


def test_an_interrupted_run_breaks_off_what_is_under_way(cluster: Cluster) -> None:
    class Impatient(Watching):
        def advance(self, positions: int) -> None:
            raise KeyboardInterrupt

    began = time.monotonic()
    with AnalysisStore() as store, pytest.raises(KeyboardInterrupt):
        analyse_on(cluster, games(), store, settings(nodes=10**9), Impatient())
    with AnalysisStore() as store:  # the workers are free again
        analyse_on(cluster, games(GAMES), store, settings(), Watching())
        assert len(store) == 8
    assert time.monotonic() - began < 60  # and not the hours of that search


def test_a_game_that_ends_workers_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    def work(engine: BaseEngine, game: PlayedGame, on_position: Callable[[], object]) -> Recorded:
        if game.entry.line == 1:
            os._exit(1)
        return Judging(Limit(nodes=10))(engine, game, on_position)

    watching = Watching()
    with Processes(tmp_path) as processes, Cluster(processes.address) as cluster, AnalysisStore() as store:
        processes.hire(5)
        analyse_on(cluster, games(GAMES[:90]), store, settings(work=work), watching)
        assert len(store) == 1
    assert watching.failures == ["1: one worker after another has ended while it had this game"]


def test_without_workers_it_is_said_how_to_start_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "GATHERING", 0.1)
    said = pytest.raises(FarmError, match="has no worker; start one with: dask worker tcp:")
    with Processes(tmp_path) as processes, Cluster(processes.address) as cluster, AnalysisStore() as store, said:
        analyse_on(cluster, games(), store, settings(), Watching())


# A worker's side


def test_a_game_that_is_replayed_otherwise_is_refused() -> None:
    game = next(games())
    answer = farmhand.work_on("a run", Judging(Limit(nodes=10)), BUILTIN, game.entry, game.variant.name, b"other")
    assert answer.record is None
    assert "install the same turkengine there" in answer.failure


def test_a_run_that_is_over_is_not_worked_for() -> None:
    game = next(games())
    asyncio.run(farmhand.break_off("over"))
    work = Judging(Limit(nodes=10))
    assert farmhand.work_on("over", work, BUILTIN, game.entry, game.variant.name, game.digest) == farmhand.FarmAnswer(
        None
    )


def test_what_a_stopped_search_has_found_is_not_given_back() -> None:
    def work(engine: BaseEngine, game: PlayedGame, on_position: Callable[[], object]) -> Recorded:
        asyncio.run(farmhand.break_off("stopped"))
        return PuzzleRecord()

    game = next(games())
    answer = farmhand.work_on("stopped", work, BUILTIN, game.entry, game.variant.name, game.digest)
    assert answer == farmhand.FarmAnswer(None)


def test_a_search_that_begins_while_its_run_is_broken_off_does_not_go_on() -> None:
    begun: list[object] = []

    def work(engine: BaseEngine, game: PlayedGame, on_position: Callable[[], object]) -> Recorded:
        on_position()
        asyncio.run(farmhand.break_off("too late"))
        begun.append(engine.analyse(game.positions[0], Limit(nodes=1000)))
        return PuzzleRecord()

    game = next(games())
    answer = farmhand.work_on("too late", work, BUILTIN, game.entry, game.variant.name, game.digest)
    assert (answer, begun) == (farmhand.FarmAnswer(None), [])


def test_an_error_that_nobody_foresaw_is_told() -> None:
    def work(*_: object) -> None:
        raise ZeroDivisionError("a mistake")

    game = next(games())
    answer = farmhand.work_on("a run", work, BUILTIN, game.entry, game.variant.name, game.digest)  # type: ignore[arg-type]
    assert answer.failure == "internal error, ZeroDivisionError: a mistake"


# The commands


def turkengine(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "turkengine", *words]
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100)


def test_the_commands_work_on_a_farm(processes: Processes, tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text(GAMES)
    words = ("analyse", "games.pdn", "--nodes", "300", "--quiet")
    assert turkengine(*words, "--farm", processes.address, "--json", "there", folder=tmp_path).stderr == ""
    assert turkengine(*words, "--json", "here", folder=tmp_path).returncode == 0
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    words = ("puzzles", str(DATA / "puzzles.pdn"), "--nodes", "1000", "--proof", "30000", "--farm", processes.address)
    result = turkengine(*words, "--jobs", "1", folder=tmp_path)
    assert (result.returncode, result.stderr, result.stdout.splitlines()[-1]) == (0, "", "3 puzzles in 3 games")


def test_a_scheduler_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text(GAMES)
    result = turkengine("analyse", "games.pdn", "--farm", "nowhere", folder=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("turkengine: there is no scheduler at nowhere: ")
    assert len(result.stderr.splitlines()) == 1
