"""A daemon as a process of its own in which every search, count and bench fails: `failing_engine.py DIALECT`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from engine import fakes  # noqa: E402

from turkengine.daemon import stdio  # noqa: E402
from turkengine.engine import bench  # noqa: E402
from turkengine.engine.options import Options  # noqa: E402


def fail(*_: object, **__: object) -> NoReturn:
    raise ZeroDivisionError("nothing works")


if __name__ == "__main__":
    for broken, name in ((fakes.Searcher, "run"), (fakes.Position, "perft"), (bench, "measure")):
        setattr(broken, name, fail)
    sys.exit(stdio.run(sys.argv[1], Options(), [], fakes.Kernel))
