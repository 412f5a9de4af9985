"""Hub, line by line, with an engine that does only what the test says."""

from __future__ import annotations

import re

import pytest
from engine.fakes import Kernel
from wire.talk import Talk

from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import WEAKEST_ELO, Options
from turkengine.engine.report import Bound
from turkengine.wire.actions import Configure, NewGame, PonderHit, Quit, Reply, Settle, StopSearch
from turkengine.wire.hub import HubSession
from turkengine.wire.session import State

TURKISH_START = "W" + "e" * 8 + "b" * 16 + "e" * 16 + "w" * 16 + "e" * 8


@pytest.fixture
def talk() -> Talk:
    return Talk(HubSession)


def test_the_handshake_declares_the_variant_first_and_every_key_in_order(talk: Talk) -> None:
    first, *parameters, last = talk.say("hub")
    assert re.fullmatch(r'id name=turkengine version=\S+ author="the turkengine authors" country=International', first)
    assert (
        parameters[0] == 'param name=variant value=normal type=enum values="normal turkish turkish-app croda killer '
        'brazilian russian pool english italian spanish portuguese czech german spantsireti thai armenian"'
    ), "the first parameter, with the traditional name of the 10x10 game"
    assert "param name=multi-pv value=1 type=int min=1 max=500" in parameters
    assert "param name=ponder value=false type=bool" in parameters
    assert "param name=skill-level value=20 type=int min=0 max=20" in parameters
    assert "param name=limit-strength value=false type=bool" in parameters
    assert f"param name=elo value=1500 type=int min={WEAKEST_ELO} max=2400" in parameters
    assert 'param name=log-file value="" type=string' in parameters
    assert last == "wait"
    assert not any("clear-hash" in line for line in parameters), "Hub has no buttons"


def test_every_line_of_the_handshake_and_the_answer_stand_apart(talk: Talk) -> None:
    talk.say("hub", "init", "level depth=1", "go")
    talk.report("32-28")
    talk.answer("32-28")
    apart = {action.line.split()[0]: action.apart for action in talk.actions if isinstance(action, Reply)}
    assert apart == {"id": True, "param": True, "wait": True, "ready": True, "info": False, "done": True}


def test_options_set_before_init_come_into_force_together(talk: Talk) -> None:
    assert talk.say("hub")[-1] == "wait"
    assert talk.say("set-param name=threads value=2", "set-param name=hash value=16") == []
    assert talk.actions[-1] != Configure(talk.session.options)
    assert talk.say("init") == ["ready"]
    assert talk.actions[-3:-1] == [Configure(talk.session.options), Settle()], "what is said is true"
    assert (talk.session.options.threads, talk.session.options.hash) == (2, 16)
    assert talk.say("init") == ["ready"], "init may come twice"


def test_set_param_works_after_init_and_between_pos_and_go(talk: Talk) -> None:
    talk.say("init", f"pos pos={'W' + 'e' * 19 + 'b' + 'e' * 11 + 'w' + 'e' * 18}")
    talk.say("set-param name=threads value=2")
    assert talk.actions[-1] == Configure(talk.session.options)
    talk.say("level depth=3", "go think")
    assert talk.searched.position.cells.count("w") == 1


def test_a_go_that_cannot_be_taken_apart_is_answered(talk: Talk) -> None:
    talk.say("hub", "init", "level depth=1")
    assert talk.say('go "') == ['error message="go: a double quote is opened and not closed"']
    assert talk.answer("32-28") == ["done move=32-28"]


def test_go_before_init_initialises(talk: Talk) -> None:
    talk.say("go")
    assert [type(action).__name__ for action in talk.actions] == ["Configure", "StartSearch"]


