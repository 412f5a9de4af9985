"""`turkengine match` as somebody uses it: whole matches of real engines, ended in every way and gone on with."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from turkengine.kernel.endgames import SHIPPED
from turkengine.notation import pdn

posix_only = pytest.mark.skipif(os.name == "nt", reason="a process is ended by a signal")
TURKENGINE = [sys.executable, "-m", "turkengine"]
QUICK = ["--nodes", "300", "--opening-plies", "6", "--plain"]


def match(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TURKENGINE, "match", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=100
    )


def begun(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*TURKENGINE, "match", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True)


def keys(path: Path) -> list[tuple[int, int, int]]:
    with sqlite3.connect(path) as database:
        return database.execute("select round, board, game from game order by 1, 2, 3").fetchall()


def test_a_match_with_everything_that_can_be_asked_for(tmp_path: Path) -> None:
    run = match(
        tmp_path,
        *("new=builtin", f"old=hub:{sys.executable} -m turkengine hub", "--variant", "turkish", "--games", "6", *QUICK),
        *("--concurrency", "2", "--db", "m.db", "--pdn", "m.pdn", "--json", "m.json", "--html", "m.html"),
        *("--log", "logs", "--sprt", "0,5"),
    )
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert sum(line.startswith("game ") for line in lines) == 6
    assert any(line.startswith("new against old: +") for line in lines)
    assert any(line.startswith("LLR ") and line.endswith("for 0 and 5 nElo: not decided") for line in lines)
    games = list(pdn.read_games(tmp_path / "m.pdn"))
    assert [game.tag("Round") for game in games] == [f"1.1.{game}" for game in range(1, 7)]
    for game in games:
        replay = pdn.replay(game)
        assert replay.fault is None
        assert replay.variant.name == "turkish"
    assert [game.tag("White") for game in games] == ["new", "old", "old", "new", "new", "old"]
    assert games[0].moves[:6] == games[1].moves[:6]
    data = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert (data["finished"], len(data["games"]), sum(data["duels"][0]["pairs"])) == (True, 6, 3)
    assert data["endings"] == {"rules": 6}
    assert "<svg" in (tmp_path / "m.html").read_text(encoding="utf-8")
    assert len(list((tmp_path / "logs").iterdir())) == 6
    assert "old > go think" in (tmp_path / "logs" / "1.1.1.log").read_text(encoding="utf-8")


def test_the_same_seed_and_nodes_give_the_same_games(tmp_path: Path) -> None:
    def moves(name: str, seed: str) -> list[tuple[str, ...]]:
        run = match(tmp_path, "a=builtin", "b=builtin", "--games", "4", *QUICK, "--pdn", name, "--seed", seed)
        assert run.returncode == 0, run.stderr
        return [game.moves for game in pdn.read_games(tmp_path / name)]

    assert moves("one.pdn", "5") == moves("two.pdn", "5") != moves("three.pdn", "6")


@posix_only
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_or_a_signal_ends_a_match_in_order_and_it_goes_on(tmp_path: Path, number: str) -> None:
    arguments = ["a=builtin", "b=builtin", "--games", "12", *QUICK, "--db", "m.db", "--pdn", "m.pdn"]
    with begun(tmp_path, *arguments) as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("game "):
            pass
        process.send_signal(getattr(signal, number))
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "interrupted after" in rest
    before = keys(tmp_path / "m.db")
    assert 1 <= len(before) < 12
    assert len(list(pdn.read_games(tmp_path / "m.pdn"))) == len(before)
    run = match(tmp_path, *arguments)
    assert run.returncode == 0, run.stderr
    assert f"{len(before)} games have been played before" in run.stdout
    assert keys(tmp_path / "m.db") == [(0, 0, game) for game in range(12)]
    assert len(list(pdn.read_games(tmp_path / "m.pdn"))) == 12


def test_a_reader_that_leaves_takes_nothing_with_it(tmp_path: Path) -> None:
    arguments = ["a=builtin", "b=builtin", "--games", "6", *QUICK, "--pdn", "m.pdn", "--json", "m.json"]
    with begun(tmp_path, *arguments) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert process.returncode == 1
    assert len(list(pdn.read_games(tmp_path / "m.pdn"))) == 6
    assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["finished"]


@posix_only
def test_kill_9_loses_no_game_and_plays_none_twice(tmp_path: Path) -> None:
    arguments = ["a=builtin", "b=builtin", "--games", "40", *QUICK, "--db", "m.db", "--pdn", "m.pdn"]
    chance = random.Random(1)
    told: set[str] = set()
    for _ in range(4):
        with begun(tmp_path, *arguments) as process:
            assert process.stdout is not None
            while not (line := process.stdout.readline()).startswith("game "):
                assert line, "the match ended by itself"
            told.add(line.split()[1].rstrip(":"))
            time.sleep(chance.random() / 10)
            process.kill()
            told |= {line.split()[1].rstrip(":") for line in process.stdout if line.startswith("game ") and ":" in line}
        kept = {".".join(str(number + 1) for number in key) for key in keys(tmp_path / "m.db")}
        assert told <= kept
    assert match(tmp_path, *arguments).returncode == 0
    assert keys(tmp_path / "m.db") == [(0, 0, game) for game in range(40)]
    assert sorted(game.tag("Round") for game in pdn.read_games(tmp_path / "m.pdn")) == sorted(
        f"1.1.{game}" for game in range(1, 41)
    )


@posix_only
def test_a_database_that_is_removed_meanwhile_is_not_said_to_hold_the_games(tmp_path: Path) -> None:
    words = ["a=builtin:hash=1", "b=builtin:hash=1", *QUICK, "--games", "40", "--db", "m.db", "--pdn", "m.pdn"]
    with subprocess.Popen(
        [*TURKENGINE, "match", *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert "game 1.1.1" in process.stdout.readline()
        (tmp_path / "m.db").unlink()
        output, errors = process.communicate(timeout=60)
    assert "kept in" not in output
    assert errors == "turkengine: m.db has been removed while the match was played; no database holds its games\n"
    assert process.returncode == 2
    assert len(list(pdn.read_games(tmp_path / "m.pdn"))) == 40


def test_a_match_goes_on_with_its_own_settings_only(tmp_path: Path) -> None:
    arguments = ["a=builtin", "b=builtin", *QUICK, "--db", "m.db", "--pdn", "m.pdn"]
    assert match(tmp_path, *arguments, "--games", "2").returncode == 0
    refused = match(tmp_path, *arguments, "--games", "2", "--seed", "9")
    assert refused.returncode == 2
    assert refused.stderr.startswith("turkengine: m.db holds a match with openings '6 plies by chance")
    assert refused.stderr.count("\n") == 1
    assert match(tmp_path, *arguments, "--games", "4", "--concurrency", "2").returncode == 0
    assert len(keys(tmp_path / "m.db")) == 4


def test_endgame_tables_end_games_and_are_a_setting_of_the_match(tmp_path: Path) -> None:
    (tmp_path / "few.fen").write_text("W:Wa2,c3,Kd1:Bh7,Kg8\nW:Wa3,b3:Bh6,g6\n")
    arguments = ["a=builtin", "b=builtin", "--variant", "turkish", "--openings", "few.fen", "--games", "4"]
    arguments += ["--nodes", "300", "--plain", "--db", "m.db", "--pdn", "m.pdn", "--json", "m.json"]
    own = tmp_path / "own"
    shutil.copytree(SHIPPED / "turkish" / "tables", own / "turkish")
    run = match(tmp_path, *arguments, "--tables", "3", "--tables-folder", "own", "--concurrency", "2")
    assert run.returncode == 0, run.stderr
    data = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert data["endings"] == {"tables": 4}
    assert data["settings"]["tables"] == "9 endings of up to 3 pieces"
    with sqlite3.connect(tmp_path / "m.db") as database:
        assert database.execute("select distinct kind from result").fetchall() == [("tables",)]
    for game in pdn.read_games(tmp_path / "m.pdn"):
        assert re.fullmatch(r"tables: .+ by the endgame tables", game.tag("Termination") or "")
    refused = match(tmp_path, *arguments)
    assert refused.returncode == 2
    assert "m.db holds a match with tables '9 endings of up to 3 pieces', not 'not given'" in refused.stderr
    (own / "turkish" / "KKvK.endgame").write_bytes(b"")
    assert match(tmp_path, *arguments, "--tables", "3", "--tables-folder", "own").returncode == 0  # the program's own
    (own / "turkish" / "KKKvK.endgame").write_bytes(b"")
    damaged = match(tmp_path, *arguments, "--tables", "4", "--tables-folder", "own")
    assert damaged.returncode == 2
    assert f"{own / 'turkish' / 'KKKvK.endgame'}: the file is empty" in damaged.stderr


def test_files_of_somebody_else_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.pdn").write_text("my games\n")
    run = match(tmp_path, "a=builtin", "b=builtin", "--games", "2", *QUICK, "--pdn", "mine.pdn")
    assert run.returncode == 2
    assert "mine.pdn is there already and not from this match" in run.stderr
    assert (tmp_path / "mine.pdn").read_text() == "my games\n"


STUBBORN = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "hub":
        print("id name=stubborn\\nwait", flush=True)
    elif word == "init":
        print("ready", flush=True)
    elif word == "ping":
        print("pong", flush=True)
    elif word == "pos":
        tried = {tried!r} and "moves" not in line
    elif word == "go" and tried:
        print("done move=32-28", flush=True)
    elif word == "go":
        print({answer!r}, flush=True) if {answer!r} != "die" else sys.exit(3)
    elif word == "quit":
        break
"""


