"""A DXP session, message by message, with an engine and a clock that do only what the test says."""

from __future__ import annotations

import pytest
from wire.dxp.talk import ACCEPT, REQUEST, REQUEST_WHITE, US, Opponent
from wire.dxp.test_codec import MALFORMED

from turkengine.engine.limits import GameClock, Limits
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.notation.fen import parse
from turkengine.rules.variant import Side
from turkengine.wire.actions import NewGame, StartSearch, StopSearch
from turkengine.wire.dxp.actions import HangUp
from turkengine.wire.dxp.session import DxpState

WE_ACCEPT = f"A{US:32}0"
WE_REFUSE = f"A{US:32}2"


@pytest.fixture
def follower() -> Opponent:
    """A follower who plays Black and waits for White's first move."""
    opponent = Opponent()
    opponent.call()
    assert opponent.say(REQUEST) == [WE_ACCEPT]
    return opponent


def request(colour: str = "Z", minutes: str = "005", moves: str = "075", setup: str = "A") -> str:
    return f"R01{'Ann':32}{colour}{minutes}{moves}{setup}"


class TestFollower:
    def test_says_nothing_before_it_is_asked(self) -> None:
        assert Opponent().call() == []

    def test_accepts_and_waits_for_white(self, follower: Opponent) -> None:
        assert follower.session.state is DxpState.PLAYING
        assert follower.searches == 0
        assert follower.told == ["game 1 begins: White Ann, Black us, 5 min each, at most 75 moves"]

    def test_says_what_the_opponent_has_to_do(self) -> None:
        opponent = Opponent()
        opponent.call()
        session = opponent.session
        assert (session.awaited, session.since) == ("the opponent to ask for a game", opponent.now)
        opponent.say(REQUEST, after=3.0)
        assert (session.awaited, session.since) == ("Ann to move", opponent.now)
        assert session.thinking(opponent.now + 29.9)
        assert not session.thinking(opponent.now + 30.0), "now one wonders"
        opponent.say("M0003322800")
        assert session.awaited is None, "it is our move"
        opponent.answer("19-23", after=1.0)
        assert (session.awaited, session.since) == ("Ann to move", opponent.now)

    def test_answers_a_move_with_a_move_and_its_time(self, follower: Opponent) -> None:
        assert follower.say("M0003322800") == []
        assert follower.answer("19-23", after=2.6) == ["M0003192300"]
        assert follower.say("M000228190123") == []
        assert follower.answer("14x23", after=0.4) == ["M000014230119"]

    def test_that_plays_white_begins(self) -> None:
        opponent = Opponent()
        opponent.call()
        assert opponent.say(REQUEST_WHITE) == [WE_ACCEPT]
        assert opponent.last[-2] == NewGame()
        assert opponent.answer("32-28") == ["M0000322800"]

    def test_plays_from_any_position(self) -> None:
        opponent = Opponent()
        opponent.call()
        letters = "e" * 19 + "z" + "e" * 29 + "W"
        assert opponent.say(request("Z", setup=f"BZ{letters}")) == [WE_ACCEPT]
        assert opponent.answer("20-25") == ["M0000202500"]

    def test_captured_squares_go_in_ascending_order(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("W", setup="BWeeeW" + "e" * 8 + "z" + "e" * 6 + "z" + "e" * 11 + "zeeeez" + "e" * 13))
        sent = opponent.answer()[0]
        assert (sent[:7], sent[9:]) in [("M000004", "03132032"), ("M000004", "03132037")]

    @pytest.mark.parametrize("games", [None, 3])
    def test_plays_one_game_after_the_other(self, games: int | None) -> None:
        opponent = Opponent(games=games)
        opponent.call()
        for number in (1, 2):
            assert opponent.say(REQUEST) == [WE_ACCEPT]
            assert opponent.say("E00") == ["E00"]
            assert (opponent.records[-1].number, opponent.records[-1].result) == (number, "*")
            assert not opponent.hung_up

    def test_ends_after_its_last_game(self) -> None:
        opponent = Opponent(games=1)
        opponent.call()
        opponent.say(REQUEST)
        assert opponent.say("E00") == ["E00"]
        assert opponent.hung_up
        assert opponent.quit
        assert opponent.say(REQUEST) == []

    def test_refuses_a_second_game_at_a_time(self, follower: Opponent) -> None:
        assert follower.say(REQUEST) == [WE_REFUSE]
        assert follower.session.state is DxpState.PLAYING
        assert follower.told[-1] == "a request is refused: a game is on"

    @pytest.mark.parametrize(
        ("wanted", "asked", "why"),
        [
            ({"ours": Side.WHITE}, request("Z"), "it gives us Black"),
            ({"minutes": 1.0}, request(), "it is for 5 minutes, not 1"),
            ({"moves": 0}, request(), "it is for 75 moves, not 0"),
            ({"variant": TURKISH}, request(setup="BW" + "e" * 50), "it sets up 50 squares and turkish has 64; is"),
            ({}, request(setup="BW" + "e" * 64), "it sets up 64 squares and international has 50; is the other"),
            ({}, request(setup="BWw" + "e" * 49), "White has a man on its promotion rank (1)"),
            ({}, request(setup="BW" + "W" * 21 + "e" * 29), "White has 21 pieces"),
        ],
    )
    def test_refuses_a_game_that_it_cannot_or_shall_not_play(
        self, wanted: dict[str, object], asked: str, why: str
    ) -> None:
        opponent = Opponent(**wanted)
        opponent.call()
        assert opponent.say(asked) == [WE_REFUSE]
        assert opponent.told[-1].startswith(f"a request is refused: {why}")
        assert opponent.session.state is DxpState.IDLE

    def test_takes_what_it_insists_on(self) -> None:
        opponent = Opponent(ours=Side.BLACK, minutes=5.0, moves=75)
        opponent.call()
        assert opponent.say(request()) == [WE_ACCEPT]

    def test_does_not_speak_version_two(self) -> None:
        opponent = Opponent()
        opponent.call()
        assert opponent.say("R02anything") == [f"A{US:32}1"]
        assert opponent.say(REQUEST) == [WE_ACCEPT]


