"""The flow of play: by hand, and against games whose true chances are known."""

import numpy as np
import pytest
from scipy.stats import norm

from analysis import flow as f
from sim.errors import UsageError

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)


def race(rng, n, moves):
    """A game whose chances are known: n random walks, and who is highest at the end wins.

    The chance of each before every move, by Gauss-Hermite quadrature over its own way to go.
    """
    places = rng.standard_normal((moves + 1, n)).cumsum(axis=0)
    left = np.sqrt(moves - np.arange(moves))[:, None]
    chance = np.ones((moves, n))
    for p in range(n):
        ends = places[:moves, p, None] + left * NODES
        others = np.ones_like(ends)
        for q in set(range(n)) - {p}:
            others *= norm.cdf((ends - places[:moves, q, None]) / left)
        chance[:, p] = others @ WEIGHTS / WEIGHTS.sum()
    return chance / chance.sum(axis=1, keepdims=True), 1 << int(places[-1].argmax())


def played_out(rng, chance, trials):
    """Playouts of positions with these chances, as masks of winners."""
    drawn = rng.random((len(chance), trials, 1)) > chance.cumsum(axis=1)[:, None, :]
    return 1 << drawn.sum(axis=2).clip(max=chance.shape[1] - 1)


def known(n, games, moves, trials, seed=1):
    """A flow from playouts, and the same games with their true chances."""
    rng = np.random.default_rng(seed)
    noisy, true = [], []
    for _ in range(games):
        chance, winners = race(rng, n, moves)
        noisy.append(f.track_of(played_out(rng, chance, trials), winners, n))
        both = np.stack([chance, chance])
        true.append(f.Track(chance, both, 0 * chance, f.result_shares(winners, n)))
    return f.Flow(n, noisy), f.Flow(n, true)


@pytest.mark.parametrize("n", (2, 4))
def test_the_corrections_remove_the_bias_that_is_there_without_them(n):
    noisy, true = known(n, games=700, moves=40, trials=64)
    found, raw = f.flow_estimates(noisy)
    truth, _ = f.flow_estimates(true)
    for one, other in zip(found, truth):
        if one.name.startswith("calibration"):
            continue
        # The games are the same, so their own spread does not come between the two.
        if one.name.startswith(("lead", "drama")):
            assert abs(one.value - other.value) < 0.5 * abs(raw[one.name] - other.value), one.name
        else:
            assert one.value == pytest.approx(other.value, rel=0.03, abs=0.012), one.name
        if one.name in ("lead_changes", "lead_change_share"):
            assert raw[one.name] > 1.25 * other.value
        if one.name == "drama":
            assert raw[one.name] > 1.05 * other.value
    spread = np.mean([track.chance.var(axis=0).mean() for track in noisy.tracks])
    stability = {e.name: e.value for e in truth}["stability"]
    assert spread > stability * 1.05


def test_fewer_playouts_have_more_bias_and_the_correction_keeps_up():
    noisy, true = known(2, games=700, moves=40, trials=24)
    (found, raw), (truth, _) = f.flow_estimates(noisy), f.flow_estimates(true)
    by_name, expected = ({e.name: e.value for e in some} for some in (found, truth))
    assert raw["drama"] > 1.1 * expected["drama"]
    assert by_name["drama"] == pytest.approx(expected["drama"], rel=0.05)
    assert raw["lead_changes"] > 1.4 * expected["lead_changes"]
    assert by_name["lead_changes"] == pytest.approx(expected["lead_changes"], rel=0.2)


def test_intervals_cover():
    """Drama and what is decided by half-time: 95 % intervals of small samples, 60 times."""
    true = known(2, games=800, moves=20, trials=2, seed=9)[1]
    truth = {e.name: e.value for e in f.flow_estimates(true)[0]}
    hits = {"drama": 0, "decided[half]": 0, "calibration_slope": 0}
    truth["calibration_slope"] = 1.0
    for seed in range(60):
        found, _ = f.flow_estimates(known(2, games=60, moves=20, trials=16, seed=1000 + seed)[0])
        for e in found:
            if e.name in hits:
                hits[e.name] += e.low <= truth[e.name] <= e.high
    assert all(52 <= times for times in hits.values()), hits


def test_chances_that_are_what_they_say_lie_on_the_line():
    noisy, _ = known(2, games=400, moves=30, trials=32)
    table = f.reliability(noisy)
    assert len(table) == 10
    covered = (table["low"] <= table["chance"]) & (table["chance"] <= table["high"])
    assert covered.sum() >= 8
    one_half = np.concatenate([t.halves[0].ravel() for t in noisy.tracks])
    results = np.concatenate(
        [np.broadcast_to(t.result, t.chance.shape).ravel() for t in noisy.tracks]
    )
    lowest = one_half < 0.1  # classed and shown by the same playouts they would not
    assert results[lowest].mean() > 1.3 * one_half[lowest].mean()


def test_chances_that_say_too_much_are_found_out():
    """Chances twice as far from even as they should be: the slope is a half."""
    rng = np.random.default_rng(4)
    tracks = []
    for _ in range(1500):
        chance = np.full(8, rng.uniform(0.1, 0.9))
        wins = rng.random() < 0.5 + (chance[0] - 0.5) / 2
        shown = np.stack([chance, 1 - chance], axis=1)
        tracks.append(f.track_of(played_out(rng, shown, 16), 1 if wins else 2, 2))
    slope = next(e for e in f.flow_estimates(f.Flow(2, tracks))[0] if e.name == "calibration_slope")
    assert slope.low < 0.5 < slope.high < 0.8


