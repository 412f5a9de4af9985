"""Which endings there are, what they are called, and which must be known before which."""

from __future__ import annotations

import pytest

from turkengine.endgame.material import Material, balances, material_named
from turkengine.errors import EndgameError

MAN_AND_KING_AGAINST_A_KING = Material(1, 1, 0, 1)


def test_an_ending_is_called_by_its_pieces_the_stronger_side_first() -> None:
    assert MAN_AND_KING_AGAINST_A_KING.name == "MKvK"
    assert MAN_AND_KING_AGAINST_A_KING.turned.name == "KvMK"
    assert MAN_AND_KING_AGAINST_A_KING.turned.balance == MAN_AND_KING_AGAINST_A_KING
    assert Material(1, 0, 0, 1).balance.name == "KvM"


@pytest.mark.parametrize("name", ["MKvK", "mkvk", "MK v K", " KvMK "])
def test_a_name_is_read_in_either_order(name: str) -> None:
    assert material_named(name) == MAN_AND_KING_AGAINST_A_KING


@pytest.mark.parametrize("name", ["", "v", "MKv", "KMvK", "QvK", "MK K"])
def test_a_name_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(EndgameError, match="no ending is called"):
        material_named(name)


@pytest.mark.parametrize(("pieces", "number"), [(2, 3), (3, 6), (4, 14), (5, 22)])
def test_there_are_so_many_balances(pieces: int, number: int) -> None:
    found = balances(pieces)
    assert len(found) == len(set(found)) == number
    assert all(balance.pieces == pieces and balance == balance.balance for balance in found)


def test_captures_and_promotions_lead_to_fewer_pieces_or_fewer_men() -> None:
    assert {balance.name for balance in MAN_AND_KING_AGAINST_A_KING.led_to()} == {"KKvK", "KvK", "KvM"}
    assert {balance.name for balance in material_named("MMvM").led_to()} == {"KvM", "MKvM", "MMvK", "MvM"}


def test_a_balance_comes_behind_those_that_it_leads_to() -> None:
    order = [balance for pieces in range(2, 6) for balance in balances(pieces)]
    for place, balance in enumerate(order):
        assert balance.led_to() <= set(order[:place])


def test_both_sides_to_move_are_one_ending_where_they_have_the_same() -> None:
    assert len(material_named("MKvMK").endings) == 1
    assert [ending.name for ending in material_named("MKvK").endings] == ["MKvK", "KvMK"]