@pytest.mark.parametrize(
    "line",
    [
        "set-param name=log-file value=a b",
        "set-param name=hash value=many",
        "set-param name=ponder",
        "set-param value=3",
        'set-param name=log-file value="a b',
        "set-param name=variant value=chess",
        "level depth=x",
        "level depth=-1",
        "level move-time=nan",
        "level time=1e999",
        "level nodes=",
        "pos pos=Wbe",
        "pos pos=" + "W" + "x" * 50,
        'pos moves="32-28 32-28"',
        'level depth=2 mood="a',
    ],
)
def test_a_wrong_value_leads_to_one_error_and_changes_nothing(talk: Talk, line: str) -> None:
    talk.say("init", 'pos moves="32-28"', "level depth=7")
    before, position = talk.session.options, talk.session.position
    (error,) = talk.say(line)
    assert re.fullmatch(r'error message="[^"=]+"', error)
    assert talk.session.options == before
    assert talk.session.position is position
    talk.say("go")
    assert talk.searched.limits == Limits(depth=7)


@pytest.mark.parametrize(
    ("before", "line", "limits"),
    [
        ([], "level depth=x nodes=5", Limits(nodes=5)),
        (["level depth=2"], "level depth=deep nodes=5", Limits(depth=2, nodes=5)),
        ([], "level infinite moves=x", Limits(infinite=True)),
        ([], "level time=5 moves=-1", Limits(clock=GameClock(5.0))),
        ([], "level depth=x", Limits(move_time=0.1)),
        (["level nodes=many"], "level infinite=false depth=-1", Limits(move_time=0.1)),
        ([], 'level depth="2', Limits(move_time=0.1)),
    ],
)
def test_a_level_is_used_as_far_as_it_makes_sense(talk: Talk, before: list[str], line: str, limits: Limits) -> None:
    talk.say(*before)
    (told,) = talk.say(line)
    assert told.startswith('error message="level: ')
    said = talk.say("go think")
    assert talk.searched.limits == limits
    assert bool(said) == (limits.move_time is not None), "a search that nobody has asked for is announced"
    talk.answer("32-28")
    assert talk.say("go") == []
    assert talk.searched.limits == Limits(infinite=True), "what was wrong with a level is over with its search"


def test_help_is_one_line_that_a_client_can_read(talk: Talk) -> None:
    (told,) = talk.say("help")
    assert re.fullmatch(r'error message="[^"=]+"', told)


def test_what_is_unknown_is_ignored(talk: Talk) -> None:
    lines = [
        "xyzzy",
        'open "quote',
        "",
        "  ",
        "\x00",
        "set-param name=initial-time value=60",
        "set-param name=eval value=x",
    ]
    assert talk.say(*lines) == []
    assert talk.say('level depth=2 mood="a=b c" quickly') == []
    talk.say("go hopefully")
    assert talk.searched.limits == Limits(depth=2)


def test_a_quoted_value_keeps_its_blanks(talk: Talk) -> None:
    talk.say('set-param name=log-file value="my file"')
    assert talk.session.options.log_file == "my file"


def test_blanks_of_every_kind_are_the_same(talk: Talk) -> None:
    talk.say("\tset-param \t name=threads   value=2 ", " level\tdepth=4\t", " go  think ")
    assert talk.session.options.threads == 2
    assert talk.searched.limits == Limits(depth=4)


@pytest.mark.parametrize(
    ("lines", "limits"),
    [
        (["level depth=5"], Limits(depth=5)),
        (["level move-time=0.5", "level nodes=1000"], Limits(move_time=0.5, nodes=1000)),
        (["level time=60 inc=1"], Limits(clock=GameClock(60.0, 1.0))),
        (["level moves=40 time=300"], Limits(clock=GameClock(300.0, moves=40))),
        (["level moves=0 time=300"], Limits(clock=GameClock(300.0))),
        (["level time=1e-05 inc=2"], Limits(clock=GameClock(1e-05, 2.0))),
        (["level time=-3"], Limits(clock=GameClock(-3.0))),
        (["level depth=5", "level infinite"], Limits(depth=5, infinite=True)),
        ([], Limits(infinite=True)),
        (["level handicap=2", "level ply=3", "level depth=9"], Limits(depth=9)),
        (["level depth=99999999999999999999"], Limits(depth=10**15)),
    ],
)
def test_levels_add_up(talk: Talk, lines: list[str], limits: Limits) -> None:
    assert talk.say(*lines, "go think") == []
    assert talk.searched.limits == limits


