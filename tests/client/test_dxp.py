"""A program at the other end of a DXP connection: whole games with our own, and a peer in the hands of the test."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from client.engines import LONGEST, START, after
from daemon.dxp_peers import ANYWHERE, Peer, Running

from turkengine.client import dxp
from turkengine.client.contract import ClientError, ClientFault
from turkengine.client.dxp import DxpClient
from turkengine.engine.limits import GameClock, Limits
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.notation import moves
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.wire.address import Address

CLOCK = Limits(clock=GameClock(300))
ACCEPTED = f"A{'Ann':32}0"


@pytest.mark.parametrize("variant", [INTERNATIONAL, TURKISH, CRODA], ids=lambda variant: variant.name)
def test_games_with_our_own_program_in_both_colours(variant: object) -> None:
    peer = Running(ANYWHERE, variant=variant, stays=True)
    try:
        with DxpClient(peer.place) as client:
            client.start(variant)  # type: ignore[arg-type]
            for number in (1, 2):
                client.new_game()
                position, plies = Position.start(variant), 0  # type: ignore[arg-type]
                while outcome(position) is None:
                    if (plies + number) % 2:
                        thought = client.think(position, CLOCK, LONGEST)
                        assert thought.move in position.legal_moves()
                        move = thought.move
                    else:
                        move = position.legal_moves()[0]
                    position, plies = position.play(move), plies + 1
                client.game_over(position)
                told = peer.line(f"game {number}: ")
                end = outcome(position)
                assert end is not None
                assert end.reason.value in told
            assert client.name == "us"
        assert peer.line("game 2 begins").startswith("game 2 begins: White turkengine")
    finally:
        peer.end()


class Scripted:
    """A program that listens and says what the test tells it to."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.client = DxpClient(Address(*self.server.getsockname()[:2]), patience=LONGEST)
        self.said: list[tuple[str, str]] = []
        self.client.log = lambda sign, line: self.said.append((sign, line))
        self.client.start(INTERNATIONAL)
        self.peer = Peer(self.server.accept()[0])
        self._threads: list[threading.Thread] = []

    def meanwhile(self, *script: str | None) -> None:
        """In another thread: hear a message, then say one, and so on; None says nothing."""

        def play() -> None:
            for line in script:
                self.peer.hear()
                if line is not None:
                    self.peer.say(line)

        self._threads.append(threading.Thread(target=play, daemon=True))
        self._threads[-1].start()

    def begin(self) -> None:
        """The first game, in which the other side has opened and is to be answered: 32-28 19-23."""
        self.meanwhile(ACCEPTED, "M0000192300")
        thought = self.client.think(after("32-28"), CLOCK, LONGEST)
        assert thought.move == moves.read(after("32-28"), "19-23")
        for thread in self._threads:
            thread.join(LONGEST)

    @property
    def sent(self) -> list[str]:
        return [line for sign, line in self.said if sign == ">"]

    def end(self) -> None:
        self.client.close()
        self.peer.close()
        self.server.close()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Scripted]]:
    monkeypatch.setattr(dxp, "ENDING", 0.3)
    started: list[Scripted] = []

    def start() -> Scripted:
        started.append(Scripted())
        return started[-1]

    yield start
    for each in started:
        each.end()


THIRD = after("32-28", "19-23", "28x19")


def failing(scripted: Scripted, *script: str | None, deadline: float = LONGEST) -> ClientError:
    """The fault of the second move asked for."""
    scripted.begin()
    scripted.meanwhile(*script)
    with pytest.raises(ClientError) as caught:
        scripted.client.think(THIRD, CLOCK, deadline)
    return caught.value


