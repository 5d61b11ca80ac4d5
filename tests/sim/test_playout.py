"""Positions played out: the same game, the same rules, fresh chance and nothing else."""

import numpy as np
import pytest

from sim.errors import RunError
from sim.game import Player, load_game
from sim.playout import NO_MOVE, Playouts
from sim.runner import make_plan, play_chunk
from strategies.registry import STRONGEST, load

GAMES = ("fart", "phalanx", "fan_tan", "arse_hole")


def table(game, slip=0.0, seed=5, rules=None, strategy=None, others=None):
    module = load_game(game)
    n = module.DEFAULT_PLAYERS
    player = load(game, strategy or STRONGEST[game])
    others = [load(game, others)] * n if others else None
    return Playouts(game, rules or module.Rules(), [player] * n, seed, others, slip)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_looked_at_is_the_hand_that_the_loop_plays(game):
    module = load_game(game)
    rules = module.Rules.parse({"hands": 3}) if "hands" in module.Rules.options() else None
    player, n = load(game, STRONGEST[game]), module.DEFAULT_PLAYERS
    plan = make_plan(game, [player], rules=rules, seatings=[[0] * n], paired=False, seed=5, games=4)
    rows, _ = play_chunk(plan, 0, 4)
    playouts = table(game, rules=rules)
    for number in (1, 3):
        for hand in range(rows.shape[1]):
            found = playouts.survey(number, hand, points=3, trials=2)
            assert found.row == rows[number, hand]
            assert len(found.steps) == found.row.moves
            assert (found.steps["n_moves"] > 1).sum() == found.row.decisions
            assert (found.steps["n_moves"] > 0).all()


@pytest.mark.parametrize("game", ("fart", "fan_tan"))
def test_where_no_chance_is_left_every_playout_is_the_game_itself(game):
    """All cards are dealt and nobody draws numbers: a copied state must end as the game did."""
    for number in range(4):
        found = table(game).survey(number, points=100, trials=3)
        assert list(found.marks) == list(range(found.row.decisions))
        assert (found.looks == found.row.winners).all()


def test_chance_is_fresh_in_every_playout_and_the_same_again():
    one, two = (table("fart", slip=0.3).survey(7, points=6, trials=40) for _ in range(2))
    assert (one.looks == two.looks).all() and (one.steps == two.steps).all()
    assert len(np.unique(one.looks[0])) > 1
    assert len(np.unique(one.looks, axis=0)) == 6
    other = table("fart", slip=0.3, seed=6).survey(7, points=6, trials=40)
    assert not np.array_equal(other.looks, one.looks)
    more = table("fart", slip=0.3).survey(7, points=6, trials=80)
    assert (more.looks[:, :40] == one.looks).all()


def test_marks_are_spread_evenly():
    found = table("phalanx", strategy="random").survey(0, points=7, trials=1)
    gaps = np.diff([*found.marks, found.row.decisions])
    assert len(found.marks) == 7 and found.marks[0] == 0 and gaps.max() - gaps.min() <= 1


def test_playouts_may_be_played_by_others():
    as_it_is = table("fart", strategy="balanced").survey(2, points=2, trials=200)
    by_random = table("fart", strategy="balanced", others="random").survey(2, points=2, trials=200)
    assert by_random.row == as_it_is.row
    assert len(np.unique(as_it_is.looks[0])) == 1 and len(np.unique(by_random.looks[0])) > 1


def deals(game, playouts):
    """A position: as dealt, in game 0."""
    state = playouts.scratch()[0][0]
    module = load_game(game)
    from sim.rng import seed_stream

    state.n_players = len(playouts.players)
    seed_stream(state.rng, playouts.seed, 0, 0)
    module.deal(playouts.rules.lower(), state)
    return state


def test_moves_are_rated_under_the_same_chance():
    playouts = table("fart", strategy="random")
    module, state = load_game("fart"), deals("fart", playouts)
    view = playouts.scratch()[1][0]
    view.rules = playouts.rules.lower()
    before = state.tobytes()
    module.legal(playouts.rules.lower(), state, view)
    moves = list(view.moves[: view.n_moves])
    rows = playouts.rate(state, [*moves, moves[0], NO_MOVE], trials=50, number=0, mark=9)
    assert state.tobytes() == before
    assert (rows[0] == rows[len(moves)]).all()  # the same move, the same chance
    assert not (rows[0] == rows[1]).all()
    assert (rows["score"].sum(axis=2) == 52).all()
    again = playouts.rate(state, moves[:1], trials=50, number=0, mark=9)
    assert (again[0] == rows[0]).all()
    other = playouts.rate(state, moves[:1], trials=50, number=0, mark=10)
    assert not (other[0] == rows[0]).all()


def test_rating_finds_the_move_that_wins_at_once():
    """Seat 0 has one card, which it may lay to win; passing it by costs the game three fines."""
    rules = load_game("fan_tan").Rules.parse({"enforcement": "fined"})
    playouts = table("fan_tan", strategy="random", rules=rules)
    state = deals("fan_tan", playouts)
    state.hand_cards[0], state.n_hand[0], state.seat = 1 << 6, 1, 0
    rows = playouts.rate(state, [6, 64], trials=60, number=0)
    assert (rows["winners"][0] == 1).all() and (rows["winners"][1] != 1).any()


def test_plain_python_plays_the_same_playouts():
    module = load_game("fart")
    random = load("fart", "random")
    plain = Player("random", random.choose.py_func)
    found = [
        Playouts("fart", module.Rules(), [player] * 2, 5, slip=0.1).survey(1, points=2, trials=2)
        for player in (random, plain)
    ]
    assert (found[0].looks == found[1].looks).all() and found[0].row == found[1].row
    assert (found[0].steps == np.asarray(found[1].steps)).all()


def test_a_strategy_that_fails_is_named_with_its_game():
    def outside(view):
        return view.n_moves

    def broken(view):
        raise ValueError("lost")

    rules = load_game("fart").Rules()
    for choose, hint in ((outside, "outside its moves"), (broken, "ValueError: lost")):
        player = Player(choose.__name__, choose)
        with pytest.raises(RunError, match=hint) as error:
            Playouts("fart", rules, [player] * 2, 5).survey(3)
        assert error.value.details["game_number"] == 3
        fine = load("fart", "random")
        with pytest.raises(RunError, match=hint):
            Playouts("fart", rules, [fine] * 2, 5, [player] * 2).survey(3, points=1, trials=1)
