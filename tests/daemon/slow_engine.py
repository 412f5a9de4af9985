"""A daemon as a process of its own with a search that takes its time: `slow_engine.py DIALECT [name=value ...]`."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from engine.fakes import Kernel  # noqa: E402

from turkengine.daemon import stdio  # noqa: E402
from turkengine.engine.options import load_options  # noqa: E402

if __name__ == "__main__":
    dialect, *settings = sys.argv[1:]
    options, complaints = load_options(settings)
    sys.exit(stdio.run(None if dialect == "auto" else dialect, options, complaints, Kernel))
