"""What stands on the board in an ending: names, which endings there are, and which must be known before which."""

from __future__ import annotations

import re
from typing import NamedTuple

from turkengine.errors import EndgameError, shown


class Material(NamedTuple):
    """The pieces of an ending, those of the side to move first; what a kernel calls its counts."""

    men: int
    kings: int
    enemy_men: int
    enemy_kings: int

    @property
    def pieces(self) -> int:
        """How many there are."""
        return sum(self)

    @property
    def turned(self) -> Material:
        """The same pieces with the other side to move."""
        return Material(self.enemy_men, self.enemy_kings, self.men, self.kings)

    @property
    def balance(self) -> Material:
        """The same pieces with the stronger side first: more pieces, else more kings."""
        return max(self, self.turned, key=lambda material: (material.men + material.kings, material.kings))

    @property
    def endings(self) -> tuple[Material, ...]:
        """The same pieces with either side to move; only one where both sides have the same."""
        return (self,) if self == self.turned else (self, self.turned)

    @property
    def name(self) -> str:
        """For instance MKvK."""
        return f"{'M' * self.men}{'K' * self.kings}v{'M' * self.enemy_men}{'K' * self.enemy_kings}"

    def led_to(self) -> set[Material]:
        """The balances that captures and promotions of either side lead to, as long as both sides have a piece."""
        return {after.balance for material in (self, self.turned) for after in material._after_a_move()}

    def _after_a_move(self) -> set[Material]:
        found = set()
        for men, kings in {(self.men, self.kings), (self.men - 1, self.kings + 1)}:
            for enemy_men in range(self.enemy_men + 1):
                for enemy_kings in range(self.enemy_kings + 1):
                    if men >= 0 and enemy_men + enemy_kings > 0:
                        found.add(Material(men, kings, enemy_men, enemy_kings))
        return found - {self}


def balances(pieces: int) -> list[Material]:
    """Every balance of so many pieces, each after those that it leads to."""
    found = {
        Material(men, one - men, enemy_men, pieces - one - enemy_men).balance
        for one in range(1, pieces)
        for men in range(one + 1)
        for enemy_men in range(pieces - one + 1)
    }
    return sorted(found, key=lambda material: (material.men + material.enemy_men, material))


def material_named(name: str) -> Material:
    """The balance of this name, as `Material.name` writes it, in any case and with blanks around the v.

    Raises:
        EndgameError: the name is that of no ending.
    """
    found = re.fullmatch(r"(M*)(K*)\s*V\s*(M*)(K*)", name.strip().upper())
    material = Material(*map(len, found.groups())) if found else None
    if material is None or not (material.men + material.kings and material.enemy_men + material.enemy_kings):
        raise EndgameError(f"no ending is called {shown(name)}; a man and a king against a king are MKvK")
    return material.balance
