"""What a referee would see to: moves against the rules, moves taken back, draws agreed on, time."""

from __future__ import annotations

from io import StringIO

import pytest
from match.scripted import crash, illegal
from play.sitting import Sitting

from turkengine.games import INTERNATIONAL
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Policy
from turkengine.notation import moves, pdn
from turkengine.play.telling import OVER
from turkengine.play.words import agrees
from turkengine.record.record import EndingKind, Played
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

WHITE, BLACK = Side.WHITE, Side.BLACK
START = Position.start(INTERNATIONAL)
WRONG = illegal(START.play(moves.read(START, "32-28")), "16-25")  # what an engine answers
LAST_MAN = "W:W28:B22"


def read(text: str) -> pdn.PdnGame:
    [entry] = pdn.read(StringIO(text))
    assert entry.faults == ()
    return entry.game


class TestIrregularities:
    FORCED = ("32-28", "19-23")  # and now 28x19 is compulsory

    def test_are_named_and_put_right(self) -> None:
        sitting = Sitting(["19-23"])
        told = sitting.say("32-28", "31-26")
        assert told == [
            "'31-26' is not a legal move; 28x19 captures one piece and is compulsory (5.4.6)",
            "White plays another move",
        ]
        assert sitting.say("28x19")[0] == "White plays 28x19"
        assert [(incident.ply, incident.article) for incident in sitting.live.clocked.incidents] == [(3, "5.4.6")]

    def test_may_forfeit_the_game(self) -> None:
        sitting = Sitting(None, irregularity=Policy.FORFEIT)
        told = sitting.say(*self.FORCED, "31-26")
        assert told[-1].startswith("0-2, Black has won: '31-26' is not a legal move; 28x19 captures one piece ")
        assert sitting.live.game.ending is not None
        assert sitting.live.game.ending.article == "5.4.6"

    def test_may_stand(self) -> None:
        sitting = Sitting(None, irregularity=Policy.STAND)
        told = sitting.say(*self.FORCED, "31-26")
        assert told[-1] == "it stands: White has played 31-26"
        assert sitting.texts[-1] == "31-26"
        assert sitting.say("23x32")[0] == "Black plays 23x32"

    def test_that_leave_no_position_cannot_stand(self) -> None:
        sitting = Sitting(None, irregularity=Policy.STAND)
        sitting.say("32-37")
        assert sitting.live.game.ending is not None
        assert sitting.live.game.ending.kind is EndingKind.IRREGULARITY

    def test_are_left_to_the_opponent_who_lets_them_stand(self) -> None:
        sitting = Sitting(None, irregularity=None)
        [question] = sitting.say(*self.FORCED, "31-26")
        assert question.endswith("Black, is it put right, or does it stand? (rectify or stand)")
        assert sitting.session.prompt == "Black: rectify or stand?"
        assert sitting.say("yes") == [
            "'yes' is not an answer: Black writes rectify or stand, or resign to end the game"
        ]
        assert sitting.say("stand") == ["it stands: White has played 31-26"]

    def test_are_left_to_the_opponent_who_has_them_put_right(self) -> None:
        sitting = Sitting(None, irregularity=None)
        assert sitting.say(*self.FORCED, "31-26", "rectify") == ["White plays another move"]
        assert sitting.texts == list(self.FORCED)

    @pytest.mark.parametrize(("answer", "told"), [("s", "it stands: White"), ("rect", "White plays another move")])
    def test_are_answered_by_the_beginning_of_a_word_too(self, answer: str, told: str) -> None:
        sitting = Sitting(None, irregularity=None)
        sitting.say("32-29")
        assert sitting.say(answer)[0].startswith(told)

    def test_can_be_resigned_to_by_whoever_is_asked(self) -> None:
        sitting = Sitting(None, irregularity=None)
        sitting.say("32-29")
        assert sitting.say("resign") == ["2-0, White has won: Black gives up"]
        assert sitting.say("stand") == ["nobody has asked anything"]

    def test_of_people_are_put_right_where_an_engine_would_have_to_choose(self) -> None:
        assert Sitting(["19-23"], irregularity=None).say("32-28", "31-26")[-1] == "White plays another move"

    def test_of_an_engine_are_put_right_once(self) -> None:
        sitting = Sitting([WRONG, "19-24"])
        told = sitting.say("32-28")
        assert told[1].startswith("Black: '16-25' is not a legal move; a man moves ")
        assert told[2] == "Black plays another move"
        assert told[3].startswith("Black (engine) plays 19-24")

    def test_of_an_engine_twice_lose_the_game(self) -> None:
        told = Sitting([WRONG, WRONG]).say("32-28")[-1]
        assert told.startswith("2-0, White has won: '16-25' is not a legal move; a man moves ")

    def test_of_an_engine_are_left_to_the_person(self) -> None:
        sitting = Sitting([WRONG], irregularity=None)
        told = sitting.say("32-28")
        assert told[-1].endswith("White, is it put right, or does it stand? (rectify or stand)")
        assert not sitting.session.thinks
        assert sitting.session.time_left is None
        assert sitting.say("stand") == ["it stands: Black has played 16-25"]
        assert sitting.texts == ["32-28", "16-25"]

    def test_are_told_in_the_file(self) -> None:
        sitting = Sitting(None)
        sitting.say(*self.FORCED, "31-26", "28x19")
        told = "White, ply 3: '31-26' is not a legal move; 28x19 captures one piece and is compulsory (5.4.6)"
        assert told in " ".join(sitting.session.pdn.split())


