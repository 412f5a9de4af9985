"""Asking a program over DXP for moves, message by message."""

from __future__ import annotations

import pytest
from engine.fakes import Kernel
from hypothesis import given
from hypothesis import strategies as st
from wire.dxp.test_codec import MALFORMED

from turkengine.engine.limits import GameClock, Limits
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.notation import fen, moves
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant
from turkengine.wire.dxp.actions import Send
from turkengine.wire.dxp.client import (
    Accepted,
    Broken,
    DxpClientSession,
    DxpClientState,
    Moved,
    Over,
    Refused,
    TakenBack,
    minutes_for,
)
from turkengine.wire.dxp.frames import EndReason

START = Position.start(INTERNATIONAL)
ACCEPTED = f"A{'Ann':32}0".encode()


def session(variant: Variant = INTERNATIONAL) -> DxpClientSession:
    return DxpClientSession(variant, Kernel, "us")


def playing(position: Position = START) -> DxpClientSession:
    """A game in which the other side is to move in this position."""
    begun = session(position.variant)
    begun.request(position, Limits())
    assert begun.receive(ACCEPTED) == [Accepted()]
    begun.play(position, 0.0)
    return begun


def text(messages: list[Send]) -> list[str]:
    return [message.data.decode("ascii").removesuffix("\0") for message in messages]


class TestRequest:
    def test_gives_the_first_move_to_the_other_side_where_the_game_has_not_begun(self) -> None:
        assert text(session().request(START, Limits(clock=GameClock(60)))) == [f"R01{'us':32}W001000A"]

    def test_plays_the_move_that_has_been_made(self) -> None:
        begun, move = session(), moves.read(START, "32-28")
        assert text(begun.request(START.play(move), Limits())) == [f"R01{'us':32}Z005000A"]
        begun.receive(ACCEPTED)
        assert begun.follows(START.play(move))
        assert text(begun.play(START.play(move), 1.6)) == ["M0002322800"]
        assert begun.state is DxpClientState.THEIRS
        assert begun.opponent == "Ann"

    def test_describes_any_other_start(self) -> None:
        position = fen.read(INTERNATIONAL, "B:W50:B1")
        assert text(session().request(position, Limits())) == [f"R01{'us':32}Z005000BZz{'e' * 48}w"]
        (turkish,) = text(session(TURKISH).request(Position.start(TURKISH), Limits()))
        assert turkish.startswith(f"R01{'us':32}W005000BWeeeeeeeezzzz")

    @pytest.mark.parametrize(
        ("limits", "minutes"),
        [
            (Limits(clock=GameClock(300, 2)), 5),
            (Limits(clock=GameClock(630)), 10),
            (Limits(clock=GameClock(150)), 2.5),
            (Limits(clock=GameClock(90)), 1.5),
            (Limits(clock=GameClock(45)), 0.75),
            (Limits(clock=GameClock(0.1)), 0.01),
            (Limits(clock=GameClock(1e6)), 999),
            (Limits(move_time=4), 5),
            (Limits(depth=4), 5),
        ],
    )
    def test_asks_for_minutes_that_a_message_can_hold(self, limits: Limits, minutes: float) -> None:
        assert minutes_for(limits) == minutes
        assert session().request(START, limits)

    def test_may_be_refused(self) -> None:
        begun = session()
        begun.request(START, Limits())
        (refused,) = begun.receive(f"A{'Ann':32}3".encode())
        assert refused == Refused("it refuses all games")
        assert begun.state is DxpClientState.IDLE


class TestMoves:
    def test_legal_ones_are_events(self) -> None:
        begun = playing()
        assert begun.receive(b"M0003322800") == [Moved(moves.read(START, "32-28"))]
        assert begun.state is DxpClientState.OURS

    def test_out_of_turn_they_break_a_rule(self) -> None:
        begun = playing()
        begun.receive(b"M0003322800")
        assert begun.receive(b"M0003282300") == [Broken("5.4.1: it moves out of turn", "5.4.1")]

    def test_illegal_ones_come_with_their_article(self) -> None:
        (broken,) = playing().receive(b"M000332270128")
        assert isinstance(broken, Broken)
        assert (broken.article, broken.move) == ("5.4.7", "32x27x28")

    def test_squares_that_are_not_there_are_no_move(self) -> None:
        assert playing().receive(b"M0003325100") == [
            Broken("a move cannot be read: there is no square 51; the squares are 1 to 50")
        ]

    def test_without_a_game_they_mean_nothing(self) -> None:
        assert session().receive(b"M0003322800") == []


