"""Any messages at any moments, with an engine that answers when it likes, in both roles.

Whatever comes: no exception, one search at a time, every game that begins ends once and with a reason, no answer is
played in a position that it was not found for, and the session never waits without an end for an opponent that owes
it something.
"""

from __future__ import annotations

import math

from engine.fakes import Kernel
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from turkengine.engine.report import Answer
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.wire.actions import NewGame, Quit, StartSearch, StopSearch
from turkengine.wire.dxp import frames
from turkengine.wire.dxp.actions import DxpAction, GameOver, HangUp, Send, Tell
from turkengine.wire.dxp.codec import decode, encode
from turkengine.wire.dxp.session import DxpSession, DxpState
from turkengine.wire.dxp.terms import DxpSettings

REQUESTS = [
    f"R01{'Ann':32}{colour}{minutes}{moves}{setup}".encode()
    for colour in "WZ"
    for minutes, moves in (("005", "075"), ("000", "002"), (" .5", "000"))
    for setup in ("A", "BZ" + "e" * 19 + "z" + "e" * 29 + "W", "BW" + "e" * 22 + "zeeeew" + "e" * 22, "BWe")
]
MESSAGES = st.one_of(
    st.sampled_from(REQUESTS),
    st.sampled_from([f"A{'Bob':32}{code}".encode() for code in "00001234"]),
    st.sampled_from([b"E00", b"E10", b"E20", b"E30", b"E01", b"E5", b"", b"x", b"K0", b"K1", b"Chello", None]),
    st.sampled_from([b"M0000322800", b"M0000192300", b"M000028190123", b"M0000172500", b"M9999000000", b"M00"]),
    st.builds("B{:03}{}".format, st.integers(0, 5), st.sampled_from("WZ")).map(str.encode),
    st.binary(max_size=12),
)


class Games(RuleBasedStateMachine):
    """An opponent, a session, an engine and a clock."""

    @initialize(
        initiate=st.booleans(),
        games=st.none() | st.integers(1, 4),
        stays=st.booleans(),
        turkish=st.booleans(),
    )
    def begin(self, initiate: bool, games: int | None, stays: bool, turkish: bool) -> None:
        variant = TURKISH if turkish else INTERNATIONAL
        wanted = DxpSettings(variant, "us", initiate=initiate, games=games, stays=stays, patience=10.0)
        self.session = DxpSession(wanted, Kernel)
        self.now = 0.0
        self.connected = self.over = self.stopped = False
        self.search: StartSearch | None = None
        self.on = False  # a game

    def carry_out(self, actions: list[DxpAction]) -> None:
        for action in actions:
            assert not self.over, "nothing comes after the end"
            match action:
                case Send(data):
                    assert self.connected, "nothing is sent without a connection"
                    frame = decode(data[:-1])
                    assert encode(frame) == data
                    if isinstance(frame, frames.GameRequest) or (
                        isinstance(frame, frames.GameAccept) and frame.code is frames.Acceptance.ACCEPTED
                    ):
                        assert not self.on, "one game at a time"
                        self.on = True
                case StartSearch():
                    assert self.search is None, "one search at a time"
                    assert self.on
                    assert action.position.outcome() is None
                    self.search, self.stopped = action, False
                case StopSearch():
                    assert self.search is not None
                    assert not self.stopped, "once is enough"
                    self.stopped = True
                case NewGame():
                    assert self.search is None
                case GameOver(record):
                    assert self.on, "every game ends once"
                    assert record.reason
                    assert str(record).isprintable()
                    assert record.pdn("2026.11.30").isascii()
                    self.on = False
                case Tell(line):
                    assert line.isprintable()
                case HangUp():
                    assert self.connected
                    self.connected = False
                case Quit():
                    assert not self.on
                    self.over, self.connected = True, False

    @precondition(lambda self: not self.connected and not self.over)
    @rule()
    def connect(self) -> None:
        self.connected = True
        self.carry_out(self.session.connected(self.now))

    @precondition(lambda self: self.connected)
    @rule(data=MESSAGES)
    def say(self, data: bytes | None) -> None:
        self.carry_out(self.session.receive(data, self.now))

    @precondition(lambda self: self.connected and self.session.state in (DxpState.IDLE, DxpState.ASKED))
    @rule(request=st.sampled_from([text for text in REQUESTS if text[42:43] == b"A"]))
    def agree(self, request: bytes) -> None:
        asked = self.session.state is DxpState.ASKED
        accepted = encode(frames.GameAccept("Bob", frames.Acceptance.ACCEPTED))[:-1]
        self.carry_out(self.session.receive(accepted if asked else request, self.now))
        assert self.session.state is not DxpState.IDLE, "a good request is accepted"

    @precondition(lambda self: self.connected and self.search is not None and self.session.busy)
    @rule(message=st.sampled_from([b"E00", b"B001W", b"B001Z", b"B002W"]))
    def disturb_a_search(self, message: bytes) -> None:
        self.carry_out(self.session.receive(message, self.now))

    @precondition(lambda self: self.connected)
    @rule(data=st.data())
    def move_as_it_should(self, data: st.DataObject) -> None:
        game = self.session._game
        if (
            self.session.state is DxpState.PLAYING
            and game is not None
            and not game.our_turn
            and game.position.legal_moves()
        ):
            move = data.draw(st.sampled_from(game.position.legal_moves()))
            captured = tuple(square + 1 for square in move.captured)
            message = encode(frames.MoveFrame(1, move.origin + 1, move.target + 1, captured))
            self.carry_out(self.session.receive(message[:-1], self.now))

    @precondition(lambda self: self.connected)
    @rule(really=st.integers(0, 3))
    def leave(self, really: int) -> None:
        if really:
            return
        self.connected = False
        self.carry_out(self.session.disconnected("has gone", self.now))

    @precondition(lambda self: self.search is not None)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        assert self.search is not None
        position = self.search.position
        move = data.draw(st.sampled_from(position.legal_moves()))
        self.search = None
        game = self.session._game
        if self.session.state is DxpState.PLAYING and game is not None and not self.stopped:
            assert game.position.cells == position.cells, "the answer fits the question"
        before = self.session._game.plies if self.session._game is not None else 0
        self.carry_out(self.session.answer(Answer(move, None), self.now))
        assert not self.stopped or self.session._game is None or self.session._game.plies == before

    @rule(seconds=st.sampled_from([0.1, 1.0, 3.0, 11.0, 400.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        if not self.over:
            self.carry_out(self.session.timeout(self.now))

    @precondition(lambda self: not self.over)
    @rule(really=st.integers(0, 15))
    def interrupt(self, really: int) -> None:
        if not really:
            self.carry_out(self.session.interrupt())
            assert self.over

    @invariant()
    def nobody_is_waited_for_without_an_end(self) -> None:
        if not hasattr(self, "session"):
            return
        owes = self.session.state in (DxpState.ASKED, DxpState.ENDING) or (
            self.session.state is DxpState.PLAYING
            and self.session._game is not None
            and not self.session._game.our_turn
        )
        assert not owes or self.session.deadline < math.inf
        thinks = self.session.state is DxpState.PLAYING and not owes
        assert not thinks or self.search is not None, "it is our turn and nobody thinks"


TestGames = Games.TestCase
TestGames.settings = settings(
    max_examples=200, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
