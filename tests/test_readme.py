"""What the documents say is so: commands run, programs run, links lead somewhere, tables equal what they are made from.

In README.md and the pages of `SHOWN` a fenced block marked `console` or `sh` is run by a shell, one marked `python` by
Python, one marked `toml` is read as settings. After `$ command` in a console block, and in a `text` block that follows
a program, stands the output, in which `...` matches anything. What no test can run, since it takes hours or needs
somebody else's program, stands in a `text` block. The commands and options in it have to exist, as on every other page.
"""

from __future__ import annotations

import ast
import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from turkengine.commands import turkengine as command_line
from turkengine.engine.kernel_types import load_kernel
from turkengine.engine.options import REGISTRY
from turkengine.engine.settings import read_file
from turkengine.games import VARIANTS, variant_named
from turkengine.notation import fen, moves
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "turkengine"
README = ROOT / "README.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
COMMANDS = ROOT / "docs" / "commands.md"
GUI = ROOT / "docs" / "gui.md"
RULES = ROOT / "docs" / "rules.md"
SHOWN = [README, COMMANDS, GUI, *(ROOT / "docs" / f"{name}.md" for name in ("engines", "endgames", "strength"))]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("protocol/*.md")])
MANUALS = sorted([*PAGES, *PACKAGE.glob("*/README.md")])

PYDRAUGHTS = "TURKENGINE_PYDRAUGHTS"  # scripts/test names its Python here

posix_only = pytest.mark.skipif(os.name == "nt", reason="the commands are shown for a POSIX shell")


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, where it stands, and the output expected of a program."""

    language: str
    text: str
    place: str
    output: str | None

    def __str__(self) -> str:
        return f"{self.place}: {self.text.splitlines()[0]}".replace("[", "(").replace("]", ")")


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> list[Block]:
    """The fenced blocks of a page in these languages."""
    text = page.read_text(encoding="utf-8")
    found = []
    for fence in re.finditer(r"^```(\w*)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", text, re.MULTILINE | re.DOTALL):
        language, content, output = fence.groups()
        heading = re.findall(r"^#+ (.+)$", text[: fence.start()], re.MULTILINE)[-1]
        if language in languages:
            found.append(
                Block(language, content, f"{shown(page)}, {heading}", output if language == "python" else None)
            )
    return found


def commands(page: Path) -> list[tuple[str, str | None]]:
    """Each command of a page that is run, and the output after it, None where none is shown."""
    lines = [line for block in blocks(page, "sh") for line in block.text.splitlines()]
    found: list[tuple[str, str | None]] = [(line, None) for line in lines]
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, output = part.split("\n", 1)
            found.append((command, output))
    return found


def command_lines(page: Path) -> list[str]:
    """Every command line of ours in the blocks of a page, those that are continued as one line."""
    text = "".join(block.text for block in blocks(page, "sh", "console", "text"))
    lines = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    return [line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?turkengine [a-z-]+", line)]


def tables(page: Path) -> list[list[list[str]]]:
    """The tables of a page as rows of cells, the head first."""
    text = page.read_text(encoding="utf-8")
    return [
        [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in (head, *body.splitlines())]
        for head, body in re.findall(r"^(\|.*\|)\n\|[-| ]+\|\n((?:\|.*\|\n)+)", text, re.MULTILINE)
    ]


def table(page: Path, *head: str) -> list[list[str]]:
    """The rows of the tables whose head begins so."""
    found = [row for rows in tables(page) if rows[0][: len(head)] == list(head) for row in rows[1:]]
    assert found, f"{shown(page)} has no table {head}"
    return found


def code(cell: str) -> str:
    """The text of a cell set as code."""
    return cell.strip("`")


def check_output(wanted: str, got: str) -> None:
    matches = doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS)
    assert matches, f"shown:\n{wanted}\nwritten:\n{got}"


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of somebody who has installed the engine and set nothing: `turkengine` and `python` are found."""
    folder = tmp_path_factory.mktemp("bin")
    scripts = Path(sys.executable).parent
    if not (scripts / "turkengine").exists():  # the tests run on a package that is on the path and not installed
        shim = folder / "turkengine"
        shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m turkengine "$@"\n', encoding="utf-8")
        shim.chmod(0o755)
    path = os.pathsep.join([str(folder), str(scripts), os.environ["PATH"]])
    home = str(tmp_path_factory.mktemp("home"))
    # What `-m turkengine` starts must not be taken from the folder it is started in.
    folders = dict.fromkeys(["XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA"], home)
    return {**os.environ, **folders, "PATH": path, "PYTHONSAFEPATH": "1"}


# Commands and programs