class TestEnd:
    def test_is_said_and_confirmed(self) -> None:
        begun = playing()
        assert text(begun.end("enough")) == ["Cenough", "E00"]
        assert begun.receive(b"E00") == [Over(EndReason.UNKNOWN, False)]
        assert begun.state is DxpClientState.IDLE
        assert begun.end() == []

    def test_by_the_rules_has_its_reason(self) -> None:
        position = fen.read(INTERNATIONAL, "W:W32,38:B28")
        begun = playing(position)
        begun.receive(b"M000032230128")
        assert text(begun.end()) == ["E10"]

    def test_by_giving_up_is_a_loss(self) -> None:
        assert text(playing().end(given_up=True)) == ["E10"]

    def test_that_the_other_side_says_is_confirmed(self) -> None:
        events = playing().receive(b"E11")
        assert text([event for event in events if isinstance(event, Send)]) == ["E01"]
        assert events[-1] == Over(EndReason.LOST, True)

    def test_of_no_game_counts_only_where_it_is_the_last(self) -> None:
        assert session().receive(b"E00") == []
        assert session().receive(b"E01") == [Over(EndReason.UNKNOWN, True)]


class TestTakeBack:
    """In the game 32-28 19-23 28x19 14x23, in which we have White."""

    @staticmethod
    def answered() -> tuple[DxpClientSession, list[Position]]:
        positions = [START]
        for move in ("32-28", "19-23", "28x19", "14x23"):
            positions.append(positions[-1].play(moves.read(positions[-1], move)))
        begun = playing(positions[1])
        begun.receive(b"M0003192300")
        begun.play(positions[3], 1.0)
        begun.receive(b"M000314230119")
        return begun, positions

    def test_names_our_last_move_and_goes_back_when_the_other_side_agrees(self) -> None:
        begun, positions = self.answered()
        assert text(begun.take_back(positions[2])) == ["B002W"]
        assert begun.receive(b"K0") == [TakenBack(True)]
        assert text(begun.take_back(positions[0])) == ["B001W"]
        assert begun.receive(b"K0") == [TakenBack(True)]
        other = START.play(moves.read(START, "31-26"))
        assert begun.follows(other)
        assert text(begun.play(other, 0.0)) == ["M0000312600"]

    @pytest.mark.parametrize("answer", [b"K1", b"K2"])
    def test_changes_nothing_where_it_does_not(self, answer: bytes) -> None:
        begun, positions = self.answered()
        begun.take_back(positions[2])
        assert begun.receive(answer) == [TakenBack(False)]
        assert begun.follows(positions[4].play(positions[4].legal_moves()[0]))

    def test_is_not_asked_for_another_position_nor_out_of_turn(self) -> None:
        begun, positions = self.answered()
        assert begun.take_back(positions[1]) == []
        assert begun.take_back(positions[0]) == []
        assert playing().take_back(START) == []
        assert session().take_back(START) == []

    def test_counts_from_the_first_move_of_black_where_that_begins(self) -> None:
        position = fen.read(INTERNATIONAL, "B:W31-50:B1-20")
        begun = playing(position.play(moves.read(position, "19-23")))
        begun.receive(b"M0003322800")
        assert text(begun.take_back(position)) == ["B001Z"]

    def test_answers_that_nobody_waits_for_say_nothing(self) -> None:
        begun, positions = self.answered()
        assert begun.receive(b"K0") == []
        begun.take_back(positions[2])
        begun.end()
        assert begun.receive(b"K0") == []


@pytest.mark.parametrize("data", MALFORMED)
def test_what_cannot_be_read_is_told(data: object) -> None:
    message = data.encode("latin-1") if isinstance(data, str) else data
    events = playing().receive(message)  # type: ignore[arg-type]
    assert [type(event) for event in events] == [Broken]


@given(
    st.lists(st.sampled_from([ACCEPTED, b"M0003322800", b"M0003192300", b"E00", b"E11", b"B001W", b"K0", b"C", None]))
)
def test_any_messages_in_any_order_lead_to_events_only(messages: list[bytes | None]) -> None:
    for begun in (session(), playing()):
        for message in messages:
            begun.receive(message)
            assert begun.state in DxpClientState
