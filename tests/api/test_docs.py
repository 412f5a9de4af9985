"""The programs of docs/python.md run, one after another, as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import turkengine

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_the_programs_of_the_page_run(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "data" / "pdn" / "lesson.pdn", tmp_path / "games.pdn")
    shim = tmp_path / "turkengine"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m turkengine "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    programs = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONSAFEPATH": "1", "PATH": path}
    command = [sys.executable, "-c", programs]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100)
    assert (result.returncode, result.stderr) == (0, "")
    assert "1. 32-28 {a usual beginning} 19-23 (1... 18-22!?) 2. 28x19 14x23 *" in result.stdout
    assert "A lesson ['28-22', '17x28', '32x25', '34-39', '44x33'] ()" in result.stdout


def test_the_page_names_everything_that_is_promised() -> None:
    names = set(turkengine.__all__) - {"__version__", "VARIANTS", "Variant", "variant_named", "Side"}
    # These are told by what has them.
    names -= {
        "Outcome",
        "Reason",
        "Irregularity",
        "Bound",
        "Score",
        "Chances",
        "PovScore",
        "Move",
    }
    assert [name for name in sorted(names) if name not in PAGE] == []
