"""The kernel under the sanitizers of addresses and of undefined behaviour

The size is the number of positions of each kind in each game.
"""

from __future__ import annotations

from pathlib import Path

from _built import build, drive, runtime

SIZE = 60


def run(size: int, folder: Path) -> str:
    """Leaks are not looked for here: the interpreter never gives everything back (`leaks` looks)."""
    flags = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    site = build(folder, flags)
    environment = {
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libubsan.so')}",
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    return f"nothing found in {drive(site, size, [], environment, folder / 'log')}"
