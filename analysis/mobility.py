"""Arse Hole's ranks as a Markov chain: who climbs, who stays, how long it takes.

A player's rank before a hand and after it are one step of a chain. The session is the unit of every
interval: hands of one session share their players and pass the ranks on, so they are no independent
observations. Where all play alike and nothing but the rank is carried over, the chain is exactly
Markov; with strategies of different strength the ranks tell who plays too, so each strategy has a
chain of its own beside that of the whole table, and what `climb` observes shows how far a chain is
from the truth.
"""

import math

import numpy as np

from analysis.estimates import LEVEL, Estimate, t_quantile
from analysis.measures import stack

MAX_BLOCKS = 1000  # of successive sessions: memory does not grow with the run
RESAMPLES = 1000
ALL = "all"

CHAIN = {
    "second_eigenvalue": (
        "modulus of the second largest eigenvalue of the transition matrix: 0 when a hand wipes "
        "out all rank, 1 when ranks never mix"
    ),
    "shorrocks_index": (
        "(n - trace) / (n - 1) of the transition matrix of n ranks (Shorrocks, Econometrica 1978): "
        "0 when nobody moves, 1 when a hand wipes out all rank"
    ),
    "hands_to_king": (
        "expected hands until the Arse Hole has rank 1 (King; God from 14 players), by the "
        "transition matrix's fundamental matrix"
    ),
}
OF_TABLE = {
    "rank_correlation": "correlation between a player's rank before a hand and after it",
    "mean_rank": "mean rank after a hand (1: the highest)",
}


