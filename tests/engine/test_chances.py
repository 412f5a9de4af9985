"""What scores mean for results."""

from __future__ import annotations

import pytest

from turkengine.engine.chances import Chances, chances_of
from turkengine.engine.score import WIN, Score
from turkengine.games import INTERNATIONAL, VARIANTS


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_variant_has_chances_that_add_up_and_grow(variant) -> None:
    told = [chances_of(Score(hundredths), variant) for hundredths in range(-800, 801, 25)]
    assert all(abs(found.win + found.draw + found.loss - 1) < 1e-9 for found in told)
    assert all(min(found.win, found.draw, found.loss) >= 0 for found in told)
    expectations = [found.expectation for found in told]
    assert expectations == sorted(expectations)
    assert expectations[len(told) // 2] == pytest.approx(0.5)


def test_level_positions_of_international_draughts_are_mostly_drawn() -> None:
    level, man_up = chances_of(Score(0), INTERNATIONAL), chances_of(Score(100), INTERNATIONAL)
    assert level.draw == pytest.approx(0.70, abs=0.03)
    assert man_up.win == pytest.approx(0.55, abs=0.03)
    assert man_up.loss < 0.06


def test_what_was_found_is_certain() -> None:
    assert chances_of(Score(WIN - 7), INTERNATIONAL) == Chances(1.0, 0.0, 0.0)
    assert chances_of(Score(-WIN), INTERNATIONAL) == Chances(0.0, 0.0, 1.0)
    assert Chances(0.5, 0.3, 0.2).reversed() == Chances(0.2, 0.3, 0.5)
