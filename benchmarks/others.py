"""Other toolkits' random playouts, and our own rules in plain Python: rates on one core.

Each function of a name ending in ``_player`` prepares something to measure and returns a function
of no arguments that plays for about a third of a second and returns ``(moves, games, seconds)``,
the seconds being processor time.
"""

import importlib
import random
import time

from sim.cards import card_name
from sim.game import check_players, load_game
from tests.sim.games.harness import steps_of

OPEN_SPIEL_GAMES = {"crazy_eights": 4_000, "hearts": 3_000, "oh_hell": 5_000}
REFEREE_GAMES = {"fart": 30, "phalanx": 2, "fan_tan": 30, "arse_hole": 1}


def timed(play):
    """A measurement of ``play() -> (moves, games)``."""

    def measure():
        start = time.thread_time()
        moves, games = play()
        return moves, games, time.thread_time() - start

    return measure


def open_spiel_bots_player(name: str):
    """OpenSpiel's C++ bots: whole games with their deals, each dealt card counted as a move.

    The states are counted after the clock has stopped.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(p, p + 1) for p in range(game.num_players())]
    games, seeds = OPEN_SPIEL_GAMES[name], random.Random(1)

    def measure():
        states = [game.new_initial_state() for _ in range(games)]
        start = time.thread_time()
        for state in states:
            pyspiel.evaluate_bots(state, bots, seeds.randrange(2**31))
        seconds = time.thread_time() - start
        return sum(state.move_number() for state in states), games, seconds

    return measure


def dealt_state(game, rng):
    """A state of an OpenSpiel game with all cards dealt."""
    state = game.new_initial_state()
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(actions, chances)[0])
    return state


def open_spiel_loop(state, rng) -> int:
    """One random playout in Python; returns its moves, dealt cards among them."""
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(actions, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        moves += 1
    return moves


def open_spiel_rollouts_player(name: str):
    """OpenSpiel's C++ rollouts of its tree search, from five dealt tables; no deal is in them.

    The search reports no lengths: the mean is taken from 200 playouts in Python of each table.
    """
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)
    tables = []
    for _ in range(5):
        state = dealt_state(game, rng)
        tables.append((state, sum(open_spiel_loop(state.clone(), rng) for _ in range(200)) / 200))

    def play():
        moves, games = 0.0, 0
        for seed, (state, mean) in enumerate(tables):
            evaluator = pyspiel.RandomRolloutEvaluator(1000, seed)
            # Two visits, so two evaluations of 1,000 rollouts each; one visit crashes its search.
            bot = pyspiel.MCTSBot(game, evaluator, 1.0, 2, 100, False, seed, False)
            rollouts = 1000 * bot.mcts_search(state).explore_count
            moves += mean * rollouts
            games += rollouts
        return moves, games

    return timed(play)


def open_spiel_python_player(name: str):
    """OpenSpiel's games played by a loop in Python; each dealt card counts as a move."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def play():
        return sum(open_spiel_loop(game.new_initial_state(), rng) for _ in range(200)), 200

    return timed(play)


def rlcard_player():
    """RLCard's uno of two random agents."""
    import rlcard
    from rlcard.agents.random_agent import RandomAgent

    env = rlcard.make("uno")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play():
        before = env.timestep
        for _ in range(50):
            env.run()
        return env.timestep - before, 50

    return timed(play)


def referee_player(name: str):
    """Our rules in plain Python (the tests' referee), on games that the kernel has played.

    It lists the legal moves, draws one, and then makes the recorded move, so that the cards drawn
    are known.
    """
    module = load_game(name)
    referee_class = importlib.import_module(f"tests.referee.{name}").Referee
    rules = module.Rules(hands=1) if "hands" in module.Rules.options() else module.Rules()
    options = {name: value for name, value in rules.as_dict().items() if name != "script"}
    players, rng = check_players(module, None), random.Random(1)
    recorded = []
    for number in range(REFEREE_GAMES[name]):
        steps = steps_of(module, rules, players, 1, number)
        drawn = [card for step in steps for card in step.drawn]
        deal = [card_name(c) for c in module.deal_order(rules.lower(), steps[0].state, drawn)]
        moves = [(s.chosen, [card_name(c) for c in s.drawn]) for s in steps if s.chosen]
        recorded.append((deal, moves))

    def play():
        played = 0
        for deal, moves in recorded:
            referee = referee_class(options, players, deal)
            for chosen, cards in moves:
                rng.choice(referee.legal())
                referee.play(chosen, cards)
            played += len(moves)
        return played, len(recorded)

    return timed(play)
