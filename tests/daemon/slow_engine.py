"""A daemon as a process of its own with a search that takes its time: `slow_engine.py DIALECT [name=value ...]`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(
    0, str(Path(__file__).resolve().parent.parent)
)  # the tests' own folder; the package is the installed one

from engine.fakes import Kernel

from turkengine.daemon import stdio
from turkengine.engine.settings import load_options

if __name__ == "__main__":
    dialect, *settings = sys.argv[1:]
    options, complaints = load_options(settings)
    sys.exit(stdio.run(None if dialect == "auto" else dialect, options, complaints, Kernel))
