"""Seats, a card less and payments: golden values by hand, exactness, and a slow simulation."""

import random

import numpy as np
import pandas as pd
import pytest

from analysis import chips
from sim.errors import UsageError
from sim.games.fan_tan import Rules
from sim.jit import PLAIN
from sim.runner import simulate
from strategies import load
from tests.referee.fan_tan import Referee, full_deck


def table_of(scores, winners, deals=None, **columns):
    """A table of hands with these chips and winners; positions are seats."""
    scores = np.array(scores)
    rows, n = scores.shape
    found = {
        "game": np.arange(rows),
        "deal": np.arange(rows) if deals is None else deals,
        "winner": winners,
        "unfinished": np.zeros(rows, int),
    }
    seats = {"score": scores, "position": np.tile(np.arange(n), (rows, 1))}
    for name, values in {**seats, **columns}.items():
        values = np.array(values)
        if values.ndim == 1:
            found[name] = values
        else:
            found |= {f"{name}[{seat}]": values[:, seat] for seat in range(n)}
    return pd.DataFrame(found)


def played(players, games, name="planner", **rules):
    """Hands of one strategy in all seats."""
    return simulate(
        "fan_tan",
        [load("fan_tan", name)],
        seatings=[[0] * players],
        games=games,
        paired=False,
        rules=rules,
        seed=5,
    )


def by_name(estimates):
    return {e.name: e for e in estimates}


# --- seats ----------------------------------------------------------------------------------------


def test_seat_table_by_hand():
    table = table_of([[3, -3], [1, -1], [-2, 2], [-2, 2]], [0, 0, 1, 1], deals=[0, 0, 1, 1])
    found = by_name(chips.seat_table(table, 2))
    # Deals have mean chips 2 and -2: mean 0, standard error 2, t(1) at 97.5 % is 12.706.
    assert found["chips[0]"].value == 0 and found["chips[0]"].units == 2
    assert found["chips[0]"].high == pytest.approx(2 * 12.7062, rel=1e-4)
    assert found["win_share[1]"].value == 0.5


def test_positions_follow_the_dealer():
    table = table_of([[3, -3], [3, -3]], [0, 0], position=[[0, 1], [1, 0]])
    seats, positions = (by_name(chips.seat_table(table, 2, by)) for by in ("seat", "position"))
    assert seats["chips[0]"].value == 3 and positions["chips[0]"].value == 0
    with pytest.raises(UsageError, match="seat or position"):
        chips.seat_table(table, 2, by="dealer")


def test_seat_test_is_student_s_test_for_two_seats():
    from scipy.stats import ttest_1samp

    x = np.array([5, -2, 7, -1, 3, -4, 6])
    found = chips.seat_test(table_of(np.stack([x, -x], axis=1), (x < 0).astype(int)), 2)
    by_scipy = ttest_1samp(2 * x, 0)
    assert found.statistic == pytest.approx(by_scipy.statistic**2)
    assert found.p == pytest.approx(by_scipy.pvalue) and found.df == (1, 6)


def test_seat_test_does_not_depend_on_the_order_of_seats():
    table = played(3, 50 if PLAIN else 500)
    swapped = table.rename(columns={"score[0]": "score[2]", "score[2]": "score[0]"})
    first, other = (chips.seat_test(t, 3).statistic for t in (table, swapped))
    assert first == pytest.approx(other)


def test_seat_test_rejects_as_often_as_it_says():
    """Chips of four seats alike, tied to each other as in a hand: 5 % of tests reject at 5 %."""
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(400):
        pays = rng.integers(1, 10, (40, 4))
        winner = rng.integers(4, size=40)
        scores = -pays
        scores[np.arange(40), winner] += pays.sum(axis=1)
        rejected += chips.seat_test(table_of(scores, winner), 4).p < 0.05
    assert 8 <= rejected <= 34  # 20 expected, three standard deviations of 4.4


def test_a_seat_test_without_spread_or_deals_is_refused():
    table = table_of([[1, -1]] * 5, [0] * 5)
    with pytest.raises(UsageError, match="chips that differ"):
        chips.seat_test(table, 2)
    with pytest.raises(UsageError, match="need more than 2"):
        chips.seat_test(table[:2], 2)
    with pytest.raises(UsageError, match="win_share"):
        chips.seat_test(table, 2, "pot")


# --- a card less ----------------------------------------------------------------------------------


def test_card_worth_by_hand():
    """Three players, 2 cards against 1; who holds fewer pays a chip, twice in the pot."""
    scores = [[5, -3, -2], [-4, 6, -2], [-4, 6, -2], [-3, -2, 5]]
    dealt = [[2, 1, 1]] * 4
    table = table_of(scores, [0, 1, 1, 2], cards_dealt=dealt)
    found = by_name(chips.card_worth(table, 3, Rules()))
    # Means by position: -1.5, 1.75, -0.25; short positions average 0.75.
    assert found["chips_short_less_long"].value == pytest.approx(2.25)
    assert found["win_share_short_less_long"].value == pytest.approx(3 / 8 - 1 / 4)
    # The line through the two short positions falls by 2 a place: at position 0 it is 3.75.
    assert found["chips_step_at_border"].value == pytest.approx(3.75 + 1.5)
    # A chip more: short ones win 2 x 3/4 / 2 and pay 1, the long one wins 2 x 1/4: -0.75 in all.
    assert found["fair_short_hand_chip"].value == pytest.approx(1 + 2.25 / 0.75)


