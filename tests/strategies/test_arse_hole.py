"""Arse Hole's strategies: legal under any rules, reproducible, blind to what is hidden, strong."""

import numpy as np
import pytest

from sim.game import scratch
from sim.games import arse_hole
from sim.games.arse_hole import VALUE_NAMES, Rules
from sim.jit import PLAIN
from sim.rng import seed_stream
from sim.runner import make_plan, run, simulate
from strategies import load, names
from tests.sim.games.arse_hole_table import Table

NAMES = sorted(names("arse_hole"))
OTHERS = [name for name in NAMES if name != "climber"]
ODD_RULES = [
    {},
    {"exchange_honesty": "penalty", "exchange_request": "by_request", "max_named": 3, "churn": 40},
    {"wild_as": "any_value", "wild_ends_round": "no", "exchange_order": "see_first"},
    {"follow_count": "same", "wild_discount": 0, "lead_after_out": "lowest", "min_cards": 3},
    {"script": "-1@1 +1@2", "initial_ranks": "draw", "penalty_hands": 2},
]


def test_there_are_nine():
    assert len(NAMES) >= 9


@pytest.mark.parametrize("rules", ODD_RULES)
@pytest.mark.parametrize("name", NAMES)
def test_plays_legally_and_the_same_again(name, rules):
    players = [load("arse_hole", name), load("arse_hole", "random")]
    options = {"seatings": [(0, 1, 0, 1, 0)], "games": 1 if PLAIN else 20}
    options["rules"] = {"min_cards": 8, "hands": 3} | rules
    first = simulate("arse_hole", players, **options)
    assert first.equals(simulate("arse_hole", players, **options))
    ranks = np.sort(first[[f"score[{seat}]" for seat in range(5)]].to_numpy(), axis=1)
    expected = np.maximum(np.arange(1, 6) - 5 + first["players"].to_numpy()[:, None], 0)
    assert (ranks == expected).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rules", ODD_RULES[:2])
def test_hidden_cards_do_not_change_the_move(name, rules):
    """Deal the unseen cards anew among the others: the move must stay the same."""
    player = load("arse_hole", name)
    rules = Rules(**{"min_cards": 8, "first_exchange": "yes"} | rules).lower()
    state, views = scratch(arse_hole, 5)
    state.n_players = 5
    random = np.random.default_rng(1)
    for view in views:
        view.rules = rules
        view.params[: len(player.params)] = player.params
    for number in range(2):
        seed_stream(state.rng, 1, number, 0)
        state.over = state.turns = 0
        arse_hole.deal(rules, state)
        while not state.over:
            seat = int(state.seat)
            view = views[seat]
            arse_hole.legal(rules, state, view)
            seed_stream(view.rng, 2, int(state.turns), 1)
            index = player.choose(view)
            twin = np.array([state], arse_hole.STATE).view(np.recarray)[0]
            others = [s for s in range(5) if s != seat]
            pool = np.concatenate([np.repeat(np.arange(16), state.held[s]) for s in others])
            random.shuffle(pool)
            for other in others:
                hand, pool = np.split(pool, [int(state.n_held[other])])
                twin.held[other] = np.bincount(hand, minlength=16)
            arse_hole.legal(rules, twin, view)
            seed_stream(view.rng, 2, int(state.turns), 1)
            assert player.choose(view) == index
            arse_hole.apply(rules, state, view.moves[index])


# --- ideas, each in one position ------------------------------------------------------------------


def chosen(spec, table):
    """What a strategy does in a position, in notation."""
    player = load("arse_hole", spec)
    view = table.view
    view.params[: len(player.params)] = player.params
    return table.legal()[player.choose(view)]


def after(*hands, moves=(), **options):
    """A position some moves on; seat 0 leads."""
    table = Table(*hands, **options)
    table.play(*moves)
    return table


def test_random_makes_every_move():
    table = after("3", "45W", "6", moves=["3x1"])
    seed_stream(table.views[1].rng, 1, 1, 1)
    counts = dict.fromkeys(table.legal(), 0)
    for _ in range(600):
        counts[chosen("random", table)] += 1
    assert len(counts) == 4 and min(counts.values()) > 100


def test_lowest_first_breaks_sets_to_follow():
    assert chosen("lowest_first", after("3", "445", "6", moves=["3x1"])) == "4x1"
    assert chosen("lowest_first", after("4455", "6")) == "4x2"


def test_save_wilds_until_few_sets_are_left():
    assert chosen("save_wilds", after("A7", "3456W", "6", moves=["Ax1"])) == "pass"
    assert chosen("save_wilds", after("A7", "34W", "6", moves=["Ax1"])) == "Wx1"
    assert chosen("save_wilds(hold=4)", after("A7", "3456W", "6", moves=["Ax1"])) == "Wx1"


