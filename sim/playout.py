"""Positions of games played out to their end, again and again, with fresh chance.

Written once for all games, as `sim.loop` is. A playout goes on from a true position, the cards that
nobody sees and the order of the deck as they are: what it estimates is the value of the position,
not what a player could know of it. What is still drawn at random, and what the strategies draw, is
fresh in each playout.
"""

import dataclasses
import functools

import numpy as np

from sim import jit
from sim.errors import RunError
from sim.game import N_PARAMS, Player, RuleSet, load_game, scratch
from sim.loop import HANDS
from sim.rng import below, seed_stream, uniform
from sim.runner import as_index

NEVER = 2**62  # more decisions than any game has
MOST_DECISIONS = 2**19  # of a hand, as far as streams of chance are told apart
NO_MOVE = -1
#: Streams of playouts have purposes from here on; those of games lie far below.
PLAYOUTS = 2**62
#: One move of a game: who made which, of how many, in which phase.
STEP = np.dtype([(name, np.int32) for name in ("seat", "phase", "n_moves", "move")])

# Names that the game's module, or this one, supplies where the functions are bound.
deal = legal = apply = score = play_on = play_out = None


def play_on_(rules, seating, strategies, slip, state, views, until, steps):
    """Play from a position to the end, or until so many decisions of the hand have been made.

    Parameters
    ----------
    rules : record of the game's RULES
    seating : int64[n_players]
        Which strategy sits where.
    strategies : tuple of functions
    slip : float
        With this chance a choice is drawn evenly from the legal moves instead.
    state : record of the game's STATE
    views : array of the game's VIEW, one a seat
        Their rules, params and rng are used.
    until : int
        Where it stops the view of the seat to act is filled, and the choice not made.
    steps : array of STEP
        Move k of the hand is written to ``steps[k]``, as far as it goes.

    Returns
    -------
    int
        0 when a strategy returned ``state.choice``, outside its moves; else 1.
    """
    while not state.over:
        seat = state.seat
        view = views[seat]
        legal(rules, state, view)
        index = 0
        if view.n_moves > 1:
            if state.decisions >= until:
                return 1
            if slip > 0.0 and uniform(view.rng) < slip:
                index = below(view.rng, view.n_moves)
            else:
                index = strategies[seating[seat]](view)
            state.decisions += 1
            if index < 0 or index >= view.n_moves:
                state.choice = index
                return 0
        if state.moves < steps.shape[0]:
            step = steps[state.moves]
            step.seat = seat
            step.phase = view.phase
            step.n_moves = view.n_moves
            step.move = view.moves[index]
        state.moves += 1
        apply(rules, state, view.moves[index])
    return 1


def play_out_(
    rules, seating, strategies, params, slip, seed, number, mark, moves, states, views, rows, unseen
):
    """Play a position out after each of some moves.

    Parameters
    ----------
    rules, seating, strategies, slip
        As in `play_on_`.
    params : float64[n_strategies, 16]
    seed, number, mark : int64
        With the trial's number all that the fresh chance depends on: trial k after one move meets
        the same streams as trial k after another.
    moves : int64[n_moves]
        `NO_MOVE` plays on from the position as it is.
    states : array of the game's STATE, shape (2,)
        The position; scratch space, where a fault still stands.
    views : array of the game's VIEW, one a seat
        Scratch space.
    rows : array of the game's ROW, shape (n_moves, trials)
        Filled by the game's `score`.
    unseen : array of STEP, shape (0,)
        No steps are kept.

    Returns
    -------
    int
        0 after a fault, else 1.
    """
    for seat in range(seating.shape[0]):
        views[seat].rules = rules
        for j in range(params.shape[1]):
            views[seat].params[j] = params[seating[seat], j]
    for i in range(rows.shape[0]):
        for trial in range(rows.shape[1]):
            states[1] = states[0]
            state = states[1]
            purpose = PLAYOUTS + mark * 2**32 + trial * HANDS
            seed_stream(state.rng, seed, number, purpose)
            for seat in range(seating.shape[0]):
                seed_stream(views[seat].rng, seed, number, purpose + 1 + seat)
            if moves[i] != NO_MOVE:
                state.decisions += 1
                state.moves += 1
                apply(rules, state, moves[i])
            if not play_on(rules, seating, strategies, slip, state, views, NEVER, unseen):
                return 0
            score(rules, state, rows[i, trial])
    return 1


