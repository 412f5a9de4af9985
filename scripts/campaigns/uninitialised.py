"""The kernel under valgrind: no decision depends on memory that was never written

The size is the number of positions of each kind in each game.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from _built import build, drive
from campaign import Missing

SIZE = 2


def run(size: int, folder: Path) -> str:
    """Only what happens in the kernel counts: the interpreter looks at its own freed memory on purpose."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise Missing("valgrind is not installed (on Debian: valgrind)")
    site = build(folder, ["-O1"])
    log = folder / "log"
    before = [valgrind, "--leak-check=no", "--error-limit=no", "--track-origins=yes", "--num-callers=30"]
    said = drive(site, size, before, {}, log)
    found = [part for part in log.read_text(errors="replace").split("== \n") if "__pyx_" in part]
    assert not found, f"{len(found)} places in the kernel, see {log}:\n{found[0]}"
    return f"nothing found in {said}"