class TestInitiator:
    def test_says_that_an_answer_is_awaited(self) -> None:
        opponent = Opponent(initiate=True)
        assert opponent.session.awaited is None
        opponent.call()
        assert opponent.session.awaited == "the opponent to answer the request"

    def test_asks_for_the_usual_game(self) -> None:
        assert Opponent(initiate=True).call() == [f"R01{US:32}Z005075A"]

    def test_begins_when_it_is_accepted(self) -> None:
        opponent = Opponent(initiate=True)
        opponent.call()
        assert opponent.say(ACCEPT) == []
        assert opponent.told == ["game 1 begins: White us, Black Bob, 5 min each, at most 75 moves"]
        assert opponent.answer("32-28") == ["M0000322800"]

    def test_changes_sides_from_game_to_game(self) -> None:
        opponent = Opponent(initiate=True, games=3)
        asked = opponent.call()
        for _ in range(2):
            opponent.say(ACCEPT)
            answer, following = opponent.say("E00")
            assert answer == "E00"
            asked.append(following)
        assert [text[35] for text in asked] == ["Z", "W", "Z"]

    @pytest.mark.parametrize(("side", "letter"), [(Side.WHITE, "Z"), (Side.BLACK, "W")])
    def test_keeps_the_side_that_it_wants(self, side: Side, letter: str) -> None:
        opponent = Opponent(initiate=True, games=2, ours=side)
        (first,) = opponent.call()
        opponent.say(ACCEPT)
        _, second = opponent.say("E00")
        assert (first[35], second[35]) == (letter, letter)

    def test_describes_the_start_of_a_game_that_the_protocol_was_not_made_for(self) -> None:
        (asked,) = Opponent(initiate=True, variant=TURKISH).call()
        assert asked[42:] == "BW" + "e" * 8 + "z" * 16 + "e" * 16 + "w" * 16 + "e" * 8

    def test_asks_for_the_position_wanted(self) -> None:
        (asked,) = Opponent(initiate=True, setup=parse(INTERNATIONAL, "B:WK50:B20")).call()
        assert asked[42:] == "BZ" + "e" * 19 + "z" + "e" * 29 + "W"

    def test_goes_on_when_one_game_is_refused(self) -> None:
        opponent = Opponent(initiate=True, games=2)
        opponent.call()
        (again,) = opponent.say(ACCEPT[:-1] + "2")
        assert again.startswith("R01")
        assert str(opponent.records[0]) == ("game 1: *, the opponent refuses this game (White us, Black Bob, 0 moves)")
        assert opponent.say(ACCEPT[:-1] + "2") == []
        assert opponent.quit

    @pytest.mark.parametrize("code", ["1", "3"])
    def test_ends_when_all_games_are_refused(self, code: str) -> None:
        opponent = Opponent(initiate=True, games=9)
        opponent.call()
        assert opponent.say(ACCEPT[:-1] + code) == []
        assert opponent.quit
        assert opponent.records[0].fault

    def test_hangs_up_when_nobody_answers(self) -> None:
        opponent = Opponent(initiate=True, games=2, patience=10.0)
        opponent.call()
        assert opponent.wait(9.9) == []
        assert not opponent.records
        opponent.wait(0.2)
        assert opponent.hung_up
        assert not opponent.quit
        assert opponent.records[0].reason == "no answer to the request for 10 s"
        assert opponent.call()[0].startswith("R01"), "the next one begins with the next connection"

    def test_says_so_when_the_other_side_asks_too(self) -> None:
        opponent = Opponent(initiate=True)
        opponent.call()
        assert opponent.say(REQUEST) == [WE_REFUSE]
        assert opponent.told == ["a request is refused: both sides ask for the games; one of them has to follow"]

    def test_still_waits_for_the_confirmation_of_its_last_game_then(self) -> None:
        opponent = Opponent(initiate=True, games=1, setup=parse(INTERNATIONAL, "W:W:B5"))
        opponent.call()
        assert opponent.say(ACCEPT) == ["E11"]
        assert opponent.say(REQUEST) == [WE_REFUSE]
        assert opponent.say("E01") == []
        assert opponent.quit

    def test_hears_that_the_opponent_wants_no_game(self) -> None:
        opponent = Opponent(initiate=True, games=5)
        opponent.call()
        assert opponent.say("E01") == [], "an end with no game on is not answered"
        assert opponent.quit
        assert opponent.records[0].reason == "the opponent wants no game"


