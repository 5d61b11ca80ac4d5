"""The chain of ranks: golden values by hand, and intervals that cover what is known."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from analysis import mobility
from analysis.estimates import t_quantile
from analysis.mobility import Ranks

TWO = np.array([[0.75, 0.25], [0.5, 0.5]])
# From 3 by way of 2 to 1: each step up has a chance of 1/2, of 1/4 from 2.
THREE = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.0, 0.5, 0.5]])


def sessions_of(table_of_orders, first=0):
    """A table of results from the rank of each player before and after each hand.

    `table_of_orders` has shape (sessions, hands + 1, players), ranks from 1.
    """
    sessions, hands, n = table_of_orders.shape
    before, after = table_of_orders[:, :-1], table_of_orders[:, 1:]
    columns = {"game": np.repeat(np.arange(first, first + sessions), hands - 1)}
    for seat in range(n):
        columns[f"rank_before[{seat}]"] = before[:, :, seat].ravel()
        columns[f"score[{seat}]"] = after[:, :, seat].ravel()
    return pd.DataFrame(columns)


def ranks_of(orders, strategies=None):
    """All sessions counted at once."""
    sessions, hands, n = orders.shape
    ranks = Ranks(strategies or ["same"] * n, hands - 1, sessions)
    ranks.add(sessions_of(orders))
    return ranks


# --- by hand --------------------------------------------------------------------------------------


def test_two_states_by_hand():
    """p = (2/3, 1/3); eigenvalues 1 and 1/4; 1 / (1/2) = 2 hands from the second to the first."""
    assert mobility.stationary(TWO) == pytest.approx([2 / 3, 1 / 3])
    assert mobility.second_eigenvalue(TWO) == pytest.approx(0.25)
    assert mobility.shorrocks(TWO) == pytest.approx(0.75)
    assert mobility.hands_to_first(TWO) == pytest.approx(2)
    assert mobility.reached_first(TWO, 3) == pytest.approx([1 / 2, 3 / 4, 7 / 8])


def test_three_states_by_hand():
    """With h2 = 1 + h2/2 + h3/4 and h3 = 1 + h2/2 + h3/2: h3 = 2 + h2, so h2 = 6 and h3 = 8.

    p = p P: p3 = p1/4 + p2/4 + p3/2 and p1 = p1/2 + p2/4 give p2 = 2 p1, p3 = 3/2 p1. The
    eigenvalues besides 1 have the sum 1/2 and the product det P = 1/16: 1/4 twice.
    """
    assert mobility.hands_to_first(THREE) == pytest.approx(8)
    assert mobility.stationary(THREE) == pytest.approx([2 / 9, 4 / 9, 3 / 9])
    assert mobility.second_eigenvalue(THREE) == pytest.approx(0.25, abs=1e-6)
    assert mobility.shorrocks(THREE) == pytest.approx(0.75)
    assert mobility.reached_first(THREE, 3) == pytest.approx([0, 1 / 8, 1 / 4])


def test_limits_of_mobility():
    frozen, even = np.eye(4), np.full((4, 4), 0.25)
    assert mobility.shorrocks(frozen) == 0 and mobility.shorrocks(even) == 1
    assert mobility.second_eigenvalue(even) == pytest.approx(0)
    assert mobility.hands_to_first(even) == pytest.approx(4)
    assert math.isinf(mobility.hands_to_first(frozen))
    assert not mobility.is_connected(frozen) and mobility.is_connected(THREE)


def test_several_matrices_at_once():
    both = np.stack([THREE, np.eye(3)])
    assert mobility.hands_to_first(both) == pytest.approx([8, math.inf])
    assert mobility.shorrocks(both) == pytest.approx([0.75, 0])


def test_counts_of_one_session_by_hand():
    """Two players of three hands: they change places, stay, change back."""
    orders = np.array([[[1, 2], [2, 1], [2, 1], [1, 2]]])
    ranks = ranks_of(orders, ["a", "b"])
    assert ranks.counts("all").tolist() == [[[1, 2], [2, 1]]]
    assert ranks.counts("a").tolist() == [[[0, 1], [1, 1]]]
    assert ranks.counts("b").tolist() == [[[1, 1], [1, 0]]]
    assert ranks.firsts.tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]  # b, the Arse Hole, after one hand
    flow = mobility.flows(ranks)
    rows = flow[(flow.strategy == "b") & (flow["rank"] == 1)]
    assert rows.start.unique().tolist() == [2]
    assert rows.share.tolist() == [0, 1, 1, 0]
    assert mobility.correlation(ranks.counts("all").sum(axis=0)) == pytest.approx(-1 / 3)
    assert mobility.mean_rank(ranks.counts("a").sum(axis=0)) == pytest.approx(5 / 3)


def test_sessions_may_be_followed_from_a_later_hand():
    orders = np.array([[[1, 2], [2, 1], [2, 1], [1, 2]]])
    ranks = Ranks(["a", "b"], 3, 1, start=1)
    ranks.add(sessions_of(orders))
    assert ranks.counts("all").tolist() == [[[1, 1], [1, 1]]]  # without the first change of places
    assert ranks.firsts.tolist() == [[0, 0, 1], [0, 0, 0]]  # a is Arse Hole then, King two later
    assert ranks.flow[0, 1].tolist() == [[0, 1], [1, 0]]


def test_a_share_of_none_and_of_all_still_has_an_interval():
    hits, tries = np.zeros((50, 2)), np.full((50, 2), 2)
    hits[:, 1] = 2
    value, low, high = mobility.share_interval(hits, tries)
    assert value.tolist() == [0, 1]
    assert low[0] == 0 and 0.02 < high[0] < 0.06 and high[1] == 1 and 0.94 < low[1] < 0.98


def test_independent_tries_have_nearly_wilsons_interval():
    from statsmodels.stats.proportion import proportion_confint

    hits = np.array([1] * 300 + [0] * 700)
    found = mobility.share_interval(hits, np.ones(1000))
    assert found == pytest.approx((0.3, *proportion_confint(300, 1000, method="wilson")), abs=1e-4)


# --- counting in parts ----------------------------------------------------------------------------


def shuffled(seed, sessions=40, hands=6, n=3):
    """Sessions of ranks drawn anew every hand."""
    random = np.random.default_rng(seed)
    return random.permuted(np.tile(np.arange(1, n + 1), (sessions, hands, 1)), axis=2)


def test_parts_in_any_order_give_the_same(monkeypatch):
    monkeypatch.setattr(mobility, "MAX_BLOCKS", 9)
    orders = shuffled(1)
    whole = ranks_of(orders, ["a", "b", "b"])
    assert len(whole.blocks) == 8  # of 5 sessions
    parts = []
    for first, last in ((22, 40), (0, 3), (3, 22)):
        part = Ranks(["a", "b", "b"], 5, 40)
        part.add(sessions_of(orders[first:last], first))
        parts.append(part)
    for part in parts[1:]:
        parts[0].merge(part)
    assert parts[0].sessions == 40
    assert parts[0].counts("b").tolist() == whole.counts("b").tolist()
    assert parts[0].firsts.tolist() == whole.firsts.tolist()
    assert parts[0].flow.tolist() == whole.flow.tolist()
    assert mobility.estimates(parts[0], 3) == mobility.estimates(whole, 3)


def test_tables_hold_together():
    ranks = ranks_of(shuffled(2), ["a", "b", "b"])
    shares = mobility.transitions(ranks)
    assert len(shares) == 27 and (shares.low <= shares.value).all()
    assert (shares.value <= shares.high).all()
    assert shares.groupby(["strategy", "before"]).value.sum().to_numpy() == pytest.approx(1)
    whole = shares[shares.strategy == "all"]
    # Every rank is left and entered once a hand.
    assert whole.groupby("after").value.sum().to_numpy() == pytest.approx(1)
    found = {e.name: e for e in mobility.estimates(ranks, 1)}
    assert all(e.low <= e.value <= e.high for e in found.values())
    assert found["stationary[2]"].value == pytest.approx(1 / 3)
    assert found["mean_rank_difference"].value == pytest.approx(
        found["mean_rank[a]"].value - found["mean_rank[b]"].value
    )
    climb = mobility.climb(ranks, 1)
    steps = climb.groupby("strategy")[["value", "observed"]].diff()
    assert steps.isna().sum().tolist() == [3, 3] and (steps.dropna() >= 0).all(axis=None)
    flow = mobility.flows(ranks)
    assert flow.groupby(["strategy", "start", "hands"]).share.sum().to_numpy() == pytest.approx(1)


def test_what_the_steps_do_not_show_is_left_out():
    orders = np.tile(np.array([1, 2, 3]), (10, 4, 1))  # nobody ever moves
    found = {e.name: e for e in mobility.estimates(ranks_of(orders), 1)}
    assert "hands_to_king" not in found and "stationary[1]" not in found
    assert found["stay[3]"].value == 1 and found["stay[3]"].low < 1
    assert found["rank_correlation"].value == pytest.approx(1)


# --- coverage -------------------------------------------------------------------------------------


def chain_of_orders(random, sessions, hands, stay):
    """Players who all keep their ranks with a chance of `stay`, and else draw an order at random.

    Of n players the transition matrix is then ``stay I + (1 - stay) / n``.
    """
    orders = np.array(list(itertools.permutations((1, 2, 3))))
    drawn = orders[random.integers(len(orders), size=(sessions, hands))]
    keeps = random.random((sessions, hands)) < stay
    for hand in range(1, hands):
        keep = keeps[:, hand]
        drawn[keep, hand] = drawn[keep, hand - 1]
    return drawn


def covered(intervals, truth):
    """In how many of some intervals the truth lies."""
    low, high = np.moveaxis(np.array(intervals), -1, 0)
    return ((low <= truth) & (truth <= high)).mean(axis=0)


def test_the_intervals_cover_and_those_of_single_hands_do_not(monkeypatch):
    """A known chain with dependence: every rank is kept for ten hands on end, on average.

    The mean rank of one player over a session is then far more uncertain than so many independent
    hands would leave it.
    """
    monkeypatch.setattr(mobility, "RESAMPLES", 400)  # enough to test by, and quicker
    stay, runs, hands, sessions = 0.9, 200, 30, 60
    random = np.random.default_rng(5)
    matrix = stay * np.eye(3) + (1 - stay) / 3
    truth = {
        "second_eigenvalue": stay,
        "shorrocks_index": 1 - stay,
        "hands_to_king": float(mobility.hands_to_first(matrix)),
        "rank_correlation": stay,
        "stay[3]": matrix[2, 2],
        "mean_rank[a]": 2.0,
        "mean_rank_difference": 0.0,
    }
    ours, naive = {name: [] for name in truth}, []
    for run in range(runs):
        orders = chain_of_orders(random, sessions, hands + 1, stay)
        found = {e.name: e for e in mobility.estimates(ranks_of(orders, ["a", "b", "b"]), run)}
        for name in truth:
            ours[name].append((found[name].low, found[name].high))
        values = orders[:, 1:, 0].ravel()
        half = t_quantile(len(values)) * values.std(ddof=1) / math.sqrt(len(values))
        naive.append((values.mean() - half, values.mean() + half))
    error = 4 * math.sqrt(0.05 * 0.95 / runs)
    for name, value in truth.items():
        share = covered(ours[name], value)
        assert abs(share - 0.95) < error, f"{name}: {share}"
    assert covered(naive, 2.0) < 0.6


def test_the_interval_reaches_an_eigenvalue_of_none():
    """Ranks drawn anew every hand: the eigenvalue is 0, every estimate of it lies above."""
    found = []
    for run in range(40):
        by_name = {e.name: e for e in mobility.estimates(ranks_of(shuffled(run)), run)}
        e = by_name["second_eigenvalue"]
        assert e.value > 0
        found.append((e.low, e.high))
    assert covered(found, 0.0) > 0.85
