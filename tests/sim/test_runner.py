"""Runs: the same bytes for any workers and chunks, plain Python beside numba, and faults."""

import numpy as np
import pytest

from sim import jit, runner
from sim.errors import RunError, UsageError
from sim.games import fart
from sim.runner import make_plan, run, simulate
from strategies import load


def plan_of(names=("balanced", "dump"), games=3000, **more):
    return make_plan("fart", [load("fart", n) for n in names], games=games, **more)


def rows_of(plan, **more):
    return np.concatenate([np.array(rows) for rows in run(plan, **more)]).tobytes()


def test_same_bytes_for_any_jobs_and_chunks(monkeypatch):
    plan = plan_of(seatings=[(0, 1), (1, 0)])
    one = rows_of(plan)
    assert rows_of(plan, jobs=2) == one
    monkeypatch.setattr(runner, "MAX_CHUNK", 10)
    assert rows_of(plan, jobs=3) == one


def test_other_seeds_give_other_games():
    assert rows_of(plan_of(games=50)) != rows_of(plan_of(games=50, seed=2))


def test_a_strategy_against_itself_scores_exactly_half():
    names = ("random", "random")
    plan = plan_of(names, games=2000, seatings=[(0, 1), (1, 0)])
    table = runner.to_table(np.concatenate(list(run(plan))), 2)
    first, second = table[0::2], table[1::2]
    assert (first["winner"].to_numpy() == second["winner"].to_numpy()).all()


def test_plain_python_plays_the_same_games_as_its_compiled_twin():
    chosen = load("fart", "push_first")
    plain = getattr(chosen.choose, "py_func", chosen.choose)
    slow = simulate("fart", [lambda view: plain(view), load("fart", "dump")], games=30)
    fast = simulate("fart", [chosen, load("fart", "dump")], games=30)
    assert slow.equals(fast)


def bad_index(view):
    return int(view.n_moves)


def raises(view):
    raise KeyError("lost")


@pytest.mark.parametrize("function", [bad_index, raises, jit.strategy(bad_index)])
def test_a_failing_strategy_stops_the_run_and_says_how_to_see_it(function):
    with pytest.raises(RunError, match="evendeal replay fart --game 0 --seed 5"):
        simulate("fart", [load("fart", "dump"), function], games=20, seed=5)


@pytest.mark.parametrize("games", [0, -3, 10**13])
def test_absurd_numbers_of_games_are_refused(games):
    with pytest.raises(UsageError, match="games must be"):
        plan_of(games=games)


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"refil": 3}, "did you mean refill"),
        ({"refill": 0}, "whole number from 1"),
        ({"refill": "x"}, "whole number from 1"),
        ({"special_take": "force"}, "did you mean forced"),
        ({"hand_size": 20, "suits": 2}, "deals 40 cards"),
    ],
)
def test_bad_rules_are_refused_with_what_is_valid(settings, message):
    with pytest.raises(UsageError, match=message):
        fart.Rules.parse(settings)


def test_a_strategy_that_was_called_directly_still_runs_compiled():
    """A direct call compiles a strategy by itself; the loop needs exactly one signature."""
    from sim.game import scratch

    @jit.strategy
    def direct(view):
        return view.n_moves - 1

    @jit.strategy
    def unsigned(view):
        return np.uint8(0)

    state, views = scratch(fart, 2)
    views[0].n_moves = 3
    assert direct(views[0]) == 2 and unsigned(views[0]) == 0
    for game in ("fart", "phalanx"):
        assert len(simulate(game, [direct, unsigned], games=20)) == 20
    assert direct(views[0]) == 2
