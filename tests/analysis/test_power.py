"""Planned numbers of deals by simulation: the power they reach, and the interval's coverage."""

import math

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.power import TTestPower

from analysis.power import deals_for, need_of, power_of
from analysis.tally import Measure, Tally
from tests.reports.test_cli import evendeal, ok

SHARES = {0: 0.08, 1: 0.14, 2: 0.5, 3: 0.16, 4: 0.12}  # of pairs of games, in half points
GAMES = {0: (0, 0), 1: (0, 1), 2: (1, 1), 3: (1, 2), 4: (2, 2)}


def tallied(values, per_deal):
    tally = Tally([Measure("score", "", lambda table: table["x"], 2)], per_deal, len(values))
    tally.add(pd.DataFrame({"x": np.ravel(values)}))
    return tally


def pairs(rng, n):
    sums = rng.choice(list(SHARES), n, p=list(SHARES.values()))
    return np.array([GAMES[x] for x in sums.tolist()])


def test_the_number_of_deals_is_that_of_statsmodels():
    for spread, detect, alpha, power in [(0.5, 0.1, 0.05, 0.8), (0.3, 0.2, 0.01, 0.9)]:
        exact = TTestPower().solve_power(detect / spread, alpha=alpha, power=power)
        assert deals_for(spread, detect, alpha, power) == pytest.approx(exact, abs=1.01)
        n = deals_for(spread, detect, alpha, power)
        assert power_of(spread, detect, alpha, n) == pytest.approx(power, abs=0.01)


@pytest.mark.parametrize("power", [0.8, 0.95])
def test_the_planned_number_of_pairs_reaches_the_power_and_keeps_the_risk(power):
    detect, alpha, runs, rng = 0.03, 0.05, 8_000, np.random.default_rng(5)
    need = need_of(tallied(pairs(rng, 40_000), 2), detect, alpha, power)
    values, shares = np.array(list(SHARES)) / 4, np.array(list(SHARES.values()))
    mean = values @ shares
    counts = rng.multinomial(need.deals, shares, size=runs)
    average = counts @ values / need.deals
    variance = (counts @ values**2 / need.deals - average**2) / (need.deals - 1)
    for even, wanted in ((mean, alpha), (mean - detect, power)):
        found = (np.abs(average - even) > 1.96 * np.sqrt(variance)).mean()
        assert found == pytest.approx(wanted, abs=0.015)


def test_the_interval_of_the_number_covers_for_pairs_that_are_far_from_normal():
    rng, shares = np.random.default_rng(8), np.array(list(SHARES.values()))
    values = np.array(list(SHARES)) / 4
    spread = math.sqrt(values**2 @ shares - (values @ shares) ** 2)
    truth = deals_for(spread, 0.01, 0.05, 0.8)
    held = 0
    for _ in range(400):
        need = need_of(tallied(pairs(rng, 800), 2), 0.01, 0.05, 0.8)
        held += need.low <= truth <= need.high
    assert 0.92 <= held / 400 <= 0.98


def test_a_pilot_without_spread_gives_no_number():
    assert need_of(tallied(np.ones((50, 2), int), 2), 0.01, 0.05, 0.8) is None


def test_plan_says_deals_games_and_time_for_one_strategy_and_for_two(tmp_path):
    for names, times in (("balanced", 1), ("balanced,random", 2)):
        words = ["--strategies", names, "--detect", "0.02", "--games", "2000", "--out"]
        report = ok("plan", "fart", *words, str(tmp_path / str(times)))
        found = {e["name"]: e for e in report["estimates"]}
        assert report["games"] == 2000 and report["games_per_deal"] == times
        deals = found["deals_needed"]
        spread = found["spread_of_a_deal"]["value"]
        assert deals["value"] == deals_for(spread, 0.02, 0.05, 0.8)
        assert deals["low"] < deals["value"] < deals["high"]
        games = found["games_needed"]["value"]
        assert games == times * deals["value"]
        assert f"--games {games:.0f} --seed 2" in report["next_command"]
        assert (tmp_path / str(times) / "power.svg").exists()


@pytest.mark.parametrize(
    "words, said",
    [
        (["--detect", "0.6"], "below 1/2, not 0.6"),
        (["--detect", "0.01", "--power", "1"], "below 1, not 1"),
        (["--detect", "0.01", "--alpha", "0"], "above 0 and below 0.5"),
        (["--detect", "0.01", "--strategies", "random,random,random"], "one or two of them, not 3"),
    ],
)
def test_plan_refuses_what_makes_no_test(words, said):
    status, _, err = evendeal("plan", "phalanx", *words)
    assert status == 2 and said in err


def test_a_strategy_against_itself_leaves_nothing_to_plan():
    words = ["--strategies", "random,random", "--detect", "0.01", "--games", "200"]
    status, _, err = evendeal("plan", "phalanx", *words)
    assert status == 1 and "came out alike" in err


def test_what_a_folder_holds_does_not_depend_on_the_time(tmp_path):
    words = "plan fart --strategies balanced,dump --detect 0.01 --games 2000".split()
    kept = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        report = ok(*words, "--jobs", jobs, "--out", str(folder))
        assert report["seconds_needed"] > 0
        kept.append({p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()})
    assert kept[0] == kept[1] and "estimates.csv" in kept[0]
