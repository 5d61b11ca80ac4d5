"""Stopping when an estimate is precise enough, with intervals that may be looked at often.

A 95 % interval that is looked at after every batch, until it looks narrow, covers less than 95 %. A
confidence sequence covers at all times at once, so any rule may decide when to stop.
"""

import dataclasses
import math

import numpy as np

from analysis.estimates import LEVEL, Estimate, elo, sides

BATCH = 1000  # deals; decisions fall on complete batches in game order only
CAP = 200_000_000  # games where no other limit is given


class ConfidenceSequence:
    """Bounds of the mean of numbers from 0 to 1, valid at all times at once.

    The predictable plug-in empirical-Bernstein sequence (Waudby-Smith and Ramdas, *Journal of the
    Royal Statistical Society* B 86, 2024, theorem 2), with the running intersection of its
    intervals. It asks nothing of the numbers but that they are independent with one mean.

    Parameters
    ----------
    level : float
        The chance that the mean lies within the bounds at every time.
    """

    def __init__(self, level: float = LEVEL):
        self.level = level
        self.n, self.total, self.squares = 0, 0.0, 0.0
        self.weights, self.weighted, self.penalty = 0.0, 0.0, 0.0
        self.low, self.high = 0.0, 1.0

    @property
    def mean(self) -> float:
        """The plain mean so far."""
        return self.total / self.n

    @property
    def half_width(self) -> float:
        """Half the distance of the bounds."""
        return (self.high - self.low) / 2

    def update(self, values) -> None:
        """Take the next batch, in order.

        Parameters
        ----------
        values : float array, each from 0 to 1

        Raises
        ------
        ValueError
            For values outside 0 to 1.
        """
        x = np.asarray(values, float)
        if not len(x):
            return
        if x.min() < 0 or x.max() > 1:
            raise ValueError("a confidence sequence is of numbers from 0 to 1")
        bound = math.log(2 / (1 - self.level))
        t = self.n + 1 + np.arange(len(x))
        sums = self.total + np.cumsum(x)
        now = (0.5 + sums) / (t + 1)
        before = (0.5 + sums - x) / t  # the mean estimate of the time before, as the bets need
        squares = self.squares + np.cumsum((x - now) ** 2)
        spread = (0.25 + squares - (x - now) ** 2) / t
        bet = np.minimum(np.sqrt(2 * bound / (spread * t * np.log1p(t))), 0.5)
        self.weights += bet.sum()
        self.weighted += (bet * x).sum()
        self.penalty += ((x - before) ** 2 * (-np.log1p(-bet) - bet)).sum()
        self.n, self.total, self.squares = int(t[-1]), float(sums[-1]), float(squares[-1])
        middle = self.weighted / self.weights
        half = (bound + self.penalty) / self.weights
        self.low, self.high = max(self.low, middle - half), min(self.high, middle + half)


class Precision:
    """Stops a run when the confidence sequence of its main measure is narrow enough.

    Parameters
    ----------
    target : float
        Half the width that is wanted, on the scale of the estimate.
    measure : Measure
        Its values by row must lie from 0 to its scale.
    rows_per_deal : int
    seatings : sequence of sequences of int, optional
        Of a match, whose Elo difference follows from the main estimate.
    level : float
    """

    def __init__(self, target: float, measure, rows_per_deal: int, seatings=None, level=LEVEL):
        self.target, self.measure, self.rows_per_deal = target, measure, rows_per_deal
        self.seatings, self.sequence = seatings, ConfidenceSequence(level)

    def batch(self, deals: int) -> int:
        """Deals until the next look."""
        return BATCH

    def watch(self, table) -> None:
        """Take a batch of whole deals."""
        values = np.asarray(self.measure.of(table), np.int64).reshape(-1, self.rows_per_deal)
        self.sequence.update(values.sum(axis=1) / (self.rows_per_deal * self.measure.scale))

    def reached(self, tally=None) -> bool:
        """Whether the target is reached."""
        return bool(self.sequence.half_width <= self.target)

    def bounds(self) -> tuple[float, float]:
        """The bounds on the scale of the estimate."""
        return self.sequence.low + self.measure.shift, self.sequence.high + self.measure.shift

    def applied(self, estimates: list[Estimate], tally=None) -> list[Estimate]:
        """The estimates with the main one's interval, and what follows from it, replaced."""
        low, high = self.bounds()
        note = "; interval valid at any stopping time (Waudby-Smith and Ramdas 2024)"
        main = estimates[0]
        main = dataclasses.replace(
            main,
            low=float(min(low, main.value)),
            high=float(max(high, main.value)),
            definition=main.definition + note,
        )
        found = [main, *estimates[1:]]
        if self.seatings is not None:
            own, other = sides(self.seatings)
            found[1] = dataclasses.replace(
                estimates[1], low=elo(main.low, own, other), high=elo(main.high, own, other)
            )
        return found

    def report(self) -> dict:
        """What was asked for and what came of it, as plain data."""
        return {
            "precision": {
                "target": self.target,
                "reached": self.reached(),
                "half_width": float(self.sequence.half_width),
                "deals": self.sequence.n,
            }
        }

    def note(self) -> str:
        """Whether the precision was reached, and what the interval is worth."""
        return (
            f"The precision of +-{self.target:g} was {'' if self.reached() else 'not '}reached "
            f"after {self.sequence.n:,} deals (+-{self.sequence.half_width:.4g}); the main "
            "estimate's interval is valid whenever the run stops."
        )


class Equivalence(Precision):
    """Stops a match when its main estimate is surely nearer to even than a margin, or surely not.

    Parameters
    ----------
    margin : float
    even : float
        The score of an even share.
    measure, rows_per_deal, seatings, level
        As of `Precision`.
    """

    def __init__(self, margin: float, even: float, measure, rows_per_deal, seatings, level=LEVEL):
        super().__init__(margin, measure, rows_per_deal, seatings, level)
        self.even = even

    @property
    def decision(self) -> str:
        """``equivalent``, ``different`` or ``undecided``."""
        low, high = (bound - self.even for bound in self.bounds())
        if -self.target < low and high < self.target:
            return "equivalent"
        return "different" if low >= self.target or high <= -self.target else "undecided"

    def reached(self, tally=None) -> bool:
        """Whether it is decided."""
        return self.decision != "undecided"

    def report(self) -> dict:
        """What was asked for and what came of it, as plain data."""
        low, high = self.bounds()
        return {
            "decision": self.decision,
            "equivalence": {
                "margin": self.target,
                "even": self.even,
                "low": float(low),
                "high": float(high),
                "deals": self.sequence.n,
            },
        }

    def note(self) -> str:
        """The decision in words."""
        said = {
            "equivalent": f"equivalent: the score is nearer to even than {self.target:g}",
            "different": f"different: the score is at least {self.target:g} from even",
            "undecided": f"undecided whether the score is nearer to even than {self.target:g}",
        }[self.decision]
        return (
            f"Test of equivalence: {said}, after {self.sequence.n:,} deals; the main estimate's "
            "interval is valid whenever the run stops."
        )
