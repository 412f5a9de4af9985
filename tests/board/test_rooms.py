"""What a room does where engines fail, and what a contest keeps: without a server, in one process."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from turkengine.board.contest import ENGINE, HERE, Contest, Player
from turkengine.board.hall import Hall
from turkengine.board.store import Keeper
from turkengine.board.thinking import Order, Thinkers, order_for
from turkengine.board.visitors import Visitor
from turkengine.board.wire import Message, WireError
from turkengine.client.contract import ClientError, ClientFault, Thought
from turkengine.games import VARIANTS, variant_named
from turkengine.match.clocks import TimeControl
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

GIVEN = {"variant": "turkish", "white": {"kind": "here"}, "black": {"kind": "engine", "level": 3}}


class Failing(Thinkers):
    """Engines that die as often as is wanted."""

    def __init__(self, failures: int) -> None:
        super().__init__(1)
        self.failures = failures

    async def think(self, order: Order) -> Thought:
        if self.failures:
            self.failures -= 1
            raise ClientError(ClientFault.CRASH, "turkengine: it has ended")
        return await super().think(order)


class Ear(Visitor):
    """Somebody without a socket."""

    def __init__(self, *seats: Side) -> None:
        super().__init__(None, seats)  # type: ignore[arg-type]
        self.heard: list[dict[str, Any]] = []

    def tell(self, text: str) -> None:
        self.heard.append(json.loads(text))


def played(failures: int, again: bool) -> list[dict[str, Any]]:
    """What White hears of a game in which the engine dies."""

    async def game() -> list[dict[str, Any]]:
        keeper, thinkers = Keeper(), Failing(failures)
        try:
            room = (await Hall(keeper, thinkers).make(GIVEN)).room
            ear = Ear(Side.WHITE)
            await room.enter(ear)
            await room.obey(ear, Message("move", 1, {"ply": 0, "move": "a3-a4"}))
            while room._thought is not None and not room._thought.done():
                await asyncio.sleep(0.01)
            if again:
                await room.obey(ear, Message("again", 2, {}))
                while room.contest.ply < 2:
                    await asyncio.sleep(0.01)
            return ear.heard
        finally:
            thinkers.close()
            keeper.close()

    return asyncio.run(game())


def test_an_engine_that_dies_is_asked_once_more_by_itself() -> None:
    assert [one["move"]["ply"] for one in played(1, again=False) if one["type"] == "played"] == [1, 2]


def test_an_engine_that_dies_again_is_said_to_and_asked_when_somebody_wants_it() -> None:
    heard = played(2, again=True)
    notices = [one for one in heard if one["type"] == "notice"]
    assert [(one["code"], one["text"]) for one in notices] == [("engine-failed", "turkengine: it has ended")]
    assert [one["move"]["ply"] for one in heard if one["type"] == "played"] == [1, 2]


def contest(now: list[float], **more: Any) -> Contest:
    players = {side: Player(HERE, side.name) for side in Side}
    start = Position.start(variant_named("turkish"))
    return Contest(start, players, TimeControl.read("60+2"), now=lambda: now[0], **more)


def test_clocks_follow_from_the_moves_and_go_back_with_them() -> None:
    now = [0.0]
    game = contest(now)
    for text in ("a3-a4", "h6-h5", "b3-b4"):
        now[0] += 5
        game.play(game.move(text))
    assert (game.remaining(Side.WHITE), game.remaining(Side.BLACK)) == (54, 57)
    now[0] += 4
    assert game.remaining(Side.BLACK) == 53
    game.take_back(1)
    assert (game.remaining(Side.WHITE), game.remaining(Side.BLACK)) == (57, 57)


def test_a_flag_falls_at_its_moment_and_not_before() -> None:
    now = [0.0]
    game = contest(now)
    now[0] = 59.9
    assert not game.flag()
    now[0] = 60.1
    assert game.flag()
    assert game.game.ending is not None
    assert game.game.ending.winner is Side.BLACK
    with pytest.raises(WireError, match="over"):
        game.move("a3-a4")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_game_reads_back_as_it_was_kept(variant: Any) -> None:
    game = Contest(Position.start(variant), {side: Player(HERE, "x") for side in Side}, irregular="ask")
    for _ in range(30):
        if game.over:
            break
        game.play(game.game.position.legal_moves()[0])
    again = Contest.from_data(json.loads(json.dumps(game.as_data())))
    assert again.entries == game.entries
    assert again.game.position == game.game.position
    kept, told = again.as_data(), game.as_data()
    assert kept.pop("spent") == pytest.approx(told.pop("spent"), abs=0.5)
    assert kept == told


def test_an_irregular_move_that_stands_is_kept() -> None:
    game = contest([0.0], irregular="ask")
    assert game.irregularity("a3-a5", "5.4.2: too far", "5.4.2") is not None
    assert Contest.from_data(json.loads(json.dumps(game.as_data()))).question == game.question
    game.settle(True)
    again = Contest.from_data(json.loads(json.dumps(game.as_data())))
    assert again.entries == game.entries
    assert again.entries[0]["fen"]
    assert again.side is Side.BLACK


def test_an_engine_is_told_what_its_clock_shows_now() -> None:
    now = [0.0]
    game = contest(now)
    game.players[Side.WHITE] = Player(ENGINE, "e", 5)
    now[0] = 10.0
    clock = order_for(game).limits.clock
    assert clock is not None
    assert (clock.remaining, clock.increment) == (50, 2)
