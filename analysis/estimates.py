"""Win shares, first-player advantage, counts and lengths, each with an interval."""

import dataclasses
import math

import numpy as np

from analysis.tally import Measure, Tally, moments

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
        Independent units among them: deals.
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


def half_points(seat_of):
    """A measure of two players' score in half points: win 2, draw or no result 1, loss 0."""

    def of(table):
        seat = seat_of(table)
        won = table["winner"].to_numpy() == seat
        drawn = table["winner"].to_numpy() < 0
        return 2 * won + drawn

    return of


def column(name: str):
    """A measure that is a column."""
    return lambda table: table[name].to_numpy()


def common_measures(n_seats: int) -> list[Measure]:
    """Shares and lengths that every game has."""
    shares = [
        Measure(
            f"win_share[{seat}]",
            f"games that seat {seat} alone wins, of all games",
            lambda table, seat=seat: (table["winner"].to_numpy() == seat).astype(np.int64),
            share=True,
        )
        for seat in range(n_seats)
    ]
    return shares + [
        Measure(
            "draw_share",
            "games that end in a draw, of all games",
            lambda t: (t["winner"].to_numpy() < 0) & (t["unfinished"].to_numpy() == 0),
            share=True,
        ),
        Measure(
            "unfinished_share",
            "games cut before their end, of all games; each counts as a draw in scores",
            column("unfinished"),
            share=True,
        ),
        Measure("turns_per_game", "mean turns of a game, both players'", column("turns")),
        Measure("moves_per_game", "mean moves of a game, forced ones too", column("moves")),
        Measure("decisions_per_game", "mean choices among two or more moves", column("decisions")),
    ]


def final_count_difference() -> Measure:
    """Fart's margin: the first player's final count of cards less the second's."""
    return Measure(
        "final_count_difference",
        "mean of the cards that seat 0 counts at the end less those of seat 1; fewer is better",
        lambda t: t["score[0]"].to_numpy().astype(np.int64) - t["score[1]"].to_numpy(),
    )


GAME_MEASURES = {"fart": [final_count_difference]}


def advantage_measures(game: str, n_seats: int) -> list[Measure]:
    """What `advantage` estimates; the first is the main one."""
    first = Measure(
        "first_player_advantage",
        "mean score of the player who moves first (win 1, draw 1/2, loss 0) less 1/2",
        half_points(lambda table: 0),
        scale=2,
        shift=-0.5,
    )
    return [first] + common_measures(n_seats) + [m() for m in GAME_MEASURES.get(game, [])]


def match_measures(game: str, n_seats: int) -> list[Measure]:
    """What `match` estimates of its first strategy, A, against its second, B."""
    a = Measure(
        "score[A]",
        "mean score of strategy A over both seats (win 1, draw 1/2, loss 0)",
        half_points(lambda table: table["seating"].to_numpy()),
        scale=2,
    )
    return [a] + common_measures(n_seats) + [m() for m in GAME_MEASURES.get(game, [])]


def estimate(tally: Tally, name: str, level: float = LEVEL) -> Estimate:
    """The estimate of a measure.

    A proportion over independent games has a Wilson interval (Wilson, JASA 1927), by scipy;
    anything else the interval of the mean over deals by Student's t.
    """
    measure, counter, k = tally.measures[name], tally.counts[name], tally.rows_per_deal
    n, mean, variance = moments(counter)
    divisor = k * measure.scale
    value = mean / divisor + measure.shift
    if measure.share and k == 1:
        low, high = wilson(counter[1], n, level)
    else:
        half = t_quantile(n, level) * math.sqrt(variance / n) / divisor if n > 1 else math.inf
        low, high = value - half, value + half
        if measure.share:
            low, high = max(0.0, low), min(1.0, high)
    return Estimate(name, value, low, high, level, tally.games, tally.deals, measure.definition)


def wilson(successes: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval of a proportion."""
    from scipy.stats import binomtest

    interval = binomtest(int(successes), int(n)).proportion_ci(level, method="wilson")
    return float(interval.low), float(interval.high)


def t_quantile(n: int, level: float = LEVEL) -> float:
    """Half the width of a t interval in standard errors, for n units."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, (1 + level) / 2))


def elo(share: float) -> float:
    """The logistic Elo difference of a mean score; infinite at 0 and 1."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def estimates_of(tally: Tally) -> list[Estimate]:
    """Every measure's estimate; for a match the Elo difference too."""
    found = [estimate(tally, name) for name in tally.measures]
    if found[0].name == "score[A]":
        a = found[0]
        low, high = max(0.0, a.low), min(1.0, a.high)
        definition = "400 log10(s / (1 - s)) of score[A] = s: A's rating less B's"
        rating = Estimate(
            "elo_difference", elo(a.value), elo(low), elo(high), a.level, a.n, a.units, definition
        )
        found.insert(1, rating)
    return found


def pairing_gain(tally: Tally) -> dict | None:
    """What sharing deals gained: the variance over independent deals by that over pairs.

    Returns
    -------
    dict or None
        ``correlation`` of the two games of a pair and ``gain``, how many times more independent
        games the same interval would need; None where deals are not played in pairs or all alike.
    """
    if not tally.joint or tally.deals < 2:
        return None
    name = next(iter(tally.measures))
    _, _, paired = moments(tally.counts[name])
    single = [moments(tally.seating_counts[name, s])[2] for s in range(2)]
    if min(single) == 0:
        return None
    covariance = (paired - sum(single)) / 2
    gain = sum(single) / paired if paired > 0 else math.inf
    return {"correlation": covariance / math.sqrt(single[0] * single[1]), "gain": gain}


def curve(tally: Tally, level: float = LEVEL):
    """The main estimate against the number of games, with its band.

    Returns
    -------
    pandas.DataFrame
        Columns games, value, low, high.
    """
    import pandas as pd

    measure = next(iter(tally.measures.values()))
    k, sums, points = tally.rows_per_deal, np.zeros(3), []
    for block in sorted(tally.blocks):
        sums = sums + tally.blocks[block]
        n = int(sums[0])
        if n < 20:
            continue
        mean = sums[1] / n
        variance = max(0.0, sums[2] / n - mean * mean) * n / (n - 1)
        half = t_quantile(n, level) * math.sqrt(variance / n) / (k * measure.scale)
        value = mean / (k * measure.scale) + measure.shift
        points.append((n * k, value, value - half, value + half))
    return pd.DataFrame(points, columns=["games", "value", "low", "high"])


def distribution(tally: Tally, name: str):
    """How often each value of a measure came over single games, as a table of value and share.

    Only for runs whose deals have one game each, or from the sums over a deal otherwise.
    """
    import pandas as pd

    counter = tally.counts[name]
    total = sum(counter.values())
    values = sorted(counter)
    return pd.DataFrame({"value": values, "share": [counter[v] / total for v in values]})
