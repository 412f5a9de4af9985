"""Driving an engine over the UCI-like dialect, held against our own session."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire.client_talk import Pair

from turkengine import __version__
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import REGISTRY
from turkengine.engine.report import Bound
from turkengine.engine.score import Score
from turkengine.errors import OptionError, VariantError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.notation import fen, moves
from turkengine.rules.position import Position
from turkengine.wire.client_session import Answered, Complained, Found, Greeted, InStep, Parameter, Ready
from turkengine.wire.uci import UciSession
from turkengine.wire.uci_client import UciClientSession

START = Position.start(INTERNATIONAL)


def pair() -> Pair:
    return Pair(UciClientSession(), UciSession)


def searching() -> UciClientSession:
    both = pair()
    both.begin()
    both.client.ask(START, Limits(depth=5))
    assert isinstance(both.client, UciClientSession)
    return both.client


class TestBeginning:
    def test_greets_chooses_the_variant_sets_options_and_waits_until_it_is_ready(self) -> None:
        both = pair()
        greeted = both.pass_on(both.client.hello())
        ready = both.pass_on(both.client.set_up(CRODA, {"threads": "2", "move overhead": "50"}))
        assert [*greeted, *ready] == [Greeted(), Ready()]
        assert both.sent == [
            "setoption name UCI_Variant value croda",
            "setoption name Threads value 2",
            "setoption name Move Overhead value 50",
            "isready",
        ]
        assert both.client.name == f"turkengine {__version__}"
        assert both.engine.session.options.move_overhead == 50

    def test_reads_every_kind_of_option(self) -> None:
        both = pair()
        both.begin()
        declared = both.client.parameters
        assert list(declared) == [option.uci_name for option in REGISTRY]
        assert declared["Move Overhead"] == Parameter("Move Overhead", "int", "10", 0, 5000)
        assert declared["Ponder"] == Parameter("Ponder", "bool", "false")
        assert declared["Square Names"].values == ("algebraic", "numeric")
        assert declared["UCI_Variant"].value == "international"
        assert declared["Clear Hash"].kind == "button"
        assert declared["Log File"] == Parameter("Log File", "string", "")

    def test_reads_names_and_values_of_several_words(self) -> None:
        session = UciClientSession()
        session.receive("option name Style Of Play type combo default Very Solid var Very Solid var Wild min max")
        style = session.parameters["Style Of Play"]
        assert (style.value, style.values) == ("Very Solid", ("Very Solid", "Wild min max"))

    def test_presses_a_button_and_empties_a_text(self) -> None:
        both = pair()
        both.pass_on(both.client.hello())
        lines = both.client.set_up(INTERNATIONAL, {"clear hash": "", "log file": ""})
        assert lines[1:3] == ["setoption name Clear Hash", "setoption name Log File value <empty>"]

    def test_refuses_what_the_engine_has_not(self) -> None:
        session = UciClientSession()
        session.hello()
        session.receive("option name Hash type spin default 16 min 1 max 1024")
        assert session.receive("uciok") == Greeted()
        with pytest.raises(OptionError, match="it has no option 'Threads'; it has Hash"):
            session.set_up(INTERNATIONAL, {"Threads": "2"})
        with pytest.raises(OptionError, match="takes a number from 1 to 1024, not '0'"):
            session.set_up(INTERNATIONAL, {"hash": "0"})
        with pytest.raises(VariantError, match="it declares no UCI_Variant"):
            session.set_up(CRODA, {})


class TestOrder:
    @pytest.mark.parametrize(
        ("limits", "words"),
        [
            (Limits(depth=9), "depth 9"),
            (Limits(nodes=1000), "nodes 1000"),
            (Limits(mate=3), "mate 3"),
            (Limits(move_time=0.25), "movetime 250"),
            (Limits(clock=GameClock(60, 0.5, 40)), "wtime 60000 btime 60000 winc 500 binc 500 movestogo 40"),
            (Limits(clock=GameClock(-0.25)), "wtime -250 btime -250"),
            (Limits(), "infinite"),
            (Limits(ponder=True, clock=GameClock(9)), "ponder wtime 9000 btime 9000"),
        ],
    )
    def test_says_the_limits(self, limits: Limits, words: str) -> None:
        both = pair()
        both.begin()
        assert both.client.ask(START, limits) == ["position startpos", f"go {words}"]

    def test_is_understood_with_its_history_and_its_limits(self) -> None:
        position = fen.read(TURKISH, "W:Wa2,c4:Bb6,Kh8:H7")
        before = position
        for text in ("a2-a3", "b6-b5"):
            position = position.play(moves.read(position, text))
        both = pair()
        both.begin(TURKISH)
        limits = Limits(depth=7, move_time=0.25, root_moves=(moves.read(position, "a3-a4"),))
        both.pass_on(both.client.ask(position, limits))
        assert both.sent == [
            f"position fen {fen.write(before)}:H7 moves a2-a3 b6-b5",
            "go movetime 250 depth 7 searchmoves a3-a4",
        ]
        assert both.engine.searched.position.cells == position.cells
        assert both.engine.searched.limits == limits

    def test_is_answered_with_what_was_found(self) -> None:
        both = pair()
        both.begin()
        both.pass_on(both.client.ask(START, Limits(depth=5)))
        told = [
            *both.engine.report("32-28", "19-23", score=12),
            *both.engine.report("31-26", score=90, bound=Bound.LOWER),
        ]
        (answer,) = both.hear([*told, *both.engine.answer("32-28", "19-23")])
        assert answer == Answered("32-28", "19-23", Found(5, 1234, Score(12), ("32-28", "19-23")))

    def test_may_be_answered_without_a_move(self) -> None:
        both = pair()
        both.begin()
        both.pass_on(both.client.ask(fen.read(INTERNATIONAL, "W:W:B20"), Limits(depth=5)))
        (answer,) = both.hear(both.engine.answer())
        assert answer == Answered(None, None, Found(0, None, Score(-10000)))

    def test_a_new_game_is_told_and_awaited(self) -> None:
        both = pair()
        both.begin()
        assert both.pass_on(both.client.new_game()) == [InStep()]
        assert both.sent == ["ucinewgame", "isready"]


class TestWhatComes:
    @pytest.mark.parametrize(
        ("words", "score"),
        [
            ("mate 1", Score(9999)),
            ("mate 3", Score(9995)),
            ("mate -2", Score(-9996)),
            ("mate 0", Score(-10000)),
            ("mate 100000", Score(8000)),
            ("cp -35", Score(-35)),
            ("cp 1e9", Score(10000)),
        ],
    )
    def test_scores_are_those_of_the_program(self, words: str, score: Score) -> None:
        session = searching()
        session.receive(f"info depth 3 score {words} nodes 7 pv 32-28")
        answer = session.receive("bestmove 32-28")
        assert answer == Answered("32-28", None, Found(3, 7, score, ("32-28",)))

    def test_reports_that_come_together_are_kept_and_the_last_with_a_score_counts(self) -> None:
        session = searching()
        first, second = "info depth 3 score cp 5 nodes 7 pv 32-28\n", "info depth 4 score cp 9 nodes 8 pv 31-27\r\n"
        assert session.put_aside((first + second).encode())
        assert session.put_aside(b"info depth 5 currmove 32-28\ninfo depth 5 score cp 1 lowerbound nodes 9 pv 32-28\n")
        assert session.receive("bestmove 31-27") == Answered("31-27", None, Found(4, 8, Score(9), ("31-27",)))

    @pytest.mark.parametrize(
        "data",
        [
            b"info depth 3\nbestmove 32-28\n",
            b"info depth 3\ninfo string position: no\n",
            b"info depth 3 sc",
            b"information is power\n",
            b"info depth 3\ninformation is power\n",
            b"info depth 3\n\n",
            b" info depth 3\n",
            b"\n",
        ],
    )
    def test_what_is_not_reports_only_is_not_put_aside(self, data: bytes) -> None:
        assert not searching().put_aside(data)

    def test_reports_without_a_search_are_not_put_aside(self) -> None:
        assert not UciClientSession().put_aside(b"info depth 3\n")

    def test_a_report_can_be_read_as_it_comes(self) -> None:
        session = searching()
        told = session.told("info depth 3 multipv 2 score cp 5 nodes 7 pv 32-28")
        assert told == Found(3, 7, Score(5), ("32-28",), 2)
        assert session.told("info depth 3 score cp 5 lowerbound pv 32-28") is None
        assert session.told("info string 12") is None

    def test_a_remark_is_no_report(self) -> None:
        session = searching()
        assert session.receive("info string position: no") == Complained("position: no")
        assert session.complaint == "position: no"

    @given(st.lists(st.text(max_size=60)))
    def test_no_line_leads_to_an_error(self, lines: list[str]) -> None:
        words = ("info depth", "info score", "bestmove", "option name", "id", "info string")
        for session in (UciClientSession(), searching()):
            for line in [*lines, *(f"{word} {line}" for line in lines for word in words)]:
                session.receive(line)
