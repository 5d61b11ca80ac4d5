"""Whether all seats do alike: one test over the means of all of them."""

import dataclasses

import numpy as np

from analysis.measures import points, stack


@dataclasses.dataclass(frozen=True)
class JointTest:
    """A test of several means at once.

    Attributes
    ----------
    name : str
        What is tested.
    statistic : float
        Hotelling's T squared.
    df : tuple of int
        Of the F distribution that it is referred to: contrasts, deals - contrasts.
    p : float
    units : int
        Deals.
    """

    name: str
    statistic: float
    df: tuple[int, int]
    p: float
    units: int

    def as_dict(self) -> dict:
        """Plain data."""
        return dataclasses.asdict(self) | {"df": list(self.df)}


class SeatMoments:
    """Sums and products of each deal's values by seat, in whole numbers that merge in any order.

    Parameters
    ----------
    name : str
        What the values are.
    n_seats : int
    values_of : callable
        ``values_of(table) -> integers``, shape (rows, seats).
    rows_per_deal : int
        Rows whose values are added up first.
    """

    def __init__(self, name: str, n_seats: int, values_of, rows_per_deal: int = 1):
        self.name, self.n_seats, self.values_of = name, n_seats, values_of
        self.rows_per_deal = rows_per_deal
        self.deals = 0
        self.sums = np.zeros(n_seats, object)
        self.products = np.zeros((n_seats, n_seats), object)

    def add(self, table) -> None:
        """Count a chunk of whole deals."""
        values = np.asarray(self.values_of(table), np.int64)
        values = values.reshape(-1, self.rows_per_deal, self.n_seats).sum(axis=1)
        self.deals += len(values)
        self.sums = self.sums + values.sum(axis=0).astype(object)
        if int(np.abs(values).max(initial=0)) ** 2 * len(values) < 2**62:
            products = (values.T @ values).astype(object)
        else:  # shares of many seats are counted in units too small for 64 bits
            products = values.T.astype(object) @ values.astype(object)
        self.products = self.products + products

    def test(self) -> JointTest | None:
        """Hotelling's T squared of the differences of neighbouring seats' means over d deals.

        Seats of a game depend on each other (one wins, chips sum to zero), so single intervals do
        not make a test. T2 = d m' S^-1 m, and T2 (d - k) / (k (d - 1)) has F(k, d - k) if all means
        are alike, k = n_seats - 1 (Hotelling, *Annals of Mathematical Statistics* 2, 1931). For
        many deals T2 is Wald's chi-square.

        Returns
        -------
        JointTest or None
            None with too few deals, or where some differences never vary.
        """
        from scipy.special import fdtrc

        d, k = self.deals, self.n_seats - 1
        if d <= k + 1:
            return None
        steps = -np.diff(np.eye(self.n_seats, dtype=int), axis=0).astype(object)  # neighbours
        sums = steps @ self.sums
        scatter = d * (steps @ self.products @ steps.T) - np.outer(sums, sums)
        mean = np.array(sums / d, float)
        spread = np.array(scatter / (d * (d - 1)), float)
        if np.linalg.matrix_rank(spread) < k:
            return None
        statistic = float(d * mean @ np.linalg.solve(spread, mean))
        p = float(fdtrc(k, d - k, statistic * (d - k) / (k * (d - 1))))
        return JointTest(f"{self.name} alike in all seats", statistic, (k, d - k), p, d)


def seat_moments(module, n_seats: int, rows_per_deal: int) -> list[SeatMoments]:
    """What is tested of a game's seats: result shares, and the game's own scores."""
    return [
        SeatMoments("win share", n_seats, lambda t: points(t, n_seats), rows_per_deal),
        SeatMoments(module.SCORE, n_seats, lambda t: stack(t, "score", n_seats), rows_per_deal),
    ]
