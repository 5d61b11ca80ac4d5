"""``evendeal mobility`` as a user meets it."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.reports.test_cli import evendeal, ok, without_times

SMALL = ("mobility", "--games", "40", "--set", "hands=6", "--set", "min_cards=8")


def steps_of(table, n, seats):
    """How often each rank followed each after the first hand, from a table of results."""
    table = table[table["hand"] > 0]
    counts = np.zeros((n, n), int)
    for seat in seats:
        np.add.at(counts, (table[f"rank_before[{seat}]"] - 1, table[f"score[{seat}]"] - 1), 1)
    return counts


def test_players_alike(tmp_path):
    words = (*SMALL, "--strategies", "lowest_first", "--players", "4", "--seed", "3")
    report = ok(*words, "--out", str(tmp_path / "page"), "--jobs", "1")
    for key in "command game rules players strategies seed games unfinished".split():
        assert key in report
    assert report["strategies"] == ["lowest_first"] * 4 and report["unfinished"] == 0
    found = {e["name"]: e for e in report["estimates"]}
    for name in "second_eigenvalue shorrocks_index hands_to_king rank_correlation".split():
        assert found[name]["low"] < found[name]["value"] < found[name]["high"]
    for e in found.values():
        assert e["low"] <= e["value"] <= e["high"] and e["n"] == 40 and e["level"] == 0.95
    assert [found[f"stationary[{rank}]"]["value"] for rank in range(1, 5)] == pytest.approx(
        [1 / 4] * 4
    )
    table = pd.read_parquet(tmp_path / "page" / "results.parquet")
    counts = steps_of(table, 4, range(4))
    transition = report["transition"]
    assert transition["steps"] == counts.tolist()
    value = np.array(transition["value"])
    assert value == pytest.approx(counts / counts.sum(axis=1, keepdims=True))
    assert (np.array(transition["low"]) <= value).all()
    assert (value <= np.array(transition["high"])).all()
    assert found["stay[4]"]["value"] == value[3, 3]
    assert found["shorrocks_index"]["value"] == pytest.approx((4 - np.trace(value)) / 3)
    assert "transition_by_strategy" not in report
    files = {path.name for path in (tmp_path / "page").iterdir()}
    assert {"report.html", "transition.png", "climb.svg", "flow.png"} <= files
    page = (tmp_path / "page" / "report.html").read_text()
    assert "how much does rank alone hold you down?" in page
    assert "evendeal mobility --strategies lowest_first --players 4 --games 40" in page
    assert without_times(ok(*words, "--jobs", "2")) == without_times(report)


def test_a_mixed_table(tmp_path):
    words = (*SMALL, "--strategies", "random,climber", "--players", "4")
    report = ok(*words, "--out", str(tmp_path / "page"))
    assert report["strategies"] == ["random", "climber"] * 2
    table = pd.read_parquet(tmp_path / "page" / "results.parquet")
    by_strategy = report["transition_by_strategy"]
    assert by_strategy["climber"]["steps"] == steps_of(table, 4, (1, 3)).tolist()
    found = {e["name"]: e for e in report["estimates"]}
    mean = table.loc[table["hand"] > 0, ["score[1]", "score[3]"]].to_numpy().mean()
    assert found["mean_rank[climber]"]["value"] == pytest.approx(mean)
    assert found["mean_rank_difference"]["low"] > 0  # of random less climber
    assert (tmp_path / "page" / "mean_rank.png").exists()
    status, text, _ = evendeal(*words)
    assert status == 0 and "Skill gets through" in text


def test_a_table_with_churn_has_no_climb_to_observe(tmp_path):
    words = (*SMALL, "--strategies", "random", "--set", "churn=50", "--players", "3")
    ok(*words, "--out", str(tmp_path / "page"))
    files = {path.name for path in (tmp_path / "page").iterdir()}
    assert "climb.png" in files and "flow.png" not in files


@pytest.mark.parametrize(
    "words, hint",
    [
        (("--strategies", "climber,random,lowest_first,go_out"), "out even"),
        (("--strategies", "climbr"), "did you mean climber"),
        (("--set", "script=-0@1 +0@2"), "script"),
        (("--games", "1"), "at least 2 sessions"),
        (("--players", "21"), "2 to 20"),
    ],
)
def test_bad_requests(words, hint):
    status, out, _ = evendeal("mobility", *words, "--json")
    assert status == 2 and hint in json.loads(out)["error"]


def test_a_climb_that_everybody_makes_can_be_drawn(tmp_path):
    """With so weak a partner all climb in time: shares of exactly one, and their intervals."""
    words = ("mobility", "--games", "60", "--set", "hands=30", "--players", "3")
    ok(*words, "--strategies", "random", "--out", str(tmp_path / "page"))
    assert (tmp_path / "page" / "climb.png").exists()
