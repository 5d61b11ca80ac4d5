"""Deciding between two hypotheses on a score, with stated risks of error.

The generalised sequential probability ratio test of chess engine testing. Its unit is the deal, so
the two games of a pair count as one number of five values; with more seats a deal has more values,
and the same formulas serve.
"""

import dataclasses
import math

import numpy as np

from analysis.estimates import LEVEL, Estimate, elo, sides
from analysis.tally import Tally
from sim.errors import UsageError

FIRST_BATCH = 100  # deals
GROWTH = 50  # later batches are a fiftieth of the deals so far: looks stay few in long runs
PATHS = 4000  # simulated runs behind the corrected estimate
PRIOR = 1e-3  # deals added to each value seen, so that no probability is zero


def score_of(elo_difference: float, n_own: int = 1, n_other: int = 1) -> float:
    """The mean score of one of `n_own` players at an Elo difference: `estimates.elo` undone."""
    odds = 10 ** (elo_difference / 400) * n_own / n_other
    return odds / (1 + odds) / n_own


def tilted(values: np.ndarray, shares: np.ndarray, mean: float) -> np.ndarray:
    """The most likely distribution on these values with a given mean.

    Empirical likelihood (Owen, *Biometrika* 75, 1988): shares / (1 + t (value - mean)), where t is
    the one number for which they have the mean.

    Parameters
    ----------
    values, shares : float64[k]
        The shares are those that were observed, all above 0.
    mean : float
        Strictly between the least and the greatest value.
    """
    from scipy.optimize import brentq

    away = values - mean
    low, high = -1 / away.max(), -1 / away.min()
    edge = 1e-9 * (high - low)
    t = brentq(lambda t: (shares * away / (1 + t * away)).sum(), low + edge, high - edge)
    return shares / (1 + t * away)


def log_likelihood_ratio(values, counts, score0: float, score1: float) -> float:
    """The generalised log-likelihood ratio of two mean scores.

    Parameters
    ----------
    values : float64[k]
        What a deal can score, 0 and 1 among them.
    counts : float64[k]
        How often each value came.
    score0, score1 : float
        The means under H0 and H1.

    Returns
    -------
    float
        Above 0 where H1 explains the counts better.
    """
    values = np.asarray(values, float)
    counts = np.asarray(counts, float) + PRIOR
    shares = counts / counts.sum()
    against, ours = tilted(values, shares, score0), tilted(values, shares, score1)
    return float((counts * np.log(ours / against)).sum())


def counted(tally: Tally) -> tuple[np.ndarray, np.ndarray]:
    """What deals scored in the main measure, from 0 to 1, and how often."""
    name = next(iter(tally.measures))
    measure, counter = tally.measures[name], dict(tally.counts[name])
    divisor = tally.rows_per_deal * measure.scale
    top = tally.rows_per_deal * measure.top
    found = {0: 0, top: 0} | counter
    values = sorted(found)
    return np.array(values) / divisor, np.array([found[v] for v in values], float)


class Sprt:
    """Stops a match when one of two Elo differences is ruled out.

    Parameters
    ----------
    elo0, elo1 : float
        H0: the difference is `elo0` (or less); H1: it is `elo1` (or more).
    alpha, beta : float
        The risks of deciding for H1 when H0 is true, and for H0 when H1 is.
    seatings : sequence of sequences of int
        0 is the strategy whose score is tested.

    Attributes
    ----------
    path : list of (int, float)
        Deals and log-likelihood ratio at each look.
    """

    def __init__(self, elo0: float, elo1: float, alpha: float, beta: float, seatings):
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.own, self.other = sides(seatings)
        self.score0 = score_of(elo0, self.own, self.other)
        self.score1 = score_of(elo1, self.own, self.other)
        # Wald's bounds (Annals of Mathematical Statistics 16, 1945).
        self.lower = math.log(beta / (1 - alpha))
        self.upper = math.log((1 - beta) / alpha)
        self.path: list[tuple[int, float]] = []

    def batch(self, deals: int) -> int:
        """Deals until the next look, when so many are done."""
        return next_batch(deals)

    def watch(self, table) -> None:
        """Nothing: the tally has all that is needed."""

    def reached(self, tally: Tally) -> bool:
        """Whether either hypothesis is ruled out."""
        values, counts = counted(tally)
        ratio = log_likelihood_ratio(values, counts, self.score0, self.score1)
        self.path.append((tally.deals, ratio))
        return not self.lower < ratio < self.upper

    @property
    def decision(self) -> str:
        """``H0``, ``H1`` or ``undecided``."""
        ratio = self.path[-1][1]
        if ratio >= self.upper:
            return "H1"
        return "H0" if ratio <= self.lower else "undecided"

    def applied(self, estimates: list[Estimate], tally: Tally) -> list[Estimate]:
        """The estimates with the score, and Elo, corrected for having stopped when it looked so."""
        values, counts = counted(tally)
        n = counts.sum()
        mean = float((values * counts).sum() / n)
        spread = math.sqrt(float((counts * (values - mean) ** 2).sum() / n))
        if spread == 0:
            return estimates
        value, low, high = corrected(self, mean, spread, int(n))
        note = "; median-unbiased for a run that stops by the SPRT (see docs/statistics.md)"
        main, rating = estimates[0], estimates[1]
        main = dataclasses.replace(
            main, value=value, low=low, high=high, definition=main.definition + note
        )
        value, low, high = (elo(x, self.own, self.other) for x in (value, low, high))
        rating = dataclasses.replace(
            rating, value=value, low=low, high=high, definition=rating.definition + note
        )
        return [main, rating, *estimates[2:]]

    def report(self) -> dict:
        """What was asked for and what came of it, as plain data."""
        deals, ratio = self.path[-1]
        return {
            "decision": self.decision,
            "sprt": {
                "elo0": self.elo0,
                "elo1": self.elo1,
                "alpha": self.alpha,
                "beta": self.beta,
                "score0": self.score0,
                "score1": self.score1,
                "llr": ratio,
                "lower": self.lower,
                "upper": self.upper,
                "deals": deals,
            },
        }

    def note(self) -> str:
        """The decision in words."""
        deals, ratio = self.path[-1]
        said = {
            "H0": f"H0 is accepted: the Elo difference is {self.elo0:g} rather than {self.elo1:g}",
            "H1": f"H1 is accepted: the Elo difference is {self.elo1:g} rather than {self.elo0:g}",
            "undecided": f"undecided between Elo differences of {self.elo0:g} and {self.elo1:g}",
        }[self.decision]
        return (
            f"SPRT: {said}, after {deals:,} deals (log-likelihood ratio {ratio:.2f}, bounds "
            f"{self.lower:.2f} and {self.upper:.2f}; risks {self.alpha:g} and {self.beta:g}). The "
            "score and the Elo difference are corrected for the stop rule, which otherwise makes "
            "them look larger than they are; other estimates are not."
        )


