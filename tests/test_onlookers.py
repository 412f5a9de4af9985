"""Lines for people: readers that leave, that never read, that are slow, and a full disk."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

FULL = Path("/dev/full")
RUN = """
import sys, time
import click
from turkengine.commands.onlookers import onlookers
@click.command()
def run():
    with onlookers():
        for number in range({lines}):
            click.echo(f"line {{number}}")
            {between}
        click.echo("at the end", err=True)
        open("done", "w").close()
        click.get_current_context().exit({status})
run()
"""


def begun(folder: Path, lines: int, between: str = "", status: int = 0, **streams: Any) -> subprocess.Popen[str]:
    script = RUN.format(lines=lines, between=between or "pass", status=status)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen([sys.executable, "-c", script], cwd=folder, text=True, **streams)


def test_every_line_comes_in_order_to_who_reads(tmp_path: Path) -> None:
    run = begun(tmp_path, 20_000, stderr=subprocess.STDOUT)
    output, _ = run.communicate(timeout=60)
    assert output.splitlines() == [*(f"line {number}" for number in range(20_000)), "at the end"]
    assert run.returncode == 0


def test_the_status_of_a_run_that_was_read_is_its_own(tmp_path: Path) -> None:
    run = begun(tmp_path, 1, status=7)
    assert run.communicate(timeout=60) == ("line 0\n", "at the end\n")
    assert run.returncode == 7


@pytest.mark.parametrize(("own", "status"), [(0, 1), (130, 130)])
def test_a_reader_that_leaves_is_named_once_and_the_run_goes_on(tmp_path: Path, own: int, status: int) -> None:
    run = begun(tmp_path, 200, between="time.sleep(0.002)", status=own)
    assert run.stdout is not None
    assert run.stderr is not None
    assert run.stdout.readline() == "line 0\n"
    run.stdout.close()
    errors = run.stderr.read()
    assert errors.splitlines() == [
        "turkengine: standard output cannot be written: Broken pipe; all else goes on without it",
        "at the end",
    ]
    assert run.wait(60) == status
    assert (tmp_path / "done").exists()
    run.stderr.close()


@pytest.mark.skipif(not FULL.exists(), reason="no device that is full")
@pytest.mark.parametrize("both", [False, True])
def test_a_full_device_is_named_and_the_run_goes_on(tmp_path: Path, both: bool) -> None:
    with FULL.open("w") as full:
        run = begun(tmp_path, 10, stdout=full, **({"stderr": full} if both else {}))
        _, errors = run.communicate(timeout=60)
    if not both:
        assert "standard output cannot be written: No space left on device" in errors
    assert run.returncode == 1
    assert (tmp_path / "done").exists()


def test_a_reader_that_does_not_read_holds_nothing_up_and_is_told_what_was_left_out(tmp_path: Path) -> None:
    began = time.monotonic()
    run = begun(tmp_path, 300_000, stderr=subprocess.DEVNULL)
    while not (tmp_path / "done").exists():
        time.sleep(0.01)
        assert time.monotonic() - began < 60
    assert run.stdout is not None
    lines = run.stdout.read().splitlines()
    assert lines[-1] == "line 299999", "the newest are kept"
    (left_out,) = [line for line in lines if line.startswith("(")]
    assert left_out == f"({300_000 - (len(lines) - 1)} lines were left out: nobody read them)"
    assert run.wait(60) == 1
    run.stdout.close()


def test_a_reader_that_never_reads_is_not_waited_for_long(tmp_path: Path) -> None:
    run = begun(tmp_path, 30_000)
    assert run.wait(60) == 1
    assert (tmp_path / "done").exists()
    output, errors = run.communicate(timeout=60)
    left = int(errors.splitlines()[-1].split("; ")[1].split()[0])
    assert errors.splitlines()[-1] == f"turkengine: nobody reads standard output; {left} lines were left out"
    assert 0 < left < 30_000
    assert output.startswith("line 0\n")


@pytest.mark.skipif(os.name == "nt", reason="a pipe always blocks there")
def test_a_pipe_that_does_not_block_is_waited_for(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with os.fdopen(reading, encoding="utf-8") as reader:
        run = begun(tmp_path, 20_000, stdout=writing)
        os.close(writing)
        assert len(reader.read().splitlines()) == 20_000
        assert run.communicate(timeout=60)[1] == "at the end\n"


@pytest.mark.skipif(os.name == "nt", reason="there is no such shell")
def test_closed_streams_are_nobody(tmp_path: Path) -> None:
    script = RUN.format(lines=3, between="pass", status=0)
    shell = subprocess.run(["sh", "-c", '"$0" -c "$1" >&- 2>&-', sys.executable, script], cwd=tmp_path, check=False)
    assert shell.returncode == 0
    assert (tmp_path / "done").exists()
