"""A game without clients: moves, agreement, giving up and taking back."""

from __future__ import annotations

import pytest

from turkengine.errors import IllegalMoveError
from turkengine.games import INTERNATIONAL
from turkengine.match.conduct import Conduct
from turkengine.match.game import MatchGame
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side


@pytest.fixture
def game() -> MatchGame:
    return MatchGame(Position.start(INTERNATIONAL))


def make(game: MatchGame, *texts: str) -> None:
    for text in texts:
        game.play(moves.read(game.position, text))


def test_moves_are_kept_as_they_are_written_in_files(game: MatchGame) -> None:
    make(game, "32-28", "19x23", "28:19", "14-23")
    assert [move.text for move in game.moves] == ["32-28", "19-23", "28x19", "14x23"]
    assert game.side is Side.WHITE
    assert game.ending is None


def test_an_illegal_move_is_refused_with_its_article_and_changes_nothing(game: MatchGame) -> None:
    make(game, "32-28", "19-23")
    with pytest.raises(IllegalMoveError, match="compulsory") as caught:
        game.play(Move(30, 25))  # 31-26 in place of the capture
    assert caught.value.article == "5.4.6"
    assert len(game.moves) == 2


def test_a_draw_is_agreed_and_a_game_given_up(game: MatchGame) -> None:
    game.agree()
    assert game.ending == Ending(EndingKind.AGREEMENT, None, "draw by agreement")
    game.resign(Side.WHITE)
    assert game.ending.kind is EndingKind.AGREEMENT


def test_moves_are_taken_back_with_consent(game: MatchGame) -> None:
    make(game, "32-28", "19-23", "28x19")
    game.take_back(2, consent=True)
    assert [move.text for move in game.moves] == ["32-28"]
    make(game, "20-24")
    assert fen.write(game.position).startswith("W:")
    assert game.position.previous is not None


def test_a_move_is_not_taken_back_without_consent(game: MatchGame) -> None:
    make(game, "32-28")
    with pytest.raises(IllegalMoveError, match=r"5\.4\.4") as caught:
        game.take_back(1, consent=False)
    assert caught.value.article == "5.4.4"


def test_nothing_is_taken_back_that_nobody_has_thought_about(game: MatchGame) -> None:
    game.play(moves.read(game.position, "32-28"), book=True)
    make(game, "19-23")
    with pytest.raises(IllegalMoveError, match="2 moves cannot be taken back"):
        game.take_back(2, consent=True)


def test_the_move_that_ended_a_game_can_be_taken_back() -> None:
    game = MatchGame(fen.read(INTERNATIONAL, "W:W28:B22"))
    make(game, "28x17")
    assert game.ending is not None
    game.take_back(1, consent=True)
    assert game.ending is None
    assert game.side is Side.WHITE


def test_the_length_is_a_limit_only_where_one_is_set() -> None:
    game = MatchGame(Position.start(INTERNATIONAL), Conduct(longest=2))
    make(game, "32-28", "19-24")
    assert game.ending == Ending(EndingKind.LENGTH, None, "2 plies are played")
