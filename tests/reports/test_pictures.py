"""Pictures of chips show the numbers that were counted."""

import numpy as np
import pytest

from analysis.measures import advantage_measures
from analysis.tally import Tally
from reports.pictures import game_pictures
from sim.games.fan_tan import Rules
from tests.analysis.test_chips import played


@pytest.fixture
def figures():
    """The pictures of a Fan Tan run with uneven hands, and its table."""
    import matplotlib.pyplot as plt

    table = played(3, 60, "random")
    tally = Tally(advantage_measures("fan_tan", 3, Rules()), 1, 60)
    tally.add(table)
    yield {name: figure for name, (figure, _) in game_pictures(tally).items()}, table
    plt.close("all")


def test_payments_show_how_often_each_sum_is_reached(figures):
    pictures, table = figures
    lines = pictures["payments"].axes[0].lines
    assert len(lines) == 3
    # Seat 0 has a card more; it pays its ante, its passes and the cards that it is left with.
    paid = 1 + table["passes[0]"] + table["cards_left[0]"]
    values, shares = lines[0].get_data()
    assert values[0] == paid.min() and shares[0] == pytest.approx(100)
    for value, share in zip(values, shares):
        assert share == pytest.approx(100 * (paid >= value).mean())


def test_chips_show_quantiles_and_mean(figures):
    pictures, table = figures
    lines = pictures["chips_spread"].axes[0].lines
    chips = table["score[0]"]
    ends = [np.quantile(chips, q, method="inverted_cdf") for q in (0.05, 0.95, 0.25, 0.75)]
    assert [*lines[0].get_xdata(), *lines[1].get_xdata()] == ends
    assert lines[2].get_xdata()[0] == pytest.approx(chips.mean())
