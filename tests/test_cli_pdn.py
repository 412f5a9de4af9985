"""`turkengine pdn`: what is printed, what is written, and the exit status."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from turkengine import commands
from turkengine.commands import kernels

commands_pdn = import_module("turkengine.commands.pdn")  # the package has a command of that name

DATA = Path(__file__).parent / "data" / "pdn"
VARIANTS = str(DATA / "variants.pdn")
FAULTS = str(DATA / "faults.pdn")

TWO = '[White "Ann"]\n[Result "2-0"]\n\n1. 32-28 19-23 2-0\n\n[White "Eve"]\n\n1. 32-28 19-23 2. 37-32 1-1\n'


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(commands.turkengine, ["pdn", *arguments], input=text, prog_name="turkengine")


class TestHelp:
    @pytest.mark.parametrize("command", ["check", "filter", "normalise", "stats"])
    def test_has_examples_that_are_understood(self, command: str, tmp_path: Path) -> None:
        shown = run(command, "--help")
        assert shown.exit_code == 0
        examples = re.findall(rf"^ +turkengine pdn ({command} .+)$", shown.output, re.MULTILINE)
        assert len(examples) > 2
        for example in examples:
            words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', example.partition(" < ")[0])]
            words = [VARIANTS if word.endswith(".pdn") and "-o" not in word else word for word in words]
            if "-o" in words:
                words[words.index("-o") + 1] = str(tmp_path / "out.pdn")
            assert run(*words, text=TWO).exit_code in (0, 1), example


class TestCheck:
    def test_names_file_line_and_reason_of_each_fault(self) -> None:
        checked = run("check", FAULTS)
        assert checked.exit_code == 1
        assert checked.output.splitlines() == [
            f"{FAULTS}:1: there is no result at the end of the game; the tag Result says 2-0",
            f"{FAULTS}:13: the comment that begins here is not closed with }}",
            f'{FAULTS}:20: the tag White is not written as [White "value"]',
            f"{FAULTS}:26: '-' is neither a move nor a mark; it is kept as a comment (2 times in this game)",
            "7 games, 17 plies in 1 file",
            "replayed: 7 international, 7 of them inferred from the moves",
            "4 faults in 4 games",
        ]

    def test_names_an_illegal_move_with_its_ply_and_article(self) -> None:
        checked = run("check", "-", text=TWO)
        assert checked.exit_code == 1
        assert checked.output.splitlines() == [
            "<stdin>:8: ply 3: '37-32' is not a legal move; 28x19 captures one piece and is compulsory (5.4.6)",
            "2 games, 5 plies in 1 file",
            "replayed: 2 international, 2 of them inferred from the moves",
            "1 fault in 1 game",
        ]

    def test_of_a_sound_file_says_so(self) -> None:
        checked = run("check", VARIANTS)
        assert checked.exit_code == 0
        assert checked.output.splitlines() == [
            "10 games, 39 plies in 1 file",
            "replayed: 3 international, 3 turkish, 2 croda, 1 turkish-app, 3 of them inferred from the moves",
            "not replayed: 1 Canadian draughts",
            "no faults",
        ]

    def test_says_what_would_tell_an_unknown_game(self) -> None:
        checked = run("check", "-", text="1. c3-d4 d6-c5 *")
        assert checked.exit_code == 0
        assert "not replayed: 1 unknown\n" in checked.output
        assert "--variant" in checked.output

    def test_takes_a_game_without_a_tag_for_the_one_given(self) -> None:
        checked = run("check", "--variant", "turkish", "-", text="1. c3-d4 *")
        assert checked.exit_code == 1
        assert (
            "ply 1: 'c3-d4' is not a legal move; a man moves one square forward or sideways (5.4.2)" in checked.output
        )

    def test_reports_a_number_of_no_game(self) -> None:
        checked = run("check", "--quiet", "-", text='\n[GameType "draughts"]\n1. 32-28 *')
        assert checked.output == ("<stdin>:2: the tag GameType begins with the number of a game, not with 'draughts'\n")

    def test_of_a_file_that_cannot_be_read_goes_on_with_the_next(self, tmp_path: Path) -> None:
        utf16 = tmp_path / "utf16.pdn"
        utf16.write_bytes("1. 32-28 *".encode("utf-16"))
        checked = run("check", str(tmp_path / "none.pdn"), str(utf16), VARIANTS)
        assert checked.exit_code == 2
        assert "none.pdn: No such file or directory" in checked.output
        assert "utf16.pdn: the file is in UTF-16; save it as UTF-8" in checked.output
        assert "10 games" in checked.output


class TestNormalise:
    def test_writes_to_standard_output_and_complains_on_standard_error(self) -> None:
        result = run("normalise", "-", text=TWO)
        assert result.exit_code == 0
        assert result.stdout == (
            '[White "Ann"]\n[Result "2-0"]\n[GameType "20,W,10,10,N2,0"]\n\n1. 32-28 19-23 *\n\n'
            '[White "Eve"]\n[Result "1-1"]\n[GameType "20,W,10,10,N2,0"]\n\n1. 32-28 19-23 2. 37-32 *\n\n'
        )
        assert result.stderr.startswith("<stdin>:8: ply 3: '37-32' is not a legal move")

    def test_may_replace_the_file_that_it_reads(self, tmp_path: Path) -> None:
        file = tmp_path / "games.pdn"
        file.write_text(TWO, encoding="utf-8")
        file.chmod(0o640)
        assert run("normalise", str(file), "-o", str(file)).exit_code == 0
        assert file.read_text(encoding="utf-8") == run("normalise", "-", text=TWO).stdout
        assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o640
        assert [path.name for path in tmp_path.iterdir()] == ["games.pdn"]

    def test_writes_into_what_is_no_file(self) -> None:
        if os.name != "nt":
            assert run("normalise", VARIANTS, "-o", os.devnull).exit_code == 0
            assert Path(os.devnull).is_char_device()

    def test_leaves_the_output_alone_where_it_fails(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = tmp_path / "games.pdn"
        file.write_text(TWO, encoding="utf-8")

        def failing(game: object) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr(commands_pdn, "write", failing)
        assert run("normalise", str(file), "-o", str(file)).exit_code == 130
        assert file.read_text(encoding="utf-8") == TWO
        assert [path.name for path in tmp_path.iterdir()] == ["games.pdn"]

    def test_refuses_an_output_that_cannot_be_written(self, tmp_path: Path) -> None:
        refused = run("normalise", VARIANTS, "-o", str(tmp_path / "none" / "out.pdn"))
        assert refused.exit_code == 2
        assert "No such file or directory" in refused.output.splitlines()[-1]


class TestFilter:
    @pytest.mark.parametrize(
        ("arguments", "count"),
        [
            ((), 10),
            (("--kind", "turkish"), 3),
            (("--kind", "croda", "--kind", "turkish-app"), 1),
            (("--event", "captured"), 1),
            (("--event", "croda", "--invert"), 8),
            (("--result", "white"), 4),
            (("--result", "draw", "--result", "white"), 5),
            (("--tag", "variant=app"), 1),
            (("--min-plies", "5", "--max-plies", "6"), 2),
            (("--fen", "W:W31-50:B1-20"), 1),
            (("--illegal",), 0),
            (("--legal", "--limit", "2"), 2),
            (("--faulty",), 0),
            (("--faultless", "--limit", "99"), 10),
        ],
    )
    def test_counts(self, arguments: tuple[str, ...], count: int) -> None:
        assert run("filter", VARIANTS, "--count", *arguments).output == f"{count}\n"

    def test_writes_the_games_as_they_are(self) -> None:
        assert run("filter", "-", "--white", "ann", text=TWO).output == (
            '[White "Ann"]\n[Result "2-0"]\n\n1. 32-28 19-23 2-0\n\n'
        )

    def test_writes_to_a_file(self, tmp_path: Path) -> None:
        out = tmp_path / "out.pdn"
        assert run("filter", "-", "--black", "x", "-o", str(out), text=TWO).output == ""
        assert out.read_bytes() == b""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--since", "yesterday"), "Invalid value for --since: 'yesterday' is not a date; write 1996.12.28"),
            (("--until", "1996.13.01"), "Invalid value for --until: '1996.13.01' is not a date"),
            (("--tag", "Round"), "Invalid value for --tag: 'Round' is not NAME=TEXT"),
            (("--fen", "nonsense"), "Invalid value for --fen: 'nonsense' is not a position of any game here"),
            (("--variant", "chess"), "no variant is called 'chess'"),
        ],
    )
    def test_refuses_wrong_conditions_in_a_line(self, arguments: tuple[str, ...], message: str) -> None:
        refused = run("filter", VARIANTS, *arguments)
        assert refused.exit_code == 2
        assert message in refused.output.splitlines()[-1]


class TestStats:
    def test_counts_for_people(self) -> None:
        lines = run("stats", VARIANTS, "--plies", "1", "--openings", "1").output.splitlines()
        assert lines[0] == "games     10"
        assert lines[-1].startswith("openings  1  ")

    def test_counts_for_programs(self) -> None:
        counted = json.loads(run("stats", VARIANTS, "--json").output)
        assert (counted["schema"], counted["games"], counted["plies"]) == (1, 10, 39)
        assert counted["kinds"] == {
            "international": 3,
            "turkish": 3,
            "croda": 2,
            "turkish-app": 1,
            "Canadian draughts": 1,
        }


def test_the_program_on_the_page_works(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "pdn.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "games.pdn").write_text(TWO, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "1 Ann 2-0 2",
        "6 Eve 1-1 3",
        "ply 3: '37-32' is not a legal move; 28x19 captures one piece and is compulsory (5.4.6)",
    ]


def test_says_where_the_compiled_part_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(variant: object) -> None:
        raise ImportError("no module named _turkish")

    monkeypatch.setattr(kernels, "load_kernel", missing)
    refused = run("check", VARIANTS)
    assert refused.exit_code == 1
    assert refused.output == "Error: the engine's compiled part cannot be loaded: no module named _turkish\n"


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    text = "1. 32-28 19-23 *\n" * 20_000
    process = subprocess.Popen(
        [sys.executable, "-m", "turkengine", "pdn", "normalise", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdin is not None
    process.stdout.close()
    try:
        process.stdin.write(text.encode())
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(30) == 1


@pytest.mark.skipif(os.name == "nt", reason="a terminal")
class TestALargeFile:
    """Twenty thousand games, and a terminal on standard error."""

    @pytest.fixture
    def check(self, tmp_path: Path):
        import pexpect

        file = tmp_path / "large.pdn"
        file.write_text(TWO * 10_000)
        process = pexpect.spawn(sys.executable, ["-m", "turkengine", "pdn", "check", str(file)], timeout=60)
        yield process
        process.close()

    def test_is_checked_with_a_bar_that_says_how_far_it_is(self, check) -> None:
        check.expect(rb"\[#*-+\] +[0-9]+ %  [0-9]+ of [0-9]+ KiB")
        check.expect("20000 games, 50000 plies in 1 file")

    def test_is_left_on_ctrl_c(self, check) -> None:
        check.expect(" of [0-9]+ KiB")
        check.sendintr()
        check.expect("interrupted\r\n")
        check.wait()
        assert check.exitstatus == 130