class TestGame:
    def test_is_asked_for_when_its_first_move_is_due_and_begins_before_it(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        assert scripted.sent == []
        scripted.begin()
        assert re.fullmatch(r"R01turkengine .{21}Z005000A", scripted.sent[0])
        assert scripted.sent[1] == "M0000322800"
        assert scripted.client.name == "Ann"

    def test_goes_on_with_the_move_of_the_other_side(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        scripted.meanwhile("M000014230119")
        thought = scripted.client.think(THIRD, CLOCK, LONGEST)
        assert thought.move == moves.read(THIRD, "14x23")
        assert scripted.sent[-1] == "M000028190123"

    def test_that_is_another_one_is_asked_for_when_the_last_is_ended(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        scripted.meanwhile("E00", ACCEPTED, None)
        scripted.client.new_game()
        assert scripted.sent[-1] == "E00"
        with pytest.raises(ClientError, match=r"no move within 0.100 s"):
            scripted.client.think(START, CLOCK, 0.1)
        assert re.fullmatch(r"R01turkengine .{21}W005000A", scripted.sent[3])

    def test_that_is_given_up_is_told_to_be_lost(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        scripted.meanwhile("E00")
        scripted.client.give_up()
        assert scripted.sent[-1] == "E10"

    def test_that_begins_elsewhere_is_described(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.meanwhile(ACCEPTED, "M0000343000")
        scripted.client.think(after("32-28", "18-23"), CLOCK, LONGEST)
        assert "000BZ" in scripted.sent[0]

    def test_a_wish_to_take_back_or_to_ask_for_a_game_is_refused(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        scripted.peer.say("B001W", f"R01{'Ann':32}Z005075A", "Chello")
        scripted.meanwhile("M000014230119")
        scripted.client.think(THIRD, CLOCK, LONGEST)
        assert "K2" in scripted.sent
        assert any(re.fullmatch(r"Aturkengine .{21}2", line) for line in scripted.sent)


class TestTakeBack:
    BEFORE, REPLIED = after("32-28", "19-23"), after("32-28", "19-23", "28x19", "14x23")

    def asked(self, scripted: Scripted, *script: str | None) -> str:
        """What comes of the wish to take back the second move."""
        scripted.begin()
        scripted.meanwhile("M000014230119", *script)
        scripted.client.think(THIRD, CLOCK, LONGEST)
        return scripted.client.take_back(self.BEFORE)

    def test_goes_back_where_the_other_side_agrees(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        assert self.asked(scripted, "K0", "M000013240119") == ""
        assert scripted.sent[-1] == "B002W"
        assert scripted.client.think(THIRD, CLOCK, LONGEST).move == moves.read(THIRD, "13x24")
        assert scripted.sent[-1] == "M000028190123"

    def test_tells_who_does_not_agree(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        assert self.asked(scripted, "K2") == "Ann does not agree"
        assert scripted.client.alive()

    def test_ends_the_game_of_who_does_not_answer(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.client._patience = 0.2
        assert self.asked(scripted, None, "E00") == ""
        assert scripted.sent[-2:] == ["B002W", "E00"]
        assert scripted.client.alive()

    def test_tells_that_the_game_is_over(self, opened: Callable[[], Scripted]) -> None:
        assert self.asked(opened(), "E00") == "Ann has ended the game"

    def test_is_never_asked_of_a_program_that_loses_count(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.meanwhile(f"A{'Scan 2.0':32}0", "M0000192300")
        scripted.client.think(after("32-28"), CLOCK, LONGEST)
        assert scripted.client.take_back(START) == "Scan 2.0 cannot take moves back: it loses count"
        assert not any(line.startswith("B") for line in scripted.sent)

    def test_needs_no_consent_where_no_game_is_on(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        assert scripted.client.take_back(START) == ""
        scripted.client.close()
        assert scripted.client.take_back(START) == ""
        assert scripted.sent == []

    def test_a_broken_connection_is_a_crash(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        threading.Thread(target=lambda: (scripted.peer.hear(), scripted.peer.close()), daemon=True).start()
        with pytest.raises(ClientError, match="the connection is broken") as caught:
            scripted.client.take_back(START)
        assert caught.value.reason is ClientFault.CRASH


class TestFaults:
    def test_nobody_there_is_no_start(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            place = Address(*server.getsockname()[:2])
        client = DxpClient(place, patience=0.2)
        with pytest.raises(ClientError, match=f"cannot connect to {place}: ") as caught:
            client.start(INTERNATIONAL)
        assert caught.value.reason is ClientFault.START

    @pytest.mark.parametrize(("code", "why"), [("1", "does not speak version 1"), ("2", "refuses this game")])
    def test_a_refused_game_is_no_start(self, code: str, why: str, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.meanwhile(f"A{'Ann':32}{code}")
        with pytest.raises(ClientError, match=why) as caught:
            scripted.client.think(START, CLOCK, LONGEST)
        assert caught.value.reason is ClientFault.START

    def test_an_illegal_move_names_its_article_and_ends_the_game(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        error = failing(scripted, "M0000162100", None, "E00")
        assert (error.reason, error.article, error.move_text) == (ClientFault.ILLEGAL_MOVE, "5.4.6", "16-21")
        why = r"16-21 is not a legal move; \d+x\d+ captures one piece and is compulsory \(5\.4\.6\)"
        assert re.search(why, str(error))
        assert scripted.sent[-1] == "E00"
        assert scripted.client.alive()

    def test_what_cannot_be_read_is_garbage(self, opened: Callable[[], Scripted]) -> None:
        error = failing(opened(), "X?", None, "E00")
        assert (error.reason, error.article) == (ClientFault.GARBAGE, None)
        assert "no message begins like 'X?'" in str(error)

    def test_one_that_gives_up_has_no_move(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        scripted.meanwhile("E10")
        assert scripted.client.think(THIRD, CLOCK, LONGEST).move is None
        assert scripted.sent[-1] == "E00"

    @pytest.mark.parametrize(("end", "claim"), [("E00", "without a result"), ("E30", "says that it has won")])
    def test_one_that_ends_the_game_otherwise_has_abandoned_it(
        self, end: str, claim: str, opened: Callable[[], Scripted]
    ) -> None:
        error = failing(opened(), end)
        assert error.reason is ClientFault.ABANDONED
        assert claim in str(error)

    def test_a_connection_that_is_closed_is_a_crash(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        scripted.peer.close()
        with pytest.raises(ClientError) as caught:
            scripted.client.think(THIRD, CLOCK, LONGEST)
        assert caught.value.reason is ClientFault.CRASH
        assert not scripted.client.alive()

    def test_no_move_in_time_ends_the_game_and_keeps_who_confirms_it(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        error = failing(scripted, None, None, "E00", deadline=0.1)
        assert (error.reason, str(error)) == (ClientFault.TIMEOUT, "Ann: no move within 0.100 s")
        assert scripted.client.alive()

    @pytest.mark.parametrize("flood", [b"x" * 1000, b"Cx\0" * 300], ids=["bytes of no message", "chats"])
    def test_one_that_sends_without_pause_gains_no_time_by_it(
        self, flood: bytes, opened: Callable[[], Scripted]
    ) -> None:
        scripted = opened()
        scripted.begin()
        over = threading.Event()

        def send() -> None:
            with contextlib.suppress(OSError):
                while not over.is_set():
                    scripted.peer.stream.sendall(flood)

        thread = threading.Thread(target=send)
        thread.start()
        began = time.perf_counter()
        with pytest.raises(ClientError) as caught:
            scripted.client.think(THIRD, CLOCK, 0.2)
        assert caught.value.reason is ClientFault.SILENCE
        assert time.perf_counter() - began < 0.2 + dxp.ENDING + 2.0
        over.set()
        thread.join()

    def test_empty_messages_are_none(self, opened: Callable[[], Scripted]) -> None:
        scripted = opened()
        scripted.begin()
        scripted.peer.stream.sendall(b"\0\0")
        scripted.meanwhile("E10")
        assert scripted.client.think(THIRD, CLOCK, LONGEST).move is None

    def test_who_does_not_even_confirm_the_end_is_silent_and_is_called_again(
        self, opened: Callable[[], Scripted]
    ) -> None:
        scripted = opened()
        error = failing(scripted, deadline=0.1)
        assert error.reason is ClientFault.SILENCE
        assert not scripted.client.alive()
        scripted.client.new_game()
        assert scripted.client.alive()
