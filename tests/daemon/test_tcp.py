"""DXP over real sockets on the loopback address: whole games, and opponents that behave in every bad way."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from daemon.dxp_peers import ANYWHERE, LONGEST, Peer, Running, call
from wire.dxp.test_codec import MALFORMED

from turkengine.daemon import sockets
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.games import TURKISH, VARIANTS
from turkengine.notation import moves, pdn
from turkengine.rules.outcome import outcome, result
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant
from turkengine.wire.address import Address


@pytest.fixture
def run() -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def begin(*arguments: Any, **wanted: object) -> Running:
        started.append(Running(*arguments, **wanted))
        return started[-1]

    yield begin
    for daemon in started:
        daemon.end()


REQUEST = f"R01{'Ann':32}Z005075A"  # the daemon plays Black
REQUEST_WHITE = f"R01{'Ann':32}W005075A"
ACCEPTED = f"A{'us':32}0"


def replay(variant: Variant, played: Sequence[str], score: str) -> None:
    """Every move is legal, and the game is over where it ends, as it says."""
    position = Position.start(variant)
    for text in played:
        assert outcome(position) is None
        position = position.play(moves.read(position, text))
    end = outcome(position)
    assert end is not None
    assert result(end, variant) == score


@pytest.mark.parametrize("listener_asks", [True, False], ids=["listener-asks", "connector-asks"])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_two_of_us_play_whole_games(
    variant: Variant, listener_asks: bool, run: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "APART", 0.0)
    files = tmp_path / "listener.pdn", tmp_path / "connector.pdn"
    wanted = {"variant": variant, "games": 2, "moves": 0}
    options = Options(variant=variant, hash=1)
    listener = run(ANYWHERE, options, files[0], stays=True, initiate=listener_asks, name="here", **wanted)
    connector = run(listener.place, options, files[1], initiate=not listener_asks, name="there", **wanted)
    assert (listener.ended(), connector.ended()) == (0, 0)
    kept = [list(pdn.read_games(file)) for file in files]
    for game in range(2):
        played, score = kept[0][game].moves, kept[0][game].result
        assert (kept[1][game].moves, kept[1][game].result) == (played, score)
        replay(variant, played, score)
        over = f"game {game + 1}: {score}, "
        assert listener.line(over) == connector.line(over)
    asking = "here" if listener_asks else "there"
    assert f"White {asking}" in listener.line("game 1 begins")
    assert f"Black {asking}" in listener.line("game 2 begins")


def test_another_game_at_the_other_end_is_noticed_at_once(run: Callable[..., Running]) -> None:
    listener = run(ANYWHERE, stays=True)
    connector = run(listener.place, variant=TURKISH, initiate=True, games=1)
    assert connector.ended() == 1
    assert connector.line("game 1: *, the opponent refuses this game")
    assert listener.line("a request is refused: it sets up 64 squares and international has 50")


class TestListener:
    @pytest.fixture
    def listener(self, run: Callable[..., Running]) -> Running:
        return run(ANYWHERE, stays=True, patience=0.5)

    def test_plays_on_through_any_cuts(self, listener: Running) -> None:
        peer = call(listener)
        for byte in f"{REQUEST}\0M0000322800\0".encode():
            peer.stream.sendall(bytes([byte]))
        assert peer.hear() == ACCEPTED
        assert peer.hear().startswith("M0000")
        peer.close()

    def test_passes_over_two_ends_together(self, listener: Running) -> None:
        peer = call(listener)
        peer.stream.sendall(f"\0{REQUEST}\0\0\0M0000322800\0\0".encode())
        assert peer.hear() == ACCEPTED
        assert peer.hear().startswith("M0000"), "the game goes on"
        peer.close()

    def test_keeps_messages_apart(self, listener: Running) -> None:
        """A and M, which are there together; 20 ms less what the test itself may be late with the first."""
        peer = call(listener)
        apart = []
        for _ in range(20):
            peer.say(REQUEST_WHITE)
            assert peer.hear() == ACCEPTED
            accepted = time.perf_counter()
            assert peer.hear().startswith("M")
            apart.append(time.perf_counter() - accepted)
            peer.say("E00")
            assert peer.hear() == "E00"
        assert sorted(apart)[len(apart) // 2] >= sockets.APART - 0.001
        peer.close()

    def test_takes_messages_that_arrive_together(self, listener: Running) -> None:
        peer = call(listener)
        peer.say(f"{REQUEST}\0M0000322800\0B001W\0E00\0{REQUEST_WHITE}\0CHello")
        assert [peer.hear() for _ in range(4)] == [ACCEPTED, "K0", "E00", ACCEPTED]
        assert peer.hear().startswith("M0000")
        assert listener.line("Ann says: Hello")
        peer.close()

    def test_ends_a_game_at_every_kind_of_malformed_message_and_plays_the_next(self, listener: Running) -> None:
        peer = call(listener)
        said = [message for message in MALFORMED if message]  # one that is empty is no message on the wire
        for count, message in enumerate([*said, b"x" * 600, b"M0000330000"], start=1):
            peer.say(REQUEST if count % 2 else REQUEST_WHITE)
            assert peer.hear() == ACCEPTED
            if not count % 2:
                assert peer.hear().startswith("M0000")
            peer.say(message)
            assert peer.hear().startswith("C")
            assert peer.hear() == "E00"
            assert " cannot be read: " in listener.line(f"game {count}: *, a m")
            peer.say("E00")
        peer.close()

    @pytest.mark.parametrize("how", ["close", "reset"])
    @pytest.mark.parametrize("request_text", [REQUEST, REQUEST_WHITE], ids=["waiting", "thinking"])
    def test_survives_an_opponent_that_goes_away_in_mid_game(
        self, how: str, request_text: str, run: Callable[..., Running], tmp_path: Path
    ) -> None:
        file = tmp_path / "games.pdn"
        listener = run(ANYWHERE, None, file, stays=True, limits=Limits(move_time=60))
        peer = call(listener)
        peer.say(request_text)
        assert peer.hear() == ACCEPTED
        getattr(peer, how)()
        assert listener.line("game 1: *, the opponent has ")
        assert '[Result "*"]' in file.read_text(encoding="utf-8")
        again = call(listener)
        again.say(REQUEST)
        assert again.hear() == ACCEPTED
        again.close()

    def test_survives_one_that_goes_away_in_the_middle_of_a_message(self, listener: Running) -> None:
        peer = call(listener)
        peer.say(REQUEST)
        assert peer.hear() == ACCEPTED
        peer.stream.sendall(b"M00003")
        peer.close()
        assert listener.line("game 1: *, the opponent has closed the connection")

    def test_gives_up_an_opponent_that_does_not_move_and_serves_the_next(self, listener: Running) -> None:
        peer = call(listener)
        peer.say(REQUEST.replace("005075", ".01075"))
        assert peer.hear() == ACCEPTED
        assert peer.hear() == "E00"
        assert listener.line("game 1: *, the opponent has been silent for 1 s")
        assert peer.hear() == "", "the end was not confirmed either"
        again = call(listener)
        again.say(REQUEST)
        assert again.hear() == ACCEPTED
        again.close()
        peer.close()

    def test_turns_others_away_while_a_game_is_on(self, listener: Running) -> None:
        peer = call(listener)
        peer.say(REQUEST)
        assert peer.hear() == ACCEPTED
        other = call(listener)
        assert other.hear() == ""
        other.close()
        peer.say("M0000322800")
        assert peer.hear().startswith("M0000"), "the game goes on"
        peer.close()

    def test_prefers_an_opponent_that_plays_to_one_that_only_calls(
        self, listener: Running, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("turkengine.wire.dxp.session.QUIET", 0.0)
        idle = call(listener)
        listener.line("connected with ")
        other = call(listener)
        assert idle.hear() == ""
        other.say(REQUEST)
        assert other.hear() == ACCEPTED
        other.close()
        idle.close()

    @pytest.mark.parametrize("drip", [b"C", b"Cx\0"], ids=["a message without end", "chats without end"])
    def test_is_not_kept_by_one_that_only_drips(
        self, drip: bytes, listener: Running, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("turkengine.wire.dxp.session.QUIET", 0.0)
        dripping, over = call(listener), threading.Event()
        listener.line("connected with ")

        def send() -> None:
            with contextlib.suppress(OSError):
                while not over.is_set():
                    dripping.stream.sendall(drip)

        thread = threading.Thread(target=send)
        thread.start()
        other = call(listener)
        other.say(REQUEST)
        assert other.hear() == ACCEPTED
        over.set()
        thread.join()
        other.close()
        dripping.close()

    def test_says_what_it_waits_for(self, run: Callable[..., Running]) -> None:
        listener = run(ANYWHERE, stays=True)
        assert listener.line("waiting for a call, 2 s so far")
        peer = call(listener)
        assert listener.line("waiting for the opponent to ask for a game, 2 s so far")
        assert listener.line("waiting for the opponent to ask for a game, 4 s so far")
        peer.say(REQUEST)
        assert peer.hear() == ACCEPTED
        peer.close()
        assert listener.line("game 1: *, the opponent has ")
        assert not [line for line in listener.lines if "to move" in line], "one may think"

    def test_goes_on_after_an_opponent_that_wants_no_more(self, listener: Running) -> None:
        for _ in range(2):
            peer = call(listener)
            peer.say(REQUEST)
            assert peer.hear() == ACCEPTED
            peer.say("E01")
            assert peer.hear() == "E01"
            assert peer.hear() == ""
            peer.close()

    def test_outlives_an_opponent_that_asks_and_never_reads(self, listener: Running) -> None:
        peer = call(listener)
        peer.stream.settimeout(0.5)
        try:
            for _ in range(200):
                peer.stream.sendall(b"B001W\0" * 5000)
        except TimeoutError:
            pass
        else:
            pytest.fail("everything was taken, so it must be kept somewhere")
        peer.reset()
        again = call(listener)
        again.say(REQUEST)
        assert again.hear() == ACCEPTED
        again.close()

    def test_says_why_it_cannot_listen(self, listener: Running, run: Callable[..., Running]) -> None:
        second = run(listener.place, stays=True)
        assert second.ended() == 1
        assert second.line(f"cannot listen at {listener.place}: ")

    def test_tells_of_a_search_that_has_failed_and_plays_on(
        self, listener: Running, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("turkengine.engine.search.Search._search", lambda search, forced: 1 / 0)
        peer = call(listener)
        peer.say(REQUEST)
        assert peer.hear() == ACCEPTED
        peer.say("M0000322800")
        assert listener.line("internal error, ZeroDivisionError")
        assert peer.hear().startswith("M")
        peer.close()

    def test_loses_only_one_game_to_a_mistake_of_ours(self, listener: Running, monkeypatch: pytest.MonkeyPatch) -> None:
        peer = call(listener)
        peer.say(REQUEST)
        assert peer.hear() == ACCEPTED
        monkeypatch.setattr("turkengine.wire.dxp.game.DxpGame.read", lambda game, frame: 1 / 0)
        peer.say("M0000322800")
        assert listener.line("internal error, ZeroDivisionError")
        assert listener.line("game 1: *, the opponent cannot be followed after an internal error")
        monkeypatch.undo()
        again = call(listener)
        again.say(REQUEST)
        assert again.hear() == ACCEPTED
        again.close()
        peer.close()


class TestConnector:
    @pytest.fixture
    def server(self) -> Iterator[socket.socket]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(LONGEST)
            yield server

    @staticmethod
    def take(server: socket.socket) -> Peer:
        return Peer(server.accept()[0])

    def test_calls_again_for_the_next_game(self, server: socket.socket, run: Callable[..., Running]) -> None:
        connector = run(Address(*server.getsockname()), initiate=True, games=3)
        for reset in (False, True):
            peer = self.take(server)
            assert peer.hear().startswith("R01")
            peer.say(ACCEPTED)
            if reset:
                peer.reset()
            else:
                peer.close()
        peer = self.take(server)
        assert peer.hear().startswith("R01")
        peer.say(ACCEPTED)
        assert peer.hear().startswith("M0000")
        peer.say("E11")
        assert peer.hear() == "E01"
        assert peer.hear() == ""
        peer.close()
        assert connector.ended() == 1, "two games were cut short"
        assert connector.line("game 1: *, the opponent has ")
        assert connector.line("game 2: *, the opponent has ")
        assert connector.line("game 3: 2-0, the opponent gives up")

    def test_says_what_it_waits_for(self, server: socket.socket, run: Callable[..., Running]) -> None:
        connector = run(Address(*server.getsockname()), initiate=True, games=1, patience=3)
        peer = self.take(server)
        assert connector.line("waiting for the opponent to answer the request, 2 s so far")
        assert connector.ended() == 1
        peer.close()

    def test_says_what_it_waits_for_where_nobody_listens(self, run: Callable[..., Running]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            place = Address(*server.getsockname())
        connector = run(place, initiate=True, games=1, patience=3)
        assert connector.line(f"waiting for {place} to take the call (Connection refused), 2 s so far")
        assert connector.ended() == 1

    def test_gives_up_an_opponent_that_never_answers(self, server: socket.socket, run: Callable[..., Running]) -> None:
        connector = run(Address(*server.getsockname()), initiate=True, games=2, patience=0.3)
        silent = [self.take(server), self.take(server)]
        assert connector.ended() == 1
        assert connector.line("game 2: *, no answer to the request for 0.3 s")
        for peer in silent:
            peer.close()

    def test_gives_up_an_opponent_that_does_not_confirm_the_end(
        self, server: socket.socket, run: Callable[..., Running]
    ) -> None:
        connector = run(Address(*server.getsockname()), initiate=True, games=2, moves=1)
        peer = self.take(server)
        assert peer.hear().startswith("R01")
        peer.say(ACCEPTED)
        assert peer.hear().startswith("M0000")
        peer.say("M0000202400")
        assert peer.hear() == "E00"
        assert peer.hear().startswith("R01"), "the next game begins all the same"
        peer.say(f"{ACCEPTED[:-1]}3")
        assert connector.ended() == 1
        peer.close()

    def test_follows_until_the_opponent_has_had_enough(
        self, server: socket.socket, run: Callable[..., Running]
    ) -> None:
        connector = run(Address(*server.getsockname()))
        peer = self.take(server)
        for _ in range(2):
            peer.say(REQUEST)
            assert peer.hear() == ACCEPTED
            peer.say("E10")
            assert peer.hear() == "E00"
        peer.close()
        assert connector.ended() == 0
        assert connector.line("game 2: 0-2, the opponent gives up")

    def test_waits_for_an_opponent_that_is_not_there_yet(self, run: Callable[..., Running]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            place = Address(*server.getsockname())
        connector = run(place, games=1)
        time.sleep(0.2)  # it has called in vain
        listener = run(place, stays=True, initiate=True, games=1, moves=3)
        assert (connector.ended(), listener.ended()) == (0, 0)

    def test_says_so_when_nobody_comes(self, run: Callable[..., Running]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            place = Address(*server.getsockname())
        connector = run(place, patience=0.3)
        assert connector.ended() == 1
        assert connector.line(f"cannot connect to {place}: ").endswith("; given up")


def test_every_message_is_logged_with_its_moment(run: Callable[..., Running], tmp_path: Path) -> None:
    log = tmp_path / "dxp.log"
    listener = run(ANYWHERE, Options(hash=1, log_file=str(log)), stays=True, games=1)
    peer = call(listener)
    peer.say(REQUEST, b"C\xff", "E01")
    assert [peer.hear(), peer.hear()] == [ACCEPTED, "E01"]
    peer.close()
    assert listener.ended() == 0
    told = [line.split(" ", 1) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [text for _, text in told] == [f"< {REQUEST}", f"> {ACCEPTED}", "< C\\xff", "< E01", "> E01"]
    moments = [float(moment) for moment, _ in told]
    assert moments == sorted(moments)


def test_a_log_or_a_file_that_cannot_be_written_costs_no_game(run: Callable[..., Running], tmp_path: Path) -> None:
    missing = tmp_path / "none" / "x"
    listener = run(ANYWHERE, Options(hash=1, log_file=str(missing)), missing, stays=True, games=1)
    peer = call(listener)
    peer.say(REQUEST)
    assert peer.hear() == ACCEPTED
    peer.say("E10")
    assert peer.hear() == "E00"
    peer.close()
    assert listener.ended() == 0
    assert listener.line("option log-file: ")
    assert listener.line(f"{missing} cannot be written: ")