@pytest.mark.parametrize(
    ("answer", "end"),
    [("die", "exit status 3"), ("done move=50-1", "5.4."), ("done move=hello", "hello")],
    ids=["crash", "illegal move", "garbage"],
)
def test_an_engine_that_fails_loses_every_game_and_the_match_is_played(tmp_path: Path, answer: str, end: str) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN.format(answer=answer, tried=True))
    run = match(
        tmp_path,
        *("good=builtin", f"bad=hub:{sys.executable} stubborn.py", "--games", "4", *QUICK, "--json", "m.json"),
    )
    assert run.returncode == 1, run.stderr
    assert "good against bad: +4 =0 -0" in run.stdout
    data = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert all(end in game["reason"] for game in data["games"])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("die", "it has ended with exit status 3"),
        ("done move=50-1", "5.4."),
        ("done move=hello", "hello"),
        ("done", "it gives up at the start of a game"),
    ],
    ids=["crash", "illegal move", "garbage", "no move"],
)
def test_an_engine_that_cannot_make_one_move_is_refused_before_the_first_game(
    tmp_path: Path, answer: str, said: str
) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN.format(answer=answer, tried=False))
    run = match(tmp_path, "good=builtin", f"bad=hub:{sys.executable} stubborn.py", *QUICK, "--db", "m.db")
    assert run.returncode == 3
    assert run.stderr.startswith("turkengine: bad: ")
    assert said in run.stderr
    assert "tried" in run.stderr
    assert run.stderr.count("\n") == 1
    assert "game " not in run.stdout
    assert not (tmp_path / "m.db").exists()


