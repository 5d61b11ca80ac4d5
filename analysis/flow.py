"""How a game flows: who leads, how often that changes, when it is decided; from playouts.

Before some decisions of a game the chance v_p of each player p to win is estimated by playing the
position out m times. Such chances are noisy, and what is not linear in them is then biased: the
noise makes leads change that do not, and a leader look further ahead than it is. So every number
here is corrected, in one of two ways:

- squares lose the variance of the playouts, which their spread tells without bias;
- the others are taken from all m playouts and from either half of them, and Richardson's
  extrapolation of the two tells what they would be without noise. The bias goes with 1 / m where
  a smooth spread of positions is cut by a maximum (`CUT_ORDER`), and with 1 / sqrt(m) where leads
  change, as noise turns round whoever is nearly level (`LEAD_ORDER`).
"""

import dataclasses
import math

import numpy as np

from analysis.estimates import LEVEL, Estimate, t_quantile
from sim.errors import UsageError

LEAST_GAMES, LEAST_PLAYOUTS = 30, 16
CUT_ORDER, LEAD_ORDER = 1.0, 0.5
TIMES = np.linspace(0, 1, 21)  # of a curve, in shares of a game's decisions
BINS = 10


def result_shares(masks, n: int) -> np.ndarray:
    """Each seat's share of a result, from winners a bit a seat; where nobody won, all alike.

    Returns
    -------
    float array of shape (*masks.shape, n)
    """
    won = np.asarray(masks)[..., None] >> np.arange(n) & 1
    won = np.where(won.any(axis=-1, keepdims=True), won, 1)
    return won / won.sum(axis=-1, keepdims=True)


@dataclasses.dataclass(frozen=True)
class Track:
    """The chances of one game's players as it goes.

    Attributes
    ----------
    chance : float[n_marks, n]
        The mean result share over all playouts.
    halves : float[2, n_marks, n]
        Over every other one.
    noise : float[n_marks, n]
        The variance of `chance` that is due to the playouts, without bias.
    result : float[n]
        The result shares of the game.
    """

    chance: np.ndarray
    halves: np.ndarray
    noise: np.ndarray
    result: np.ndarray

    @property
    def winner(self) -> int:
        """The seat that alone won; -1 for none."""
        return int(self.result.argmax()) if self.result.max() == 1 else -1


def track_of(looks, winners: int, n: int) -> Track:
    """What the playouts of one game say.

    Parameters
    ----------
    looks : int array of shape (n_marks, trials)
        The winners of each playout, a bit a seat; an even number of trials.
    winners : int
        Those of the game.
    n : int
        Players.
    """
    shares = result_shares(looks, n)
    halves = np.stack([shares[:, k::2].mean(axis=1) for k in range(2)])
    noise = shares.var(axis=1, ddof=1) / shares.shape[1]
    return Track(halves.mean(axis=0), halves, noise, result_shares(winners, n))


# --- numbers of one game, from true or estimated chances ------------------------------------------


def drama(chance, winner: int) -> float:
    """How far the later winner was behind the leader, in mean over the looks (Ludii)."""
    return float((chance.max(axis=1) - chance[:, winner]).mean())


def lead_changes(chance) -> int:
    """How often another player comes to lead; who draws level with the leader does not lead yet."""
    changes, leader = 0, -1
    for row in chance:
        best = row.max()
        if leader < 0:
            ahead = np.flatnonzero(row == best)
            leader = int(ahead[0]) if len(ahead) == 1 else -1
        elif row[leader] < best:
            leader = int(row.argmax())
            changes += 1
    return changes


def decisive_moment(chance, winner: int) -> float:
    """When the winner first has more than any other ever has, as a share of the game (Browne)."""
    others = np.delete(chance, winner, axis=1).max()
    passed = np.flatnonzero(chance[:, winner] > others)
    return passed[0] / len(chance) if len(passed) else 1.0


