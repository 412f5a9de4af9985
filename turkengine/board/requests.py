"""What people want of a game: each message of a page carried out, or refused in one line. One at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from turkengine.board.contest import ENGINE, HERE, REFUSE, Contest
from turkengine.board.visitors import Visitor
from turkengine.board.wire import Message, WireError, written
from turkengine.errors import IllegalMoveError, MoveError
from turkengine.play.words import agrees
from turkengine.rules.variant import Side

if TYPE_CHECKING:
    from turkengine.board.rooms import Room

MOST_TALK = 200  # lines that are kept
MOST_SUGGESTIONS = 1000  # for one move


class Requests:
    """What can be asked of one room."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def obey(self, visitor: Visitor, message: Message) -> None:
        """Do what somebody wants.

        Raises:
            WireError: it is not for him, or cannot be done.
        """
        wanted: Callable[[Visitor, Message], Awaitable[None]] = getattr(self, f"_on_{message.type}")
        await wanted(visitor, message)

    @property
    def _contest(self) -> Contest:
        return self._room.contest

    # Moves.

    async def _on_ping(self, visitor: Visitor, message: Message) -> None:
        """He is still there."""

    async def _on_move(self, visitor: Visitor, message: Message) -> None:
        contest, ply, text = self._contest, message["ply"], message["move"]
        self._need_seat(visitor)
        own = ply < contest.ply and contest.game.moves[ply].side in visitor.seats
        if own and await asyncio.to_thread(contest.made, ply, text):
            return  # the same once more
        self._need_ply(ply)
        self._need_going()
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
        await self._room.played()

    async def _irregular(self, visitor: Visitor, text: str, what: str, article: str) -> None:
        contest = self._contest
        question = contest.irregularity(text, what, article)
        if contest.irregular != REFUSE:
            await self._room.changed()
        if question is None:
            visitor.tell(written(type="wrong", ply=contest.ply, move=text, text=what, article=article))

    async def _on_settle(self, visitor: Visitor, message: Message) -> None:
        contest, question = self._contest, self._contest.question
        if question is None:
            raise WireError("nothing-asked", "nobody has asked anything")
        if question.side not in visitor.seats:
            raise WireError("not-yours", "the opponent chooses")
        before = contest.ply
        await asyncio.to_thread(contest.settle, message["stand"])
        await (self._room.played() if contest.ply > before else self._room.changed())

    async def _on_resign(self, visitor: Visitor, message: Message) -> None:
        side = self._side(visitor, message, self._contest.side)
        self._need_going()
        self._contest.resign(side)
        await self._room.changed()

    # Offers.

    async def _on_draw(self, visitor: Visitor, message: Message) -> None:
        contest = self._contest
        side = self._side(visitor, message, contest.side)
        self._need_ply(message["ply"])
        self._need_going()
        opponent = contest.players[side.opponent]
        if contest.draw is side.opponent or self._both_here():
            contest.agree()
        elif opponent.kind == ENGINE:
            taken, why = agrees(contest.game.moves, side.opponent)
            self._room.tell(written(type="notice", code="draw-taken" if taken else "draw-declined", text=why))
            if not taken:
                return
            contest.agree()
        else:
            contest.draw = side
        await self._room.changed()

    async def _on_back(self, visitor: Visitor, message: Message) -> None:
        contest = self._contest
        last = contest.game.moves[-1].side if contest.game.moves else contest.side
        side = self._side(visitor, message, last)
        self._need_ply(message["ply"])
        agreed = contest.back is side.opponent
        plies = contest.plies_back(side.opponent if agreed else side)
        if not plies:
            raise WireError("nothing-asked", "there is no move of yours to take back")
        if agreed or self._both_here() or contest.players[side.opponent].kind == ENGINE:
            await asyncio.to_thread(contest.take_back, plies)
            await self._room.taken_back()
            return
        contest.back = side
        await self._room.changed()

    async def _on_decline(self, visitor: Visitor, message: Message) -> None:
        self._need_seat(visitor)
        if self._contest.draw is None and self._contest.back is None:
            raise WireError("nothing-asked", "nothing has been offered")
        self._contest.draw = self._contest.back = None
        await self._room.changed()

    async def _on_again(self, visitor: Visitor, message: Message) -> None:
        self._need_seat(visitor)
        self._room.failed = False
        self._room.tell_now()

    # Those who look on.

    async def _on_suggest(self, visitor: Visitor, message: Message) -> None:
        room, contest, text = self._room, self._contest, message["move"]
        if visitor.seats:
            raise WireError("not-yours", "players move; those who look on suggest")
        self._need_ply(message["ply"])
        self._need_going()
        if not text:
            room.suggested.pop(visitor, None)
        else:
            if visitor not in room.suggested and len(room.suggested) >= MOST_SUGGESTIONS:
                raise WireError("too-many", "there are suggestions enough for this move")
            try:
                move = await asyncio.to_thread(contest.move, text)
            except MoveError as error:
                raise WireError("illegal", str(error)) from None
            legal = contest.now_data()["legal"]
            ends = [one for one in legal if (one["from"], one["to"]) == (move.origin, move.target)]
            named = [one for one in ends if set(one["captured"]) == set(move.captured)] or ends
            room.suggested[visitor] = named[0]["move"]
        await room.keep()
        room.tell_suggestions()

    async def _on_mute(self, visitor: Visitor, message: Message) -> None:
        self._need_seat(visitor)
        for side in visitor.seats:
            self._contest.players[side].muted = message["muted"]
        await self._room.keep()
        self._room.tell_who(visitor)
        self._room.tell_whole(*(one for one in self._room.visitors if set(one.seats) & set(visitor.seats)))

    async def _on_talk(self, visitor: Visitor, message: Message) -> None:
        room = self._room
        if not message["text"]:
            raise WireError("bad-message", "there is nothing to be read in this")
        side = visitor.seats[0] if visitor.seats else None
        name = self._contest.players[side].name if side is not None else visitor.name
        line = {"from": side.value if side else None, "name": name, "text": message["text"], "at": round(time.time())}
        room.talk = [*room.talk, line][-MOST_TALK:]
        await room.keep()
        text = written(type="talk", **line)
        for one in room.visitors:
            if side is not None or not room.is_muted(one):
                one.tell(text)

    async def _on_name(self, visitor: Visitor, message: Message) -> None:
        visitor.name = message["name"]
        if visitor.seats and message["name"]:
            self._contest.players[visitor.seats[0]].name = message["name"]
            await self._room.keep()
            self._room.tell_who(visitor)

    # What has to be so.

    def _need_seat(self, visitor: Visitor) -> None:
        if not visitor.seats:
            raise WireError("not-yours", "you look on; a seat is taken by its link")

    def _need_ply(self, ply: int) -> None:
        if ply != self._contest.ply:
            raise WireError("old-ply", f"the game is at ply {self._contest.ply}, not {ply}")

    def _need_going(self) -> None:
        if self._contest.over:
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
        return all(player.kind == HERE for player in self._contest.players.values())
