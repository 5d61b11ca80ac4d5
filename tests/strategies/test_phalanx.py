"""Phalanx's strategies: legal under any rules, reproducible, blind to what is hidden, strong."""

import os

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis.estimates import estimate
from analysis.measures import match_measures
from analysis.tally import Tally
from sim.errors import UsageError
from sim.game import scratch
from sim.games import phalanx
from sim.jit import PLAIN
from sim.rng import seed_stream
from sim.runner import make_plan, run, simulate, to_table
from strategies import load, names
from tests.sim.games.harness import rule_sets
from tests.sim.games.phalanx_table import Table, opening, redealt

NAMES = sorted(names("phalanx"))
OTHERS = [name for name in NAMES if name != "zone_value"]
GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "60"))
SHORT = range(1, 6)  # rounds
#: Rules under which every phase and every power comes up.
ODD_RULES = [
    {},
    {"stakes": "on", "memory": "round", "king_optional": "yes", "queen_timing": "whole_round"},
    {"king_reach": "table", "queen_scope": "other_side", "three_players": "pairwise"},
]


def test_there_are_eight_and_one_that_raises():
    assert len(NAMES) >= 9 and "bluffer" in NAMES


@settings(max_examples=3 if PLAIN else GAMES, deadline=None, derandomize=True)
@given(
    rules=rule_sets(phalanx, max_rounds=SHORT),
    players=st.sampled_from([2, 3]),
    seed=st.integers(0, 2**40),
)
def test_plays_legally_and_the_same_again_under_any_rules(rules, players, seed):
    """Every strategy from every seat against others; the loop refuses an illegal choice."""
    try:
        phalanx.check_table(rules, players)
    except UsageError:
        assume(False)
    everyone = [load("phalanx", name) for name in NAMES]
    n = len(everyone)
    seatings = [tuple((first + seat) % n for seat in range(players)) for first in range(n)]
    options = {"seatings": seatings, "rules": rules, "seed": seed, "games": n}
    first = simulate("phalanx", everyone, **options)
    assert first.equals(simulate("phalanx", everyone, **options))
    assert (first["rounds"] <= rules.max_rounds).all()


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("options", ODD_RULES)
@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_do_not_change_the_move(name, options, players):
    """Deal all that the seat cannot know anew: the move must stay the same."""
    player = load("phalanx", name)
    rules = phalanx.Rules(max_rounds=4, **options).lower()
    state, views = scratch(phalanx, players)
    state.n_players = players
    random = np.random.default_rng(1)
    for view in views:
        view.rules = rules
        view.params[: len(player.params)] = player.params
    moved = 0
    for number in range(1 if PLAIN else 3):
        seed_stream(state.rng, 1, number, 0)
        state.over = state.turns = 0
        phalanx.deal(rules, state)
        while not state.over:
            view = views[int(state.seat)]
            phalanx.legal(rules, state, view)
            seed_stream(view.rng, 2, int(state.turns), 1)
            index = player.choose(view)
            twin = redealt(rules, state, int(state.seat), random)
            moved += twin.tobytes() != state.tobytes()
            phalanx.legal(rules, twin, view)
            seed_stream(view.rng, 2, int(state.turns), 1)
            assert player.choose(view) == index
            phalanx.apply(rules, state, view.moves[index])
    assert moved


# --- ideas, each in one position ------------------------------------------------------------------


def chosen(spec, table):
    """What a strategy does in a position, in notation."""
    player = load("phalanx", spec)
    view = table.view()
    view.params[: len(player.params)] = player.params
    return table.legal()[player.choose(view)]


def test_random_makes_every_move():
    table = Table(["7s Kh", "As"])
    seed_stream(table.views[0].rng, 1, 1, 1)
    counts = [0] * 6
    for _ in range(600):
        counts[table.legal().index(chosen("random", table))] += 1
    assert min(counts) > 60


