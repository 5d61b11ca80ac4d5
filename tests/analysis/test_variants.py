"""Grids of rules: the contrasts by hand, Holm's adjustment, and a sweep end to end."""

import json

import numpy as np
import pandas as pd
import pytest

from analysis import variants
from analysis.tally import Measure
from sim.errors import UsageError
from sim.game import load_game
from tests.reports.test_cli import evendeal, ok

PHALANX = load_game("phalanx")


def test_contrasts_of_a_two_by_three_grid_by_hand():
    varied = {"a": [0, 1], "b": [0, 1, 2]}
    number = np.arange(6).reshape(2, 3)
    main = variants.contrast(number, ["a", "b"], varied, {"a": (0, 1)})
    assert np.allclose(main * 3, [-1, -1, -1, 1, 1, 1])
    main = variants.contrast(number, ["a", "b"], varied, {"b": (0, 2)})
    assert np.allclose(main * 2, [-1, 0, 1, -1, 0, 1])
    both = variants.contrast(number, ["a", "b"], varied, {"a": (0, 1), "b": (0, 1)})
    assert np.allclose(both, [1, -1, 0, -1, 1, 0])


def test_changes_of_a_grid():
    varied = {"a": [0, 1], "b": [0, 1, 2]}
    assert variants.main_changes(varied) == [{"a": (0, 1)}, {"b": (0, 1)}, {"b": (0, 2)}]
    assert variants.interaction_changes(varied) == [
        {"a": (0, 1), "b": (0, 1)},
        {"a": (0, 1), "b": (0, 2)},
    ]


def test_intervals_leave_out_zero_exactly_where_holm_rejects():
    """Means at 0, 2.2, 2.5 and 6 standard errors: Holm rejects only the last at 5 %."""
    n = 400
    wave = np.tile([-1.0, 1.0], n // 2)
    error = wave.std(ddof=1) / np.sqrt(n)
    rows = [({"o": (0, k)}, wave + k * error) for k in (0, 2.2, 2.5, 6)]
    measure = Measure("m", "a number", lambda t: None)
    found = variants.adjusted(rows, measure, "s", n, 0.95)
    p = [e.p for e in found]
    # By hand: p(2.5) = .0128 > .05/3, so that 2.5 and 2.2 both stay.
    assert p[0] == 1 and 0.012 < p[2] < 0.0135 and 0.027 < p[1] < 0.029
    assert found[2].p_holm == pytest.approx(3 * p[2]) and found[1].p_holm == pytest.approx(2 * p[1])
    for effect in found:
        assert (effect.low > 0 or effect.high < 0) == (effect.p_holm < 0.05)


@pytest.mark.parametrize(
    "texts, given, hint",
    [
        ([], {}, "nothing to vary"),
        (["tie"], {}, "option=value"),
        (["tei=void,swap"], {}, "did you mean tie"),
        (["tie=void,swop"], {}, "did you mean swap"),
        (["tie=void"], {}, "at least two"),
        (["tie=void,void"], {}, "twice"),
        (["tie=void,swap", "tie=return,void"], {}, "twice"),
        (["tie=void,swap"], {"tie": "void"}, "both by --set and --vary"),
        (
            [
                "ante=1,2,3,4,5,6",
                "raise=1,2,3,4,5,6",
                "hand_size=2,3,4,5,6,7,8",
                "ace=1,4,10,match",
            ],
            {},
            "1,008 cells",
        ),
    ],
)
def test_bad_grids_are_refused(texts, given, hint):
    with pytest.raises(UsageError, match=hint):
        variants.parse_vary(PHALANX, texts, given)


def test_main_effects_follow_from_the_results_on_disk(tmp_path):
    words = "sweep phalanx --vary tie=return,void --vary ace=1,10 --strategy spread --games 600"
    report = ok(*words.split(), "--out", str(tmp_path / "o"))
    table = pd.read_parquet(tmp_path / "o" / "results.parquet")
    assert len(table) == 4 * 600 == report["games"] and len(report["rows"]) == 4
    first = np.where(table["winner"] < 0, 0.5, table["winner"] == table["leader"])
    mean = first.reshape(2, 2, 600).mean(axis=2)
    by_name = {e["name"]: e for e in report["effects"]}
    tie = by_name["first_player_advantage: tie return -> void"]
    assert tie["value"] == pytest.approx(mean[1].mean() - mean[0].mean())
    both = by_name["first_player_advantage: tie return -> void and ace 1 -> 10"]
    assert both["value"] == pytest.approx(mean[1, 1] - mean[0, 1] - mean[1, 0] + mean[0, 0])
    by_deal = first.reshape(2, 2, 600)
    difference = by_deal[1].mean(axis=0) - by_deal[0].mean(axis=0)
    at = pd.Series(difference).sem()
    assert (tie["high"] - tie["low"]) / 2 > 1.95 * at  # no narrower than unadjusted
    winners = table["winners"].to_numpy().reshape(2, 2, 600)
    turned = by_name["turned_share: tie return -> void"]
    assert turned["value"] == pytest.approx((winners[0] != winners[1]).mean())
    row = report["rows"][3]
    assert row["set"] == {"tie": "void", "ace": "10"}
    estimates = {e["name"]: e for e in row["estimates"]}
    assert estimates["first_player_advantage"]["value"] == pytest.approx(mean[1, 1] - 0.5)
    page = (tmp_path / "o" / "report.html").read_text()
    assert page.count("<svg") >= 4 and "what do tie and ace do?" in page


def test_sweep_serves_fart_on_any_number_of_workers():
    words = "sweep fart --vary refill=4,5 --strategy dump,random --games 800".split()
    one, two = ok(*words, "--jobs", "1"), ok(*words, "--jobs", "2")
    for report in (one, two):
        del report["elapsed_s"], report["games_per_s"]
    assert one == two and [row["strategy"] for row in one["rows"]] == ["dump"] * 2 + ["random"] * 2
    assert {e["strategy"] for e in one["effects"]} == {"dump", "random"}


def test_a_change_that_turns_nothing_has_no_effect():
    """Raises change nothing where nobody plays for stakes."""
    report = ok(*"sweep phalanx --vary max_raises=1,2 --strategy spread --games 200".split())
    effect = next(e for e in report["effects"] if e["kind"] == "turned")
    assert effect["value"] == effect["low"] == effect["high"] == 0
    assert report["effects"][0]["p_holm"] == 1


def test_the_refusals_reach_the_command_line():
    status, out, _ = evendeal("sweep", "fart", "--vary", "refill=4,99", "--json")
    assert status == 2 and "refill" in json.loads(out)["error"]
