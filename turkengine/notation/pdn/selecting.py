"""Which games of a file somebody wants: conditions on the tags, the result, the length, and on what a replay shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from turkengine.errors import PdnError, PositionError, shown
from turkengine.games import VARIANTS
from turkengine.notation import fen
from turkengine.notation.fen import Setup
from turkengine.notation.pdn.dates import Date, read_date, within
from turkengine.notation.pdn.game import BLACK_WINS, BOTH_LOSE, DRAWS, UNFINISHED, WHITE_WINS, PdnGame
from turkengine.notation.pdn.kinds import game_number, kind_of
from turkengine.notation.pdn.reader import PdnEntry
from turkengine.notation.pdn.replaying import Replay
from turkengine.rules.variant import Variant

OUTCOMES = {
    "white": WHITE_WINS,
    "draw": DRAWS,
    "black": BLACK_WINS,
    "both-lose": frozenset({BOTH_LOSE}),
    "none": frozenset({UNFINISHED}),
}
"""The results by what they mean."""


@dataclass(frozen=True)
class Selection:
    """Conditions that a game has to meet all together; one that is None or empty is met by every game.

    Texts are looked for anywhere in a tag, in any case.

    Attributes:
        player: in the tag White or Black.
        tags: (name, text) for each tag asked for.
        outcomes: keys of `OUTCOMES`, one of which has to be the result.
        kind: the name of a variant, a number of GameType, or a part of another game's name.
        since, until: the dates between which the game was played, both included.
        least_plies, most_plies: how long it is.
        position: a FEN: the position comes up in the game, with the same side to move.
        illegal: whether a move cannot be played.
        faulty: whether something is wrong, an illegal move or what could not be read.
    """

    player: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    outcomes: frozenset[str] = frozenset()
    kind: str = ""
    since: Date | None = None
    until: Date | None = None
    least_plies: int | None = None
    most_plies: int | None = None
    position: str = ""
    illegal: bool | None = None
    faulty: bool | None = None

    def __post_init__(self) -> None:
        if self.position:
            check_position(self.position)

    def meets(self, entry: PdnEntry, played: Callable[[], Replay[Any]]) -> bool:
        """Whether a game is wanted; `played` plays it over and is called only where the tags leave a doubt."""
        return self._meets_as_told(entry.game) and self._meets_as_played(entry, played)

    def _meets_as_told(self, game: PdnGame) -> bool:
        plies = len(game.line.plies)
        return (
            (not self.player or any(_holds(game.tag(side), self.player) for side in ("White", "Black")))
            and all(_holds(game.tag(name), text) for name, text in self.tags)
            and (not self.outcomes or any(game.result in OUTCOMES[name] for name in self.outcomes))
            and (self.least_plies is None or plies >= self.least_plies)
            and (self.most_plies is None or plies <= self.most_plies)
            and self._is_dated(game)
        )

    def _is_dated(self, game: PdnGame) -> bool:
        if self.since is None and self.until is None:
            return True
        date = read_date(game.tag("Date"))
        return date is not None and within(date, self.since, self.until)

    def _meets_as_played(self, entry: PdnEntry, played: Callable[[], Replay[Any]]) -> bool:
        if not (self.kind or self.position or self.illegal is not None or self.faulty is not None):
            return True
        replayed = played()
        return (
            (not self.kind or is_of_kind(replayed, self.kind))
            and (not self.position or comes_up(replayed, self.position))
            and (self.illegal is None or bool(replayed.illegal) is self.illegal)
            and (self.faulty is None or is_faulty(entry, replayed) is self.faulty)
        )


def is_faulty(entry: PdnEntry, played: Replay[Any]) -> bool:
    """Whether anything is wrong with a game."""
    return bool(entry.faults or played.illegal or kind_of(entry.game).fault)


def is_of_kind(played: Replay[Any], kind: str) -> bool:
    """Whether the game is called so, or has this number of GameType."""
    wanted = kind.strip().casefold()
    if played.variant is None:
        return wanted in played.other.casefold()
    names = (played.variant.name, *played.variant.aliases)
    return wanted in names or wanted == str(game_number(played.variant))


def comes_up(played: Replay[Any], position: str) -> bool:
    """Whether the position is on the board in the game, variations left out."""
    if played.variant is None:
        return False
    setup = _parsed(played.variant, position)
    return setup is not None and any(
        found.side is setup.side and found.cells == setup.cells for found in played.positions if found is not None
    )


def check_position(position: str) -> None:
    """See that some variant has such a position.

    Raises:
        PdnError: none has; the message quotes what each says to it.
    """
    refusals: dict[str, list[str]] = {}
    for variant in VARIANTS:
        try:
            fen.parse(variant, position)
            return
        except PositionError as error:
            refusals.setdefault(str(error), []).append(variant.name)
    told = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in refusals.items())
    raise PdnError(f"{shown(position)} is a position of no game here ({told})")


@lru_cache(maxsize=64)
def _parsed(variant: Variant, position: str) -> Setup | None:
    try:
        return fen.parse(variant, position)
    except PositionError:  # a position of another board cannot come up
        return None


def _holds(value: str, text: str) -> bool:
    return text.casefold() in value.casefold()