def test_suit_stacker_lays_to_its_suit():
    table = Table(["2h Ts", "As Ad"], {"M0": "4h"})
    assert chosen("suit_stacker", table) == "2h@M"
    assert chosen("high_first", table).startswith("Ts")
    # It opens with a card of the suit of which it holds most.
    held = Table(["Ts 2h 3h 5h", "As 2s 3s 4s"], leader=None, hand_size=4)
    assert chosen("suit_stacker", held) == "5h@M"


def test_spread_lays_where_it_has_fewest_cards():
    table = Table(["Ts 9h", "As Ad"], {"L0": "8s", "M0": "7h"})
    assert chosen("last_word", table) == "Ts@L"
    assert chosen("spread", table) == "Ts@R"
    table = Table(["Ts 9h", "As Ad"], {"L0": "8s", "M0": "(7h)", "R0": "2c 3c"})
    assert chosen("spread", table) == "Ts@L"


def test_two_zones_gives_up_the_zone_that_goes_worst():
    table = Table(["Th", "As"], {"L0": "9h", "L1": "Ts 9s 8s"})
    assert chosen("last_word", table) == "Th@L"
    assert chosen("two_zones", table) in ("Th@M", "Th@R")


def test_high_first_lays_its_highest_card_where_totals_are_closest():
    table = Table(["3s 9s Th", "As Ad 2d"], {"L1": "9c", "M0": "4d", "M1": "5d", "R0": "8s"})
    assert chosen("high_first", table) == "Th@M"
    assert chosen("last_word", table) == "9s@R"


def test_queen_denier_keeps_queens_for_a_zone_that_is_lost():
    near = Table(["Qc 2h", "As Ad"], {"M1": "7d"})
    assert chosen("king_sniper", near) == "Qc@M"
    assert chosen("queen_denier", near).startswith("2h")
    lost = Table(["Qc 9h", "As Ad"], {"L1": "8d", "M1": "Ts 9s", "M0": "5c"})
    assert chosen("queen_denier", lost) == "Qc@M"


def test_king_sniper_keeps_kings_for_a_card_that_matters():
    small = Table(["Kc 2h", "As Ad"], {"L1": "9s"})
    assert chosen("queen_denier", small) == "Kc@L x 9s"
    assert chosen("king_sniper", small).startswith("2h")
    large = Table(["Kc Th", "As Ad"], {"L1": "9s 2s", "M1": "5d"})
    # Without the nine the two is worth half.
    assert chosen("king_sniper", large) == "Kc@L x 9s"


def test_last_word_keeps_its_faces():
    sides = {"M1": "Ts 9s 8s"}
    table = Table(["Qc 2h", "As Ad"], sides)
    assert chosen("queen_denier", table) == "Qc@M"
    assert chosen("last_word", table).startswith("2h")
    assert chosen("last_word", Table(["Qc", "As"], sides)) == "Qc@M"


def test_zone_value_wins_the_most_cards_with_its_last_one():
    sides = {"L1": "8d", "M1": "5s 2d", "R1": "Ts"}
    assert chosen("zone_value", Table(["9h", ""], sides)) == "9h@M"
    # A zone already won needs no more; one that cannot be won gets nothing.
    sides = {"L0": "Th", "L1": "3s 2d", "M1": "8d", "R1": "Ts 9s"}
    assert chosen("zone_value", Table(["9c", ""], sides)) == "9c@M"


def test_zone_value_turns_down_what_decides_a_zone():
    sides = {"L0": "5h", "L1": "8s 2d", "R1": "Ts 9s", "R0": "3c"}
    assert chosen("zone_value", Table(["Kd", ""], sides)) == "Kd@L x 8s"
    sides = {"L0": "2h", "L1": "Ts 9s 8s", "M0": "9h", "M1": "2d", "R0": "8h", "R1": "2c"}
    assert chosen("zone_value", Table(["Qd", ""], sides)) == "Qd@L"


