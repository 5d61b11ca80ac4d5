"""How many deals a test needs, from the spread that a pilot shows."""

import dataclasses
import math

from analysis.estimates import LEVEL
from analysis.tally import Tally, moments


@dataclasses.dataclass(frozen=True)
class Need:
    """The number of deals that a test needs.

    Attributes
    ----------
    deals, low, high : int
        With the interval that the pilot's uncertain spread gives it.
    spread, spread_low, spread_high : float
        The standard deviation of a deal's mean value, on the scale of the estimate.
    """

    deals: int
    low: int
    high: int
    spread: float
    spread_low: float
    spread_high: float


def deals_for(spread: float, detect: float, alpha: float, power: float) -> int:
    """Deals with which a two-sided t test finds a difference as often as asked.

    The normal formula with Guenther's correction for an estimated spread (*The American
    Statistician* 35, 1981).

    Parameters
    ----------
    spread : float
        Standard deviation of one deal, in the units of `detect`.
    detect : float
        The true difference.
    alpha, power : float
    """
    from scipy.special import ndtri

    reject, find = float(ndtri(1 - alpha / 2)), float(ndtri(power))
    return max(2, math.ceil(((reject + find) * spread / detect) ** 2 + reject**2 / 2))


def power_of(spread: float, detect: float, alpha: float, deals):
    """The chance to find a difference with so many deals, either way, as in `deals_for`.

    Parameters
    ----------
    spread, detect, alpha : float
        As of `deals_for`.
    deals : float or array
    """
    import numpy as np
    from scipy.special import ndtr, ndtri

    reject = ndtri(1 - alpha / 2)
    worth = np.maximum(np.asarray(deals, float) - reject**2 / 2, 0)  # as in `deals_for`
    away = detect * np.sqrt(worth) / spread
    return ndtr(away - reject) + ndtr(-away - reject)


def need_of(
    tally: Tally, detect: float, alpha: float, power: float, level: float = LEVEL
) -> Need | None:
    """The deals that a test of a pilot's main measure needs.

    The interval is that of the variance on the log scale, whose standard error is
    sqrt((k - 1) / n) for n deals of kurtosis k; it asks for no normal distribution.

    Returns
    -------
    Need or None
        None where the pilot shows no spread.
    """
    from scipy.special import ndtri

    measure = next(iter(tally.measures.values()))
    counter, divisor = tally.counts[measure.name], tally.rows_per_deal * measure.scale
    n, mean, variance = moments(counter)
    if variance <= 0:
        return None
    squared = sum((value - mean) ** 2 * times for value, times in counter.items()) / n
    fourth = sum((value - mean) ** 4 * times for value, times in counter.items()) / n
    error = math.sqrt(max(fourth / squared**2 - 1, 0) / n)
    reach = float(ndtri((1 + level) / 2)) * error / 2  # of the standard deviation
    spreads = [math.sqrt(variance) / divisor * math.exp(x) for x in (0, -reach, reach)]
    deals = [deals_for(spread, detect, alpha, power) for spread in spreads]
    return Need(*deals, *spreads)
