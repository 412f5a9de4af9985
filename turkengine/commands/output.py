"""A file that a command writes: it comes into being as a whole, when all of it is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import click


@contextmanager
def written(output: str | None) -> Iterator[Callable[[str], object]]:
    """What writes text to a file, or to standard output without one, always in UTF-8.

    The file may be one of those that are read meanwhile; where the command fails it stays as it was.

    Raises:
        BadParameter: there is no writing to it.
    """
    if output is None or output == "-":
        stdout = sys.stdout.buffer
        yield lambda text: stdout.write(text.encode())
        stdout.flush()
        return
    target = Path(output).resolve()
    aside = not target.exists() or target.is_file()  # a pipe or a device is written to as it is
    try:
        stream: Any = (
            NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False)  # noqa: SIM115
            if aside
            else target.open("wb")
        )
    except OSError as error:
        raise click.BadParameter(f"{output}: {error.strerror}", param_hint="--output") from None
    if not aside:
        with stream:
            yield lambda text: stream.write(text.encode())
        return
    try:
        with stream:
            yield lambda text: stream.write(text.encode())
        os.chmod(stream.name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(stream.name, target)
    except BaseException:
        os.unlink(stream.name)
        raise


def _umask() -> int:
    """The permissions that new files lack here; asking for them means setting them."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
