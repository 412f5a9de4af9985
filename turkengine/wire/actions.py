"""What a session asks for: the only things that ever leave `wire`.

A session is given lines and events and returns a list of these values; whoever runs it (a loop over pipes, a test)
carries them out in order. Nothing here acts.
"""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options


@dataclass(frozen=True)
class Reply:
    """Write one line.

    Attributes:
        line: the text, without a line end.
        apart: keep it at least 2 ms after the line before. Set for every line of a handshake and for final answers: a
            widely used client polls a buffered pipe and overlooks lines that arrive together with others.
    """

    line: str
    apart: bool = False


@dataclass(frozen=True)
class Configure:
    """Put these options in force. What came of it goes back through `Session.in_force`, and `remark` if it is less."""

    options: Options


@dataclass(frozen=True)
class NewGame:
    """Forget what was learnt in earlier games."""


@dataclass(frozen=True)
class ClearTable:
    """Empty the transposition table."""


@dataclass(frozen=True)
class Settle:
    """Have `Session.settled` called when all that was put in force and forgotten is ready; nothing waits for it."""


@dataclass(frozen=True)
class StartSearch:
    """Search; reports and the one answer come back through `Session.report` and `Session.answer`."""

    position: KernelPosition
    limits: Limits


@dataclass(frozen=True)
class StartPerft:
    """Count move sequences; the result comes back through `Session.counted`."""

    position: KernelPosition
    depth: int


@dataclass(frozen=True)
class StartBench:
    """Run the fixed positions; the lines to print come back through `Session.finished`."""


@dataclass(frozen=True)
class StopSearch:
    """End the search or count under way; its answer comes back in the ordinary way."""


@dataclass(frozen=True)
class PonderHit:
    """The move pondered on was played: start the clock."""


@dataclass(frozen=True)
class Resume:
    """Commands have waited: once everything before this is carried out, `Session.resume` obeys the next one."""


@dataclass(frozen=True)
class Finish:
    """The other side wants the end: it comes with the next `Quit`; `Session.overdue` is called if none comes soon."""


@dataclass(frozen=True)
class Quit:
    """End the process now; a search under way ends without an answer."""


Action = (
    Reply
    | Configure
    | NewGame
    | ClearTable
    | Settle
    | StartSearch
    | StartPerft
    | StartBench
    | StopSearch
    | PonderHit
    | Resume
    | Finish
    | Quit
)