# --- one game at a time, by hand ------------------------------------------------------------------


def test_lead_changes_by_hand():
    def two(*first):
        return np.array([(x, 1 - x) for x in first])

    assert f.lead_changes(two(0.6, 0.7, 0.4, 0.3, 0.8)) == 2
    assert f.lead_changes(two(0.6, 0.5, 0.6)) == 0  # drawn level, and back
    assert f.lead_changes(two(0.6, 0.5, 0.4)) == 1
    assert f.lead_changes(two(0.5, 0.5, 0.4, 0.5)) == 0  # the first lead is no change
    assert f.lead_changes(np.array([(0.2, 0.5, 0.3), (0.4, 0.3, 0.3), (0.3, 0.3, 0.4)])) == 2


def test_drama_and_the_decisive_moment_by_hand():
    chance = np.array([(0.5, 0.5), (0.3, 0.7), (0.6, 0.4), (0.9, 0.1)])
    assert f.drama(chance, 0) == pytest.approx(0.4 / 4)
    assert f.drama(chance, 1) == pytest.approx((0.2 + 0.8) / 4)
    assert f.decisive_moment(chance, 0) == 3 / 4
    assert f.decisive_moment(chance, 1) == 1.0  # never: the other once had 0.9


def test_leader_share_by_hand():
    chance = np.array([(0.2, 0.4, 0.4), (0.1, 0.8, 0.1)])
    result = np.array([0.0, 1.0, 0.0])
    assert f.leader_share(chance, result, 0.0) == 0.5 and f.leader_share(chance, result, 0.5) == 1


def test_what_playouts_say_of_a_game():
    looks = np.array([[1, 1, 2, 3], [4, 4, 4, 0]])
    track = f.track_of(looks, 4, 3)
    assert track.chance == pytest.approx(
        np.array([(2.5 / 4, 1.5 / 4, 0), (1 / 12, 1 / 12, 3 / 4 + 1 / 12)])
    )
    assert track.halves[0] == pytest.approx(np.array([(0.5, 0.5, 0), (0, 0, 1)]))
    assert track.noise[0] == pytest.approx(
        [np.var([1, 1, 0, 0.5], ddof=1) / 4, np.var([0, 0, 1, 0.5], ddof=1) / 4, 0]
    )
    assert track.winner == 2
    assert f.track_of(looks, 5, 3).winner == f.track_of(looks, 0, 3).winner == -1


def test_extrapolation_is_exact_for_a_bias_of_its_order():
    for order in (f.CUT_ORDER, f.LEAD_ORDER):
        full, halves = (7 + 3 / m**order for m in (64, 32))
        assert f.extrapolated(full, halves, order) == pytest.approx(7)


def test_jackknife_of_a_mean_is_students_t():
    from scipy import stats

    values = np.random.default_rng(5).normal(size=(40, 1))
    value, low, high = f.jackknife(values, lambda means: means[..., 0])
    assert value == pytest.approx(values.mean())
    expected = stats.t.interval(0.95, 39, values.mean(), stats.sem(values[:, 0]))
    assert (low, high) == pytest.approx(expected)


def test_what_the_deal_decides():
    """Three in four deals decide the game: of its variance 3/4 is gone before the first move."""
    rng = np.random.default_rng(6)
    tracks = []
    for _ in range(3000):
        first = rng.choice([0.0, 1.0, 0.5], p=[3 / 8, 3 / 8, 1 / 4])
        winners = 1 if rng.random() < first else 2
        chance = np.array([(first, 1 - first)])
        tracks.append(f.track_of(played_out(rng, chance, 16), winners, 2))
    found = {e.name: e for e in f.flow_estimates(f.Flow(2, tracks))[0]}
    assert found["decided_by_deal"].low < 0.75 < found["decided_by_deal"].high
    assert found["decided_by_deal"].high - found["decided_by_deal"].low < 0.05


def test_curves_end_where_the_game_does():
    noisy, true = known(3, games=150, moves=30, trials=32)
    curves, exact = f.drama_curves(noisy), f.drama_curves(true)
    assert set(curves["who"]) == {"leader", "winner"}
    assert (curves[curves["time"] == 1][["mean", "q10", "q50"]] == 1).all(axis=None)
    middle = curves["time"].between(0.1, 0.9)
    for column in ("mean", "q10", "q25", "q50", "q75", "q90"):
        assert (curves.loc[middle, column] - exact.loc[middle, column]).abs().max() < 0.12
        assert (curves.loc[middle, column] - exact.loc[middle, column]).abs().mean() < 0.03
    decided = f.decided_curve(noisy)
    assert (decided["low"] <= decided["value"]).all() and decided["value"].iloc[-1] == 1
    assert decided["value"].iloc[0] < 0.1 and decided["value"].iloc[10] > 0.2


def test_too_few_games_are_refused():
    tracks = [f.track_of(np.array([[1, 2]]), 1, 2)] * (f.LEAST_GAMES - 1)
    with pytest.raises(UsageError, match="at least 30 games"):
        f.Flow(2, tracks)
