"""Engines as processes: games with our own, and every way in which one can fail, each with its reason."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from client.engines import LONGEST, START, after, command, fake, ours

from turkengine import __version__
from turkengine.client import lines, process
from turkengine.client.contract import Client, ClientError, ClientFault
from turkengine.client.lines import LineClient
from turkengine.client.naming import TALKS
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.score import Score
from turkengine.errors import OptionError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.notation import fen, moves
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant
from turkengine.wire.client_session import Answered, Found

QUICK = Limits(depth=1)
SECOND = after("32-28", "19-23")  # asked about second, when a fake does its mischief; White is to move


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[LineClient], LineClient]]:
    """Starts a client, and closes it in the end; nobody gets much time to stop or to leave."""
    monkeypatch.setattr(lines, "STOPPING", 0.3)
    monkeypatch.setattr(lines, "LEAVING", 0.3)
    clients: list[LineClient] = []

    def start(client: LineClient) -> LineClient:
        clients.append(client)
        client.start(INTERNATIONAL)
        client.new_game()
        return client

    yield start
    for client in clients:
        client.close()


def failing(client: LineClient, position: Position = SECOND, deadline: float = LONGEST) -> ClientError:
    """The fault of the second search."""
    assert client.think(START, QUICK, LONGEST).move is not None
    with pytest.raises(ClientError) as caught:
        client.think(position, QUICK, deadline)
    assert "\n" not in str(caught.value)
    return caught.value


class TestOurOwnEngine:
    @pytest.mark.parametrize(
        ("dialect", "variant"), [("hub", INTERNATIONAL), ("uci", INTERNATIONAL), ("hub", TURKISH), ("uci", CRODA)]
    )
    def test_plays_a_game_against_itself(self, dialect: str, variant: Variant) -> None:
        with LineClient(ours(dialect), TALKS[dialect], options={"hash": "1"}) as client:
            client.start(variant)
            client.new_game()
            position, thoughts = Position.start(variant), []
            while outcome(position) is None and len(thoughts) < 120:
                thoughts.append(client.think(position, Limits(depth=3), LONGEST))
                assert thoughts[-1].move in position.legal_moves()
                position = position.play(thoughts[-1].move)
        assert client.name == f"turkengine {__version__}"
        assert len(thoughts) > 20
        searched = [thought for thought in thoughts if thought.depth]
        assert all(thought.line[0] == thought.move and thought.score is not None for thought in searched)
        assert all(thought.nodes for thought in searched)
        assert all(thought.ponder == thought.line[1] for thought in searched if thought.ponder is not None)

    def test_gets_the_history_of_the_game(self) -> None:
        said: list[str] = []
        with LineClient(ours("hub"), TALKS["hub"]) as client:
            client.log = lambda sign, line: said.append(sign + line)
            client.start(INTERNATIONAL)
            client.think(SECOND, QUICK, LONGEST)
        assert '>pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves="32-28 19-23"' in said
        assert any(line.startswith("<info ") for line in said)
        assert any(line.startswith("<done move=28x19x23") for line in said)

    def test_is_started_once_and_anew_for_another_variant(self) -> None:
        with LineClient(ours("hub"), TALKS["hub"]) as client:
            client.start(INTERNATIONAL)
            first = client.process.pid
            client.start(INTERNATIONAL)
            assert client.process.pid == first
            client.start(CRODA)
            assert client.process.pid != first
            assert client.think(Position.start(CRODA), QUICK, LONGEST).move is not None

    def test_takes_options_by_name_and_refuses_what_it_has_not(self) -> None:
        with LineClient(ours("hub"), TALKS["hub"], options={"Hash": "2", "multi-pv": "3"}) as client:
            client.start(INTERNATIONAL)
            assert client.think(START, Limits(depth=4), LONGEST).line
        wrong = LineClient(ours("uci"), TALKS["uci"], options={"hush": "2"})
        with pytest.raises(ClientError, match="it has no option 'hush'; it has UCI_Variant, Hash") as caught:
            wrong.start(INTERNATIONAL)
        assert caught.value.reason is ClientFault.START
        assert not wrong.alive()

    @pytest.mark.parametrize("dialect", ["hub", "uci"])
    def test_tells_of_every_line_while_it_searches(self, dialect: str) -> None:
        told: list[Found] = []
        with LineClient(ours(dialect), TALKS[dialect], options={"hash": "1"}) as client:
            client.start(INTERNATIONAL)
            client.set_option("multi-pv" if dialect == "hub" else "MultiPV", "2")
            client.on_report = told.append
            thought = client.think(START, Limits(depth=4), LONGEST)
            with pytest.raises(OptionError, match="takes a number"):
                client.set_option("hash" if dialect == "hub" else "Hash", "much")
        assert [(found.depth, found.rank) for found in told[-2:]] == [(4, 1), (4, 2)]
        assert told[-2].score == thought.score

    @pytest.mark.parametrize("dialect", ["hub", "uci"])
    def test_can_be_stopped_from_another_thread(self, dialect: str) -> None:
        with LineClient(ours(dialect), TALKS[dialect], options={"hash": "1"}) as client:
            client.start(INTERNATIONAL)
            client.on_report = lambda found: client.stop() if found.depth == 5 else None
            assert client.think(START, Limits(infinite=True), LONGEST).depth >= 5
            client.stop()  # nothing is searched
            assert client.think(START, Limits(depth=2), LONGEST).depth == 2

    def test_says_that_it_has_no_move(self) -> None:
        for dialect in ("hub", "uci"):
            with LineClient(ours(dialect), TALKS[dialect]) as client:
                client.start(INTERNATIONAL)
                assert client.think(fen.read(INTERNATIONAL, "W:W:B20"), QUICK, LONGEST).move is None

    def test_every_line_is_logged_also_of_those_that_are_not_read(self) -> None:
        said: list[str] = []
        with LineClient(ours("uci"), TALKS["uci"]) as client:
            client.start(INTERNATIONAL)
            assert client.think(START, Limits(depth=4), LONGEST).depth == 4
            client.log = lambda sign, line: said.append(sign + line)
            thought = client.think(START, Limits(depth=4), LONGEST)
        depths = [line.split()[2] for line in said if line.startswith("<info depth")]
        assert list(dict.fromkeys(depths)) == ["1", "2", "3", "4"]
        assert thought.depth == 4

    def test_is_told_the_clock(self) -> None:
        said: list[str] = []
        with LineClient(ours("uci"), TALKS["uci"]) as client:
            client.log = lambda sign, line: said.append(sign + line)
            client.start(INTERNATIONAL)
            client.think(START, Limits(clock=GameClock(0.5, 0.01, 10)), LONGEST)
        assert ">go wtime 500 btime 500 winc 10 binc 10 movestogo 10" in said


class TestStarting:
    def test_a_program_that_is_not_there_is_named(self) -> None:
        client = LineClient("no-such-engine hub", TALKS["hub"])
        with pytest.raises(ClientError, match=r"no-such-engine hub: no-such-engine cannot be started: .+") as caught:
            client.start(INTERNATIONAL)
        assert caught.value.reason is ClientFault.START

    @pytest.mark.parametrize(
        ("mischief", "message"),
        [
            ("gone", "it has ended with exit status 1; its last words: no licence found"),
            ("dumb", "it does not greet within 0.5 s"),
            ("complaint", "it complains: the file size.bin is missing"),
        ],
    )
    def test_an_engine_that_does_not_get_ready_says_why(self, mischief: str, message: str) -> None:
        client = fake(mischief, patience=0.5 if mischief == "dumb" else LONGEST)
        with pytest.raises(ClientError, match=re.escape(message)) as caught:
            client.start(INTERNATIONAL)
        assert caught.value.reason is ClientFault.START
        assert not client.alive()

    def test_a_variant_that_it_does_not_play_is_refused(self) -> None:
        with pytest.raises(ClientError, match="Fake 1: it declares no variant, so it plays international only"):
            fake("none").start(CRODA)

    def test_what_it_says_beside_the_protocol_does_not_matter(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("remarks"))
        assert client.name == "Fake 1"
        assert client.think(START, QUICK, LONGEST).score == Score(25)

    def test_a_name_given_stays(self, opened: Callable[..., LineClient]) -> None:
        assert opened(fake("none", name="Bob")).name == "Bob"


@pytest.mark.parametrize("dialect", ["hub", "uci"])
class TestFaults:
    def test_a_crash_tells_the_exit_status_and_the_last_words(
        self, dialect: str, opened: Callable[..., LineClient]
    ) -> None:
        client = opened(fake("crash", dialect=dialect))
        error = failing(client)
        assert (error.reason, str(error)) == (
            ClientFault.CRASH,
            "Fake 1: it has ended with exit status 3; its last words: out of cheese",
        )
        assert not client.alive()

    def test_after_a_crash_the_next_game_starts_it_again(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("crash", dialect=dialect))
        failing(client)
        with pytest.raises(ClientError, match="it does not run"):
            client.think(START, QUICK, LONGEST)
        client.new_game()
        assert client.alive()
        assert client.think(START, QUICK, LONGEST).move == moves.read(START, "31-26")

    def test_silence_ends_with_the_process(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("silence", dialect=dialect))
        error = failing(client, deadline=0.2)
        assert (error.reason, str(error)) == (
            ClientFault.SILENCE,
            "Fake 1: no answer within 0.200 s, and none when it was stopped",
        )
        assert not client.alive()

    def test_who_answers_when_it_is_stopped_lives_on(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("late", dialect=dialect))
        pid = client.process.pid
        error = failing(client, deadline=0.2)
        assert (error.reason, str(error)) == (ClientFault.TIMEOUT, "Fake 1: no answer within 0.200 s")
        client.new_game()
        assert client.process.pid == pid

    def test_what_is_said_in_place_of_an_answer_is_shown(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        error = failing(opened(fake("chatter", dialect=dialect)), deadline=0.5)
        assert error.reason is ClientFault.GARBAGE
        assert str(error).endswith("; it says 'I am thinking'")

    def test_what_is_no_move_is_garbage(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        error = failing(opened(fake("nonsense", dialect=dialect)))
        assert (error.reason, error.move_text, error.article) == (ClientFault.GARBAGE, "hello", None)
        assert "'hello' is not written as a move" in str(error)

    def test_an_illegal_move_names_its_article(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        error = failing(opened(fake("illegal", dialect=dialect)))
        assert (error.reason, error.move_text, error.article) == (ClientFault.ILLEGAL_MOVE, "31-22", "5.4.2")
        assert "a man moves one square diagonally forward (5.4.2)" in str(error)

    def test_a_move_from_an_empty_square_is_illegal(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        error = failing(opened(fake("empty square", dialect=dialect)))
        assert (error.reason, error.article) == (ClientFault.ILLEGAL_MOVE, None)
        assert "there is no piece on 25" in str(error)

    def test_a_second_answer_is_found_out_with_the_next_question(
        self, dialect: str, opened: Callable[..., LineClient]
    ) -> None:
        client = opened(fake("twice", "31-26", "28x19", "41-36", dialect=dialect))
        client.think(START, QUICK, LONGEST)
        client.think(SECOND, QUICK, LONGEST)
        until = time.monotonic() + LONGEST
        while client.session.unasked is None and time.monotonic() < until:
            client.wait_for(Answered, time.perf_counter() + 0.01)
        with pytest.raises(
            ClientError, match=r"it has answered once too often: '(done move=|bestmove )28x19'"
        ) as caught:
            client.think(after("32-28", "19-23", "28x19", "14x23"), QUICK, LONGEST)
        assert caught.value.reason is ClientFault.GARBAGE

    def test_an_engine_may_say_that_it_has_no_move(self, dialect: str, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("no move", dialect=dialect))
        client.think(START, QUICK, LONGEST)
        assert client.think(SECOND, QUICK, LONGEST).move is None


class TestPipes:
    def test_a_flood_on_standard_error_is_drained_and_its_end_is_kept(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("flood", "31-26", "28x19"))
        client.think(START, QUICK, LONGEST)
        assert client.think(SECOND, QUICK, LONGEST).move is not None
        until = time.monotonic() + LONGEST
        while client.process.errors()[-1:] != ["last words"] and time.monotonic() < until:
            time.sleep(0.01)
        assert client.process.errors()[-1] == "last words"

    def test_where_pipes_cannot_be_polled_a_thread_reads_them(
        self, opened: Callable[..., LineClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(process, "CAN_POLL", False)
        client = opened(fake("late"))
        assert failing(client, deadline=0.2).reason is ClientFault.TIMEOUT
        crashing = opened(fake("crash"))
        assert failing(crashing).reason is ClientFault.CRASH

    def test_a_line_without_end_does_not_hide_the_answer(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("endless line", "31-26", "28x19"))
        client.think(START, QUICK, LONGEST)
        assert client.think(SECOND, QUICK, LONGEST).move is not None
        assert client.session.strange == "a line without end"

    def test_an_engine_that_does_not_read_blocks_nobody(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("deaf", "31-26", "28x19"))
        client.think(START, QUICK, LONGEST)
        client.think(SECOND, QUICK, LONGEST)
        client.process.send("x" * (1 << 22))
        with pytest.raises(ClientError, match="none when it was stopped") as caught:
            client.think(SECOND, QUICK, 0.1)
        assert caught.value.reason is ClientFault.SILENCE


class TestTheEnd:
    def test_one_that_does_not_want_to_go_is_killed(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("slow to die"))
        started = client.process
        client.close()
        assert not client.alive()
        assert not started.running

    @pytest.mark.skipif(sys.platform == "win32", reason="processes are looked for in the POSIX way")
    def test_what_it_has_started_ends_with_it(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("children"))
        until = time.monotonic() + LONGEST
        while time.monotonic() < until and not client.process.errors():  # they are read in a thread
            time.sleep(0.01)
        (told,) = client.process.errors()
        child = int(told.split()[1])
        os.kill(child, 0)
        client.close()
        while time.monotonic() < until and _runs(child):
            time.sleep(0.01)
        assert not _runs(child)

    @pytest.mark.skipif(sys.platform == "win32", reason="groups are looked for in the POSIX way")
    def test_it_leads_a_group_of_its_own(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("none"))
        assert os.getpgid(client.process.pid) == client.process.pid != os.getpgrp()

    def test_closing_twice_is_closing_once(self, opened: Callable[..., LineClient]) -> None:
        client = opened(fake("none"))
        client.close()
        client.close()
        client.start(INTERNATIONAL)
        assert client.alive()

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
    def test_a_signal_is_named(self, opened: Callable[..., LineClient]) -> None:
        error = failing(opened(fake("killed")))
        assert str(error) == "Fake 1: it has been killed by SIGKILL"


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not os.path.isdir("/proc/self")


def test_a_line_client_is_a_client() -> None:
    client: Client = LineClient(command("engine"), TALKS["hub"])
    assert client.name == "engine"
    assert not client.alive()
    client.close()