def test_pos_and_the_end_of_a_search_take_the_level_back(talk: Talk) -> None:
    talk.say("level depth=5", "pos", "go")
    assert talk.searched.limits == Limits(infinite=True)
    talk.answer()
    talk.say("level depth=5", "go")
    talk.answer()
    talk.say("go")
    assert talk.searched.limits == Limits(infinite=True)


def test_ping_is_answered_in_a_search_and_the_rest_waits_in_order(talk: Talk) -> None:
    talk.say("go analyze")
    assert talk.say("ping", "pos", "level depth=1", "go", "set-param name=hash value=x", "ping") == ["pong", "pong"]
    assert talk.searches == 1
    talk.say("stop")
    assert talk.answer("32-28")[-1] == "done move=32-28"
    assert talk.searches == 2
    assert talk.searched.limits == Limits(depth=1)
    done, error = talk.answer("32-28")
    assert done == "done move=32-28"
    assert error.startswith("error message=")


def test_a_stop_belongs_to_the_search_it_arrived_in(talk: Talk) -> None:
    talk.say("stop", "go", "go", "stop", "stop", "stop")
    assert (talk.searches, talk.stops) == (1, 1)
    talk.answer()
    assert (talk.searches, talk.stops) == (2, 1)
    talk.say("stop")
    talk.answer()
    talk.say("stop", "ponder-hit")
    assert (talk.searches, talk.stops) == (2, 2)
    assert not any(isinstance(action, PonderHit) for action in talk.actions)


def test_ponder_hit_and_stop_together_end_in_one_answer(talk: Talk) -> None:
    talk.say("level time=60", "go ponder")
    assert talk.searched.limits == Limits(clock=GameClock(60.0), ponder=True)
    assert talk.say("ponder-hit", "stop", "ponder-hit") == []
    assert [type(action).__name__ for action in talk.actions[-2:]] == ["PonderHit", "StopSearch"]
    assert talk.answer("32-28", "19-23") == ["done move=32-28 ponder=19-23"]
    assert talk.answer("32-28") == []


def test_an_info_line_has_its_fields_in_order_and_units(talk: Talk) -> None:
    talk.say("go")
    assert talk.report("32-28", "19-23", "28x19", score=35) == [
        'info depth=5 mean-depth=6.2 score=0.35 nodes=1234 time=0.500 nps=0.002 pv="32-28 19-23 28x19x23"'
    ]
    assert talk.report("32-28")[0].endswith(" pv=32-28"), "one move needs no quotes"
    assert talk.report("32-28", bound=Bound.LOWER) == [], "Hub has no word for a bound"


def test_a_win_is_a_hundred_less_a_hundredth_a_ply(talk: Talk) -> None:
    talk.say("go")
    assert " score=99.97 " in talk.report("32-28", score=9997)[0]
    assert " score=-99.98 " in talk.report("32-28", score=-9998)[0]
    assert " score=89.80 " in talk.report("32-28", score=8980)[0]


def test_multipv_is_shown_only_where_asked_for(talk: Talk) -> None:
    talk.say("set-param name=multi-pv value=2", "go")
    assert " multipv=2 " in talk.report("32-28", rank=2)[0]


def test_a_position_without_a_move_ends_in_a_bare_done(talk: Talk) -> None:
    talk.say("pos pos=Wbeeeewe" + "e" * 43, "go ponder")
    info, done = talk.answer()
    assert info.startswith("info depth=0 ")
    assert " score=-100.00 " in info
    assert done == "done"


def test_the_8x8_games_have_letters_from_a8_and_numbers_if_wanted(talk: Talk) -> None:
    talk.say("set-param name=variant value=turkish", f'pos pos={TURKISH_START} moves="a3-a4 h6-h5"', "go")
    assert talk.searched.position.variant.name == "turkish"
    assert talk.answer("b3-b4") == ["done move=b3-b4"]
    talk.say("set-param name=square-names value=numeric", 'pos moves="17-25"', "go")
    assert talk.answer("h6-h5") == ["done move=48-40"]


def test_another_variant_starts_at_its_own_start_position(talk: Talk) -> None:
    talk.say('pos moves="32-28"', "set-param name=variant value=croda")
    assert talk.session.position.cells.count("w") == 24
    talk.say("set-param name=variant value=normal")
    assert talk.session.position.variant.name == "international"


