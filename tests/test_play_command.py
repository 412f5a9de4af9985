"""`turkengine play` as somebody uses it: on a pipe, and in a terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from daemon.dxp_peers import ANYWHERE, Running

from turkengine.engine.options import WEAKEST_ELO
from turkengine.games import variant_named
from turkengine.notation import moves, pdn
from turkengine.rules.position import Position

posix_only = pytest.mark.skipif(os.name == "nt", reason="a terminal is pretended")
PLAY = [sys.executable, "-m", "turkengine", "play"]


def play(folder: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLAY, *arguments], cwd=folder, input=text, capture_output=True, encoding="utf-8", check=False, timeout=100
    )


def game_in(path: Path) -> pdn.PdnGame:
    [game] = pdn.read_games(path)
    assert pdn.replay(game).fault is None
    return game


@pytest.mark.parametrize("name", ["international", "turkish", "croda"])
def test_a_whole_game_on_a_pipe(tmp_path: Path, name: str) -> None:
    """The script plays the first legal move; all that it hears are lines."""
    variant = variant_named(name)
    position = Position.start(variant)
    with subprocess.Popen(
        [*PLAY, name, "--nodes", "300", "--colour", "black", "--pdn", "game.pdn"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        result = ""
        for line in process.stdout:
            if found := re.match(r"White \(.+\) plays (\S+) ", line):
                position = position.play(moves.read(position, found[1]))
            elif line == "Black to move\n":
                move = position.legal_moves()[0]
                process.stdin.write(moves.full(position, move) + "\n")
                process.stdin.flush()
                position = position.play(move)
            elif line == "The game is over\n":
                break
            result = line
        process.stdin.close()
        assert process.wait(20) == 0
    assert re.match(r"(2-0|1-1|0-2|1-0|1/2-1/2|0-1), (White has won|Black has won|drawn): \w", result)
    game = game_in(tmp_path / "game.pdn")
    assert result.startswith(f"{game.tag('Result')}, ")
    assert len(game.moves) > 10


def test_two_people_and_a_file_with_another_game_in_it(tmp_path: Path) -> None:
    for expected in (1, 2):
        run = play(tmp_path, "--opponent", "human", "--pdn", "games.pdn", text="32-28\n19-23\nundo\ny\n20-25\n")
        assert (run.returncode, run.stderr) == (0, "")
        games = list(pdn.read_games(tmp_path / "games.pdn"))
        assert [game.moves for game in games] == [("32-28", "20-25")] * expected
        assert all(game.tag("Result") == "*" for game in games)


def test_the_end_of_the_input_before_any_move_leaves_no_file(tmp_path: Path) -> None:
    assert play(tmp_path, "--level", "1", "--pdn", "x.pdn").returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_save_writes_where_it_is_told_to(tmp_path: Path) -> None:
    run = play(tmp_path, "--level", "1", text="32-28\nsave my game.pdn\nsave none/x.pdn\nquit\n")
    assert "saved in my game.pdn\n" in run.stdout
    assert "none/x.pdn cannot be written: No such file or directory; give another file\n" in run.stdout
    assert game_in(tmp_path / "my game.pdn").moves[0] == "32-28"


def test_engines_of_all_kinds_answer(tmp_path: Path) -> None:
    command = f"{sys.executable} -m turkengine"
    for opponent in (f"hub:{command} hub", f"uci:{command} uci", "friend=builtin:hash=1"):
        run = play(tmp_path, "--opponent", opponent, "--depth", "2", text="32-28\nundo\n33-29\n")
        assert run.stdout.count("Black (") == 2, run
    assert "Black (friend) plays " in run.stdout


def test_a_program_over_dxp_goes_back_with_us(tmp_path: Path) -> None:
    peer = Running(ANYWHERE, stays=True)
    try:
        script = "46-41\n47-42\nundo\nundo\n48-43\n"
        apart = "W:W46,47,48:B1,2,3"  # nothing can be captured yet, whatever the answers are
        run = play(tmp_path, "--opponent", f"dxp:{peer.place}", "--fen", apart, "--pdn", "x.pdn", text=script)
        assert run.returncode == 0, run
        assert peer.line("the opponent goes back to move 1 of White")
        assert "taken back: 47-42, " in run.stdout
        game = game_in(tmp_path / "x.pdn")
        assert (game.moves[0], len(game.moves), game.tag("Black")) == ("48-43", 2, "us")
    finally:
        peer.end()


def test_the_engine_of_this_program_plays_from_its_book_unless_told_otherwise(tmp_path: Path) -> None:
    """One ply from the start every move is in the book, and takes no search."""
    for opponent, searched in (("builtin", False), ("builtin:hash=1", False), ("builtin:book=false", True)):
        run = play(tmp_path, "--tc", "3", "--opponent", opponent, text="32-28\n")
        assert ("depth 0, " not in run.stdout) is searched, run


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["--elo", "900"], "Elo 900"),
        (["--opponent", "builtin:skill-level=2"], "level 2"),
        (["--opponent", "builtin:limit-strength=true,elo=800"], "Elo 800"),
        (["--opponent", "builtin:limit-strength=true,elo=800", "--level", "3"], "level 3"),
        (["--opponent", "builtin:skill-level=2", "--elo", "1000"], "Elo 1000"),
    ],
)
def test_how_well_the_engine_plays_stands_behind_its_name(tmp_path: Path, arguments: list[str], name: str) -> None:
    run = play(tmp_path, *arguments, text="help\n")
    assert re.search(rf"Black turkengine \S+ {name} \(1 s a move\)$", run.stdout, re.MULTILINE)
    assert "at full strength whatever the level" in " ".join(run.stdout.split())


def test_the_level_is_that_of_the_engines_options(tmp_path: Path) -> None:
    run = play(tmp_path, "--level", "0", text="32-28\n")
    assert re.search(r"Black turkengine \S+ level 0 \(", run.stdout)
    assert re.search(r"Black \(turkengine \S+ level 0\) plays \S+ \(score .*, depth [1-3], ", run.stdout)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--opponent", "other:x"], 2, "write one of builtin"),
        (["--opponent", "builtin:hush=1"], 2, "no option is called 'hush'"),
        (["--opponent", "hub:none-such-engine"], 3, "turkengine: none-such-engine: none-such-engine cannot be started"),
        (["--opponent", "dxp:127.0.0.1:9", "--nodes", "9"], 2, "a program over DXP takes no nodes or depth"),
        (["--opponent", "human", "--level", "2"], 2, "two people play without an engine to be limited"),
        (["--opponent", "human", "--colour", "black"], 2, "--colour is for games with an engine"),
        (["--opponent", "hub:x", "--level", "2"], 2, "--level and --elo are for the engine of this program"),
        (["--level", "2", "--elo", "900"], 2, "--level and --elo both say how well the engine plays"),
        (["--elo", "100"], 2, f"100 is not in the range {WEAKEST_ELO}<=x<=2400"),
        (["--level", "21"], 2, "21 is not in the range 0<=x<=20"),
        (["--movetime", "1e99"], 2, "the move time 1e+99 cannot be played"),
        (["--tc", "fast"], 2, "write [MOVES/]MINUTES[+SECONDS], as in 5+3"),
        (["--fen", "W:W51:B1"], 2, "--fen: there is no square '51'"),
        (["--pdn", "none/x.pdn"], 2, "--pdn: none/x.pdn cannot be written: No such file or directory"),
        (["chess"], 2, "no variant is called 'chess'"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(
    tmp_path: Path, arguments: list[str], status: int, message: str
) -> None:
    run = play(tmp_path, *arguments)
    assert (run.returncode, run.stdout) == (status, "")
    assert message in run.stderr.splitlines()[-1]


@posix_only
class TestTerminal:
    """A terminal that a person sits at."""

    @pytest.fixture
    def sit(self, tmp_path: Path) -> Iterator[Callable[..., Any]]:
        pexpect = pytest.importorskip("pexpect")
        children = []

        def spawn(*arguments: str, **variables: str) -> Any:
            environment = {
                **os.environ,
                "TERM": "xterm",
                "PYTHONIOENCODING": "utf-8",
                "XDG_DATA_HOME": str(tmp_path),
                **variables,
            }
            where = {"cwd": str(tmp_path), "env": environment, "dimensions": (60, 100)}
            children.append(pexpect.spawn(PLAY[0], [*PLAY[1:], *arguments], encoding="utf-8", timeout=60, **where))
            return children[-1]

        yield spawn
        for child in children:
            child.close(force=True)

    @staticmethod
    def ended(child: Any) -> int:
        """The exit status, once it has ended."""
        child.expect(pytest.importorskip("pexpect").EOF)
        child.close()
        return child.exitstatus

    def test_shows_the_board_at_each_turn(self, sit: Callable[..., Any]) -> None:
        child = sit("--level", "1", NO_COLOR="1")
        child.expect(r" 46○ +47○ +48○ +49○ +50○\r\nWhite to move> ")
        assert "\x1b" not in child.before
        child.sendline("32-28")
        child.expect(r"White plays 32-28\r\nBlack \(turkengine .+\) plays \d.*\[.*Last move: Black .+White to move> ")
        child.sendline("31-32")
        child.expect(r"is not a legal move; .* \(5\.4\.\d\)\r\nWhite plays another move\r\nWhite to move> ")
        child.sendline("resign")
        child.expect(r"0-2, Black has won: White gives up\r\nThe game is over> ")
        child.sendeof()
        assert self.ended(child) == 0

    def test_has_colours_unless_nobody_wants_them(self, sit: Callable[..., Any]) -> None:
        child = sit("turkish", "--opponent", "human", "--ascii", NO_COLOR="")
        child.expect("White to move> ")
        assert "\x1b[48;5;94m" in child.before
        assert child.before.isascii()

    def test_tells_when_a_flag_falls_though_nobody_writes(self, sit: Callable[..., Any]) -> None:
        child = sit("--opponent", "human", "--tc", "0:01", "--pdn", "x.pdn")
        child.expect(r"White to move, 0\.\d s> ")
        child.sendline("32-28")
        child.expect(r"Black to move, .*> \r\n.*2-0, White has won: Black is out of time\r\nThe game is over> ")
        child.sendline("quit")
        assert self.ended(child) == 0

    @pytest.mark.parametrize("movetime", ["0.01", "100"], ids=["asked for a move", "while the engine thinks"])
    def test_keeps_the_game_when_ctrl_c_ends_it(self, sit: Callable[..., Any], tmp_path: Path, movetime: str) -> None:
        child = sit("--movetime", movetime, "--pdn", "x.pdn")
        child.expect("White to move> ")
        child.sendline("32-28")
        child.expect("White plays 32-28" if movetime == "100" else "Black .* plays .*White to move> ")
        child.sendintr()
        child.expect("interrupted; the game is in x.pdn\r\n")
        assert self.ended(child) == 130
        game = game_in(tmp_path / "x.pdn")
        assert (game.moves[0], game.tag("Result")) == ("32-28", "*")

    def test_keeps_the_game_when_it_is_closed(self, sit: Callable[..., Any], tmp_path: Path) -> None:
        child = sit("--level", "1", "--pdn", "x.pdn")
        child.expect("White to move> ")
        child.sendline("32-28")
        child.expect("Last move: Black .*White to move> ")
        child.kill(signal.SIGTERM)
        assert self.ended(child) == 130
        assert len(game_in(tmp_path / "x.pdn").moves) == 2

    def test_asks_what_to_play_when_nothing_is_said(self, sit: Callable[..., Any]) -> None:
        child = sit()
        child.expect(r"1  International.*2  Turkish.*Which game.*\[1\]: ")
        child.sendline("shogi")
        child.expect(r"no variant is called 'shogi'.*Which game.*\[1\]: ")
        child.sendline("turkish")
        child.expect(r"level, from 0 .* to 20 .*\[20\]: ")
        child.sendline("3")
        child.expect(r"Turkish draughts: White human, Black turkengine .* level 3 ")
        child.expect("White to move> ")

    @pytest.mark.parametrize("ended_by", ["quit", "SIGTERM", "SIGKILL"])
    def test_keeps_a_game_until_it_is_over(self, sit: Callable[..., Any], tmp_path: Path, ended_by: str) -> None:
        child = sit("--variant", "croda", "--opponent", "human", "--tc", "5+3")
        child.expect(r"5:00 \+ 3 s a move.*White to move, \d:\d\d> ")
        child.sendline("a3-a4")
        child.expect("White plays a3-a4.*Black to move, .*> ")
        if ended_by == "quit":
            child.sendline("quit")
            child.expect("the game is kept: turkengine play --resume continues it")
        else:
            child.kill(getattr(signal, ended_by))
        self.ended(child)

        child = sit()
        child.expect(r"Continue your unfinished game \(Croda, begun .* UTC, 1 move\)\? \[Y/n\]: ")
        child.sendline("")
        child.expect(r"Croda: White human .*The game goes on after 1 move\..*Black to move, (4:5\d|5:00)> ")
        child.sendline("undo")
        child.expect("White wants to take a3-a4 back.*White|Black: yes or no")
        child.sendline("no")
        child.expect("Black to move, .*> ")
        child.sendline("resign")
        child.expect("The game is over> ")
        child.sendline("quit")
        child.expect("the game is in .*games.pdn")
        assert self.ended(child) == 0

        folder = tmp_path / "turkengine" / "games"
        assert [path.name for path in folder.iterdir()] == ["games.pdn"]
        game = game_in(folder / "games.pdn")
        assert (list(game.moves), game.tag("Result")) == (["a3-a4"], "1-0")
        assert "no unfinished game is kept" in sit("--resume").read()

    def test_a_game_that_is_being_played_is_offered_to_nobody_else(self, sit: Callable[..., Any]) -> None:
        child = sit("--opponent", "human")
        child.expect("White to move> ")
        child.sendline("32-28")
        child.expect("Black to move> ")
        assert "no unfinished game is kept" in sit("--resume").read()

    def test_begins_a_new_game_without_a_question_where_that_is_wanted(self, sit: Callable[..., Any]) -> None:
        child = sit("--opponent", "human")
        child.expect("White to move> ")
        child.sendline("32-28")
        child.expect("Black to move> ")
        child.sendline("quit")
        self.ended(child)
        child = sit("--new")
        child.expect("White to move> ")
        assert "unfinished" not in child.before
        assert "Which game" not in child.before

    def test_names_a_kept_game_that_is_damaged(self, sit: Callable[..., Any], tmp_path: Path) -> None:
        folder = tmp_path / "turkengine" / "games"
        folder.mkdir(parents=True)
        (folder / "x.game").write_text('{"format": "turkengine game 1", "settings": {}}')
        said = sit("--resume").read()
        assert "x.game holds no game that can be read" in said
        assert "Traceback" not in said


def test_a_game_on_a_pipe_is_kept_only_where_somebody_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    play(tmp_path, "--opponent", "human", text="32-28\n")
    assert list(tmp_path.iterdir()) == []
    run = play(tmp_path, "--opponent", "human", "--new", text="32-28\n")
    assert "the game is kept" in run.stdout
    run = play(tmp_path, "--resume", text="19-23\nresign\n")
    assert "The game goes on after 1 move.\nBlack to move\nBlack plays 19-23\n" in run.stdout
    assert game_in(tmp_path / "turkengine" / "games" / "games.pdn").tag("Result") == "0-2"
