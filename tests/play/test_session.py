"""Whole conversations without a terminal: every command, every question, every refusal."""

from __future__ import annotations

from io import StringIO

import pytest
from match.scripted import crash
from play.sitting import Sitting

from turkengine.client.contract import ClientError, ClientFault
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Policy
from turkengine.notation import fen, pdn
from turkengine.notation.pdn.annotations import Clocks, EvalCommand, clocks, elapsed, evaluation
from turkengine.play.telling import OVER
from turkengine.play.text_board import Look
from turkengine.play.words import HELP
from turkengine.record.record import Ending, EndingKind
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

WHITE, BLACK = Side.WHITE, Side.BLACK
START = Position.start(INTERNATIONAL)
KING_HUNT = "W:WK4:B13,20,32,37"  # two captures with the same ends
LAST_MAN = "W:W28:B22"


def read(text: str) -> pdn.PdnGame:
    [entry] = pdn.read(StringIO(text))
    assert entry.faults == ()
    return entry.game


class TestGreeting:
    def test_says_what_is_played_and_by_whom(self) -> None:
        sitting = Sitting()
        assert sitting.greeting == [
            "International draughts (10x10, FMJD): White human, Black engine (100 nodes)",
            "Write a move, or help for the commands.",
        ]
        assert sitting.session.prompt == "White to move"

    def test_engine_with_white_moves_first(self) -> None:
        sitting = Sitting(["32-28"], ours=BLACK)
        assert sitting.session.thinks
        assert sitting.session.think() == ["White (engine) plays 32-28 (depth 3, 0.01 s)"]
        assert sitting.session.prompt == "Black to move"

    def test_an_engine_that_cannot_be_started_is_an_error(self) -> None:
        sitting = Sitting()
        sitting.program.fails_to_start = True
        with pytest.raises(ClientError, match="cannot be started"):
            sitting.session.begin()

    def test_a_position_in_which_the_game_is_over_has_its_result_at_once(self) -> None:
        assert Sitting(position="W:W:B1").greeting[-1] == "0-2, Black has won: no piece left"


class TestMoves:
    def test_are_answered_by_the_engine_with_its_score(self) -> None:
        told = Sitting(["19-23"], score=-35).say("32-28")
        assert told == ["White plays 32-28", "Black (engine) plays 19-23 (score -0.35, depth 3, 0.01 s)"]

    @pytest.mark.parametrize("text", ["28-19", "28:19", "28x19", "2819", " 28 x 19 ", "28x19x23", "28x23"])
    def test_are_read_in_every_notation(self, text: str) -> None:
        sitting = Sitting(["19-23", "14x23"])
        assert sitting.say("32-28", text)[0] == "White plays 28x19"

    def test_on_named_squares_too(self) -> None:
        assert Sitting(None, variant=TURKISH).say("A3A4") == ["White plays a3-a4"]

    def test_that_are_ambiguous_are_answered_with_the_choices(self) -> None:
        sitting = Sitting(None, position=KING_HUNT)
        [told] = sitting.say("4x15")
        assert told.startswith("'4x15' fits several moves; write 4x")
        assert " or 4x" in told
        assert sitting.texts == []
        assert sitting.say(told.rpartition(" or ")[2])[0].startswith("White plays 4x")

    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ("32-99", "'32-99' names '99'; the squares are 1 to 50"),
            ("25-20", "'25-20' is not a legal move; there is no piece on 25"),
            ("32", "'32' names one square only; a move needs its origin and its target"),
        ],
    )
    def test_that_are_none_are_no_irregularities(self, text: str, answer: str) -> None:
        sitting = Sitting(irregularity=Policy.FORFEIT)
        assert sitting.say(text) == [answer]
        assert sitting.live.clocked.incidents == []

    def test_win_and_are_announced_with_the_rule(self) -> None:
        sitting = Sitting(position=LAST_MAN)
        assert sitting.say("28x17") == ["White plays 28x17", "2-0, White has won: no piece left"]
        assert sitting.session.prompt == "The game is over"
        assert sitting.program.ended == 1
        assert sitting.say("17-12") == [OVER]

    def test_that_draw_are_announced_with_the_article(self) -> None:
        sitting = Sitting(None, position="W:WK1:BK50")
        for text in ("1-6", "50-45", "6-1", "45-50") * 3:
            told = sitting.say(text)
            if sitting.live.game.ending is not None:
                break
        assert told[-1] == "1-1, drawn: the position occurred for the third time (6.1)"

    def test_of_an_engine_that_gives_up_end_the_game(self) -> None:
        assert Sitting([None]).say("32-28")[-1] == "2-0, White has won: Black gives up"