class TestClock:
    def test_is_ours_and_counts_down(self) -> None:
        opponent = Opponent(initiate=True, minutes=1.0, moves=40)
        opponent.call()
        opponent.say(ACCEPT)
        assert opponent.searched.limits == Limits(clock=GameClock(60.0, moves=40))
        opponent.answer("32-28", after=12.0)
        opponent.say("M0000192300", after=20.0)
        assert opponent.searched.limits == Limits(clock=GameClock(48.0, moves=39))

    def test_has_any_number_of_moves(self) -> None:
        opponent = Opponent(initiate=True, minutes=0.5, moves=0)
        opponent.call()
        opponent.say(ACCEPT)
        assert opponent.searched.limits == Limits(clock=GameClock(30.0))

    def test_of_no_minutes_is_two_seconds_a_move(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("W", minutes="000"))
        assert opponent.searched.limits == Limits(move_time=2.0)

    def test_holds_beside_our_own_limits(self) -> None:
        opponent = Opponent(limits=Limits(depth=7, nodes=1000, move_time=0.5))
        opponent.call()
        opponent.say(request("W", minutes="000", moves="000"))
        assert opponent.searched.limits == Limits(depth=7, nodes=1000, move_time=0.5)
        opponent.say("E00", request("W", moves="000"))
        opponent.answer()
        assert opponent.searched.limits == Limits(depth=7, nodes=1000, move_time=0.5, clock=GameClock(300.0))

    def test_gives_the_opponent_its_time_and_patience(self, follower: Opponent) -> None:
        follower.say("M0003322800", after=100.0)
        follower.answer("19-23", after=1.0)
        assert follower.wait(200 + 30 - 0.1) == []
        assert follower.wait(0.2) == ["E00"], "also out of turn"
        assert follower.records[0].reason == "the opponent has been silent for 230 s"
        assert follower.records[0].fault


