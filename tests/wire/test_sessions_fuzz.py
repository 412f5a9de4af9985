"""Any lines in any order, in both dialects, with an engine that answers when it likes.

Whatever comes: no exception, one search at a time, at most one answer for each `go`, and never an illegal move.
"""

from __future__ import annotations

import re

from engine.fakes import Kernel
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from turkengine.engine.options import Options
from turkengine.engine.perft import count
from turkengine.engine.report import Answer, Bound, Report
from turkengine.engine.score import Score
from turkengine.notation import moves
from turkengine.wire.actions import (
    Action,
    Configure,
    Finish,
    NewGame,
    PonderHit,
    Quit,
    Reply,
    Resume,
    StartBench,
    StartPerft,
    StartSearch,
    StopSearch,
)
from turkengine.wire.hub import HubSession
from turkengine.wire.session import Session, State
from turkengine.wire.uci import UciSession

MOVES = ["32-28", "19-23", "28x19", "28x19x23", "a3-a4", "h6-h5", "17-25", "4x15", "99-1", "x", "-", "1-1", "32-28-1"]
NUMBERS = ["0", "1", "3", "-5", "1e-05", "nan", "99999999999999999999", "x", "", "2.5"]
WORDS = [
    *MOVES,
    *NUMBERS,
    "think",
    "ponder",
    "analyze",
    "infinite",
    "true",
    '"',
    "=",
    "\u0660",
    "\x1b",
    "name",
    "value",
]

HUB_LINES = st.one_of(
    st.sampled_from(["hub", "init", "ping", "new-game", "pos", "go", "go think", "go ponder", "go analyze", "stop"]),
    st.sampled_from(["ponder-hit", "set-param name=variant value=turkish", "set-param name=variant value=normal"]),
    st.sampled_from(["set-param name=square-names value=numeric", "set-param name=multi-pv value=5", "level infinite"]),
    st.sampled_from(["pos pos=W" + "e" * 30 + "w" + "e" * 19, "pos pos=Wbeeeewe" + "e" * 43]),
    st.lists(st.sampled_from(MOVES), max_size=4).map(lambda texts: f'pos moves="{" ".join(texts)}"'),
    st.builds(
        "level {}={}".format,
        st.sampled_from(["depth", "nodes", "move-time", "time", "inc", "moves", "mood"]),
        st.sampled_from(NUMBERS),
    ),
    st.lists(st.sampled_from(["set-param", "level", "pos", "go", "name=hash", "value=", *WORDS]), max_size=5).map(
        " ".join
    ),
    st.text(max_size=20),
)
UCI_LINES = st.one_of(
    st.sampled_from(
        ["uci", "isready", "ucinewgame", "position startpos", "go", "go infinite", "go ponder", "stop", "d"]
    ),
    st.sampled_from(["ponderhit", "variant turkish", "variant international", "eval", "perft 1", "bench", "debug on"]),
    st.sampled_from(["setoption name Square Names value numeric", "setoption name MultiPV value 5", "go depth 1"]),
    st.sampled_from(
        ["position fen W:W6:B1", "position fen W:WK4:B13,20,32,37", "position fen B:W:BKd4", "position fen"]
    ),
    st.lists(st.sampled_from(MOVES), max_size=4).map(lambda texts: f"position startpos moves {' '.join(texts)}"),
    st.builds(
        "go {} {}".format,
        st.sampled_from(["depth", "nodes", "mate", "movetime", "wtime", "winc", "movestogo", "searchmoves"]),
        st.sampled_from([*NUMBERS, *MOVES]),
    ),
    st.lists(st.sampled_from(["setoption", "position", "go", "moves", "fen", *WORDS]), max_size=5).map(" ".join),
    st.text(max_size=20),
)


