"""Counting and intervals: golden values by hand, and merging in any order."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from analysis.estimates import elo, estimate, estimates_of, pairing_gain, wilson
from analysis.measures import advantage_measures, match_measures, points
from analysis.tally import Measure, Tally, moments
from sim.game import load_game

RULES = load_game("fart").Rules()


def results(winners, seatings=None, hands=1, unfinished=None, n_seats=2):
    """A table of results with what the shared measures need."""
    winners = np.array(winners)
    single = (winners > 0) & (winners & (winners - 1) == 0)
    table = pd.DataFrame(
        {
            "winners": winners,
            "winner": np.where(single, np.log2(np.maximum(winners, 1)).astype(int), -1),
            "unfinished": np.zeros(len(winners), int) if unfinished is None else unfinished,
            "seating": np.zeros(len(winners), int) if seatings is None else seatings,
        }
    )
    for name in ("turns", "moves", "decisions"):
        table[name] = np.arange(len(winners)) + 1
    for seat in range(n_seats):
        table[f"score[{seat}]"] = seat
    return table


def test_wilson_against_a_published_example():
    """81 of 263: .2553 to .3662 (Newcombe, Statistics in Medicine 17, 1998, table I)."""
    low, high = wilson(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert wilson(0, 20)[0] == 0 and round(wilson(0, 20)[1], 4) == 0.1611


def test_first_player_advantage_by_hand():
    """Two wins, a loss, a draw: scores 1 1 0 1/2, mean 5/8, s = .4787, t(3) = 3.1824."""
    tally = Tally(advantage_measures("fart", 2, RULES), 1, 4)
    tally.add(results([1, 1, 2, 3]))
    found = estimate(tally, "first_player_advantage")
    assert found.value == pytest.approx(0.125)
    assert found.high - found.value == pytest.approx(3.1824 * 0.47871 / 2, rel=1e-4)
    assert estimate(tally, "draw_share").value == 0.25
    assert estimate(tally, "turns_per_game").value == 2.5
    assert (found.n, found.units) == (4, 4)


def test_a_cut_game_counts_as_a_draw_and_is_shown():
    tally = Tally(advantage_measures("fart", 2, RULES), 1, 2)
    tally.add(results([0, 1], unfinished=[1, 0]))
    assert estimate(tally, "first_player_advantage").value == pytest.approx(0.25)
    assert estimate(tally, "unfinished_share").value == 0.5
    assert estimate(tally, "draw_share").value == 0
    assert tally.total("unfinished_share") == 1


def test_points_share_a_win():
    table = results([1, 6, 0, 7], n_seats=3)
    assert points(table, 3).tolist() == [[6, 0, 0], [0, 3, 3], [2, 2, 2], [2, 2, 2]]


def test_a_match_is_counted_by_deal():
    """Two deals: A wins from both seats; then A wins and loses. Deal means 1 and 1/2."""
    seatings = [[0, 1], [1, 0]]
    tally = Tally(match_measures("fart", seatings, RULES), 2, 2)
    tally.add(results([1, 2, 1, 1], seatings=[0, 1, 0, 1]))
    found = estimates_of(tally, seatings)
    assert found[0].value == 0.75 and (found[0].n, found[0].units) == (4, 2)
    # t(1) = 12.706, s = .35355, over the root of 2
    assert found[0].high - 0.75 == pytest.approx(12.7062 * 0.25, rel=1e-4)
    assert found[1].name == "elo_difference"
    assert found[1].value == pytest.approx(400 * math.log10(3))
    assert tally.joint == Counter({(2, 2): 1, (2, 0): 1})


def test_a_match_of_three_counts_each_seat_of_a():
    seatings = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    tally = Tally(match_measures("fart", seatings, RULES), 3, 1)
    tally.add(results([1, 2, 1], seatings=[0, 1, 2], n_seats=3))
    found = {e.name: e for e in estimates_of(tally, seatings)}
    assert found["score[A]"].value == pytest.approx(2 / 3)
    assert found["count[A]"].value == pytest.approx(1)  # seat i's score is i
    assert found["count[B]"].value == pytest.approx(1)
    assert found["elo_difference"].value == pytest.approx(400 * math.log10(4))


def test_elo():
    assert elo(0.5) == 0 and elo(0.75) == pytest.approx(190.8485)
    assert elo(1.0) == math.inf and elo(0.0) == -math.inf
    assert elo(1 / 6, 1, 5) == pytest.approx(0, abs=1e-9) and elo(1 / 6, 3, 3) == pytest.approx(0)


def test_pairing_gain_by_hand():
    """Scores of pairs (1, 0), (0, 1), (1, 1), (0, 0): no correlation, no gain."""
    seatings = [[0, 1], [1, 0]]
    tally = Tally(match_measures("fart", seatings, RULES), 2, 4)
    tally.add(results([1, 1, 2, 2, 1, 2, 2, 1], seatings=[0, 1] * 4))
    gain = pairing_gain(tally)
    assert gain["correlation"] == pytest.approx(0) and gain["gain"] == pytest.approx(1)
    tally = Tally(match_measures("fart", seatings, RULES), 2, 3)
    tally.add(results([1, 1, 2, 2, 1, 2], seatings=[0, 1] * 3))
    gain = pairing_gain(tally)  # (1, 0), (0, 1), (1, 1): variances 1/3, covariance -1/6
    assert gain["correlation"] == pytest.approx(-0.5) and gain["gain"] == pytest.approx(2)


def test_tallies_merge_to_the_same_in_any_order():
    rng = np.random.default_rng(3)
    table = results(rng.integers(0, 4, 600), seatings=[0, 1] * 300)
    measures = match_measures("fart", [[0, 1], [1, 0]], RULES)
    whole = Tally(measures, 2, 300)
    whole.add(table)
    parts = []
    for first, last in ((400, 600), (0, 100), (100, 400)):
        part = Tally(measures, 2, 300)
        part.add(table[first:last], first=first // 2)
        parts.append(part)
    merged = Tally(measures, 2, 300)
    for part in parts:
        merged.merge(part)
    assert merged.counts == whole.counts and merged.joint == whole.joint
    assert merged.seating_counts == whole.seating_counts and merged.deals == whole.deals
    assert {k: list(v) for k, v in merged.blocks.items()} == {
        k: list(v) for k, v in whole.blocks.items()
    }


def test_sessions_are_counted_as_one_unit():
    """Two sessions of two hands, each alike within: the interval must be that of two units."""
    share = Measure("s", "a share", lambda t: t["winner"] == 0, share=True)
    tally = Tally([share], 1, 2, hands=2)
    tally.add(results([1, 1, 2, 2]))
    found = estimate(tally, "s")
    assert (found.n, found.units, found.value) == (2, 2, 0.5)
    assert (found.low, found.high) == (0, 1)


def test_moments_are_exact_for_large_numbers():
    big = 10**12
    assert moments(Counter({big: 1, big + 1: 1, big + 2: 1})) == (3, big + 1, 1.0)


def test_intervals_cover_what_they_should():
    """2,000 runs of 60 pairs of correlated games; 95 % of intervals hold the true score."""
    rng = np.random.default_rng(11)
    seatings = [[0, 1], [1, 0]]
    measures = match_measures("fart", seatings, RULES)[:1]
    held = 0
    for _ in range(2000):
        luck = rng.random(60)
        first = np.where(luck < 0.6, 1, 2)  # A wins from seat 0
        second = np.where((luck + 0.3 * rng.random(60)) % 1 < 0.6, 2, 1)  # and from seat 1
        tally = Tally(measures, 2, 60)
        tally.add(results(np.stack([first, second], 1).ravel(), seatings=[0, 1] * 60))
        found = estimate(tally, "score[A]")
        held += found.low <= 0.6 <= found.high
    assert 0.93 < held / 2000 < 0.97


def test_two_games_alike_are_no_proof():
    """Wilson's interval of 2 of 2 is .3424 to 1; less one half, -.1576 to .5."""
    tally = Tally(advantage_measures("fart", 2, RULES), 1, 2)
    tally.add(results([1, 1]))
    found = estimate(tally, "first_player_advantage")
    assert (round(found.low, 4), found.value, found.high) == (-0.1576, 0.5, 0.5)
    seatings = [[0, 1], [1, 0]]
    tally = Tally(match_measures("fart", seatings, RULES), 2, 2)
    tally.add(results([1, 2, 1, 2], seatings=[0, 1, 0, 1]))
    found = {e.name: e for e in estimates_of(tally, seatings)}
    assert round(found["score[A]"].low, 4) == 0.3424 and found["score[A]"].high == 1
    assert found["draw_share"].low == 0 and round(found["draw_share"].high, 4) == 0.6576
