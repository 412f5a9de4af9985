"""A wheel for ARM made here, and its tests of rules, kernel and protocols under an emulator of user programs

The size is the number of folders of tests, in the order of `FOLDERS`. The compiler is the `ziglang` wheel; the Python
that runs there and the libraries below it are Debian's for arm64, unpacked and not installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import click
from campaign import ROOT, Missing

from turkengine.games import VARIANTS

FOLDERS = ["rules", "wire", "kernel"]
SIZE = len(FOLDERS)
PROCESSOR = "aarch64-linux-gnu"
GLIBC = "2.28"
SUFFIX = f".cpython-311-{PROCESSOR}.so"
PLATFORM = "linux_aarch64"
PACKAGES = [
    "gcc-12-base",
    "libbz2-1.0",
    "libc6",
    "libcrypt1",
    "libdb5.3",
    "libexpat1",
    "libffi8",
    "libgcc-s1",
    "liblzma5",
    "libncursesw6",
    "libpython3.11-dev",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libreadline8",
    "libsqlite3-0",
    "libssl3",
    "libtinfo6",
    "libuuid1",
    "python3.11",
    "python3.11-minimal",
    "zlib1g",
]
TOOLS = ["pytest", "pytest-timeout", "hypothesis", "pexpect", "click"]
EMULATORS = ("qemu-aarch64-static", "qemu-aarch64")
SLOWER = 20  # times, an emulator on a busy machine
LEFT_OUT = [
    "test_what_memory_held_before_does_not_matter",  # starts a program: what is emulated cannot start another
    "test_a_move_time_is_kept",  # these measure seconds, of the emulator
    "test_a_stop_is_answered_within_fifty_milliseconds",
    "test_a_single_legal_move_is_played_at_once_where_time_is_given",
    "test_a_board_full_of_captures_is_read_to_the_last_one",
    "test_a_thousand_captures_are_answered_in_time",
    "test_a_board_found_by_looking_for_captures_is_answered_in_time",
]


def run(size: int, folder: Path) -> str:
    """Unpack Debian's Python once, build the wheel, run the tests."""
    emulator = next((found for name in EMULATORS if (found := shutil.which(name))), None)
    if emulator is None:
        raise Missing("qemu is not installed (on Debian: qemu-user-static)")
    system = unpacked(folder)
    wheel = built(folder, system)
    site = installed(folder, wheel)
    source = folder / "source"
    environment = {
        "QEMU_LD_PREFIX": str(system),
        "PYTHONPATH": f"{site}{os.pathsep}{source / 'tests'}",
        "PYTHONSAFEPATH": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [emulator, "-E", f"PYTHONHOME={system}/usr", f"{system}/usr/bin/python3.11", "-m", "pytest", "-q"]
    command += [
        "-p",
        "no:cacheprovider",
        "--hypothesis-profile",
        "ci",
        "--timeout",
        str(120 * SLOWER),
        "-k",
        f"not ({' or '.join(LEFT_OUT)})",
    ]
    command += [f"tests/{name}" for name in FOLDERS[:size]]
    said = output(command, source, environment)
    return f"{wheel.name}, tests of {', '.join(FOLDERS[:size])}: {said.splitlines()[-1].strip('= ')}"


def output(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a command printed; its end is shown where it failed."""
    surroundings = {**os.environ, **(environment or {})}
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True)
    if done.returncode:
        click.echo(f"{done.stdout[-5000:]}\n{done.stderr[-3000:]}", err=True)
    assert done.returncode == 0, f"{Path(command[0]).name} ended with {done.returncode}"
    return done.stdout.strip()


def unpacked(folder: Path) -> Path:
    """Debian's Python for arm64, in a folder of its own."""
    system, packages = folder / "system", folder / "packages"
    if (system / "complete").exists():
        return system
    for tool in ("apt-get", "dpkg"):
        if not shutil.which(tool):
            raise Missing(f"{tool} is not there: this needs Debian or a system made from it")
    if "arm64" not in output(["dpkg", "--print-foreign-architectures"], folder).split():
        raise Missing(
            "arm64 is not an architecture of this system (`dpkg --add-architecture arm64`, then `apt-get update`)"
        )
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir()
    output(["apt-get", "download", *(f"{name}:arm64" for name in PACKAGES)], packages)
    for package in packages.glob("*.deb"):
        output(["dpkg", "-x", str(package), str(system)], folder)
    (system / "complete").touch()
    return system


def built(folder: Path, system: Path) -> Path:
    """The wheel, made by the usual build from a copy of the sources."""
    zig = folder / "zig"
    if not (zig / "bin" / "python").exists():
        output([sys.executable, "-m", "venv", str(zig)], folder)
        output([str(zig / "bin" / "python"), "-m", "pip", "install", "-q", "ziglang>=0.13"], folder)
    source, wheels, headers = folder / "source", folder / "wheels", folder / "headers"
    for old in (source, wheels):
        shutil.rmtree(old, ignore_errors=True)
    for name in output(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT).splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    headers.mkdir(exist_ok=True)  # of Python alone: those of the C library are the compiler's own
    for inside, there in ((PROCESSOR, f"usr/include/{PROCESSOR}"), ("python3.11", "usr/include/python3.11")):
        (headers / inside).unlink(missing_ok=True)
        (headers / inside).symlink_to(system / there)
    compiler = f"{zig}/bin/python -m ziglang cc -target {PROCESSOR}.{GLIBC}"
    environment = {
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared",
        "CFLAGS": f"-I{headers}/python3.11 -I{headers}",
        "_PYTHON_HOST_PLATFORM": "linux-aarch64",
        "SETUPTOOLS_EXT_SUFFIX": SUFFIX,
        "ZIG_GLOBAL_CACHE_DIR": str(folder / "zig-cache"),
        "PYTHONPATH": "",
    }
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), "."]
    output(command, source, environment)
    (wheel,) = wheels.glob(f"*{PLATFORM}.whl")
    names = zipfile.ZipFile(wheel).namelist()
    modules = [name for name in names if name.endswith(".so")]
    assert len(modules) == len(VARIANTS), f"the wheel holds {modules}"
    assert all(name.endswith(SUFFIX) for name in modules), f"the wheel holds {modules}"
    return wheel


def installed(folder: Path, wheel: Path) -> Path:
    """A folder with the wheel and what its tests need."""
    site = folder / "site"
    shutil.rmtree(site, ignore_errors=True)
    platforms = ["--platform", PLATFORM, "--platform", "manylinux2014_aarch64", "--python-version", "3.11"]
    command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(site), "--only-binary=:all:", *platforms]
    output([*command, *TOOLS, str(wheel)], folder)
    return site
