"""The sequential test: the likelihood ratio, its bounds, and what it says where little has been played."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turkengine.errors import OptionError
from turkengine.match.sprt import UNSEEN, Decision, EloModel, Sprt, read_bounds
from turkengine.match.statistics import NELO_SCALE, PAIR_SCORES, Pairs

KNOWN = Pairs((379, 10170, 21828, 10640, 343))
LOGISTIC = EloModel.LOGISTIC


def test_the_ratio_of_a_known_test() -> None:
    assert Sprt(0, 2).llr(KNOWN) == pytest.approx(2.95, abs=0.01)
    assert Sprt(0, 2).verdict(KNOWN) is Decision.SECOND


def test_bounds_for_errors_of_five_percent() -> None:
    assert Sprt(0, 2).upper == pytest.approx(2.944, abs=0.001)
    assert Sprt(0, 2).lower == pytest.approx(-2.944, abs=0.001)
    assert Sprt(0, 2, alpha=0.01, beta=0.1).upper == pytest.approx(math.log(90))


def likeliest(counts: list[float], constraint: object) -> float:
    """The largest log-likelihood of any distribution that meets the constraint, found by a general method."""
    optimize = pytest.importorskip("scipy.optimize")
    shares = [count / sum(counts) for count in counts]
    found = optimize.minimize(
        lambda p: -sum(share * math.log(max(q, 1e-300)) for share, q in zip(shares, p, strict=True)),
        shares,
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        constraints=[{"type": "eq", "fun": lambda p: sum(p) - 1}, {"type": "eq", "fun": constraint}],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert found.success
    return -sum(counts) * float(found.fun)


def mean(shares: list[float]) -> float:
    return sum(share * score for share, score in zip(shares, PAIR_SCORES, strict=True))


def spread(shares: list[float]) -> float:
    middle = mean(shares)
    return math.sqrt(sum(share * (score - middle) ** 2 for share, score in zip(shares, PAIR_SCORES, strict=True)))


@pytest.mark.parametrize("counts", [(3, 10, 40, 14, 5), (0, 4, 20, 9, 1), (30, 20, 5, 10, 12)])
def test_both_hypotheses_are_given_their_likeliest_distribution(counts: tuple[int, int, int, int, int]) -> None:
    seen = [count or UNSEEN for count in counts]
    by_ratio = [
        likeliest(seen, lambda p, elo=elo: mean(p) - 0.5 - math.sqrt(2) * elo / NELO_SCALE * spread(p))
        for elo in (0.0, 30.0)
    ]
    assert Sprt(0, 30).llr(Pairs(counts)) == pytest.approx(by_ratio[1] - by_ratio[0], abs=2e-3)
    by_mean = [likeliest(seen, lambda p, elo=elo: mean(p) - 1 / (1 + 10 ** (-elo / 400))) for elo in (-10.0, 25.0)]
    ratio = Sprt(-10, 25, scale=LOGISTIC).llr(Pairs(counts))
    assert ratio == pytest.approx(by_mean[1] - by_mean[0], abs=2e-3)


def test_the_second_player_sees_the_opposite() -> None:
    pairs = Pairs((3, 10, 40, 14, 5))
    assert Sprt(-5, 5).llr(pairs.reversed) == pytest.approx(-Sprt(-5, 5).llr(pairs))


def test_without_a_pair_the_test_goes_on() -> None:
    assert Sprt(0, 5).llr(Pairs()) == 0.0
    assert Sprt(0, 5).verdict(Pairs()) is None


@pytest.mark.parametrize("scale", EloModel)
def test_nothing_but_wins_speak_for_the_second_and_nothing_but_losses_for_the_first(scale: EloModel) -> None:
    test = Sprt(0, 10, scale=scale)
    assert 0 < test.llr(Pairs((0, 0, 0, 0, 3))) < test.llr(Pairs((0, 0, 0, 0, 4)))
    assert test.verdict(Pairs((0, 0, 0, 0, 2000))) is Decision.SECOND
    assert test.verdict(Pairs((2000, 0, 0, 0, 0))) is Decision.FIRST


@pytest.mark.parametrize("scale", EloModel)
def test_nothing_but_shared_pairs_speak_for_the_first(scale: EloModel) -> None:
    test = Sprt(0, 10, scale=scale)
    assert -1 < test.llr(Pairs((0, 0, 1, 0, 0))) < 0
    assert test.verdict(Pairs((0, 0, 100_000, 0, 0))) is Decision.FIRST


@pytest.mark.parametrize("bounds", [(5, 0), (3, 3), (0, math.inf), (math.nan, 1)])
def test_hypotheses_in_the_wrong_order_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(OptionError, match="the smaller number first"):
        Sprt(*bounds)


@pytest.mark.parametrize("error", [0, 0.5, -1, 1])
def test_errors_that_no_test_can_keep_are_refused(error: float) -> None:
    with pytest.raises(OptionError, match="lie between"):
        Sprt(0, 5, alpha=error)


def test_hypotheses_that_nobody_needs_a_test_for_are_refused() -> None:
    with pytest.raises(OptionError, match="takes numbers up to 200"):
        Sprt(0, 300)


@given(
    st.tuples(*[st.integers(0, 10**6)] * 5).filter(any),
    st.lists(st.floats(-200, 200), min_size=2, max_size=2, unique=True).map(sorted),
    st.sampled_from(EloModel),
)
def test_any_pairs_give_a_ratio(counts: tuple[int, int, int, int, int], bounds: list[float], scale: EloModel) -> None:
    assert math.isfinite(Sprt(*bounds, scale=scale).llr(Pairs(counts)))


@pytest.mark.parametrize(("text", "bounds"), [("0,5", (0, 5)), ("-1.5, 2", (-1.5, 2))])
def test_hypotheses_are_read(text: str, bounds: tuple[float, float]) -> None:
    assert read_bounds(text) == bounds


@pytest.mark.parametrize("text", ["", "5", "a,b", "1,2,3"])
def test_a_text_that_holds_none_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="write ELO0,ELO1"):
        read_bounds(text)
