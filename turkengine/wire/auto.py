"""Which dialect is spoken, decided by the first line that makes sense in one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from turkengine.engine.kernel_types import Kernel
from turkengine.engine.options import Options
from turkengine.engine.perft import Count
from turkengine.engine.report import Answer, Report
from turkengine.rules.move import Move
from turkengine.rules.variant import Variant
from turkengine.wire.actions import Action, Quit
from turkengine.wire.hub import HubSession
from turkengine.wire.session import Session
from turkengine.wire.uci import UciSession

DIALECTS: Mapping[str, type[Session]] = {"hub": HubSession, "uci": UciSession}


class DetectingSession:
    """A conversation whose dialect is not known yet; from the first line understood on it is one of `DIALECTS`.

    A word that both dialects have (`go`, `stop`) is taken for the UCI-like one, since Hub always begins with `hub`.
    """

    def __init__(
        self,
        options: Options,
        load: Callable[[Variant], Kernel],
        complaints: Iterable[str] = (),
        most: Mapping[str, int] | None = None,
    ) -> None:
        """The arguments are those of the session that it will be."""
        self._candidates = [kind(options, load, complaints, most) for kind in (UciSession, HubSession)]
        self._session: Session | None = None

    @property
    def options(self) -> Options:
        """The options in force."""
        return (self._session or self._candidates[0]).options

    def receive(self, line: str) -> list[Action]:
        """A line has come; as long as none is understood there is nothing to do."""
        if self._session is None and line.split() == ["help"]:  # a person asks, who has not chosen either
            return self._candidates[0].receive(line)
        if self._session is None:
            word = line.split(None, 1)[:1]
            self._session = next((each for each in self._candidates if word and word[0] in each.commands()), None)
        return self._session.receive(line) if self._session else []

    def report(self, report: Report) -> list[Action]:
        """The search has found something."""
        return self._session.report(report) if self._session else []

    def current_move(self, move: Move, number: int) -> list[Action]:
        """The search is at this move of the root."""
        return self._session.current_move(move, number) if self._session else []

    def answer(self, answer: Answer) -> list[Action]:
        """The search has ended."""
        return self._session.answer(answer) if self._session else []

    def counted(self, count: Count | None) -> list[Action]:
        """A count has ended."""
        return self._session.counted(count) if self._session else []

    def finished(self, lines: Sequence[str]) -> list[Action]:
        """A job has ended."""
        return self._session.finished(lines) if self._session else []

    def overdue(self) -> list[Action]:
        """A count takes too long for who wants the end."""
        return self._session.overdue() if self._session else []

    def settled(self) -> list[Action]:
        """The table is ready."""
        return self._session.settled() if self._session else []

    def resume(self) -> list[Action]:
        """Obey what has waited."""
        return self._session.resume() if self._session else []

    def remark(self, message: str) -> list[Action]:
        """Something asked for is in force only in part, or not at all."""
        if self._session:
            return self._session.remark(message)
        for candidate in self._candidates:
            candidate.remark_later(message)
        return []

    def in_force(self, options: Options) -> None:
        """What came of the options asked for."""
        for session in [self._session] if self._session else self._candidates:
            session.in_force(options)

    def end_of_input(self) -> list[Action]:
        """No line comes any more."""
        return self._session.end_of_input() if self._session else [Quit()]
