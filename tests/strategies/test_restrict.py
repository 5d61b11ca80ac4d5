"""A strategy kept from doing something: does it, only where nothing else is legal, and no more."""

import numpy as np
import pytest

from sim.errors import UsageError
from sim.game import MODULES, Player, load_game
from sim.replay import walk
from sim.runner import simulate
from strategies.registry import load, restrictions

SETTINGS = {
    "fart": {},
    "phalanx": {"stakes": "on", "max_rounds": 8},
    "fan_tan": {"enforcement": "fined"},
    "arse_hole": {"hands": 1, "min_cards": 12},
}
CASES = [(game, name) for game in MODULES for name in restrictions(game)]


def walked(game, choosers, params, number=0):
    module = load_game(game)
    rules = module.Rules.parse(SETTINGS[game])
    return list(walk(module, rules, choosers, params, 3, number))


@pytest.mark.parametrize("game, name", CASES)
def test_nothing_forbidden_is_chosen_while_anything_else_is_legal(game, name):
    player, forbid = load(game, f"{name}(random)"), restrictions(game)[name]
    kept = 0

    def choose(view):
        nonlocal kept
        before = view.copy()
        index = player.choose(view)
        before.rng = view.rng
        assert view.tobytes() == before.tobytes()
        bad = [bool(forbid(view, np.int64(move))) for move in view.moves[: view.n_moves]]
        kept += any(bad) and not all(bad)
        assert all(bad) or not bad[index]
        return index

    n = load_game(game).DEFAULT_PLAYERS
    for number in range(30):  # some cards come together seldom
        walked(game, [choose] * n, [player.params] * n, number)
        if number >= 2 and kept:
            break
    assert kept


@pytest.mark.parametrize(
    "game, name, has_it",
    [
        ("fart", "no_push", lambda words: "pushes" in words),
        ("fart", "no_give", lambda words: "gives" in words),
        ("fart", "no_use_of_discard", lambda words: words.startswith("moves")),
        ("phalanx", "no_raise", lambda words: words.startswith("raises")),
        ("phalanx", "no_fold", lambda words: words.startswith("folds")),
    ],
)
def test_words_of_the_moves_agree(game, name, has_it):
    """Told by the words of a replay, which know nothing of restrictions: always avoidable ones."""
    n = load_game(game).DEFAULT_PLAYERS
    for spec, expected in (("random", True), (f"{name}(random)", False)):
        player = load(game, spec)
        steps = walked(game, [player.choose] * n, [player.params] * n)
        found = [step for step in steps if len(step.legal) > 1 and has_it(step.words)]
        assert bool(found) == expected


def test_what_a_strategy_never_does_costs_it_nothing():
    """balanced takes no discards: without that it plays the same games."""
    with_it = simulate("fart", [load("fart", "balanced"), load("fart", "dump")], games=300)
    without = simulate("fart", [load("fart", "no_take(balanced)"), load("fart", "dump")], games=300)
    assert with_it.equals(without)


def test_weights_and_plain_python_pass_through():
    inner = load("fart", "hold_specials(large=2)")
    outer = load("fart", "no_give(hold_specials(large=2))")
    assert outer.params == inner.params == (2.0,) and outer.source != inner.source
    assert load("fart", "no_give(hold_specials(large=2))").choose is outer.choose
    plain = Player("plain", inner.choose.py_func, inner.params)
    from strategies.restrict import restrict

    slow = restrict("fart", "slow", restrictions("fart")["no_give"], plain, "")
    seats = [load("fart", "random")]
    fast_games, slow_games = (
        simulate("fart", [player, *seats], games=8) for player in (outer, slow)
    )
    assert fast_games.equals(slow_games)


def test_two_restrictions_at_once():
    both = load("fart", "no_push(no_give(random))")
    steps = walked("fart", [both.choose] * 2, [()] * 2)
    assert not [
        s for s in steps if len(s.legal) > 1 and ("pushes" in s.words or "gives" in s.words)
    ]


def test_a_users_restriction(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from strategies.restrict import restriction\n\n\n@restriction\n"
        "def no_first(view, move):\n    return move == view.moves[0]\n"
    )
    player = load("fart", f"{tmp_path / 'mine.py'}:no_first(random)")
    assert simulate("fart", [player, load("fart", "random")], games=20)["moves"].min() > 0


@pytest.mark.parametrize(
    "spec, hint",
    [
        ("no_psh(random)", "did you mean no_push"),
        ("no_push", "names? one|restricts a strategy"),
        ("no_push(rndom)", "did you mean random"),
        ("no_push(balanced(hnad=1))", "did you mean hand"),
    ],
)
def test_bad_specs(spec, hint):
    with pytest.raises(UsageError, match=hint):
        load("fart", spec)
