"""The command line, as a user types it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from turkengine import __version__, cli
from turkengine.commands import turkengine
from turkengine.rules.variants import VARIANTS


def typed(*arguments: str) -> Result:
    """The outcome of `turkengine` with these arguments."""
    return CliRunner().invoke(turkengine, list(arguments))


def test_the_total_of_perft_is_the_last_number_printed() -> None:
    shown = typed("perft", "turkish", "5").output.split()
    assert shown[-1] == "85090"


def test_perft_divides_among_the_first_moves_of_any_position() -> None:
    lines = typed("perft", "turkish", "2", "--divide", "--fen", "W:WKd4,Ke4:BKd5,Ke5").output.splitlines()
    below = {line.split(":")[0]: int(line.split(":")[1]) for line in lines[:6]}
    assert sum(below.values()) == int(lines[-1]) == 18


@pytest.mark.parametrize("depth", ["0", "1", "4"])
def test_making_every_leaf_counts_the_same(depth: str) -> None:
    totals = [typed("perft", "croda", depth, *flag).output.split()[-1] for flag in ([], ["--all"])]
    assert totals[0] == totals[1]


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["perft", "chess", "3"], "'chess'"),
        (["perft", "croda", "x"], "'x'"),
        (["perft", "croda", "2", "--fen", "W:Wa9:Bb2"], "a9"),
        (["perft", "international", "2", "--fen", "nonsense"], "nonsense"),
        (["bench", "--variant", "go"], "'go'"),
        (["completion", "tcsh"], "'tcsh'"),
        (["play"], "'play'"),
    ],
)
def test_a_wrong_argument_is_named_in_an_error_of_status_2(arguments: list[str], culprit: str) -> None:
    result = typed(*arguments)
    assert result.exit_code == 2
    assert culprit in result.output
    assert "Traceback" not in result.output


def test_bench_prints_the_same_signature_twice() -> None:
    signatures = [
        re.findall(r"[0-9a-f]{8}$", typed("bench", "--depth", "4", "--variant", "croda").output, re.MULTILINE)
        for _ in range(2)
    ]
    assert signatures[0]
    assert signatures[0] == signatures[1]


def test_variants_lists_every_name_that_is_understood() -> None:
    shown = typed("variants").output
    assert all(name in shown for variant in VARIANTS for name in (variant.name, *variant.aliases))


@pytest.mark.parametrize("command", [[], ["hub"], ["uci"], ["perft"], ["bench"], ["variants"], ["completion"]])
def test_every_help_shows_an_example(command: list[str]) -> None:
    shown = typed(*command, "--help").output
    assert "Example" in shown
    assert "turkengine" in shown.partition("Example")[2]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_script_of_the_shell(shell: str) -> None:
    assert cli.COMPLETION in typed("completion", shell).output


def test_the_version_is_the_package_s() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "turkengine", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == f"turkengine {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "taken"),
    [
        ([], (None, [], None)),
        (["hub"], ("hub", [], None)),
        (["uci", "--set", "hash=16", "--set=threads=2"], ("uci", ["hash=16", "threads=2"], None)),
        (["--help"], None),
        (["hub", "--help"], None),
        (["hub", "--set"], None),
        (["bench"], None),
    ],
)
def test_only_a_plain_start_of_the_daemon_takes_the_fast_path(arguments: list[str], taken: object) -> None:
    assert cli.daemon_arguments(arguments) == taken


@pytest.mark.parametrize(("dialect", "declared"), [("hub", "value=croda"), ("uci", "default croda")])
def test_presets_reach_the_session(dialect: str, declared: str) -> None:
    command = [sys.executable, "-m", "turkengine", dialect, "--set", "variant=croda", "--set", "hash=16"]
    shown = subprocess.run(command, input=f"{dialect}\nquit\n", capture_output=True, text=True, check=True, timeout=20)
    assert declared in shown.stdout
    assert shown.stderr == ""


def test_a_bad_preset_is_told_in_one_line_and_the_engine_goes_on() -> None:
    command = [sys.executable, "-m", "turkengine", "uci", "--set", "hash=lots"]
    shown = subprocess.run(command, input="uci\nquit\n", capture_output=True, text=True, check=True, timeout=20)
    complaints = [line for line in shown.stdout.splitlines() if line.startswith("info string")]
    assert len(complaints) == 1
    assert "hash" in complaints[0]
    assert "lots" in complaints[0]
    assert "uciok" in shown.stdout