class TestCommands:
    def test_help_tells_every_command(self) -> None:
        told = "\n".join(Sitting().say("help"))
        for name in HELP:
            assert f"\n  {name} " in f"\n{told}"
        assert "w W White's men and kings, b B Black's" in told
        assert all(len(line) < 80 for line in told.splitlines())

    def test_all_commands_told_are_there(self) -> None:
        sitting = Sitting()
        for name in HELP:
            if name != "MOVE":
                assert "is not a command" not in " ".join(sitting.say(name))

    def test_capitals_and_other_words_do_as_well(self) -> None:
        sitting = Sitting()
        assert sitting.say("FEN") == sitting.say("fen") == [fen.write(START)]
        assert sitting.say("?") == sitting.say("Help")

    def test_moves_lists_the_legal_ones(self) -> None:
        assert Sitting().say("moves") == ["31-26  31-27  32-27  32-28  33-28  33-29  34-29  34-30  35-30"]
        assert len(Sitting(variant=CRODA).say("moves")) > 1

    def test_hint_tells_move_score_and_line(self) -> None:
        sitting = Sitting()
        assert sitting.say("hint") == ["hint: 31-26 (score +0.12, depth 3), line 31-26"]
        assert sitting.texts == []

    def test_hint_says_what_went_wrong(self) -> None:
        sitting = Sitting()
        sitting.adviser.script = [crash("adviser: it is tired")]
        assert sitting.say("hint") == ["no hint: adviser: it is tired"]
        assert sitting.say("hint")[0].startswith("hint: 31-26")

    def test_resign_gives_the_game_up(self) -> None:
        sitting = Sitting()
        assert sitting.say("resign") == ["0-2, Black has won: White gives up"]
        assert sitting.program.ended == 1

    @pytest.mark.parametrize("command", ["moves", "hint", "draw", "resign", "32-28"])
    def test_nothing_is_played_on_behind_the_end(self, command: str) -> None:
        assert Sitting(None).say("resign", command) == [OVER]

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("hnit", "'hnit' is not a command; hint is meant, perhaps"),
            ("xyzzy", "'xyzzy' is not a command; write a move, or help for the commands"),
            ("undo 2", "undo takes nothing after it, not '2'"),
            ("yes", "nobody has asked anything"),
            ("save", "save needs the name of a file, as in: save game.pdn"),
            ("save x.pdn", "there is nothing to save yet"),
        ],
    )
    def test_what_cannot_be_understood_is_answered_in_one_line(self, line: str, answer: str) -> None:
        assert Sitting().say(line) == [answer]

    @pytest.mark.parametrize("line", ["", "   ", "\t"])
    def test_an_empty_line_is_nothing(self, line: str) -> None:
        assert Sitting().say(line) == []

    def test_a_question_is_answered_before_anything_is_changed_but_may_be_thought_about(self) -> None:
        sitting = Sitting(None)
        sitting.say("draw")
        for line in ("32-28", "undo", "draw", "yes please"):
            [told] = sitting.say(line)
            assert told.endswith("is not an answer: Black writes yes or no, or resign to end the game")
        assert sitting.say("moves")[0].startswith("31-26")
        assert sitting.say("YES") == ["1-1, drawn: draw by agreement"]

    def test_quit_closes_the_session_and_close_ends_the_engines(self) -> None:
        sitting = Sitting()
        assert sitting.say("quit") == []
        assert sitting.session.closed
        assert not sitting.session.thinks
        sitting.session.close()
        assert not sitting.program.alive()


