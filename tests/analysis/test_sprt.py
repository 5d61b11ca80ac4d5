"""The sequential test by simulation: its risks, its length, and the estimate after stopping."""

import json
import math

import numpy as np
import pytest

from analysis.estimates import elo
from analysis.sprt import Sprt, corrected, log_likelihood_ratio, next_batch, score_of, tilted
from tests.reports.test_cli import evendeal, ok, without_times

VALUES = np.array([0, 0.25, 0.5, 0.75, 1])
SHARES = np.array([0.08, 0.14, 0.5, 0.16, 0.12])  # of pairs that draw and depend on each other
TWO = [[0, 1], [1, 0]]


def with_mean(mean):
    return tilted(VALUES, SHARES, mean)


def simulate(test, mean, rng, most=100_000):
    """One run: deals, mean score, decision."""
    shares, counts = with_mean(mean), np.zeros(5)
    while counts.sum() < most:
        counts += rng.multinomial(next_batch(int(counts.sum())), shares)
        ratio = log_likelihood_ratio(VALUES, counts, test.score0, test.score1)
        if not test.lower < ratio < test.upper:
            break
    n = counts.sum()
    average = (counts * VALUES).sum() / n
    spread = math.sqrt((counts * (VALUES - average) ** 2).sum() / n)
    return int(n), average, spread, ratio


@pytest.mark.parametrize("own, other", [(1, 1), (1, 3), (3, 3)])
def test_scores_and_elo_differences_undo_each_other(own, other):
    for difference in (-150, 0, 3, 400):
        score = score_of(difference, own, other)
        assert elo(score, own, other) == pytest.approx(difference)
    assert score_of(0, own, other) == pytest.approx(1 / (own + other))


def test_tilted_shares_have_the_mean_and_are_the_most_likely():
    tilt = with_mean(0.6)
    assert tilt.sum() == pytest.approx(1) and (tilt * VALUES).sum() == pytest.approx(0.6)
    rng = np.random.default_rng(3)
    for _ in range(200):  # other shares with this mean explain the observed ones less well
        step = rng.normal(size=5)
        for away in (np.ones(5), VALUES):
            basis = away - (away.mean() if away is VALUES else 0)
            step -= basis * (step @ basis) / (basis @ basis)
        other = tilt + 0.01 * step
        assert (SHARES * np.log(other)).sum() <= (SHARES * np.log(tilt)).sum() + 1e-12


def test_for_two_values_it_is_the_binomial_ratio():
    wins, losses, s0, s1 = 130, 100, 0.5, 0.6
    exact = wins * math.log(s1 / s0) + losses * math.log((1 - s1) / (1 - s0))
    assert log_likelihood_ratio([0, 1], [losses, wins], s0, s1) == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_risks_are_kept_and_lengths_are_walds(truth):
    test = Sprt(0, 10, 0.05, 0.05, TWO)
    mean = test.score0 if truth == "H0" else test.score1
    rng, runs = np.random.default_rng(11), 600
    wrong, lengths = 0, []
    for _ in range(runs):
        n, _, _, ratio = simulate(test, mean, rng)
        wrong += (ratio >= test.upper) != (truth == "H1")
        lengths.append(n)
    assert 0.01 * runs < wrong <= (0.05 + 2.5 * math.sqrt(0.05 * 0.95 / runs)) * runs
    shares = with_mean(mean)
    variance = (shares * (VALUES - mean) ** 2).sum()
    drift = (test.score1 - test.score0) ** 2 / (2 * variance)
    # Looks every 100 deals overshoot the bounds by 0.583 standard deviations of a step (Siegmund,
    # Sequential Analysis, 1985), which also makes errors rarer.
    bound = test.upper + 0.583 * math.sqrt(2 * drift * 100)
    risk = 1 / (1 + math.exp(bound))
    expected = (1 - 2 * risk) * bound / drift
    error = 3 * np.std(lengths) / math.sqrt(runs)
    assert abs(np.mean(lengths) - expected) < error + 0.02 * expected


def test_the_estimate_after_stopping_is_corrected():
    test = Sprt(0, 20, 0.05, 0.05, TWO)
    truth, runs = test.score1, 200
    rng = np.random.default_rng(12)
    plain, above, held = [], 0, 0
    for _ in range(runs):
        n, average, spread, _ = simulate(test, truth, rng)
        value, low, high = corrected(test, average, spread, n)
        plain.append(average)
        above += value > truth
        held += low <= truth <= high
    assert np.mean(plain) - truth > 3 * np.std(plain) / math.sqrt(runs)  # what is corrected
    assert abs(above / runs - 0.5) < 2.5 * math.sqrt(0.25 / runs)
    assert held / runs > 0.95 - 2.5 * math.sqrt(0.95 * 0.05 / runs)


def test_a_match_is_decided_at_the_same_game_on_any_number_of_workers():
    words = "match fart balanced dump --sprt 60,100".split()
    one, two = ok(*words, "--jobs", "1"), ok(*words, "--jobs", "2")
    assert without_times(one) == without_times(two)
    assert one["decision"] in ("H0", "H1") and one["deals"] == one["sprt"]["deals"]
    assert not one["sprt"]["lower"] < one["sprt"]["llr"] < one["sprt"]["upper"]
    main, rating = one["estimates"][:2]
    assert main["low"] < main["value"] < main["high"] and "median-unbiased" in main["definition"]
    assert rating["value"] == pytest.approx(elo(main["value"]))


def test_decisions_follow_the_strength():
    strong = ok(*"match fart balanced random --sprt 0,10".split())
    weak = ok(*"match fart random balanced --sprt 0,10".split())
    assert (strong["decision"], weak["decision"]) == ("H1", "H0")
    many = ok(*"match fan_tan planner random --players 4 --sprt 0,40".split())
    assert many["decision"] == "H1"


def test_a_cap_leaves_it_undecided_and_the_page_says_so(tmp_path):
    folder = tmp_path / "page"
    words = "match fart balanced dump --sprt 79,81 --games 2000".split()
    report = ok(*words, "--out", str(folder))
    assert report["decision"] == "undecided" and report["games"] == 2000
    page = (folder / "report.html").read_text()
    assert "undecided" in page and (folder / "sprt.svg").exists()


def test_equivalence():
    wide = ok(*"match fart balanced dump --equivalent 0.2".split())
    near = ok(*"match fart balanced dump --equivalent 0.05".split())
    assert (wide["decision"], near["decision"]) == ("equivalent", "different")
    for report in (wide, near):
        main, test = report["estimates"][0], report["equivalence"]
        assert main["low"] == pytest.approx(min(test["low"], main["value"]))


@pytest.mark.parametrize(
    "words, hint",
    [
        ("--sprt 5", "two Elo differences"),
        ("--sprt 10,5", "the smaller"),
        ("--sprt 5,nan", "the smaller"),
        ("--sprt 0,9999", "-2000 to 2000"),
        ("--sprt 0,5 --alpha 0.7", "--alpha"),
        ("--alpha 0.1", "need --sprt"),
        ("--sprt 0,5 --precision 0.1", "give one of them"),
        ("--equivalent 0.6", "--equivalent"),
    ],
)
def test_tests_that_make_no_sense(words, hint):
    status, out, _ = evendeal("match", "fart", "random", "dump", *words.split(), "--json")
    assert status == 2 and hint in json.loads(out)["error"]
