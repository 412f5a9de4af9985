"""The kernel compiled once more, with what watches over it: in a folder beside a copy of the package."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from campaign import ROOT, Missing

from turkengine import kernel
from turkengine.games import VARIANTS

PACKAGE = ROOT / "turkengine"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")  # here, since threads that ask for the first time get None
DRIVER = Path(__file__).with_name("_driver.py")


def build(folder: Path, flags: list[str]) -> Path:
    """The folder that holds the package, compiled by gcc with these flags."""
    if not shutil.which("gcc"):
        raise Missing("gcc is not installed (on Debian: gcc)")
    site = folder / "site"
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(PACKAGE, site / "turkengine", ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__"))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        compiled = pool.map(lambda variant: compile_one(kernel.module_name(variant), folder, flags), VARIANTS)
        for module in compiled:
            shutil.copy(module, site / "turkengine" / "kernel")
    return site


def compile_one(name: str, folder: Path, flags: list[str]) -> Path:
    """One variant's module, unless it is there; its C source has been left by the installation."""
    source = PACKAGE / "kernel" / f"{name}.c"
    if not source.exists():
        raise Missing(f"{source} is not there: remove .venv and install again")
    target = folder / f"{name}{SUFFIX}"
    made_from = target.with_suffix(".made-from")
    content = " ".join(flags) + "".join(
        path.read_text() for path in [source, source.with_name("_kernel.c"), *sorted(source.parent.glob("*.h"))]
    )
    fingerprint = hashlib.sha256(content.encode()).hexdigest()
    if target.exists() and made_from.exists() and made_from.read_text() == fingerprint:
        return target
    headers = [f"-I{PACKAGE / 'kernel'}", f"-I{sysconfig.get_path('include')}"]
    command = ["gcc", "-g", "-fPIC", "-shared", "-fno-omit-frame-pointer", "-w", *flags, *headers]
    subprocess.run([*command, str(source), "-o", str(target)], check=True)
    made_from.write_text(fingerprint)
    return target


def runtime(name: str) -> str:
    """The path of one of gcc's libraries, which has to be loaded before all others."""
    found = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = Path(found.stdout.strip())
    if not path.is_absolute():
        raise Missing(f"gcc has no {name} (on Debian: libgcc-12-dev, of the version of gcc)")
    return str(path.resolve())


def drive(site: Path, size: int, before: list[str], environment: dict[str, str], log: Path) -> str:
    """Run the driver on that build; what it printed last. All else goes to a log, named where the run fails."""
    paths = os.pathsep.join([str(site), *(path for path in os.environ["PYTHONPATH"].split(os.pathsep))])
    surroundings = {**os.environ, "PYTHONPATH": paths, "PYTHONMALLOC": "malloc", **environment}
    with log.open("w") as errors:
        command = [*before, sys.executable, str(DRIVER), str(size)]
        done = subprocess.run(command, env=surroundings, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert done.returncode == 0, f"exit status {done.returncode}, see {log}"
    return done.stdout.strip().splitlines()[-1]