def leader_share(chance, result, time: float) -> float:
    """What the player who leads at a time then gets of the result; leaders alike share it."""
    row = chance[min(int(time * len(chance)), len(chance) - 1)]
    return float(result[row == row.max()].mean())


# --- over games -----------------------------------------------------------------------------------


def extrapolated(full, halves, order: float):
    """A number without the bias of the playouts' noise, from all of them and from half of them."""
    weight = 2**order / (2**order - 1)
    return weight * full - (weight - 1) * halves


@dataclasses.dataclass(frozen=True)
class Corrected:
    """A number of each game.

    Attributes
    ----------
    raw, value : float[n_games]
        As it comes out, and without the bias of noise.
    """

    raw: np.ndarray
    value: np.ndarray


def corrected(tracks, number, order: float) -> Corrected:
    """A number of each track: ``number(chance, track)``."""
    raw = np.array([number(t.chance, t) for t in tracks], float)
    halves = np.array([(number(t.halves[0], t) + number(t.halves[1], t)) / 2 for t in tracks])
    return Corrected(raw, extrapolated(raw, halves, order))


def jackknife(parts, statistic, level: float = LEVEL) -> tuple[float, float, float]:
    """A function of means over games, with its interval.

    Parameters
    ----------
    parts : float[n_games, k]
    statistic : callable
        Of the k means, an array of shape (..., k).

    Returns
    -------
    value, low, high : float
    """
    n = len(parts)
    value = float(statistic(parts.mean(axis=0)))
    without = statistic((parts.sum(axis=0) - parts) / (n - 1))
    half = t_quantile(n, level) * math.sqrt((n - 1) * float(np.var(without)))
    return value, value - half, value + half


