"""All against all: a payoff matrix, ratings, cycles, and what a population would come to play.

Every deal is played by every pair of strategies from every seat, so all comparisons share their
luck, and the deal is the unit of every interval: bootstraps draw deals, with all their games.
"""

import dataclasses
import itertools
import math

import numpy as np

from analysis.estimates import LEVEL, t_quantile
from analysis.measures import points, points_unit
from sim.errors import UsageError

RESAMPLES = 200
PRIOR = (
    0.5  # games won and lost that each seat of each seating is given, so that ratings are finite
)
ELO = 400 / math.log(10)  # a rating's unit for one of log-odds
POPULATION = 50  # of alpha-rank
ALPHA = 1000.0  # its ranking intensity: so large that the better of two all but always spreads
MAX_POINTS = 200_000_000  # numbers kept


def seatings_of(n_strategies: int, n_seats: int) -> list[list[int]]:
    """Every pair at the table from every seat.

    Two seats: each pair both ways round. More: one of the first in each seat among others of the
    second, for every ordered pair.
    """
    pairs = itertools.combinations if n_seats == 2 else itertools.permutations
    return [
        [one if s == seat else others for s in range(n_seats)]
        for one, others in pairs(range(n_strategies), 2)
        for seat in range(n_seats)
    ]


class Payoffs:
    """What every seat won, by deal and seating.

    Parameters
    ----------
    seatings : sequence of sequences of int
        As of `seatings_of`.
    n_strategies, deals, hands : int

    Raises
    ------
    UsageError
        If so many numbers do not fit.
    """

    def __init__(self, seatings, n_strategies: int, deals: int, hands: int = 1):
        self.seatings = np.array(seatings)
        self.n, self.n_seats, self.hands = n_strategies, self.seatings.shape[1], hands
        self.unit = points_unit(self.n_seats) * hands
        size = deals * self.seatings.size
        if size > MAX_POINTS:
            raise UsageError(
                f"the tournament would keep {size:,} numbers; at most {MAX_POINTS:,} fit: fewer "
                "--games or strategies"
            )
        self.parts = []

    def add(self, table) -> None:
        """Take a chunk of whole deals."""
        won = points(table, self.n_seats).astype(np.int32)
        won = won.reshape(-1, len(self.seatings), self.hands, self.n_seats).sum(axis=2)
        self.parts.append(won)

    def by_deal(self) -> np.ndarray:
        """Won games, float64[deals, seatings, seats]; several winners have equal parts."""
        if len(self.parts) > 1:
            self.parts = [np.concatenate(self.parts)]
        return self.parts[0] / self.unit

    def scores(self, won) -> dict[tuple[int, int], np.ndarray]:
        """The mean score of one of the first strategy against the second, by pair.

        Parameters
        ----------
        won : float64[..., seatings, seats]

        Returns
        -------
        dict
            Ordered pair to float64[...].
        """
        found = {}
        for pair in itertools.permutations(range(self.n), 2):
            mine = self.seatings == pair[0]
            there = (mine.sum(axis=1) == 1) & (self.seatings == pair[1]).any(axis=1)
            found[pair] = won[..., there, :][..., mine[there]].mean(axis=-1)
        return found

    def log_odds(self, won, deals: int) -> np.ndarray:
        """By how much each strategy is above each other, in log-odds, antisymmetric.

        Scores are drawn to even by a game in all, so that none is infinite.
        """
        matrix = np.zeros((self.n, self.n))
        games = deals * self.n_seats
        for (i, j), score in self.scores(won).items():
            share = (score * games + PRIOR * 2 / self.n_seats) / (games + 2 * PRIOR)
            matrix[i, j] = math.log(share / (1 - share) * (self.n_seats - 1))
        return (matrix - matrix.T) / 2


def plackett_luce(seatings, won, n: int, start=None) -> tuple[np.ndarray, np.ndarray]:
    """Ratings of strategies, and of seats, by who wins.

    The player of strategy i in seat s wins with a chance of exp(r_i + g_s) by the sum of that over
    the table: Plackett and Luce's model of the first place, and with two seats that of Bradley and
    Terry (*Biometrika* 39, 1952) with a term for the seat. Shared wins count for each winner in
    equal parts.

    Parameters
    ----------
    seatings : int[k, seats]
    won : float64[k, seats]
        Games that each seat won in each seating.
    n : int
        Strategies.
    start : float64[n + seats], optional

    Returns
    -------
    (float64[n], float64[seats])
        In log-odds, each with a mean of 0.
    """
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    n_seats = seatings.shape[1]
    won = won + PRIOR / n_seats
    games = won.sum(axis=1, keepdims=True)

    def loss(x):
        utility = x[seatings] + x[n:]
        total = logsumexp(utility, axis=1, keepdims=True)
        away = won - games * np.exp(utility - total)
        slope = np.zeros_like(x)
        np.add.at(slope, seatings, away)
        slope[n:] = away.sum(axis=0)
        # What the games do not decide, the sums of all ratings and of all seats, is held at 0.
        held = np.array([x[:n].sum(), x[n:].sum()])
        value = (won * (utility - total)).sum() - 0.5 * (held**2).sum()
        slope[:n] -= held[0]
        slope[n:] -= held[1]
        return -value / games.sum(), -slope / games.sum()

    start = np.zeros(n + n_seats) if start is None else start
    x = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-7}).x
    return x[:n] - x[:n].mean(), x[n:] - x[n:].mean()


