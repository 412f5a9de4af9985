"""Analyses: a game as a tree that its owner changes and everybody may read, kept as PDN."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from turkengine.api.game import Game, Node
from turkengine.api.position import Position
from turkengine.board.choices import choices, victims
from turkengine.board.geometry import variant_data
from turkengine.board.seats import digest, new_address, new_key
from turkengine.board.store import Keeper
from turkengine.board.studying import Study
from turkengine.board.visitors import Visitor
from turkengine.board.wire import LONGEST_NAME, Field, Message, WireError, fields_of, text, written
from turkengine.errors import MoveError, PdnError, TurkengineError
from turkengine.notation.pdn import DEEPEST
from turkengine.record.record import Ending, EndingKind
from turkengine.record.scoresheet import pdn_of
from turkengine.rules.outcome import result
from turkengine.storage import StoreError

if TYPE_CHECKING:
    from turkengine.board.hall import Hall

LONGEST_PDN = 1024 * 1024  # bytes
LONGEST_FEN = 600
MOST_NODES = 5000
MOST_TREES = 100  # held in memory

NEW_TREE = {
    "variant": text(LONGEST_NAME, ""),
    "fen": text(LONGEST_FEN, ""),
    "pdn": Field(lambda value: isinstance(value, str), "a text", ""),
    "game": text(LONGEST_NAME, ""),
}


class Tree:
    """One analysis with whoever reads it."""

    def __init__(self, address: str, game: Game, seat: str, keeper: Keeper) -> None:
        self.address, self.game, self.seat = address, game, seat
        self.visitors: set[Visitor] = set()
        self.lock = asyncio.Lock()
        self.study = Study(self.tell)
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
            if self.study.last:
                visitor.tell(self.study.last)

    def leave(self, visitor: Visitor) -> None:
        """Somebody has gone; where nobody reads nothing is searched."""
        self.visitors.discard(visitor)
        self._owners.discard(visitor)
        if not self.visitors:
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
        position = self._place(message).position
        await self.study.search(message["node"], position, message["lines"], message["threat"])

    async def _on_stop(self, visitor: Visitor, message: Message) -> None:
        self.study.stop()

    async def _on_annotate(self, visitor: Visitor, message: Message) -> None:
        line = [self.game, *self.game.mainline()]
        record = await self.study.judge([node.position for node in line], self.game.moves, message["depth"])
        await asyncio.to_thread(_annotate, line, record, MOST_NODES - len(self._nodes))
        await self._reshaped()

    # Within.

    async def _changed(self, node: Node) -> None:
        await self.keep()
        self.tell(written(type="node", node=self._node(node)))

    async def _reshaped(self) -> None:
        self._number()
        await self.keep()
        self.tell(self.whole())

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
            "path": list(move.path or (move.origin, move.target)) if move is not None else [],
            "captured": victims(position.variant.board, move) if move is not None else [],
            "side": position.side.value,
            "cells": position.cells,
            "ply": self._plies[node],
            "comment": node.comment,
            "nags": node.nags,
            "children": [self._ids[child] for child in node.children if child in self._ids],
        }


class Forest:
    """The analyses of a server."""

    def __init__(self, keeper: Keeper, hall: Hall) -> None:
        self._keeper, self._hall = keeper, hall
        self._trees: dict[str, Tree] = {}
        self._opening = asyncio.Lock()

    async def make(self, given: dict[str, Any]) -> tuple[Tree, str]:
        """A new analysis, and the key of whoever may change it.

        Raises:
            WireError: it is not described as one, or cannot be kept.
        """
        fields = fields_of(given, NEW_TREE, "a new analysis")
        if fields["game"]:
            room = await self._hall.find(fields["game"])
            if room.contest.between_people and not room.contest.over:
                raise WireError("in-play", "this game is under way between people; analyse it when it is over")
            fields["pdn"] = pdn_of(room.contest.record(), "turkengine board")
        if len(fields["pdn"].encode("utf-8", "surrogatepass")) > LONGEST_PDN:
            raise WireError("too-long", f"a PDN may have {LONGEST_PDN} bytes")
        game, key = await asyncio.to_thread(_game, fields), new_key()
        tree = Tree(new_address(), game, digest(key), self._keeper)
        await tree.keep()
        self._hold(tree)
        return tree, key

    async def find(self, address: str) -> Tree:
        """An analysis by its address.

        Raises:
            WireError: there is none.
        """
        async with self._opening:
            tree = self._trees.get(address)
            if tree is None:
                kept = await self._keeper.tree(address) if len(address) < 40 else None
                if kept is None:
                    raise WireError("no-tree", "there is no analysis of this address")
                variant, seat, told = kept
                game = await asyncio.to_thread(Game.read, told, variant)
                tree = Tree(address, game, seat, self._keeper)
                self._hold(tree)
            return tree

    def close(self) -> None:
        """End all searches."""
        for tree in self._trees.values():
            tree.study.close()

    def _hold(self, tree: Tree) -> None:
        for old in [one for one in self._trees.values() if not one.visitors]:
            if len(self._trees) < MOST_TREES:
                break
            old.study.close()
            del self._trees[old.address]
        self._trees[tree.address] = tree


def _game(given: dict[str, Any]) -> Game:
    try:
        if given["pdn"]:
            game = Game.read(given["pdn"], given["variant"] or None)
        elif given["variant"]:
            game = Game(given["fen"] or None, given["variant"])
        else:
            raise WireError("bad-message", "a new analysis needs a variant, a PDN or a game")
    except PdnError as error:
        raise WireError("bad-pdn", str(error)) from None
    except WireError:
        raise
    except TurkengineError as error:
        raise WireError("bad-position", str(error)) from None
    count = sum(1 for _ in game.walk())
    if count > MOST_NODES:
        raise WireError("bad-pdn", f"this game has {count} moves with its variations; {MOST_NODES} are enough")
    return game


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
    ending = None
    if outcome is not None:
        found = []
        ended = Ending(EndingKind.RULES, outcome.winner, outcome.reason.value, outcome.article)
        ending = {
            "winner": ended.winner.value if ended.winner is not None else None,
            "result": result(outcome, position.variant),
            "kind": ended.kind.value,
            "reason": ended.reason,
            "article": ended.article,
        }
    board = position.variant.board
    legal = [choice.as_data(board) for choice in found]
    fen = position.fen(counters=True)
    return written(type="legal", node=number, fen=fen, legal=legal, complete=complete, ending=ending)


def _annotate(line: Sequence[Node], record: Any, most: int) -> None:
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
