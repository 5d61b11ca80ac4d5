"""Rule options as an experiment: a full grid of rule sets on common deals, and what each does.

Every cell of the grid plays the same deals, so effects are taken deal by deal and most of the luck
of the cards cancels.
"""

import dataclasses
import itertools
import math

import numpy as np

from analysis.estimates import LEVEL, estimates_of, t_quantile
from analysis.measures import advantage_measures
from analysis.tally import Measure, Tally
from sim.errors import UsageError, unknown
from sim.game import load_game

MAX_CELLS = 1000
MAX_ROWS = 200_000_000  # results kept by deal, about a dozen bytes each
EFFECTS_ON = ("first_player_advantage", "draw_share", "turns_per_game")


@dataclasses.dataclass(frozen=True)
class Effect:
    """What a change of rules does, over deals played under both.

    Attributes
    ----------
    name : str
        The change and the measure.
    kind : str
        ``main``: an option's value against its first one, averaged over the other options' values.
        ``interaction``: by how much one change alters another's effect.
        ``turned``: the share of deals whose winner a change turns.
    measure : str
    strategy : str
    change : dict
        Option to (first value, changed value).
    value, low, high : float
        With the interval's `level`; for main effects and interactions adjusted by Holm's method
        (Holm, *Scandinavian Journal of Statistics* 6, 1979) over all of one measure and strategy.
    level : float
    p, p_holm : float or None
        Two-sided, of no effect; None for ``turned``.
    n : int
        Deals.
    definition : str
    """

    name: str
    kind: str
    measure: str
    strategy: str
    change: dict
    value: float
    low: float
    high: float
    level: float
    p: float | None
    p_holm: float | None
    n: int
    definition: str

    def as_dict(self) -> dict:
        """Plain data."""
        return dataclasses.asdict(self)


def parse_vary(module, texts: list[str], given: dict) -> dict[str, list]:
    """Options with their values from words like ``tie=return,void``.

    Parameters
    ----------
    module : game module
    texts : list of str
    given : dict
        Options that are set for the whole grid.

    Raises
    ------
    UsageError
        For an unknown option or value, one varied twice or set as well, or a grid over
        `MAX_CELLS`.
    """
    options, varied = module.Rules.options(), {}
    for text in texts:
        name, equals, words = text.partition("=")
        name = name.strip()
        if not equals:
            raise UsageError(f"--vary {text!r} is not of the form option=value,value")
        if name not in options:
            raise unknown("option", name, options)
        if name in varied:
            raise UsageError(f"--vary {name} is given twice; list all its values in one")
        if name in given:
            raise UsageError(f"option {name} is given both by --set and --vary; choose one")
        values = [word.strip() for word in words.split(",") if word.strip()]
        # The option itself refuses a wrong value and names those that are right.
        values = [module.Rules.parse({**given, name: v}).as_dict()[name] for v in values]
        if len(values) < 2:
            raise UsageError(f"--vary {text!r}: give at least two values, with a comma")
        if len(set(values)) < len(values):
            raise UsageError(f"--vary {text!r} names a value twice")
        varied[name] = values
    if not varied:
        raise UsageError("nothing to vary: give --vary option=value,value at least once")
    cells = math.prod(len(values) for values in varied.values())
    if cells > MAX_CELLS:
        raise UsageError(f"the grid has {cells:,} cells; at most {MAX_CELLS:,} are played")
    return varied


def grid(varied: dict[str, list]) -> list[dict]:
    """Every combination of the values, the last option changing fastest."""
    return [dict(zip(varied, values)) for values in itertools.product(*varied.values())]


class Cell:
    """One cell of a grid as it is played: its tally, and what effects need by deal.

    Parameters
    ----------
    plan : Plan
    set_ : dict
        The values of the varied options.
    strategy : str
    """

    def __init__(self, plan, set_: dict, strategy: str):
        self.plan, self.set, self.strategy = plan, set_, strategy
        self.hands = load_game(plan.game).hands(plan.rules)
        self.measures = advantage_measures(plan.game, plan.n_seats, plan.rules, self.hands)
        self.tally = Tally(self.measures, 1, plan.games, self.hands)
        self.kept = [m for m in self.measures if m.name in EFFECTS_ON]
        self.parts = {m.name: [] for m in self.kept} | {"winners": []}

    def add(self, table) -> None:
        """Count a chunk."""
        self.tally.add(table)
        for measure in self.kept:
            values = np.asarray(measure.of(table), np.int64).reshape(-1, self.hands).sum(axis=1)
            self.parts[measure.name].append(values)
        winners = table["winners"].to_numpy().astype(np.int32).reshape(-1, self.hands)
        self.parts["winners"].append(winners)

    def close(self) -> None:
        """Join what was kept by deal."""
        self.by_deal = {name: np.concatenate(parts) for name, parts in self.parts.items()}
        self.parts = None

    def as_dict(self) -> dict:
        """A row of the sweep as plain data."""
        found = estimates_of(self.tally)
        return {
            "strategy": self.strategy,
            "set": self.set,
            "games": self.tally.games,
            "unfinished": self.tally.total("unfinished_share"),
            "estimates": [e.as_dict() for e in found],
        }