def next_batch(deals: int) -> int:
    """Deals until the next look of a test, when so many are done."""
    return max(FIRST_BATCH, deals // GROWTH)


def corrected(test: Sprt, mean: float, spread: float, deals: int, level: float = LEVEL):
    """The median-unbiased mean of a run that a test stopped, and its interval.

    The run is taken for a Brownian motion that is looked at where the test looks, up to where this
    one ended. Stopped runs are ordered by their plain mean; the estimate is the drift for which
    half of `PATHS` simulated runs come out above the observed mean, the interval's ends those for
    which 2.5 % and 97.5 % do (Whitehead, *The Design and Analysis of Sequential Clinical Trials*,
    1997, for the principle).

    Parameters
    ----------
    test : Sprt
    mean, spread : float
        Of the scores of deals.
    deals : int

    Returns
    -------
    (value, low, high)
    """
    from scipy.optimize import brentq

    looks = [0]
    while looks[-1] < deals:
        looks.append(looks[-1] + next_batch(looks[-1]))
    times = np.array(looks[1:], float)
    times[-1] = deals
    rng = np.random.default_rng(20_261_130)
    steps = np.sqrt(np.diff(times, prepend=0)).astype(np.float32)
    noise = np.cumsum(rng.standard_normal((PATHS, len(times)), np.float32) * steps, axis=1)
    noise = spread * noise
    # The log-likelihood ratio is (score1 - score0) / spread^2 times this much more than half way.
    slope = (test.score1 - test.score0) / spread**2
    half_way = (test.score0 + test.score1) / 2
    noise_ratio, last = slope * noise, np.arange(PATHS)

    def above(drift: float) -> float:
        ratio = noise_ratio + (slope * (drift - half_way) * times).astype(np.float32)
        out = (ratio >= test.upper) | (ratio <= test.lower)
        out[:, -1] = True
        stop = out.argmax(axis=1)
        return float((drift + noise[last, stop] / times[stop] >= mean).mean())

    reach = 12 * spread / math.sqrt(times[0])

    def solve(share: float) -> float:
        return brentq(lambda drift: above(drift) - share, mean - reach, mean + reach, xtol=1e-7)

    tail = (1 - level) / 2
    value, low, high = solve(0.5), solve(tail), solve(1 - tail)
    return tuple(min(1.0, max(0.0, float(x))) for x in (value, low, high))


def parse_sprt(text: str, alpha: float, beta: float, seatings) -> Sprt:
    """The test that ``--sprt ELO0,ELO1`` asks for.

    Raises
    ------
    UsageError
        For words that make no test.
    """
    try:
        elo0, elo1 = (float(word) for word in text.split(","))
    except ValueError:
        raise UsageError(
            f"--sprt takes two Elo differences with a comma, such as 0,10, not {text!r}"
        ) from None
    if not (math.isfinite(elo0) and math.isfinite(elo1) and elo0 < elo1):
        raise UsageError(f"--sprt ELO0,ELO1: the first must be the smaller, not {text!r}")
    if max(abs(elo0), abs(elo1)) > 2000:
        raise UsageError(f"--sprt takes Elo differences from -2000 to 2000, not {text!r}")
    for name, risk in (("alpha", alpha), ("beta", beta)):
        if not 0 < risk < 0.5:
            raise UsageError(f"--{name} is a risk of error, above 0 and below 0.5, not {risk}")
    return Sprt(elo0, elo1, alpha, beta, seatings)
