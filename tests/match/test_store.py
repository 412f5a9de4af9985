"""The file of a match: nothing lost, nothing twice, and nothing mixed up."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from turkengine.errors import OptionError
from turkengine.match.schedule import GameResult, Key
from turkengine.match.store import MatchStore
from turkengine.record.record import Ending, EndingKind, Incident, Played, Record
from turkengine.rules.variant import Side
from turkengine.storage import StoreError

posix_only = pytest.mark.skipif(os.name == "nt", reason="a process is killed by a signal")

RECORD = Record(
    variant="turkish",
    white="A",
    black="B",
    fen="W:WKd4:Bd6",
    opening="é",
    controls=("1+0.02", "depth 5"),
    began="2026-11-30T09:18:00",
    seconds=1.5,
    moves=(
        Played(Side.WHITE, "a3-a4", book=True),
        Played(Side.BLACK, "a6-a5", seconds=0.5, clock=0.52, score=-3, depth=9, nodes=100),
        Played(Side.WHITE, "d4-a8", seconds=0.0, score=0, fen="B:WKa8:Bd6"),
    ),
    incidents=(Incident(2, Side.BLACK, "overrun", "0.100 s late", late=0.1),),
    ending=Ending(EndingKind.IRREGULARITY, Side.BLACK, "5.4.6: why", "5.4.6"),
)


def test_a_game_comes_back_as_it_was(tmp_path: Path) -> None:
    with MatchStore(tmp_path / "match.db") as store:
        store.add(Key(0, 0, 1), RECORD)
    with MatchStore(tmp_path / "match.db") as store:
        assert list(store.games()) == [(Key(0, 0, 1), RECORD)]
        assert list(store.results()) == [GameResult(Key(0, 0, 1), "A", "B", 0)]


def test_games_come_by_their_keys_and_in_the_order_of_their_ends() -> None:
    with MatchStore() as store:
        for key in (Key(1, 0, 0), Key(0, 1, 1), Key(0, 0, 10), Key(0, 0, 2)):
            store.add(key, RECORD)
        assert [str(key) for key, _ in store.games()] == ["1.1.3", "1.1.11", "1.2.2", "2.1.1"]
        assert [str(key) for key in store.keys_in_order()] == ["2.1.1", "1.2.2", "1.1.11", "1.1.3"]


def test_a_game_is_kept_once(tmp_path: Path) -> None:
    with MatchStore(tmp_path / "match.db") as store:
        store.add(Key(0, 0, 0), RECORD)
        with pytest.raises(StoreError, match=r"game 1\.1\.1 cannot be kept .*match\.db"):
            store.add(Key(0, 0, 0), RECORD)
        store.add(Key(0, 0, 1), RECORD)
        assert len(store.results()) == 2


def test_a_match_goes_on_with_the_same_settings_only(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    with MatchStore(path) as store:
        store.settle({"variant": "turkish", "time control": "1+0.02"})
    with MatchStore(path) as store:
        store.settle({"variant": "turkish", "time control": "1+0.02"})
        with pytest.raises(OptionError, match=r"match with time control '1\+0\.02', not '2'; give the same settings"):
            store.settle({"variant": "turkish", "time control": "2"})
        with pytest.raises(OptionError, match="match with sprt 'not given', not '0,5'"):
            store.settle({"variant": "turkish", "time control": "1+0.02", "sprt": "0,5"})


def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path) -> None:
    other, text = tmp_path / "other.db", tmp_path / "text.db"
    with sqlite3.connect(other) as database:
        database.execute("create table mine (value)")
    text.write_text("these are my notes, and there is quite a lot of them\n" * 100)
    for path, message in ((other, "a database of something else"), (text, "cannot be used as the file of a match")):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=message):
            MatchStore(path)
        assert path.read_bytes() == before


def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    MatchStore(path).close()
    with sqlite3.connect(path) as database:
        database.execute("pragma user_version = 99")
    with pytest.raises(StoreError, match="has format 99, and this version reads 1"):
        MatchStore(path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used as the file of a match: No such file"):
        MatchStore(tmp_path / "missing" / "match.db")


def test_only_one_program_plays_a_match(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    with MatchStore(path), pytest.raises(StoreError, match="another program plays the match"):
        MatchStore(path)
    MatchStore(path).close()


def test_others_may_read_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    with MatchStore(path) as store:
        store.add(Key(0, 0, 0), RECORD)
        with sqlite3.connect(path) as reader:
            assert reader.execute("select points, reason from result").fetchall() == [(0.0, "5.4.6: why")]


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from turkengine.match.schedule import Key
from turkengine.match.store import MatchStore
from match.test_store import RECORD

store = MatchStore(Path(sys.argv[1]))
for number in range(len(store.results()), 100_000):
    store.add(Key(0, 0, number), replace(RECORD, opening=str(number)))
    print(number, flush=True)
"""


@posix_only
def test_what_was_kept_is_there_after_kill_9_and_the_match_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [*sys.path, str(Path(__file__).parents[1])])),
    }
    told = -1
    for lines in (1, 7, 20):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            assert process.stdout is not None
            for _ in range(lines):
                told = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            told = max([told, *map(int, process.stdout.read().split())])
        with MatchStore(path) as store:
            games = list(store.games())
        numbers = [int(record.opening) for _, record in games]
        assert numbers == [key.game for key, _ in games] == list(range(len(games)))
        assert told < len(games) <= told + 2


def test_a_link_that_leads_round_to_itself_is_named(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    path.symlink_to(path)
    with pytest.raises(StoreError, match=r"match\.db cannot be used as the file of a match: Too many levels"):
        MatchStore(path)


def test_a_file_of_two_names_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "match.db", tmp_path / "other.db"
    MatchStore(path).close()
    other.hardlink_to(path)
    with pytest.raises(StoreError, match=r"other\.db has another name in the file system \(a hard link\)"):
        MatchStore(other)