@pytest.mark.skipif(PLAIN, reason="needs many games")
@pytest.mark.parametrize("chip", [0, 1, 5])
def test_the_fair_chip_is_fair_whatever_was_paid(chip):
    table = played(7, 4000, short_hand_chip=chip)
    fair = by_name(chips.card_worth(table, 7, Rules(short_hand_chip=chip)))["fair_short_hand_chip"]
    again = by_name(chips.card_worth(played(7, 4000), 7, Rules()))["fair_short_hand_chip"]
    assert (fair.value, fair.low) == pytest.approx((again.value, again.low))
    # Paid with the nearest whole chips below and above, the difference turns at it.
    below, above = (
        by_name(chips.card_worth(played(7, 4000, short_hand_chip=c), 7, Rules(short_hand_chip=c)))
        for c in (int(fair.value), int(fair.value) + 1)
    )
    assert below["chips_short_less_long"].value > 0 > above["chips_short_less_long"].value


def test_card_worth_needs_uneven_hands_and_fines_move_the_chip():
    with pytest.raises(UsageError, match="as long"):
        chips.card_worth(played(4, 3), 4, Rules())
    fined = chips.card_worth(played(3, 3, enforcement="fined"), 3, Rules(enforcement="fined"))
    assert "fair_short_hand_chip" not in by_name(fined)


# --- payments -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 8])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ante": 2, "short_hand_chip": 3, "pass_chip": 2},
        {"enforcement": "fined", "wrong_pass_fine": 4, "max_turns": 40},
        {"enforcement": "fined", "seven_fine_to": "split"},
    ],
)
def test_payments_make_the_pot_and_with_fines_the_chips(players, options):
    rules = Rules(**options)
    table = played(players, 5 if PLAIN else 300, "random", **options)
    parts = chips.paid(table, players, rules)
    total = sum(parts.values())
    assert tuple(parts) == chips.PAYMENTS
    assert (total.sum(axis=1) == table["pot"]).all()
    fines = chips.foundation_fines(table, players, rules)
    assert (fines.sum(axis=1) == 0).all()
    assert fines.any() == (options.get("enforcement") == "fined")
    cut = table["unfinished"] == 1
    assert (chips.stack(table, "score", players)[cut] == fines[cut]).all()


def test_payment_table_by_hand():
    columns = {
        "cards_dealt": [[2, 1], [2, 1]],
        "passes": [[3, 1], [1, 0]],
        "wrong_passes": [[1, 0], [0, 0]],
        "cards_left": [[0, 2], [1, 0]],
        "pot": [12, 6],
    }
    rules = Rules(enforcement="fined")
    # Hand 0: seat 0 pays 1 + 2 + 3 and wins, seat 1 pays 1 + 1 + 1 + 2, and 5 more came of a fine.
    table = table_of([[0, 0], [-3, 3]], [0, 1], **columns)
    found = chips.payment_table(table, 2, rules).set_index(["payment", "place"])["value"]
    assert found["passes"].tolist() == [1.5, 0.5]
    assert found["wrong_passes"].tolist() == [1.5, 0]
    assert found["short_hand"].tolist() == [0, 1]
    assert found["cards_left"].tolist() == [0.5, 1]


def test_spread_by_hand():
    table = table_of([[1, -1]] * 4, [0] * 4)
    found = chips.spread(table, np.array([5, 7, 5, 5]))
    assert found["value"].tolist() == [5, 7] and found["share"].tolist() == [0.75, 0.25]
    # Wilson for 3 of 4 (z = 1.96): 0.3006 to 0.9544.
    assert found.loc[0, "low"] == pytest.approx(0.3006, abs=1e-4)
    assert found.loc[0, "high"] == pytest.approx(0.9544, abs=1e-4)
    both = chips.spread(table, np.array([[5, 7], [5, 5], [5, 5], [7, 7]]))
    # Deals have shares of fives 1/2, 1, 1, 0: mean 5/8, standard deviation 0.4787.
    half = 3.1824 * 0.47871 / 2
    assert both.loc[0, "high"] == 1 and both.loc[0, "low"] == pytest.approx(max(0, 0.625 - half))


# --- an independent slow simulation ---------------------------------------------------------------


@pytest.mark.skipif(PLAIN, reason="needs many games")
@pytest.mark.parametrize("players, hands", [(3, 600), (5, 1000)])
def test_seats_do_as_in_a_slow_simulation(players, hands):
    """The referee with its own shuffles and random moves: chips and wins by seat as the loop's."""
    rng = random.Random(players)
    scores, winners = [], []
    for _ in range(hands):
        deck = full_deck()
        rng.shuffle(deck)
        referee = Referee({}, players, deck)
        while not referee.over:
            referee.play(rng.choice(referee.legal()), [])
        scores.append(referee.result()["scores"])
        winners.append(referee.result()["winners"][0])
    slow = chips.seat_table(table_of(scores, winners), players)
    fast = chips.seat_table(played(players, 50_000, "random"), players)
    off = [(a.value - b.value) / ((a.high - a.low) / 3.92) for a, b in zip(slow, fast)]
    assert np.abs(off).max() < 3.5
    # And the seats differ by more than that error: the test can fail.
    assert chips.seat_test(table_of(scores, winners), players, "win_share").p < 1e-4