class TestTakingBack:
    def test_undoes_the_answer_of_an_engine_too(self) -> None:
        sitting = Sitting(["19-23", "18-23"])
        assert sitting.say("32-28", "undo") == ["taken back: 32-28, 19-23"]
        assert sitting.live.game.position == START
        assert sitting.say("32-28")[-1].startswith("Black (engine) plays 18-23")

    def test_keeps_what_an_engine_has_opened_with(self) -> None:
        sitting = Sitting(["32-28"], ours=BLACK)
        sitting.session.think()
        assert sitting.say("undo") == ["no move can be taken back; you have made none"]
        sitting.say("19-24", "take-back")
        assert sitting.texts == ["32-28"]

    def test_works_behind_the_end(self) -> None:
        sitting = Sitting(position=LAST_MAN)
        sitting.say("28x17")
        assert sitting.say("undo") == ["taken back: 28x17"]
        assert sitting.session.prompt == "White to move"
        assert sitting.say("28x17")[-1] == "2-0, White has won: no piece left"

    def test_goes_on_after_an_engine_has_failed(self) -> None:
        sitting = Sitting([crash("engine: it has ended with status 1"), "19-23"])
        assert sitting.say("32-28")[-1] == "2-0, White has won: engine: it has ended with status 1"
        sitting.say("undo")
        assert sitting.say("33-29")[-1].startswith("Black (engine) plays 19-23")

    def test_takes_the_consent_of_a_person(self) -> None:
        sitting = Sitting(None)
        [question] = sitting.say("32-28", "undo")
        assert question == "White wants to take 32-28 back. Black, do you agree? (yes or no)"
        assert sitting.session.prompt == "Black: yes or no?"
        assert sitting.say("y") == ["taken back: 32-28"]
        assert sitting.texts == []

    def test_without_consent_names_the_article(self) -> None:
        sitting = Sitting(None)
        [told] = sitting.say("32-28", "undo", "no")
        assert told.endswith(" (5.4.4)")
        assert sitting.texts == ["32-28"]

    def test_needs_a_move(self) -> None:
        assert Sitting(None).say("undo") == ["no move can be taken back; you have made none"]

    def test_sets_the_clocks_back(self) -> None:
        sitting = Sitting(["19-23"], clock=TimeControl(time=60, increment=1), seconds=5.0)
        sitting.moment = 10
        sitting.say("32-28")
        assert sitting.say("clock") == ["White 0:51, Black 0:56"]
        sitting.say("undo")
        assert sitting.say("clock") == ["White 1:00, Black 1:00"]

    def test_asks_a_program_that_keeps_the_game_itself(self) -> None:
        sitting = Sitting(["19-23", "14-19"])
        answers = ["engine does not agree", ""]
        asked: list[Position] = []

        def take_back(position: Position) -> str:
            asked.append(position)
            return answers.pop(0)

        sitting.program.take_back = take_back  # type: ignore[attr-defined]
        sitting.program.give_up = lambda: answers.append("given up")  # type: ignore[attr-defined]
        assert sitting.say("32-28", "undo") == ["engine does not agree"]
        assert sitting.texts == ["32-28", "19-23"]
        assert sitting.say("undo") == ["taken back: 32-28, 19-23"]
        assert asked == [START, START]
        sitting.say("resign")
        assert answers == ["given up"]