class TestBoard:
    def test_is_drawn_when_asked_for(self) -> None:
        told = Sitting(["19-23"]).say("32-28", "board")
        assert told[-1] == "Last move: Black 19-23"
        assert "[23b]" in told[4]
        assert len(told) == 11

    def test_is_turned_round(self) -> None:
        sitting = Sitting()
        board = sitting.say("board")
        turned = sitting.say("flip")
        assert [line.split() for line in turned] == [line.split()[::-1] for line in reversed(board)]
        assert sitting.say("flip") == board

    def test_has_the_person_at_its_lower_edge(self) -> None:
        sitting = Sitting(["32-28"], ours=BLACK)
        assert sitting.say("board")[0].split()[0] == "50w"

    def test_is_drawn_for_each_turn_of_a_person_on_a_terminal(self) -> None:
        sitting = Sitting(["19-23"], look=Look(always=True))
        assert len(sitting.greeting) == 12
        told = sitting.say("32-28")
        assert told[0] == "White plays 32-28"
        assert told[1].startswith("Black (engine) plays 19-23")
        assert told[-1] == "Last move: Black 19-23"
        assert len(told) == 13


class TestFiles:
    def test_hold_times_clocks_and_scores(self) -> None:
        sitting = Sitting(["19-23"], clock=TimeControl(time=60, increment=1), score=-35, seconds=2.5)
        sitting.moment = 10
        sitting.say("32-28")
        assert sitting.say("save my game.pdn") == ["saved in my game.pdn"]
        game = read(sitting.files["my game.pdn"])
        assert game.tag("Result") == "*"
        assert game.tag("TimeControl") == "60+1"
        assert game.tag("Termination") == "unfinished: broken off"
        assert (game.tag("White"), game.tag("Black")) == ("human", "engine")
        assert game.moves == ("32-28", "19-23")
        first, second = game.line.plies
        assert (elapsed(first), elapsed(second)) == (10, 2.5)
        assert (clocks(first), clocks(second)) == (Clocks(mover=51), Clocks(mover=58.5))
        assert evaluation(second) == EvalCommand(men=0.35)

    def test_tell_the_result_and_a_set_up_position(self) -> None:
        sitting = Sitting(position=LAST_MAN)
        sitting.say("28x17", "save x.pdn")
        game = read(sitting.files["x.pdn"])
        assert game.tag("Result") == "2-0"
        assert game.tag("FEN") == "W:W28:B22"
        assert game.tag("WhiteTimeControl") == "-"
        replay = pdn.replay(game)
        assert replay.fault is None

    def test_that_cannot_be_written_are_named(self) -> None:
        sitting = Sitting(None)

        def keep(name: str, text: str) -> None:
            raise OSError(28, "No space left on device")

        sitting.session._keep = keep
        assert sitting.say("32-28", "save x.pdn") == [
            "x.pdn cannot be written: No space left on device; give another file"
        ]

    def test_are_empty_before_the_first_move(self) -> None:
        assert Sitting().session.pdn == ""


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (ClientFault.TIMEOUT, EndingKind.TIMEOUT),
        (ClientFault.CRASH, EndingKind.CRASH),
        (ClientFault.GARBAGE, EndingKind.GARBAGE),
    ],
)
def test_an_engine_that_fails_loses_with_its_reason(reason: ClientFault, kind: EndingKind) -> None:
    sitting = Sitting([ClientError(reason, "engine: what happened")])
    assert sitting.say("32-28")[-1] == "2-0, White has won: engine: what happened"
    assert sitting.live.game.ending == Ending(kind, WHITE, "engine: what happened")
