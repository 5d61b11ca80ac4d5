"""Phalanx's kernel against its referee, move for move."""

import os

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sim.errors import UsageError
from sim.games import phalanx
from tests.referee.phalanx import Referee
from tests.sim.games.harness import referee_agrees, rule_sets

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "400"))
SHORT = range(1, 12)  # rounds: games need not be played to the end of a thousand


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(
    rules=rule_sets(phalanx, max_rounds=SHORT),
    players=st.sampled_from([2, 3]),
    seed=st.integers(0, 2**40),
)
def test_kernel_and_referee_agree_move_for_move(rules, players, seed):
    try:
        phalanx.check_table(rules, players)
    except UsageError:
        assume(False)
    referee_agrees(phalanx, Referee, rules, players, seed)
