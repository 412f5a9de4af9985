"""Write docs/options.md from the registry of options (`--print`: show it instead)."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from turkengine.engine.options import REGISTRY, Option  # noqa: E402

HEAD = """# Options

This page is made from `turkengine/engine/options.py` by `python scripts/options.py`; edit there.

An option has one name everywhere but in the UCI-like dialect. It can be set

* in `turkengine.toml`, one `name = value` a line, in the folder `turkengine` of the user's settings (`~/.config` on
  Linux, `~/Library/Application Support` on macOS, `%APPDATA%` on Windows), or in the file that `--config` names;
* on the command line: `turkengine hub --set variant=turkish --set threads=2`;
* by the protocol: `set-param name=hash value=128` (Hub), `setoption name Hash value 128` (UCI-like).

What comes later in this list goes before what comes earlier. A file with a mistake in it is reported in one line and
ignored as a whole; a wrong value is reported and leaves the option as it was.

| name | UCI-like | takes | default | |
|---|---|---|---|---|
"""


def row(option: Option) -> str:
    """The line of one option in the table."""
    if option.kind == "button":
        return f"| `{option.name}` (a button: UCI-like dialect only) | {option.uci_name} | | | {option.help} |\n"
    default = str(option.default).lower() or "empty"
    return f"| `{option.name}` | {option.uci_name} | {option.takes} | {default} | {option.help} |\n"


def page() -> str:
    """The whole page."""
    return HEAD + "".join(map(row, REGISTRY))


if __name__ == "__main__":
    if "--print" in sys.argv[1:]:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        print(page(), end="")
    else:
        (ROOT / "docs" / "options.md").write_text(page(), "utf-8")
