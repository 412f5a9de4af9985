"""A game and everybody in it: who plays, who looks on, what they suggest and say; nothing is said before it is kept.

One change at a time: the rules are asked in a thread, the game is written, and only then does anybody hear of it. Where
the disk refuses, the game is again what the disk has.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from turkengine.board.contest import ENGINE, HERE, REFUSE, Contest
from turkengine.board.geometry import variant_data
from turkengine.board.store import Keeper
from turkengine.board.thinking import Thinkers, order_for
from turkengine.board.visitors import Visitor
from turkengine.board.wire import Message, WireError, written
from turkengine.client.contract import ClientError
from turkengine.errors import IllegalMoveError, MoveError, unforeseen
from turkengine.notation import fen
from turkengine.play.words import agrees
from turkengine.rules.variant import Side
from turkengine.storage import StoreError

MOST_TALK = 200  # lines that are kept
TRIES = 2  # of an engine for one move


class Room:
    """One game with its people.

    Attributes:
        keys: the SHA-256 of the key of each seat.
    """

    def __init__(
        self, address: str, contest: Contest, keys: Mapping[Side, str], keeper: Keeper, thinkers: Thinkers
    ) -> None:
        self.address, self.contest, self.keys = address, contest, dict(keys)
        self.visitors: set[Visitor] = set()
        self.talk: list[dict[str, Any]] = []
        self.suggested: dict[object, str] = {}  # by visitor; by a text where it was read from the file
        self.lock = asyncio.Lock()
        self._keeper, self._thinkers = keeper, thinkers
        self._kept = ""
        self._thought: asyncio.Task[None] | None = None
        self.failed = False

    # Kept, and read again.

    def text(self) -> str:
        """All of it as JSON."""
        data = {
            "contest": self.contest.as_data(),
            "keys": {side.value: key for side, key in self.keys.items()},
            "talk": self.talk,
            "suggested": list(self.suggested.values()),
        }
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def read(cls, address: str, text: str, keeper: Keeper, thinkers: Thinkers) -> Room:
        """The room that `text` gave."""
        data = json.loads(text)
        keys = {Side(side): key for side, key in data["keys"].items()}
        room = cls(address, Contest.from_data(data["contest"]), keys, keeper, thinkers)
        room._restore(data)
        room._kept = text
        return room

    def _restore(self, data: Mapping[str, Any]) -> None:
        self.talk = data["talk"]
        self.suggested = {f"before {place}": move for place, move in enumerate(data["suggested"])}

    async def keep(self) -> None:
        """Write it; where that fails it is again what it was.

        Raises:
            WireError: it cannot be written.
        """
        text = self.text()
        try:
            await self._keeper.keep_game(self.address, self.contest.running, text)
        except StoreError as error:
            if self._kept:
                data = json.loads(self._kept)
                self.contest = await asyncio.to_thread(Contest.from_data, data["contest"])
                self._restore(data)
                self.tell(self.now())
            raise WireError("not-kept", str(error)) from None
        self._kept = text

    # What everybody sees.

    def tell(self, text: str) -> None:
        """Say something to all."""
        for visitor in self.visitors:
            visitor.tell(text)

    def now(self, **more: Any) -> str:
        """What has changed, with the board as it is."""
        return written(type="played" if "move" in more else "now", **more, now=self._now_data())

    def whole(self) -> str:
        """The game from its beginning."""
        contest = self.contest
        start = contest.game.start
        return written(
            type="game",
            game=self.address,
            variant=variant_data(contest.variant),
            start={"cells": start.cells, "side": start.side.value, "fen": fen.write_counted(start)},
            players=self._players(),
            irregular=contest.irregular,
            time=str(contest.control) if contest.control is not None else "",
            moves=contest.entries,
            now=self._now_data(),
            suggestions=self._suggestions(),
            talk=self.talk,
            watchers=self._watchers(),
        )

    def _now_data(self) -> dict[str, Any]:
        thinking = self.contest.side.value if self.contest.engine_is_due and not self.failed else None
        return self.contest.now_data() | {"thinking": thinking}

    def _players(self) -> dict[str, Any]:
        shown = {}
        for side, player in self.contest.players.items():
            there = [visitor for visitor in self.visitors if side in visitor.seats]
            shown[side.value] = {
                "kind": player.kind,
                "name": player.name,
                "level": player.level,
                "online": player.kind == ENGINE or bool(there),
                "taken": player.taken,
                "muted": bool(there) and all(visitor.muted for visitor in there),
            }
        return shown

    def _watchers(self) -> int:
        return sum(not visitor.seats for visitor in self.visitors)

    def _suggestions(self) -> dict[str, Any]:
        counts = Counter(self.suggested.values())
        if not counts:
            return {"ply": self.contest.ply, "arrows": []}
        known = {choice["move"]: choice for choice in self.contest.now_data()["legal"]}
        arrows = [
            {"move": move, "path": known[move]["routes"][0], "captured": known[move]["captured"], "count": count}
            for move, count in counts.most_common()
            if move in known
        ]
        return {"ply": self.contest.ply, "arrows": arrows}

    def _tell_suggestions(self) -> None:
        text = written(type="suggestions", **self._suggestions())
        for visitor in self.visitors:
            if not (visitor.muted and visitor.seats):
                visitor.tell(text)

    # Coming and going.

    async def enter(self, visitor: Visitor) -> None:
        """Somebody connects."""
        async with self.lock:
            taken = [side for side in visitor.seats if not self.contest.players[side].taken]
            for side in taken:
                self.contest.seat_taken(side)
            if taken:
                await self.keep()
            await asyncio.to_thread(self.contest.now_data)  # finds the moves, where nobody has yet
            self.visitors.add(visitor)
            visitor.tell(written(type="you", seats=[side.value for side in visitor.seats]))
            visitor.tell(self.whole())
            self._tell_who(visitor, visitor if not taken else None)
            if taken:
                self.tell(self.now())
        self.think()

    def leave(self, visitor: Visitor) -> None:
        """Somebody has gone."""
        self.visitors.discard(visitor)
        self._tell_who(visitor)

    def _tell_who(self, visitor: Visitor, besides: Visitor | None = None) -> None:
        text = (
            written(type="players", players=self._players())
            if visitor.seats
            else written(type="watchers", watchers=self._watchers())
        )
        for one in self.visitors - {besides}:
            one.tell(text)

    # What people want.

    async def obey(self, visitor: Visitor, message: Message) -> None:
        """Do what somebody wants, keep it, and let everybody know.

        Raises:
            WireError: it is not for him, or cannot be done.
        """
        wanted: Callable[[Visitor, Message], Any] = getattr(self, f"_on_{message.type}")
        async with self.lock:
            if self.contest.flag():
                await self._changed()
            await wanted(visitor, message)
        self.think()

    async def _on_ping(self, visitor: Visitor, message: Message) -> None:
        """He is still there."""

    async def _on_move(self, visitor: Visitor, message: Message) -> None:
        contest, ply, text = self.contest, message["ply"], message["move"]
        self._need_seat(visitor)
        if ply < contest.ply and contest.game.moves[ply].side in visitor.seats:
            entry = contest.entries[ply]
            if entry["text"] == text:
                return  # the same once more
        self._need_ply(ply)
        if contest.over:
            raise WireError("over", "the game is over")
        if contest.side not in visitor.seats:
            raise WireError("not-your-turn", f"it is the move of {contest.side.name.capitalize()}")
        if contest.question is not None:
            raise WireError("not-your-turn", "your opponent chooses first whether the last move stands")
        try:
            move = await asyncio.to_thread(contest.move, text)
        except IllegalMoveError as error:
            await self._irregular(visitor, text, str(error), error.article or "")
            return
        await asyncio.to_thread(contest.play, move)
        await self._played()

    async def _irregular(self, visitor: Visitor, text: str, what: str, article: str) -> None:
        contest = self.contest
        contest.irregularity(text, what, article)
        if contest.irregular != REFUSE:
            await self._changed()
        if contest.question is None:
            visitor.tell(written(type="wrong", ply=contest.ply, move=text, text=what, article=article))

    async def _on_settle(self, visitor: Visitor, message: Message) -> None:
        question = self.contest.question
        if question is None:
            raise WireError("nothing-asked", "nobody has asked anything")
        if question.side not in visitor.seats:
            raise WireError("not-yours", "the opponent chooses")
        before = self.contest.ply
        await asyncio.to_thread(self.contest.settle, message["stand"])
        await (self._played() if self.contest.ply > before else self._changed())

    async def _on_resign(self, visitor: Visitor, message: Message) -> None:
        side = self._side(visitor, message, self.contest.side)
        self._need_going()
        self.contest.resign(side)
        await self._changed()

    async def _on_draw(self, visitor: Visitor, message: Message) -> None:
        contest = self.contest
        side = self._side(visitor, message, contest.side)
        self._need_ply(message["ply"])
        self._need_going()
        opponent = contest.players[side.opponent]
        if contest.draw is side.opponent or self._both_here():
            contest.agree()
        elif opponent.kind == ENGINE:
            taken, why = agrees(contest.game.moves, side.opponent)
            self.tell(written(type="notice", code="draw-taken" if taken else "draw-declined", text=why))
            if not taken:
                return
            contest.agree()
        else:
            contest.draw = side
        await self._changed()

    async def _on_back(self, visitor: Visitor, message: Message) -> None:
        contest = self.contest
        last = contest.game.moves[-1].side if contest.game.moves else contest.side
        side = self._side(visitor, message, last)
        self._need_ply(message["ply"])
        agreed = contest.back is side.opponent
        asking = side.opponent if agreed else side
        plies = contest.plies_back(asking)
        if not plies:
            raise WireError("nothing-asked", "there is no move of yours to take back")
        if agreed or self._both_here() or contest.players[side.opponent].kind == ENGINE:
            await asyncio.to_thread(contest.take_back, plies)
            await asyncio.to_thread(contest.now_data)
            self.suggested.clear()
            await self.keep()
            self._forget_thought()
            self.tell(self.whole())
            return
        contest.back = side
        await self._changed()

    async def _on_decline(self, visitor: Visitor, message: Message) -> None:
        self._need_seat(visitor)
        if self.contest.draw is None and self.contest.back is None:
            raise WireError("nothing-asked", "nothing has been offered")
        self.contest.draw = self.contest.back = None
        await self._changed()

    async def _on_again(self, visitor: Visitor, message: Message) -> None:
        self._need_seat(visitor)
        self.failed = False
        self.tell(self.now())

    async def _on_suggest(self, visitor: Visitor, message: Message) -> None:
        if visitor.seats:
            raise WireError("not-yours", "players move; those who look on suggest")
        self._need_ply(message["ply"])
        self._need_going()
        if not message["move"]:
            self.suggested.pop(visitor, None)
        else:
            try:
                move = await asyncio.to_thread(self.contest.move, message["move"])
            except MoveError as error:
                raise WireError("illegal", str(error)) from None
            legal = self.contest.now_data()["legal"]
            ends = [one for one in legal if (one["from"], one["to"]) == (move.origin, move.target)]
            named = [one for one in ends if set(one["captured"]) == set(move.captured)] or ends
            self.suggested[visitor] = named[0]["move"]
        await self.keep()
        self._tell_suggestions()

    async def _on_mute(self, visitor: Visitor, message: Message) -> None:
        self._need_seat(visitor)
        visitor.muted = message["muted"]
        self._tell_who(visitor)

    async def _on_talk(self, visitor: Visitor, message: Message) -> None:
        if not message["text"]:
            raise WireError("bad-message", "there is nothing to be read in this")
        side = visitor.seats[0] if visitor.seats else None
        name = self.contest.players[side].name if side is not None else visitor.name
        line = {"from": side.value if side else None, "name": name, "text": message["text"], "at": round(time.time())}
        self.talk = [*self.talk, line][-MOST_TALK:]
        await self.keep()
        text = written(type="talk", **line)
        for one in self.visitors:
            if side is not None or not (one.muted and one.seats):
                one.tell(text)

    async def _on_name(self, visitor: Visitor, message: Message) -> None:
        visitor.name = message["name"]
        if visitor.seats and message["name"]:
            for side in visitor.seats[:1]:
                self.contest.players[side].name = message["name"]
            await self.keep()
            self._tell_who(visitor)

    # Within.

    async def _played(self) -> None:
        """A move has been made: keep it, and show it."""
        await asyncio.to_thread(self.contest.now_data)
        self.suggested.clear()
        await self.keep()
        self._forget_thought()
        self.tell(self.now(move=self.contest.entries[-1]))

    async def _changed(self) -> None:
        await self.keep()
        self.tell(self.now())

    def _need_seat(self, visitor: Visitor) -> None:
        if not visitor.seats:
            raise WireError("not-yours", "you look on; a seat is taken by its link")

    def _need_ply(self, ply: int) -> None:
        if ply != self.contest.ply:
            raise WireError("old-ply", f"the game is at ply {self.contest.ply}, not {ply}")

    def _need_going(self) -> None:
        if self.contest.over:
            raise WireError("over", "the game is over")

    def _side(self, visitor: Visitor, message: Message, usual: Side) -> Side:
        """The seat that a message is about."""
        self._need_seat(visitor)
        said = message["side"]
        if said is not None and Side(said) not in visitor.seats:
            raise WireError("not-yours", "that is not your seat")
        if said is not None:
            return Side(said)
        return usual if usual in visitor.seats else visitor.seats[0]

    def _both_here(self) -> bool:
        return all(player.kind == HERE for player in self.contest.players.values())

    # The engine, and the clock.

    def think(self) -> None:
        """Let the engine move, where it is to."""
        if self.contest.engine_is_due and not self.failed and (self._thought is None or self._thought.done()):
            self._thought = asyncio.create_task(self._think())

    def _forget_thought(self) -> None:
        """The engine is asked about another position, if at all; what it says about this one comes too late."""
        if self._thought is not None and self._thought is not asyncio.current_task():
            self._thought = None

    async def _think(self) -> None:
        contest, ply, position = self.contest, self.contest.ply, self.contest.game.position
        thought, problem = None, ""
        for _ in range(TRIES):
            try:
                thought = await self._thinkers.think(order_for(contest))
                break
            except ClientError as error:
                problem = str(error)
            except RuntimeError as error:  # the pool is closed: the server ends
                problem = unforeseen(error)
        async with self.lock:
            due = self.contest is contest and contest.ply == ply and contest.game.position is position
            if not due or not contest.engine_is_due or contest.flag():
                await self._changed() if contest.over and due else None
                return
            if thought is None:
                self.failed = True
                self.tell(written(type="notice", code="engine-failed", text=problem))
                self.tell(self.now())
                return
            try:
                if thought.move is None:
                    contest.resign(contest.side)
                    await self._changed()
                else:
                    score = thought.score.hundredths if thought.score is not None else None
                    await asyncio.to_thread(contest.play, thought.move, score, thought.depth, thought.nodes)
                    await self._played()
            except WireError as error:  # the disk is full: it is asked again when somebody wants it
                self.failed = True
                self.tell(written(type="notice", code=error.code, text=str(error)))
                self.tell(self.now())
                return
        if self.contest.engine_is_due:  # two engines play each other
            self._thought = asyncio.create_task(self._think())

    async def tick(self) -> None:
        """Time has passed: perhaps somebody has run out of it."""
        if not self.contest.running:
            return
        async with self.lock:
            if self.contest.flag():
                await self._changed()
