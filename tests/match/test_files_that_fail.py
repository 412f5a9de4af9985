"""Files that fail: each is named in one line, and costs no game."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from match.test_store import RECORD

from turkengine import storage, waiting
from turkengine.match.schedule import Key
from turkengine.match.store import MatchStore
from turkengine.storage import StoreError

posix_only = pytest.mark.skipif(os.name == "nt", reason="there is no /dev/full, and links need rights")
TURKENGINE = [sys.executable, "-m", "turkengine"]
MATCH = ["match", "a=builtin:hash=1", "b=builtin:hash=1", "--nodes", "50", "--opening-plies", "6", "--plain"]
GAMES = '[GameType "20"]\n\n1. 32-28 19-23 *\n'


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TURKENGINE, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=100
    )


def one_line(run: subprocess.CompletedProcess[str]) -> str:
    """What is said on standard error."""
    assert run.stderr.count("\n") == 1, run.stderr
    assert "Traceback" not in run.stderr
    return run.stderr.rstrip()


def made(path: Path) -> None:
    """A file of a match with some games."""
    with MatchStore(path) as store:
        store.settle({"variant": "turkish"})
        for number in range(200):
            store.add(Key(0, 0, number), RECORD)


def notes(path: Path) -> None:
    path.write_text("these are my notes, and there is quite a lot of them\n" * 100)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwritten(path: Path) -> None:
    """The beginning is good, the rest is noise."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(bytes(range(1, 251)) * (size // 250 - 33))


def changed(sql: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with sqlite3.connect(path) as database:
            database.executescript(sql)

    return change


DAMAGES = {
    "notes": notes,
    "cut": cut,
    "overwritten": overwritten,
    "without a table": changed("drop table setting"),
    "without a column": changed("drop view result; drop table game; create table game (id integer primary key)"),
    "no JSON": changed("update game set record = '{' where id = 7"),
    "another JSON": changed("update game set record = '[1, 2]' where id = 7"),
    "half a record": changed("update game set record = '{}' where id = 7"),
    "no text": changed("update game set record = cast(x'ff00fe' as text) where id = 7"),
    "no key": changed("update game set round = 'x' where id = 7"),
    "of another program": changed("pragma application_id = 7"),
}


def _read(path: Path) -> None:
    with MatchStore(path) as store:
        store.settle({"variant": "turkish"})
        store.results()
        store.keys_in_order()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_of_a_match_is_named_in_one_line(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "m.db"
    made(path)
    damage(path)
    with pytest.raises(StoreError, match=r"m\.db") as caught:
        _read(path)
    assert "\n" not in str(caught.value)
    refused = run(tmp_path, *MATCH, "--games", "2", "--db", "m.db")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert one_line(refused).startswith("turkengine: m.db ")


@pytest.mark.parametrize("damage", [notes, cut, changed("drop table setting")], ids=["notes", "cut", "no table"])
@pytest.mark.parametrize("command", ["analyse", "puzzles"])
def test_a_damaged_file_of_analysis_is_named_in_one_line(
    tmp_path: Path, command: str, damage: Callable[[Path], None]
) -> None:
    (tmp_path / "g.pdn").write_text(GAMES)
    words = [command, "g.pdn", "--nodes", "50", "--db", "a.db", "--quiet"]
    assert run(tmp_path, *words).returncode == 0
    damage(tmp_path / "a.db")
    refused = run(tmp_path, *words)
    assert refused.returncode == 2
    assert one_line(refused).startswith("turkengine: a.db cannot be used as a file of analysis: ")


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.db").mkdir()
    with pytest.raises(StoreError, match=r"m\.db cannot be used as the file of a match: unable to open"):
        MatchStore(tmp_path / "m.db")


@posix_only
def test_the_lock_is_the_same_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    real, link = tmp_path / "there" / "m.db", tmp_path / "link.db"
    link.symlink_to(real)
    with MatchStore(link), pytest.raises(StoreError, match=r"another program plays the match in .*/there/m\.db"):
        MatchStore(real)
    with MatchStore(real), pytest.raises(StoreError, match=r"another program plays the match in .*link\.db"):
        MatchStore(link)
    assert not (tmp_path / "link.db.lock").exists()


def test_a_file_that_another_program_holds_is_waited_for_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "FIRST", 0.1)
    monkeypatch.setattr(storage, "LOOK", 0.05)
    path = tmp_path / "m.db"
    said: list[str] = []
    with MatchStore(path, said.append) as store:
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("begin immediate")
        threading.Timer(0.5, lambda: other.execute("commit")).start()
        began = time.monotonic()
        store.add(Key(0, 0, 0), RECORD)
        assert time.monotonic() - began > 0.3
        assert len(store.results()) == 1
        other.close()
    assert said
    assert said[0] == f"waiting for another program that holds {path}: 0 s"


def test_a_file_that_is_held_for_too_long_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "PATIENCE", 0.2)
    monkeypatch.setattr(storage, "LOOK", 0.05)
    path = tmp_path / "m.db"
    with MatchStore(path) as store, sqlite3.connect(path, isolation_level=None) as other:
        other.execute("begin immediate")
        with pytest.raises(StoreError, match=r"game 1\.1\.1 cannot be kept in .*m\.db: database is locked"):
            store.add(Key(0, 0, 0), RECORD)
        other.execute("rollback")


