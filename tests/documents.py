"""Pages of text with commands and programs in them, as tests run them.

A fenced block marked `console` is run by a shell, one marked `python` by Python. After `$ command` in a console block,
and in a `text` block that follows a program, stands the output, in which `...` matches anything.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Step:
    """What a page has its reader run: the words of a command line, and the output, None where none is shown."""

    arguments: tuple[str, ...]
    output: str | None


def steps_of(page: Path) -> list[Step]:
    """Everything that a page has run, in its order."""
    found = []
    text = page.read_text(encoding="utf-8")
    for fence in re.finditer(r"^```(console|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", text, re.M | re.S):
        language, content, output = fence.groups()
        if language == "python":
            found.append(Step((sys.executable, "-c", content), output))
            continue
        for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
            command, told = part.split("\n", 1)
            found.append(Step(("sh", "-c", command), told))
    return found


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of somebody who has installed the engine: `turkengine` and `python` are found."""
    shim = folder / "turkengine"
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m turkengine "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    path = os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONSAFEPATH": "1"}


def run(step: Step, folder: Path, environment: dict[str, str]) -> None:
    """Run a step in a folder, and compare what it writes."""
    result = subprocess.run(step.arguments, cwd=folder, env=environment, capture_output=True, text=True, timeout=100)
    assert (result.returncode, result.stderr) == (0, "")
    if step.output is not None:
        matches = doctest.OutputChecker().check_output(step.output, result.stdout, doctest.ELLIPSIS)
        assert matches, f"shown:\n{step.output}\nwritten:\n{result.stdout}"