class TestEndOfGame:
    def test_is_sent_by_the_side_to_move_which_has_lost(self) -> None:
        opponent = Opponent()
        opponent.call()
        blocked = "zeeeewweeeewe" + "e" * 37  # Black's man on 1 stands before men on 6, 7 and 12
        (accept, end) = opponent.say(request("Z", setup=f"BZ{blocked}"))
        assert (accept, end) == (WE_ACCEPT, "E10")
        assert (opponent.records[0].result, opponent.records[0].reason) == ("2-0", "no legal move")
        assert opponent.session.state is DxpState.ENDING
        assert opponent.say("E00") == [], "one end is answered once"
        assert opponent.session.state is DxpState.IDLE

    def test_says_that_the_last_game_is_the_last(self) -> None:
        opponent = Opponent(initiate=True, games=1, setup=parse(INTERNATIONAL, "W:W:B5"))
        opponent.call()
        assert opponent.say(ACCEPT) == ["E11"]
        opponent.say("E01")
        assert opponent.quit

    @pytest.mark.parametrize(
        ("code", "result", "reason"),
        [
            ("0", "*", "the opponent ends the game"),
            ("1", "0-2", "the opponent gives up"),
            ("2", "*", "the opponent says that it is a draw"),
            ("3", "*", "the opponent says that it has won"),
        ],
    )
    def test_is_what_the_opponent_says_where_that_harms_nobody_but_itself(
        self, code: str, result: str, reason: str, follower: Opponent
    ) -> None:
        assert follower.say(f"E{code}0") == ["E00"]
        assert (follower.records[0].result, follower.records[0].reason) == (result, reason)
        assert not follower.records[0].fault

    @pytest.mark.parametrize("code", ["0", "1", "2", "3"])
    def test_is_what_the_rules_say_whatever_the_opponent_says(self, code: str) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("W", setup="BW" + "e" * 22 + "zeeeew" + "e" * 22))
        opponent.answer("28x19")
        assert opponent.say(f"E{code}0") == ["E00"]
        assert (opponent.records[0].result, opponent.records[0].reason) == ("2-0", "no piece left")

    def test_comes_with_the_number_of_moves_agreed(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("Z", moves="001"))
        opponent.say("M0000322800")
        opponent.answer("19-23")
        assert opponent.say("E00") == ["E00"], "White, to move, ends it"
        assert (opponent.records[0].result, opponent.records[0].reason) == ("*", "1 moves are played")

    def test_is_ours_to_say_when_we_are_to_move(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("W", moves="001"))
        opponent.answer("32-28")
        assert opponent.say("M0000192300") == ["E00"]

    def test_is_said_by_us_when_the_opponent_plays_on(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("Z", moves="001"), "M0000322800")
        opponent.answer("19-23")
        assert opponent.say("M000228190123") == ["E00"]
        assert len(opponent.records[0].record.moves) == 2
        assert not opponent.records[0].fault

    def test_is_said_by_us_when_the_opponent_does_not_see_it(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("Z", moves="001"), "M0000322800")
        opponent.answer("19-23")
        assert opponent.wait(4.9) == []
        assert opponent.wait(0.2) == ["E00"]
        assert not opponent.records[0].fault

    def test_without_an_answer_does_not_hold_up_the_next_game(self) -> None:
        opponent = Opponent(initiate=True, games=2, moves=1)
        opponent.call()
        opponent.say(ACCEPT)
        opponent.answer("32-28")
        assert opponent.say("M0000192300") == ["E00"]
        assert opponent.wait(1.4) == []
        (asked,) = opponent.wait(0.2)
        assert asked.startswith("R01")

    def test_of_the_last_game_is_not_followed_by_another(self) -> None:
        opponent = Opponent(games=1)
        opponent.call()
        opponent.say(request("W", moves="001"))
        opponent.answer("32-28")
        assert opponent.say("M0000192300") == ["E01"]
        assert opponent.say(REQUEST) == []
        assert opponent.quit

    def test_is_confirmed_by_the_next_request(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("W", moves="001"))
        opponent.answer("32-28")
        assert opponent.say("M0000192300") == ["E00"]
        assert opponent.say(REQUEST) == [WE_ACCEPT]

    def test_of_no_game_is_not_answered(self) -> None:
        opponent = Opponent(stays=True)
        opponent.call()
        assert opponent.say("E00") == []
        assert not opponent.hung_up
        assert opponent.say("E01") == []
        assert opponent.hung_up
        assert not opponent.quit, "a listener waits for the next"

    def test_with_no_more_games_lets_a_listener_wait_for_the_next_opponent(self) -> None:
        opponent = Opponent(stays=True)
        opponent.call()
        opponent.say(REQUEST)
        assert opponent.say("E01") == ["E01"]
        assert opponent.hung_up
        assert not opponent.quit
        opponent.call()
        assert opponent.say(REQUEST) == [WE_ACCEPT]

    def test_with_no_more_games_ends_a_connector(self, follower: Opponent) -> None:
        assert follower.say("E01") == ["E01"]
        assert follower.quit

    def test_stops_our_search_and_its_answer_is_not_played(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(REQUEST_WHITE)
        assert opponent.say("E00") == ["E00"]
        assert opponent.stops == 1
        opponent.say(REQUEST_WHITE)
        assert opponent.searches == 1, "one search at a time"
        assert opponent.answer() == []
        assert opponent.searches == 2
        assert opponent.last == [NewGame(), opponent.searched]
        assert opponent.answer("33-28") == ["M0000332800"]


class TestWrongMoves:
    @pytest.mark.parametrize(
        ("message", "why"),
        [
            ("M0000322900", "32-29 is not a legal move; a man moves one square diagonally forward (5.4.2)"),
            ("M0000193400", "19-34 is not a legal move; the man on 19 is Black's and it is White's turn (5.4.5)"),
            ("M0000283300", "28-33 is not a legal move; there is no piece on 28"),
            ("M000032280119", "32x28x19 is not a legal move; 32-28 jumps over nothing, so 19 must stay (5.4.7)"),
        ],
    )
    def test_end_the_game_with_their_article(self, message: str, why: str, follower: Opponent) -> None:
        chat, end = follower.say(message)
        assert (chat[0], end) == ("C", "E00")
        assert follower.records[0].reason.startswith(why)
        assert follower.records[0].fault
        assert chat[1:] == follower.records[0].reason[:126]

    def test_are_told_by_the_captured_squares(self, follower: Opponent) -> None:
        follower.say("M0000322800")
        follower.answer("19-23")
        follower.say("M000028190000")
        assert "the end of the message" in follower.records[0].reason
        follower.say("E00", REQUEST, "M0000322800")
        follower.answer("19-23")
        follower.say("M0000281900")
        assert follower.records[1].reason == (
            "28-19 is not a legal move; 28x19 also captures on 23; all captured pieces are removed (5.4.11)"
        )

    def test_of_the_side_that_has_just_moved_are_two_in_a_row(self, follower: Opponent) -> None:
        follower.say("M0000322800")
        follower.answer("19-23")
        follower.say("M0000141900")
        assert follower.records[0].reason.startswith("14-19 is not a legal move; the man on 14 is Black's")

    def test_out_of_turn_end_the_game_and_our_search(self, follower: Opponent) -> None:
        _, end = follower.say("M0000322800", "M0000312700")
        assert end == "E00"
        assert follower.stops == 1
        assert follower.records[0].reason == "5.4.1: it moves out of turn"

    @pytest.mark.parametrize("square", ["00", "51", "99"])
    def test_to_a_square_that_is_not_there_cannot_be_read(self, square: str, follower: Opponent) -> None:
        _, end = follower.say(f"M000032{square}00")
        assert end == "E00"
        assert follower.records[0].reason.startswith("a move cannot be read: there is no square")

    def test_without_a_game_are_ignored(self, follower: Opponent) -> None:
        follower.say("E00")
        assert follower.say("M0000322800") == []
        assert follower.session.state is DxpState.IDLE


class TestMalformed:
    @pytest.mark.parametrize("data", [*MALFORMED, None])
    def test_messages_end_the_game_with_a_reason(self, data: bytes | None) -> None:
        for ours in (REQUEST, REQUEST_WHITE):
            opponent = Opponent()
            opponent.call()
            opponent.say(ours)
            chat, end = opponent.say(data)
            assert (chat[0], end) == ("C", "E00")
            (record,) = opponent.records
            assert record.reason.startswith("a message cannot be read")
            assert str(record).isprintable()
            assert (record.result, record.fault) == ("*", True)
            assert opponent.stops == (ours == REQUEST_WHITE)
            assert opponent.say("E00") == []
            assert opponent.say(REQUEST) == [WE_ACCEPT], "the next game begins on the same connection"

    def test_messages_without_an_answer_to_our_end_cost_the_connection(self, follower: Opponent) -> None:
        follower.say("garbage")
        assert follower.wait(1.4) == []
        follower.wait(0.2)
        assert follower.hung_up
        assert follower.session.state is DxpState.OFFLINE

    @pytest.mark.parametrize("data", [b"A", b"x", None])
    def test_answers_to_a_request_end_that_game(self, data: bytes | None) -> None:
        opponent = Opponent(initiate=True, games=2)
        opponent.call()
        assert opponent.say(data) == []
        assert opponent.hung_up
        assert not opponent.quit
        assert opponent.records[0].reason.startswith("a message cannot be read")

    def test_messages_between_games_are_told_and_endured_for_a_while(self) -> None:
        opponent = Opponent(stays=True)
        opponent.call()
        for _ in range(19):
            assert opponent.say("x") == []
            assert not opponent.hung_up
        opponent.say("x")
        assert opponent.hung_up
        assert not opponent.quit


class TestTakeBack:
    @pytest.fixture
    def game(self, follower: Opponent) -> Opponent:
        """After 1. 32-28 19-23 2. 28x19 14x23; White is to move."""
        follower.say("M0000322800")
        follower.answer("19-23", after=5.0)
        follower.say("M000028190123", after=7.0)
        follower.answer("14x23", after=5.0)
        return follower

    def test_goes_to_before_the_move_named(self, game: Opponent) -> None:
        assert game.say("B002W") == ["K0"]
        game.say("M0000312700")
        assert game.searched.position.occurrences == 1
        assert game.searched.position.cells.count("w") == 20

    def test_gives_the_time_back(self, game: Opponent) -> None:
        game.say("B001W")
        game.say("M0000322800")
        assert game.searched.limits.clock == GameClock(300.0, moves=75)

    def test_to_our_own_turn_lets_us_think(self, game: Opponent) -> None:
        before = game.searches
        assert game.say("B002Z") == ["K0"]
        assert game.searches == before + 1
        assert game.answer("14x23") == ["M000014230119"]

    def test_stops_our_search_first(self, follower: Opponent) -> None:
        follower.say("M0000322800")
        assert follower.say("B001W") == ["K0"]
        assert follower.stops == 1
        assert follower.say("M0000312700") == []
        assert follower.searches == 1
        assert follower.answer() == [], "it is the answer to a question that is gone"
        assert follower.searches == 2
        assert follower.answer("19-23") == ["M0000192300"]

    def test_twice_stops_our_search_once(self, follower: Opponent) -> None:
        follower.say("M0000322800", "B001W", "M0000322800", "B001W")
        assert follower.stops == 1

    @pytest.mark.parametrize("wish", ["B003Z", "B004W", "B999Z", "B000W", "B000Z"])
    def test_to_where_the_game_has_not_been_is_refused(self, wish: str, game: Opponent) -> None:
        assert game.say(wish) == ["K2"]
        assert game.session.state is DxpState.PLAYING

    def test_counts_from_whoever_begins(self) -> None:
        opponent = Opponent()
        opponent.call()
        letters = "e" * 19 + "z" + "e" * 29 + "W"
        opponent.say(request("Z", setup=f"BZ{letters}"))
        opponent.answer("20-25")
        assert opponent.say("B001W") == ["K2"]
        assert opponent.say("B002W") == ["K0"]
        assert opponent.say("B001Z") == ["K0"]
        assert opponent.answer("20-25") == ["M0000202500"]

    def test_without_a_game_is_refused(self) -> None:
        opponent = Opponent()
        opponent.call()
        assert opponent.say("B001W") == ["K2"]

    def test_answers_that_nobody_asked_for_are_ignored(self, game: Opponent) -> None:
        assert game.say("K0") == []
        assert game.session.state is DxpState.PLAYING


class TestConnection:
    def test_that_breaks_in_mid_game_leaves_an_unfinished_game_and_waits(self, follower: Opponent) -> None:
        follower.say("M0000322800")
        follower.leave("has closed the connection")
        (record,) = follower.records
        assert (record.result, record.reason, tuple(move.text for move in record.record.moves)) == (
            "*",
            "the opponent has closed the connection",
            ("32-28",),
        )
        assert record.fault
        assert follower.stops == 1
        assert follower.session.state is DxpState.OFFLINE
        follower.call()
        assert follower.say(REQUEST) == [WE_ACCEPT]

    def test_that_breaks_after_the_last_move_does_not_change_the_result(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.say(request("W", setup="BW" + "e" * 22 + "zeeeew" + "e" * 22))
        opponent.answer("28x19")
        opponent.leave()
        assert (opponent.records[0].result, opponent.records[0].fault) == ("2-0", False)

    def test_that_ends_between_games_is_the_end_where_no_number_of_games_is_wanted(self) -> None:
        opponent = Opponent()
        opponent.call()
        opponent.leave()
        assert opponent.quit

    @pytest.mark.parametrize("wanted", [{"games": 5}, {"stays": True}])
    def test_that_ends_between_games_is_followed_by_another(self, wanted: dict[str, object]) -> None:
        opponent = Opponent(**wanted)
        opponent.call()
        opponent.leave()
        assert not opponent.quit
        opponent.call()
        assert opponent.say(REQUEST) == [WE_ACCEPT]

    def test_that_breaks_before_the_answer_to_a_request_is_a_game_too(self) -> None:
        opponent = Opponent(initiate=True, games=1)
        opponent.call()
        opponent.leave("has broken the connection")
        assert opponent.records[0].reason == "the opponent has broken the connection"
        assert opponent.quit

    def test_gives_way_to_another_only_where_no_game_is_on(self, follower: Opponent) -> None:
        assert not follower.session.gives_way(follower.now + 100)
        follower.say("E00")
        assert not follower.session.gives_way(follower.now + 1)
        assert follower.session.gives_way(follower.now + 2)

    def test_is_left_in_order_when_interrupted(self, follower: Opponent) -> None:
        follower.say("M0000322800")
        assert follower.interrupt() == ["E01"]
        assert follower.records[0].reason == "interrupted"
        assert StopSearch() in follower.last
        assert follower.last[-2] == HangUp()
        assert follower.quit

    def test_is_not_there_yet_when_interrupted(self) -> None:
        opponent = Opponent()
        assert opponent.interrupt() == []
        assert opponent.quit
        assert not opponent.hung_up


class TestChat:
    def test_is_shown_whenever_it_comes(self, follower: Opponent) -> None:
        assert follower.say("CGood luck\x1b[2J\n!") == []
        assert follower.told[-1] == "Ann says: Good luck [2J !"
        follower.say("E00", "CThanks")
        assert follower.told[-1] == "Ann says: Thanks"


def test_the_8x8_games_count_their_squares_from_a1() -> None:
    opponent = Opponent(variant=TURKISH)
    opponent.call()
    assert opponent.say(request("W", setup="BW" + "e" * 8 + "z" * 16 + "e" * 16 + "w" * 16 + "e" * 8)) == [WE_ACCEPT]
    assert opponent.answer("a3-a4") == ["M0000172500"]
    opponent.say("M0000484000")
    assert [action for action in opponent.last if isinstance(action, StartSearch)]
    assert opponent.searched.position.cells[39] == "b", "h5"


def test_a_start_position_that_is_described_is_still_the_start() -> None:
    opponent = Opponent()
    opponent.call()
    opponent.say(request(setup="BW" + "z" * 20 + "e" * 10 + "w" * 20), "E00")
    assert opponent.records[0].record.fen == ""
