"""Write the ratings of the levels, as `turkengine train levels` has measured them, into docs/levels.md."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from turkengine.games import VARIANTS  # noqa: E402

from turkengine.engine.ratings import LEVELS  # noqa: E402

PAGE = ROOT / "docs" / "levels.md"
MARK = "<!-- made by scripts/levels.py -->\n"


def table() -> str:
    """A line for each level, a column for each game."""
    known = json.loads(LEVELS.read_text("utf-8"))
    names = [variant.name for variant in VARIANTS]
    lines = [f"| level | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    columns = [known[name]["elo"] for name in names]
    lines += [f"| {level} | {' | '.join(map(str, row))} |" for level, row in enumerate(zip(*columns, strict=True))]
    made = {name: {key: value for key, value in known[name].items() if key != "elo"} for name in names}
    file = LEVELS.relative_to(ROOT).as_posix()
    commands = [f"turkengine train levels {name} --pairs {made[name]['pairs']} -o {file}" for name in names]
    return "\n".join([*lines, "", "Made with:", "", "```text", *commands, "```", ""])


def page() -> str:
    """The whole page, with the table of today."""
    return PAGE.read_text("utf-8").partition(MARK)[0] + MARK + "\n" + table()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
