"""Whole games between clients that play what a test wants: every way in which a game can end."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from match.scripted import Answer, Scripted, crash, first_move, illegal

from turkengine.client.contract import ClientError, ClientFault, Thought
from turkengine.engine.limits import GameClock
from turkengine.errors import EndgameError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.kernel.endgames import SHIPPED
from turkengine.match.clocks import GRACE, TimeControl
from turkengine.match.conduct import Conduct, DrawRule, Policy, ResignRule, TableRule
from turkengine.match.referee import Beginning, Player, play
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind, Incident, Record
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

WHITE, BLACK = Side
DEPTH = TimeControl(depth=5)


def game(
    beginning: Position | Beginning,
    white: Scripted | Iterable[Answer] = (),
    black: Scripted | Iterable[Answer] = (),
    conduct: Conduct | None = None,
    control: TimeControl = DEPTH,
) -> Record:
    clients = [client if isinstance(client, Scripted) else Scripted(client) for client in (white, black)]
    players = {side: Player(side.name, client, control) for side, client in zip(Side, clients, strict=True)}
    beginning = beginning if isinstance(beginning, Beginning) else Beginning(beginning)
    record = play(beginning, players, conduct)
    assert record is not None
    assert Record.from_data(json.loads(json.dumps(record.as_data()))) == record
    return record


def international(text: str) -> Position:
    return fen.read(INTERNATIONAL, text)


def turkish(text: str) -> Position:
    return fen.read(TURKISH, text)


START = Position.start(INTERNATIONAL)


class TestTheRules:
    def test_both_engines_are_told_how_the_game_has_ended(self) -> None:
        white, black = Scripted(), Scripted([crash()])
        start = Position.start(INTERNATIONAL)
        game(start, white, black)
        assert white.ends == black.ends == [start.play(first_move(start))]

    def test_a_win_is_told_with_its_reason(self) -> None:
        record = game(international("W:W28:B22"), ["28x17"])
        assert record.ending == Ending(EndingKind.RULES, WHITE, "no piece left")
        assert record.ending.halves == 2
        assert [move.text for move in record.moves] == ["28x17"]
        assert record.halves("WHITE") == 2
        assert record.halves("BLACK") == 0

    def test_a_draw_is_told_with_its_article(self) -> None:
        record = game(international("W:WK1,K6:BK50"), ["1-7", "7-1"] * 2, ["50-45", "45-50"] * 2)
        assert record.ending == Ending(EndingKind.RULES, None, "the position occurred for the third time", "6.1")
        assert record.ending.halves == 1

    def test_a_game_that_is_over_at_its_beginning_asks_nobody(self) -> None:
        white = Scripted()
        assert game(international("W:W:B22"), white).ending.winner is BLACK
        assert white.asked == []

    def test_the_number_that_a_game_leaves_open_can_be_set(self) -> None:
        record = game(turkish("W:WKa1,Ka2:BKh8,Kh7"), conduct=Conduct(no_progress=4))
        assert record.ending == Ending(EndingKind.RULES, None, "too many moves without progress", "convention")
        assert len(record.moves) == 4

    def test_the_moves_of_an_opening_are_played_without_thinking(self) -> None:
        position = START
        line: list[Move] = []
        for text in ("32-28", "19-23", "28x19", "14x23"):
            line.append(moves.read(position, text))
            position = position.play(line[-1])
        white = Scripted(["37-32", None])
        record = game(Beginning(START, tuple(line), "line"), white)
        assert [move.text for move in record.moves][:5] == ["32-28", "19-23", "28x19", "14x23", "37-32"]
        assert [move.book for move in record.moves][:5] == [True] * 4 + [False]
        assert record.opening == "line"
        assert record.fen == ""
        asked, _, _ = white.asked[0]
        assert asked == position
        assert asked.previous is not None

    @pytest.mark.parametrize("variant", [INTERNATIONAL, TURKISH, CRODA], ids=lambda variant: variant.name)
    def test_every_game_comes_to_an_end(self, variant) -> None:
        record = game(Position.start(variant))
        assert record.ending.kind is EndingKind.RULES
        assert record.variant == variant.name
        assert record.moves[-1].side in Side


class TestClocks:
    def test_players_are_told_what_their_clocks_show(self) -> None:
        white = Scripted(seconds=0.25)
        game(START, white, conduct=Conduct(longest=4), control=TimeControl.read("1+0.5"))
        assert [limits.clock for _, limits, _ in white.asked] == [GameClock(1, 0.5), GameClock(1.25, 0.5)]
        assert [deadline for _, _, deadline in white.asked] == [1 + GRACE, 1.25 + GRACE]

    def test_what_a_move_took_and_what_is_left_is_kept(self) -> None:
        record = game(START, Scripted(seconds=0.25), conduct=Conduct(longest=2), control=TimeControl.read("10"))
        assert [(move.seconds, move.clock) for move in record.moves] == [(0.25, 9.75), (0.01, 9.99)]
        assert (record.moves[0].depth, record.moves[0].nodes) == (3, 100)

    def test_a_move_that_comes_too_late_loses(self) -> None:
        record = game(START, Scripted(seconds=0.5), Scripted(seconds=1.25), control=TimeControl.read("1"))
        assert record.ending == Ending(EndingKind.TIME, WHITE, "Black is out of time by 0.250 s")
        assert record.incidents == (Incident(2, BLACK, "overrun", "0.250 s late, beyond the margin of 0 s", late=0.25),)

    def test_an_overrun_within_the_margin_is_listed_and_the_game_goes_on(self) -> None:
        conduct = Conduct(margin=0.5, longest=3)
        record = game(START, Scripted(seconds=1.25), conduct=conduct, control=TimeControl.read("1+1"))
        assert record.ending.kind is EndingKind.LENGTH
        assert [(item.ply, item.side, item.late) for item in record.incidents] == [(1, WHITE, 0.25), (3, WHITE, 0.5)]

    def test_a_late_move_loses_even_where_it_would_have_won(self) -> None:
        record = game(international("W:W28:B22"), Scripted(["28x17"], seconds=3), control=TimeControl.read("2"))
        assert record.ending.kind is EndingKind.TIME
        assert record.ending.winner is BLACK

    def test_beside_a_clock_a_fixed_time_for_each_move_keeps_its_margin(self) -> None:
        late = Thought(moves.read(START, "32-28"), seconds=1.05)
        control = TimeControl(time=60, move_time=1)
        record = game(START, [late], conduct=Conduct(margin=0, move_margin=0.1, longest=2), control=control)
        assert record.ending.kind is EndingKind.LENGTH
        assert [incident.text for incident in record.incidents] == ["0.050 s late, within the margin of 0.1 s"]

    def test_a_fixed_time_for_each_move_has_a_margin_of_its_own(self) -> None:
        conduct = Conduct(move_margin=0.05, longest=2)
        control = TimeControl(move_time=0.5)
        assert game(START, Scripted(seconds=0.54), conduct=conduct, control=control).ending.kind is EndingKind.LENGTH
        assert game(START, Scripted(seconds=0.56), conduct=conduct, control=control).ending.kind is EndingKind.TIME

    def test_nodes_and_depth_are_told_as_they_are(self) -> None:
        white = Scripted()
        game(START, white, conduct=Conduct(longest=1, patience=9), control=TimeControl(nodes=500, depth=7))
        _, limits, deadline = white.asked[0]
        assert (limits.nodes, limits.depth, limits.clock, limits.move_time) == (500, 7, None, None)
        assert deadline == 9


class TestEnginesThatFail:
    @pytest.mark.parametrize(
        ("fault", "kind"),
        [
            (ClientFault.CRASH, EndingKind.CRASH),
            (ClientFault.TIMEOUT, EndingKind.TIMEOUT),
            (ClientFault.SILENCE, EndingKind.SILENCE),
            (ClientFault.GARBAGE, EndingKind.GARBAGE),
            (ClientFault.START, EndingKind.START),
            (ClientFault.ABANDONED, EndingKind.ABANDONED),
        ],
    )
    def test_each_failure_loses_with_its_own_reason(self, fault: ClientFault, kind: EndingKind) -> None:
        record = game(START, (), [ClientError(fault, f"engine: {fault.value}")])
        assert record.ending == Ending(kind, WHITE, f"engine: {fault.value}")
        assert len(record.moves) == 1

    def test_an_engine_that_cannot_be_started_loses(self) -> None:
        record = game(START, (), Scripted(name="broken", fails_to_start=True))
        assert record.ending == Ending(EndingKind.START, WHITE, "broken cannot be started")

    def test_nobody_wins_where_neither_can_be_started(self) -> None:
        one, two = (Scripted(name=name, fails_to_start=True) for name in ("one", "two"))
        ending = game(START, one, two).ending
        assert (ending.kind, ending.winner) == (EndingKind.START, None)
        assert "one cannot be started; two cannot be started" in ending.reason

    def test_an_engine_that_has_crashed_plays_the_next_game(self) -> None:
        black = Scripted([crash()])
        assert game(START, (), black).ending.kind is EndingKind.CRASH
        assert not black.alive()
        assert game(START, (), black).ending.kind is EndingKind.RULES
        assert black.games == 2

    def test_an_engine_that_gives_up_has_lost(self) -> None:
        record = game(START, ["32-28", None])
        assert record.ending == Ending(EndingKind.RESIGNED, BLACK, "White gives up")

    def test_a_game_that_is_broken_off_leaves_no_record(self) -> None:
        questions = iter([False, False, True])
        players = {side: Player(side.name, Scripted(), DEPTH) for side in Side}
        assert play(Beginning(START), players, broken_off=lambda: next(questions)) is None

    def test_an_engine_ended_from_outside_has_not_failed(self) -> None:
        questions = iter([False, True])
        players = {WHITE: Player("a", Scripted([crash()]), DEPTH), BLACK: Player("b", Scripted(), DEPTH)}
        assert play(Beginning(START), players, broken_off=lambda: next(questions)) is None

    def test_a_game_that_has_ended_counts_though_it_is_to_be_broken_off(self) -> None:
        players = {side: Player(side.name, Scripted(), DEPTH) for side in Side}
        record = play(Beginning(international("W:W:B22")), players, broken_off=lambda: True)
        assert record is not None
        assert record.ending.winner is BLACK


class TestIrregularities:
    position = turkish("W:WKb1,h3:Bb4,d6,h8")  # b1xb6xf6 ... is obligatory

    def test_forfeit_the_game_unless_something_else_is_chosen(self) -> None:
        record = game(self.position, ["b1-c1"])
        assert record.ending.kind is EndingKind.IRREGULARITY
        assert (record.ending.winner, record.ending.article) == (BLACK, "5.4.6")
        assert "compulsory" in record.ending.reason
        assert [(item.ply, item.what, item.article) for item in record.incidents] == [(1, "irregularity", "5.4.6")]

    def test_are_rectified_by_asking_once_more(self) -> None:
        white = Scripted(["b1-c1", None])
        record = game(self.position, white, conduct=Conduct(irregularity=Policy.RECTIFY))
        assert record.ending.kind is EndingKind.RESIGNED
        assert [asked for asked, _, _ in white.asked] == [self.position, self.position]
        assert len(record.incidents) == 1

    def test_are_not_rectified_twice_for_one_move(self) -> None:
        record = game(self.position, ["b1-c1", "b1xb6"], conduct=Conduct(irregularity=Policy.RECTIFY))
        assert (record.ending.kind, record.ending.winner) == (EndingKind.IRREGULARITY, BLACK)
        assert [item.article for item in record.incidents] == ["5.4.6", "5.4.9"]

    def test_are_rectified_again_for_a_later_move(self) -> None:
        white = ["33-22", "32-28", "28-29", "31-26", None]
        record = game(START, white, ["19-24"], conduct=Conduct(irregularity=Policy.RECTIFY))
        assert record.ending.kind is EndingKind.RESIGNED
        assert [(item.ply, item.article) for item in record.incidents] == [(1, "5.4.2"), (3, "5.4.2")]

    def test_cost_the_time_they_take(self) -> None:
        clock = iter([0.0, 0.0, 0.4, 0.4, 0.4, 0.4])
        white = Scripted(["b1-c1", None])
        players = {WHITE: Player("a", white, TimeControl.read("1")), BLACK: Player("b", Scripted(), DEPTH)}
        play(Beginning(self.position), players, Conduct(irregularity=Policy.RECTIFY), now=lambda: next(clock))
        assert [limits.clock.remaining for _, limits, _ in white.asked] == [1, 0.6]

    def test_stand_where_that_is_chosen_and_the_game_goes_on_without_history(self) -> None:
        black = Scripted([None])
        record = game(self.position, ["b1-c1"], black, Conduct(irregularity=Policy.STAND))
        assert record.ending.kind is EndingKind.RESIGNED
        assert record.moves[0].text == "b1-c1"
        assert record.moves[0].fen == "B:Wh3,Kc1:Bh8,d6,b4"
        asked, _, _ = black.asked[0]
        assert asked.previous is None
        assert fen.write(asked) == record.moves[0].fen

    def test_that_let_the_same_side_move_again_keep_the_right_player(self) -> None:
        black = Scripted(["a6-a5", None])
        record = game(Position.start(TURKISH), ["a3-a4"], Scripted(["b3-b4", None]), Conduct(irregularity=Policy.STAND))
        assert record.incidents[0].article == "5.4.1"
        assert [move.side for move in record.moves] == [WHITE, BLACK]
        assert record.ending == Ending(EndingKind.RESIGNED, WHITE, "Black gives up")
        assert black.asked == []

    def test_that_define_no_position_forfeit(self) -> None:
        error = illegal(self.position, "b1-c1")
        error.move_text = "b1xb4xb4"
        record = game(self.position, [error], conduct=Conduct(irregularity=Policy.STAND))
        assert (record.ending.kind, record.ending.winner) == (EndingKind.IRREGULARITY, BLACK)

    def test_are_seen_where_a_client_lets_them_pass(self) -> None:
        record = game(START, [Thought(Move(0, 30))])
        assert (record.ending.kind, record.ending.article) == (EndingKind.IRREGULARITY, "5.4.5")


class TestAdjudication:
    def test_a_draw_once_both_have_long_seen_nothing(self) -> None:
        rule = DrawRule(score=10, plies=4, after=6)
        record = game(START, Scripted(score=5), Scripted(score=-10), Conduct(draw=rule))
        assert record.ending == Ending(EndingKind.ADJUDICATION, None, "no score above 0.10 for 4 plies")
        assert len(record.moves) == 6

    def test_no_draw_where_one_sees_something_or_says_nothing(self) -> None:
        rule = DrawRule(score=10, plies=4)
        assert game(START, Scripted(score=5), Scripted(score=11), Conduct(draw=rule)).ending.kind is EndingKind.RULES
        assert game(START, Scripted(score=5), Scripted(), Conduct(draw=rule)).ending.kind is EndingKind.RULES

    def test_a_loss_once_both_have_long_seen_it(self) -> None:
        rule = ResignRule(score=400, plies=5)
        record = game(START, Scripted(score=-450), Scripted(score=400), Conduct(resign=rule))
        assert record.ending == Ending(EndingKind.ADJUDICATION, BLACK, "both see White lost for 5 plies")
        assert len(record.moves) == 5

    def test_no_loss_where_the_opponent_does_not_agree(self) -> None:
        rule = ResignRule(score=400, plies=5)
        assert (
            game(START, Scripted(score=-450), Scripted(score=0), Conduct(resign=rule)).ending.kind is EndingKind.RULES
        )

    def test_a_draw_where_a_game_becomes_too_long(self) -> None:
        record = game(START, conduct=Conduct(longest=10))
        assert record.ending == Ending(EndingKind.LENGTH, None, "10 plies are played")
        assert len(record.moves) == 10

    def test_the_result_that_endgame_tables_tell_as_soon_as_they_know_the_position(self) -> None:
        tables = Conduct(tables=TableRule.found(TURKISH, 3, SHIPPED))
        start = turkish("W:WKa1,c3:Bd7,Kh8")
        record = game(start, ["a1-d1", "d1xd8"], ["h8-h7"], tables)
        assert record.ending == Ending(EndingKind.TABLES, WHITE, "White wins MKvK in 36 plies by the endgame tables")
        assert len(record.moves) == 3

    def test_a_win_by_the_tables_that_a_count_comes_before_is_a_draw(self) -> None:
        tables = Conduct(tables=TableRule.found(INTERNATIONAL, 3, SHIPPED))
        record = game(international("W:WK45,K49:BK1"), conduct=tables)  # a win in 7 plies, of 10
        assert (record.ending.kind, record.ending.winner, len(record.moves)) == (EndingKind.TABLES, WHITE, 0)
        late = replace(international("W:WK45,K49:BK1"), material_plies=4)
        ending = game(late, conduct=tables).ending
        assert (ending.kind, ending.winner, ending.article) == (EndingKind.TABLES, None, "6.4")

    def test_where_a_count_leaves_a_doubt_the_game_goes_on_until_there_is_none(self) -> None:
        tables = Conduct(tables=TableRule.found(TURKISH, 3, SHIPPED))
        start = replace(
            turkish("W:WKa1,c3:BKh8"), no_progress=96
        )  # a win in 23 plies, unless the man stays where it is
        record = game(start, ["a1-a2", "a2-a1"], ["h8-h7", "h7-h8"], tables)
        assert (record.ending.kind, record.ending.winner, len(record.moves)) == (EndingKind.RULES, None, 4)
        record = game(start, ["a1-a2", "c3-c4"], ["h8-h7"], tables)
        assert (record.ending.kind, record.ending.winner, len(record.moves)) == (EndingKind.TABLES, WHITE, 3)

    def test_tables_look_at_what_an_irregular_move_leaves_too(self) -> None:
        tables = Conduct(tables=TableRule.found(TURKISH, 3, SHIPPED), irregularity=Policy.STAND)
        start = turkish("W:WKa1,c5:Bc4,Kh8")
        record = game(start, [illegal(start, "c5xc3")], conduct=tables)  # no man captures backward
        assert record.moves[0].fen
        assert record.ending.kind is EndingKind.TABLES

    def test_a_move_that_comes_too_late_loses_though_the_tables_say_it_wins(self) -> None:
        tables = Conduct(tables=TableRule.found(TURKISH, 3, SHIPPED))
        start = turkish("W:WKd1,c3:Bd7,Kh7")
        record = game(start, Scripted(seconds=9.0), conduct=tables, control=TimeControl(5.0))
        assert (record.ending.kind, record.ending.winner) == (EndingKind.TIME, BLACK)

    def test_tables_that_are_not_those_of_the_match_decide_nothing(self) -> None:
        here = TableRule.found(TURKISH, 3, SHIPPED).endings
        missing, one_more = TableRule(3, SHIPPED, (*here, "KKKKvK")), TableRule(3, SHIPPED, here[1:])
        with pytest.raises(EndgameError, match="that the match goes by, and KKKKvK is missing here; copy it"):
            game(turkish("W:WKa1,c3:BKh8"), conduct=Conduct(tables=missing))
        with pytest.raises(EndgameError, match=f"and {here[0]} is one more here; take it away"):
            game(turkish("W:WKa1,c3:BKh8"), conduct=Conduct(tables=one_more))

    def test_rules_are_read_from_text(self) -> None:
        assert DrawRule.read("10,20,80") == DrawRule(10, 20, 80)
        assert DrawRule.read("10,20") == DrawRule(10, 20)
        assert ResignRule.read("500,8") == ResignRule(500, 8)
        for text in ("", "10", "10,0", "a,b", "1,2,3,4", "-5,3"):
            with pytest.raises(Exception, match="write SCORE,PLIES"):
                DrawRule.read(text)
        with pytest.raises(Exception, match="write SCORE,PLIES"):
            ResignRule.read("500,8,1")
