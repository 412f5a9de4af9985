"""Games as text that grow."""

from __future__ import annotations

from turkengine.games import INTERNATIONAL
from turkengine.notation import fen, moves
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.wire.history import History


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