class TestDraws:
    def test_are_agreed_by_people(self) -> None:
        sitting = Sitting(None)
        assert sitting.say("32-28", "draw") == ["Black offers a draw. White, do you agree? (yes or no)"]
        assert sitting.say("no") == ["the draw is declined"]
        assert sitting.say("draw", "yes") == ["1-1, drawn: draw by agreement"]

    def test_are_declined_by_an_engine_that_has_not_moved(self) -> None:
        assert Sitting().say("draw") == ["engine declines the draw: it has given no score to decide by"]

    @pytest.mark.parametrize(
        ("score", "answer"),
        [
            (None, "engine declines the draw: it has given no score to decide by"),
            (11, "engine declines the draw: it thinks it is ahead (+0.11)"),
            (9_993, "engine declines the draw: it thinks it is ahead (wins in 4 moves)"),
            (10, "engine declines the draw: it plays on until move 20"),
            (-49, "engine declines the draw: it plays on until move 20"),
            (-50, "engine takes the draw: it thinks it is behind (-0.50)"),
        ],
    )
    def test_are_decided_by_the_score_of_an_engine(self, score: int | None, answer: str) -> None:
        sitting = Sitting(["19-23"], score=score)
        told = sitting.say("32-28", "draw")
        assert told[0] == answer
        assert (sitting.live.game.ending is not None) is ("takes" in answer)

    @pytest.mark.parametrize(
        ("plies", "score", "taken"), [(39, 0, False), (40, 10, True), (40, 11, False), (2, -50, True)]
    )
    def test_go_by_how_far_the_game_has_come(self, plies: int, score: int, taken: bool) -> None:
        played = [Played(side, "1-6", score=score) for side in (WHITE, BLACK) * (plies // 2 + 1)][:plies]
        assert agrees(played, BLACK)[0] is taken


class TestClocks:
    FIVE = TimeControl(time=5, increment=1)

    def test_of_people_run_while_they_are_to_move(self) -> None:
        sitting = Sitting(None, clock=self.FIVE)
        sitting.moment = 2
        assert sitting.session.time_left == 3
        assert sitting.session.prompt == "White to move, 3.0 s"
        sitting.say("32-28")
        assert sitting.say("clock") == ["White 4.0 s, Black 5.0 s"]

    def test_that_run_out_lose_the_game_while_nothing_is_written(self) -> None:
        sitting = Sitting(None, clock=self.FIVE)
        assert sitting.session.flag() == []
        sitting.moment = 5
        assert sitting.session.flag() == ["0-2, Black has won: White is out of time"]
        assert sitting.session.flag() == []
        assert sitting.session.time_left is None

    def test_that_have_run_out_leave_no_time_for_a_move(self) -> None:
        sitting = Sitting(None, clock=self.FIVE)
        sitting.moment = 5.5
        assert sitting.say("32-28") == ["0-2, Black has won: White is out of time", OVER]
        assert sitting.texts == []

    def test_run_out_during_a_question(self) -> None:
        sitting = Sitting(None, clock=self.FIVE)
        sitting.say("draw")
        sitting.moment = 6
        assert sitting.say("yes") == ["0-2, Black has won: White is out of time", "nobody has asked anything"]

    def test_go_on_after_a_move_against_the_rules(self) -> None:
        sitting = Sitting(None, clock=self.FIVE)
        sitting.moment = 2
        sitting.say("32-22")
        sitting.moment = 3
        sitting.say("32-28")
        assert sitting.say("clock") == ["White 3.0 s, Black 5.0 s"]
        assert sitting.live.game.moves[0].seconds == 3

    def test_of_engines_count_what_they_have_thought(self) -> None:
        sitting = Sitting(["19-23"], clock=self.FIVE, seconds=5.5)
        assert sitting.say("32-28")[-1] == "2-0, White has won: Black is out of time by 0.500 s"
        assert sitting.program.asked[0][2] == 6  # one second of grace

    def test_are_none_unless_asked_for(self) -> None:
        sitting = Sitting()
        sitting.moment = 1e6
        assert sitting.session.time_left is None
        assert sitting.say("clock") == ["there is no clock; --tc gives one"]
        assert sitting.session.flag() == []

    @pytest.mark.parametrize(
        ("control", "deadline"),
        [(TimeControl(nodes=100), None), (TimeControl(move_time=2), 63), (TimeControl(time=5), 6)],
    )
    def test_say_how_long_an_engine_is_waited_for(self, control: TimeControl, deadline: float | None) -> None:
        sitting = Sitting(["19-23"], control=control)
        sitting.say("32-28")
        assert sitting.program.asked[0][2] == deadline

    def test_of_moves_alone_lose_no_game(self) -> None:
        sitting = Sitting(["19-23"], control=TimeControl(move_time=1), seconds=1.5)
        assert sitting.say("32-28")[-1] == "Black (engine) plays 19-23 (depth 3, 1.50 s)"