@dataclasses.dataclass
class Flow:
    """The tracks of some games.

    Attributes
    ----------
    n : int
        Players.
    tracks : list of Track
    """

    n: int
    tracks: list

    def __post_init__(self):
        if len(self.tracks) < LEAST_GAMES:
            raise UsageError(
                f"the flow of play needs at least {LEAST_GAMES} games with decisions, not "
                f"{len(self.tracks)}"
            )

    @property
    def won(self) -> list:
        """The tracks of the games that one player alone won."""
        return [t for t in self.tracks if t.winner >= 0]

    def at(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Chances and their noise at a time of every game, each of shape (games, n)."""
        if time >= 1:
            result = np.stack([t.result for t in self.tracks])
            return result, np.zeros_like(result)
        rows = [int(time * len(t.chance)) for t in self.tracks]
        chance = np.stack([t.chance[i] for t, i in zip(self.tracks, rows)])
        return chance, np.stack([t.noise[i] for t, i in zip(self.tracks, rows)])

    @property
    def results(self) -> np.ndarray:
        """The result shares, of shape (games, n)."""
        return np.stack([t.result for t in self.tracks])


def decided(means, games: int):
    """The share of the results' variance that is decided, from means of `decided_parts`."""
    chance, square, noise, result, result_square = np.split(np.asarray(means), 5, axis=-1)
    spread = games / (games - 1) * (square - chance**2)
    total = games / (games - 1) * (result_square - result**2).sum(axis=-1)
    return (spread - noise).sum(axis=-1) / np.where(total > 0, total, np.nan)


def decided_parts(flow: Flow, time: float) -> np.ndarray:
    """What `decided` needs of each game."""
    chance, noise = flow.at(time)
    result = flow.results
    return np.concatenate([chance, chance**2, noise, result, result**2], axis=1)


def calibration_slope(means):
    """The slope of results against chances, from means of `calibration_parts`."""
    product, square = np.moveaxis(np.asarray(means), -1, 0)
    return product / np.where(square > 0, square, np.nan)


def calibration_parts(flow: Flow) -> np.ndarray:
    """What `calibration_slope` needs of each game: cross products and squares about the means."""
    result = flow.results
    about = result.mean(axis=0)
    parts = []
    for t in flow.tracks:
        apart = t.chance - about
        parts.append(
            (
                (apart * (t.result - about)).sum(axis=1).mean(),
                (apart**2 - t.noise).sum(axis=1).mean(),
            )
        )
    return np.array(parts)


def flow_estimates(flow: Flow) -> tuple[list[Estimate], dict[str, float]]:
    """The numbers of the flow of play, and what those with a correction would be without it."""
    games = len(flow.tracks)
    found, raw = [], {}

    def note(name, value, low, high, definition, units=games, bounds=(0.0, 1.0)):
        low, high = max(low, bounds[0]), min(high, bounds[1])
        value = min(max(value, bounds[0]), bounds[1])
        found.append(Estimate(name, value, low, high, LEVEL, games, units, definition))

    def mean(name, numbers, definition, bounds=(0.0, 1.0)):
        values = numbers.value if isinstance(numbers, Corrected) else numbers
        half = t_quantile(len(values)) * values.std(ddof=1) / math.sqrt(len(values))
        value = values.mean()
        note(name, value, value - half, value + half, definition, len(values), bounds)
        if isinstance(numbers, Corrected):
            raw[name] = float(numbers.raw.mean())

    looks = "over the looks at a game"
    changes = corrected(flow.tracks, lambda v, t: lead_changes(v), LEAD_ORDER)
    mean("lead_changes", changes, "times a game that another player comes to lead", (0, math.inf))
    gaps = np.array([max(1, len(t.chance) - 1) for t in flow.tracks])
    mean(
        "lead_change_share",
        Corrected(changes.raw / gaps, changes.value / gaps),
        "lead changes by the looks at a game after the first",
    )
    if len(flow.won) >= LEAST_GAMES:
        mean(
            "drama",
            corrected(flow.won, lambda v, t: drama(v, t.winner), CUT_ORDER),
            f"the leader's chance less that of the later winner, mean {looks}, games won alone",
        )
        mean(
            "decisive_moment",
            corrected(flow.won, lambda v, t: decisive_moment(v, t.winner), CUT_ORDER),
            "when the winner's chance first exceeds all that any other ever has, as a share of "
            "the game; games won alone",
        )
    for name, time in (("half", 0.5), ("three_quarters", 0.75)):
        mean(
            f"comeback[{name}]",
            corrected(
                flow.tracks,
                lambda v, t, time=time: 1 - leader_share(v, t.result, time),
                CUT_ORDER,
            ),
            f"what others get of the result of who leads after {name.replace('_', ' ')} of the "
            "decisions",
        )
    mean(
        "stability",
        np.array(
            [
                (t.chance.var(axis=0) - (1 - 1 / len(t.chance)) * t.noise.mean(axis=0)).mean()
                for t in flow.tracks
            ]
        ),
        f"variance of a player's chance {looks}, mean over players, less that of the playouts",
    )
    shares = [jackknife(decided_parts(flow, time), decider(flow)) for time in (0.0, 0.5)]
    note("decided_by_deal", *shares[0], "share of the results' variance that the deal decides")
    note("decided[half]", *shares[1], "share of the results' variance decided at half the game")
    note(
        "calibration_slope",
        *jackknife(calibration_parts(flow), calibration_slope),
        "slope of results against chances, less the playouts' noise; 1: chances are what they say",
        bounds=(-math.inf, math.inf),
    )
    start, _ = flow.at(0.0)
    for seat in range(flow.n):
        gap = start[:, seat] - flow.results[:, seat]
        mean(
            f"calibration_start[{seat}]",
            gap,
            f"mean chance of seat {seat} before the first decision less its result share",
            (-1.0, 1.0),
        )
    return found, raw


def decider(flow: Flow):
    """`decided` of a flow's games."""
    return lambda means: decided(means, len(flow.tracks))


# --- curves ---------------------------------------------------------------------------------------


def shrunk(values, mean: float, noise) -> np.ndarray:
    """Noisy values drawn together so that their mean and spread are those of the true ones.

    Constrained empirical Bayes (Louis, *Journal of the American Statistical Association* 79, 1984).
    """
    spread = values.var(ddof=1)
    factor = math.sqrt(max(0.0, 1 - noise.mean() / spread)) if spread > 0 else 0.0
    return mean + factor * (values - values.mean())


def drama_curves(flow: Flow):
    """The leader's and the later winner's chance over a game, and how much is decided.

    Returns
    -------
    pandas.DataFrame
        Columns who (leader, winner), time, mean, q10, q25, q50, q75, q90.
    """
    import pandas as pd

    rows = []
    won = Flow(flow.n, flow.won) if len(flow.won) >= LEAST_GAMES else None
    for who, some in (("leader", flow), ("winner", won)):
        for time in TIMES if some else ():
            chance, noise = some.at(time)
            each = np.arange(len(chance))
            if who == "leader":
                place = chance.argmax(axis=1)
                values = chance[each, place]
                halves = [
                    half_at(some, time, k).max(axis=1).mean() if time < 1 else values.mean()
                    for k in range(2)
                ]
                mean = min(1.0, extrapolated(values.mean(), np.mean(halves), CUT_ORDER))
            else:
                place = some.results.argmax(axis=1)
                values = chance[each, place]
                mean = values.mean()
            values = shrunk(values, mean, noise[each, place]).clip(0, 1)
            quantiles = np.quantile(values, [0.1, 0.25, 0.5, 0.75, 0.9])
            rows.append((who, time, mean, *quantiles))
    return pd.DataFrame(rows, columns=["who", "time", "mean", "q10", "q25", "q50", "q75", "q90"])


def half_at(flow: Flow, time: float, k: int) -> np.ndarray:
    """Chances by one half of the playouts at a time of every game."""
    return np.stack([t.halves[k][int(time * len(t.chance))] for t in flow.tracks])


def decided_curve(flow: Flow):
    """How much of the outcome is decided, over the game.

    Returns
    -------
    pandas.DataFrame
        Columns time, value, low, high.
    """
    import pandas as pd

    rows = [(t, *jackknife(decided_parts(flow, t), decider(flow))) for t in TIMES[:-1]]
    table = pd.DataFrame([*rows, (1.0, 1.0, 1.0, 1.0)], columns=["time", "value", "low", "high"])
    return table.clip(lower=0, upper=1)


def reliability(flow: Flow):
    """Chances against results, by classes of chance.

    A look's class is told by one half of its playouts and its chance by the other, so that noise
    does not draw the points toward the middle. Intervals take the game as their unit.

    Returns
    -------
    pandas.DataFrame
        Columns chance, value, low, high, looks.
    """
    import pandas as pd

    counts = np.zeros((len(flow.tracks), BINS, 3))  # looks, chances, results
    for i, track in enumerate(flow.tracks):
        result = np.broadcast_to(track.result, track.chance.shape)
        for k in range(2):
            place = np.minimum((track.halves[k] * BINS).astype(int), BINS - 1)
            for j, part in enumerate((np.ones_like(result), track.halves[1 - k], result)):
                np.add.at(counts[i, :, j], place, part)
    rows = []
    for place in range(BINS):
        looks, chances, results = counts[:, place].T
        total, units = looks.sum(), int((looks > 0).sum())
        if units < 5:
            continue
        value = results.sum() / total
        spread = units / (units - 1) * ((results - value * looks) ** 2).sum()
        half = t_quantile(units) * math.sqrt(spread) / total
        low, high = max(0.0, value - half), min(1.0, value + half)
        rows.append((chances.sum() / total, value, low, high, int(total) // 2))
    return pd.DataFrame(rows, columns=["chance", "value", "low", "high", "looks"])
