"""The loop over real pipes: a process is started, written to in every bad way, and has to end well."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from turkengine.daemon.exiting import CAN_WATCH
from turkengine.daemon.stdio import LineDaemon
from turkengine.engine import machine
from turkengine.engine.kernel_types import load_kernel
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Answer, Bound, Report
from turkengine.engine.score import Score
from turkengine.games import INTERNATIONAL
from turkengine.rules.position import Position
from turkengine.wire.actions import StartSearch
from turkengine.wire.lines import LONGEST_LINE

ENGINE = Path(__file__).with_name("slow_engine.py")
SLOW_TABLE_ENGINE = Path(__file__).with_name("slow_table_engine.py")
FAILING_ENGINE = Path(__file__).with_name("failing_engine.py")
LAST_WORDS = 0.5  # s that the protocol gives the process to end
GREETING = 0.1  # s for the lines of a greeting, each of which is written alone
STARTED = 10.0  # s that a process may take to start on a busy machine
FLOOD = "import sys\nwhile True: sys.stdout.buffer.write(b'd\\n' * 9999)"

pipes_are_watched = pytest.mark.skipif(not CAN_WATCH, reason="a closed pipe is not seen before it is used here")

Start = Callable[..., "Client"]


class Client:
    """One engine process and what it has written."""

    def __init__(self, *arguments: str, engine: Path = ENGINE) -> None:
        command = [sys.executable, str(engine), *arguments]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert self.process.stdin
        assert self.process.stdout
        self.input, self.output = self.process.stdin, self.process.stdout

    def write(self, data: bytes) -> None:
        self.input.write(data)
        self.input.flush()

    def line(self) -> str:
        return self.output.readline().decode()

    def until(self, word: str) -> list[str]:
        """Lines up to the one that begins with `word`."""
        lines = []
        while not lines or not lines[-1].startswith(word):
            lines.append(self.line())
            assert lines[-1], f"the output ended before {word}"
        return lines

    def end(self, within: float = LAST_WORDS) -> bytes:
        """What is written until the end, which comes in time and with status 0."""
        began = time.monotonic()
        rest = self.output.read()
        assert self.process.wait(STARTED) == 0
        assert time.monotonic() - began < within
        return rest


@pytest.fixture
def start() -> Iterator[Start]:
    clients: list[Client] = []

    def make(*arguments: str, engine: Path = ENGINE) -> Client:
        clients.append(Client(*arguments, engine=engine))
        return clients[-1]

    yield make
    for client in clients:
        client.process.kill()
        client.process.wait()
        client.output.close()
        with contextlib.suppress(OSError):  # what was left in its buffer has no reader any more
            client.input.close()


@pytest.mark.parametrize(("dialect", "hello", "last"), [("hub", "hub", "wait"), ("uci", "uci", "uciok")])
def test_the_dialect_is_taken_from_the_first_line(start: Start, dialect: str, hello: str, last: str) -> None:
    for client in (start(dialect), start("auto")):
        client.write(f"\n \r\n{hello}\n".encode())
        assert client.until(last)[0].startswith("id name")
        client.write(b"quit\n")
        assert client.end() == b""


def test_end_of_input_in_mid_search_answers_and_ends(start: Start) -> None:
    client = start("uci")
    client.write(b"position startpos\ngo infinite\n")
    client.until("info")
    client.input.close()
    assert b"bestmove " in client.end()


@pytest.mark.parametrize("script", [b"go depth 2\n", b"go depth 2", b"go\ngo\ngo\n"])
def test_a_piped_script_gets_every_answer(script: bytes) -> None:
    result = subprocess.run([sys.executable, str(ENGINE), "uci"], input=script, capture_output=True, timeout=STARTED)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.count(b"bestmove ") == script.count(b"go")


@pytest.mark.parametrize(("command", "last_line"), [(b"perft 4", b"Nodes searched: 4265"), (b"bench\n", b"total ")])
def test_a_count_is_finished_though_the_input_has_ended(command: bytes, last_line: bytes) -> None:
    """Both take longer than a search that is stopped would be given."""
    result = subprocess.run(
        [sys.executable, str(ENGINE), "uci"], input=command, capture_output=True, timeout=6 * STARTED
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.splitlines()[-1].startswith(last_line)


def test_what_a_long_script_asked_for_is_answered_though_its_input_has_ended() -> None:
    script = b"position startpos moves 32-28\ngo depth 1\n" * 500  # the answers alone are kept apart for a second
    result = subprocess.run([sys.executable, str(ENGINE), "uci"], input=script, capture_output=True, timeout=60)
    assert result.stdout.count(b"bestmove ") == 500


def test_a_count_that_is_short_is_shown_though_quit_stands_behind_it() -> None:
    result = subprocess.run(
        [sys.executable, str(ENGINE), "uci"], input=b"perft 2\nquit\n", capture_output=True, timeout=STARTED
    )
    assert result.stdout.splitlines()[-1] == b"Nodes searched: 81"


@pytest.mark.parametrize("last_word", [b"quit\n", b""])
@pytest.mark.parametrize(
    "command", [b"isready\n", b"isready\ngo depth 3\n", b"ucinewgame\nsetoption name Hash value 32\n"]
)
def test_the_end_comes_at_once_though_a_table_is_being_made(start: Start, command: bytes, last_word: bytes) -> None:
    client = start("uci", engine=SLOW_TABLE_ENGINE)
    client.write(b"debug on\nuci\n")
    client.until("uciok")
    client.write(command + last_word)
    client.input.close()
    rest = client.end()
    assert rest.count(b"readyok\n") == command.count(b"isready")
    assert last_word or rest.count(b"bestmove ") == command.count(b"go ")


def test_a_move_in_time_does_not_wait_for_the_table_that_isready_waits_for(start: Start) -> None:
    client = start("uci", engine=SLOW_TABLE_ENGINE)
    client.write(b"uci\n")
    client.until("uciok")
    began = time.monotonic()
    client.write(b"isready\ngo movetime 100\n")
    client.until("readyok")
    client.until("bestmove ")
    assert time.monotonic() - began < LAST_WORDS


def test_quit_says_what_it_drops_of_counts_and_is_obeyed_in_time(start: Start) -> None:
    client = start("uci")
    client.write(b"perft 30\nbench\nquit\n")
    dropped, unfinished = client.end(STARTED).splitlines()
    assert b"(bench)" in dropped
    assert b"not finished" in unfinished


@pytest.mark.parametrize("command", [b"quit\n", b"  quit \r\n", b"quit now\n"])
def test_quit_in_mid_search_ends_the_process(start: Start, command: bytes) -> None:
    client = start("hub")
    client.write(b"go think\n")
    client.until("info")
    client.write(command)
    client.end()


def test_a_closed_output_ends_the_process(start: Start) -> None:
    client = start("uci")
    client.write(b"go infinite\n")
    client.until("info")
    client.output.close()
    began = time.monotonic()
    client.write(b"isready\n")
    assert client.process.wait(STARTED) == 0
    assert time.monotonic() - began < LAST_WORDS


@pipes_are_watched
@pytest.mark.parametrize("command", [b"", b"perft 30\n", b"go infinite\n"])
@pytest.mark.parametrize("input_too", [True, False])
def test_a_closed_output_is_seen_though_nothing_is_written(start: Start, command: bytes, input_too: bool) -> None:
    client = start("hub" if command == b"go infinite\n" else "uci")
    client.write((b"ping\n" if command == b"go infinite\n" else b"isready\n") + command)
    client.line()
    began = time.monotonic()
    client.output.close()
    if input_too:
        client.input.close()
    assert client.process.wait(STARTED) == 0
    assert time.monotonic() - began < LAST_WORDS


@pipes_are_watched
@pytest.mark.parametrize("closed", ["input", "output"])
def test_the_end_is_seen_behind_more_than_is_read_ahead(closed: str) -> None:
    """Nobody reads, so the main thread is stuck in writing and the reader held up, and the pipe between is full."""
    with (
        subprocess.Popen([sys.executable, "-c", FLOOD], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as flood,
        subprocess.Popen([sys.executable, str(ENGINE), "uci"], stdin=flood.stdout, stdout=subprocess.PIPE) as engine,
    ):
        assert flood.stdout
        assert engine.stdout
        flood.stdout.close()  # the engine has it now
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                engine.wait(2.0)
            began = time.monotonic()
            if closed == "input":
                flood.kill()
            else:
                engine.stdout.close()
            assert engine.wait(STARTED) == 0
            assert time.monotonic() - began < LAST_WORDS
        finally:
            flood.kill()
            engine.kill()


@pytest.mark.parametrize("last_word", [b"quit\n", b""])
def test_nobody_reads_and_still_it_ends(start: Start, last_word: bytes) -> None:
    client = start("uci")
    client.write(b"isready\n")
    client.until("readyok")
    client.write(b"d\n" * 300)  # more than a pipe holds: the main thread is stuck in writing
    client.write(last_word)
    began = time.monotonic()
    client.input.close()
    assert client.process.wait(STARTED) == 0
    assert time.monotonic() - began < LAST_WORDS


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C reaches the whole console there")
def test_an_interrupt_ends_it_quietly(start: Start) -> None:
    client = start("hub")
    client.write(b"go\n")
    client.until("info")
    client.process.send_signal(signal.SIGINT)
    assert b"Traceback" not in client.end(within=LAST_WORDS + 1.0)


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_ends_it_with_the_answer_that_is_due(number: str, start: Start) -> None:
    client = start("uci")
    client.write(b"go infinite\n")
    client.until("info")
    client.process.send_signal(getattr(signal, number))
    said = client.end(within=LAST_WORDS + 1.0)
    assert b"bestmove" in said
    assert b"Traceback" not in said
    assert client.process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_a_signal_ends_it_though_nobody_reads(start: Start) -> None:
    client = start("uci")
    client.write(b"isready\n")
    client.until("readyok")
    client.write(b"d\n" * 300)  # more than a pipe holds: the main thread is stuck in writing
    time.sleep(0.2)
    began = time.monotonic()
    client.process.send_signal(signal.SIGTERM)
    assert client.process.wait(STARTED) == 0
    assert time.monotonic() - began < LAST_WORDS


@pytest.mark.skipif(os.name == "nt", reason="a pipe always blocks there")
def test_pipes_that_do_not_block_are_waited_for() -> None:
    """As some programs set them for themselves, and with it for whoever shares them."""
    code = "import os, runpy, sys; os.set_blocking(0, False); os.set_blocking(1, False); sys.argv[1:] = ['uci'];"
    code += f"runpy.run_path({str(ENGINE)!r}, run_name='__main__')"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin
        assert engine.stdout
        engine.stdin.write(b"isready\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"readyok\n"
        engine.stdin.write(b"d\n" * 1000 + b"isready\n")  # the answer is more than a pipe holds
        engine.stdin.flush()
        engine.stdin.close()
        lines = engine.stdout.readlines()
        assert sum(line.startswith(b"Fen: ") for line in lines) == 1000
        assert lines[-1] == b"readyok\n"


def test_a_byte_order_mark_before_the_first_command_is_no_part_of_it(start: Start) -> None:
    client = start("auto")
    client.write(b"\xef\xbb\xbfuci\r\nquit\r\n")
    assert b"uciok" in client.end(within=STARTED)


def test_line_ends_of_windows_are_read_and_never_written(start: Start) -> None:
    client = start("hub")
    client.write(b'hub\r\ninit\r\npos moves="32-28"\r\nlevel depth=1\r\ngo\r\n')
    lines = client.until("done")
    assert not any("\r" in line for line in lines)
    assert not any(line.startswith("error") for line in lines)


def test_the_stream_may_be_cut_anywhere(start: Start) -> None:
    client = start("hub")
    moves = " ".join(["48-42 3-8 42-48 8-3"] * 20)
    position = "WeeBeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeWee"
    data = f'pos pos={position} moves="{moves}"\nlevel depth=1\ngo\n'.encode()
    for start_of_piece in range(0, len(data), 7):
        client.write(data[start_of_piece : start_of_piece + 7])
    assert client.until("done")[-1].startswith("done move=")


def test_garbage_is_ignored_and_the_process_answers_on(start: Start) -> None:
    client = start("hub")
    client.write(bytes(range(256)) * 40 + b"\n\x00\xff\xfe\n" + b"\xc3\x28\n" + "h\u00fcb\n".encode("latin-1"))
    client.write(b"ping\n")
    assert client.line() == "pong\n"


@pytest.mark.parametrize("seed", range(4))
def test_any_words_in_any_pieces_leave_it_alive(start: Start, seed: int) -> None:
    chance = random.Random(seed)
    words = (
        b'hub init uci ping isready go go stop depth 2 movetime 5 infinite level depth=2 pos moves 32-28 " = \xff \x00'
    )
    client = start("auto")
    client.write(b"isready\n")
    client.until("readyok")
    orders = greetings = 0
    for _ in range(150):
        line = b" ".join(chance.choices(words.split(b" "), k=chance.randrange(5))) + chance.choice(
            [b"\n", b"\r\n", b"\n\n"]
        )
        orders += line.split()[:1] == [b"go"]
        greetings += line.split()[:1] in ([b"hub"], [b"uci"])
        for start_of_piece in range(0, len(line), 3):
            client.write(line[start_of_piece : start_of_piece + 3])
    client.input.close()
    rest = client.end(LAST_WORDS + GREETING * greetings)
    assert b"Traceback" not in rest
    assert b"internal error" not in rest
    assert rest.count(b"bestmove") <= orders


@pytest.mark.parametrize("command", [b"go infinite", b"go depth 3", b"perft 3", b"bench"])
def test_a_failure_in_the_background_is_told_and_what_waits_is_obeyed(start: Start, command: bytes) -> None:
    client = start("uci", engine=FAILING_ENGINE)
    client.write(command + b"\neval\n")
    client.until("info string internal error, ZeroDivisionError: nothing works")
    client.write(b"stop\n")
    assert any(line.startswith("bestmove ") for line in client.until("Evaluation:")) == command.startswith(b"go")


def test_a_line_without_end_takes_no_memory_and_is_named(start: Start) -> None:
    client = start("hub")
    client.write(b"hub\n")
    client.until("wait")
    for _ in range(40):
        client.write(b"a" * LONGEST_LINE)
    client.write(b"\nping\n")
    assert client.line() == 'error message="a line that is too long is ignored"\n'
    assert client.line() == "pong\n"
    status = Path(f"/proc/{client.process.pid}/status")
    if status.exists():
        memory = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        assert memory
        assert int(memory[1]) < 100_000


def test_a_flood_of_commands_in_a_search_leaves_it_at_one_answer(start: Start) -> None:
    client = start("uci")
    client.write(b"go infinite\n" + b"xyzzy\nsetoption name Threads value 2\nisready\n" * 2000)
    for _ in range(2000):
        client.until("readyok")
    client.write(b"stop\nisready\n")
    assert client.until("bestmove")
    client.write(b"isready\n")
    assert "readyok\n" in client.until("readyok")


@pytest.mark.parametrize(("limits", "told"), [(Limits(move_time=9.0), [1, 1]), (Limits(depth=9), [1, 2, 3, 1, 2, 3])])
def test_lines_behind_the_best_do_not_hold_up_a_move_that_is_due(
    limits: Limits, told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon = LineDaemon("uci", Options(), [], load_kernel)
    ranks: list[int] = []
    monkeypatch.setattr(daemon._engine, "start", lambda *_: None)
    monkeypatch.setattr(daemon._session, "report", lambda report: ranks.append(report.rank))
    daemon._obey(StartSearch(Position.start(INTERNATIONAL), limits))
    for depth in (1, 2):
        for rank in (1, 2, 3):
            daemon._reported(Report(depth, 0, 0.0, rank, Score(0), Bound.EXACT, 0, 0.0, 0, 0, ()))
    daemon._answered(Answer(None, None))
    for _ in range(6):
        daemon._events.get()()
    assert ranks == told


def test_the_lines_of_a_handshake_are_kept_apart(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "{pid}.log"
    client = start("hub", f"log-file={log}")
    client.write(b"hub\ninit\nlevel depth=2\ngo\n")
    client.until("done")
    written = (tmp_path / f"{client.process.pid}.log").read_text().splitlines()
    stamped = [re.fullmatch(r"(\d+\.\d+) ([<>]) (.*)", line) for line in written]
    assert all(stamped)
    out = [(float(entry[1]), entry[3]) for entry in stamped if entry and entry[2] == ">"]
    for (before, _), (after, line) in pairwise(out):
        if not line.startswith("info"):
            assert after - before >= 0.0019, line
    assert [entry[3] for entry in stamped if entry and entry[2] == "<"] == ["hub", "init", "level depth=2", "go"]


def test_what_is_wrong_with_the_settings_is_told_with_the_first_reply(start: Start) -> None:
    client = start("hub", "log-file=/nowhere/at/all.log", "hash=much")
    client.write(b"hub\n")
    errors = [line for line in client.until("wait") if line.startswith("error")]
    assert len(errors) == 2
    assert "hash" in errors[0] + errors[1]
    assert "log-file" in errors[0] + errors[1]


def test_a_log_that_cannot_be_opened_is_refused_and_the_one_before_goes_on(start: Start, tmp_path: Path) -> None:
    client = start("uci", f"log-file={tmp_path / 'a.log'}", "multi-pv=2")
    client.write(f"setoption name Log File value {tmp_path}\n".encode())
    assert re.match(r"info string option log-file: '.*' cannot be written", client.line())
    client.write(b"uci\n")
    assert f"option name Log File type string default {tmp_path / 'a.log'}\n" in client.until("uciok")
    client.write(b"setoption name MultiPV value 3\nisready\nquit\n")
    assert client.end() == b"readyok\n", "it is told once"
    assert (tmp_path / "a.log").read_text().endswith("< quit\n")


@pytest.mark.parametrize("dialect", ["uci", "auto"])
def test_a_pipe_or_device_as_log_is_refused_with_the_first_reply(start: Start, dialect: str, tmp_path: Path) -> None:
    name = os.devnull
    if hasattr(os, "mkfifo"):
        name = str(tmp_path / "pipe")
        os.mkfifo(name)
    client = start(dialect, f"log-file={name}")
    client.write(b"isready\n")
    assert client.line().startswith("info string option log-file: ")
    assert client.line() == "readyok\n"


def test_a_log_that_grows_too_large_ends_with_one_line_and_the_game_goes_on(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    result = subprocess.run(
        [sys.executable, str(ENGINE), "uci", f"log-file={tmp_path / 'log'}"],
        input=b"isready\n" * 30,
        capture_output=True,
        timeout=STARTED,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)),
    )
    assert (result.returncode, result.stderr) == (0, b"")
    told = [line for line in result.stdout.splitlines() if line != b"readyok"]
    assert len(told) == 1
    assert re.match(rb"info string option log-file: '.*' ends here, ", told[0])
    assert result.stdout.count(b"readyok") == 30


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no other system keeps to this limit")
@pytest.mark.parametrize("mebibytes", [60, 100, 200, 250, 300, 400])
def test_too_little_memory_is_told_in_lines(mebibytes: int) -> None:
    resource = pytest.importorskip("resource")
    result = subprocess.run(
        [sys.executable, "-m", "turkengine", "uci"],
        input=b"setoption name Threads value 8\nisready\ngo depth 3\n",
        capture_output=True,
        timeout=STARTED,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20,) * 2),
    )
    assert b"Traceback" not in result.stdout + result.stderr
    assert b"internal error" not in result.stdout
    assert result.stdout.count(b"bestmove ") == 1 or result.stderr.count(b"\n") == 1


def test_the_sizes_shown_are_those_in_force_and_the_maximum_is_what_can_be_had(start: Start) -> None:
    client = start("uci", "hash=99999999", "threads=99999")
    client.write(b"uci\n")
    shown = re.findall(
        r"option name (Hash|Threads) type spin default (\d+) min 1 max (\d+)", "".join(client.until("uciok"))
    )
    sizes = {name: (int(default), int(most)) for name, default, most in shown}
    assert sizes["Threads"] == (sizes["Threads"][1],) * 2
    assert 1 <= sizes["Hash"][0] <= sizes["Hash"][1] < 99_999_999
    assert sizes["Hash"][1] == machine.memory()


def test_somebody_types_to_it() -> None:
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(sys.executable, [str(ENGINE), "auto"], timeout=STARTED, encoding="utf-8", echo=False)
    child.sendline("uci")
    child.expect("uciok")
    child.sendline("position startpos moves 32-28")
    child.sendline("d")
    child.expect(r"Fen: B:W[0-9,-]+:B1-20")
    child.sendline("go infinite")
    child.expect("info depth")
    child.sendline("stop")
    child.expect(r"bestmove \d+-\d+")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
