"""Analyses: a game as a tree that its owner changes and everybody may read, kept as PDN."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from turkengine.analysis.judged import JudgedGame, chances_data, summary_data
from turkengine.api.game import Game, Node
from turkengine.api.position import Position
from turkengine.board.choices import choices, victims
from turkengine.board.geometry import variant_data
from turkengine.board.seats import digest
from turkengine.board.shown import ending_data, path_of
from turkengine.board.store import Keeper
from turkengine.board.studying import Study
from turkengine.board.visitors import Visitor
from turkengine.board.wire import Message, WireError, written
from turkengine.errors import MoveError, PdnError
from turkengine.notation.pdn import DEEPEST
from turkengine.record.record import Ending, EndingKind
from turkengine.rules.variant import Side
from turkengine.storage import StoreError

InPlay = set[tuple[str, str, Side]]

MOST_NODES = 5000


class Tree:
    """One analysis with whoever reads it."""

    def __init__(
        self, address: str, game: Game, seat: str, keeper: Keeper, hash_size: int, in_play: Callable[[], InPlay]
    ) -> None:
        """A tree is read.

        Args:
            seat: the SHA-256 of the key of whoever may change it.
            hash_size: MiB of its engine's table.
            in_play: what people play just now, as `Hall.in_play` gives it.
        """
        self._in_play = in_play
        self.asked_for = time.monotonic()  # when somebody has last looked for it
        self.address, self.game, self.seat = address, game, seat
        self.visitors: set[Visitor] = set()
        self.lock = asyncio.Lock()
        self.study = Study(self.tell, hash_size)
        self.judging: asyncio.Task[None] | None = None
        self._course: tuple[list[Node], JudgedGame] | None = None  # the line that was judged last, and how
        self._keeper = keeper
        self._owners: set[Visitor] = set()
        self._kept = game.pdn()
        self._number()

    async def pdn(self) -> str:
        """The tree as text."""
        return await asyncio.to_thread(self.game.pdn)

    async def keep(self) -> None:
        """Write it; where that fails it is again what it was.

        Raises:
            WireError: it cannot be written.
        """
        try:
            kept = await asyncio.to_thread(self.game.pdn)
            await self._keeper.keep_tree(self.address, self.game.variant.name, self.seat, kept)
        except (StoreError, PdnError) as error:
            self.game = await asyncio.to_thread(Game.read, self._kept, self.game.variant)
            self._number()
            self.tell(self.whole())
            code = "not-kept" if isinstance(error, StoreError) else "bad-pdn"
            raise WireError(code, str(error)) from None
        self._kept = kept

    def tell(self, said: str) -> None:
        """Say something to all."""
        for visitor in self.visitors:
            visitor.tell(said)

    def whole(self) -> str:
        """All of it."""
        main = [self._ids[node] for node in (self.game, *self.game.mainline())]
        return written(
            type="tree",
            tree=self.address,
            variant=variant_data(self.game.variant),
            tags=self.game.tags,
            nodes=[self._node(node) for node in self._nodes.values()],
            main=main,
            result=self.game.result,
        )

    # Coming and going.

    def admit(self, visitor: Visitor, keys: Sequence[str]) -> None:
        """See whether somebody may change it."""
        if any(digest(key) == self.seat for key in keys):
            self._owners.add(visitor)

    async def enter(self, visitor: Visitor) -> None:
        """Somebody connects."""
        async with self.lock:
            self.visitors.add(visitor)
            visitor.tell(written(type="you", edit=visitor in self._owners))
            visitor.tell(self.whole())
            if course := self._course_data():
                visitor.tell(course)
            if self.study.last:
                visitor.tell(self.study.last)

    def leave(self, visitor: Visitor) -> None:
        """Somebody has gone; where nobody reads nothing is searched."""
        self.visitors.discard(visitor)
        self._owners.discard(visitor)
        if not self.visitors and self.judging is None:
            self.study.stop()

    # What people want.

    async def obey(self, visitor: Visitor, message: Message) -> dict[str, Any] | None:
        """Do what somebody wants.

        Raises:
            WireError: it is not for him, or cannot be done.
        """
        if message.type == "ping":
            return None
        if message.type != "look" and visitor not in self._owners:
            raise WireError("not-yours", "this is somebody else's analysis; make your own from its PDN")
        if message.type == "look":  # it waits for nobody
            await self._on_look(visitor, message)
            return None
        if self.judging is not None and message.type != "stop":
            raise WireError("busy", "the game is being judged; wait for the end, or stop it")
        async with self.lock:
            done: dict[str, Any] | None = await getattr(self, f"_on_{message.type}")(visitor, message)
            return done

    async def _on_look(self, visitor: Visitor, message: Message) -> None:
        position = self._place(message).position
        visitor.tell(await asyncio.to_thread(_legal, message["node"], position))

    async def _on_add(self, visitor: Visitor, message: Message) -> dict[str, Any]:
        place = self._place(message)
        if not message["moves"]:
            raise WireError("bad-message", "there is no move in this")
        try:
            node, first = await asyncio.to_thread(_added, place, message["moves"], MOST_NODES - len(self._nodes))
        except MoveError as error:
            raise WireError("illegal", str(error)) from None
        new = list(first.walk()) if first is not None else []
        for one in new:
            self._enter(one)
        await self.keep()
        if new:
            assert first is not None
            assert first.parent is not None
            self.tell(written(type="node", node=self._node(first.parent)))
        for one in new:
            self.tell(written(type="node", node=self._node(one)))
        return {"node": self._ids[node]}

    async def _on_comment(self, visitor: Visitor, message: Message) -> None:
        node, said = self._place(message), message["text"].replace("{", "(").replace("}", ")")
        node.comments[:] = [said] if said else []
        await self._changed(node)

    async def _on_nags(self, visitor: Visitor, message: Message) -> None:
        node = self._place(message)
        if node.move is None:
            raise WireError("bad-message", "the start has no move to be marked")
        node.nags[:] = message["nags"]
        await self._changed(node)

    async def _on_promote(self, visitor: Visitor, message: Message) -> None:
        self._place(message).promote()
        await self._reshaped()

    async def _on_remove(self, visitor: Visitor, message: Message) -> None:
        node = self._place(message)
        if node.parent is None:
            raise WireError("bad-message", "the start stays; make a new analysis")
        node.remove()
        await self._reshaped()

    async def _on_search(self, visitor: Visitor, message: Message) -> None:
        node = self._place(message)
        self._refuse_in_play([node, *_ancestors(node)])
        await self.study.search(message["node"], node.position, message["lines"], message["threat"])

    async def _on_stop(self, visitor: Visitor, message: Message) -> None:
        self.study.stop()

    async def _on_annotate(self, visitor: Visitor, message: Message) -> None:
        line = [self.game, *self.game.mainline()]
        self._refuse_in_play(line)
        if len(line) == 1:
            raise WireError("bad-message", "there is no move to judge")
        self.judging = asyncio.create_task(self._judge(line, message["depth"]))

    # Within.

    async def _judge(self, line: list[Node], depth: int) -> None:
        """Judge a line, which nobody changes meanwhile, and put down what has been found."""
        count, state, text = len(line), "done", ""
        try:
            moves = [node.move for node in line if node.move is not None]
            record = await self.study.judge([node.position for node in line], moves, depth)
            if record is None:
                state = "stopped"
                return
            async with self.lock:
                await asyncio.to_thread(_annotate, line, record, MOST_NODES - len(self._nodes))
                self._course = line, record
                await self._reshaped()
        except WireError as error:
            state, text = "failed", str(error)
        except Exception as error:
            logging.getLogger("turkengine.board").exception("the judgement of a game")
            state, text = "failed", f"internal error, {type(error).__name__}"
        finally:
            self.judging = None
            self.tell(written(type="report", state=state, done=count if state == "done" else 0, of=count, text=text))

    def _course_data(self) -> str:
        """How the line that was judged last has gone; empty where none was, or where it is not there any more."""
        if self._course is None:
            return ""
        line, record = self._course
        if any(node not in self._ids for node in line):
            self._course = None
            return ""
        ids = [self._ids[node] for node in line]
        return written(
            type="course",
            nodes=ids,
            men=[record.men, *(move.men for move in record.moves)],
            chances=[None, *(list(chances_data(move.chances).values()) for move in record.moves)],
            players={side.value: summary_data(record.summary(side)) for side in Side},
            critical=[
                {
                    "node": number,
                    "mark": move.mark.value,
                    "loss": round(move.loss, 2),
                    "cost": round(move.cost, 3),
                    "best": move.best,
                    "line": list(move.lines[0].moves) if move.lines else [],
                    "remark": move.remark,
                }
                for number, move in zip(ids[1:], record.moves, strict=True)
                if move.is_critical
            ],
        )

    async def _changed(self, node: Node) -> None:
        await self.keep()
        self.tell(written(type="node", node=self._node(node)))

    async def _reshaped(self) -> None:
        self._number()
        await self.keep()
        self.tell(self.whole())
        if course := self._course_data():
            self.tell(course)

    def _refuse_in_play(self, nodes: Sequence[Node]) -> None:
        """No engine looks at a game that people play, by whatever way it has come here."""
        played = self._in_play()
        if any((one.position.variant.name, one.position.cells, one.position.side) in played for one in nodes):
            raise WireError("in-play", "people play this position here just now; analyse it when their game is over")

    def _number(self) -> None:
        """Give every place a number."""
        self._nodes: dict[int, Node] = {}
        self._ids: dict[Node, int] = {}
        self._plies: dict[Node, int] = {}
        for node in self.game.walk():
            self._enter(node)

    def _enter(self, node: Node) -> None:
        number = len(self._nodes)
        self._nodes[number] = node
        self._ids[node] = number
        self._plies[node] = self._plies[node.parent] + (node.move is not None) if node.parent is not None else 0

    def _place(self, message: Message) -> Node:
        node = self._nodes.get(message["node"])
        if node is None:
            raise WireError("bad-message", "there is no such place in this tree")
        return node

    def _node(self, node: Node) -> dict[str, Any]:
        position, move = node.position, node.move
        return {
            "id": self._ids[node],
            "parent": self._ids[node.parent] if node.parent is not None else None,
            "move": node.text,
            "path": path_of(move) if move is not None else [],
            "captured": victims(position.variant.board, move) if move is not None else [],
            "side": position.side.value,
            "cells": position.cells,
            "ply": self._plies[node],
            "comment": node.comment,
            "nags": node.nags,
            "children": [self._ids[child] for child in node.children if child in self._ids],
        }


def _ancestors(node: Node) -> Iterator[Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _depth(node: Node) -> int:
    """How many variations are around a place."""
    depth = 0
    while node.parent is not None:
        depth += node is not node.parent.children[0]
        node = node.parent
    return depth


def _added(place: Node, moves: Sequence[str], most: int) -> tuple[Node, Node | None]:
    """Go on with a line as far as it is not there; the last place, and the first new one.

    Raises:
        MoveError: a move is not legal; then nothing has been added.
        WireError: there is no room for it.
    """
    parsed, position = [], place.position
    for told in moves:
        parsed.append(position.parse(told))
        position = position.play(parsed[-1])
    node, first = place, None
    for number, move in enumerate(parsed):
        there = next((child for child in node.children if child.move == move), None)
        if there is None:
            if first is None and len(parsed) - number > most:
                raise WireError("too-many", f"an analysis has at most {MOST_NODES} places")
            if node.children and _depth(node) >= DEEPEST:
                raise WireError("too-many", f"variations nest at most {DEEPEST} deep; promote one first")
            there = node.add(move)
            first = first or there
        node = there
    return node, first


def _legal(number: int, position: Position) -> str:
    found, complete = choices(position)
    outcome = position.outcome()
    ending = (
        Ending(EndingKind.RULES, outcome.winner, outcome.reason.value, outcome.article) if outcome is not None else None
    )
    return written(
        type="legal",
        node=number,
        fen=position.fen(counters=True),
        legal=[choice.as_data(position.variant.board) for choice in found] if ending is None else [],
        complete=complete,
        ending=ending_data(position.variant, ending),
    )


def _annotate(line: Sequence[Node], record: JudgedGame, most: int) -> None:
    """Put what has been found about the moves of a line where they are."""
    for node, move in zip(line[1:], record.moves, strict=True):
        if move.mark.nag is not None and not any(1 <= nag <= 6 for nag in node.nags):
            node.nags.insert(0, move.mark.nag)
        said = " ".join(filter(None, (f"[%eval {move.evaluation}]", move.remark)))
        node.comments[:] = [one for one in node.comments if not one.startswith("[%eval")] + [said]
        if move.mark.is_bad and move.best and move.best != move.move and node.parent is not None:
            with suppress(WireError):  # no room for it, or too deep: the mark is there all the same
                before = sum(1 for _ in node.parent.walk())
                _added(node.parent, move.lines[0].moves, most)
                most -= sum(1 for _ in node.parent.walk()) - before
