"""`turkengine book` as a user sees it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from engine.booking import written

from turkengine import commands
from turkengine.engine.book import path_of
from turkengine.games import TURKISH, VARIANTS
from turkengine.match.openings import from_file
from turkengine.notation import fen
from turkengine.rules.position import Position


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands.turkengine, ["book", *arguments], prog_name="turkengine")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(written(tmp_path_factory.mktemp("books") / "turkish.book", TURKISH))


@pytest.mark.parametrize(
    "variant", [variant for variant in VARIANTS if path_of(variant).exists()], ids=lambda variant: variant.name
)
def test_the_books_of_the_engine_have_no_faults(variant: object) -> None:
    done = run("verify", variant.name)  # type: ignore[attr-defined]
    assert (done.exit_code, done.output.endswith(" positions, no faults\n")) == (0, True)


def test_show_lists_scores_and_shares(path: str) -> None:
    first, *known = run("show", "turkish", "--file", path).output.splitlines()
    assert first == fen.write(Position.start(TURKISH))
    found = [re.fullmatch(r"(\S+) +([+-]\d\.\d\d) +([\d.]+) %(  \S.*)?", line) for line in known]
    assert all(found)
    assert sum(float(one[3]) for one in found if one) == pytest.approx(100, abs=1)


def test_show_follows_moves(path: str) -> None:
    line: list[str] = []
    score = None
    while (shown := run("show", "turkish", *line, "--file", path).output.splitlines())[1] != "not in the book":
        move, best, *_ = shown[1].split()
        assert score in (None, -float(best))
        assert shown[0][0] == "WB"[len(line) % 2]
        line.append(move)
        score = float(best)
    assert len(line) > 2


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["show", "turkish", "a3-a9"], 2, "move 1: 'a3-a9' names 'a9'; the squares are a1 to h8"),
        (["show", "chess"], 2, "no variant is called 'chess'"),
        (["verify", "turkish", "--file", "none.book"], 1, "none.book: there is no such file"),
        (["export", "turkish", "-o", "none/x.txt"], 2, "none/x.txt: No such file or directory"),
        (["build", "turkish", "--positions", "1", "-o", "none/x.book"], 1, "none/x.book.searches: No such file"),
    ],
)
def test_what_cannot_be_done_is_told(arguments: list[str], status: int, message: str) -> None:
    refused = run(*arguments)
    assert refused.exit_code == status
    assert message in refused.output
    assert "Traceback" not in refused.output


def test_verify_names_a_damaged_book(path: str, tmp_path: Path) -> None:
    damaged = tmp_path / "x.book"
    damaged.write_bytes(Path(path).read_bytes()[:-5])
    refused = run("verify", "turkish", "--file", str(damaged))
    assert refused.exit_code == 1
    assert "x.book is damaged" in refused.output


def test_an_exported_list_is_read_by_matches(path: str, tmp_path: Path) -> None:
    output = tmp_path / "openings.txt"
    done = run("export", "turkish", "--plies", "2", "--file", path, "-o", str(output))
    count = int(re.fullmatch(r".*: (\d+) openings\n", done.output)[1])  # type: ignore[index]
    assert count > 5
    openings = from_file(output, TURKISH, 8, seed=1)
    assert len(openings) == count
    assert all(len(openings.opening(number).name.split()) == 2 for number in range(count))


def test_a_book_is_not_built_in_place_of_something_else(path: str, tmp_path: Path) -> None:
    other = tmp_path / "x.book"
    for content in (b"my own text\n", Path(path).read_bytes()):
        other.write_bytes(content)
        refused = run("build", "croda", "--positions", "1", "-o", str(other))
        assert (refused.exit_code, "x.book exists and is not a book of croda" in refused.output) == (1, True)
        assert other.read_bytes() == content
    assert not (tmp_path / "x.book.searches").exists()


def test_a_book_is_built_by_one_command_and_goes_on(tmp_path: Path) -> None:
    output = tmp_path / "croda.book"
    for positions in ("3", "6"):
        order = ["book", "build", "croda", "--nodes", "500", "--positions", positions, "--jobs", "1", "-o", str(output)]
        done = subprocess.run(
            [sys.executable, "-m", "turkengine", *order], capture_output=True, encoding="utf-8", timeout=100
        )
        assert done.returncode == 0, done.stderr
        assert f"{positions} of them with moves" in done.stdout
    assert run("verify", "croda", "--file", str(output)).exit_code == 0
    refused = run("build", "croda", "--nodes", "600", "--positions", "3", "-o", str(output))
    assert "holds searches for another book; remove it, or name another file" in refused.output
