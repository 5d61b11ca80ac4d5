"""Fart's kernel against its referee, its worked examples, and every option."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import UsageError
from sim.game import scratch
from sim.games import fart
from sim.jit import PLAIN
from sim.rng import seed_stream
from tests.referee.fart import Referee
from tests.sim.games.harness import (
    changes_play,
    option_values,
    referee_agrees,
    rule_sets,
)

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "800"))


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(rules=rule_sets(fart), seed=st.integers(0, 2**40))
def test_kernel_and_referee_agree_move_for_move(rules, seed):
    _, row, result = referee_agrees(fart, Referee, rules, 2, seed)
    assert row.turns == result["turns"]
    assert sum(row.score) == rules.ranks * rules.suits


@pytest.mark.parametrize(
    "name, value", [v for v in option_values(fart) if v[0] != "discard_memory"]
)
def test_every_option_value_changes_some_game(name, value):
    games = 40 if PLAIN else 400
    small = fart.Rules(ranks=7, suits=4, hand_size=5, refill=4)
    bases = [fart.Rules(), small, fart.Rules(hand_size=2)]
    for base in bases:
        try:
            if changes_play(fart, name, value, base, games):
                return
        except UsageError:
            continue
    assert PLAIN, f"{name}={value} changed no game"


def test_discard_memory_hides_the_buried_discards():
    state, views = scratch(fart, 2)
    seen = {}
    for memory in ("full", "top_only"):
        rules = fart.Rules(discard_memory=memory).lower()
        views[0].rules = rules
        seed_stream(state.rng, 1, 0, 0)
        fart.deal(rules, state)
        state.seat = 0
        state.phase = fart.PHASE_PLAY
        for seat in range(2):
            state.discard[seat, 0], state.discard[seat, 1] = state.deck[20], state.deck[21 + seat]
            state.n_discard[seat] = 2
        fart.legal(rules, state, views[0])
        seen[memory] = list(views[0].other_discard[:2])
    assert seen["full"] == [state.deck[20], state.deck[22]]
    assert seen["top_only"] == [fart.NO_CARD, state.deck[22]]