def test_an_engine_runs_in_its_own_folder_and_its_dialect_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "its").mkdir()
    (tmp_path / "its" / "engine.py").write_text(
        "import sys; from turkengine.cli import main; open('here', 'w').close(); sys.argv[1:] = ['hub']; main()"
    )
    command = f"auto:{sys.executable} engine.py"
    run = match(tmp_path, "us=builtin", f"it={command}", "--directory", "it=its", "--games", "2", *QUICK)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "its" / "here").exists()
    assert "us against it: +" in run.stdout
    alone = match(tmp_path, "us=builtin", command, "--directory", "its", "--games", "2", *QUICK)
    assert alone.returncode == 0, alone.stderr
    missing = match(tmp_path, "us=builtin", f"it={command}", "--directory", "it=no", "--games", "2", *QUICK)
    assert (missing.returncode, "it: its folder no is not there" in missing.stderr) == (3, True)
    other = match(tmp_path, "us=builtin", f"it={command}", "--directory", "his=its", "--games", "2", *QUICK)
    assert (other.returncode, "no engine is called 'his'; write his= in front" in other.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["builtin"], "give two engines or more"),
        (["builtin", "builtin"], "give a limit: --tc 1+0.02"),
        (["builtin", "builtin", "--nodes", "9", "--games", "3"], "3 is odd; games come in pairs"),
        (["builtin", "other:x", "--nodes", "9"], "write one of builtin"),
        (["builtin", "builtin:hush=1", "--nodes", "9"], "no option is called 'hush'"),
        (["a=builtin", "a=builtin", "--nodes", "9"], "two engines are called 'a'"),
        (["builtin", "builtin", "--tc", "fast"], "write [MOVES/]SECONDS[+INCREMENT]"),
        (["builtin", "builtin", "--nodes", "9", "--sprt", "5,0"], "needs the smaller number first"),
        (["builtin"] * 3 + ["--nodes", "9", "--sprt", "0,5"], "the test is one of two engines"),
        (["builtin", "builtin", "--nodes", "9", "--openings", "none.pdn"], "none.pdn cannot be read"),
        (["builtin", "builtin", "--nodes", "9", "--draw", "5"], "write SCORE,PLIES[,AFTER]"),
        (
            ["builtin", "builtin", "--nodes", "9", "--tables", "3", "--tables-folder", "no"],
            "no is not a folder; name one",
        ),
        (["builtin", "builtin", "--nodes", "9", "--tables-folder", "no"], "of use with --tables only; give --tables 3"),
        (["builtin", "builtin", "--nodes", "9", "--affinity", "9999"], "there is no processor 9999"),
        (["builtin", "builtin", "--nodes", "9", "--db", "no/m.db"], "cannot be used as the file of a match"),
    ],
)
def test_what_cannot_be_played_is_told_before_the_first_game(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    run = match(tmp_path, *arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert "game 1.1.1" not in run.stdout


def test_an_engine_that_cannot_be_started_is_told_before_the_first_game(tmp_path: Path) -> None:
    run = match(tmp_path, "builtin", "hub:/no/such/engine", *QUICK)
    assert run.returncode == 3
    assert "/no/such/engine cannot be started: No such file or directory" in run.stderr


def test_a_program_over_dxp_plays_in_both_colours_and_knows_how_each_game_has_ended(tmp_path: Path) -> None:
    listening = [*TURKENGINE, "dxp", "--listen", "127.0.0.1:0", "--nodes", "50", "--config", "none.toml"]
    with subprocess.Popen(listening, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as peer:
        assert peer.stdout is not None
        place = peer.stdout.readline().split()[-1]
        run = match(tmp_path, "us=builtin:hash=1", f"dxp:{place}", "--games", "2", "--tc", "30", *QUICK)
        refused = match(tmp_path, "builtin", f"dxp:{place}", "--games", "2", *QUICK, "--concurrency", "2")
        peer.terminate()
        told = peer.stdout.read()
    assert run.returncode == 0, run.stderr
    assert "2 games, " in run.stdout
    assert "ended by rules 2" in run.stdout
    begun = re.findall(r"game (\d) begins: White (.+?), Black .*?, 0\.5 min each", told)
    assert [number for number, _ in begun] == ["1", "2"]
    results = re.findall(r"^game (\d): (\S+), (.+?) \(", told, re.MULTILINE)
    assert [number for number, *_ in results] == ["1", "2"]
    for number, result, reason in results:
        assert result in ("2-0", "1-1", "0-2")
        assert reason.partition(" (")[0] in run.stdout, number
    assert refused.returncode == 2
    assert f"dxp:{place} plays one game after the other; give --concurrency 1" in refused.stderr


def test_two_engines_of_one_name_are_told_apart(tmp_path: Path) -> None:
    run = match(tmp_path, "builtin", "builtin", "--games", "2", *QUICK)
    assert run.returncode == 0
    assert "against turkengine 0.1.0 (2): +" in run.stdout


@posix_only
def test_a_terminal_shows_a_table_that_stays_in_its_place(tmp_path: Path) -> None:
    pytest.importorskip("rich")
    pexpect = pytest.importorskip("pexpect")
    arguments = ["-m", "turkengine", "match", "a=builtin", "b=builtin", "--games", "4", "--nodes", "300"]
    child = pexpect.spawn(sys.executable, arguments, cwd=str(tmp_path), encoding="utf-8", dimensions=(40, 120))
    child.expect("0 of at most 4 games", timeout=60)
    child.expect("4 of at most 4 games", timeout=60)
    child.expect(r"a against b: \+")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_a_tournament_file_is_read_without_playing(tmp_path: Path) -> None:
    text = "[tournament]\ndepth = 2\nformat = 'swiss'\n" + "[[engine]]\nengine = 'builtin'\n" * 4
    (tmp_path / "t.toml").write_text(text)
    run = subprocess.run(
        [*TURKENGINE, "tournament", "t.toml", "--check"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "format: Swiss, 4 players, 2 rounds, 1 openings a round" in run.stdout
    assert "game " not in run.stdout


def test_a_tournament_file_with_a_mistake_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("[tournament]\nvarient = 'croda'\n")
    run = subprocess.run(
        [*TURKENGINE, "tournament", "t.toml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert "t.toml: [tournament]: there is no key 'varient'; variant is meant, perhaps" in run.stderr


@posix_only
def test_ctrl_c_ends_engines_that_think_for_long(tmp_path: Path) -> None:
    engine = f"uci:{sys.executable} -m turkengine uci"
    arguments = ["a=builtin", f"b={engine}", "--games", "2", "--movetime", "100", "--plain", "--db", "m.db"]
    arguments += ["--openings", "start", "--concurrency", "2"]
    with begun(tmp_path, *arguments) as process:
        while not (tmp_path / "m.db-wal").exists():
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.wait(30)
    assert process.returncode == 130
    assert keys(tmp_path / "m.db") == []
