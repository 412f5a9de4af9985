"""A match that another program plays, seen through its file: read only, once a second, and nobody there notices.

Games that are over are in the file; of each only what is new is read.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from turkengine.board.contest import entry_of, result_text
from turkengine.board.geometry import variant_data
from turkengine.board.visitors import Visitor
from turkengine.board.wire import Message, WireError, written
from turkengine.games import variant_named
from turkengine.match.schedule import GameResult, Key, Results
from turkengine.match.store import MatchStore
from turkengine.match.summary import Faults, Summary
from turkengine.notation import fen, moves
from turkengine.record.record import Record
from turkengine.rules.position import Position

EVERY = 1.0  # s
NOTHING = "no match is shown here; start the board with --watch FILE"


class Watched:
    """One match file, or none."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.visitors: set[Visitor] = set()
        self._last = 0  # the number of the newest game that has been read
        self._results, self._faults = Results(), Faults()
        self._records: dict[str, Record] = {}
        self._order: list[str] = []
        self._settings: dict[str, str] = {}
        self._said = written(type="notice", code="no-match", text=NOTHING)

    async def follow(self) -> None:
        """Look at the file, for ever."""
        while self.path is not None:
            said = await asyncio.to_thread(self._look)
            if said != self._said:
                self._said = said
                for visitor in self.visitors:
                    visitor.tell(said)
            await asyncio.sleep(EVERY)

    async def enter(self, visitor: Visitor) -> None:
        """Somebody comes."""
        self.visitors.add(visitor)
        visitor.tell(self._said)

    def leave(self, visitor: Visitor) -> None:
        """Somebody has gone."""
        self.visitors.discard(visitor)

    async def obey(self, visitor: Visitor, message: Message) -> None:
        """Show a game.

        Raises:
            WireError: there is none of that number.
        """
        if message.type == "ping":
            return
        record = self._records.get(message["game"])
        if record is None:
            raise WireError("no-game", "this match has no such game yet")
        visitor.tell(await asyncio.to_thread(_shown, message["game"], record))

    def _look(self) -> str:
        """What there is to say about the match as it is now; runs in a thread."""
        assert self.path is not None
        try:
            with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)) as database:
                [application] = database.execute("pragma application_id").fetchone()
                if application != MatchStore.form.application:
                    return written(type="notice", code="no-match", text=f"{self.path} is not the file of a match")
                self._settings = dict(database.execute("select name, value from setting"))
                sql = "select id, round, board, game, white, black, halves, record from game where id > ? order by id"
                for number, *row in database.execute(sql, (self._last,)):
                    self._enter(number, row)
        except sqlite3.Error as error:
            return written(type="notice", code="no-match", text=f"{self.path} cannot be read yet: {error}")
        return self._said if self._unchanged() else self._match()

    def _unchanged(self) -> bool:
        return f'"played":{len(self._order)},' in self._said[:200]

    def _enter(self, number: int, row: list[Any]) -> None:
        key, record = Key(*row[:3]), Record.from_data(json.loads(row[6]))
        self._last = number
        self._results.add(GameResult(key, *row[3:6]))
        self._faults.add(record)
        self._records[str(key)] = record
        self._order.append(str(key))

    def _match(self) -> str:
        names = list(dict.fromkeys(name for record in self._records.values() for name in (record.white, record.black)))
        summary = Summary("", names, self._settings, self._results, self._faults)
        data = summary.as_data()
        variant = next((variant_named(record.variant) for record in self._records.values()), None)
        cross = {
            one: {two: self._results.games(one, two).points for two in names if self._results.games(one, two).total}
            for one in names
        }
        return written(
            type="match",
            played=len(self._order),
            file=self.path.name if self.path is not None else "",
            settings=self._settings,
            variant=variant_data(variant) if variant is not None else None,
            standings=[
                {
                    "rank": place,
                    "name": standing.name,
                    "points": standing.halves / 2,
                    "games": standing.games.total,
                    "wins": standing.games.won,
                    "draws": standing.games.drawn,
                    "losses": standing.games.lost,
                }
                for place, standing in enumerate(summary.standings, start=1)
            ],
            cross=cross,
            elo=[{"name": one["name"], **one["rating"]} for one in data["standings"]],
            llr=None,
            games=[_listed(name, self._records[name]) for name in reversed(self._order)],
            under_way=[],
        )


def _listed(name: str, record: Record) -> dict[str, Any]:
    return {
        "game": name,
        "white": record.white,
        "black": record.black,
        "result": result_text(variant_named(record.variant), record.ending),
        "kind": record.ending.kind.value,
        "plies": len(record.moves),
    }


def _shown(name: str, record: Record) -> str:
    """A game, every move with the board after it."""
    variant = variant_named(record.variant)
    position = start = fen.read(variant, record.fen) if record.fen else Position.start(variant)
    entries = []
    for ply, played in enumerate(record.moves, start=1):
        move = None if played.fen else moves.read(position, played.text)
        after = position.play(move) if move is not None else fen.read(variant, played.fen)
        entries.append(entry_of(ply, played, position, move, after.cells))
        position = after
    ending = record.ending
    return written(
        type="record",
        game=name,
        white=record.white,
        black=record.black,
        variant=variant_data(variant),
        start={"cells": start.cells, "side": start.side.value, "fen": fen.write_counted(start)},
        moves=entries,
        ending={
            "winner": ending.winner.value if ending.winner is not None else None,
            "result": result_text(variant, ending),
            "kind": ending.kind.value,
            "reason": ending.reason,
            "article": ending.article,
        },
    )
