"""Moves told by what has changed on the board, and games that grow."""

from __future__ import annotations

import random

import pytest

from turkengine.notation import fen, moves
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant
from turkengine.rules.variants import CRODA, INTERNATIONAL, TURKISH, VARIANTS
from turkengine.wire.history import History, move_between


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_move_between_two_positions_is_the_one_that_was_played(variant: Variant) -> None:
    source, captures = random.Random(7), 0
    for _ in range(8):
        position = Position.start(variant)
        while position.legal_moves() and position.no_progress < 30:
            move = source.choice(position.legal_moves())
            assert move_between(position, position.play(move)) == move
            captures += move.is_capture
            position = position.play(move)
    assert captures > 50


@pytest.mark.parametrize(
    ("variant", "position"), [(INTERNATIONAL, "W:W38:B22,23,32,33"), (CRODA, "W:Wd3:Bd4,e3,e5,f4")]
)
def test_a_capture_that_comes_back_to_its_start_is_found(variant: Variant, position: str) -> None:
    before = fen.read(variant, position)
    (move,) = before.legal_moves()
    assert move.origin == move.target
    assert move_between(before, before.play(move)) == move


def test_a_capture_may_end_where_a_captured_piece_stood() -> None:
    before = fen.read(TURKISH, "W:WKh8:Bd7,h7,b6,c5,d4")
    move = moves.read(before, "h8xh5xb5xb7xh7")
    assert move.target in move.captured
    assert move_between(before, before.play(move)) == move


def test_positions_that_do_not_follow_each_other_are_refused() -> None:
    start = Position.start(INTERNATIONAL)
    with pytest.raises(ValueError, match="do not follow each other"):
        move_between(start, start)


class TestHistory:
    def play(self, *texts: str) -> Position:
        position = Position.start(INTERNATIONAL)
        for text in texts:
            position = position.play(moves.read(position, text))
        return position

    def test_gives_the_start_and_every_move(self) -> None:
        position = self.play("32-28", "19-23", "28x19")
        start, texts = History(moves.hub).follow(position)
        assert start == Position.start(INTERNATIONAL)
        assert texts == ["32-28", "19-23", "28x19x23"]

    def test_writes_each_move_of_a_growing_game_once(self) -> None:
        written: list[Move] = []

        def write(position: Position, move: Move) -> str:
            written.append(move)
            return moves.hub(position, move)

        history, position = History(write), self.play("32-28")
        assert history.follow(position)[1] == ["32-28"]
        for text in ("19-23", "28x19"):
            position = position.play(moves.read(position, text))
        assert history.follow(position)[1] == ["32-28", "19-23", "28x19x23"]
        assert len(written) == 3

    def test_goes_back_and_takes_another_way(self) -> None:
        history, fork = History(moves.hub), self.play("32-28", "19-23")
        history.follow(fork.play(moves.read(fork, "28x19")))
        assert history.follow(fork)[1] == ["32-28", "19-23"]
        assert fork.previous is not None
        other = fork.previous.play(moves.read(fork.previous, "18-23"))
        assert history.follow(other)[1] == ["32-28", "18-23"]

    def test_begins_anew_with_another_game(self) -> None:
        history = History(moves.hub)
        history.follow(self.play("32-28", "19-23"))
        assert history.follow(self.play("31-27"))[1] == ["31-27"]
        bare = fen.read(INTERNATIONAL, "B:W31:B20")
        assert history.follow(bare) == (bare, [])
