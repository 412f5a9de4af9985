"""Driving an engine over Hub, held against our own session and against the lines of other engines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire.client_talk import Pair

from turkengine import __version__
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.score import Score
from turkengine.errors import OptionError, VariantError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.notation import fen, moves
from turkengine.rules.position import Position
from turkengine.wire.client_session import Answered, Complained, Found, Greeted, InStep, Ready, Stage
from turkengine.wire.hub import HubSession
from turkengine.wire.hub_client import HubClientSession

SCAN = (
    'id name=Scan version=3.1 author="Fabien Letouzey" country=France',
    'param name=variant value=normal type=enum values="normal killer bt frisian losing"',
    "param name=book value=true type=bool",
    "param name=threads value=1 type=int min=1 max=16",
    "wait",
)
START = Position.start(INTERNATIONAL)


def pair() -> Pair:
    return Pair(HubClientSession(), HubSession)


def scan() -> HubClientSession:
    """A client that Scan has greeted."""
    session = HubClientSession()
    session.hello()
    for line in SCAN:
        session.receive(line)
    return session


def searching() -> HubClientSession:
    session = scan()
    session.set_up(INTERNATIONAL, {})
    session.receive("ready")
    session.ask(START, Limits(depth=5))
    return session


class TestBeginning:
    def test_greets_chooses_the_variant_sets_options_and_waits_until_it_is_ready(self) -> None:
        both = pair()
        events = both.begin(TURKISH, threads="2", hash="1")
        assert events == [Greeted(), Ready()]
        assert both.sent == [
            "set-param name=variant value=turkish",
            "set-param name=threads value=2",
            "set-param name=hash value=1",
            "init",
        ]
        assert both.client.stage is Stage.IDLE
        assert both.client.name == f"turkengine {__version__}"
        assert both.engine.session.options.variant is TURKISH

    def test_calls_a_variant_as_the_engine_does(self) -> None:
        assert scan().set_up(INTERNATIONAL, {}) == ["set-param name=variant value=normal", "init"]

    def test_refuses_a_variant_that_the_engine_does_not_play(self) -> None:
        with pytest.raises(VariantError, match="it does not play croda; it plays normal, killer, bt"):
            scan().set_up(CRODA, {})

    def test_takes_an_engine_without_variants_for_one_of_the_usual_game(self) -> None:
        session = HubClientSession()
        session.hello()
        assert session.receive("wait") == Greeted()
        assert session.set_up(INTERNATIONAL, {}) == ["init"]
        with pytest.raises(VariantError, match="it declares no variant, so it plays international only"):
            session.set_up(TURKISH, {})

    @pytest.mark.parametrize(
        ("name", "value", "message"),
        [
            ("boook", "true", "it has no option 'boook'; it has variant, book, threads"),
            ("book", "yes", "its option book takes true or false, not 'yes'"),
            ("threads", "17", "its option threads takes a number from 1 to 16, not '17'"),
            ("threads", "two", "its option threads takes a number, not 'two'"),
            ("variant", "go", "its option variant takes one of normal, killer"),
            ("book", 'true"', "a line cannot say that"),
            ("book", "true\nquit", "a line cannot say that"),
        ],
    )
    def test_refuses_an_option_that_the_engine_has_not_or_that_does_not_take_the_value(
        self, name: str, value: str, message: str
    ) -> None:
        with pytest.raises(OptionError, match=message):
            scan().set_up(INTERNATIONAL, {name: value})

    def test_hears_a_complaint(self) -> None:
        session = scan()
        session.set_up(INTERNATIONAL, {})
        assert session.receive('error message="no such file"') == Complained("no such file")


class TestOrder:
    @pytest.mark.parametrize(
        ("limits", "lines"),
        [
            (Limits(depth=9), ["level depth=9", "go think"]),
            (Limits(nodes=1000, depth=9), ["level depth=9", "level nodes=1000", "go think"]),
            (Limits(move_time=1e-5), ["level move-time=0.00001", "go think"]),
            (Limits(clock=GameClock(60, 0.5, 40)), ["level moves=40 time=60 inc=0.5", "go think"]),
            (Limits(clock=GameClock(-0.25)), ["level time=-0.25", "go think"]),
            (Limits(), ["level infinite", "go think"]),
            (Limits(infinite=True, analysis=True), ["level infinite", "go analyze"]),
            (Limits(ponder=True, clock=GameClock(9)), ["level time=9", "go ponder"]),
        ],
    )
    def test_says_the_limits(self, limits: Limits, lines: list[str]) -> None:
        both = pair()
        both.begin()
        sent = both.client.ask(START, limits)
        assert sent[0] == "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"
        assert sent[1:] == lines

    def test_is_understood_with_its_history_and_its_limits(self) -> None:
        position = START
        for text in ("32-28", "19-23", "28x19"):
            position = position.play(moves.read(position, text))
        both = pair()
        both.begin()
        limits = Limits(depth=7, nodes=5000, move_time=0.25, clock=GameClock(60, 0.5, 40))
        assert both.pass_on(both.client.ask(position, limits)) == []
        assert both.sent[0].endswith('moves="32-28 19-23 28x19x23"')
        assert both.engine.searched.position.cells == position.cells
        assert both.engine.searched.position.follows_a_move
        assert both.engine.searched.limits == limits

    def test_is_answered_with_what_was_found(self) -> None:
        both = pair()
        both.begin()
        both.pass_on(both.client.ask(START, Limits(depth=5)))
        told = [*both.engine.report("31-26", score=-3), *both.engine.report("32-28", "19-23", score=12)]
        (answer,) = both.hear([*told, *both.engine.answer("32-28", "19-23")])
        assert answer == Answered("32-28", "19-23", Found(5, 1234, Score(12), ("32-28", "19-23")))
        assert both.client.stage is Stage.IDLE

    def test_may_be_answered_without_a_move(self) -> None:
        both = pair()
        both.begin()
        lost = fen.read(INTERNATIONAL, "W:W:B20")
        both.pass_on(both.client.ask(lost, Limits(depth=5)))
        (answer,) = both.hear(both.engine.answer())
        assert answer == Answered(None, None, Found(0, 0, Score(-10000)))


class TestWhatComes:
    def test_the_best_line_counts_and_bad_reports_are_passed_over(self) -> None:
        session = searching()
        session.receive("info depth=9 score=0.5 nodes=10 pv=32-28")
        session.receive("info depth=9 score=0.1 nodes=20 multipv=2 pv=31-27")
        for bad in ("depth=x score=1", "score=much", "score=nan", 'pv="32-28', "", "depth=3"):
            session.receive(f"info {bad}")
        assert session.receive("done move=32-28") == Answered("32-28", None, Found(9, 10, Score(50), ("32-28",)))

    def test_a_report_can_be_read_as_it_comes(self) -> None:
        session = searching()
        line = "info depth=9 score=0.1 nodes=20 multipv=2 pv=31-27"
        assert session.told(line) == Found(9, 20, Score(10), ("31-27",), 2)
        assert session.told("info depth=9") is None
        assert session.told("done move=32-28") is None
        session.receive("done move=32-28")
        assert session.told(line) is None, "nothing is searched any more"

    def test_an_answer_without_a_report_is_one(self) -> None:
        assert searching().receive("done move=31-26 ponder=20-25") == Answered("31-26", "20-25", Found())

    def test_an_answer_that_nobody_waits_for_is_kept(self) -> None:
        session = searching()
        session.receive("done move=31-26")
        assert session.receive("done move=31-27") is None
        assert session.unasked == "done move=31-27"

    def test_the_first_line_that_is_no_hub_is_kept(self) -> None:
        session = searching()
        assert session.receive("Segmentation fault") is None
        assert session.receive("more") is None
        assert session.strange == "Segmentation fault"

    def test_being_in_step_is_heard_in_a_search_too(self) -> None:
        session = searching()
        assert session.receive("pong") == InStep()
        assert session.stage is Stage.SEARCHING

    @given(st.lists(st.text(max_size=60)))
    def test_no_line_leads_to_an_error(self, lines: list[str]) -> None:
        for session in (HubClientSession(), scan(), searching()):
            for line in [*lines, *(f"{word} {line}" for line in lines for word in ("info", "done", "param", "id"))]:
                session.receive(line)