def test_the_readme_is_short_and_has_a_door_for_everybody() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 230
    assert text.index("![") < text.index("\n## "), "pictures come first"
    doors = {"I have a GUI": "gui", "I have engines": "match", "I have games": "analysis", "I want to play": "play"}
    for door, page in doors.items():
        section = text.partition(f"\n## {door}\n")[2].partition("\n## ")[0]
        assert "```" in section
        assert f"](docs/{page}.md)" in section


def test_pages_show_commands_and_programs() -> None:
    assert all(commands(page) for page in SHOWN)
    assert sum(len(blocks(page, "python")) for page in SHOWN) > 3
    assert not [page for page in SHOWN if blocks(page, "")], "a block without a language is not run"


@posix_only
@pytest.mark.timeout(600)  # `scripts/engine` installs the engine where this is not run by scripts/test
@pytest.mark.parametrize(("command", "output"), [pair for page in SHOWN for pair in commands(page)])
def test_a_command_of_a_page_works(command: str, output: str | None, surroundings: dict[str, str]) -> None:
    result = subprocess.run(["sh", "-c", command], cwd=ROOT, env=surroundings, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    if output is not None:
        check_output(output, result.stdout)


@posix_only
@pytest.mark.parametrize("program", [block for page in SHOWN for block in blocks(page, "python")], ids=str)
def test_a_program_of_a_page_works(program: Block, surroundings: dict[str, str], tmp_path: Path) -> None:
    python = sys.executable
    if "import draughts" in program.text:
        python = os.environ.get(PYDRAUGHTS, "")
        if not python:
            assert os.environ.get("CI") != "true", f"{PYDRAUGHTS} must name a Python with pydraughts"
            pytest.skip(f"{PYDRAUGHTS} names no Python with pydraughts; scripts/test installs one")
    arguments = [python, "-c", program.text]
    result = subprocess.run(arguments, cwd=tmp_path, env=surroundings, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout
    if program.output is not None:
        check_output(program.output, result.stdout)


def test_settings_as_the_page_shows_them_are_understood(tmp_path: Path) -> None:
    (settings,) = blocks(GUI, "toml")
    file = tmp_path / "turkengine.toml"
    file.write_text(settings.text, encoding="utf-8")
    read_file(file)


def test_the_configuration_of_a_bot_sets_options_that_exist() -> None:
    (configuration,) = blocks(GUI, "yaml")
    options = re.search(r"^  hub_options:.*\n((?:    .*\n)+)", configuration.text, re.MULTILINE)
    assert options is not None
    pairs = re.findall(r"^ +([\w-]+): (\S+)", options[1], re.MULTILINE)
    assert pairs
    for name, value in pairs:
        (option,) = [option for option in REGISTRY if option.name == name]
        option.read(value)


def unknown_words(line: str) -> list[str]:
    """The commands and options of a command line that do not exist."""
    command: click.Command = command_line
    words = shlex.split(line.split(" | ")[0].split(" < ")[0], comments=True)
    for word in words[1:]:
        if isinstance(command, click.Group) and not word.startswith("-"):
            if word not in command.commands:
                return [word]
            command = command.commands[word]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help"}
    return [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]


@pytest.mark.parametrize("page", [page for page in MANUALS if command_lines(page)], ids=shown)
def test_commands_that_no_test_runs_exist_with_their_options(page: Path) -> None:
    assert {line: words for line in command_lines(page) if (words := unknown_words(line))} == {}


def test_an_unknown_command_or_option_would_be_seen() -> None:
    assert unknown_words("turkengine matsh builtin builtin") == ["matsh"]
    assert unknown_words("turkengine pdn check --verbos a.pdn | cat --nothing") == ["--verbos"]


def test_the_table_of_commands_names_every_command() -> None:
    rows = [code(row[0]).split() for row in table(COMMANDS, "command", "what it does")]
    named = {words[1] for words in rows if len(words) > 1 and words[0] == "turkengine"}
    assert named == set(command_line.commands)


def test_every_command_but_those_that_need_no_page_is_linked_to_one() -> None:
    rows = table(COMMANDS, "command", "what it does")
    unlinked = {code(row[0]) for row in rows if code(row[0]).startswith("turkengine") and "](" not in row[-1]}
    assert unlinked == {"turkengine", "turkengine completion SHELL"}


@posix_only
def test_every_script_that_a_page_names_can_be_started() -> None:
    named = set(re.findall(r"`(scripts/\w+)(?=[` ])", "".join(page.read_text(encoding="utf-8") for page in PAGES)))
    assert {"scripts/engine", "scripts/test", "scripts/bench"} <= named
    assert [name for name in named if not os.access(ROOT / name, os.X_OK)] == []


# Links


def anchors(page: Path, target: str) -> set[str]:
    """What the headings of the page that a link leads to are called in links."""
    name = target.partition("#")[0]
    text = (page.parent / name if name else page).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_links_inside_the_project_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target.partition("#")[0]).exists()] == []
    anchored = [target for target in targets if "#" in target]
    assert [target for target in anchored if target.partition("#")[2] not in anchors(page, target)] == []


