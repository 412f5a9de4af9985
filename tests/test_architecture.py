"""The floors of the house, read from the sources: who may import whom, and what each floor has to do without.

Imports point down. Within one floor they stay inside one package, so that the packages of a floor can be understood,
tested and replaced one at a time.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from turkengine.games import VARIANTS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "turkengine"

FLOORS = {  # errors may be raised and caught everywhere
    "errors": 0,
    "waiting": 0,
    "interruption": 1,
    "storage": 1,
    "rules": 1,
    "games": 2,
    "notation": 3,
    "drawing": 3,
    "kernel": 3,
    "pages": 4,
    "engine": 4,
    "endgame": 4,
    "record": 5,
    "wire": 6,
    "client": 7,
    "daemon": 8,
    "training": 8,
    "api": 8,
    "farm": 8,
    "match": 9,
    "play": 10,
    "analysis": 10,
    "board": 11,
    "cli": 12,
    "commands": 12,
    "__main__": 12,
}
COMMAND_LINE = {"cli", "commands", "__main__"}  # one package in several files
PURE = {
    "__future__",
    "abc",
    "collections",
    "collections.abc",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "itertools",
    "math",
    "re",
    "typing",
    "unicodedata",
}
CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import\s+\(?([\w ,]*)|c?import\s+([\w., ]+))", re.MULTILINE)
LONGEST_FILE = 400  # lines


def generated(path: Path) -> bool:
    """Whether the build writes this file."""
    return path.name.startswith("_") and path.suffix in (".pyx", ".h", ".c")


def sources(*suffixes: str) -> list[Path]:
    """What people write in the package."""
    return sorted(path for suffix in suffixes for path in PACKAGE.rglob(f"*{suffix}") if not generated(path))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


PYTHON = sources(".py")
CYTHON = sources(".pxi", ".pxd", ".pyx")
SCRIPTS = sorted([*ROOT.glob("scripts/**/*.py"), *ROOT.glob("protocol/*.py")])
every_code_file = pytest.mark.parametrize("path", PYTHON + CYTHON, ids=shown)


def package_of(path: Path) -> str:
    """The first name under `turkengine`; empty for its own `__init__`."""
    name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if name == "__init__" else name


def imported(path: Path) -> Iterator[str]:
    """The full names of everything that a file imports, on its top or within a function."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{shown(path)}:{node.lineno}: imports are written with their full names"
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
        return
    for module, names, plain in CYTHON_IMPORT.findall(text):
        yield from (f"{module}.{name.split()[0]}" for name in names.split(",") if name.strip())
        yield from (name.split()[0] for name in plain.split(",") if name.strip())


