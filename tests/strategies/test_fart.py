"""Fart's strategies: legal under any rules, reproducible, blind to what is hidden, strong."""

import numpy as np
import pytest

from analysis.estimates import estimate
from analysis.measures import match_measures
from analysis.tally import Tally
from sim.games import fart
from sim.runner import make_plan, run, simulate, to_table
from strategies import load, names

NAMES = sorted(names("fart"))
ODD_RULES = [
    {},
    {"stand_alone": "always_allowed", "special_take": "forced", "discard_moves": 3},
    {"ranks": 6, "hand_size": 3, "special_rides": "closes", "special_reach": "own_bank"},
    {"immediate_pairs": "off", "discard_memory": "top_only", "empty_by_end_pair": "at_once"},
]


def test_there_are_eight():
    assert len(NAMES) >= 8


@pytest.mark.parametrize("rules", ODD_RULES)
@pytest.mark.parametrize("name", NAMES)
def test_plays_legally_and_the_same_again(name, rules):
    players = [load("fart", name), load("fart", "random")]
    first = simulate("fart", players, games=200, rules=rules)
    assert first.equals(simulate("fart", players, games=200, rules=rules))
    cards = fart.Rules.parse(rules)
    assert (first["score[0]"] + first["score[1]"] == cards.ranks * cards.suits).all()


def play_match(a, b, games):
    plan = make_plan(
        "fart", [load("fart", a), load("fart", b)], seatings=[(0, 1), (1, 0)], games=games, seed=3
    )
    tally = Tally(match_measures("fart", plan.seatings, plan.rules), 2, games // 2)
    for rows in run(plan):
        tally.add(to_table(rows, 2))
    return estimate(tally, "score[A]")


@pytest.mark.parametrize("other", [n for n in NAMES if n != "balanced"])
def test_balanced_beats(other):
    assert play_match("balanced", other, 8000).low > 0.5


@pytest.mark.parametrize("name", NAMES)
def test_a_strategy_against_itself_scores_exactly_half(name):
    found = play_match(name, name, 400)
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_do_not_change_the_move(name):
    """Deal the unseen cards anew: the view, and so the move, must stay the same."""
    from sim.game import scratch
    from sim.rng import seed_stream

    choose = load("fart", name)
    rules = fart.Rules().lower()
    state, views = scratch(fart, 2)
    twins = scratch(fart, 2)[1]
    for number in range(5):
        seed_stream(state.rng, 1, number, 0)
        for seat in range(2):
            views[seat].rules = rules
            views[seat].params[: len(choose.params)] = choose.params
            seed_stream(views[seat].rng, 1, number, 1 + seat)
        state.over = state.turns = 0
        fart.deal(rules, state)
        while not state.over:
            seat = int(state.seat)
            fart.legal(rules, state, views[seat])
            index = choose.choose(views[seat])
            hidden = int(state.hand_cards[1 - seat]) & ~int(state.known[1 - seat])
            deck = state.deck[state.top : state.bottom]
            if hidden and len(deck):
                card = (hidden & -hidden).bit_length() - 1
                other = np.array([state], fart.STATE).view(np.recarray)[0]
                swapped = int(deck[-1])
                other.deck[int(state.bottom) - 1] = card
                other.hand_cards[1 - seat] ^= (1 << card) | (1 << swapped)
                twins[seat] = views[seat]
                seed_stream(twins[seat].rng, 9, 9, 9)
                seed_stream(views[seat].rng, 9, 9, 9)
                fart.legal(rules, other, twins[seat])
                assert choose.choose(twins[seat]) == choose.choose(views[seat])
            fart.apply(rules, state, views[seat].moves[index])
