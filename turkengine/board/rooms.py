"""A game and everybody in it: who plays, who looks on, what they suggest and say; nothing is said before it is kept.

One change at a time: the rules are asked in a thread, the game is written, and only then does anybody hear of it. Where
the disk refuses, the game is again what the disk has.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from turkengine.board.contest import ENGINE, Contest
from turkengine.board.geometry import variant_data
from turkengine.board.requests import Requests
from turkengine.board.shown import start_data
from turkengine.board.store import Keeper
from turkengine.board.thinking import Thinkers, order_for
from turkengine.board.visitors import Visitor
from turkengine.board.wire import Message, WireError, written
from turkengine.client.contract import ClientError, Thought
from turkengine.errors import unforeseen
from turkengine.rules.variant import Side
from turkengine.storage import StoreError

TRIES = 2  # of an engine for one move
KEPT_EVERY = 5.0  # s while a clock runs: so much of a turn is forgotten at most where the server is killed


class Room:
    """One game with its people.

    Attributes:
        keys: the SHA-256 of the key of each seat.
        suggested: the move that each of those who look on has named; by a text where it was read from the file.
        maker: the address that it was made from, empty after a restart.
        asked_for: when somebody has last looked for it.
        failed: whether the engine that is to move has failed, so that somebody has to ask for it again.
    """

    def __init__(
        self,
        address: str,
        contest: Contest,
        keys: Mapping[Side, str],
        keeper: Keeper,
        thinkers: Thinkers,
        maker: str = "",
    ) -> None:
        self.address, self.contest, self.keys, self.maker = address, contest, dict(keys), maker
        self.asked_for = time.monotonic()
        self.visitors: set[Visitor] = set()
        self.talk: list[dict[str, Any]] = []
        self.suggested: dict[object, str] = {}
        self.lock = asyncio.Lock()
        self.failed = False
        self._requests = Requests(self)
        self._keeper, self._thinkers = keeper, thinkers
        self._kept, self._kept_at = "", time.monotonic()
        self._thought: asyncio.Task[None] | None = None

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
                self.tell(self._now())
            raise WireError("not-kept", str(error)) from None
        self._kept, self._kept_at = text, time.monotonic()

    # What everybody sees.

    def tell(self, text: str) -> None:
        """Say something to all."""
        for visitor in self.visitors:
            visitor.tell(text)

    def tell_now(self) -> None:
        """Say to all what has changed."""
        self.tell(self._now())

    def tell_whole(self, *visitors: Visitor) -> None:
        """The game from its beginning, to these or to all."""
        whole = dict.fromkeys((False, True), "")
        for visitor in visitors or self.visitors:
            muted = self.is_muted(visitor)
            whole[muted] = whole[muted] or self._whole(muted)
            visitor.tell(whole[muted])

    def tell_suggestions(self) -> None:
        """What those who look on suggest, to all who want to know."""
        text = written(type="suggestions", **self._suggestions())
        for visitor in self.visitors:
            if not self.is_muted(visitor):
                visitor.tell(text)

    def tell_who(self, visitor: Visitor, besides: Visitor | None = None) -> None:
        """Something about `visitor` has changed: who plays, or how many look on."""
        text = (
            written(type="players", players=self._players())
            if visitor.seats
            else written(type="watchers", watchers=self.watchers())
        )
        for one in self.visitors - {besides}:
            one.tell(text)

    def is_muted(self, visitor: Visitor) -> bool:
        """Whether he plays and wants nothing of those who look on."""
        return bool(visitor.seats) and all(self.contest.players[side].muted for side in visitor.seats)

    @property
    def idle(self) -> bool:
        """Whether nothing goes on here, so that it can as well be read again when somebody comes."""
        thinks = self._thought is not None and not self._thought.done()
        return not (self.visitors or self.contest.running or thinks or self.lock.locked())

    def watchers(self) -> int:
        """How many look on."""
        return sum(not visitor.seats for visitor in self.visitors)

    def _now(self, **more: Any) -> str:
        return written(type="played" if "move" in more else "now", **more, now=self._now_data())

    def _now_data(self) -> dict[str, Any]:
        thinking = self.contest.side.value if self.contest.engine_is_due and not self.failed else None
        return self.contest.now_data() | {"thinking": thinking}

    def _whole(self, muted: bool) -> str:
        contest = self.contest
        return written(
            type="game",
            game=self.address,
            variant=variant_data(contest.variant),
            start=start_data(contest.game.start),
            players=self._players(),
            irregular=contest.irregular,
            time=str(contest.control) if contest.control is not None else "",
            moves=contest.entries,
            now=self._now_data(),
            suggestions={"ply": contest.ply, "arrows": []} if muted else self._suggestions(),
            talk=[line for line in self.talk if line["from"] or not muted],
            watchers=self.watchers(),
        )

    def _players(self) -> dict[str, Any]:
        shown = {}
        for side, player in self.contest.players.items():
            shown[side.value] = {
                "kind": player.kind,
                "name": player.name,
                "level": player.level,
                "online": player.kind == ENGINE or any(side in visitor.seats for visitor in self.visitors),
                "taken": player.taken,
                "muted": player.muted,
            }
        return shown

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

    # Coming and going, and what people want.

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
            self.tell_whole(visitor)
            self.tell_who(visitor, visitor if not taken else None)
            if taken:
                self.tell_now()
        self.think()

    def leave(self, visitor: Visitor) -> None:
        """Somebody has gone."""
        self.visitors.discard(visitor)
        self.tell_who(visitor)

    async def obey(self, visitor: Visitor, message: Message) -> None:
        """Do what somebody wants, keep it, and let everybody know.

        Raises:
            WireError: it is not for him, or cannot be done.
        """
        async with self.lock:
            if self.contest.flag():
                await self.changed()
            await self._requests.obey(visitor, message)
        self.think()

    async def played(self) -> None:
        """A move has been made: keep it, and show it."""
        await asyncio.to_thread(self.contest.now_data)
        self.suggested.clear()
        await self.keep()
        self._forget_thought()
        self.tell(self._now(move=self.contest.entries[-1]))

    async def taken_back(self) -> None:
        """Moves have been taken back: keep that, and show all of it."""
        await asyncio.to_thread(self.contest.now_data)
        self.suggested.clear()
        await self.keep()
        self._forget_thought()
        self.failed = False
        self.tell_whole()

    async def changed(self) -> None:
        """Something else has changed: keep it, and show it."""
        await self.keep()
        self.tell_now()

    # The engine, and the clock.

    def think(self) -> None:
        """Let the engine move, where it is to."""
        if self.contest.engine_is_due and not self.failed and (self._thought is None or self._thought.done()):
            self._thought = asyncio.create_task(self._think())

    async def tick(self) -> None:
        """Time has passed: perhaps somebody has run out of it."""
        if not self.contest.running:
            return
        async with self.lock:
            if self.contest.flag():
                await self.changed()
            elif time.monotonic() - self._kept_at > KEPT_EVERY:
                await self.keep()

    def _forget_thought(self) -> None:
        """The engine is asked about another position, if at all; what it says about this one comes too late."""
        if self._thought is not None and self._thought is not asyncio.current_task():
            self._thought = None

    async def _think(self) -> None:
        contest, position = self.contest, self.contest.game.position
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
            if self.contest is not contest or contest.game.position is not position or not contest.engine_is_due:
                return
            if contest.flag():
                await self.changed()
                return
            try:
                await self._answered(thought, problem)
            except WireError as error:  # the disk is full: it is asked again when somebody wants it
                self._fail(error.code, str(error))
        if not self.failed and self.contest.engine_is_due:  # two engines play each other
            self._thought = asyncio.create_task(self._think())

    async def _answered(self, thought: Thought | None, problem: str) -> None:
        """What an engine has answered is done."""
        if thought is None:
            self._fail("engine-failed", problem)
        elif thought.move is None:
            self.contest.resign(self.contest.side)
            await self.changed()
        else:
            await asyncio.to_thread(self.contest.play, thought.move, thought)
            await self.played()

    def _fail(self, code: str, text: str) -> None:
        self.failed = True
        self.tell(written(type="notice", code=code, text=text))
        self.tell_now()