def packages_imported(path: Path) -> set[str]:
    """The packages of ours that a file imports from. What the package itself names for type checkers it does not load:
    a test of its own sees to that.
    """
    if path == PACKAGE / "__init__.py":
        return set()
    inside = (name.split(".") for name in imported(path) if name.split(".")[0] == "turkengine")
    return {parts[1] for parts in inside if len(parts) > 1 and parts[1] != "__version__"}


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every string of a file but the docstrings."""
    beginning = True  # of a statement, where a string alone is a docstring
    with tokenize.open(path) as stream:
        for token in tokenize.generate_tokens(stream.readline):
            in_an_f_string = tokenize.tok_name[token.type] == "FSTRING_MIDDLE"  # from Python 3.12 on
            if in_an_f_string or (token.type == tokenize.STRING and not beginning):
                yield token.start[0], token.string
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                beginning = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


# What these tests read


def test_the_sources_are_found() -> None:
    names = {shown(path) for path in PYTHON + CYTHON}
    assert {"turkengine/rules/movegen.py", "turkengine/kernel/movegen.pxi", "turkengine/wire/hub.py"} <= names


def test_imports_are_found_in_python_and_in_cython() -> None:
    assert "turkengine.games.VARIANTS" in set(imported(PACKAGE / "engine" / "options.py"))
    kernel = set(imported(PACKAGE / "kernel" / "position.pxi"))
    assert {"cython", "turkengine.rules.outcome.outcome", "turkengine.rules.variant.Side"} <= kernel
    assert "libc.stdint.uint64_t" in set(imported(PACKAGE / "kernel" / "rules.pxi"))


# Floors


def test_every_package_has_a_floor() -> None:
    packages = {package_of(path) for path in PYTHON + CYTHON} - {""}
    assert packages == set(FLOORS)


@every_code_file
def test_imports_point_down_and_stay_inside_one_package_on_a_floor(path: Path) -> None:
    package = package_of(path)
    siblings = COMMAND_LINE if package in COMMAND_LINE else {package}
    for other in packages_imported(path) - siblings:
        assert FLOORS[other] < FLOORS[package], f"{package} (floor {FLOORS[package]}) imports {other}"


def test_the_package_itself_loads_nothing(tmp_path: Path) -> None:
    script = "import sys, turkengine\nprint(*(name for name in sys.modules if name.startswith('turkengine.')))"
    result = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stdout.split() == []


def test_the_rules_and_notations_import_where_no_kernel_has_been_built(tmp_path: Path) -> None:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in PYTHON
        if package_of(path) in ("errors", "rules", "notation", "record", "wire") and path.stem != "__init__"
    ]
    script = "import sys\nsys.modules['turkengine.kernel'] = None\n" + "".join(f"import {name}\n" for name in modules)
    result = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("path", sorted((PACKAGE / "wire").rglob("*.py")), ids=shown)
def test_a_session_touches_no_pipe_no_thread_and_no_clock(path: Path) -> None:
    modules = {name if name in PURE else name.rpartition(".")[0] or name for name in imported(path)}
    outside = {name for name in modules if name.split(".")[0] != "turkengine"}
    assert outside <= PURE
    called = {node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert not called & {"print", "open", "input", "breakpoint", "__import__"}


# Variants


@every_code_file
def test_only_the_declarations_name_a_variant(path: Path) -> None:
    if path.is_relative_to(PACKAGE / "games"):
        return
    names = [name for variant in VARIANTS for name in (variant.name, *variant.aliases)]
    word = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])")
    found = [f"line {line}: {text}" for line, text in literals(path) if word.search(text)]
    assert not found
    constants = {variant.name.upper().replace("-", "_") for variant in VARIANTS}
    assert not {name.rpartition(".")[2] for name in imported(path)} & constants


# The daemon's path


@pytest.fixture(scope="module")
def modules_of_the_daemon(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is imported by an engine that greets, searches and answers."""
    conversation = "hub\ninit\nlevel depth=3\ngo think\nquit\n"
    folder = tmp_path_factory.mktemp("home")
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "turkengine", "hub", "--config", "none.toml"],
        input=conversation,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "wait" in result.stdout
    return {line.rpartition("|")[2].strip() for line in result.stderr.splitlines() if line.startswith("import time:")}


def test_an_engine_that_plays_imports_little(modules_of_the_daemon: set[str]) -> None:
    bare = subprocess.run([sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True)
    added = modules_of_the_daemon - set(bare.stdout.split())
    standard = sorted(name for name in added if not name.startswith("turkengine"))
    assert len(standard) < 90, standard


@pytest.mark.parametrize(
    "library",
    [
        "numpy",
        "scipy",
        "click",
        "jinja2",
        "markupsafe",
        "rich",
        "asyncio",
        "socket",
        "ssl",
        "logging",
        "multiprocessing",
    ],
)
def test_an_engine_that_plays_never_waits_for_a_large_library(library: str, modules_of_the_daemon: set[str]) -> None:
    assert library not in {name.split(".")[0] for name in modules_of_the_daemon}


def test_the_template_library_is_loaded_where_a_page_is_made(tmp_path: Path) -> None:
    using = {shown(path) for path in PYTHON if any(name.split(".")[0] == "jinja2" for name in imported(path))}
    assert using == {"turkengine/pages/rendering.py"}
    script = "import sys, turkengine.analysis.page, turkengine.match.organiser\nprint('jinja2' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


# Files


@pytest.mark.parametrize("path", PYTHON + CYTHON + sources(".h"), ids=shown)
def test_a_file_says_first_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        assert ast.get_docstring(ast.parse(text)) or (path.name == "__init__.py" and not text.strip())
    else:
        assert text.startswith("# " if path.suffix != ".h" else "/* ")


@pytest.mark.parametrize("path", [*PYTHON, *CYTHON, *sources(".h"), *SCRIPTS], ids=shown)
def test_no_file_is_too_long_to_hold_one_concept(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