def reply(spec, side, other):
    """What a strategy answers to a raise of the zone where it has `side` against `other`."""
    table = Table(["2h 3h", "2d 3d"], {"L0": side, "L1": other}, leader=1, stakes="on")
    phalanx.begin_circle(table.rules, table.state)
    return chosen(spec, table.play("raise L"))


def offer(spec, sides):
    """What a strategy raises after a circle."""
    table = Table(["2h 3h", "2d 3d"], sides, stakes="on")
    phalanx.begin_circle(table.rules, table.state)
    return chosen(spec, table)


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "random"])
def test_raises_and_folds(name):
    ahead = {"L0": "9s", "L1": "5c", "M0": "Ts 9h"}
    assert offer(name, ahead) == ("raise R" if name == "bluffer" else "raise M")
    assert offer(name, {}) == ("raise R" if name == "bluffer" else "no raise")
    assert reply(name, "9s", "5c") == "call"
    assert reply(name, "2s", "Tc 9c") == ("call" if name == "bluffer" else "fold")


def test_zone_value_raises_by_its_chances():
    ahead = {"L0": "5s", "L1": "9c", "M0": "Ts 9s 8s"}
    assert offer("zone_value", ahead) == "raise M"
    assert offer("zone_value", {}) == "no raise"
    assert offer("zone_value(raise_at=1)", ahead) == "no raise"
    assert reply("zone_value", "Ts 9s", "5c") == "call"
    assert reply("zone_value", "2s", "Tc 9c 8c") == "fold"
    assert reply("zone_value(fold_at=0)", "2s", "Tc 9c 8c") == "call"


def test_bluffer_raises_after_an_opening_too():
    assert chosen("bluffer", opening("2s", "2h", stakes="on")) == "raise R"


# --- strength -------------------------------------------------------------------------------------


def match(a, b, players=2, deals=300, rules=None):
    """A tally of strategy A alone in each seat in turn against B, on the same deals."""
    seatings = [tuple(int(seat != own) for seat in range(players)) for own in range(players)]
    plan = make_plan(
        "phalanx",
        [load("phalanx", a), load("phalanx", b)],
        seatings=seatings,
        rules=phalanx.Rules(**rules or {}),
        games=deals * players,
        seed=3,
    )
    tally = Tally(match_measures("phalanx", plan.seatings, plan.rules), players, deals)
    for rows in run(plan):
        tally.add(to_table(rows, players))
    return tally


@pytest.mark.skipif(PLAIN, reason="needs many games")
@pytest.mark.parametrize("other", OTHERS)
def test_zone_value_beats(other):
    assert estimate(match("zone_value", other), "score[A]").low > 0.5


@pytest.mark.skipif(PLAIN, reason="needs many games")
@pytest.mark.parametrize("other", OTHERS)
def test_zone_value_beats_and_earns_with_stakes(other):
    tally = match("zone_value", other, rules={"stakes": "on"})
    assert estimate(tally, "score[A]").low > 0.5
    assert estimate(tally, "chips[A]").low > 0


@pytest.mark.skipif(PLAIN, reason="needs many games")
@pytest.mark.parametrize("other", OTHERS)
def test_zone_value_beats_two_of_another(other):
    assert estimate(match("zone_value", other, players=3), "score[A]").low > 1 / 3


@pytest.mark.parametrize("name", NAMES)
def test_a_strategy_against_itself_scores_exactly_half(name):
    rules = {"max_rounds": 5} if PLAIN else {}
    found = estimate(match(name, name, deals=2 if PLAIN else 100, rules=rules), "score[A]")
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("name", ["spread", "zone_value"])
def test_players_alike_win_alike_from_both_seats(name):
    """Seats differ in nothing but their number, so neither may be worth more."""
    games = 100 if PLAIN else 2000
    table = simulate("phalanx", [load("phalanx", name)] * 2, games=games, seed=12)
    share = (table["winner"] == 0).mean()
    assert abs(share - 0.5) < 4.5 * (0.25 / len(table)) ** 0.5
