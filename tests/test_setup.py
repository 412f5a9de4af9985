"""The set-up: what the build backend chooses, what `scripts/engine` promises, what the archives hold."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

posix_only = pytest.mark.skipif(os.name == "nt", reason="the scripts are for a POSIX shell; Windows uses pip")


# The build backend


@pytest.fixture
def backend(monkeypatch, tmp_path):
    """The backend in an empty folder, with an empty PATH and its own copy of the environment."""
    monkeypatch.syspath_prepend(ROOT / "scripts/build")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", {"PATH": str(tmp_path / "bin")})
    monkeypatch.setattr(sys, "platform", "linux")
    return importlib.import_module("backend")


def put_on_path(command: str) -> None:
    file = Path(os.environ["PATH"], command)
    file.parent.mkdir()
    file.touch(0o755)


def test_a_build_without_a_compiler_on_path_requires_ziglang(backend):
    assert backend.get_requires_for_build_wheel() == ["ziglang>=0.13"]


@posix_only
@pytest.mark.parametrize("command", ["cc", "gcc", "clang"])
def test_a_build_with_a_compiler_on_path_requires_nothing_more(backend, command):
    put_on_path(command)
    assert backend.get_requires_for_build_wheel() == []


@posix_only
def test_a_compiler_named_by_the_environment_is_enough(backend):
    put_on_path("my-cc")
    os.environ["CC"] = "my-cc -pipe"
    assert backend.get_requires_for_build_wheel() == []


def test_on_windows_setuptools_looks_for_the_compiler(backend, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    backend.choose_compiler()
    assert backend.get_requires_for_build_wheel() == []
    assert "CC" not in os.environ


@pytest.mark.parametrize(("environment", "processor"), [({}, "baseline"), ({"TURKENGINE_NATIVE": "1"}, "native")])
def test_ziglang_compiles_for_any_processor_unless_asked_for_this_one(backend, environment, processor):
    os.environ.update(environment)
    backend.choose_compiler()
    assert os.environ["CC"].endswith(f" -m ziglang cc -mcpu={processor}")
    assert os.environ["LDSHARED"] == os.environ["CC"] + " -shared"


@posix_only
def test_another_compiler_replaces_the_one_python_was_made_with_where_that_is_missing(backend, monkeypatch):
    monkeypatch.setattr(sysconfig, "get_config_var", {"CC": "missing-cc -pthread"}.get)
    put_on_path("clang")
    backend.choose_compiler()
    assert os.environ["CC"] == "clang"


# What a build reuses


@pytest.fixture
def leftovers(monkeypatch, tmp_path):
    """The module that decides, in a repository with one source of the kernel."""
    monkeypatch.syspath_prepend(ROOT / "scripts/build")
    monkeypatch.chdir(tmp_path)
    leftovers = importlib.import_module("leftovers")
    monkeypatch.setattr(leftovers, "version", {"cython": "3"}.get)
    leftovers.KERNEL.mkdir(parents=True)
    (leftovers.KERNEL / "search.pyx").write_text("one")
    return leftovers


@pytest.fixture
def built(leftovers):
    """The build folder as a complete build leaves it."""
    with leftovers.reuse_compiled_modules():
        folder = Path("build/lib.linux/turkengine")
        folder.mkdir(parents=True)
        for name in ("module.py", "compiled.so"):
            (folder / name).touch()
            os.utime(folder / name, (0, 0))
    return folder


def test_a_build_reuses_compiled_modules_but_no_others(leftovers, built):
    with leftovers.reuse_compiled_modules():
        assert [file.name for file in built.iterdir()] == ["compiled.so"]


def test_a_reused_module_is_newer_than_the_sources_whatever_their_dates(leftovers, built):
    with leftovers.reuse_compiled_modules():
        assert (built / "compiled.so").stat().st_mtime >= (leftovers.KERNEL / "search.pyx").stat().st_mtime


def test_a_build_from_other_sources_reuses_nothing_even_if_they_have_the_same_date(leftovers, built):
    source = leftovers.KERNEL / "search.pyx"
    date = source.stat().st_mtime
    source.write_text("two")
    os.utime(source, (date, date))
    with leftovers.reuse_compiled_modules():
        assert not built.exists()


def test_a_build_with_other_flags_reuses_nothing(leftovers, built, monkeypatch):
    monkeypatch.setenv("TURKENGINE_NATIVE", "1")
    with leftovers.reuse_compiled_modules():
        assert not built.exists()


def test_a_build_after_an_interrupted_one_reuses_nothing(leftovers, built):
    with pytest.raises(KeyboardInterrupt), leftovers.reuse_compiled_modules():
        raise KeyboardInterrupt
    with leftovers.reuse_compiled_modules():
        assert not built.exists()


# scripts/engine, on a stand-in for the engine that installs in a second

STAND_IN_PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["scripts/build"]
[project]
name = "turkengine"
version = "1"
"""

