"""Many games on several jobs: all of them, once, whatever fails."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from analysis.scripted import ScriptedEngine

from turkengine.analysis.games import SAMPLE, PlayedGame, Source, played_games, positions_in
from turkengine.analysis.runner import AnalysisSettings, analyse
from turkengine.analysis.store import AnalysisStore
from turkengine.api.engine import BaseEngine, Engine
from turkengine.api.limit import Limit
from turkengine.client.contract import ClientError, ClientFault
from turkengine.errors import TurkengineError

DATA = Path(__file__).resolve().parents[1] / "data" / "pdn"
GAMES = b"""[White "A"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 *

[White "B"]
[GameType "30"]

1. a3-a4 a6-a5 *

[White "A again"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 *
"""
BROKEN = b"""[White "A"]
[GameType "20"]

1. 32-28 19-23
2. 28x19 14x23 3. 99-1 10-14 *

[White "B"]
[GameType "30"]

1. 32-28 *

[White "C"]
[GameType "27"]

1. 11-15 *
[White "D"]
[GameType "20"]
[FEN "W:W1:B50"]

1. 11-15 *
"""


class Watching:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.advanced = self.skipped = 0
        self.failed: list[str] = []

    def advance(self, positions: int) -> None:
        self.advanced += positions

    def skip(self, positions: int) -> None:
        self.skipped += positions

    def fail(self, game: PlayedGame, reason: TurkengineError) -> None:
        self.failed.append(f"{game.title}: {reason}")


def games_of(text: bytes, complaints: list[str] | None = None) -> list[PlayedGame]:
    told = [] if complaints is None else complaints
    return list(
        played_games([Source("a.pdn", text)], None, lambda file, line, why: told.append(f"{file}:{line}: {why}"))
    )


def settings(make=lambda: Engine(hash=1), jobs: int = 2, nodes: int = 200) -> AnalysisSettings:
    return AnalysisSettings(Limit(nodes=nodes), 1, jobs, make)


def test_games_are_played_over_and_faults_named_with_their_lines() -> None:
    complaints: list[str] = []
    games = games_of(BROKEN, complaints)
    assert [(game.title, len(game.moves)) for game in games] == [("A - ?", 4), ("B - ?", 0)]
    assert [complaint.partition(": ")[0] for complaint in complaints] == ["a.pdn:5", "a.pdn:10", "a.pdn:16", "a.pdn:12"]
    assert "promotion rank" in complaints[2]
    assert complaints[3].endswith("this is a game of Canadian draughts, which is not analysed here; it is left out")


def test_many_games_that_are_left_out_are_told_in_one_line() -> None:
    complaints: list[str] = []
    unknown, canadian = b"1. 11-15 99-98 *\n\n", b'[GameType "27"]\n\n1. 11-15 *\n\n'
    assert games_of(unknown * 2 + canadian * 4, complaints) == []
    assert complaints == [
        "a.pdn:1: 6 games are left out: 4 of Canadian draughts (lines 5, 9, 13, ...), 2 of an unknown kind"
        " (lines 1, 3); name the unknown kind with --variant"
    ]


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    complaints: list[str] = []
    empty = tmp_path / "empty.pdn"
    empty.touch()
    sources = [Source(str(empty)), Source(str(tmp_path)), Source("nowhere.pdn"), Source("a.pdn", GAMES)]
    games = list(played_games(sources, None, lambda file, line, why: complaints.append(f"{line} {why}")))
    assert len(games) == 3
    assert complaints == ["0 there is no game in it", "0 Is a directory", "0 No such file or directory"]
    assert positions_in(sources) == 5 + 3 + 5


def test_the_positions_of_a_large_file_are_estimated_from_its_begin(tmp_path: Path) -> None:
    game = '[GameType "20"]\n\n' + " ".join(f"{ply}. 32-28" for ply in range(1, 40)) + " *\n\n"
    file = tmp_path / "large.pdn"
    with file.open("w") as stream:
        for _ in range(4 * SAMPLE // len(game)):
            stream.write(game)
    games = file.stat().st_size // len(game)
    assert positions_in([Source(str(file))]) == pytest.approx(40 * games, rel=0.01)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_game_is_analysed_once(jobs: int) -> None:
    watching = Watching()
    with AnalysisStore() as store:
        analyse(games_of(GAMES), store, settings(jobs=jobs), watching)
        assert len(store) == 2
        assert all(game.digest in store for game in games_of(GAMES))
    assert (watching.advanced, watching.skipped) == (8, 5)


def test_what_is_kept_is_not_analysed_again() -> None:
    watching = Watching()
    with AnalysisStore() as store:
        analyse(games_of(GAMES), store, settings(), Watching())
        analyse(games_of(GAMES), store, settings(make=lambda: pytest.fail("no engine is needed")), watching)
    assert (watching.advanced, watching.skipped) == (0, 13)


def test_the_same_nodes_find_the_same_however_many_jobs_there_are() -> None:
    found = []
    source = (DATA / "variants.pdn").read_bytes()
    for jobs in (1, 2):
        with AnalysisStore() as store:
            analyse(games_of(source), store, settings(jobs=jobs, nodes=2000), Watching())
            records = [store.record(game.digest) for game in games_of(source)]
            assert all(record is not None for record in records)
            found.append([record.as_data() for record in records if record is not None])
    assert found[0] == found[1]


def test_a_game_at_which_the_engine_fails_is_named_and_the_others_are_analysed() -> None:
    watching = Watching()
    with AnalysisStore() as store:
        broken = "B:W28,31,33-50:B1-20"
        analyse(games_of(GAMES), store, settings(lambda: ScriptedEngine({}, fails_at=broken)), watching)
        assert len(store) == 1
    assert watching.failed == ["A - ?: it has had enough"]


def test_an_engine_that_cannot_be_started_is_given_up() -> None:
    def never() -> BaseEngine:
        raise ClientError(ClientFault.START, "it is not there")

    watching = Watching()
    text = GAMES + GAMES.replace(b"32-28", b"31-27").replace(b" 2. 28x19 14x23", b"")
    text += GAMES.replace(b"32-28", b"34-30").replace(b" 2. 28x19 14x23", b"")
    with AnalysisStore() as store, pytest.raises(ClientError, match="not there"):
        analyse(games_of(text), store, settings(never), watching)
    assert len(watching.failed) == 3


def test_an_interruption_leaves_what_is_done() -> None:
    def interrupted():
        games = games_of(GAMES)
        yield games[0]
        yield games[1]
        raise KeyboardInterrupt

    with AnalysisStore() as store:
        with pytest.raises(KeyboardInterrupt):
            analyse(interrupted(), store, settings(nodes=10_000_000), Watching())
        assert len(store) == 0


def test_a_source_can_be_read_again_and_again() -> None:
    source = Source("a.pdn", BytesIO(GAMES).getvalue())
    assert len(list(source.entries())) == len(list(source.entries())) == 3
