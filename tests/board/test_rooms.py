"""What a room does where engines fail, and what a contest keeps: without a server, in one process."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from turkengine.board.contest import ENGINE, HERE, Contest, Player
from turkengine.board.hall import Hall
from turkengine.board.rooms import Room
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
                while not any(one["type"] == "played" and one["move"]["ply"] == 2 for one in ear.heard):
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


def test_rooms_are_left_for_new_ones_where_nothing_goes_on_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turkengine.board.hall.MOST_ROOMS", 3)
    people = GIVEN | {"black": {"kind": "here"}}

    async def made() -> None:
        keeper, thinkers = Keeper(), Thinkers(1)
        try:
            hall = Hall(keeper, thinkers)
            visited, running, idle = [
                (await hall.make(people | more)).room for more in ({}, {"time": "300"}, {"white": {"kind": "link"}})
            ]
            await visited.enter(Ear(Side.WHITE))
            with pytest.raises(WireError, match="too many games"):
                await hall.make(people)  # the idle one has been made just now: somebody is about to enter
            idle.asked_for -= 60
            running.asked_for = visited.asked_for = idle.asked_for
            await hall.make(people)
            assert set(hall._rooms) >= {visited.address, running.address}
            assert idle.address not in hall._rooms
        finally:
            thinkers.close()
            keeper.close()

    asyncio.run(made())


def test_one_address_may_have_so_many_clocks_run() -> None:
    people = GIVEN | {"black": {"kind": "here"}, "time": "300"}

    async def made() -> None:
        keeper, thinkers = Keeper(), Thinkers(1)
        try:
            hall = Hall(keeper, thinkers)
            first = (await hall.make(people, "a", 2)).room
            await hall.make(people, "a", 2)
            with pytest.raises(WireError, match="2 games of yours"):
                await hall.make(people, "a", 2)
            await hall.make(people, "b", 2)
            first.contest.resign(Side.WHITE)
            await hall.make(people, "a", 2)
        finally:
            thinkers.close()
            keeper.close()

    asyncio.run(made())


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
    assert kept.pop("wasted") == pytest.approx(told.pop("wasted"), abs=0.5)
    assert kept["record"].pop("seconds") == pytest.approx(told["record"].pop("seconds"), abs=0.5)
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


def test_no_clock_runs_while_the_opponent_chooses() -> None:
    now = [0.0]
    game = contest(now, irregular="ask")
    now[0] = 10.0
    assert game.irregularity("a3-a5", "5.4.2: too far", "5.4.2") is not None
    now[0] = 1000.0
    assert not game.running
    assert not game.flag()
    assert game.remaining(Side.WHITE) == 50
    game.settle(False)
    now[0] = 1005.0
    assert game.remaining(Side.WHITE) == 45
    game.play(game.move("a3-a4"))
    assert game.remaining(Side.WHITE) == 47  # with the increment of a move, which one that was put right has not got
    assert game.game.moves[0].seconds == 15


def test_the_turn_under_way_is_kept_now_and_then_so_that_a_kill_gives_no_time_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def kept() -> tuple[float, float]:
        keeper, thinkers = Keeper(), Thinkers(1)
        try:
            hall = Hall(keeper, thinkers)
            room = (await hall.make(GIVEN | {"black": {"kind": "here"}, "time": "300"})).room
            room.contest._turn -= 20.0
            await room.tick()  # it was written just now
            before = json.loads(await keeper.game(room.address) or "")["contest"]["wasted"]
            monkeypatch.setattr(room, "_kept_at", room._kept_at - 10)
            await hall.watch_clocks()
            text = await keeper.game(room.address) or ""
            again = Room.read(room.address, text, keeper, thinkers)
            return before, again.contest.remaining(Side.WHITE) or 0.0
        finally:
            thinkers.close()
            keeper.close()

    before, left = asyncio.run(kept())
    assert before < 1
    assert left == pytest.approx(280, abs=2)


def test_a_move_that_waits_for_an_engine_waits_at_the_cost_of_its_clock() -> None:
    game = contest([0.0])
    game.players[Side.WHITE] = Player(ENGINE, "e", 5)
    clock = order_for(game).after(25).limits.clock
    assert clock is not None
    assert (clock.remaining, clock.increment) == (35, 2)


def test_an_engine_is_told_what_its_clock_shows_now() -> None:
    now = [0.0]
    game = contest(now)
    game.players[Side.WHITE] = Player(ENGINE, "e", 5)
    now[0] = 10.0
    clock = order_for(game).limits.clock
    assert clock is not None
    assert (clock.remaining, clock.increment) == (50, 2)