STAND_IN_BACKEND = r"""
import os, pathlib, zipfile

METADATA = {
    "METADATA": "Metadata-Version: 2.1\nName: turkengine\nVersion: 1\n",
    "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "entry_points.txt": "[console_scripts]\nturkengine = turkengine:main\n",
    "RECORD": "",
}

def build_wheel(directory, config_settings=None, metadata_directory=None):
    with open("builds", "a") as builds:
        print("built", file=builds)
    if os.path.exists("pause"):
        open("pause").read()
    name = "turkengine-1-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        for file in pathlib.Path("turkengine").glob("*.py"):
            compile(file.read_text(), str(file), "exec")
            wheel.write(file)
        for file, text in METADATA.items():
            wheel.writestr(f"turkengine-1.dist-info/{file}", text)
    return name
"""

STAND_IN_PACKAGE = """
import os, sys

def main():
    print(sorted(os.listdir(os.path.dirname(__file__))), os.getcwd(), sys.argv[1:])
"""


WAITS = re.compile(
    r"engine: (installs into .*, which takes a minute or two"
    r"|waits for another start, which is installing into .*)( \(\d+ s so far\))?\n"
)


class Checkout:
    """A repository with the real scripts and the stand-in package."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.engine = root / "scripts/engine"
        self.package = root / "turkengine"
        self.package.mkdir(parents=True)
        shutil.copytree(ROOT / "scripts", root / "scripts", ignore=shutil.ignore_patterns("build"))
        (root / "scripts/build").mkdir()
        (root / "scripts/build/backend.py").write_text(STAND_IN_BACKEND)
        (root / "pyproject.toml").write_text(STAND_IN_PROJECT)
        (root / "setup.py").touch()
        (self.package / "__init__.py").write_text(STAND_IN_PACKAGE)

    @property
    def builds(self) -> int:
        return len((self.root / "builds").read_text().split())

    def change(self) -> None:
        with (self.package / "__init__.py").open("a") as source:
            print("# changed", file=source)

    def launch(self, *command: str | Path, **options) -> subprocess.Popen:
        """Start a command, the engine by default, as a process group of its own."""
        return subprocess.Popen(
            command or [self.engine],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )

    def run(self, *command: str | Path, **options) -> tuple[int, str, str]:
        """The exit status, output and errors of a command, the engine by default; not what it says of waiting."""
        process = self.launch(*command, **options)
        output, errors = process.communicate()
        faults = (line for line in errors.splitlines(keepends=True) if not WAITS.match(line))
        return process.returncode, output, "".join(faults)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout whose path has blanks in it, with the engine installed."""
    checkout = Checkout(tmp_path_factory.mktemp("set up") / "my engines")
    status, output, errors = checkout.run()
    assert (status, errors, checkout.builds) == (0, "", 1)
    assert output.count("\n") == 1, "the first start writes nothing but what the engine writes"
    return checkout


@posix_only
def test_the_engine_starts_through_a_link_from_another_folder_with_its_arguments_as_they_are(checkout, tmp_path):
    link, elsewhere = tmp_path / "a link", tmp_path / "else where"
    link.symlink_to(checkout.engine)
    elsewhere.mkdir()
    status, output, errors = checkout.run(link, "two words", "", "*", cwd=elsewhere)
    assert (status, errors) == (0, "")
    assert output.endswith(f"{elsewhere} ['two words', '', '*']\n")


@posix_only
def test_the_engine_is_not_built_again_while_the_sources_stay_the_same(checkout):
    builds = checkout.builds
    os.utime(checkout.package / "__init__.py")
    assert checkout.run()[0] == 0
    assert checkout.builds == builds


@posix_only
def test_a_new_and_a_deleted_source_are_both_noticed(checkout):
    module = checkout.package / "module.py"
    module.touch()
    assert "module.py" in checkout.run()[1]
    module.unlink()
    assert "module.py" not in checkout.run()[1]


@posix_only
def test_a_changed_source_is_noticed_though_its_date_is_an_old_one(checkout):
    assert checkout.run() == checkout.run()
    builds, source = checkout.builds, checkout.package / "__init__.py"
    date = source.stat().st_mtime - 1000
    checkout.change()
    os.utime(source, (date, date))
    assert checkout.run()[0] == 0
    assert checkout.builds == builds + 1


@posix_only
def test_a_source_that_is_moved_to_its_place_is_noticed_though_it_is_older(checkout, tmp_path):
    other = tmp_path / "module.py"
    other.touch()
    os.utime(other, (10**9, 10**9))
    assert checkout.run() == checkout.run()
    other.rename(checkout.package / "module.py")
    assert "module.py" in checkout.run()[1]
    (checkout.package / "module.py").unlink()
    assert "module.py" not in checkout.run()[1]


