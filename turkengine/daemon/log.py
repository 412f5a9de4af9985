"""The log of a conversation: a file that shows who said what when, and that can never hold up or end the game."""

from __future__ import annotations

import os
import stat
from io import FileIO

from turkengine.errors import OptionError, shown

NONBLOCKING = getattr(os, "O_NONBLOCK", 0)  # Windows has none, and no pipe there that waits for the other side
STANDARD_STREAMS = (0, 1)


class Log:
    """A file that every line in (`<`) and out (`>`) goes to, after its moment in seconds of the monotonic clock."""

    def __init__(self) -> None:
        """Without a file yet; nothing is written until `open` names one."""
        self.name = ""  # as it was given, empty where there is no log
        self._file: FileIO | None = None

    def open(self, name: str) -> None:
        """Go on in this file; an empty name ends the log. `{pid}` in it is the process number, `~` the home folder.

        Raises:
            OptionError: the file cannot be written; everything stays as it was.
        """
        if name == self.name:
            return
        file = None
        if name:
            try:
                file = FileIO(os.path.expanduser(name).replace("{pid}", str(os.getpid())), "a", opener=_open_regular)
            except (OSError, ValueError) as error:
                reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
                raise OptionError(f"option log-file: {shown(name)} cannot be written, {reason}") from None
        self._close()
        self.name, self._file = name, file

    def write(self, sign: str, line: str, moment: float) -> None:
        """Note a line.

        Raises:
            OptionError: the file cannot be written any more; that is the end of the log.
        """
        if self._file is None:
            return
        data = f"{moment:.6f} {sign} {line}\n".encode("utf-8", "backslashreplace")
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            name = self.name
            self._close()
            raise OptionError(f"option log-file: {shown(name)} ends here, {error.strerror or error}") from None

    def _close(self) -> None:
        file, self._file, self.name = self._file, None, ""
        if file is not None:
            file.close()


def _open_regular(path: str, flags: int) -> int:
    """A file that takes what is written at once: no pipe without a reader, no device, not what we are speaking through.

    Raises:
        OSError: it is something else, or cannot be opened.
    """
    descriptor = os.open(path, flags | NONBLOCKING, 0o666)
    status = os.fstat(descriptor)
    ours = any(os.path.samestat(status, other) for other in map(_status, STANDARD_STREAMS) if other is not None)
    if stat.S_ISREG(status.st_mode) and not ours:
        return descriptor
    os.close(descriptor)
    raise OSError(0, "the conversation itself goes through it" if ours else "it is not a regular file")


def _status(descriptor: int) -> os.stat_result | None:
    try:
        return os.fstat(descriptor)
    except OSError:  # closed from the start
        return None
