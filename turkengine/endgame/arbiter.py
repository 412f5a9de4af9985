"""What endgame tables say of a game under way: who has won, where the counts of plies leave no doubt.

The tables know no counts of plies, but a game has them. A win counts here only if it comes before every count that runs
or may yet begin, and a win that comes too late counts as a draw only if nothing can restart the count before. Where
neither is sure there is no verdict: the game goes on, and a few plies later it is sure, or the rules have ended it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from turkengine import kernel
from turkengine.endgame.material import Material
from turkengine.errors import EndgameError
from turkengine.kernel import endgames
from turkengine.rules.movegen import EMPTY, KING, MAN
from turkengine.rules.position import Position, material_limit
from turkengine.rules.variant import MaterialLimit, Side, Variant


@dataclass(frozen=True)
class TableResult:
    """How a game ends if both sides play best from here.

    Attributes:
        winner: None for a draw.
        reason: one line for people.
        article: of the rule by which a count of plies makes a draw of it, empty where none does.
    """

    winner: Side | None
    reason: str
    article: str = ""


class Arbiter:
    """The tables of one game, up to some number of pieces.

    Attributes:
        pieces: of the largest ending there is a table of.
        longest: for each ending there is a table of, as a balance, the plies of its longest win or loss.
    """

    def __init__(self, variant: Variant, pieces: int, folder: Path | None = None) -> None:
        """Read and check the tables that come with the program, and those of a folder.

        Args:
            pieces: larger endings are left alone.
            folder: the user's own if None.

        Raises:
            EndgameError: a file cannot be used, the folder is none or has no table of this game, or there is no table
                of so many pieces.
        """
        self.variant = variant
        self.longest: dict[Material, int] = {}
        self._kernel: Any = kernel.load(variant)
        self._endings: Any = self._kernel.Endings()
        places = endgames.folders(folder or "")
        if folder is not None and not folder.is_dir():
            raise EndgameError(f"{folder} is not a folder; name one that `turkengine endgame build` has written")
        if folder is not None and not endgames.files_in(folder, variant):
            raise EndgameError(f"{folder} holds no endgame tables of {variant.name}; name another folder")
        mounted: set[str] = set()
        for path in (path for place in places for path in endgames.files_in(place, variant)):
            if len(path.stem) - 1 <= pieces and path.stem not in mounted:
                self._mount(path)
                mounted.add(path.stem)
        self.pieces: int = self._endings.most_pieces
        if self.pieces < pieces:
            where = " and ".join(map(str, places))
            raise EndgameError(
                f"there are no endgame tables of {pieces} pieces of {variant.name} in {where};"
                f" `turkengine endgame build {variant.name} --pieces {pieces}` makes them, or be content with"
                f" {self.pieces} pieces"
            )

    @property
    def endings(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(sorted(balance.name for balance in self.longest))

    def _mount(self, path: Path) -> None:
        for table in endgames.mount_file(self._endings, path, self.variant).tables:
            balance = Material(*table.counts).balance
            self.longest[balance] = max(self.longest.get(balance, 0), table.longest or 0)

    def verdict(self, position: Position, no_progress: int | None = None) -> TableResult | None:
        """How the game ends, None where the tables do not know it or a count of plies leaves a doubt.

        Args:
            position: of a game that is not over by the rules.
            no_progress: plies without progress that make a draw, as `rules.outcome` takes them.
        """
        if len(position.cells) - position.cells.count(EMPTY) > self.pieces:
            return None
        asked = self._kernel.Position.from_cells(
            position.cells, position.side, position.no_progress, position.material_plies
        )
        known = self._endings.look_up(asked, no_progress)
        if known is None:
            return None
        won, plies, in_time = known
        balance = _material(position).balance
        if not won:
            return TableResult(None, f"{balance.name} is a draw by the endgame tables")
        if not in_time:
            return self._held(position, balance, plies, no_progress)
        if self._may_be_counted_out(position, balance, plies) or _has_repeated(position):
            return None
        winner = position.side if won > 0 else position.side.opponent
        return TableResult(
            winner, f"{winner.name.capitalize()} wins {balance.name} in {_plies(plies)} by the endgame tables"
        )

    def _may_be_counted_out(self, position: Position, balance: Material, plies: int) -> bool:
        """Whether a count that a later balance begins may come to its end before the win."""
        return any(
            limit is not None
            and limit != position.material_limit  # the count that runs is known: `look_up` has looked at it
            and min(plies - 1, self.longest.get(after, plies)) > limit.plies
            for after, limit in _to_come(self.variant, balance)
        )

    def _held(self, position: Position, balance: Material, plies: int, no_progress: int | None) -> TableResult | None:
        """The draw by a count that no win can escape, None where something may restart it."""
        to_come = _to_come(self.variant, balance)
        limit, rule = position.material_limit, self.variant.no_progress
        if limit is not None and all(after == limit for _, after in to_come):
            left = limit.plies - position.material_plies
            if plies > left:
                return _too_late(balance, plies, left, limit.article)
        most = no_progress if rule.optional and no_progress is not None else rule.plies
        left = most - position.no_progress
        kings_only = not balance.men and not balance.enemy_men
        # Only a capture restarts the count of kings. It comes within the plies left, so that at least `plies - left`
        # are still to be played after it, and that is more than any win there takes.
        if most and kings_only and all(self.longest.get(after, plies) < plies - left for after, _ in to_come):
            return _too_late(balance, plies, left, rule.article)
        return None


def _too_late(balance: Material, plies: int, left: int, article: str) -> TableResult:
    reason = (
        f"{balance.name} is won in {_plies(plies)} by the endgame tables, but a count makes it a draw in {_plies(left)}"
    )
    return TableResult(None, reason, article)


def _plies(number: int) -> str:
    return f"{number} {'ply' if number == 1 else 'plies'}"


def _material(position: Position) -> Material:
    (own_kings, own_men), (kings, men) = (position.count(side) for side in (position.side, position.side.opponent))
    return Material(own_men, own_kings, men, kings)


@cache
def _to_come(variant: Variant, balance: Material) -> tuple[tuple[Material, MaterialLimit | None], ...]:
    """The balances that may come from here, each with the rule that counts its plies."""
    found: set[Material] = set()
    waiting = {balance}
    while waiting:
        fresh = waiting.pop().led_to() - found
        found |= fresh
        waiting |= fresh
    return tuple((after, _limit_of(variant, after)) for after in sorted(found - {balance}))


def _limit_of(variant: Variant, balance: Material) -> MaterialLimit | None:
    white, black = Side
    own = MAN[white] * balance.men + KING[white] * balance.kings
    return material_limit(variant, own + MAN[black] * balance.enemy_men + KING[black] * balance.enemy_kings)


def _has_repeated(position: Position) -> bool:
    """Whether a position that may come back has been there so often that the next time makes a draw."""
    earlier: Position | None = position
    for _ in range(position.no_progress):
        earlier = earlier.previous if earlier is not None else None
        if earlier is None:
            return False
        if earlier.occurrences >= earlier.variant.repetitions - 1:
            return True
    return False