def survey_(
    rules,
    seating,
    others,
    strategies,
    params,
    slip,
    seed,
    number,
    hand,
    marks,
    states,
    views,
    spare,
    steps,
    unseen,
    no_moves,
    rows,
    looks,
    final,
):
    """Play one hand of a game, and play it out from before some of its decisions.

    Parameters
    ----------
    rules, strategies, params, slip, seed, number
        As in `play_out_`: without slips the game is that of `sim.loop.play`.
    seating, others : int64[n_players]
        Which strategies play the game, and which its playouts.
    hand : int
        The hands before it are played, and not looked at.
    marks : int64[n_marks]
        The numbers of the decisions, ascending; counted from 0 in each hand.
    states, views, spare
        Scratch space; the views of the game and those of the playouts.
    steps : array of STEP
    unseen, no_moves, rows
        As `unseen`, `moves` and `rows` in `play_out_`: one `NO_MOVE`, and shape (1, trials).
    looks : int32[n_marks, trials]
        The winners of each playout are written here, a bit a seat.
    final : record of the game's ROW
        What `score` says of the hand.

    Returns
    -------
    int
        1 when all is done; 0 after a fault in the game, -1 after one in a playout.
    """
    state = states[0]
    state.game = number
    state.seating = 0
    state.n_players = seating.shape[0]
    for seat in range(seating.shape[0]):
        views[seat].rules = rules
        for j in range(params.shape[1]):
            views[seat].params[j] = params[seating[seat], j]
    for h in range(hand + 1):
        seed_stream(state.rng, seed, number, HANDS * h)
        for seat in range(seating.shape[0]):
            seed_stream(views[seat].rng, seed, number, HANDS * h + 1 + seat)
        state.hand = h
        state.over = 0
        state.turns = 0
        state.moves = 0
        state.decisions = 0
        deal(rules, state)
        # One call plays to each mark, and then, or in a hand before, to the end.
        n_marks = marks.shape[0] if h == hand else 0
        for j in range(n_marks + 1):
            until = marks[j] if j < n_marks else NEVER
            if not play_on(rules, seating, strategies, slip, state, views, until, steps):
                return 0
            if j < n_marks:
                mark = h * MOST_DECISIONS + until
                if not play_out(
                    rules,
                    others,
                    strategies,
                    params,
                    slip,
                    seed,
                    number,
                    mark,
                    no_moves,
                    states,
                    spare,
                    rows,
                    unseen,
                ):
                    return -1
                for trial in range(looks.shape[1]):
                    looks[j, trial] = rows[0, trial].winners
    final.turns = state.turns
    final.moves = state.moves
    final.decisions = state.decisions
    final.hand = hand
    score(rules, state, final)
    return 1


@functools.cache
def bound(game: str, plain: bool):
    """The functions above for one game, compiled or (`plain`) as Python: by name."""
    names = dict(vars(load_game(game)))
    for function in (play_on_, play_out_, survey_):
        made = jit.bind(function, names, jit.routine)
        names[function.__name__[:-1]] = getattr(made, "py_func", made) if plain else made
    return names


@dataclasses.dataclass(frozen=True)
class Hand:
    """One hand that has been looked at.

    Attributes
    ----------
    row : record of the game's ROW
        Its result.
    steps : array of STEP, one a move
    marks : int64[n_marks]
        Before which decisions it was played out.
    looks : int32[n_marks, trials]
        The winners of each playout, a bit a seat; 0 where nobody won.
    """

    row: np.record
    steps: np.ndarray
    marks: np.ndarray
    looks: np.ndarray


