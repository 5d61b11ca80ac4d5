"""What a wrong pass is worth: by hand, against honesty, and the fine that stops it."""

import numpy as np
import pandas as pd
import pytest

from analysis.fines import fine_bracket, fine_sweep, lying_worth
from sim.errors import UsageError
from sim.jit import PLAIN
from strategies import load
from tests.analysis.test_chips import by_name, table_of

HONEST = "liar(patience=0)"


def test_lying_worth_by_hand():
    # Two deals, each from both seats; strategy 0 wins 4, loses 1; wins 2, loses 1.
    scores = [[4, -4], [1, -1], [2, -2], [1, -1]]
    table = table_of(
        scores,
        [0, 0, 0, 0],
        deals=[0, 0, 1, 1],
        seating=np.array([0, 1, 0, 1]),
        wrong_passes=[[2, 0], [0, 1], [1, 0], [0, 0]],
    )
    found = by_name(lying_worth(table, [(0, 1), (1, 0)]))
    assert found["chips_gained"].value == (1.5 + 0.5) / 2
    assert found["win_share_gained"].value == 0
    assert found["wrong_passes"].value == 1
    assert found["chips_gained_each"].value == 1
    # Deals: (1.5 chips, 1.5 passes), (0.5, 0.5): the ratio is the same in both.
    assert found["chips_gained_each"].low == found["chips_gained_each"].high == 1
    with pytest.raises(UsageError, match="equally often"):
        lying_worth(table, [(0, 1), (0, 1)])


def test_honesty_gains_exactly_nothing():
    honest = load("fan_tan", HONEST)
    found = fine_sweep(lambda fine: [honest], honest, 3, [3], deals=3 if PLAIN else 50)
    assert found["name"].tolist() == ["chips_gained", "win_share_gained", "wrong_passes"]
    assert found[["value", "low", "high"]].abs().max().max() < 1e-12


@pytest.mark.skipif(PLAIN, reason="needs many games")
def test_lying_pays_at_the_rules_fine_of_four_players_and_not_at_a_high_one():
    sweep = fine_sweep(
        lambda fine: [load("fan_tan", "liar"), load("fan_tan", "liar(worth=4)")],
        load("fan_tan", HONEST),
        4,
        [3, 40],
        deals=600,
    )
    gains = sweep[sweep.name == "chips_gained"].set_index(["fine", "liar"])
    assert gains.loc[(3, "liar"), "low"] > 0
    # At 40 chips `liar` does not lie at all.
    assert gains.loc[(40, "liar"), "value"] == pytest.approx(0, abs=1e-12)
    assert fine_bracket(sweep) == (3, 40)


def test_a_sweep_over_another_option_is_refused():
    with pytest.raises(UsageError, match="wrong_pass_fine or seven_fine"):
        fine_sweep(lambda fine: [], load("fan_tan", HONEST), 3, [1], option="ante")


def test_brackets_by_hand():
    def sweep(lows):
        return pd.DataFrame([(*key, "chips_gained", low) for key, low in lows.items()]).set_axis(
            ["fine", "liar", "name", "low"], axis=1
        )

    assert fine_bracket(sweep({(1, "a"): 2, (3, "a"): -1, (3, "b"): 1, (5, "a"): -1})) == (3, 5)
    assert fine_bracket(sweep({(1, "a"): -2, (3, "a"): 0})) == (None, 1)
    assert fine_bracket(sweep({(1, "a"): 2, (3, "a"): 1})) == (3, None)
