"""What the line protocols have in common: one conversation as a state machine.

A session is given what happens (a line came, the search reports, the answer is there, the input has ended) and returns
what is to be done about it, in order. It reads no pipe, starts no thread and looks at no clock, so that everything it
promises can be tested by calling it:

* Commands are obeyed in the order in which they came. While a search is on, those that cannot wait (`immediate`) are
  obeyed at once and all others are kept until the answer is out.
* One search at a time, and one answer for each; a `stop` ends the search it arrived in and is never saved for another.
* A command is obeyed as a whole, or it leads to one line that says what is wrong and changes nothing. Those that say
  what ends a search are the exception: what can be used of them is used, and the rest is named.
* What is not understood takes no room in the queue: it is ignored, or named at once where the dialect does that.
* Only the word that says so waits until a large table is ready, and that for no longer than until the next search.
* What has waited is obeyed one by one, each when all that came of the one before it is done (`Resume`).
* Before an answer the last exact report has been sent. Of a search for a move in time reports are held back that come
  too soon after the one before.

    IDLE --start--> SEARCHING --answer--> IDLE          any --quit, or the end of input with nothing left--> CLOSED
    IDLE --count--> COUNTING --result--> IDLE
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import ClassVar

from turkengine.engine.kernel_types import Kernel, KernelPosition
from turkengine.engine.limits import Limits
from turkengine.engine.options import Option, Options, find_option
from turkengine.engine.perft import Count
from turkengine.engine.report import Answer, Bound, Report
from turkengine.errors import MoveError, unforeseen
from turkengine.notation import moves
from turkengine.notation.squares import Naming
from turkengine.rules.move import Move
from turkengine.rules.variant import Variant
from turkengine.wire.actions import (
    Action,
    ClearTable,
    Configure,
    Finish,
    PonderHit,
    Quit,
    Reply,
    Resume,
    Settle,
    StartBench,
    StartPerft,
    StartSearch,
    StopSearch,
)
from turkengine.wire.backlog import Backlog
from turkengine.wire.words import CommandError

AUTHOR = "the turkengine authors"

PACE = 0.01  # s between reports of a timed search: more than that nobody can follow, and each takes time from it


class State(Enum):
    """What a session is doing."""

    IDLE = "idle"
    SEARCHING = "searching"
    COUNTING = "counting"
    CLOSED = "closed"


class Session(ABC):
    """One conversation with one client, in the dialect of the subclass."""

    immediate: ClassVar[frozenset[str]]
    gathers_options: ClassVar[bool] = False  # whether options set in the beginning come into force together

    def __init__(
        self,
        options: Options,
        load: Callable[[Variant], Kernel],
        complaints: Iterable[str] = (),
        most: Mapping[str, int] | None = None,
    ) -> None:
        """Begin a conversation in which nothing has been said.

        Args:
            options: those asked for so far; the other side may change them.
            load: gives the kernel of a variant, whose positions are used.
            complaints: lines about what went wrong before; the other side gets them with the first reply.
            most: the maximum on this machine of each option that has one of the kind.
        """
        self.options = options
        self._asked = options
        self._most = most or {}
        self.state = State.IDLE
        self._load = load
        self._complaints = list(complaints)
        self._position: KernelPosition | None = None
        self._waiting = Backlog()
        self._in_force = False
        self._ending = False
        self._stopping = False
        self._pondering = False
        self._reported = False
        self._report_from = 0.0  # s of search from which the next report is sent
        self._pace = 0.0  # s
        self._held: Report | None = None
        self._owed: list[Reply] = []  # as soon as the table is ready
        self._commands = self.commands()

    # What a dialect is made of.

    @abstractmethod
    def commands(self) -> Mapping[str, Callable[[str], list[Action]]]:
        """What obeys each command, given the text after its name."""

    @abstractmethod
    def complaint(self, message: str) -> Reply:
        """How the dialect says that something is wrong, or not as it was asked for."""

    @abstractmethod
    def report_line(self, report: Report) -> str | None:
        """How the dialect says what the search has found; None where it cannot."""

    @abstractmethod
    def answer_line(self, move: Move | None, ponder: Move | None) -> str:
        """How the dialect says the answer; both moves are legal, the second one after the first."""

    def unknown(self, word: str) -> list[Action]:
        """A line has begun with a word that is not a command."""
        return []

    def search_ended(self) -> None:
        """What is over with a search, beside the search itself."""
        return

    @abstractmethod
    def lost_line(self) -> str:
        """How the dialect says that the side to move has no move and has lost."""

    # What happens.

    def receive(self, line: str) -> list[Action]:
        """The other side has written a line."""
        words = line.split(None, 1)
        if not words or self._ending or self.state is State.CLOSED:
            return []
        if words[0] not in self._commands:
            return self.unknown(words[0])
        if self.state is State.IDLE or words[0] in self.immediate:
            return self._obey(line)
        if self._waiting.add(line):
            return []
        return [self.complaint(f"{words[0]}: too many commands wait; this one and all after it are dropped")]

    def report(self, report: Report) -> list[Action]:
        """The search has found something."""
        if self.state is not State.SEARCHING:
            return []
        exact = report.bound is Bound.EXACT
        if self._pace and report.time < self._report_from:
            self._held = report if exact else self._held
            return []
        if exact:
            self._held = None
        self._report_from = report.time + self._pace
        return self._release() + self._tell(report)

    def current_move(self, move: Move, number: int) -> list[Action]:
        """A search that has been on for a while is at this move of the root, the first one having number 1."""
        return []

    def answer(self, answer: Answer) -> list[Action]:
        """The search has ended."""
        if self.state is not State.SEARCHING:
            return []
        actions = self._release()
        if answer.move is None and not self._reported:
            actions.append(Reply(self.lost_line()))
        ponder = answer.ponder
        if answer.move is None or (ponder and ponder not in self.position.play(answer.move).legal_moves()):
            ponder = None
        actions.append(Reply(self.answer_line(answer.move, ponder), apart=True))
        self.search_ended()
        return actions + self._go_on()

    def counted(self, count: Count | None) -> list[Action]:
        """The count asked for by `StartPerft` has ended, with None where it was stopped."""
        return self.finished(() if count is None else self.count_lines(count))

    def finished(self, lines: Sequence[str]) -> list[Action]:
        """A job that was asked for has ended with these lines to show."""
        if self.state is not State.COUNTING:
            return []
        return [Reply(line) for line in lines] + self._go_on()

    def overdue(self) -> list[Action]:
        """A count has not come to its end in the time that `Finish` gives it."""
        if self.state is not State.COUNTING:
            return []
        return [
            self.complaint("quit: the count is not finished; the end of the input would wait for it"),
            *self._close(),
        ]

    def settled(self) -> list[Action]:
        """The table is ready, as `Settle` has asked to know."""
        ready, self._owed = self._owed, []
        return list(ready)

    def resume(self) -> list[Action]:
        """Obey the first command that has waited, and ask for the next; `Resume` calls for it."""
        if self.state is not State.IDLE or not self._waiting:
            return []
        return self._obey(self._waiting.take()) + (self._go_on() if self.state is State.IDLE else [])

    def remark(self, message: str) -> list[Action]:
        """Something asked for is in force only in part, or not at all."""
        return [self.complaint(message)]

    def remark_later(self, message: str) -> None:
        """The same, to be said with the first reply."""
        self._complaints.append(message)

    def in_force(self, options: Options) -> None:
        """What came of the options asked for: sizes as they could be had, no log where the file cannot be written."""
        self.options = options
        self._asked = replace(self._asked, log_file=options.log_file)  # that one is not tried again; sizes are settled

    def end_of_input(self) -> list[Action]:
        """No line comes any more: what was asked for is still answered, a search at once, a count when it is done."""
        if self.state is State.CLOSED or self._ending:
            return []
        self._ending = True
        if self.state is State.IDLE and not self._waiting:
            return self._close()
        return self._stop("") if self.state is State.SEARCHING else []

    # What the dialects build on.

    @property
    def position(self) -> KernelPosition:
        """The position set, the start of a game where none has been."""
        if self._position is None:
            self._position = self._load(self.options.variant).Position.start()
        return self._position

    @property
    def naming(self) -> Naming:
        """How squares are written in moves."""
        return Naming(self.options.square_names)

    def variation(self, line: Sequence[Move], write: Callable[[KernelPosition, Move, Naming], str]) -> list[str]:
        """The moves of a line from the position set, each written where it is played."""
        position, texts = self.position, []
        for move in line:
            if move not in position.legal_moves():
                break  # a line may be cut short, but never holds a move that cannot be played
            texts.append(write(position, move, self.naming))
            position = position.play(move)
        return texts

    def count_lines(self, count: Count) -> list[str]:
        """How a finished count is shown; the total is the last number."""
        return [f"Nodes searched: {count.leaves}"]

    def _set_position(self, position: KernelPosition, texts: Sequence[str]) -> None:
        """Set `position` and play the moves given as text; all of it or nothing.

        Raises:
            CommandError: names the first move that cannot be played by its ply, counted from 1, and says why.
        """
        for ply, text in enumerate(texts, start=1):
            try:
                move = moves.read(position, text)
            except MoveError as error:
                raise CommandError(f"move {ply}: {error}") from None
            position = position.play(move)
        self._position = position

    def _maximum(self, option: Option) -> int:
        """The largest value that is declared, never less than the one in force."""
        return max(
            int(self.options.text(option.name)), min(option.maximum, self._most.get(option.name, option.maximum))
        )

    def _set_option(self, name: str, text: str) -> list[Action]:
        """Set an option; one that does not exist is ignored, a button is pressed.

        The value in force means no change, even where another was asked for: GUIs send back all that they were shown.
        """
        option = find_option(name)
        if option is None:
            return []
        if option.kind == "button":
            return [ClearTable()]
        options = self.options.with_text(option.name, text)
        if options == self.options:
            return []
        if options.variant is not self.options.variant:
            self._position = None
        self.options, self._asked = options, self._asked.with_text(option.name, text)
        if self.gathers_options and not self._in_force:
            return []
        self._in_force = True
        return [Configure(self._asked)]

    def _come_into_force(self) -> list[Action]:
        """Put the options in force that the conversation began with, and those gathered since; once."""
        if self._in_force:
            return []
        self._in_force = True
        return [Configure(self._asked)]

    def _tell(self, report: Report) -> list[Action]:
        line = self.report_line(report)
        if line is None:
            return []
        self._reported = True
        return [Reply(line)]

    def _release(self) -> list[Action]:
        """Tell the report that has been held back, where a later one has not made it worthless."""
        report, self._held = self._held, None
        return self._tell(report) if report is not None else []

    def _when_settled(self, reply: Reply) -> list[Action]:
        """Have options in force and the table ready, and then say so."""
        self._owed.append(reply)
        return [*self._come_into_force(), Settle()]

    def _start(self, limits: Limits) -> list[Action]:
        """Search the position set; at the end of the input the search is stopped as soon as it has begun."""
        start = [*self._come_into_force(), *self.settled(), StartSearch(self.position, limits)]
        waited_for = limits.infinite or limits.ponder or limits.analysis or self.options.multi_pv > 1
        self._pace = self._report_from = PACE if limits.timed and not waited_for else 0.0
        self.state = State.SEARCHING
        self._pondering, self._stopping, self._reported = limits.ponder, False, False
        return [*start, *(self._stop("") if self._ending else [])]

    def _count(self, job: StartPerft | StartBench) -> list[Action]:
        start = [*self._come_into_force(), *self.settled(), job]
        self.state = State.COUNTING
        return start

    def _stop(self, _: str) -> list[Action]:
        if self.state not in (State.SEARCHING, State.COUNTING) or self._stopping:
            return []
        self._stopping = True
        return [StopSearch()]

    def _ponder_hit(self, _: str) -> list[Action]:
        if self.state is not State.SEARCHING or not self._pondering:
            return []
        self._pondering = False
        return [PonderHit()]

    def _quit(self, _: str) -> list[Action]:
        """End at once, but let a count come to its end if it is a short one: scripts send it with `quit` after it."""
        dropped: list[Action] = []
        if self.state is State.COUNTING and self._waiting:
            names = ", ".join(self._waiting.commands())
            dropped = [self.complaint(f"quit: what waits is dropped ({names}); the end of the input would wait for it")]
        self._waiting.clear()
        if self.state is not State.COUNTING:
            return self._close()
        self._ending = True
        return [*dropped, Finish()]

    # How it works.

    def _close(self) -> list[Action]:
        self.state = State.CLOSED
        return [*self.settled(), Quit()]

    def _obey(self, line: str) -> list[Action]:
        name, text = (*line.split(None, 1), "")[:2]
        actions: list[Action] = [self.complaint(complaint) for complaint in self._complaints]
        self._complaints.clear()
        try:
            return actions + self._commands[name](text.rstrip())
        except Exception as error:  # whatever it is, the conversation goes on
            return [*actions, self.complaint(f"{name}: {unforeseen(error)}")]

    def _go_on(self) -> list[Action]:
        """Nothing is under way: go on with what has waited, or come to the end where no more can come."""
        self.state = State.IDLE
        self._stopping = False
        if self._waiting:
            return [Resume()]
        self._waiting.clear()
        return self._close() if self._ending else []
