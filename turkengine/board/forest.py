"""All analyses: made from a game, a PDN or a position, found again in the file, and as few in memory as are read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from turkengine.api.game import Game
from turkengine.board.hall import LEAST_STAY, LONGEST_FEN, Hall
from turkengine.board.seats import digest, new_address, new_key
from turkengine.board.store import Keeper
from turkengine.board.trees import MOST_NODES, Tree
from turkengine.board.wire import LONGEST_NAME, Field, WireError, clean, fields_of, text
from turkengine.errors import PdnError, TurkengineError
from turkengine.record.scoresheet import pdn_of

LONGEST_PDN = 1024 * 1024  # bytes
MOST_TREES = 100  # held in memory

NEW_TREE = {
    "variant": text(LONGEST_NAME, ""),
    "fen": text(LONGEST_FEN, ""),
    "pdn": Field(lambda value: isinstance(value, str), "a text", ""),
    "game": text(LONGEST_NAME, ""),
}


class Forest:
    """The analyses of a server."""

    def __init__(self, keeper: Keeper, hall: Hall, hash_size: int) -> None:
        self._keeper, self._hall, self._hash_size = keeper, hall, hash_size
        self._trees: dict[str, Tree] = {}
        self._reading = ThreadPoolExecutor(1, "turkengine board PDN")  # long files wait for each other, moves for none
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
        game, key = await self._read(_game, fields), new_key()
        tree = Tree(new_address(), game, digest(key), self._keeper, self._hash_size, self._hall.in_play)
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
                game = await self._read(Game.read, told, variant)
                tree = Tree(address, game, seat, self._keeper, self._hash_size, self._hall.in_play)
                self._hold(tree)
            tree.asked_for = time.monotonic()
            return tree

    def close(self) -> None:
        """End all searches."""
        for tree in self._trees.values():
            tree.study.close()
        self._reading.shutdown(wait=False, cancel_futures=True)

    async def _read(self, work: Callable[..., Game], *given: Any) -> Game:
        return await asyncio.wrap_future(self._reading.submit(work, *given))

    def _hold(self, tree: Tree) -> None:
        now = time.monotonic()
        trees = [tree for tree in self._trees.values() if not tree.visitors and tree.judging is None]
        for old in [tree for tree in trees if now - tree.asked_for > LEAST_STAY]:
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
    nodes = list(game.walk())
    if len(nodes) > MOST_NODES:
        raise WireError("bad-pdn", f"this game has {len(nodes)} moves with its variations; {MOST_NODES} are enough")
    for name, value in game.tags.items():
        game.tags[name] = clean(value)
    for node in nodes:
        node.comments[:] = [clean(comment) for comment in node.comments]
        node.lead[:] = [clean(comment) for comment in node.lead]
    return game
