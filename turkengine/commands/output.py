"""A file that a command writes: it comes into being as a whole, when all of it is written."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import click


@contextmanager
def written(output: str | None, option: str = "--output") -> Iterator[Callable[[str | bytes], object]]:
    """What writes to a file, or to standard output without one; text always in UTF-8.

    The file may be one of those that are read meanwhile; where the command fails it stays as it was.

    Args:
        option: what names the file on the command line.

    Raises:
        BadParameter: there is no writing to it.
    """
    if output is None or output == "-":
        stdout = sys.stdout.buffer
        yield lambda content: stdout.write(_encoded(content))
        stdout.flush()
        return
    target = _place(output)
    aside = not target.exists() or target.is_file()  # a pipe or a device is written to as it is
    try:
        stream: Any = (
            NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False)  # noqa: SIM115
            if aside
            else target.open("wb")
        )
    except OSError as error:
        raise click.BadParameter(f"{output}: {error.strerror}", param_hint=option) from None
    if not aside:
        with stream:
            yield lambda content: stream.write(_encoded(content))
        return
    try:
        with stream:
            yield lambda content: stream.write(_encoded(content))
        os.chmod(stream.name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(stream.name, target)
    except BaseException:
        os.unlink(stream.name)
        raise


def check_outputs(outputs: Mapping[str, str | None], read: Iterable[str], db: Path | None) -> None:
    """See to it, before a long work, that each file can be written and that none is written over another one.

    Args:
        outputs: by the option that names it; None where it is not asked for.
        read: the files that the work is about, `-` for standard input.
        db: where results are kept.

    Raises:
        BadParameter: naming the option.
    """
    taken = {_place(file): "read" for file in read if file != "-"}
    if db is not None:
        taken[_place(db)] = "given as --db"
    for option, output in outputs.items():
        if output is None or output == "-":
            continue
        _check_writable(output, option)
        target = _place(output)
        if target in taken and target.name != os.path.basename(os.devnull):
            reason = f"{output}: this file is {taken[target]} too; write to another one"
            raise click.BadParameter(reason, param_hint=option)
        taken[target] = f"given as {option}"


def _check_writable(output: str, option: str) -> None:
    """See to it, before a long work, that a file could be written.

    Raises:
        BadParameter: its folder is not there or not to be written to, or it is a folder itself.
    """
    target = _place(output)
    if output == "-":
        return
    if target.is_symlink():
        raise click.BadParameter(f"{output}: {os.strerror(errno.ELOOP)}", param_hint=option)
    if target.is_dir():
        raise click.BadParameter(f"{output}: this is a folder", param_hint=option)
    if not target.parent.is_dir():
        raise click.BadParameter(f"{output}: there is no folder {target.parent}", param_hint=option)
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise click.BadParameter(f"{output}: it may not be written", param_hint=option)


def _place(file: str | Path) -> Path:
    """The file that a name leads to; a name that leads round to itself stays a link."""
    return Path(os.path.realpath(file))


def _encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _umask() -> int:
    """The permissions that new files lack here; asking for them means setting them."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
