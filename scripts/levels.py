"""Write the ratings of the levels, as `turkengine train levels` has measured them, into docs/levels.md."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


from turkengine import games  # noqa: E402

PAGE = ROOT / "docs" / "levels.md"
MARK = "<!-- made by scripts/levels.py -->\n"


def table() -> str:
    """A line for each level, a column for each game whose levels have been measured."""
    known = {game: found for game in games.VARIANTS if (found := games.measured(game, "levels")) is not None}
    names = [game.name for game in known]
    lines = [f"| level | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    columns = [found["elo"] for found in known.values()]
    lines += [f"| {level} | {' | '.join(map(str, row))} |" for level, row in enumerate(zip(*columns, strict=True))]
    commands = [
        f"turkengine train levels {game.name} --pairs {found['pairs']} "
        f"-o {(games.folder_of(game) / 'levels.json').relative_to(ROOT).as_posix()}"
        for game, found in known.items()
    ]
    return "\n".join([*lines, "", "Made with:", "", "```text", *commands, "```", ""])


def page() -> str:
    """The whole page, with the table of today."""
    return PAGE.read_text("utf-8").partition(MARK)[0] + MARK + "\n" + table()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
