"""The UCI-like dialect, line by line, with an engine that does only what the test says."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from engine.fakes import Kernel
from wire.talk import Talk

from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import WEAKEST_ELO, Options
from turkengine.engine.perft import Count, count
from turkengine.engine.report import Bound
from turkengine.engine.score import Score
from turkengine.notation import moves
from turkengine.rules.variant import Side
from turkengine.wire.actions import (
    ClearTable,
    Configure,
    Finish,
    Quit,
    Reply,
    Settle,
    StartBench,
    StartPerft,
    StartSearch,
)
from turkengine.wire.auto import DetectingSession
from turkengine.wire.session import State
from turkengine.wire.uci import UciSession, score_words


@pytest.fixture
def talk() -> Talk:
    return Talk(UciSession)


def test_the_handshake_declares_every_option_by_its_name_here(talk: Talk) -> None:
    lines = talk.say("uci")
    assert re.fullmatch(r"id name turkengine \S+", lines[0])
    assert lines[1].startswith("id author ")
    assert lines[-1] == "uciok"
    for line in (
        "option name UCI_Variant type combo default international"
        " var international var turkish var turkish-app var croda var killer var brazilian var russian var pool"
        " var english var italian var spanish var portuguese var czech var german var spantsireti var thai"
        " var armenian",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name Ponder type check default false",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name UCI_LimitStrength type check default false",
        f"option name UCI_Elo type spin default 1500 min {WEAKEST_ELO} max 2400",
        "option name Log File type string default <empty>",
        "option name Clear Hash type button",
    ):
        assert line in lines


def test_a_preset_option_is_declared_as_the_default() -> None:
    assert "option name Threads type spin default 2 min 1 max 256" in Talk(UciSession, threads=2).say("uci")


def test_sizes_are_declared_as_they_are_in_force_and_with_what_the_machine_has() -> None:
    session = UciSession(Options(hash=99_999_999, threads=900), Kernel, most={"hash": 4000, "threads": 8})
    session.in_force(Options(hash=3000, threads=8))
    declared = [action.line for action in session.receive("uci") if isinstance(action, Reply)]
    assert "option name Hash type spin default 3000 min 1 max 4000" in declared
    assert "option name Threads type spin default 8 min 1 max 8" in declared


def test_a_client_that_sends_back_all_that_it_was_shown_changes_nothing() -> None:
    asked = Options(hash=99_999_999, contempt=-7, log_file="a b.log")
    session = UciSession(asked, Kernel)
    session.in_force(replace(asked, hash=3000))
    for action in session.receive("uci"):
        assert isinstance(action, Reply)
        found = re.match(r"option name (.+) type \w+ default (.*?)( min .*| var .*)?$", action.line)
        assert not found or session.receive(f"setoption name {found[1]} value {found[2]}") == []
    assert session.receive("isready")[0] == Configure(asked), "what was asked for is still what is asked for"
    (configure,) = session.receive("setoption name Hash value 16")
    assert configure == Configure(replace(asked, hash=16))


def test_what_could_not_be_had_is_not_asked_for_again_but_the_sizes_are(talk: Talk) -> None:
    talk.say("setoption name Hash value 5000", "setoption name Log File value /nowhere/log")
    talk.session.in_force(Options(hash=3000))
    talk.say("setoption name MultiPV value 2")
    assert talk.actions[-1] == Configure(Options(hash=5000, multi_pv=2))


def test_option_names_are_case_blind_and_hold_blanks_and_values_stay_to_the_letter(talk: Talk) -> None:
    talk.say("setoption name move  OVERHEAD value 50", "setoption name Log File value C:\\My Files\\a  b.log ")
    assert talk.session.options.move_overhead == 50
    assert talk.session.options.log_file == "C:\\My Files\\a  b.log"
    talk.say("setoption name log file value <empty>")
    assert talk.session.options.log_file == ""
    assert talk.actions[-1] == Configure(talk.session.options)


def test_a_button_is_pressed(talk: Talk) -> None:
    assert talk.say("setoption name Clear Hash") == []
    assert talk.actions == [ClearTable()]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("setoption name Hsah value 32", "setoption: no option is called 'Hsah'; did you mean Hash?"),
        (
            "setoption name move overhaed value 5",
            "setoption: no option is called 'move overhaed'; did you mean Move",
        ),
        ("setoption name Xylophone value true", "setoption: no option is called 'Xylophone'"),
        ("foo", "the command 'foo' is not known; help lists those that are"),
        ("GO depth 4", "the command 'GO' is not known; did you mean go?"),
        ("postion startpos", "the command 'postion' is not known; did you mean position?"),
        ("position startpso", "position: a position is 'startpos' or 'fen', not 'startpso'; did you mean startpos?"),
        ("position startpos 32-28", "position: the word 'moves' is missing before '32-28'"),
        ("position startpos mvoes 32-28", "position: the word 'mvoes' is not known; did you mean moves?"),
        ("position fen W:W31:B20 31-27", "position: the word 'moves' is missing before '31-27'"),
        ("position fen W:W31:B2 3-8", "position: the word 'moves' is missing before '3-8'"),
    ],
)
def test_a_word_that_is_not_known_is_named_with_the_nearest_and_changes_nothing(
    talk: Talk, line: str, said: str
) -> None:
    talk.say("position startpos moves 32-28")
    before, position = talk.session.options, talk.session.position
    (told,) = talk.say(line)
    assert told.startswith(f"info string {said}")
    assert (talk.session.options, talk.session.position) == (before, position)
    assert talk.searches == 0


def test_a_fen_with_blanks_where_they_mean_nothing_is_still_one(talk: Talk) -> None:
    assert talk.say("position fen W : W 31-35, 40 : B 1-10 , 20 moves 31-26") == []
    assert talk.session.position.side is Side.BLACK


def test_an_unknown_command_is_named_at_once_in_a_search_too(talk: Talk) -> None:
    talk.say("go infinite")
    assert len(talk.say("stpo")) == 1
    assert talk.stops == 0


def test_help_lists_every_command(talk: Talk) -> None:
    told = talk.say("help")
    assert all(line.startswith("info string ") for line in told)
    words = set(re.findall("[a-z]+", " ".join(told)))
    assert set(talk.session.commands()) - words == {"debug", "help"}


def test_whoever_asks_for_help_first_has_chosen_no_dialect() -> None:
    session = DetectingSession(Options(), Kernel)
    assert session.receive(" help ")
    assert session.receive("hub")[-1] == Reply("wait", apart=True)


def test_variant_is_a_word_of_its_own(talk: Talk) -> None:
    assert talk.say("ucinewgame", "variant turkish", "position startpos moves a3-a4", "go wtime 5000 btime 4000") == []
    assert talk.searched.position.variant.name == "turkish"
    assert talk.searched.limits == Limits(clock=GameClock(4.0))


@pytest.mark.parametrize(
    "line",
    [
        "setoption name Hash value lots",
        "setoption name Hash",
        "setoption Hash 5",
        "variant chess",
        "position",
        "position nowhere",
        "position fen W:W1",
        "position fen W:W31:B1:B2",
        "position fen W:W6,6:B1",
        "position startpos moves 32-28 32-28",
        "perft x",
        "perft",
    ],
)
def test_a_wrong_value_leads_to_one_line_and_changes_nothing(talk: Talk, line: str) -> None:
    talk.say("position startpos moves 32-28")
    before, position, done = talk.session.options, talk.session.position, list(talk.actions)
    (error,) = talk.say(line)
    assert re.fullmatch(rf"info string {line.split()[0]}: .+", error)
    assert talk.session.options == before
    assert talk.session.position is position
    assert talk.session.state is State.IDLE
    assert talk.actions == [*done, Reply(error)]


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("", Limits(infinite=True)),
        ("infinite", Limits(infinite=True)),
        ("depth 5 nodes 100", Limits(depth=5, nodes=100)),
        ("depth 0", Limits(depth=0)),
        ("mate 3", Limits(mate=3)),
        ("movetime 100", Limits(move_time=0.1)),
        ("movetime -5", Limits(move_time=-0.005)),
        ("wtime 60000 btime 50000 winc 1000 binc 2000", Limits(clock=GameClock(60.0, 1.0))),
        ("wtime 1", Limits(clock=GameClock(0.001))),
        ("wtime 50 movestogo 1", Limits(clock=GameClock(0.05, moves=1))),
        ("wtime 50 movestogo 0", Limits(clock=GameClock(0.05))),
        ("btime 3000", Limits(clock=GameClock(3.0))),
        ("ponder wtime 3000 depth 3", Limits(clock=GameClock(3.0), depth=3, ponder=True)),
        ("wtime 1e-05", Limits(clock=GameClock(1e-08))),
    ],
)
def test_limits_are_read(talk: Talk, words: str, limits: Limits) -> None:
    assert talk.say(f"go {words}") == []
    assert talk.searched.limits == limits


A_MOMENT = "; nothing else limits the search, so it lasts 0.1 s"


@pytest.mark.parametrize(
    ("words", "limits", "said"),
    [
        ("movestogo -1 depth 2", Limits(depth=2), "movestogo takes a whole number from 0, not '-1'"),
        ("depth x nodes 100", Limits(nodes=100), "depth takes a whole number from 0, not 'x'"),
        ("depth nodes 5", Limits(nodes=5), "depth takes a whole number from 0, not ''"),
        ("depth 2 depth x", Limits(depth=2), "depth takes a whole number from 0, not 'x'"),
        ("infinite depth x", Limits(infinite=True), "depth takes a whole number from 0, not 'x'"),
        ("wtime inf btime 5000", Limits(clock=GameClock(5.0)), "wtime takes a number, not 'inf'"),
        ("quickly wtime 1", Limits(clock=GameClock(0.001)), "the word 'quickly' is not known"),
        ("deph 5 nodes 3", Limits(nodes=3), "the word 'deph' is not known; did you mean depth?"),
        ("depth 5 6 7", Limits(depth=5), "the word '6' is not known"),
        ("depth x", Limits(move_time=0.1), "depth takes a whole number from 0, not 'x'" + A_MOMENT),
        ("depth", Limits(move_time=0.1), "depth takes a whole number from 0, not ''" + A_MOMENT),
        ("mate 0", Limits(move_time=0.1), "mate takes a whole number from 1, not '0'" + A_MOMENT),
        ("wtime inf", Limits(move_time=0.1), "wtime takes a number, not 'inf'" + A_MOMENT),
        ("movestogo x", Limits(move_time=0.1), "movestogo takes a whole number from 0, not 'x'" + A_MOMENT),
        ("movestogo 3 foo", Limits(move_time=0.1), "the word 'foo' is not known" + A_MOMENT),
        ("ponder depth x", Limits(move_time=0.1, ponder=True), "depth takes a whole number from 0, not 'x'" + A_MOMENT),
        ("deph 5", Limits(move_time=0.1), "the word 'deph' is not known; did you mean depth?" + A_MOMENT),
        ("searchmoves", Limits(move_time=0.1), "searchmoves: no move follows" + A_MOMENT),
        ("a depth b nodes c mate d movetime e", Limits(move_time=0.1), "nodes takes"),
    ],
)
def test_every_go_is_searched_with_what_is_good_in_it_and_the_rest_is_named(
    talk: Talk, words: str, limits: Limits, said: str
) -> None:
    (told,) = talk.say(f"go {words}")
    assert told.startswith("info string go: ")
    assert said in told
    assert talk.searched.limits == limits
    assert talk.answer("32-28") == ["bestmove 32-28"]


def test_moves_that_cannot_be_searched_are_named_and_the_others_searched(talk: Talk) -> None:
    (told,) = talk.say("go depth 4 searchmoves 32-28 31-10 xx")
    assert re.fullmatch(r"info string go: searchmoves: .*31-10.*; searchmoves: .*'xx'.*", told)
    assert talk.searched.limits == Limits(depth=4, root_moves=(moves.read(talk.searched.position, "32-28"),))
    talk.answer()
    assert talk.say("go searchmoves 31-10")[0].endswith(A_MOMENT)
    assert talk.searched.limits == Limits(move_time=0.1)
    talk.answer()
    talk.say("go searchmoves 32-28 31-10")
    assert talk.searched.limits.infinite, "as without the bad one"


def test_a_go_of_a_hundred_thousand_faults_is_answered_at_once_in_one_line(talk: Talk) -> None:
    began = time.perf_counter()
    strange = " ".join(f"w{number} depth" for number in range(50_000))
    (told,) = talk.say(f"go {strange} searchmoves " + " ".join(f"1-2x{number}" for number in range(50_000)))
    assert told.count("; ") < 8
    assert len(told) < 1000
    assert time.perf_counter() - began < 2.0


def test_searchmoves_end_where_another_word_of_go_begins(talk: Talk) -> None:
    talk.say("go searchmoves 32-28 31-27 31-27 depth 3")
    position = talk.searched.position
    assert talk.searched.limits == Limits(
        depth=3, root_moves=(moves.read(position, "32-28"), moves.read(position, "31-27"))
    )


def test_when_idle_only_isready_is_answered(talk: Talk) -> None:
    assert talk.say("stop", "stop", "ponderhit", "debug on", "isready", "") == ["readyok"]
    assert talk.searches == 0


def test_in_a_search_isready_overtakes_what_waits(talk: Talk) -> None:
    talk.say("go infinite")
    assert talk.say("setoption name Hash value 32", "ucinewgame", "isready") == ["readyok"]
    assert talk.session.options.hash == 64
    talk.say("stop")
    assert talk.answer("32-28") == ["bestmove 32-28"]
    assert talk.session.options.hash == 32
    assert [type(action).__name__ for action in talk.actions[-2:]] == ["Configure", "NewGame"]


def test_a_report_has_every_field_and_legal_moves_in_landing_form(talk: Talk) -> None:
    talk.say("go")
    assert talk.report("32-28", "19-23", "28x19", score=-35) == [
        "info depth 5 seldepth 7 score cp -35 nodes 1234 nps 2468 hashfull 3 tbhits 0 time 500 pv 32-28 19-23 28x19"
    ]
    assert " score cp 0 lowerbound nodes " in talk.report("32-28", bound=Bound.LOWER)[0]


def test_a_timed_search_tells_no_more_than_somebody_can_follow(talk: Talk) -> None:
    talk.say("go wtime 1000 btime 1000")
    told = [bool(talk.report("32-28", time=milliseconds / 1000)) for milliseconds in range(1, 41)]
    assert [milliseconds for milliseconds, was in enumerate(told, start=1) if was] == [10, 20, 30, 40]
    assert talk.answer("32-28") == ["bestmove 32-28"]


def test_the_last_exact_report_of_a_timed_search_is_told_with_the_answer(talk: Talk) -> None:
    talk.say("go wtime 1000 btime 1000")
    assert talk.report("31-27", time=0.001) == talk.report("32-28", score=8, time=0.002) == []
    assert talk.report("31-26", bound=Bound.LOWER, time=0.003) == []
    info, answer = talk.answer("32-28")
    assert " score cp 8 nodes " in info
    assert info.endswith(" pv 32-28")
    assert answer == "bestmove 32-28"


def test_a_report_held_back_is_told_before_a_mere_bound_and_forgotten_with_an_exact_one(talk: Talk) -> None:
    talk.say("go movetime 100")
    talk.report("32-28", time=0.001)
    held, bound = talk.report("31-27", bound=Bound.LOWER, time=0.02)
    assert held.endswith(" pv 32-28")
    assert " lowerbound " in bound
    talk.answer("32-28")
    talk.say("go movetime 100")
    talk.report("32-28", time=0.001)
    assert [line.rpartition(" ")[2] for line in talk.report("31-27", time=0.02)] == ["31-27"]
    assert talk.answer("31-27") == ["bestmove 31-27"]


@pytest.mark.parametrize("words", ["", "infinite", "depth 5", "nodes 100", "ponder wtime 1000", "infinite wtime 1000"])
def test_who_asks_for_more_than_a_move_in_time_is_told_everything_at_once(talk: Talk, words: str) -> None:
    talk.say(f"go {words}")
    assert len(talk.report("32-28", time=0.001)) == 1


def test_of_several_best_lines_none_is_held_back() -> None:
    talk = Talk(UciSession, multi_pv=2)
    talk.say("go movetime 100")
    assert len(talk.report("32-28", time=0.001)) == len(talk.report("31-27", rank=2, time=0.001)) == 1
    assert len(talk.report("31-27", time=0.0005)) == 1  # a weaker level tells its choice once more


@pytest.mark.parametrize(
    ("hundredths", "words"),
    [
        (12, "cp 12"),
        (9999, "mate 1"),
        (9998, "mate 1"),
        (9997, "mate 2"),
        (-9998, "mate -1"),
        (-9996, "mate -2"),
        (-10000, "mate 0"),
        (10000, "cp 10000"),
        (8990, "cp 8990"),
    ],
)
def test_win_distances_are_moves_of_the_winner(hundredths: int, words: str) -> None:
    assert score_words(Score(hundredths)) == f"score {words}"


def test_multipv_is_numbered_where_several_lines_are_wanted(talk: Talk) -> None:
    talk.say("setoption name multipv value 3", "go")
    assert " seldepth 7 multipv 3 score " in talk.report("32-28", rank=3)[0]


def test_ambiguous_captures_are_refused_and_written_in_full(talk: Talk) -> None:
    (error,) = talk.say("position fen W:WK4:B13,20,32,37 moves 4x15")
    assert "several moves" in error
    legal = moves_of(talk, "position fen W:WK4:B13,20,32,37")
    assert len(legal) == 2
    for text in legal:
        assert talk.say(f"position fen W:WK4:B13,20,32,37 moves {text}") == []
        talk.say("position fen W:WK4:B13,20,32,37", "go")
        assert talk.answer(text) == [f"bestmove {text}"]


def test_a_bad_move_is_named_by_its_ply_and_the_position_before_stays(talk: Talk) -> None:
    talk.say("position startpos moves 32-28")
    (error,) = talk.say("position fen W:WK2,25:B14,15,16 moves 25-20 25-20")
    assert "move 2" in error
    assert talk.session.position.cells.count("w") == 20


def test_a_position_without_a_move_has_no_best_move_and_is_lost(talk: Talk) -> None:
    talk.say("position fen W:W6:B1", "go infinite")
    assert talk.answer() == ["info depth 0 score mate 0", "bestmove (none)"]
    talk.say("position startpos", "go depth 1")
    assert talk.answer("32-28") == ["bestmove 32-28"]


def test_an_illegal_ponder_move_is_left_out(talk: Talk) -> None:
    talk.say("go")
    assert talk.answer("32-28", "19-23") == ["bestmove 32-28 ponder 19-23"]


def test_the_current_move_can_be_told(talk: Talk) -> None:
    talk.say("go")
    move = moves.read(talk.searched.position, "32-28")
    assert talk.session.current_move(move, 3) == [Reply("info currmove 32-28 currmovenumber 3")]


def test_d_shows_a_fen_that_reads_back(talk: Talk) -> None:
    talk.say("position fen W:WK2,25:B14,15,16 moves 25-20")
    shown = talk.say("d")
    assert "Fen: B:WK2,20:B14,15,16" in shown
    assert any(line.startswith("Key: ") for line in shown)
    assert "Occurrences: 1 (drawn at 3)" in shown
    assert talk.say("position fen W:B:WK2,20:B14,15,16") != []


@pytest.mark.parametrize(
    ("before", "after", "plies"),
    [
        ("W:WK2,K26,40:B10,K14", "B:WK8,K26,40:B10,K14:H1", (1, 0)),
        ("W:WK2,25:BK46:H3", "B:WK8,25:BK46:H4", (0, 4)),  # a lone king: those are the plies that end the game
    ],
)
def test_d_shows_a_fen_with_its_counter(talk: Talk, before: str, after: str, plies: tuple[int, int]) -> None:
    talk.say(f"position fen {before} moves 2-8")
    assert f"Fen: {after}" in talk.say("d")
    talk.say(f"position fen {after}")
    assert (talk.session.position.no_progress, talk.session.position.material_plies) == plies


def test_eval_lists_its_terms_for_both_sides_and_ends_with_the_score_of_the_side_to_move(talk: Talk) -> None:
    *board, term, whole, score = talk.say("position fen B:W48:B1,2", "eval")
    assert any(line.split() == ["-1.00", "-1.00"] for line in board), "what the two men are worth"
    assert term.split() == ["men", "1.00", "2.00", "-1.00"]
    assert whole.split() == ["all", "together", "-1.00"]
    assert score == "Evaluation: +1.00 men (Black, the side to move)"


def test_perft_runs_as_a_job_and_ends_with_the_total(talk: Talk) -> None:
    talk.say("perft 2")
    (job,) = (action for action in talk.actions if isinstance(action, StartPerft))
    assert talk.say("position startpos moves 32-28", "isready") == ["readyok"]
    lines = talk.counted(count(job.position, 2))
    assert "32-28: 9" in lines
    assert lines[-1] == "Nodes searched: 81"
    assert talk.session.position.side.value == "B"


@pytest.mark.parametrize("command", ["perft 2", "bench"])
def test_options_come_into_force_before_a_count_and_never_in_one(talk: Talk, command: str) -> None:
    assert talk.say(command, "isready") == ["readyok"]
    configure, job, reply = talk.actions
    assert configure == Configure(talk.session.options)
    assert isinstance(job, StartPerft | StartBench)
    assert reply == Reply("readyok", apart=True)


def test_a_count_outlives_quit_by_a_moment(talk: Talk) -> None:
    talk.say("perft 2", "ucinewgame", "quit")
    assert talk.actions[-1] == Finish()
    assert talk.session.counted(None) == [Quit()]
    assert talk.session.overdue() == []


def test_quit_says_what_it_drops(talk: Talk) -> None:
    (told,) = talk.say("perft 2", "perft 3", "go depth 2", "perft 4", "quit")
    assert told.startswith("info string quit: what waits is dropped (perft, go);")
    unfinished, end = talk.session.overdue()
    assert isinstance(unfinished, Reply)
    assert unfinished.line.startswith("info string quit: the count is not finished")
    assert end == Quit()
    assert talk.session.counted(Count(81, ())) == []


def test_nothing_but_readyok_waits_for_the_table(talk: Talk) -> None:
    talk.settles = False
    assert talk.say("isready", "position startpos moves 32-28") == []
    assert Settle() in talk.actions
    assert talk.session.settled() == [Reply("readyok", apart=True)]
    assert talk.session.settled() == []


@pytest.mark.parametrize(("line", "after"), [("go movetime 100", StartSearch), ("perft 2", StartPerft), ("quit", Quit)])
def test_readyok_comes_before_whatever_would_not_wait_for_it(talk: Talk, line: str, after: type) -> None:
    talk.settles = False
    talk.say("isready", line)
    assert isinstance(talk.actions[-1], after)
    assert talk.actions[-2] == Reply("readyok", apart=True)
    assert talk.session.settled() == []


def test_readyok_is_not_lost_at_the_end_of_the_input(talk: Talk) -> None:
    talk.settles = False
    talk.say("isready")
    assert talk.end() == ["readyok"]
    assert talk.actions[-1] == Quit()


def test_a_count_outlives_the_input_and_what_was_asked_for_behind_it_is_answered(talk: Talk) -> None:
    talk.say("perft 2", "position startpos moves 32-28", "go infinite")
    assert talk.end() == []
    assert talk.counted(Count(81, ())) == ["Nodes searched: 81"]
    assert (talk.searches, talk.stops) == (1, 1)
    assert talk.answer("19-23") == ["bestmove 19-23"]
    assert talk.actions[-1] == Quit()


def test_bench_is_a_job(talk: Talk) -> None:
    talk.say("bench", "stop")
    assert talk.actions[1] == StartBench()
    assert talk.session.finished(["total 5"]) == [Reply("total 5")]


def test_a_program_error_becomes_one_line(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "read", lambda position, text: 1 / 0)
    (error,) = talk.say("position startpos moves 32-28")
    assert error.startswith("info string position: internal error, ZeroDivisionError")
    assert talk.say("isready") == ["readyok"]


@pytest.mark.parametrize(
    ("first", "answer"),
    [("hub", "wait"), ("hub 2", "wait"), ("uci", "uciok"), ("isready", "readyok"), ("ping", "pong")],
)
def test_the_dialect_is_that_of_the_first_line_understood(first: str, answer: str) -> None:
    session = DetectingSession(Options(), Kernel)
    assert session.receive("") == session.receive("hello") == []
    last = [*session.receive(first), *session.settled()][-1]
    assert isinstance(last, Reply)
    assert last.line == answer


def test_before_any_dialect_is_known_the_end_of_input_and_quit_end_everything() -> None:
    assert DetectingSession(Options(), Kernel).end_of_input() == [Quit()]
    assert DetectingSession(Options(), Kernel).receive("quit") == [Quit()]


def moves_of(talk: Talk, position: str) -> list[str]:
    """The legal moves as this dialect writes them."""
    talk.say(position)
    return [moves.landing(talk.session.position, move) for move in talk.session.position.legal_moves()]


@pytest.mark.parametrize("command", ["setoption name a{}b", "setoption name{}x", "position fen{}x", "position {}moves"])
def test_any_number_of_blanks_is_read_at_once(talk: Talk, command: str) -> None:
    """A million of them would take hours where each had to be tried as the end of what stands before it."""
    talk.say(command.format(" " * 1_000_000))
    assert talk.say("isready") == ["readyok"]
