"""The command line, in this process where nothing else is asked and as a real process where it matters."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import click
import pytest
from click.testing import CliRunner, Result
from engine import fakes

import turkengine
from turkengine import cli, commands
from turkengine.commands import kernels
from turkengine.engine.options import Options
from turkengine.errors import WeightsError
from turkengine.wire import auto

COMMANDS = [
    "analyse",
    "bench",
    "board",
    "book",
    "check-engine",
    "completion",
    "draw",
    "dxp",
    "endgame",
    "eval",
    "hub",
    "match",
    "pdn",
    "perft",
    "play",
    "puzzles",
    "tournament",
    "train",
    "uci",
    "variants",
]


@pytest.fixture(autouse=True)
def pretended_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is the command line; the search is pretended and the counting slow."""
    monkeypatch.setattr(kernels, "load_kernel", fakes.Kernels(pace=0.0))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands.turkengine, arguments, prog_name="turkengine")


def process(*arguments: str, text: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | variables
    return subprocess.run(
        [sys.executable, "-m", "turkengine", *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=30,
    )


class TestHelp:
    def test_names_every_command(self) -> None:
        shown = run("--help")
        assert shown.exit_code == 0
        assert sorted(commands.turkengine.commands) == COMMANDS
        for name in COMMANDS:
            assert re.search(rf"^  {name} ", shown.output, re.MULTILINE)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_of_every_command_has_examples(self, command: str) -> None:
        shown = run(command, "-h")
        assert shown.exit_code == 0
        assert re.search(rf"Examples?:\n +turkengine {command}", shown.output)

    def test_shows_no_example_that_is_refused(self) -> None:
        """Every example is taken apart as a shell would; only those that take long are not carried out."""
        for command in (commands.perft, commands.variants):
            assert command.help is not None
            for example in re.findall(r"^ *turkengine (.+)$", command.help, re.MULTILINE):
                words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', example)]
                words = ["2" if word.isdigit() else word for word in words]
                assert run(*words).exit_code == 0, example

    def test_version(self) -> None:
        assert run("--version").output == f"turkengine {turkengine.__version__}\n"


def commands_below(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, with the words that call it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands_below(command, (*words, name))
        else:
            yield (*words, name), command


class TestSpelling:
    """One thing is called the same by all commands; other spellings work and are not shown."""

    KNOWN: ClassVar = {
        "--variant": set(),
        "--movetime": {"--move-time"},
        "--multipv": {"--multi-pv", "--lines"},
        "--colour": {"--color"},
        "--nodes": set(),
        "--depth": set(),
    }
    LIKE = re.compile("--(variant|game|kind-of-game|move-?time|time|multi-?pv|lines|colou?r|nodes|depth|plies-deep)")

    @pytest.mark.parametrize("words", [words for words, _ in commands_below(commands.turkengine)])
    def test_that_is_shown_is_one_for_each_thing(self, words: tuple[str, ...]) -> None:
        shown = set(re.findall(r"(?<![\w-])--[a-z-]+", run(*words, "--help").output))
        assert {option for option in shown if self.LIKE.fullmatch(option)} <= set(self.KNOWN)

    def test_of_a_game_is_no_first_word_in_any_help(self) -> None:
        for _, command in commands_below(commands.turkengine):
            usage = command.get_usage(click.Context(command, info_name="command"))
            assert "VARIANT" not in usage
            assert "FIRST_WORD" not in usage

    def test_has_the_same_form_of_value_everywhere(self) -> None:
        for option in ("--movetime", "--depth", "--multipv", "--colour"):
            forms = {
                param.metavar or str(param.type)
                for _, command in commands_below(commands.turkengine)
                for param in command.params
                if option in param.opts
            }
            assert len(forms) == 1

    @pytest.mark.parametrize(
        ("words", "old", "new"),
        [
            (("dxp",), "--move-time", "--movetime"),
            (("match",), "--move-time", "--movetime"),
            (("analyse",), "--multi-pv", "--multipv"),
            (("analyse",), "--lines", "--multipv"),
            (("play",), "--color", "--colour"),
        ],
    )
    def test_that_is_old_is_read_like_the_new_one(self, words: tuple[str, ...], old: str, new: str) -> None:
        command = commands.turkengine.commands[words[0]]
        value = "white" if new == "--colour" else "3"
        old_values, new_values = (
            command.make_context("command", [spelling, value], resilient_parsing=True).params for spelling in (old, new)
        )
        assert old_values == new_values
        assert f"'{new}'" in run(*words, old, "much").output  # messages use the one that is shown

    @pytest.mark.parametrize(
        "arguments",
        [
            ("croda", "2", "--divide"),
            ("--divide", "croda", "2"),
            ("--divide", "--variant", "croda", "2"),
            ("2", "--variant=croda", "--divide"),
            ("--fen", "W:Wa1:Bh8", "croda", "2"),
            ("--", "croda", "2"),
        ],
    )
    def test_of_the_game_may_still_be_the_first_word(self, arguments: tuple[str, ...]) -> None:
        command = commands.turkengine.commands["perft"]
        values = command.make_context("perft", list(arguments)).params
        assert (values["variant"].name, values["depth"]) == ("croda", 2)

    def test_of_the_game_is_missed_by_its_option(self) -> None:
        assert "Missing option '--variant'" in run("book", "verify").output


def test_the_commands_stand_in_sections() -> None:
    output = run("--help").output
    titles = [f"{title}:" for title in commands.SECTIONS]
    assert [line for line in output.splitlines() if line in titles] == titles
    assert re.search(r"Play:\n  play  ", output)


def test_commands_do_not_import_one_another() -> None:
    """What two of them need lies in a module that is not a command."""
    folder = Path(commands.__file__).parent
    modules = {
        command.callback.__module__.rpartition(".")[2]
        for _, command in commands_below(commands.turkengine)
        if command.callback is not None
    } - {"commands"}
    for module in modules:
        imported = set(re.findall(r"turkengine\.commands\.(\w+)", (folder / f"{module}.py").read_text()))
        assert not imported & modules, module


class TestDaemonArguments:
    @pytest.mark.parametrize(
        ("arguments", "understood"),
        [
            ([], (None, [], None)),
            (["hub"], ("hub", [], None)),
            (["uci", "--set", "a=b", "--set=c=d"], ("uci", ["a=b", "c=d"], None)),
            (["--config", "x.toml"], (None, [], Path("x.toml"))),
        ],
    )
    def test_are_read_without_the_library(self, arguments: list[str], understood: object) -> None:
        assert cli.daemon_arguments(arguments) == understood

    def test_name_the_dialects_that_the_daemon_speaks(self) -> None:
        """They are listed twice: the daemon's own list costs imports that the other commands do not need."""
        assert set(cli.DIALECTS) == set(auto.DIALECTS)

    @pytest.mark.parametrize("arguments", [["--help"], ["hub", "--help"], ["perft"], ["hub", "--set"], ["hub", "x"]])
    def test_that_are_anything_else_are_left_to_it(self, arguments: list[str]) -> None:
        assert cli.daemon_arguments(arguments) is None

    @pytest.mark.parametrize(
        "arguments",
        [
            ["hub", "--set", "multi-pv=2", "--set", "x"],
            ["--set", "multi-pv=2", "hub", "--set", "x"],
            ["--set=multi-pv=2", "hub", "--set=x"],
        ],
    )
    def test_mean_the_same_to_both(self, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        served: list[tuple[object, ...]] = []
        monkeypatch.setattr(cli, "serve", lambda *given: served.append(given) or 0)
        assert run(*arguments).exit_code == 0
        assert served == [("hub", ("multi-pv=2", "x"), None)]
        fast = cli.daemon_arguments(arguments)
        assert fast is None or fast == ("hub", ["multi-pv=2", "x"], None)

    def test_reach_the_daemon_as_options_and_complaints(self, monkeypatch: pytest.MonkeyPatch) -> None:
        served: list[tuple[object, ...]] = []
        monkeypatch.setattr("turkengine.daemon.stdio.run", lambda *given: served.append(given) or 7)
        assert cli.serve("uci", ["multi-pv=2", "hash=none"], None) == 7
        dialect, options, complaints = served[0]
        assert (dialect, options) == ("uci", Options(multi_pv=2))
        assert complaints == [
            "option hash does not take 'none'; it takes a whole number from 1 (MiB); the setting is ignored"
        ]


class TestPerft:
    def test_prints_the_total_last(self) -> None:
        assert run("perft", "international", "3").output.splitlines()[-1] == "658"
        assert run("perft", "Normal", "0").output.splitlines()[-1] == "1"

    def test_divides(self) -> None:
        lines = run("perft", "turkish", "2", "--divide").output.splitlines()
        assert lines[0] == "a3-a4: 8"
        assert lines[-1] == "64"
        assert len([line for line in lines if ": 8" in line and "depth" not in line]) == 8

    def test_starts_from_any_position(self) -> None:
        """Two captures with the same ends, told apart by their paths."""
        shown = run("perft", "international", "1", "--divide", "--all", "--fen", "W:WK4:B13,20,32,37")
        assert len({line for line in shown.output.splitlines() if line.startswith("4x")}) == 2

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("chess", "3"), "no variant is called 'chess'"),
            (("turkish", "-1"), "-1"),
            (("turkish", "x"), "'x' is not a valid integer"),
            (("turkish", "2", "--fen", "W:Wi9:B"), "i9"),
            (("turkish", "2", "--fen", ""), "a FEN begins with the side to move"),
            (("turkish", "2", "--fen", "nonsense"), "not with 'nonsense'"),
            (("turkish",), "Missing argument 'DEPTH'"),
        ],
    )
    def test_refuses_wrong_input_in_a_line(self, arguments: tuple[str, ...], message: str) -> None:
        refused = run("perft", *arguments)
        assert refused.exit_code == 2
        assert message in refused.output.splitlines()[-1]
        assert "Traceback" not in refused.output

    @pytest.mark.parametrize(
        ("error", "line"),
        [
            (
                ImportError("no module named _turkish"),
                "the engine's compiled part cannot be loaded: no module named _turkish",
            ),
            (WeightsError("turkish.weights is no file of weights"), "turkish.weights is no file of weights"),
        ],
    )
    def test_says_where_the_compiled_part_or_its_weights_cannot_be_used(
        self, monkeypatch: pytest.MonkeyPatch, error: Exception, line: str
    ) -> None:
        def unusable(variant: object) -> None:
            raise error

        monkeypatch.setattr(kernels, "load_kernel", unusable)
        refused = run("perft", "turkish", "1")
        assert refused.exit_code == 1
        assert refused.output == f"Error: {line}\n"


def test_bench_measures_the_games_asked_for() -> None:
    lines = run("bench", "--depth", "1", "--variant", "croda", "--variant", "turkish").output.splitlines()
    assert [line.split()[0] for line in lines] == ["positions", "croda", "turkish", "total"]


@pytest.mark.parametrize("arguments", [("bench", "--variant", "go"), ("completion", "tcsh"), ("bench", "--depth", "0")])
def test_a_wrong_argument_of_any_command_is_named(arguments: tuple[str, ...]) -> None:
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert arguments[-1] in refused.output.splitlines()[-1]


def test_variants_lists_every_game_with_its_other_names() -> None:
    lines = run("variants").output.splitlines()
    assert lines[0].startswith("international, normal  ")
    assert [line.split()[0].strip(",") for line in lines] == [
        "international",
        "turkish",
        "turkish-app",
        "croda",
        "killer",
        "brazilian",
        "russian",
        "pool",
        "english",
        "italian",
        "spanish",
        "portuguese",
        "czech",
        "german",
        "spantsireti",
        "thai",
        "armenian",
    ]
    assert "english, checkers, american  English draughts (checkers)" in lines


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_prints_a_script(self, shell: str) -> None:
        script = run("completion", shell)
        assert script.exit_code == 0
        assert f"_TURKENGINE_COMPLETE={shell}_complete" in script.output

    @pytest.mark.parametrize(
        ("words", "completed"),
        [
            ("turkengine va", ["variants"]),
            ("turkengine perft tu", ["turkish", "turkish-app"]),
            ("turkengine hub --set square", ["square-names=algebraic", "square-names=numeric"]),
            ("turkengine hub --set ha", ["hash="]),
        ],
    )
    def test_completes(self, words: str, completed: list[str]) -> None:
        number = str(len(words.split()) - 1)
        asked = process(COMP_WORDS=words, COMP_CWORD=number, _TURKENGINE_COMPLETE="bash_complete")
        assert [line.removeprefix("plain,") for line in asked.stdout.splitlines()] == completed


class TestProcess:
    def test_is_a_module_too(self) -> None:
        assert process("--version").stdout == f"turkengine {turkengine.__version__}\n"

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
    @pytest.mark.parametrize(
        "arguments",
        [["variants"], ["perft", "turkish", "2", "--divide"], ["completion", "bash"], ["--help"], ["--version"]],
    )
    def test_says_in_one_line_that_the_output_cannot_be_written(self, arguments: list[str]) -> None:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "turkengine", *arguments], stdout=full, stderr=subprocess.PIPE, encoding="utf-8"
            )
        assert done.returncode == 1
        assert re.fullmatch(r"turkengine: cannot write the output: No space left on device\n", done.stderr)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
    def test_ends_with_status_one_where_nothing_at_all_can_be_written(self) -> None:
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, "-m", "turkengine", "variants"], stdout=full, stderr=full)
        assert done.returncode == 1

    def test_refuses_unknown_commands_with_status_two(self) -> None:
        refused = process("chess")
        assert refused.returncode == 2
        assert "No such command 'chess'" in refused.stderr

    def test_reads_no_command_line_library_before_it_is_ready(self) -> None:
        code = (
            "import sys; from turkengine import cli; cli.main(); "
            "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "hub"],
            input="hub\ninit\n",  # the table of a busy machine may take longer than `quit` would leave
            capture_output=True,
            encoding="utf-8",
            env=dict(os.environ),
            timeout=30,
        )
        assert "ready" in done.stdout.splitlines()
        assert not {"click", "tomllib", "ctypes", "logging"} & set(done.stderr.split())

    @pytest.mark.parametrize(("dialect", "declared"), [("hub", "value=croda"), ("uci", "default croda")])
    def test_declares_the_options_preset(self, dialect: str, declared: str) -> None:
        done = process(dialect, "--set", "variant=croda", "--set=hash=16", text=f"{dialect}\nquit\n")
        assert declared in done.stdout
        assert done.stderr == ""

    def test_tells_what_is_wrong_over_the_protocol_and_goes_on(self, tmp_path: Path) -> None:
        """A GUI cannot show what a process prints before the protocol has begun."""
        missing = tmp_path / "none.toml"
        done = process("uci", "--set", "hash=lots", "--config", str(missing), text="uci\nquit\n")
        assert done.returncode == 0
        assert done.stderr == ""
        told = [line for line in done.stdout.splitlines() if line.startswith("info string")]
        assert len(told) == 2
        assert "none.toml" in told[0]
        assert "'lots'" in told[1]
        assert "uciok" in done.stdout.splitlines()

    @pytest.mark.parametrize(("variant", "depth", "leaves"), [("turkish", 5, 85_090), ("croda", 4, 194_440)])
    def test_counts_with_the_compiled_kernel(self, variant: str, depth: int, leaves: int) -> None:
        for flag in ([], ["--all"]):
            assert process("perft", variant, str(depth), *flag).stdout.split()[-1] == str(leaves)

    def test_bench_has_the_same_signature_each_time(self) -> None:
        shown = [process("bench", "--depth", "4", "--variant", "croda").stdout for _ in range(2)]
        signatures = [re.findall(r"[0-9a-f]{8}$", text, re.MULTILINE) for text in shown]
        assert len(signatures[0]) == 2
        assert signatures[0] == signatures[1]


def test_every_command_line_error_is_a_click_one() -> None:
    """So that it is shown in one line and gives an exit status."""
    with pytest.raises(click.UsageError):
        commands.turkengine.main(["perft", "chess", "1"], standalone_mode=False)
