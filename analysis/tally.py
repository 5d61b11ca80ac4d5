"""Integer accumulators: what a run's statistics need, merged over chunks in any order."""

import dataclasses
from collections import Counter
from collections.abc import Callable

import numpy as np

BLOCKS = 60  # points of the curve of an estimate against the number of games; up to twice as many
NARROW = 1 << 16  # values in so small a range are counted by place


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
    top : int
        For other measures that lie between bounds, 0 and this: the most that a row can have.
    """

    name: str
    definition: str
    of: Callable
    scale: int = 1
    shift: float = 0.0
    share: bool = False
    top: int = 0


class Tally:
    """How often each value of each measure came, by deal.

    A deal's rows are added up first: its games share the luck of the cards, and the hands of a
    session depend on each other, so the deal, not the row, is the unit. Counts are whole numbers,
    so tallies merge to the same result in any order.

    Parameters
    ----------
    measures : list of Measure
        The first is the main one.
    games_per_deal : int
        Games that share a deal; chunks never split them.
    deals : int
        How many deals the whole run will have, for the blocks of the curve.
    hands : int
        Rows of each game.
    """

    def __init__(self, measures: list[Measure], games_per_deal: int, deals: int, hands: int = 1):
        self.measures = {m.name: m for m in measures}
        self.games_per_deal = games_per_deal
        self.hands = hands
        self.block = max(1, -(-deals // BLOCKS))  # deals; doubled where a run goes on for longer
        self.counts = {m.name: Counter() for m in measures}
        self.seating_counts = [Counter() for _ in range(games_per_deal)]
        self.joint = Counter()
        self.blocks: dict[int, np.ndarray] = {}
        self.deals = 0

    @property
    def rows_per_deal(self) -> int:
        """Rows that share a deal."""
        return self.games_per_deal * self.hands

    @property
    def games(self) -> int:
        """Games counted so far."""
        return self.deals * self.games_per_deal

    def total(self, name: str) -> int:
        """The sum of a measure's integers over all rows."""
        return sum(value * times for value, times in self.counts[name].items())

    def add(self, table, first: int | None = None) -> None:
        """Count a chunk of whole deals.

        Parameters
        ----------
        table : pandas.DataFrame
        first : int, optional
            The number of its first deal in the run; by default it follows those counted.
        """
        deals = len(table) // self.rows_per_deal
        for i, (name, measure) in enumerate(self.measures.items()):
            values = np.asarray(measure.of(table), np.int64).reshape(deals, -1)
            by_deal = values.sum(axis=1)
            count(self.counts[name], by_deal)
            if i == 0:
                by_game = values.reshape(deals, self.games_per_deal, self.hands).sum(axis=2)
                self.add_main(by_game, by_deal, self.deals if first is None else first)
        self.deals += deals

    def add_main(self, by_game, by_deal, first: int) -> None:
        """Count the main measure by seating, in pairs, and by blocks of deals."""
        if self.games_per_deal > 1:
            for seating, counter in enumerate(self.seating_counts):
                count(counter, by_game[:, seating])
        if self.games_per_deal == 2:
            pairs, times = np.unique(by_game, axis=0, return_counts=True)
            for (a, b), n in zip(pairs.tolist(), times.tolist()):
                self.joint[a, b] += n
        while (first + len(by_deal) - 1) // self.block >= 2 * BLOCKS:
            self.double_blocks()
        block = (first + np.arange(len(by_deal))) // self.block
        for b in np.unique(block):
            part = by_deal[block == b].tolist()
            sums = np.array([len(part), sum(part), sum(x * x for x in part)], object)
            self.blocks[int(b)] = self.blocks.get(int(b), 0) + sums

    def double_blocks(self) -> None:
        """Join neighbouring blocks."""
        self.block *= 2
        joined: dict[int, np.ndarray] = {}
        for number, sums in self.blocks.items():
            joined[number // 2] = joined.get(number // 2, 0) + sums
        self.blocks = joined

    def merge(self, other: "Tally") -> None:
        """Take over what another tally of the same run has counted, which is not kept."""
        while self.block < other.block:
            self.double_blocks()
        while other.block < self.block:
            other.double_blocks()
        for name, counter in other.counts.items():
            self.counts[name].update(counter)
        for mine, theirs in zip(self.seating_counts, other.seating_counts):
            mine.update(theirs)
        self.joint.update(other.joint)
        for block, sums in other.blocks.items():
            self.blocks[block] = self.blocks.get(block, 0) + sums
        self.deals += other.deals


def count(counter: Counter, values: np.ndarray) -> None:
    """Add the values of an array to a counter."""
    low = int(values.min()) if len(values) else 0
    if len(values) and int(values.max()) - low < NARROW:
        times = np.bincount(values - low)
        found = np.flatnonzero(times)
        times = times[found]
        found = found + low
    else:
        found, times = np.unique(values, return_counts=True)
    for value, n in zip(found.tolist(), times.tolist()):
        counter[value] += n


def moments(counter: Counter) -> tuple[int, float, float]:
    """Number, mean and (n - 1) variance of counted values, from exact integer sums."""
    n = sum(counter.values())
    total = sum(value * times for value, times in counter.items())
    squares = sum(value * value * times for value, times in counter.items())
    if n < 2:
        return n, total / max(n, 1), 0.0
    return n, total / n, (n * squares - total * total) / (n * (n - 1))