def cyclic_share(matrix: np.ndarray) -> float:
    """How much of an antisymmetric matrix no rating can explain, from 0 to 1.

    The part beside r_i - r_j with r the row means, by squares (Balduzzi et al., "Re-evaluating
    evaluation", NeurIPS 2018).
    """
    rating = matrix.mean(axis=1)
    rest = matrix - (rating[:, None] - rating[None, :])
    whole = (matrix**2).sum()
    return float((rest**2).sum() / whole) if whole > 0 else 0.0


def nash_mix(matrix: np.ndarray) -> np.ndarray:
    """The maximum-entropy equilibrium mix of an antisymmetric game.

    Parameters
    ----------
    matrix : float64[n, n]
        What the row wins from the column.

    Returns
    -------
    float64[n]
        Of all mixes that no strategy beats the most even one (Balduzzi et al. 2018): a copy of a
        strategy shares its part and changes no rating.
    """
    from scipy.optimize import linprog, minimize

    n = len(matrix)
    scale = max(np.abs(matrix).max(), 1e-12)
    game = matrix / scale
    slack = 1e-9
    sure = dict(A_ub=game, b_ub=np.full(n, slack), A_eq=np.ones((1, n)), b_eq=[1], bounds=(0, 1))
    # Which strategies can have a part at all, and a mix in which they all do.
    corners = [linprog(-np.eye(n)[i], **sure).x for i in range(n)]
    start = np.mean(corners, axis=0)
    able = start > 1e-7
    if able.sum() == 1:
        return able.astype(float)
    k = int(able.sum())

    def loss(p):
        q = np.maximum(p, 1e-12)
        return float((q * np.log(q)).sum()), np.log(q) + 1

    rows = game[:, able]
    found = minimize(
        loss,
        start[able] / start[able].sum(),
        jac=True,
        method="SLSQP",
        bounds=[(0, 1)] * k,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(k)},
            {"type": "ineq", "fun": lambda p: slack - rows @ p, "jac": lambda p: -rows},
        ],
        options={"ftol": 1e-12, "maxiter": 500},
    )
    p = np.zeros(n)
    best = found.x if (rows @ found.x).max() < 1e-6 else start[able]
    p[able] = np.maximum(best, 0)
    return p / p.sum()


def alpha_rank(matrix: np.ndarray) -> np.ndarray:
    """How long a population that imitates success plays each strategy.

    The stationary distribution of the chain in which a mutant of another strategy takes over a
    population of `POPULATION` with the fixation probability (1 - e^-aD) / (1 - e^-maD), D what it
    wins from those there (Omidshafiei et al., *Scientific Reports* 9, 2019), for a large a.

    Parameters
    ----------
    matrix : float64[n, n]
        What the row wins from the column, antisymmetric.

    Returns
    -------
    float64[n]
    """
    n, m = len(matrix), POPULATION
    gain = np.clip(ALPHA * matrix.T, -700 / m, 700 / m)  # of the column's mutant in the row's home
    with np.errstate(divide="ignore", invalid="ignore"):
        fixed = np.where(gain == 0, 1 / m, np.expm1(-gain) / np.expm1(-m * gain))
    chain = fixed / (n - 1)
    np.fill_diagonal(chain, 0)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    equations = np.vstack([chain.T - np.eye(n), np.ones(n)])
    found = np.linalg.lstsq(equations, np.append(np.zeros(n), 1), rcond=None)[0]
    return np.maximum(found, 0) / np.maximum(found, 0).sum()