def effects(cells: list[Cell], varied: dict[str, list], level: float = LEVEL) -> list[Effect]:
    """Main effects, two-way interactions and turned winners of a grid of one strategy.

    Parameters
    ----------
    cells : list of Cell
        In the order of `grid`, all over the same deals.
    varied : dict
    level : float

    Returns
    -------
    list of Effect
    """
    shape = [len(values) for values in varied.values()]
    number = np.arange(len(cells)).reshape(shape)
    deals = min(len(cell.by_deal["winners"]) for cell in cells)
    found = []
    changes = main_changes(varied) + interaction_changes(varied)
    for name in EFFECTS_ON:
        measure = next(m for m in cells[0].kept if m.name == name)
        rows = []
        for change in changes:
            weights = contrast(number, list(varied), varied, change)
            total = np.zeros(deals)
            for i in np.flatnonzero(weights):
                cell = cells[i]
                total += weights[i] / (measure.scale * cell.hands) * cell.by_deal[name][:deals]
            rows.append((change, total))
        found += adjusted(rows, measure, cells[0].strategy, deals, level)
    for change in main_changes(varied):
        found.append(turned(cells, number, varied, change, deals, level))
    return found


def main_changes(varied: dict[str, list]) -> list[dict]:
    """Each option from its first value to each other one."""
    return [{o: (values[0], v)} for o, values in varied.items() for v in values[1:]]


def interaction_changes(varied: dict[str, list]) -> list[dict]:
    """Each two of these changes, of different options, together."""
    return [a | b for a, b in itertools.combinations(main_changes(varied), 2) if set(a) != set(b)]


def contrast(number: np.ndarray, names: list[str], varied: dict, change: dict) -> np.ndarray:
    """The weight of each cell in an effect: differences along the changed options, means else."""
    weights = np.ones(1)
    for name in names:
        axis = np.zeros(len(varied[name]))
        if name in change:
            first, other = change[name]
            axis[varied[name].index(first)] = -1
            axis[varied[name].index(other)] = 1
        else:
            axis[:] = 1 / len(axis)
        weights = np.outer(weights, axis).ravel()
    return weights


def said(change: dict) -> str:
    """A change in words."""
    return " and ".join(f"{name} {a} -> {b}" for name, (a, b) in change.items())


def adjusted(rows, measure: Measure, strategy: str, n: int, level: float) -> list[Effect]:
    """Effects of one measure from their values by deal, with Holm's adjustment over all of them.

    The effect with the k-th smallest p of m has an interval of level 1 - (1 - level)/(m - k + 1);
    from the first that Holm's method does not reject on the level stays, so that an interval
    leaves out zero exactly where the method rejects.
    """
    from scipy.special import stdtr
    from statsmodels.stats.multitest import multipletests

    means = [values.mean() for _, values in rows]
    errors = [values.std(ddof=1) / math.sqrt(n) if n > 1 else math.inf for _, values in rows]
    p = []
    for mean, error in zip(means, errors):
        if error == 0:
            p.append(1.0 if mean == 0 else 0.0)
        else:
            p.append(float(2 * stdtr(max(n - 1, 1), -abs(mean / error))))
    p_holm = multipletests(p, alpha=1 - level, method="holm")[1]
    levels, open_, m = [0.0] * len(rows), True, len(rows)
    divisor = m
    for k, i in enumerate(np.argsort(p, kind="stable")):
        if open_:
            divisor = m - k
            open_ = p[i] <= (1 - level) / divisor
        levels[i] = 1 - (1 - level) / divisor
    found = []
    for (change, _), mean, error, own, holm, at in zip(rows, means, errors, p, p_holm, levels):
        half = t_quantile(n, at) * error if n > 1 else math.inf
        kind = "main" if len(change) == 1 else "interaction"
        what = (
            "mean difference by deal, averaged over the other options"
            if kind == "main"
            else "by how much one change alters the other's effect, by deal"
        )
        found.append(
            Effect(
                f"{measure.name}: {said(change)}",
                kind,
                measure.name,
                strategy,
                change,
                float(mean),
                float(mean - half),
                float(mean + half),
                float(at),
                own,
                float(holm),
                n,
                f"{what}; of the {measure.definition}",
            )
        )
    return found


def turned(cells, number, varied, change: dict, n: int, level: float) -> Effect:
    """The share of deals (hands, in sessions) whose winners a change of one option turns."""
    (name, (first, other)), axis = (
        next(iter(change.items())),
        list(varied).index(next(iter(change))),
    )
    before = np.take(number, varied[name].index(first), axis).ravel()
    after = np.take(number, varied[name].index(other), axis).ravel()
    total = np.zeros(n)
    for a, b in zip(before, after):
        hands = min(cells[a].hands, cells[b].hands)
        left, right = (cells[i].by_deal["winners"][:n, :hands] for i in (a, b))
        different = left != right
        total += different.mean(axis=1) / len(before)
    mean = float(total.mean())
    half = t_quantile(n, level) * total.std(ddof=1) / math.sqrt(n) if n > 1 else math.inf
    return Effect(
        f"turned_share: {said(change)}",
        "turned",
        "turned_share",
        cells[0].strategy,
        change,
        mean,
        max(0.0, mean - float(half)),
        min(1.0, mean + float(half)),
        level,
        None,
        None,
        n,
        "share of deals won by another seat, or drawn instead, when the rule is changed",
    )