@posix_only
@pytest.mark.parametrize("option", ["--pdn", "--json", "--html"])
def test_a_full_disk_is_said_with_the_file_and_costs_no_game(tmp_path: Path, option: str) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    done = run(tmp_path, *MATCH, "--games", "4", "--db", "m.db", option, "/dev/full")
    assert done.returncode == 2
    assert one_line(done) == "turkengine: /dev/full cannot be written: No space left on device"
    assert "4 games, " in done.stdout
    assert ("the match goes on" in done.stdout) is (option == "--pdn")
    assert done.stdout.splitlines()[-1] == "kept in m.db"
    with sqlite3.connect(tmp_path / "m.db") as database:
        assert database.execute("select count(*) from game").fetchone() == (4,)


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from turkengine.match import organiser
real = organiser.Runner.run
def run(self):
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
    return real(self)
organiser.Runner.run = run
from turkengine.commands import turkengine
turkengine()
"""


@posix_only
def test_a_file_that_cannot_grow_keeps_whole_games_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    words = [*MATCH, "--games", "6", "--pdn", "m.pdn", "--json", "m.json", "--html", "m.html"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *words], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 2, done.stderr
    assert [line.split(" ")[1] for line in done.stderr.splitlines()] == ["m.pdn", "m.json", "m.html"]
    assert all(line.endswith(" cannot be written: File too large") for line in done.stderr.splitlines())
    assert "6 games, " in done.stdout
    assert all(path.name == "m.pdn" and path.stat().st_size for path in tmp_path.iterdir())


@posix_only
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["book", "build", "turkish", "--positions", "5000", "--nodes", "500", "-o", "b"],
            "b.searches: File too large",
        ),
        (
            ["train", "generate", "turkish", "--games", "9", "--nodes", "500", "-o", "d"],
            "d cannot be written: File too",
        ),
    ],
    ids=["book", "train"],
)
def test_long_works_name_the_file_that_cannot_grow(tmp_path: Path, words: list[str], said: str) -> None:
    limit = "trap '' XFSZ; ulimit -f 4; exec \"$@\""
    command = ["bash", "-c", limit, "bash", sys.executable, "-B", "-m", "turkengine", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 1
    assert said in one_line(done)


def test_the_files_that_were_written_are_named_at_the_end(tmp_path: Path) -> None:
    done = run(tmp_path, *MATCH, "--games", "2", "--db", "m.db", "--pdn", "m.pdn", "--json", "m.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "written: m.pdn, m.json; kept in m.db"
    games = [line for line in done.stdout.splitlines() if line.startswith("game ")]
    assert games[0].partition("plies; ")[2].startswith("a +")
    assert games[1].endswith("; 2 of 2 games")
    assert len(json.loads((tmp_path / "m.json").read_text())["games"]) == 2


@posix_only
def test_a_log_that_cannot_be_written_costs_no_game(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "1.1.1.log").symlink_to("/dev/full")
    (tmp_path / "logs" / "1.1.2.log").mkdir()
    engine = f"b=hub:{sys.executable} -m turkengine hub"
    done = run(tmp_path, "match", "a=builtin:hash=1", engine, *MATCH[3:], "--games", "2", "--log", "logs")
    assert done.returncode == 0, done.stderr
    assert "1.1.1.log cannot be written: No space left on device" in done.stdout
    assert "1.1.2.log cannot be written: Is a directory" in done.stdout
    assert "2 games, " in done.stdout
