"""From counted measures to numbers with intervals."""

import dataclasses
import math

from analysis.tally import Tally, moments

LEVEL = 0.95


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A number with its interval.

    Attributes
    ----------
    name : str
    value, low, high : float
    level : float
        The interval's coverage.
    n : int
        Games.
    units : int
        Independent units among them: deals, each with all its games and hands.
    definition : str
    """

    name: str
    value: float
    low: float
    high: float
    level: float
    n: int
    units: int
    definition: str

    def as_dict(self) -> dict:
        """Plain data."""
        return dataclasses.asdict(self)


def estimate(tally: Tally, name: str, level: float = LEVEL) -> Estimate:
    """The estimate of a measure.

    A proportion over independent games has a Wilson interval;
    anything else the interval of the mean over deals by Student's t.
    """
    measure, counter, k = tally.measures[name], tally.counts[name], tally.rows_per_deal
    n, mean, variance = moments(counter)
    divisor = k * measure.scale
    value = mean / divisor + measure.shift
    if measure.share and k == 1:
        low, high = wilson(counter[1], n, level)
    elif variance == 0 and mean in (0, k * (measure.scale if measure.share else measure.top)):
        # All deals alike at a bound: no spread to judge by, but so many tries.
        top = mean or k * (measure.scale if measure.share else measure.top)
        low, high = (
            bound * top / divisor + measure.shift for bound in wilson(n if mean else 0, n, level)
        )
    else:
        half = t_quantile(n, level) * math.sqrt(variance / n) / divisor if n > 1 else math.inf
        low, high = value - half, value + half
        if measure.share:
            low, high = max(0.0, low), min(1.0, high)
    return Estimate(name, value, low, high, level, tally.games, tally.deals, measure.definition)


def wilson(successes: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval of a proportion (JASA 1927).

    Written out, as scipy has it only in ``scipy.stats``, whose import takes as long as all else
    that a short run does.
    """
    from scipy.special import ndtri

    share, z = successes / n, float(ndtri((1 + level) / 2))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
    # Beyond rounding the bounds of no and of all successes are 0 and 1.
    low = middle - half if successes else 0.0
    high = middle + half if successes < n else 1.0
    return low, high


def t_quantile(n: int, level: float = LEVEL) -> float:
    """Half the width of a t interval in standard errors, for n units."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, (1 + level) / 2))


def elo(share: float, n_own: int = 1, n_other: int = 1) -> float:
    """The logistic Elo difference of a mean score; infinite at 0 and 1.

    With more than two seats, `share` is the score of one of `n_own` players alike against
    `n_other` others alike, and the difference that of the Plackett-Luce model, in which a player of
    strength a wins with a chance of a by the sum of all strengths.
    """
    total = share * n_own
    if total <= 0 or total >= 1:
        return math.copysign(math.inf, total - 0.5)
    return 400 * math.log10(total / (1 - total) * n_other / n_own)


def sides(seatings) -> tuple[int, int]:
    """How many seats of a match strategy A (0) has at a table, and how many its opponents have."""
    own = sum(seat == 0 for seat in seatings[0])
    return own, len(seatings[0]) - own


def estimates_of(tally: Tally, seatings=None, level: float = LEVEL) -> list[Estimate]:
    """Every measure's estimate; for a match (with its `seatings`) the Elo difference too."""
    found = [estimate(tally, name, level) for name in tally.measures]
    if seatings is not None:
        a = found[0]
        n_own, n_other = sides(seatings)
        value, low, high = (elo(x, n_own, n_other) for x in (a.value, a.low, a.high))
        odds = "s / (1 - s)"
        if len(seatings[0]) > 2:
            odds = f"S / (1 - S) x {n_other}/{n_own}, S = {n_own} s"
        definition = f"400 log10({odds}) of score[A] = s: A's rating less B's"
        rating = Estimate("elo_difference", value, low, high, level, a.n, a.units, definition)
        found.insert(1, rating)
    return found


def pairing_gain(tally: Tally) -> dict | None:
    """What sharing deals gained: the variance over independent deals by that over shared ones.

    Returns
    -------
    dict or None
        ``gain``: how many times more games on deals of their own the same interval would need;
        for two seats also the ``correlation`` of the two games of a pair. None where deals are not
        shared, or all games came out alike.
    """
    if tally.games_per_deal < 2 or tally.deals < 2:
        return None
    name = next(iter(tally.measures))
    _, _, shared = moments(tally.counts[name])
    single = [moments(counter)[2] for counter in tally.seating_counts]
    if min(single) == 0:
        return None
    found = {"gain": sum(single) / shared if shared > 0 else math.inf}
    if len(single) == 2:
        covariance = (shared - sum(single)) / 2
        found["correlation"] = covariance / math.sqrt(single[0] * single[1])
    return found


def curve(tally: Tally, level: float = LEVEL):
    """The main estimate against the number of games, with its band.

    Returns
    -------
    pandas.DataFrame
        Columns games, value, low, high.
    """
    import pandas as pd

    measure = next(iter(tally.measures.values()))
    divisor, sums, points = tally.rows_per_deal * measure.scale, 0, []
    for block in sorted(tally.blocks):
        sums = sums + tally.blocks[block]
        n, total, squares = (int(x) for x in sums)
        if n < 20:
            continue
        variance = (n * squares - total * total) / (n * (n - 1))
        half = t_quantile(n, level) * math.sqrt(variance / n) / divisor
        value = total / n / divisor + measure.shift
        points.append((n * tally.games_per_deal, value, value - half, value + half))
    return pd.DataFrame(points, columns=["games", "value", "low", "high"])


def distribution(tally: Tally, name: str):
    """How often each value of a measure came, as a table of value and share.

    Values are sums over all rows of a deal: single games only where a deal has one.
    """
    import pandas as pd

    counter = tally.counts[name]
    total = sum(counter.values())
    values = sorted(counter)
    return pd.DataFrame({"value": values, "share": [counter[v] / total for v in values]})
