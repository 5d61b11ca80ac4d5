"""Arse Hole's kernel against its referee, its worked examples, every option, scripts and limits."""

import dataclasses
import os
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import jit
from sim.cards import card_id, card_name
from sim.errors import UsageError
from sim.game import scratch
from sim.games import arse_hole
from sim.games.arse_hole import N_VALUES, VALUE_NAMES, WILD, Rules
from sim.replay import final_rows, seats_of, snapshot
from tests.referee.arse_hole import Referee, ranks_from_draw
from tests.sim.games.harness import history, option_values, random_mover, rule_sets, steps_of

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "150"))


# --- beside the referee ---------------------------------------------------------------------------


def by_hand(steps):
    """The steps of each hand."""
    return [[s for s in steps if s.hand == hand] for hand in range(steps[-1].hand + 1)]


def deck_names(rules, state):
    """The cards of a hand by name, in dealing order."""
    return [card_name(card) for card in arse_hole.deal_order(rules.lower(), state, ())]


def chance(hands, players):
    """What chance decided in a session besides the cards, as the referee wants it."""
    ranks = [int(rank) for rank in hands[0][0].state.rank[:players]]
    leavers = [int(hand[0].state.leaver) for hand in hands[1:]]
    return {"_ranks": ranks, "_churn": [None if seat < 0 else seat for seat in leavers]}


def values_of(counts):
    """The values of a hand, low to high, as the referee writes them."""
    return [VALUE_NAMES[value] for value in range(N_VALUES) for _ in range(counts[value])]


def digits(number):
    """The cards of ``cards_given``, low to high."""
    return sorted((int(digit, 16) - 1 for digit in f"{int(number):x}" if digit != "0"))


def check_state(state, players):
    """Cards are conserved, the ranks are a permutation, and the counts agree with the hands."""
    n = int(state.n)
    assert sorted(int(rank) for rank in state.rank if rank) == list(range(1, n + 1))
    assert all(int(state.rank[int(state.order[place])]) == n - place for place in range(n))
    for value in range(N_VALUES):
        held = sum(int(state.held[seat, value]) for seat in range(players))
        laid = sum(int(state.laid[seat, value]) for seat in range(players))
        given = sum(int(state.given[seat, value]) for seat in range(players))
        aside = given - sum(int(state.received[seat, value]) for seat in range(players))
        assert held + aside == int(state.unlaid[value])
        assert held + aside + laid == (6 if value == WILD else 4) * int(state.decks)
    for seat in range(players):
        assert int(state.n_held[seat]) == sum(int(c) for c in state.held[seat])


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(
    rules=rule_sets(
        arse_hole,
        decks=["1", "1", "2", "4"],
        min_cards=[3, 5, 9],
        max_named=[1, 2, 3, 13],
        churn=[50, 100],
        script=["none"],
    ),
    players=st.one_of(st.integers(2, 7), st.integers(2, 20)),
    hands=st.integers(1, 4),
    seed=st.integers(0, 2**40),
)
def test_kernel_and_referee_agree_move_for_move(rules, players, hands, seed):
    rules = dataclasses.replace(rules, hands=hands)
    if rules.decks == "auto" and rules.min_cards > 9:
        rules = dataclasses.replace(rules, min_cards=7)
    steps = steps_of(arse_hole, rules, players, seed)
    played = by_hand(steps)
    assert len(played) == hands
    options = {k: v for k, v in rules.as_dict().items() if k != "script"}
    referee = Referee(options | chance(played, players), players, deck_names(rules, steps[0].state))
    for hand, hand_steps in enumerate(played):
        check_state(hand_steps[0].state, players)
        for step in hand_steps[1:]:
            context = f"{rules} players {players} seed {seed} hand {hand}: {step.chosen}"
            assert not referee.over, context
            assert (referee.seat, referee.phase) == (step.seat, step.phase), context
            assert len(set(step.legal)) == len(step.legal), context
            assert sorted(referee.legal()) == sorted(step.legal), context
            ends = step is hand_steps[-1] and hand + 1 < hands
            drawn = deck_names(rules, played[hand + 1][0].state) if ends else []
            referee.play(step.chosen, drawn)
            if not step.state.over:
                check_state(step.state, players)
                held = [values_of(step.state.held[seat]) for seat in range(players)]
                assert held == referee.hands, context
                assert [int(x) for x in step.state.penalty[:players]] == referee.penalties
    assert referee.over
    rows = final_rows(arse_hole, rules, steps)
    result = referee.result()
    assert list(rows[-1].score[:players]) == result["scores"]
    for row, told in zip(rows, result["hand_results"], strict=True):
        out = sorted(range(players), key=lambda seat: row.order_out[seat])
        assert out == told["order_out"]
        assert seats_of(row.winners) == [told["order_out"][0]]
        assert list(row.score[:players]) == told["rank_after"]
        assert list(row.rank_before[:players]) == told["rank_before"]
        assert list(row.cards_dealt[:players]) == told["cards_dealt"]
        for seat in range(players):
            given = [VALUE_NAMES[v] for v in digits(row.cards_given[seat])]
            assert given == told["exchanged"][seat]
            assert row.cards_exchanged[seat] == len(given)
        assert row.unfinished == 0
