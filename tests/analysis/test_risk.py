"""Risk: by hand, against direct enumeration, against sessions, and the intervals' coverage."""

import itertools

import numpy as np
import pytest

from analysis.risk import risk, ruin, ruin_in_sessions
from sim.errors import UsageError
from sim.jit import PLAIN
from tests.analysis.test_chips import by_name, chips, played, table_of


def single(values):
    """A table of one player's chips against another's."""
    values = np.array(values)
    return table_of(np.stack([values, -values], axis=1), [0] * len(values))


def test_risk_by_hand():
    values = np.array([-10, -6, -6, -2, 0, 1, 3, 4, 6, 10])
    found = by_name(risk(single(values), values, worst=0.25))
    assert found["chips_sd"].value == pytest.approx(np.sqrt(33.8))
    assert found["chips_quantile"].value == -6
    # The worst 2.5 of 10 hands: -10, -6 and half of -6.
    assert found["chips_worst"].value == pytest.approx((-10 - 6 - 3) / 2.5)
    with pytest.raises(UsageError, match="between 0 and 1"):
        risk(single(values), values, worst=1)


def by_enumeration(values, stack, hands):
    """The chance of ruin over every sequence of hands."""
    gone = 0
    for path in itertools.product(values, repeat=hands):
        gone += bool((stack + np.cumsum(path)).min() <= 0)
    return gone / len(values) ** hands


@pytest.mark.parametrize("stack", [1, 2, 4, 7])
@pytest.mark.parametrize("hands", [1, 3, 5])
@pytest.mark.parametrize("values", [[-1, 1], [-3, -1, 2], [-2, 0, 0, 5], [1, 2, 2], [-1, -1]])
def test_ruin_is_exact(values, stack, hands):
    found = ruin(single(values), np.array(values), stack, hands)
    assert found.value == pytest.approx(by_enumeration(values, stack, hands), abs=1e-12)


def test_ruin_of_a_fair_coin_follows_the_reflection_principle():
    """P(a walk of 100 steps meets -10) = P(S <= -10) + P(S < -10)."""
    from scipy.stats import binom

    walk = binom(100, 0.5)
    expected = walk.cdf(45) + walk.cdf(44)
    assert ruin(single([-1, 1]), np.array([-1, 1]), 10, 100).value == pytest.approx(expected)


def test_the_error_of_ruin_is_its_derivative():
    """One more hand of a value moves the chance by the value's influence over n."""
    values = np.repeat([-3, -1, 2, 4], [200, 300, 300, 200])
    found = ruin(single(values), values, 6, 8)
    n, moved = len(values), {}
    for value in np.unique(values):
        more = np.append(values, value)
        moved[value] = (n + 1) * (ruin(single(more), more, 6, 8).value - found.value)
    spread = np.std([moved[value] for value in values], ddof=1)
    assert (found.high - found.low) / 2 == pytest.approx(1.9623 * spread / np.sqrt(n), rel=0.02)


def test_bad_stacks_are_refused():
    for stack, hands in ((0, 5), (5, 0)):
        with pytest.raises(UsageError, match="at least 1"):
            ruin(single([1, -1]), np.array([1, -1]), stack, hands)


def test_intervals_cover():
    """Of 200 samples of a known distribution about 95 % of the intervals hold the truth."""
    rng = np.random.default_rng(2)
    support = np.array([-9, -7, -6, -5, -4, -3, -2, -1, 4, 15])
    hundred = np.repeat(support, [1, 2, 4, 8, 10, 15, 15, 15, 20, 10])
    whole = single(hundred)
    truth = {e.name: e.value for e in [*risk(whole, hundred), ruin(whole, hundred, 12, 10)]}
    held = dict.fromkeys(truth, 0)
    for _ in range(200):
        values = rng.choice(hundred, 2000)
        table = single(values)
        for e in [*risk(table, values), ruin(table, values, 12, 10)]:
            held[e.name] += e.low <= truth[e.name] <= e.high
    # Whole chips make the quantile's interval wide: it holds the truth more often than asked.
    assert held.pop("chips_quantile") >= 190
    assert all(180 <= times <= 199 for times in held.values())


def test_ruin_in_sessions_by_hand():
    table = table_of([[-2, 2], [-1, 1], [4, -4], [1, -1]], [1, 1, 0, 0], deals=[0, 0, 1, 1])
    table["game"] = [0, 0, 1, 1]
    # Stacks of 3: the first session ruins seat 0, the second seat 1.
    assert ruin_in_sessions(table, 2, 3).value == 0.5
    assert ruin_in_sessions(table, 2, 4).value == 0.25
    assert ruin_in_sessions(table, 2, 6).value == 0


@pytest.mark.skipif(PLAIN, reason="needs many games")
def test_ruin_agrees_with_sessions_that_were_played():
    table = played(4, 1500, hands=60)
    direct = ruin_in_sessions(table, 4, 40)
    exact = ruin(table, chips.stack(table, "score", 4), 40, 60)
    assert direct.low < exact.value < direct.high
    assert exact.high - exact.low < direct.high - direct.low
