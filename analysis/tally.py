"""Integer accumulators: what a run's statistics need, merged over chunks in any order."""

import dataclasses
from collections import Counter
from collections.abc import Callable

import numpy as np

BLOCKS = 60  # points of the curve of an estimate against the number of games


@dataclasses.dataclass(frozen=True)
class Measure:
    """One number of a game, defined once.

    Attributes
    ----------
    name, definition : str
        The definition is printed beside the estimate.
    of : callable
        ``of(table) -> integers``, one a row of a table of results.
    scale : int
        What the integers are divided by.
    shift : float
        Added to the mean.
    share : bool
        Whether each row counts 0 or `scale`: a proportion.
    """

    name: str
    definition: str
    of: Callable
    scale: int = 1
    shift: float = 0.0
    share: bool = False


class Tally:
    """How often each value of each measure came, by deal.

    A deal's rows are added up first: its games share the luck of the cards, so the deal, not the
    game, is the unit. Counts are whole numbers, so tallies merge to the same result in any order.

    Parameters
    ----------
    measures : list of Measure
    rows_per_deal : int
        Games that share a deal; chunks never split them.
    deals : int
        How many deals the whole run will have, for the blocks of the curve.
    """

    def __init__(self, measures: list[Measure], rows_per_deal: int, deals: int):
        self.measures = {m.name: m for m in measures}
        self.rows_per_deal = rows_per_deal
        self.block = max(1, -(-deals // BLOCKS))
        self.counts = {m.name: Counter() for m in measures}
        self.seating_counts: dict[tuple[str, int], Counter] = {}
        self.joint = Counter()
        self.blocks: dict[int, np.ndarray] = {}
        self.games = 0

    def add(self, table) -> None:
        """Count a chunk of whole deals."""
        k = self.rows_per_deal
        main = next(iter(self.measures))
        for name, measure in self.measures.items():
            values = np.asarray(measure.of(table), np.int64)
            by_deal = values.reshape(-1, k).sum(axis=1)
            count(self.counts[name], by_deal)
            if name == main:
                if k > 1:
                    for seating in range(k):
                        counter = self.seating_counts.setdefault((name, seating), Counter())
                        count(counter, values[seating::k])
                if k == 2:
                    top = measure.scale + 1
                    count(self.joint, values[0::2] * top + values[1::2])
                first = self.games // k
                block = (first + np.arange(len(by_deal))) // self.block
                for b in np.unique(block):
                    part = by_deal[block == b]
                    sums = np.array([len(part), part.sum(), (part * part).sum()])
                    self.blocks[int(b)] = self.blocks.get(int(b), 0) + sums
        self.games += len(table)

    @property
    def deals(self) -> int:
        """Deals counted so far."""
        return self.games // self.rows_per_deal


def count(counter: Counter, values: np.ndarray) -> None:
    """Add the values of an array to a counter."""
    found, times = np.unique(values, return_counts=True)
    for value, n in zip(found.tolist(), times.tolist(), strict=True):
        counter[value] += n


def moments(counter: Counter) -> tuple[int, float, float]:
    """Number, mean and (n - 1) variance of counted values, from exact integer sums."""
    n = sum(counter.values())
    total = sum(value * times for value, times in counter.items())
    squares = sum(value * value * times for value, times in counter.items())
    if n < 2:
        return n, total / max(n, 1), 0.0
    return n, total / n, (n * squares - total * total) / (n * (n - 1))