@dataclasses.dataclass(frozen=True)
class Standing:
    """What a tournament comes to; `low` and `high` of every number beside it.

    Attributes
    ----------
    matrix : dict
        Ordered pair to (score, low, high, p): the score of one of the first against the second, and
        the one-sided chance of so high a score were it even.
    ratings, nash, nash_rating, alpha : float64[n, 3]
        Value, low, high by strategy: Elo with mean 0, part in the equilibrium mix, Elo against that
        mix, part in alpha-rank.
    seats : float64[seats, 3]
        Elo of each seat, with mean 0.
    cyclic : float64[3]
    cycles : list of dict
        Cycles of three strategies, each surely better than the next.
    """

    matrix: dict
    ratings: np.ndarray
    seats: np.ndarray
    nash: np.ndarray
    nash_rating: np.ndarray
    alpha: np.ndarray
    cyclic: np.ndarray
    cycles: list

    @property
    def order(self) -> list[int]:
        """The strategies from the highest rating to the lowest."""
        return np.argsort(-self.ratings[:, 0], kind="stable").tolist()

    def beats(self, a: int, b: int, level: float = LEVEL) -> bool:
        """Whether a is surely better than b, even among all ordered pairs (Bonferroni)."""
        return self.matrix[a, b][3] * len(self.matrix) < (1 - level) / 2


def standing(payoffs: Payoffs, seed: int, level: float = LEVEL) -> Standing:
    """All that is said of a tournament.

    Parameters
    ----------
    payoffs : Payoffs
    seed : int
        Of the bootstrap.
    level : float
    """
    won = payoffs.by_deal()
    deals = len(won)
    rng = np.random.default_rng(seed % 2**63)
    flat = won.reshape(deals, -1)
    drawn = rng.multinomial(deals, np.full(deals, 1 / deals), RESAMPLES)
    totals = np.vstack([flat.sum(axis=0), drawn @ flat]).reshape(-1, *won.shape[1:])
    found, start = [], None
    for total in totals:
        ratings, seats = plackett_luce(payoffs.seatings, total, payoffs.n, start)
        start = np.concatenate([ratings, seats]) if start is None else start
        matrix = payoffs.log_odds(total / deals, deals)
        mix = nash_mix(matrix)
        found.append(
            (
                ELO * ratings,
                ELO * seats,
                mix,
                ELO * (matrix @ mix),
                alpha_rank(matrix),
                np.array([cyclic_share(matrix)]),
            )
        )
    tail = 100 * (1 - level) / 2
    bands = []
    for column in zip(*found):
        low, high = np.percentile(column[1:], [tail, 100 - tail], axis=0)
        value = column[0]
        bands.append(np.stack([value, np.minimum(low, value), np.maximum(high, value)], axis=1))
    pairs = matrix_of(payoffs, won, level)
    return Standing(pairs, *bands[:5], bands[5][0], cycles_of(pairs, payoffs.n, level))


def matrix_of(payoffs: Payoffs, won, level: float) -> dict:
    """Every pair's score with its interval by deal."""
    from scipy.special import stdtr

    found, even = {}, 1 / payoffs.n_seats
    for pair, scores in payoffs.scores(won).items():
        n, mean = len(scores), float(scores.mean())
        error = float(scores.std(ddof=1)) / math.sqrt(n)
        if error == 0:
            found[pair] = (mean, *alike(mean, n, even, level))
            continue
        half = t_quantile(n, level) * error
        p = float(stdtr(n - 1, (even - mean) / error))
        found[pair] = (mean, max(0.0, mean - half), min(1.0, mean + half), p)
    return found


def alike(score: float, n: int, even: float, level: float) -> tuple[float, float, float]:
    """Interval and p of a score that is the same in all of n deals, where no spread is seen.

    By Wilson's bound a deal of another score, from 0 to 1, has a chance of at most d; that leaves a
    mean from score (1 - d) to score (1 - d) + d. Were the mean even, one deal would score this much
    with a chance of at most even / score (Markov), and n deals with that to the power n.
    """
    from analysis.estimates import wilson

    other = 1 - wilson(n, n, level)[0]
    p = (even / score) ** n if score > even else 1.0
    return score * (1 - other), score * (1 - other) + other, p


def cycles_of(matrix: dict, n: int, level: float = LEVEL) -> list[dict]:
    """Cycles of three in which each is surely better than the next.

    A cycle stands where all three of its steps do: its p is the largest of theirs, adjusted by
    Holm's method over all triples both ways round.
    """
    from statsmodels.stats.multitest import multipletests

    ways = [
        way
        for triple in itertools.combinations(range(n), 3)
        for way in (triple, (triple[0], triple[2], triple[1]))
    ]
    if not ways:
        return []
    p = [max(matrix[a, b][3], matrix[b, c][3], matrix[c, a][3]) for a, b, c in ways]
    sure, adjusted, _, _ = multipletests(p, 1 - level, "holm")
    return [
        {"of": list(way), "p_holm": float(q)} for way, yes, q in zip(ways, sure, adjusted) if yes
    ]
