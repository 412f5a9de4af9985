"""Talking to a session without a process: what it wants written, and what it wants done."""

from __future__ import annotations

from engine.fakes import Kernel

from turkengine.engine.options import Options
from turkengine.engine.perft import Count
from turkengine.engine.report import Answer, Bound, Report
from turkengine.engine.score import Score
from turkengine.notation import moves
from turkengine.wire.actions import Action, Reply, Resume, Settle, StartSearch, StopSearch
from turkengine.wire.session import Session


class Talk:
    """A session with an engine that does only what the test says."""

    def __init__(self, kind: type[Session], **options: object) -> None:
        self.session = kind(Options(**options), Kernel)  # type: ignore[arg-type]
        self.actions: list[Action] = []
        self.lines: list[str] = []
        self.settles = True  # at once, whenever that is asked for

    def say(self, *lines: str) -> list[str]:
        """Send lines; what is written in answer to them."""
        return self._take([action for line in lines for action in self.session.receive(line)])

    def report(
        self, *line: str, score: int = 0, bound: Bound = Bound.EXACT, rank: int = 1, time: float = 0.5
    ) -> list[str]:
        """The search finds a line."""
        position, found = self.searched.position, []
        for text in line:
            found.append(moves.read(position, text))
            position = position.play(found[-1])
        report = Report(5, 7, 6.25, rank, Score(score), bound, 1234, time, 3, 0, tuple(found))
        return self._take(self.session.report(report))

    def answer(self, move: str | None = None, ponder: str | None = None) -> list[str]:
        """The search ends; without a move given, with the first legal one."""
        position = self.searched.position
        legal = position.legal_moves()
        best = moves.read(position, move) if move else legal[0] if legal else None
        reply = moves.read(position.play(best), ponder) if best and ponder else None
        return self._take(self.session.answer(Answer(best, reply)))

    def counted(self, count: Count | None) -> list[str]:
        """The count ends."""
        return self._take(self.session.counted(count))

    def end(self) -> list[str]:
        """The input ends."""
        return self._take(self.session.end_of_input())

    @property
    def searched(self) -> StartSearch:
        """The last search asked for."""
        return [action for action in self.actions if isinstance(action, StartSearch)][-1]

    @property
    def stops(self) -> int:
        """How often the search was to be stopped."""
        return sum(isinstance(action, StopSearch) for action in self.actions)

    @property
    def searches(self) -> int:
        """How many searches were asked for."""
        return sum(isinstance(action, StartSearch) for action in self.actions)

    def _take(self, actions: list[Action]) -> list[str]:
        lines = []
        while actions:
            self.actions += [action for action in actions if action != Resume()]
            lines += [action.line for action in actions if isinstance(action, Reply)]
            resumes, settles = Resume() in actions, Settle() in actions
            actions = self.session.settled() if settles and self.settles else []
            actions += self.session.resume() if resumes else []
        self.lines += lines
        return lines