@posix_only
def test_sources_that_nobody_has_touched_are_not_read_again(checkout, tmp_path):
    assert checkout.run()[0] == 0
    for name in ("cksum", "sort"):
        (tmp_path / name).symlink_to("/bin/false")
    answer = checkout.run(env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHON": "/no"})
    assert answer[::2] == (0, "")


@posix_only
def test_an_installation_that_takes_long_says_so_and_so_does_a_start_that_waits_for_it(checkout):
    checkout.change()
    pause = checkout.root / "pause"
    os.mkfifo(pause)
    installing = checkout.launch()
    try:
        with pause.open("w"):  # opens as soon as the build waits at the other end
            waiting = checkout.launch()
            said = [installing.stderr.readline(), waiting.stderr.readline()]
    finally:
        pause.unlink()
    assert all(map(WAITS.fullmatch, said))
    assert ["installs" in said[0], "waits for another start" in said[1]] == [True, True]
    began = time.monotonic()
    for process in (installing, waiting):
        output, errors = process.communicate()
        assert (process.returncode, output.count("\n")) == (0, 1), "nothing of it is on standard output"
        assert not [line for line in errors.splitlines(keepends=True) if not WAITS.fullmatch(line)]
    assert time.monotonic() - began < 9, "what has been said holds no pipe open"


@posix_only
def test_two_starts_at_once_build_the_engine_once(checkout):
    builds = checkout.builds
    checkout.change()
    processes = [checkout.launch() for _ in range(2)]
    outputs = [process.communicate() for process in processes]
    assert outputs[0] == outputs[1]
    assert [process.returncode for process in processes] == [0, 0]
    assert checkout.builds == builds + 1


@posix_only
def test_an_engine_that_cannot_be_built_is_reported_on_standard_error_and_tried_again(checkout):
    module = checkout.package / "broken.py"
    module.write_text("(")
    for _ in range(2):
        status, output, errors = checkout.run()
        assert status != 0
        assert output == ""
        assert "broken.py" in errors
    module.unlink()
    assert checkout.run()[0] == 0


@posix_only
def test_an_interrupted_build_is_made_again(checkout):
    builds = checkout.builds
    checkout.change()
    pause = checkout.root / "pause"
    os.mkfifo(pause)
    process = checkout.launch()
    with pause.open("w"):  # opens as soon as the build waits at the other end
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    pause.unlink()
    assert checkout.run()[::2] == (0, "")
    assert checkout.builds == builds + 2


@posix_only
def test_a_missing_python_is_reported_in_one_line(checkout):
    checkout.change()
    status, output, errors = checkout.run(env={**os.environ, "PYTHON": "/no/python"})
    assert (status, output, errors.count("\n")) == (1, "", 1)
    assert errors.startswith("engine: needs Python 3.11 or newer")


# The real package


@posix_only
@pytest.mark.timeout(600)  # where this is not run by scripts/test, which installs the engine
def test_the_script_starts_this_engine(tmp_path):
    import turkengine

    link = tmp_path / "engine"
    link.symlink_to(ROOT / "scripts/engine")
    answer = subprocess.run([link, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert turkengine.__version__ in answer.stdout
    assert answer.stderr == ""


def sources(*folders: str) -> set[str]:
    """The files in these folders that a person wrote, relative to the repository."""
    return {
        file.relative_to(ROOT).as_posix()
        for folder in folders
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and not is_made_by_a_program(file)
    }


def is_made_by_a_program(file: Path) -> bool:
    generated = file.name.startswith("_") and not file.name.startswith("__") and file.suffix in {".pyx", ".h"}
    return generated or file.suffix in {".c", ".so", ".pyd", ".pyc"}


@pytest.mark.timeout(300)
def test_the_source_archive_holds_all_sources_and_nothing_generated(tmp_path):
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path, ROOT], check=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert sources("turkengine", "scripts", "tests", "protocol", "docs") <= names
    assert {"LICENSE", "README.md", "pyproject.toml", "setup.py"} <= names
    assert not [name for name in names if is_made_by_a_program(Path(name))]


def test_the_installed_package_holds_every_module_and_data_file():
    import turkengine

    installed = Path(turkengine.__file__).parent
    kinds = (".py", ".pyi", ".css", ".html", ".js", ".json", ".weights", ".book", "py.typed")
    wanted = {name for name in sources("turkengine") if name.endswith(kinds)}
    assert not [name for name in sorted(wanted) if not (installed.parent / name).is_file()]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_pip_installs_the_engine_where_no_compiler_is_on_path(tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "build", "*.c", "_*.pyx", "_*.h"))
    shutil.copytree(ROOT / "scripts/build", tree / "scripts/build", dirs_exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    commands = tmp_path / "venv/bin"
    environment = {name: value for name, value in os.environ.items() if name != "CC"} | {"PATH": str(commands)}
    subprocess.run([commands / "python", "-m", "pip", "install", "-q", tree], env=environment, check=True)
    perft = subprocess.run([commands / "turkengine", "perft", "international", "4"], capture_output=True, text=True)
    assert perft.stdout.split()[-1] == "4265"