def test_captures_take_every_captured_square_in_any_order_or_none(talk: Talk) -> None:
    board = ["e"] * 50
    for square, letter in ((28, "w"), (48, "w"), (12, "b"), (22, "b")):
        board[square - 1] = letter
    position = "W" + "".join(board)
    for text in ("28x8", "28x17x8", "28x8x12x22", "28x8x22x12"):
        assert talk.say(f'pos pos={position} moves="{text}"') == []
        assert talk.session.position.cells.count("b") == 0
    (error,) = talk.say(f'pos pos={position} moves="28x17"')
    assert "move 1" in error
    assert "5.4.9" in error


def test_a_bad_move_is_named_by_its_ply(talk: Talk) -> None:
    (error,) = talk.say('pos moves="32-28 19-23 40-40"')
    assert "move 3" in error


def test_new_game_forgets(talk: Talk) -> None:
    talk.say("new-game")
    assert talk.actions == [NewGame()]


def test_end_of_input_ends_an_idle_session_at_once_and_is_the_last_word(talk: Talk) -> None:
    talk.end()
    assert talk.actions == [Quit()]
    assert talk.session.state is State.CLOSED
    assert talk.say("ping", "go") == []
    assert talk.end() == []


def test_end_of_input_in_a_search_still_answers_what_was_asked(talk: Talk) -> None:
    talk.say("go", "pos", "level depth=3", "go")
    talk.end()
    assert talk.actions[-1] == StopSearch()
    assert talk.answer("32-28") == ["done move=32-28"]
    assert (talk.searches, talk.stops) == (2, 2)
    assert talk.answer("32-28") == ["done move=32-28"]
    assert talk.actions[-1] == Quit()


def test_quit_ends_a_search_without_an_answer(talk: Talk) -> None:
    talk.say("go", "quit")
    assert talk.actions[-1] == Quit()
    assert talk.answer("32-28") == []


def test_complaints_from_before_come_with_the_first_reply() -> None:
    session = HubSession(Options(), Kernel, ['turkengine.toml: "x" = 1'])
    assert session.receive("nonsense") == []
    first, *rest = session.receive("ping")
    assert first == Reply("error message=\"turkengine.toml: 'x' : 1\"")
    assert rest == [Reply("pong")]


def test_twelve_hundred_plies_are_set_and_counted(talk: Talk) -> None:
    moves = " ".join(["48-42 3-8 42-48 8-3"] * 30)
    talk.say("pos pos=WeeBeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeWee " + f'moves="{moves}"')
    assert talk.session.position.no_progress == 120
    assert talk.session.position.occurrences == 31


def test_a_long_script_waits_as_a_whole(talk: Talk) -> None:
    talk.say("level depth=1", "go")
    assert talk.say(*['pos moves="32-28"', "level depth=1", "go"] * 10_000) == []
    for _ in range(100):
        talk.answer()
    assert talk.searches == 101


def test_what_waits_takes_no_more_than_its_room_and_what_is_dropped_is_told_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turkengine.wire.backlog.MOST_WAITING", 200)
    talk.say("go")
    assert talk.say("new-game", "what", "new-game") == []
    (error,) = talk.say("pos", "go", "new-game")
    assert error == 'error message="pos: too many commands wait; this one and all after it are dropped"'
    assert talk.say("ping") == ["pong"]
    talk.answer()
    assert talk.actions.count(NewGame()) == 2
    talk.say("go", "new-game")
    talk.answer()
    assert talk.actions.count(NewGame()) == 3, "there is room again"


def test_analyze_asks_to_know_rather_than_to_play_so_a_single_move_is_searched_too(talk: Talk) -> None:
    talk.say("level move-time=1", "go analyze")
    assert talk.searched.limits == Limits(move_time=1.0, analysis=True)


def test_an_error_repeats_no_more_of_a_long_word_than_tells_which_it_is(talk: Talk) -> None:
    (error,) = talk.say("set-param " + "a" * 1000)
    assert "'aaaaa" in error
    assert len(error) < 200
