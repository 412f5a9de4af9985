"""Which game of draughts a file holds: what its tags say, and what its squares show where they say nothing.

The tag GameType numbers the games; the tag Variant names the few that share a number or have none. Games that are not
among ours are named all the same, so that nobody takes an unknown game for a faulty one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turkengine.errors import VariantError, shown
from turkengine.games import VARIANTS, variant_named
from turkengine.notation.pdn.game import PdnGame
from turkengine.notation.squares import square_named
from turkengine.rules.board import Board
from turkengine.rules.variant import Variant

# The games of the tag GameType that are not among ours.
OTHER_GAMES = {
    0: "chess",
    1: "Chinese chess",
    27: "Canadian draughts",
    40: "Frisian draughts",
    50: "Othello",
}
NO_VARIANT = ("", "?", "standard", "from position")  # values of the tag Variant that name no game

_SMALL_BOARD = Board(files=8, ranks=8, dark_only=True)
_SMALL_BOARD_NAMES = frozenset(_SMALL_BOARD.names) | {
    "abcdefgh"[file] + str(rank + 1) for file, rank in _SMALL_BOARD.places
}

_SQUARE = re.compile(r"[a-j]\d\d?|\d+")


@dataclass(frozen=True)
class GameKind:
    """Which game the tags of a game say it is.

    Attributes:
        variant: ours, None where it is another one or the tags do not say.
        other: what another game is called, empty where it is one of ours or the tags do not say.
        fault: what is wrong with the tags, empty where nothing is.
    """

    variant: Variant | None = None
    other: str = ""
    fault: str = ""

    @property
    def is_told(self) -> bool:
        """Whether the tags say which game it is."""
        return self.variant is not None or self.other != ""


def kind_of(game: PdnGame) -> GameKind:
    """What the tags say: Variant goes before GameType."""
    named = game.tag("Variant").strip()
    told = game.tag("GameType").strip()
    if named.lower() not in NO_VARIANT:
        try:
            return GameKind(variant_named(named))
        except VariantError:
            return GameKind(other=named)
    if not told or told == "?":
        return GameKind()
    number = told.partition(",")[0].strip()
    if not (number.isascii() and number.isdecimal() and len(number) <= 3):
        return GameKind(fault=f"the tag GameType begins with the number of a game, not with {shown(told)}")
    for variant in VARIANTS:
        if game_number(variant) == int(number):
            return GameKind(variant)
    return GameKind(other=OTHER_GAMES.get(int(number), f"the game of GameType {number}"))


def game_number(variant: Variant) -> int | None:
    """The number of a variant in the tag GameType, None where it has none."""
    return int(variant.game_type.partition(",")[0]) if variant.game_type is not None else None


def needs_name(variant: Variant) -> bool:
    """Whether the tag Variant has to be written, because GameType alone would say nothing or another variant."""
    number = game_number(variant)
    return number is None or next(other for other in VARIANTS if game_number(other) == number) is not variant


def tags_of(variant: Variant) -> dict[str, str | None]:
    """The tags GameType and Variant that say `variant`; None for one that is not written."""
    return {"GameType": variant.game_type, "Variant": variant.name if needs_name(variant) else None}


def named_squares(game: PdnGame) -> frozenset[str]:
    """The squares that the moves and the position at the start name, as they are written; of a range its ends."""
    texts = {ply.text.lower() for ply in game.line.plies}
    texts.update(field[1:].lower() for field in (game.fen or "").split(":")[1:])  # without the letters of the sides
    return frozenset(square.lstrip("0") for text in texts for square in _SQUARE.findall(text))


def fits(board: Board, named: frozenset[str]) -> bool:
    """Whether the board has all these squares under names of one sort, numbers or letters."""
    lettered = {square for square in named if not square.isdecimal()}
    if lettered and (not board.lettered or lettered != named):
        return False
    return all(square_named(board, square) is not None for square in named)


def may_be_another(named: frozenset[str]) -> bool:
    """Whether all these squares are on the board that most other games are played on, by number or by letter."""
    return named <= _SMALL_BOARD_NAMES
