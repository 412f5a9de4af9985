"""Every transcript of `protocol/` is held with the installed engine, and the checker itself is checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROTOCOL = Path(__file__).resolve().parents[2] / "protocol"
TRANSCRIPTS = sorted(PROTOCOL.glob("*/*.transcript"))
SLOW_MACHINE = 4  # times the time bounds; the bounds themselves are measured apart from the tests

ECHO = """
import sys
for line in sys.stdin:
    print({"a": "one", "b": "two\\nthree", "c": "cr\\r"}.get(line.strip(), "what"), flush=True)
"""


# How the engine is started for each dialect. Over DXP a game has a clock: without a limit the tests would wait for it.
ARGUMENTS = {"hub": ["hub"], "uci": ["uci"], "dxp": ["dxp", "--listen", "{port}", "--nodes", "2000"]}


def check(
    path: Path, *command: str, home: Path, timeout: float = 20.0, dialect: str = "hub"
) -> subprocess.CompletedProcess[str]:
    """Run one transcript against a command, without any settings of the user."""
    environment = {**os.environ, "XDG_CONFIG_HOME": str(home), "APPDATA": str(home), "HOME": str(home)}
    bounds = ["--timeout", str(timeout), "--scale", str(SLOW_MACHINE)]
    arguments = ["--dialect", dialect, "--file", str(path), *bounds, "--", *command]
    return subprocess.run(
        [sys.executable, str(PROTOCOL / "check.py"), *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=110,
        check=False,
    )


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_engine_keeps_to_the_transcript(path: Path, tmp_path: Path) -> None:
    dialect = path.parent.name
    result = check(path, sys.executable, "-m", "turkengine", *ARGUMENTS[dialect], home=tmp_path, dialect=dialect)
    assert result.returncode == 0, result.stdout + result.stderr


def test_there_are_transcripts_of_every_dialect() -> None:
    assert {path.parent.name for path in TRANSCRIPTS} == set(ARGUMENTS)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("> a\n< one\n", ""),
        ("> a\n< on<any>\n> b\n< two\n<? nothing\n<* more\n< three\n", ""),
        ("> b\n<& three\n<& two\n", ""),
        ("> b\n<& th<x:word>\n<& two\n> b\n< two\n< th<x>\n", ""),
        ("> b\n<& <x:word>ee\n<& two\n> b\n< two\n< <x>\n", "line 6: the engine wrote: three"),
        ("> a\n> a\n<2 one\n", ""),
        ("> b\n<+ <word>\n> a\n< three\n< one\n", ""),
        ("> a\n< <x:word>\n> a\n< <x>\n> b\n< <two|one>\n< <any>\n", ""),
        ("> a\n< two\n", "line 2: the engine wrote: one"),
        ("> a\n> a\n<3 one\n", "line 3: nothing came"),
        ("> b\n< two\n", "the end: the engine wrote: three"),
        ("> c\n< cr\n> c\n< <x:word>\n> c\n<& cr\n> c\n< <x>\n", ""),
        ("@ lf\n> c\n< cr<any>\n", "line 3: a carriage return"),
        ("@ lf\n> c\n< cr\n", "line 3: a carriage return"),
        ("@ lf\n> c\n<& cr\n", "line 3: a carriage return"),
        (">| a\\n\\x61\\n\n<2 one\n", ""),
        ("@ cut 1\n> a\n< one\n@ eof\n@ exit 0\n", ""),
        ("@ eof\n@ exit 3\n", "line 2: the exit status is 0, not 3"),
        ("> a\n@ after 30\n< one\n", "before 30 s had passed"),
        ("@ dance\n", "line 1: no such directive"),
        ("? a\n", "starts with none of"),
    ],
)
def test_the_first_line_that_differs_is_named(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "a.transcript"
    path.write_text(text, encoding="utf-8")
    result = check(path, sys.executable, "-c", ECHO, home=tmp_path, timeout=0.5)
    assert complaint in result.stdout
    assert result.returncode == (1 if complaint else 0), result.stdout


def test_an_engine_that_cannot_be_started_is_a_failure_not_a_crash(tmp_path: Path) -> None:
    result = check(TRANSCRIPTS[0], str(tmp_path / "nothing"), home=tmp_path)
    assert (result.returncode, result.stderr) == (1, "")


class TestListening:
    """The checker with a program that listens, in which it is told what to answer by the message itself."""

    ECHO = """
import socket, sys
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    while True:
        stream = server.accept()[0]
        if sys.argv[2:]:
            stream.sendall(sys.argv[2].encode() + bytes(1))
        while data := stream.recv(100):
            if b"bye" in data:
                break
            stream.sendall(data)
        stream.close()
"""

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("> a\n< a\n", ""),
            ("> a\n< b\n", "line 2: the engine wrote: a"),
            (">| a\\x00b\\x00\n< a\n< b\n", ""),
            (">| ab\n@ silence 0.1\n>| c\\x00\n< abc\n", ""),
            ("@ cut 1\n> abc\n< abc\n", ""),
            (">| abc\n@ eof\n", "the end: the engine wrote: abc"),
            ("> bye\n@ exit\n", ""),
            ("> a\n< a\n@ exit\n", "line 3: the engine still runs"),
            ("> a\n< a\n@ call\n> b\n< b\n", ""),
            ("@ arguments hello\n< hello\n", ""),
            ("@ lf\n> a\n< b\n", "line 3: the engine wrote: a"),
        ],
    )
    def test_the_first_message_that_differs_is_named(self, text: str, complaint: str, tmp_path: Path) -> None:
        path = tmp_path / "a.transcript"
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-c", self.ECHO, "{port}"]
        result = check(path, *command, home=tmp_path, timeout=0.5, dialect="dxp")
        assert complaint in result.stdout
        assert result.returncode == (1 if complaint else 0), result.stdout + result.stderr

    def test_nobody_there_is_a_failure_not_a_crash(self, tmp_path: Path) -> None:
        path = tmp_path / "a.transcript"
        path.write_text("> a\n", encoding="utf-8")
        for command in (["-c", "pass"], ["-c", "import time; time.sleep(60)"]):
            result = check(path, sys.executable, *command, home=tmp_path, timeout=0.1, dialect="dxp")
            assert (result.returncode, result.stderr) == (1, "")
            assert "nobody listens at 127.0.0.1:" in result.stdout

    def test_a_transcript_that_needs_a_command_is_left_out_without_one(self, tmp_path: Path) -> None:
        path = tmp_path / "a.transcript"
        path.write_text("@ arguments --initiate\n> a\n", encoding="utf-8")
        arguments = ["--dialect", "dxp", "--connect", "127.0.0.1:1", "--file", str(path)]
        result = subprocess.run(
            [sys.executable, str(PROTOCOL / "check.py"), *arguments], capture_output=True, text=True, timeout=60
        )
        assert "skipped a.transcript: it needs an engine started with --initiate" in result.stdout
        assert result.returncode == 2
