"""Where `turkengine` starts.

A GUI starts the engine for each game and waits for it, so `turkengine`, `turkengine hub` and `turkengine uci` go
straight to the daemon; everything else, the help of these three included, is left to `commands` and costs the import
of the library that reads command lines.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from turkengine import interruption
from turkengine.errors import TurkengineError
from turkengine.interruption import INTERRUPTED

DAMAGED = 3  # status where the program itself cannot be used
DIALECTS = ("hub", "uci")
COMPLETION = "_TURKENGINE_COMPLETE"  # set by a shell that asks what could come next


def main() -> int:
    """Run the command line of this process; the exit status."""
    interruption.install()
    try:
        return _main()
    except KeyboardInterrupt:
        return INTERRUPTED
    except TurkengineError as error:  # a file of the program itself is damaged, so that a module cannot be loaded
        print(f"turkengine: {error}", file=sys.stderr)
        return DAMAGED


def _main() -> int:
    daemon = None if COMPLETION in os.environ else daemon_arguments(sys.argv[1:])
    if daemon is not None:
        return serve(*daemon)
    from turkengine.commands import turkengine

    try:
        turkengine.main(prog_name="turkengine", complete_var=COMPLETION)
    except OSError as error:  # the library itself sees to a reader that has left, but not to a full disk
        if error.filename is not None:  # no fault of the output
            raise
        return _unwritten(error)


def _unwritten(error: OSError) -> int:
    """Tell that the output could not be written, and leave nothing of it to be tried again at the end."""
    from contextlib import suppress

    with suppress(OSError):  # standard error may be the same full disk, and then nobody can be informed
        print(f"turkengine: cannot write the output: {error.strerror or error}", file=sys.stderr, flush=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    return 1


def daemon_arguments(arguments: Sequence[str]) -> tuple[str | None, list[str], Path | None] | None:
    """Dialect, settings and settings file, where `arguments` are just that; None where they are anything else."""
    dialect, settings, file = None, [], None
    words = list(arguments)
    if words and words[0] in DIALECTS:
        dialect = words.pop(0)
    while words:
        name, equals, value = words.pop(0).partition("=")
        if not equals:
            if not words:
                return None
            value = words.pop(0)
        if name == "--set":
            settings.append(value)
        elif name == "--config":
            file = Path(value)
        else:
            return None
    return dialect, settings, file


def serve(dialect: str | None, settings: Sequence[str], file: Path | None) -> int:
    """Be an engine on standard input and output until `quit` or its end; the exit status.

    Args:
        dialect: "hub", "uci", or None to take it from the first line.
        settings: options preset as name=value; what is wrong with one is reported over the protocol.
        file: settings in place of the user's own turkengine.toml.
    """
    gc.disable()  # looking for garbage among what is imported took a fifth of the start; the daemon enables it again
    from turkengine.daemon import stdio
    from turkengine.engine.settings import load_options

    if dialect is None and sys.stdin is not None and sys.stdin.isatty():  # None: closed at the start
        print("This is a draughts engine for GUIs: type hub or uci, quit to leave, or see --help.", file=sys.stderr)
    options, complaints = load_options(list(settings), file)
    return stdio.run(dialect, options, complaints)
