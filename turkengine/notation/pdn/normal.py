"""Games in the one form that PDN 3.0 asks for.

Tags in the standard's order, the tag GameType in full, Variant where the number alone would not name the game, results
as the game writes them and in the tag Result only, moves from and to with the whole path where that leaves a doubt. A
move that cannot be played stays, with its squares tidied: nothing is thrown away, and nothing is decided that the file
leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from turkengine.notation import fen, moves
from turkengine.notation.pdn.dates import read_date
from turkengine.notation.pdn.game import (
    BLACK_WINS,
    DRAWS,
    UNFINISHED,
    WHITE_WINS,
    Line,
    PdnGame,
    Ply,
    Remark,
    result_named,
    same_result,
)
from turkengine.notation.pdn.kinds import tags_of
from turkengine.notation.pdn.replaying import Maker, Replay, by_the_rules, replay
from turkengine.notation.signs import PLAIN
from turkengine.rules.move import Move
from turkengine.rules.variant import Variant

STANDARD_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "Variant", "SetUp", "FEN")

_STANDARD_NAMES = {name.casefold(): name for name in STANDARD_TAGS}
_PLACES = {name: place for place, name in enumerate(STANDARD_TAGS)}
_LEADING_ZERO = re.compile(r"(?<!\d)0+(?=\d)")


def normalised(
    game: PdnGame, variant: Variant | None = None, maker: Maker[Any] = by_the_rules
) -> tuple[PdnGame, Replay[Any]]:
    """The game in standard form, and what playing it over has shown; the arguments are those of `replay`."""
    texts: dict[int, str] = {}

    def note(order: int, position: Any, move: Move) -> None:
        texts[order] = moves.written(position, move)

    played = replay(game, variant, maker, note)
    line = _Rewriting(texts).line(game.line)
    tags, terminator = _tags(game, played)
    return PdnGame(tags, line, terminator), played


def tidied(text: str) -> str:
    """A move as text without leading zeros and with the usual signs; which squares it names stays as it is."""
    return _tidied(text)


@lru_cache(maxsize=1 << 14)
def _tidied(text: str) -> str:
    return _LEADING_ZERO.sub("", text.translate(PLAIN).lower())


def result_of(result: str, variant: Variant) -> str:
    """A result as the variant writes it: 2-0 or 1-0."""
    for same, written in zip((WHITE_WINS, DRAWS, BLACK_WINS), variant.results, strict=True):
        if result in same:
            return written
    return result


class _Rewriting:
    """Puts the texts of `texts` in the places of the moves, which are counted in the order of the text."""

    def __init__(self, texts: dict[int, str]) -> None:
        self.texts, self.order = texts, 0

    def line(self, line: Line) -> Line:
        remarks = tuple(self._remarks(line.remarks))
        return Line(tuple([self._ply(ply) for ply in line.plies]), remarks)

    def _ply(self, ply: Ply) -> Ply:
        text = self.texts.get(self.order) or tidied(ply.text)
        self.order += 1
        return Ply(text, ply.nags, tuple(self._remarks(ply.remarks)) if ply.remarks else ())

    def _remarks(self, remarks: tuple[Remark, ...]) -> Iterator[Remark]:
        for remark in remarks:
            yield self.line(remark) if isinstance(remark, Line) else remark


def _tags(game: PdnGame, played: Replay[Any]) -> tuple[tuple[tuple[str, str], ...], str]:
    """The tags in standard form, and what the text ends with."""
    named = replace(game, tags=tuple((_STANDARD_NAMES.get(name.casefold(), name), value) for name, value in game.tags))
    changes: dict[str, str | None] = {}
    terminator = game.terminator
    told = named.tag("Result")
    said, silent = result_named(told), told in ("", "?", "-")
    if terminator == UNFINISHED or silent or (said is not None and same_result(terminator, said)):
        result = named.result
        if played.variant is not None:
            result = result_of(result, played.variant)
        if said is not None or silent:
            changes["Result"] = result
        terminator = UNFINISHED
    if date := read_date(named.tag("Date"), whole=True):
        changes["Date"] = str(date)
    if game.fen is not None:
        changes["SetUp"] = "1"
        changes["FEN"] = "".join(game.fen.split()).removesuffix(".")
    if played.variant is not None:
        changes |= {name: value for name, value in tags_of(played.variant).items() if value is not None}
        if game.fen is not None and played.positions:
            changes["FEN"] = fen.write_counted(played.positions[0])
    tags = named.with_tags(**changes).tags
    return tuple(sorted(tags, key=lambda tag: _PLACES.get(tag[0], len(_PLACES)))), terminator