# Options


def test_the_options_are_those_of_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])  # the script adds this folder, and the package is the installed one
    specification = importlib.util.spec_from_file_location("options_page", ROOT / "scripts" / "options.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == module.page()


# The map of the floors


def floors() -> list[tuple[int, set[str], set[str]]]:
    """Floor, what is on it, and what that imports, as CONTRIBUTING.md says."""
    found = []
    for floor, files, _, imported in table(CONTRIBUTING, "floor", "folder or file"):
        here = {Path(name).stem for name in re.findall(r"`turkengine/([\w./]+)`", files)}
        found.append((int(floor), here, set() if imported == "nothing" else set(imported.split(", "))))
    return found


def imports_of(name: str) -> set[str]:
    """The packages of ours that a folder or file imports from, itself left out."""
    folder = PACKAGE / name
    files = [*folder.rglob("*.py"), *folder.glob("*.pxi")] if folder.is_dir() else [folder.with_suffix(".py")]
    found: set[str] = set()
    for file in files:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".pxi":
            found.update(re.findall(r"^from turkengine\.(\w+)", text, re.MULTILINE))
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                found.update(re.findall(r"^turkengine\.(\w+)", f"{node.module}.{node.names[0].name}"))
    return found - {name, "__version__"}


def test_the_map_of_the_floors_names_every_folder() -> None:
    mapped = set[str]().union(*(here for _, here, _ in floors()))
    modules = {path.stem for path in PACKAGE.glob("*.py") if not path.name.startswith("__")}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert mapped == modules | packages


@pytest.mark.parametrize(("floor", "here", "imported"), floors(), ids=lambda value: str(value))
def test_a_floor_imports_what_the_map_says(floor: int, here: set[str], imported: set[str]) -> None:
    assert set[str]().union(*map(imports_of, here)) - here == imported
    level = {name: number for number, names, _ in floors() for name in names}
    assert all(level[name] < floor for name in imported)


@pytest.mark.parametrize("package", sorted({path.parent for path in PACKAGE.glob("*/__init__.py")}), ids=shown)
def test_every_folder_says_what_it_is_for(package: Path) -> None:
    assert ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))


# docs/rules.md


def perft_data() -> dict[tuple[str, str], list[int]]:
    """The counts from depth 1 of each position of the data files, by variant and FEN."""
    found = {}
    for variant in VARIANTS:
        file = ROOT / "tests" / "data" / "perft" / f"{variant.name}.perft"
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                position, *counts = line.split(" ;")
                found[variant.name, position] = [int(count.split()[1]) for count in counts]
    return found


def number(cell: str) -> int:
    return int(cell.replace(",", ""))


def test_the_perft_tables_equal_the_data() -> None:
    told = {}
    (start,) = [rows for rows in tables(RULES) if rows[0][0] == "depth"]
    for column, name in enumerate(start[0][1:], start=1):
        position = fen.write(Position.start(variant_named(name)))
        told[name, position] = [number(row[column]) for row in start[1:] if row[column]]
    for name, position, counts in table(RULES, "game", "position", "counts from depth 1"):
        told[name, code(position)] = [number(count) for count in counts.split()]
    assert told == perft_data()


@pytest.mark.parametrize(
    "row", table(RULES, "game", "position", "after", "all legal moves"), ids=lambda row: row[4][:50]
)
def test_the_legal_moves_are_those_of_the_page(row: list[str]) -> None:
    name, position_text, line, legal, _ = row
    variant = variant_named(name)
    setup = fen.parse(variant, code(position_text))
    for position in (setup.position(variant), load_kernel(variant).Position.from_cells(setup.cells, setup.side)):
        for text in code(line).split():
            position = position.play(moves.read(position, text))
        told = [moves.read(position, text) for text in code(legal).split()]
        assert set(told) == set(position.legal_moves())
        assert len(told) == len(set(told))


@pytest.mark.parametrize(
    "row", table(RULES, "game", "position", "the game"), ids=lambda row: f"{row[0]} {code(row[1])}"
)
def test_a_game_ends_as_the_page_says(row: list[str]) -> None:
    name, position, told, *_ = row
    end = outcome(fen.read(variant_named(name), code(position)))
    if end is None:
        assert told == "goes on"
    else:
        assert told == ("is drawn" if end.winner is None else f"{end.winner.name.capitalize()} has won")
