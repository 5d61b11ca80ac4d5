"""How far chips stray: a hand's spread and worst cases, and the chance of ruin over many hands."""

import dataclasses
import math

import numpy as np

from analysis.chips import around, by_deal, mean_of
from analysis.estimates import LEVEL, Estimate, t_quantile
from analysis.measures import stack
from sim.errors import UsageError


def risk(table, values, worst: float = 0.05, level: float = LEVEL) -> list[Estimate]:
    """How far a hand's chips stray.

    Parameters
    ----------
    table : pandas.DataFrame
    values : array, shape (rows,) or (rows, players)
        Net chips of one player, or of several alike; a deal's values are one unit.
    worst : float
        The share of hands that counts as the worst.

    Returns
    -------
    list of Estimate
        ``chips_sd``; ``chips_quantile``, the least chips that are not among the worst, its interval
        by turning that of the distribution function (Woodruff, JASA 47, 1952); ``chips_worst``, the
        mean of the worst (expected shortfall, which splits the value at the border: Rockafellar and
        Uryasev, Journal of Banking & Finance 26, 2002). Errors of the first and last by their
        influence functions over deals; with under about a hundred hands among the worst the last
        one's interval is too short.
    """
    values = np.asarray(values, float).reshape(len(table), -1)
    rows, mean = len(table), values.mean()
    if not 0 < worst < 1:
        raise UsageError(f"worst must be a share between 0 and 1, not {worst}")

    def influence(of_values):
        return by_deal(table, of_values.mean(axis=1))

    sd = values.std()
    found = []
    if sd > 0:
        bent = influence(((values - mean) ** 2 - sd**2) / (2 * sd))
        found.append(
            around("chips_sd", sd, bent, rows, "standard deviation of a hand's net chips", level)
        )
    quantile = float(np.quantile(values, worst, method="inverted_cdf"))
    below = influence((values <= quantile).astype(float))
    n = len(below)
    slack = t_quantile(n, level) * below.std(ddof=1) / np.sqrt(n)
    low, high = (
        float(np.quantile(values, min(max(worst + side * slack, 0.0), 1.0), method="inverted_cdf"))
        for side in (-1, 1)
    )
    percent = f"{100 * worst:g} %"
    found.append(
        Estimate(
            "chips_quantile",
            quantile,
            low,
            high,
            level,
            rows,
            n,
            f"least net chips such that at least {percent} of hands bring no more",
        )
    )
    short = np.minimum(values - quantile, 0) / worst
    shortfall = quantile + short.mean()
    found.append(
        around(
            "chips_worst",
            shortfall,
            influence(short - short.mean()),
            rows,
            f"mean net chips of the worst {percent} of hands",
            level,
        )
    )
    return found


def ruin(table, values, stack_: int, hands: int, level: float = LEVEL) -> Estimate:
    """The chance that a stack of chips is gone within so many hands.

    Hands are taken as independent draws from the chips of the table's hands: a player whose place
    in the deal is drawn anew, as a session's rotating deal has it on average. The chance of being
    at each stack is carried from hand to hand exactly, with no further simulation; a stack of 0 or
    less after a hand is the end. Its error is that of the distribution: the derivative of the
    chance with respect to each value's share, by going back from the last hand, averaged by deal.

    Parameters
    ----------
    table : pandas.DataFrame
    values : int array, shape (rows,) or (rows, players)
    stack_ : int
        Chips at the start, at least 1.
    hands : int

    Raises
    ------
    UsageError
        For a stack or a number of hands below 1.
    """
    from scipy.signal import convolve, correlate

    if stack_ < 1 or hands < 1:
        raise UsageError(f"a stack and hands must be at least 1, not {stack_} and {hands}")
    values = np.asarray(values, np.int64).reshape(len(table), -1)
    low, high = min(int(values.min()), -1), max(int(values.max()), 1)
    shares = np.bincount((values - low).ravel(), minlength=high - low + 1) / values.size
    # Stacks from 1 to `top` are followed. Higher ones cannot be lost any more, or lie more than
    # eight standard deviations of the whole run up: a chance below 1e-14.
    rise = max(values.mean(), 0) * hands + 8 * values.std() * math.sqrt(hands)
    top = stack_ + min(hands * high, hands * -low, int(rise) + high)
    alive = np.zeros(top)
    alive[stack_ - 1] = 1
    stages, chance = [], 0.0
    for _ in range(hands):
        stages.append(alive)
        after = convolve(alive, shares)  # entry i is stack 1 + low + i
        chance += float(after[:-low].sum())
        alive = after[-low : top - low]
    bent, to_come = np.zeros(len(shares)), np.zeros(top)  # chance of ruin from stack i + 1
    for alive in reversed(stages):
        ends = np.concatenate([np.ones(-low), to_come, np.zeros(high)])
        bent += correlate(ends, alive, "valid")
        to_come = correlate(ends, shares, "valid")
    influence = by_deal(table, bent[values - low].mean(axis=1))
    found = around(
        "ruin",
        chance,
        influence,
        len(table),
        f"chance that {stack_} chips are gone within {hands} hands",
        level,
    )
    return dataclasses.replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def ruin_in_sessions(table, n_seats: int, stack_: int, level: float = LEVEL) -> Estimate:
    """The share of players whose stack was gone by some hand of the sessions that were played.

    Nothing is assumed of the hands; the session, all its players together, is the unit.
    """
    score = stack(table, "score", n_seats)
    games = table["game"].to_numpy()
    starts = np.flatnonzero(np.diff(games, prepend=games[0] - 1))
    hands = len(table) // len(starts)
    sums = score.reshape(len(starts), hands, n_seats).cumsum(axis=1)
    gone = ((stack_ + sums).min(axis=1) <= 0).mean(axis=1)
    of_deals = by_deal(table.iloc[starts], gone)
    definition = f"players whose {stack_} chips were gone within {hands} hands of a session"
    found = mean_of("ruin_in_sessions", of_deals, len(table), definition, level)
    return dataclasses.replace(found, low=max(0.0, found.low), high=min(1.0, found.high))
