"""A board beside a match: a process of its own, so that whoever looks on takes nothing from the games."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from turkengine.commands.board import missing_packages
from turkengine.errors import OptionError

AGAIN = "the match can be looked at again: turkengine board --watch {}"


@contextmanager
def shown(database: Path | None) -> Iterator[None]:
    """Have a board show the match in `database`, and say where; it ends with the block, or with this process.

    Raises:
        OptionError: it cannot be started.
    """
    missing = missing_packages()
    if missing:
        raise OptionError(missing)
    command = [sys.executable, "-m", "turkengine", "board", "--attached", "--no-browser", "--watch", str(database)]
    board = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C is for the match
    )
    assert board.stdin is not None
    assert board.stdout is not None
    assert board.stderr is not None
    with board.stdin, board.stdout, board.stderr:
        line = board.stdout.readline().strip()
        if not line:
            raise OptionError(f"there is no board: {board.stderr.readline().strip()}")
        click.echo(line)
        yield
    click.echo(AGAIN.format(database))
