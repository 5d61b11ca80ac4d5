"""Fart's kernel against its referee, its worked examples, and every option."""

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.games import fart
from tests.referee.fart import Referee
from tests.sim.games.harness import referee_agrees, rule_sets

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "3000"))


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(rules=rule_sets(fart), seed=st.integers(0, 2**40))
def test_kernel_and_referee_agree_move_for_move(rules, seed):
    _, row, result = referee_agrees(fart, Referee, rules, 2, seed)
    assert row.turns == result["turns"]
    assert sum(row.score) == rules.ranks * rules.suits
