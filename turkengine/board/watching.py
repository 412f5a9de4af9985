"""A match that another program plays, for everybody who looks on: its table, its games under way, those to be replayed.

The files are looked at only while somebody is there, and everybody gets the same text, made once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turkengine.api.limit import PovScore
from turkengine.board.geometry import variant_data
from turkengine.board.matchfile import MatchFile, NoMatchError
from turkengine.board.shown import ending_data, entries_of, entry_of, start_data
from turkengine.board.visitors import Visitor
from turkengine.board.wire import Message, WireError, written
from turkengine.engine.score import Score
from turkengine.errors import MoveError, TurkengineError
from turkengine.games import variant_named
from turkengine.match.sprt import Sprt
from turkengine.match.summary import Summary
from turkengine.match.underway import RUNNING
from turkengine.notation import fen, moves
from turkengine.record.record import Played, Record
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

TABLE_EVERY = 1.0  # s between two tables
MOST_LISTED = 100  # games in one message
NOTHING = "no match is shown here; start the board with --watch FILE"


class Watched:
    """One match, or none."""

    def __init__(self, path: Path | None) -> None:
        self.visitors: set[Visitor] = set()
        self._match = MatchFile(path) if path is not None else None
        self._courses: dict[str, _Course] = {}
        self._said = written(type="notice", code="no-match", text=NOTHING)
        self._table: dict[str, Any] | None = None
        self._said_at, self._stale = 0.0, True
        self._looking = asyncio.Lock()

    async def look(self) -> None:
        """Look at the files where somebody is there, and show what is new."""
        if self.visitors:
            await self._look()

    async def enter(self, visitor: Visitor) -> None:
        """Somebody comes."""
        if not self.visitors:
            await self._look()
        self.visitors.add(visitor)
        visitor.tell(self._said)

    def leave(self, visitor: Visitor) -> None:
        """Somebody has gone."""
        self.visitors.discard(visitor)

    async def obey(self, visitor: Visitor, message: Message) -> None:
        """Show a game, or more of the list.

        Raises:
            WireError: there is none of that name.
        """
        if message.type == "ping":
            return
        name = message["game"] if message.type == "open" else message["before"]
        async with self._looking:
            shown = await asyncio.to_thread(self._record if message.type == "open" else self._list, name)
        if shown is None:
            raise WireError("no-game", "there is no such game in this match")
        visitor.tell(shown)

    async def _look(self) -> None:
        async with self._looking:
            said = await asyncio.to_thread(self._news) if self._match is not None else ""
        for visitor in self.visitors if said else ():
            visitor.tell(said)

    def _news(self) -> str:
        """What is new, empty where nothing is; `_said` is all of it, for whoever comes."""
        match, now = self._match, time.monotonic()
        assert match is not None
        try:
            ended, moved = match.look()
            self._stale = self._stale or ended
            if not (self._stale or moved):
                return ""
            under_way = self._under_way(match)
            if self._stale and now - self._said_at >= TABLE_EVERY:
                self._table = _table(match, match.summary())
                self._said_at, self._stale = now, False
                self._said = written(type="match", **self._table, under_way=under_way)
                return self._said
        except NoMatchError as error:
            before, self._said = self._said, written(type="notice", code="no-match", text=str(error))
            self._table, self._stale = None, True
            return self._said if self._said != before else ""
        if self._table is None:
            return ""
        self._said = written(type="match", **(self._table | {"state": match.state}), under_way=under_way)
        return written(type="under_way", state=match.state, games=under_way) if moved else ""

    def _under_way(self, match: MatchFile) -> list[dict[str, Any]]:
        games = match.under_way if match.state == RUNNING else {}
        self._courses = {name: self._courses.get(name) or _Course() for name in games}
        found = []
        for name, game in games.items():
            try:
                found.append({"game": name, **self._courses[name].shown(game)})
            except (TurkengineError, LookupError, TypeError, ValueError) as error:
                raise NoMatchError(f"game {name} of {match.path} cannot be followed: {error}") from None
        return found

    def _record(self, name: str) -> str | None:
        found = self._match.record(name) if self._match is not None else None
        if found is None:
            return None
        record, is_over = found
        variant = variant_named(record.variant)
        start = fen.read(variant, record.fen) if record.fen else Position.start(variant)
        return written(
            type="record",
            game=name,
            white=record.white,
            black=record.black,
            variant=variant_data(variant),
            start=start_data(start),
            moves=entries_of(record, variant, start),
            ending=ending_data(variant, record.ending) if is_over else None,
        )

    def _list(self, before: str) -> str | None:
        match = self._match
        if match is None or before not in match.finished:
            return None
        return written(type="games", before=before, games=match.listed(before, MOST_LISTED))


class _Course:
    """A game under way, replayed as far as it has come."""

    def __init__(self) -> None:
        self._positions: list[Position] = []
        self._played: list[Played] = []
        self._last: dict[str, Any] = {}
        self._lines: dict[str, tuple[int, dict[str, Any]]] = {}

    def shown(self, game: Mapping[str, Any]) -> dict[str, Any]:
        """The game as the page gets it, from what the match has written."""
        record = Record.from_data(game["record"])
        variant = variant_named(record.variant)
        known = len(self._played)
        if not self._positions or list(record.moves[:known]) != self._played:
            self._positions = [fen.read(variant, record.fen) if record.fen else Position.start(variant)]
            self._played, self._last, self._lines, known = [], {}, {}, 0
        for played in record.moves[known:]:
            before = self._positions[-1]
            move = None if played.fen else moves.read(before, played.text)
            self._positions.append(before.play(move) if move is not None else fen.read(variant, played.fen))
            self._played.append(played)
            self._last = entry_of(len(self._played), played, before, move, self._positions[-1].cells)
        last, position = self._last, self._positions[-1]
        clocks = game["clocks"]
        return {
            "white": record.white,
            "black": record.black,
            "ply": len(self._played),
            "side": position.side.value,
            "cells": position.cells,
            "text": last.get("text", ""),
            "path": last.get("path", []),
            "captured": last.get("captured", []),
            "clocks": {side: clocks[side] and round(clocks[side], 3) for side in ("W", "B")},
            "at": game["turn"],
            "lines": {side.value: self._line(side, game["lines"].get(side.value)) for side in Side},
        }

    def _line(self, side: Side, line: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """What an engine has said, its line as texts."""
        if line is None:
            return None
        ply = line["ply"]
        if self._lines.get(side.value, (0,))[0] != ply:
            score = PovScore(Score(line["score"]), side) if line["score"] is not None else None
            shown = {
                "ply": ply,
                "score": score.white.hundredths if score is not None else None,
                "end": score.moves_to_end() if score is not None else None,
                "text": str(score) if score is not None else "",
                "depth": line["depth"],
                "nodes": line["nodes"],
                "seconds": line["seconds"],
                "moves": _texts(self._positions[ply - 1], line["moves"]),
            }
            self._lines[side.value] = ply, shown
        return self._lines[side.value][1]


def _texts(position: Position, line: list[Any]) -> list[str]:
    """A line as far as it is legal."""
    texts = []
    for origin, target, captured in line:
        move = Move(origin, target, frozenset(captured))
        try:
            texts.append(moves.landing(position, move))
            position = position.play(move)
        except MoveError:
            break
    return texts


def _table(match: MatchFile, summary: Summary) -> dict[str, Any]:
    """Everything that changes when a game is over."""
    names, data = summary.names, summary.as_data()["standings"]
    games = {one: {two: summary.results.games(one, two) for two in names if two != one} for one in names}
    return {
        "file": match.path.name,
        "title": summary.title,
        "settings": match.settings,
        "variant": variant_data(match.variant) if match.variant is not None else None,
        "state": match.state,
        "played": len(match.finished),
        "total": match.heading.total,
        "win": summary.halves_a_win,
        "standings": [
            {
                "rank": one["place"],
                "name": one["name"],
                "points": one["points"],
                "games": sum(one["games"].values()),
                "wins": one["games"]["won"],
                "draws": one["games"]["drawn"],
                "losses": one["games"]["lost"],
                "tiebreaks": one["tiebreaks"],
                "faults": one["faults"],
            }
            for one in data
        ],
        "cross": {one: {two: met.points for two, met in row.items() if met.total} for one, row in games.items()},
        "elo": [{"name": one["name"], **one["rating"]} for one in data],
        "llr": _llr(summary, summary.sprt) if summary.sprt is not None else None,
        "games": match.listed(None, MOST_LISTED),
    }


def _llr(summary: Summary, sprt: Sprt) -> dict[str, Any]:
    pairs = summary.results.pairs(*summary.names)
    verdict = sprt.verdict(pairs)
    return {
        "value": round(sprt.llr(pairs), 3),
        "lower": round(sprt.lower, 3),
        "upper": round(sprt.upper, 3),
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "accepted": verdict.name.lower() if verdict is not None else None,
    }