class Conversation(RuleBasedStateMachine):
    """A client, a session and an engine that keeps what it is told."""

    kind: type[Session]
    lines: st.SearchStrategy[str]
    answer_word: str

    def __init__(self) -> None:
        super().__init__()
        self.session = self.kind(Options(), Kernel)
        self.search: StartSearch | None = None
        self.job: StartPerft | StartBench | None = None
        self.stopped = False
        self.asked = self.answered = self.ordered = self.lines_sent = 0
        self.over = self.ending = False

    def carry_out(self, actions: list[Action]) -> None:
        for action in actions:
            assert not self.over, "nothing comes after the end"
            match action:
                case StartSearch():
                    assert self.search is None, "one search at a time"
                    assert self.job is None
                    self.search, self.stopped = action, False
                    self.asked += 1
                case StartPerft() | StartBench():
                    assert self.search is None
                    assert self.job is None
                    self.job = action
                case StopSearch():
                    assert self.search or self.job, "a stop is for what is under way"
                    self.stopped = True
                case PonderHit():
                    assert self.search
                    assert self.search.limits.ponder
                case Configure() | NewGame():
                    assert self.search is None, "options rest in a search"
                    assert self.job is None, "and in a count"
                case Reply(line):
                    assert re.fullmatch(r"[^\r\n\x00-\x08]+", line)
                    self.answered += line.split()[0] == self.answer_word
                case Resume():
                    assert action is actions[-1], "what has waited comes when all else is done"
                    self.carry_out(self.session.resume())
                case Finish():
                    self.ending = True
                case Quit():
                    self.over = True

    @rule(data=st.data())
    def a_line_comes(self, data: st.DataObject) -> None:
        line = data.draw(self.lines)
        self.lines_sent += 1
        self.ordered += line == "go" and not self.over and not self.ending
        self.carry_out(self.session.receive(line))

    @rule()
    def go_comes(self) -> None:
        self.ordered += not self.over and not self.ending
        self.carry_out(self.session.receive("go"))

    @rule()
    def stop_comes(self) -> None:
        self.carry_out(self.session.receive("stop"))
        assert self.stopped or self.search is None or self.ending

    @precondition(lambda self: self.search)
    @rule(data=st.data())
    def the_search_reports(self, data: st.DataObject) -> None:
        assert self.search
        position, line = self.search.position, []
        for _ in range(data.draw(st.integers(0, 3))):
            legal = position.legal_moves()
            if not legal:
                break
            line.append(data.draw(st.sampled_from(legal)))
            position = position.play(line[-1])
        score = Score(data.draw(st.integers(-10000, 10000)))
        bound = data.draw(st.sampled_from(Bound))
        self.carry_out(self.session.report(Report(3, 4, 3.5, 1, score, bound, 10, 0.0, 0, 0, tuple(line))))
        if line:
            self.carry_out(self.session.current_move(line[0], 1))

    @precondition(lambda self: self.search)
    @rule(data=st.data())
    def the_search_ends(self, data: st.DataObject) -> None:
        assert self.search
        position = self.search.position
        legal = position.legal_moves()
        best = data.draw(st.sampled_from(legal)) if legal else None
        replies = position.play(best).legal_moves() if best else []
        reply = data.draw(st.sampled_from([None, *replies, *legal]))
        self.search = None
        before = self.answered
        actions = self.session.answer(Answer(best, reply))
        self.carry_out(actions)
        assert self.answered == before + (0 if self.over and not actions else 1)
        written = [action.line for action in actions if isinstance(action, Reply) and action.apart]
        named = re.findall(r"\d\S*[-x]\S+|[a-h]\d[-x]\S+", written[0]) if written else []
        if best is None:
            assert not named
        else:
            assert moves.read(position, named[0].removeprefix("move=")) == best, "what is written reads back"
            assert not named[1:] or moves.read(position.play(best), named[1].removeprefix("ponder="))

    @precondition(lambda self: self.job)
    @rule()
    def the_job_ends(self) -> None:
        job, self.job = self.job, None
        counted = isinstance(job, StartPerft) and job.depth <= 1
        result = count(job.position, job.depth) if isinstance(job, StartPerft) and counted else None
        self.carry_out(self.session.counted(result) if isinstance(job, StartPerft) else self.session.finished(["0"]))

    @rule()
    def an_answer_comes_that_nobody_waits_for(self) -> None:
        if self.search is None:
            self.carry_out(self.session.answer(Answer(None, None)))

    @precondition(lambda self: not self.over and self.lines_sent > 8)
    @rule()
    def the_input_ends(self) -> None:
        self.ending = True
        self.carry_out(self.session.end_of_input())
        assert self.over or self.search or self.job

    @invariant()
    def no_more_answers_than_orders(self) -> None:
        assert self.answered <= self.asked
        assert self.answered >= self.asked - (self.search is not None)

    def teardown(self) -> None:
        """In the end every plain `go` has had its search, in whatever order things came."""
        while self.search or self.job:
            if self.search:
                legal = self.search.position.legal_moves()
                self.search = None
                self.carry_out(self.session.answer(Answer(legal[0] if legal else None, None)))
            else:
                self.the_job_ends()
        assert self.asked == self.answered or self.session.state is State.CLOSED
        assert self.asked >= self.ordered


class HubConversation(Conversation):
    kind, lines, answer_word = HubSession, HUB_LINES, "done"


class UciConversation(Conversation):
    kind, lines, answer_word = UciSession, UCI_LINES, "bestmove"


SETTINGS = settings(max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck))
TestHub = HubConversation.TestCase
TestHub.settings = SETTINGS
TestUci = UciConversation.TestCase
TestUci.settings = SETTINGS