def test_break_no_sets_passes_rather_than_break_one():
    same = {"follow_count": "same", "moves": ["3x1"]}
    assert chosen("break_no_sets", after("34", "4455", "6", **same)) == "pass"
    assert chosen("break_no_sets", after("34", "4456", "6", **same)) == "5x1"


def test_lead_long_leads_the_largest_set():
    assert chosen("lead_long", after("3555K", "6")) == "5x3"
    assert chosen("lead_long", after("33KK", "6")) == "3x2"


def test_go_out_wins_once_every_other_round_can_be_won():
    # Two wilds and the king win three of six rounds: the wild opens the run.
    assert chosen("go_out", after("A4", "5K3WW", "6", moves=["Ax1"])) == "Wx1"
    assert chosen("go_out", after("A4", "35678W", "6", moves=["Ax1"])) == "pass"
    assert chosen("go_out(high=4)", after("A4", "35678W", "6", moves=["Ax1"])) == "Wx1"


def test_card_counter_knows_what_nobody_can_follow():
    table = after("3QQ", "45", "66")
    assert chosen("card_counter", table) == "Qx2"  # nothing higher is left: then the three is last
    table.state.unlaid[VALUE_NAMES.index("K")] = 2  # two kings are about
    assert chosen("card_counter", table) == "3x1"


def test_cheat_exchange_keeps_what_it_owes():
    table = Table("34W", "56", "78K", exchange=True, exchange_honesty="penalty")
    assert chosen("cheat_exchange", table) == "give 3"
    assert chosen("climber", table) == "give W"


def test_climber_goes_out_when_it_can():
    assert chosen("climber", after("35", "44", "66", moves=["3x1"])) == "4x2"
    assert chosen("climber", after("335", "KK", "66", moves=["3x2"])) == "Kx2"


def test_climber_runs_from_lead_to_lead():
    """Of K K and 3, with nothing about that beats a pair of kings: they win the lead."""
    assert chosen("climber", after("3KK", "4567", "8899")) == "Kx2"


def test_climber_gives_the_card_that_costs_it_most():
    table = Table("3A", "55", "4JJKW", exchange=True)
    assert table.seat == 2 and chosen("climber", table) == "give 4"


# --- strength -------------------------------------------------------------------------------------


def rank_difference(a, b, pattern, deals, **options):
    """The mean rank of A's players less that of B's, with its 95 % interval; below 0 A is better.

    The pattern (0 for A, 1 for B, a seat each) is turned through all seats, and so through all
    starting ranks, on the same deals; the deal with all its hands is the unit.
    """
    n = len(pattern)
    seatings = [tuple(np.roll(pattern, turn).tolist()) for turn in range(n)]
    plan = make_plan(
        "arse_hole",
        [load("arse_hole", a), load("arse_hole", b)],
        seatings=seatings,
        rules=Rules(**{"hands": 5} | options),
        games=deals * n,
        seed=3,
    )
    score = np.concatenate([rows["score"] for rows in run(plan)])[:, :, :n]
    score = score.reshape(deals, n, -1, n).mean(axis=2)
    is_a = np.array(seatings) == 0
    own = (score * is_a).sum(axis=(1, 2)) / is_a.sum()
    other = (score * ~is_a).sum(axis=(1, 2)) / (~is_a).sum()
    difference = own - other
    half = 1.96 * difference.std(ddof=1) / np.sqrt(deals)
    return difference.mean() - half, difference.mean(), difference.mean() + half


@pytest.mark.skipif(PLAIN, reason="needs many games")
@pytest.mark.parametrize("players", [4, 6, 12])
@pytest.mark.parametrize("other", OTHERS)
def test_climber_beats(other, players):
    one = [0] + [1] * (players - 1)
    half = [0] * (players // 2) + [1] * (players // 2)
    assert rank_difference("climber", other, one, 40)[2] < 0
    assert rank_difference("climber", other, half, 40)[2] < 0


@pytest.mark.skipif(PLAIN, reason="needs many games")
def test_climber_beats_those_who_cheat_where_cheating_is_possible():
    rules = {"exchange_honesty": "penalty"}
    half = [0, 1] * 3
    assert rank_difference("climber", "cheat_exchange", half, 40, **rules)[2] < 0
    # With the same play cheating does not pay either.
    assert rank_difference("lowest_first", "cheat_exchange", half, 100, **rules)[2] < 0


@pytest.mark.parametrize("name", NAMES)
def test_a_strategy_against_itself_has_exactly_the_mean_rank(name):
    found = rank_difference(name, name, [0, 1, 1, 1], 2 if PLAIN else 20, min_cards=6)
    assert found == pytest.approx((0, 0, 0), abs=1e-12)
