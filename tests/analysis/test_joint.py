"""One test over all seats: by hand, against an independent computation, and its size."""

import pickle

import numpy as np
import pytest
from scipy import stats

from analysis.joint import SeatMoments
from sim.errors import RunError


def moments_of(values, parts=1):
    found = SeatMoments("chips", values.shape[1], lambda rows: rows)
    for part in np.array_split(values, parts):
        found.add(part)
    return found


def test_two_seats_are_students_t_test_squared():
    rng = np.random.default_rng(1)
    values = rng.integers(-3, 5, (40, 2))
    found = moments_of(values).test()
    t = stats.ttest_rel(values[:, 0], values[:, 1])
    assert found.statistic == pytest.approx(t.statistic**2)
    assert found.p == pytest.approx(t.pvalue) and found.df == (1, 39)


def test_four_seats_against_matrices():
    rng = np.random.default_rng(2)
    values = rng.integers(0, 9, (60, 4))
    apart = values[:, :3] - values[:, 1:]
    mean, spread = apart.mean(axis=0), np.cov(apart, rowvar=False)
    t2 = 60 * mean @ np.linalg.inv(spread) @ mean
    found = moments_of(values, parts=7).test()
    assert found.statistic == pytest.approx(t2)
    assert found.p == pytest.approx(stats.f.sf(t2 * 57 / (3 * 59), 3, 57))


def test_seats_alike_are_rejected_five_times_in_a_hundred():
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(1000):
        winner = rng.integers(0, 4, 400)
        rejected += moments_of(4 * (winner[:, None] == np.arange(4)) - 1).test().p < 0.05
    assert 0.03 < rejected / 1000 < 0.07


def test_a_seat_that_is_better_is_found():
    rng = np.random.default_rng(4)
    winner = rng.choice(4, 2000, p=[0.34, 0.22, 0.22, 0.22])
    assert moments_of((winner[:, None] == np.arange(4)).astype(int)).test().p < 1e-6


def test_nothing_to_test():
    assert moments_of(np.ones((50, 3), int)).test() is None
    assert moments_of(np.eye(3, dtype=int)).test() is None


def test_counts_too_large_for_64_bits_stay_exact():
    values = np.array([[3_000_000_000, 1], [2_999_999_999, 5], [3_000_000_001, 2], [7, 7]])
    found = moments_of(values)
    assert found.products[0, 0] == sum(int(x) ** 2 for x in values[:, 0])


def test_a_fault_keeps_its_details_on_the_way_between_processes():
    error = pickle.loads(pickle.dumps(RunError("lost", seed=4, game_number=7)))
    assert str(error) == "lost" and error.details == {"seed": 4, "game_number": 7}