class Ranks:
    """How often a player went from rank to rank, by block of sessions, as whole numbers.

    Parameters
    ----------
    strategies : list of str
        Who sits in each seat.
    hands : int
        Of a session.
    sessions : int
        How many the whole run will have, for the size of a block.
    start : int
        The first hand that counts: 1 where a session's first is another game, without an exchange.
        Its steps would be those of another chain.

    Attributes
    ----------
    names : list of str
        The different strategies.
    blocks : dict of int to int64[n_names, n, n]
        Steps by strategy, rank before and rank after a hand.
    firsts : int64[n_names, hands - start + 1]
        By strategy, how many of the Arse Holes at the start were first King after so many hands; at
        0 those who never were.
    flow : int64[n_names, n, hands - start, n]
        By strategy, rank at the start and hand from it, how many had each rank after that hand.
    """

    def __init__(self, strategies: list[str], hands: int, sessions: int, start: int = 0):
        self.names = list(dict.fromkeys(strategies))
        self.seats = np.array([self.names.index(name) for name in strategies])
        self.hands, self.start = hands, start
        self.block = max(1, -(-sessions // MAX_BLOCKS))
        self.sessions = 0
        n = self.n = len(strategies)
        self.blocks: dict[int, np.ndarray] = {}
        self.firsts = np.zeros((len(self.names), hands - start + 1), np.int64)
        self.flow = np.zeros((len(self.names), n, hands - start, n), np.int64)

    def add(self, table) -> None:
        """Count a chunk of whole sessions, a row a hand.

        Parameters
        ----------
        table : pandas.DataFrame
            With the columns game, ``rank_before[seat]`` and ``score[seat]``.
        """
        n, shape = self.n, (-1, self.hands, self.n)
        before = stack(table, "rank_before", n).astype(np.int64).reshape(shape) - 1
        after = stack(table, "score", n).astype(np.int64).reshape(shape) - 1
        number = table["game"].to_numpy()[:: self.hands] // self.block
        places, inverse = np.unique(number, return_inverse=True)
        size = (len(places), len(self.names), n, n)
        before, after = before[:, self.start :], after[:, self.start :]
        steps = counted((inverse[:, None, None], self.seats, before, after), size, after.shape)
        for place, counts in zip(places.tolist(), steps):
            self.blocks[place] = self.blocks.get(place, 0) + counts
        start, hand = before[:, :1], np.arange(self.hands - self.start)[:, None]
        self.flow += counted((self.seats, start, hand, after), self.flow.shape, after.shape)
        low = start[:, 0].argmax(axis=1)
        king = np.take_along_axis(after, low[:, None, None], axis=2)[:, :, 0] == 0
        first = np.where(king.any(axis=1), king.argmax(axis=1) + 1, 0)
        np.add.at(self.firsts, (self.seats[low], first), 1)
        self.sessions += len(before)

    def merge(self, other: "Ranks") -> None:
        """Take over what another count of the same run has."""
        for place, counts in other.blocks.items():
            self.blocks[place] = self.blocks.get(place, 0) + counts
        self.firsts += other.firsts
        self.flow += other.flow
        self.sessions += other.sessions

    def groups(self) -> list[str]:
        """The whole table, and where strategies are mixed each of them."""
        return [ALL] if len(self.names) == 1 else [ALL, *self.names]

    def counts(self, group: str) -> np.ndarray:
        """The steps of the whole table or of a strategy, shape (blocks, n, n)."""
        steps = np.stack([self.blocks[place] for place in sorted(self.blocks)])
        return steps.sum(axis=1) if group == ALL else steps[:, self.names.index(group)]


def counted(index, size, shape) -> np.ndarray:
    """How often each cell of an array of some size is named by indices that fill a shape."""
    flat = np.ravel_multi_index([np.broadcast_to(i, shape) for i in index], size)
    return np.bincount(flat.ravel(), minlength=math.prod(size)).reshape(size)


# --- of transition matrices -----------------------------------------------------------------------


def matrix_of(counts: np.ndarray) -> np.ndarray:
    """Transition matrices of counted steps, shape (..., n, n); NaN where a rank never was."""
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=-1, keepdims=True)


def solve(matrices: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve systems, shapes (..., n, n) and (n,); infinite where one has no single solution."""
    try:
        return np.linalg.solve(matrices, np.broadcast_to(right, matrices.shape[:-1])[..., None])[
            ..., 0
        ]
    except np.linalg.LinAlgError:
        if matrices.ndim == 2:
            return np.full(len(right), math.inf)
        return np.stack([solve(matrix, right) for matrix in matrices])


def stationary(matrix: np.ndarray) -> np.ndarray:
    """The shares p of time in each state, with p P = p and sum 1; shape (..., n)."""
    n = matrix.shape[-1]
    return solve(np.swapaxes(np.eye(n) - matrix + 1, -1, -2), np.ones(n))


def second_eigenvalue(matrix: np.ndarray) -> np.ndarray:
    """The modulus of the second largest eigenvalue, shape (...)."""
    return np.sort(np.abs(np.linalg.eigvals(matrix)), axis=-1)[..., -2]


def shorrocks(matrix: np.ndarray) -> np.ndarray:
    """Shorrocks's index of mobility, (n - trace) / (n - 1), shape (...)."""
    n = matrix.shape[-1]
    return (n - np.trace(matrix, axis1=-2, axis2=-1)) / (n - 1)


def hands_to_first(matrix: np.ndarray) -> np.ndarray:
    """Expected steps from the last state to the first, shape (...).

    They are the sum of the last row of the fundamental matrix (I - Q)^-1, where Q is the matrix
    without the first state (Kemeny and Snell, Finite Markov Chains, 1960).
    """
    rest = matrix[..., 1:, 1:]
    n = rest.shape[-1]
    hands = solve(np.eye(n) - rest, np.ones(n))[..., -1]
    # A system that is singular but for rounding: the first state is out of reach.
    return np.where((hands < 0.5) | (hands > 1e9), math.inf, hands)


def reached_first(matrix: np.ndarray, steps: int) -> np.ndarray:
    """The chance to have been in the first state after 1, 2, ... steps from the last one.

    Shape (..., steps).
    """
    rest = matrix[..., 1:, 1:]
    there = np.zeros(rest.shape[:-1])
    there[..., -1] = 1
    found = []
    for _ in range(steps):
        there = (there[..., None, :] @ rest)[..., 0, :]
        found.append(1 - there.sum(axis=-1))
    return np.stack(found, axis=-1)


def correlation(counts: np.ndarray) -> np.ndarray:
    """The correlation between the states before and after, shape (...), 0 where one never varies.

    In one hand of the whole table both are ranks without ties, so this is Spearman's.
    """
    state = np.arange(counts.shape[-1])
    total = counts.sum(axis=(-2, -1))
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    x, y = rows @ state / total, columns @ state / total
    spread = (rows @ state**2 / total - x**2) * (columns @ state**2 / total - y**2)
    joint = np.einsum("...ij,i,j->...", counts, state, state) / total - x * y
    return np.where(spread > 0, joint / np.sqrt(np.where(spread > 0, spread, 1)), 0.0)


def mean_rank(counts: np.ndarray) -> np.ndarray:
    """The mean rank after a hand, shape (...)."""
    ranks = np.arange(1, counts.shape[-1] + 1)
    return counts.sum(axis=-2) @ ranks / counts.sum(axis=(-2, -1))


def is_connected(matrix: np.ndarray) -> bool:
    """Whether every rank was held, and leads to every other."""
    n = len(matrix)
    return bool((np.linalg.matrix_power(np.eye(n) + (matrix > 0), n) > 0).all())


# --- intervals ------------------------------------------------------------------------------------


def resampled(ranks: Ranks, seed: int) -> np.ndarray:
    """How often each block counts in each bootstrap sample, shape (resamples, blocks)."""
    n = len(ranks.blocks)
    return np.random.default_rng([abs(seed), n]).multinomial(n, [1 / n] * n, RESAMPLES)


def interval(values: np.ndarray, units: int, level: float = LEVEL):
    """The expanded percentile interval of a statistic's bootstrap values, by their first axis.

    The percentiles lie further out than the level says, by as much as Student's t interval of so
    many units is wider than the normal one (Hesterberg, The American Statistician 2015).
    """
    from scipy.special import ndtr

    if units < 2:
        edge = np.full(values.shape[1:], math.inf)
        return -edge, edge
    tail = float(ndtr(-math.sqrt(units / (units - 1)) * t_quantile(units, level)))
    return np.quantile(values, [tail, 1 - tail], axis=0, method="nearest")


def share_interval(hits: np.ndarray, tries: np.ndarray, level: float = LEVEL):
    """Shares over all units with their intervals; hits and tries have the units as first axis.

    The variance is that of a ratio over units. It gives the number of independent tries that would
    tell as much, and that number, cut down for few units as by Korn and Graubard (Survey
    Methodology 1998), a Wilson interval; so shares of 0 and 1 have an interval too.

    Returns
    -------
    value, low, high : float arrays
        NaN, 0 and 1 where there were no tries.
    """
    from scipy.special import ndtri
    from statsmodels.stats.proportion import proportion_confint

    units, total = len(hits), tries.sum(axis=0)
    seen = np.maximum(total, 1)
    value = hits.sum(axis=0) / seen
    low, high = np.zeros(value.shape), np.ones(value.shape)
    if units > 1:
        variance = ((hits - value * tries) ** 2).sum(axis=0) * units / (units - 1) / seen**2
        known = (variance > 0) & (value > 0) & (value < 1)
        even = np.where(known, value * (1 - value) / np.where(known, variance, 1), seen)
        even = even * (float(ndtri((1 + level) / 2)) / t_quantile(units, level)) ** 2
        low, high = proportion_confint(value * even, even, 1 - level, method="wilson")
    none = total == 0
    return (
        np.where(none, np.nan, value),
        np.where(none, 0.0, np.clip(low, 0, value)),
        np.where(none, 1.0, np.clip(high, value, 1)),
    )


def bootstrap_matrices(counts, weights) -> np.ndarray:
    """The transition matrix of each bootstrap sample, shape (resamples, n, n).

    A rank that a sample of the blocks lacks keeps its row of all blocks.
    """
    sums = np.tensordot(weights, counts, axes=1)
    matrices = matrix_of(sums)
    return np.where(np.isnan(matrices), matrix_of(counts.sum(axis=0)), matrices)


# --- what is reported -----------------------------------------------------------------------------


def transitions(ranks: Ranks, level: float = LEVEL):
    """The chance of each rank after a hand by the rank before it.

    Returns
    -------
    pandas.DataFrame
        Columns strategy (``all`` for the whole table), before, after, steps, value, low, high; NaN
        for a rank that a strategy never had.
    """
    import pandas as pd

    n, parts = ranks.n, []
    before, after = np.meshgrid(np.arange(1, n + 1), np.arange(1, n + 1), indexing="ij")
    for group in ranks.groups():
        counts = ranks.counts(group)
        tries = np.broadcast_to(counts.sum(axis=2, keepdims=True), counts.shape)
        value, low, high = share_interval(counts, tries, level)
        columns = {"before": before, "after": after, "steps": counts.sum(axis=0)}
        columns |= {"value": value, "low": low, "high": high}
        part = pd.DataFrame({name: column.ravel() for name, column in columns.items()})
        part.insert(0, "strategy", group)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def estimates(ranks: Ranks, seed: int, level: float = LEVEL) -> list[Estimate]:
    """All numbers of the chain of ranks, of the whole table and of each strategy of a mixed one.

    A strategy's are named ``second_eigenvalue[S]`` and so on. Numbers that need every rank to lead
    to every other are left out where the steps counted do not show that.

    Parameters
    ----------
    ranks : Ranks
    seed : int
        Of the run; the bootstrap's random numbers depend on it.
    level : float
    """
    weights = resampled(ranks, seed)
    units = len(ranks.blocks)
    found, means = [], {}

    def note(name, value, edges, low, high, definition):
        value = float(value)
        found.append(
            Estimate(
                name,
                value,
                min(value, max(low, float(edges[0]))),
                max(value, min(high, float(edges[1]))),
                level,
                ranks.sessions,
                ranks.sessions,
                definition,
            )
        )

    shares = transitions(ranks, level)
    for group in ranks.groups():
        counts = ranks.counts(group)
        sums, sampled = counts.sum(axis=0), np.tensordot(weights, counts, axes=1)
        matrix, matrices = matrix_of(sums), bootstrap_matrices(counts, weights)
        of = "" if group == ALL else f"[{group}]"
        whose = "" if group == ALL else f", of players of {group}"
        connected = is_connected(matrix)
        limits = {
            "second_eigenvalue": (second_eigenvalue, 0, 1),
            "shorrocks_index": (shorrocks, 0, ranks.n / (ranks.n - 1)),
            "hands_to_king": (hands_to_first, 1, math.inf),
        }
        for name, (function, low, high) in limits.items() if connected else ():
            value, edges = function(matrix), interval(function(matrices), units, level)
            if name == "second_eigenvalue":
                # Noise makes small moduli larger, in the samples once more than in the data: the
                # interval is turned round its value, or it would miss an eigenvalue of 0.
                edges = 2 * value - edges[1], 2 * value - edges[0]
            note(name + of, value, edges, low, high, CHAIN[name] + whose)
        values = correlation(sampled)
        edges = interval(values, units, level)
        text = OF_TABLE["rank_correlation"] + whose
        note(f"rank_correlation{of}", correlation(sums), edges, -1, 1, text)
        if group != ALL:
            means[group] = mean_rank(sampled), mean_rank(sums)
            edges = interval(means[group][0], units, level)
            text = OF_TABLE["mean_rank"] + whose
            note(f"mean_rank{of}", means[group][1], edges, 1, ranks.n, text)
        diagonal = shares[(shares.strategy == group) & (shares.before == shares.after)]
        for row in diagonal[diagonal.value.notna()].itertuples():
            text = (
                f"chance to keep rank {row.before} in a hand (1: the highest, {ranks.n}: Arse Hole)"
            )
            note(f"stay[{row.before}]{of}", row.value, (row.low, row.high), 0, 1, text + whose)
        if connected:
            low, high = interval(stationary(matrices), units, level)
            for rank, value in enumerate(stationary(matrix)):
                text = f"share of hands with rank {rank + 1} in the long run, by the chain"
                edges = low[rank], high[rank]
                note(f"stationary[{rank + 1}]{of}", value, edges, 0, 1, text + whose)
    if len(means) == 2:
        (a, b), limit = means, ranks.n
        edges = interval(means[a][0] - means[b][0], units, level)
        value = means[a][1] - means[b][1]
        text = f"mean rank of {a} less that of {b}: below 0 {a} stands higher"
        note("mean_rank_difference", value, edges, -limit, limit, text)
    return found


def climb(ranks: Ranks, seed: int, level: float = LEVEL):
    """The chance that who starts as Arse Hole has been King after so many hands.

    Returns
    -------
    pandas.DataFrame
        Columns strategy, hands, value, low, high by the chain, with bootstrap intervals; and
        observed, observed_low, observed_high: the share of those who were Arse Hole at the start of
        each session, with Wilson intervals.
    """
    import pandas as pd
    from statsmodels.stats.proportion import proportion_confint

    weights, parts = resampled(ranks, seed), []
    hands = ranks.hands - ranks.start
    for group in ranks.groups():
        counts = ranks.counts(group)
        matrix = matrix_of(counts.sum(axis=0))
        if not is_connected(matrix):
            continue
        bands = reached_first(bootstrap_matrices(counts, weights), hands)
        low, high = interval(bands, len(ranks.blocks), level)
        firsts = (
            ranks.firsts.sum(axis=0) if group == ALL else ranks.firsts[ranks.names.index(group)]
        )
        reached, starts = firsts[1:].cumsum(), max(1, firsts.sum())
        edges = proportion_confint(reached, starts, 1 - level, method="wilson")
        part = pd.DataFrame(
            {
                "strategy": group,
                "hands": np.arange(1, hands + 1),
                "value": reached_first(matrix, hands),
                "low": np.clip(low, 0, 1),
                "high": np.clip(high, 0, 1),
                "observed": reached / starts,
                # Rounding can put a bound of none or of all a hair on the wrong side.
                "observed_low": np.minimum(edges[0], reached / starts),
                "observed_high": np.maximum(edges[1], reached / starts),
            }
        )
        parts.append(part)
    columns = "strategy hands value low high observed observed_low observed_high".split()
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def flows(ranks: Ranks):
    """The share of each rank after so many hands, by the rank at the session's start.

    Returns
    -------
    pandas.DataFrame
        Columns strategy, start, hands, rank, share, sessions; hand 0 is the start itself.
    """
    import pandas as pd

    n, parts = ranks.n, []
    for group in ranks.groups():
        flow = ranks.flow.sum(axis=0) if group == ALL else ranks.flow[ranks.names.index(group)]
        starts = flow[:, 0].sum(axis=1)
        share = np.concatenate([np.eye(n)[:, None], flow / np.maximum(1, starts)[:, None, None]], 1)
        start, hands, rank = np.indices(share.shape)
        part = pd.DataFrame(
            {
                "strategy": group,
                "start": start.ravel() + 1,
                "hands": hands.ravel(),
                "rank": rank.ravel() + 1,
                "share": share.ravel(),
                "sessions": np.repeat(starts, share[0].size),
            }
        )
        parts.append(part[part["sessions"] > 0])
    return pd.concat(parts, ignore_index=True)
