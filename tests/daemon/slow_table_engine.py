"""The daemon with a table that takes twenty seconds to be made, as gigabytes do where memory is slow."""

from __future__ import annotations

import sys
import time

from turkengine.cli import main
from turkengine.engine import hashtable
from turkengine.engine.hashtable import Emptying


def _slowly(emptying: Emptying) -> None:
    for _ in range(200):
        if emptying._unwanted:
            return
        time.sleep(0.1)


if __name__ == "__main__":
    hashtable.Emptying._run = _slowly  # type: ignore[method-assign]
    sys.exit(main())
