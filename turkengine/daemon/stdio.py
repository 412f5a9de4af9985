"""The daemon over pipes: carries lines to a session, and carries out what it returns.

Three threads meet in one queue. The reader takes bytes from standard input and queues lines; the engine's worker queues
reports and answers; the main thread takes one event after another, asks the session, and writes. The reader never
waits for the search and the search for nobody: only a reader far ahead of the main thread is held up, so that no flood
of input can fill the memory.

Plain threads and blocking file descriptors, so that the same code runs on Windows, where pipes cannot be polled. The
end is certain (`ending.py`): a timer follows `quit` and a closed output; and once the input has ended the process
lives only as long as something moves, a line being read by the other side or a count that was asked for.
"""

from __future__ import annotations

import gc
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from turkengine.daemon.exiting import CAN_WATCH, end_after, on_request, watch
from turkengine.daemon.log import Log
from turkengine.daemon.pipes import LineWriter, read_some
from turkengine.engine import machine
from turkengine.engine.core import EngineCore
from turkengine.engine.kernel_types import Kernel, load_kernel
from turkengine.engine.options import Options
from turkengine.engine.perft import Count
from turkengine.engine.report import Answer, Report
from turkengine.errors import OptionError, unforeseen
from turkengine.rules.variant import Variant
from turkengine.wire.actions import (
    Action,
    ClearTable,
    Configure,
    Finish,
    NewGame,
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
from turkengine.wire.auto import DIALECTS, DetectingSession
from turkengine.wire.lines import LineSplitter

STANDARD_INPUT, STANDARD_OUTPUT = 0, 1
READ_AHEAD = 1 << 24  # bytes that lines waiting to be handled may take
LINE_COST = 400  # bytes that a line takes beside its text
LONGEST_GOODBYE = 0.4  # s from `quit` or a closed output to the end of the process
LAST_MOMENT = 0.3  # s of these that a count has
LONGEST_BLIND_COUNT = 60.0  # s of a count after the end of the input where nobody can see whether the client lives
LOOK = 0.02  # s between two looks, after the end of the input, at whether something moves
MOST_LOOKS = 10  # in a row that see nothing; looks, since a busy machine may keep the whole process from moving
PATIENCE = 3.0  # s of search before the move at the root is shown
TICK = 1.0  # s between two showings of it

Event = Callable[[], list[Action]]


def run(
    dialect: str | None,
    options: Options,
    complaints: list[str],
    load: Callable[[Variant], Kernel] = load_kernel,
) -> int:
    """Serve the client on standard input and output until it has had enough.

    Args:
        dialect: a name in `DIALECTS`, or None to take it from the first line understood.
        options: the options to begin with.
        complaints: what went wrong before; the client reads it with the first reply.
        load: gives the kernel of a variant.

    Returns:
        The exit status, always 0: no client can do anything wrong that would count as our failure.
    """
    return LineDaemon(dialect, options, complaints, load).run()


class LineDaemon:
    """One client, one session, one engine."""

    def __init__(
        self,
        dialect: str | None,
        options: Options,
        complaints: Iterable[str],
        load: Callable[[Variant], Kernel],
    ) -> None:
        """Nothing runs yet. The arguments are those of `run`."""
        self._engine = EngineCore(options, load, self._failed)
        self._log = Log()
        refused = self._open_log(options.log_file)
        kind = DIALECTS[dialect] if dialect else DetectingSession
        self._session = kind(options, load, [*complaints, *refused], machine.most())
        self._session.in_force(self._in_force())
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._room = threading.Condition()  # guards the next one
        self._ahead = 0
        self._writer = LineWriter(STANDARD_OUTPUT)
        self._line_came: float | None = None
        self._next_tick = float("inf")
        self._resumes = False
        self._over = False
        self._counting = False
        self._timed = False  # time ends the search under way
        self._due = False  # and its move waits after its lines
        self._waits = False  # for the next event
        self._steps = 0  # of the main thread: events taken and lines written

    def run(self) -> int:
        """Handle events until the session quits or nobody reads us any more; Ctrl-C and SIGTERM end the input."""
        on_request(self._asked_to_end)
        gc.freeze()  # what has been imported is never garbage, and need not be looked through in a game
        gc.enable()  # it rests until then
        try:
            threading.Thread(target=self._read, name="turkengine reader", daemon=True).start()
            threading.Thread(target=self._engine.warm_up, name="turkengine warm-up", daemon=True).start()
            watch({STANDARD_INPUT: self._see_to_the_end, STANDARD_OUTPUT: self._output_closed})
        except RuntimeError as error:
            print(f"turkengine: {unforeseen(error)}", file=sys.stderr, flush=True)
            os._exit(1)  # some thread may have begun, and would wait for the others
        while not self._over and not self._writer.closed:
            self._handle_next()
        end_after(LONGEST_GOODBYE)
        self._engine.close()
        return 0

    def _read(self) -> None:
        """The reader thread. It sees the end coming even where the main thread is stuck in a pipe that nobody reads."""
        splitter = LineSplitter()
        while data := read_some(STANDARD_INPUT):
            self._queue_lines(splitter.feed(data))
        self._see_to_the_end()
        self._queue_lines(splitter.end())
        self._events.put(self._session.end_of_input)

    def _see_to_the_end(self) -> None:
        """Nobody can write to us any more, though much may be left to be read; called once or twice."""
        with suppress(RuntimeError):  # where there is no memory for a thread, the last line read has to be enough
            threading.Thread(target=self._end_when_nothing_moves, name="turkengine end", daemon=True).start()

    def _end_when_nothing_moves(self) -> None:
        ended = time.perf_counter()
        looks = seen = 0
        while looks < MOST_LOOKS:
            time.sleep(LOOK)
            may_count = self._counting and (CAN_WATCH or time.perf_counter() - ended < LONGEST_BLIND_COUNT)
            rests = self._writer.busy or (self._waits and not may_count)
            looks = looks + 1 if rests and self._steps == seen else 0
            seen = self._steps
        os._exit(0)

    def _asked_to_end(self) -> None:
        """Soon, and with the answer that is due if it can still be written."""
        end_after(LONGEST_GOODBYE)
        self._events.put(self._session.end_of_input)

    def _output_closed(self) -> None:
        """Nobody reads us any more; the main thread may not write for long, and has to know."""
        self._writer.closed = True
        end_after(LONGEST_GOODBYE)
        self._events.put(list)

    def _queue_lines(self, lines: list[str | None]) -> None:
        came = time.perf_counter()
        for line in lines:
            if line is not None and line.split(None, 1)[:1] == ["quit"]:  # whatever follows the word
                end_after(LONGEST_GOODBYE)
            cost = LINE_COST + len(line or "")
            with self._room:
                self._room.wait_for(lambda: self._ahead < READ_AHEAD)
                self._ahead += cost
            self._events.put(partial(self._receive, line, came, cost))

    def _receive(self, line: str | None, came: float, cost: int) -> list[Action]:
        with self._room:
            self._ahead -= cost
            self._room.notify()
        if line is None:
            return self._session.remark("a line that is too long is ignored")
        self._line_came = came
        return self._note("<", line, came) + self._session.receive(line)

    def _handle_next(self) -> None:
        self._line_came = None
        event = self._next_event()
        if event is not None:
            self._obey_safely(self._tell(event))
        if time.perf_counter() >= self._next_tick:
            self._next_tick = time.perf_counter() + TICK
            current = self._engine.current_move()
            if current is not None:
                self._obey_safely(self._tell(partial(self._session.current_move, *current)))

    def _next_event(self) -> Event | None:
        """What has waited in the session goes before what comes; None where nothing comes for a while."""
        if self._resumes:
            self._resumes = False
            return self._session.resume
        self._waits = True
        try:
            return self._events.get(timeout=TICK)
        except queue.Empty:
            return None
        finally:
            self._waits = False
            self._steps += 1

    def _tell(self, event: Event) -> list[Action]:
        try:
            return event()
        except Exception as error:  # no input may end the process, not even one that nobody has thought of
            return self._session.remark(unforeseen(error))

    def _obey_safely(self, actions: list[Action]) -> None:
        for action in actions:
            try:
                self._obey(action)
            except Exception as error:
                self._obey_safely(self._tell(partial(self._session.remark, unforeseen(error))))
                if isinstance(action, StartSearch):  # it has no other end
                    moves = action.position.legal_moves()
                    self._answered(Answer(moves[0] if moves else None, None))
                elif isinstance(action, StartPerft | StartBench):
                    self._finished([])

    def _obey(self, action: Action) -> None:
        match action:
            case Reply(line, apart):
                self._writer.write(line, apart)
                self._steps += 1
                self._obey_safely(self._note(">", line, time.perf_counter()))
            case Configure(options):
                self._configure(options)
            case StartSearch(position, limits):
                self._next_tick = time.perf_counter() + PATIENCE
                self._timed, self._due = limits.timed, False
                self._engine.start(position, limits, self._reported, self._answered, self._line_came)
            case StartPerft(position, depth):
                self._counting = True
                self._engine.perft(position, depth, self._counted)
            case StartBench():
                self._counting = True
                self._engine.run(_bench_lines, self._finished)
            case StopSearch():
                self._engine.stop()
            case PonderHit():
                self._engine.ponder_hit()
            case NewGame():
                self._engine.new_game()
            case ClearTable():
                self._engine.clear_table()
            case Settle():
                self._settle()
            case Resume():
                self._resumes = True
            case Finish():
                end_after(LONGEST_GOODBYE)
                self._later(LAST_MOMENT, self._session.overdue)
            case Quit():
                self._over = True

    def _configure(self, options: Options) -> None:
        notes = self._engine.configure(options) + self._open_log(options.log_file)
        self._session.in_force(self._in_force())
        for note in notes:
            self._obey_safely(self._session.remark(note))

    def _settle(self) -> None:
        """Let the session know when the table is ready. Another one may have been asked for before this one was."""
        if self._engine.settled:
            self._obey_safely(self._tell(self._session.settled))
        else:
            try:
                threading.Thread(target=self._await_table, name="turkengine ready", daemon=True).start()
            except RuntimeError:  # no memory for one
                self._await_table()

    def _await_table(self) -> None:
        self._engine.settle()
        self._events.put(self._ready)

    def _ready(self) -> list[Action]:
        return self._session.settled() if self._engine.settled else [Settle()]

    def _later(self, seconds: float, event: Event) -> None:
        timer = threading.Timer(seconds, self._events.put, (event,))
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError:  # no memory for one
            self._events.put(event)

    def _in_force(self) -> Options:
        return replace(self._engine.options, log_file=self._log.name)

    def _open_log(self, name: str) -> list[str]:
        """What the client is sent about it."""
        try:
            self._log.open(name)
        except OptionError as error:
            return [str(error)]
        return []

    def _note(self, sign: str, line: str, moment: float) -> list[Action]:
        """Write to the log. A disk that is full ends it, not the game."""
        try:
            self._log.write(sign, line, moment)
        except OptionError as error:
            self._session.in_force(replace(self._session.options, log_file=""))
            return self._session.remark(str(error))
        return []

    def _reported(self, report: Report) -> None:
        self._events.put(partial(self._report, report))

    def _report(self, report: Report) -> list[Action]:
        """The best line always; hundreds of others would make a move late that is due."""
        return [] if self._due and report.rank > 1 else self._session.report(report)

    def _answered(self, answer: Answer) -> None:
        self._next_tick = float("inf")
        self._due = self._timed
        self._events.put(partial(self._session.answer, answer))

    def _counted(self, count: Count | None) -> None:
        self._counting = False
        self._events.put(partial(self._session.counted, count))

    def _finished(self, lines: list[str] | None) -> None:
        self._counting = False
        self._events.put(partial(self._session.finished, lines or []))

    def _failed(self, failure: Exception) -> None:
        self._events.put(partial(self._session.remark, unforeseen(failure)))


def _bench_lines(stopped: Callable[[], bool]) -> list[str]:
    from turkengine.engine import bench  # late: hardly ever asked for, and no start should wait for it

    return list(bench.lines(stopped=stopped))