class Playouts:
    """Plays a table's games, and plays their positions out.

    Parameters
    ----------
    game : str
    rules : RuleSet
    players : list of Player
        Who sits where in the game.
    seed : int
    others : list of Player, optional
        Who sits where in playouts; the same by default.
    slip : float
        With this chance each choice, in the game and in playouts, is drawn evenly from the legal
        moves. Where all cards are dealt and no strategy draws numbers, nothing but slips tells
        one playout from another.
    """

    def __init__(
        self,
        game: str,
        rules: RuleSet,
        players: list[Player],
        seed: int,
        others: list[Player] | None = None,
        slip: float = 0.0,
    ):
        self.game, self.module, self.rules, self.seed = game, load_game(game), rules, seed
        self.slip = float(slip)
        self.players, self.others = players, others or players
        self.different = list(dict.fromkeys([*self.players, *self.others]))
        self.plain = not all(jit.is_compiled(player.choose) for player in self.different)
        self.functions = bound(game, self.plain)
        self.params = np.zeros((len(self.different), N_PARAMS))
        for i, player in enumerate(self.different):
            self.params[i, : len(player.params)] = player.params
        self.choosers = tuple(
            jit.compile_strategy(player.choose, self.module.VIEW)
            if jit.is_compiled(player.choose)
            else as_index(player.choose)
            for player in self.different
        )
        if not self.plain:
            missing = jit.tuple_size(len(self.choosers)) - len(self.choosers)
            self.choosers += self.choosers[:1] * missing

    def seats(self, players: list[Player]) -> np.ndarray:
        """Which of the different players sits where."""
        return np.array([self.different.index(player) for player in players], np.int64)

    def call(self, name: str, number: int, states, *args) -> None:
        """Call one of the functions, compiled for these arguments first where that is new.

        Raises
        ------
        RunError
            If a strategy raises, or returns an index outside its moves.
        """
        function = self.functions[name]
        if not self.plain:
            jit.compile_for(function, self.module.VIEW, args)
        try:
            done = function(*args)
        except (Exception, SystemExit) as error:
            raise self.fault(number, states, f"raised {type(error).__name__}: {error}") from error
        if done != 1:
            state = states[1 if name == "play_out" or done < 0 else 0]
            raise self.fault(number, states, f"returned {int(state.choice)}, outside its moves")

    def fault(self, number: int, states, problem: str) -> RunError:
        """The error of a strategy that failed, in a game or in a playout of it."""
        names = ", ".join(player.name for player in self.different)
        return RunError(
            f"a strategy of {names} {problem}, in game {number} with seed {self.seed} or a playout "
            f"from its decision {int(states[0].decisions)}",
            game=self.game,
            seed=self.seed,
            game_number=number,
        )

    def scratch(self) -> tuple:
        """A pair of states, the views of the game and those of its playouts."""
        n = len(self.players)
        states = np.zeros(2, self.module.STATE).view(np.recarray)
        return states, scratch(self.module, n)[1], scratch(self.module, n)[1]

    def survey(self, number: int, hand: int = 0, points: int = 0, trials: int = 0) -> Hand:
        """Play one hand of one game, and play it out from some of its positions.

        Parameters
        ----------
        number : int
            Of the game.
        hand : int
            Of the session.
        points : int
            How many positions: before each decision where there are no more of them, else before
            decisions evenly spread over the hand.
        trials : int
            How often each is played out.

        Raises
        ------
        RunError
            If a strategy raises, or returns an index outside its moves.
        """
        rough = self.play(number, hand, np.zeros(0, np.int64), 0, 0)
        decisions = int(rough.row.decisions)
        marks = np.unique(np.arange(points) * max(decisions, points) // max(points, 1))
        return self.play(number, hand, marks[marks < decisions], trials, int(rough.row.moves))

    def play(self, number: int, hand: int, marks, trials: int, moves: int) -> Hand:
        """`survey` at given marks, keeping so many moves."""
        states, views, spare = self.scratch()
        rows = np.zeros((1, trials), self.module.ROW)
        final = np.zeros(1, self.module.ROW).view(np.recarray)
        steps, looks = np.zeros(moves, STEP), np.zeros((len(marks), trials), np.int32)
        if self.plain:
            rows, steps = rows.view(np.recarray), steps.view(np.recarray)
        self.call(
            "survey",
            number,
            states,
            self.rules.lower(),
            self.seats(self.players),
            self.seats(self.others),
            self.choosers,
            self.params,
            self.slip,
            self.seed,
            number,
            hand,
            marks,
            states,
            views,
            spare,
            steps,
            np.zeros(0, STEP),
            np.full(1, NO_MOVE),
            rows,
            looks,
            final[0],
        )
        final.game = final.deal = number
        return Hand(final[0], steps, marks, looks)

    def rate(self, state, moves, trials: int, number: int, mark: int = 0) -> np.ndarray:
        """Play a position out after each of some moves, with the same fresh chance after each.

        Parameters
        ----------
        state : record of the game's STATE
            Before a move of ``state.seat``.
        moves : sequence of int
            As in ``view.moves``; `NO_MOVE` lets the strategy of the seat choose.
        trials : int
        number, mark : int
            What tells the chance of these playouts from that of others with this seed: the game's
            number, and one below 2**29 for the position.

        Returns
        -------
        array of the game's ROW, shape (moves, trials)

        Raises
        ------
        RunError
            If a strategy raises, or returns an index outside its moves.
        """
        states, _, spare = self.scratch()
        states[0] = state
        rows = np.zeros((len(moves), trials), self.module.ROW)
        self.call(
            "play_out",
            number,
            states,
            self.rules.lower(),
            self.seats(self.others),
            self.choosers,
            self.params,
            self.slip,
            self.seed,
            number,
            mark,
            np.array(moves, np.int64),
            states,
            spare,
            rows.view(np.recarray) if self.plain else rows,
            np.zeros(0, STEP),
        )
        return rows
