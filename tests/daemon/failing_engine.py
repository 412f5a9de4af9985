"""A daemon as a process of its own in which every search, count and bench fails: `failing_engine.py DIALECT`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the tests alone: the package is the installed one

from engine import fakes

from turkengine.daemon import stdio
from turkengine.engine import bench
from turkengine.engine.options import Options


def fail(*_: object, **__: object) -> NoReturn:
    raise ZeroDivisionError("nothing works")


if __name__ == "__main__":
    for broken, name in ((fakes.Searcher, "run"), (fakes.Position, "perft"), (bench, "measure")):
        setattr(broken, name, fail)
    sys.exit(stdio.run(sys.argv[1], Options(), [], fakes.Kernel))
