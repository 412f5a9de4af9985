"""Choices by chance that can be repeated."""

from __future__ import annotations

from turkengine.engine.dice import Dice


def test_a_seed_draws_the_same_for_the_same_position() -> None:
    assert [Dice(7).draw(key) for key in range(5)] == [Dice(7).draw(key) for key in range(5)]
    assert Dice(7).draw(1) != Dice(8).draw(1)
    assert Dice(7).draw(1) != Dice(7).draw(2)


def test_without_a_seed_each_game_has_draws_of_its_own() -> None:
    assert Dice(0).draw(1) != Dice(0).draw(1)


def test_draws_are_spread_evenly() -> None:
    draws = [Dice(1).draw(key << 40) for key in range(4000)]
    assert all(0 <= draw < 1 for draw in draws)
    assert all(340 < sum(part <= 10 * draw < part + 1 for draw in draws) < 460 for part in range(10))


def test_a_weight_is_chosen_as_often_as_it_is_large() -> None:
    chosen = [Dice(1).choose([1.0, 0.0, 3.0], key) for key in range(4000)]
    assert 850 < chosen.count(0) < 1150
    assert chosen.count(1) == 0


def test_the_first_is_chosen_where_there_is_no_weight() -> None:
    assert Dice(1).choose([0.0, 0.0], 5) == 0
