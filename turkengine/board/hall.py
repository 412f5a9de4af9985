"""All games: made, found again in the file, and watched by the clock."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from dataclasses import dataclass
from typing import Any

from turkengine.board.contest import ASK, ENGINE, HERE, LINK, RECTIFY, REFUSE, Contest, Player
from turkengine.board.rooms import Room
from turkengine.board.seats import digest, new_address, new_key
from turkengine.board.store import Keeper
from turkengine.board.thinking import LEVELS, Thinkers
from turkengine.board.wire import LONGEST_NAME, Field, WireError, fields_of, is_whole, text
from turkengine.errors import OptionError, TurkengineError
from turkengine.games import variant_named
from turkengine.match.clocks import TimeControl
from turkengine.notation import fen
from turkengine.record.record import Record
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

MOST_ROOMS = 500  # held in memory; others are read when somebody comes
LEAST_STAY = 10.0  # s in memory after it was asked for: whoever has found a room needs a moment to enter it
MOST_LISTED = 100
OPENING = 8  # plies: a position that is reached sooner may be met anywhere
LONGEST_FEN = 600  # characters

NEW_GAME = {
    "variant": text(LONGEST_NAME),
    "white": Field(lambda value: isinstance(value, dict), "an object"),
    "black": Field(lambda value: isinstance(value, dict), "an object"),
    "time": text(LONGEST_NAME, ""),
    "fen": text(LONGEST_FEN, ""),
    "irregular": Field(lambda value: value in (REFUSE, RECTIFY, ASK), f"{REFUSE}, {RECTIFY} or {ASK}", REFUSE),
}
NEW_PLAYER = {
    "kind": Field(lambda value: value in (HERE, LINK, ENGINE), f"{HERE}, {LINK} or {ENGINE}"),
    "name": text(LONGEST_NAME, ""),
    "level": Field(
        lambda value: is_whole(value) and LEVELS[0] <= value <= LEVELS[1],
        f"a number from {LEVELS[0]} to {LEVELS[1]}",
        LEVELS[1],
    ),
}


@dataclass(frozen=True)
class Made:
    """A new game and the keys of its seats, which are known to nobody from now on but to whoever made it."""

    room: Room
    keys: dict[Side, str]


class Hall:
    """The games of a server."""

    def __init__(self, keeper: Keeper, thinkers: Thinkers) -> None:
        self.keeper, self.thinkers = keeper, thinkers
        self._rooms: dict[str, Room] = {}
        self._entries: dict[str, dict[str, Any]] = {}  # what was listed last
        self._opening = asyncio.Lock()

    async def make(self, given: dict[str, Any], maker: str = "", most: int = MOST_ROOMS) -> Made:
        """A new game, kept.

        Args:
            maker: the address that it comes from.
            most: games of one maker whose clocks run.

        Raises:
            WireError: it is not described as one, cannot be kept, or there are too many.
        """
        if sum(room.maker == maker and room.contest.running for room in self._rooms.values()) >= most:
            raise WireError("too-many", f"{most} games of yours are under way; finish some of them first")
        contest = await asyncio.to_thread(_contest, fields_of(given, NEW_GAME, "a new game"))
        keys = {side: new_key() for side, player in contest.players.items() if player.kind != ENGINE}
        digests = {side: digest(key) for side, key in keys.items()}
        room = Room(new_address(), contest, digests, self.keeper, self.thinkers, maker)
        await room.keep()
        await self._make_place()
        self._rooms[room.address] = room
        room.think()
        return Made(room, keys)

    async def find(self, address: str) -> Room:
        """A game by its address.

        Raises:
            WireError: there is none.
        """
        async with self._opening:
            room = self._rooms.get(address)
            if room is None:
                kept = await self.keeper.game(address) if len(address) < 40 else None
                if kept is None:
                    raise WireError("no-game", "there is no game of this address")
                room = await asyncio.to_thread(Room.read, address, kept, self.keeper, self.thinkers)
                await self._make_place()
                self._rooms[address] = room
            room.asked_for = time.monotonic()
            return room

    async def listed(self) -> list[dict[str, Any]]:
        """The games that have changed last."""
        rows = await self.keeper.newest(MOST_LISTED)
        self._entries = await asyncio.to_thread(self._listed, rows)
        return [entry | {"watchers": self._watchers(entry["game"])} for entry in self._entries.values()]

    def in_play(self) -> set[tuple[str, str, Side]]:
        """What is on the boards of games that people play against each other: game, squares, side to move."""
        contests = (room.contest for room in self._rooms.values())
        return {
            (contest.variant.name, contest.game.position.cells, contest.side)
            for contest in contests
            if contest.between_people and not contest.over and contest.ply >= OPENING
        }

    async def open_running(self) -> None:
        """Read the games whose clocks run, also those that nobody will come back to."""
        for address in await self.keeper.running():
            try:
                await self.find(address)
            except WireError as error:
                logging.getLogger("turkengine.board").warning("clocks stand still: %s", error)
                return
            except Exception:
                logging.getLogger("turkengine.board").exception("game %s cannot be read", address)

    async def watch_clocks(self) -> None:
        """End games whose time is over."""
        for room in list(self._rooms.values()):
            with contextlib.suppress(WireError):  # a full disk: it is tried again at the next look
                await room.tick()

    async def close(self) -> None:
        """Write what the turns under way have taken."""
        for room in self._rooms.values():
            if room.contest.running:
                with contextlib.suppress(WireError):  # nothing but seconds is lost
                    await room.keep()

    def _watchers(self, address: str) -> int:
        room = self._rooms.get(address)
        return room.watchers() if room is not None else 0

    def _listed(self, rows: list[tuple[str, float, str]]) -> dict[str, dict[str, Any]]:
        """What a list shows of these games; those that have not changed are not read again."""
        found = {}
        for address, changed, kept in rows:
            known = self._entries.get(address)
            found[address] = known if known and known["changed"] == changed else _entry(address, changed, kept)
        return found

    async def _make_place(self) -> None:
        now = time.monotonic()
        idle = iter([one for one in self._rooms.values() if one.idle and now - one.asked_for > LEAST_STAY])
        while len(self._rooms) >= MOST_ROOMS:
            room = next(idle, None)
            if room is None:
                raise WireError("busy", "too many games are under way here; try again later")
            del self._rooms[room.address]


def _entry(address: str, changed: float, kept: str) -> dict[str, Any]:
    contest = json.loads(kept)["contest"]
    record, players = contest["record"], contest["players"]
    ending = Record.from_data(record | {"moves": []}).ending
    return {
        "game": address,
        "variant": record["variant"],
        "white": players["W"]["name"],
        "black": players["B"]["name"],
        "ply": len(record["moves"]),
        "cells": contest["cells"],
        "over": ending.has_result,
        "result": ending.result(variant_named(record["variant"])),
        "changed": changed,
    }


def _contest(given: dict[str, Any]) -> Contest:
    try:
        variant = variant_named(given["variant"])
        start = fen.read(variant, given["fen"]) if given["fen"] else Position.start(variant)
        control = TimeControl.read(given["time"]) if given["time"] else None
    except OptionError as error:
        raise WireError("bad-message", str(error)) from None
    except TurkengineError as error:
        raise WireError("bad-position", str(error)) from None
    players = {Side.WHITE: _player(given["white"], "white"), Side.BLACK: _player(given["black"], "black")}
    return Contest(start, players, control, given["irregular"])


def _player(given: dict[str, Any], side: str) -> Player:
    found = fields_of(given, NEW_PLAYER, side)
    if found["kind"] == ENGINE:
        return Player(ENGINE, f"turkengine, level {found['level']}", found["level"])
    return Player(found["kind"], found["name"], taken=found["kind"] == HERE)
