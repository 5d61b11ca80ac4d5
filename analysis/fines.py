"""Whether a wrong pass of Fan Tan is worth its fine (T8), and which fine would stop it."""

import numpy as np

from analysis.chips import around, by_deal, mean_of, wins_of
from analysis.estimates import LEVEL, Estimate
from analysis.measures import stack
from sim.errors import UsageError


def lying_worth(table, seatings, level: float = LEVEL) -> list[Estimate]:
    """What wrong passes gain those who make them, against the same player who makes none.

    The table is of paired games in which strategy 0 may pass wrongly and strategy 1 is the same
    player made honest. Were all honest, each deal's rotations would give strategy 0 every seat in
    turn and so, as chips sum to zero, no chips: what it wins *is* the gain over honesty on the same
    deals and in the same seats.

    Parameters
    ----------
    table : pandas.DataFrame
    seatings : sequence of sequences of int
        As in `sim.runner.Plan`: all rotations of one arrangement.

    Returns
    -------
    list of Estimate
        ``chips_gained`` and ``win_share_gained`` a hand and seat, ``wrong_passes`` a hand and seat,
        and, where there were any, ``chips_gained_each``: chips gained by wrong pass made.
    """
    sits = np.asarray(seatings) == 0
    n_seats = sits.shape[1]
    if len(set(sits.sum(axis=0))) > 1:
        raise UsageError("seatings must put the strategy in every seat equally often")
    mine = sits[table["seating"].to_numpy()]
    own = int(sits[0].sum())

    def of(values):
        return by_deal(table, (values * mine).sum(axis=1) / own)

    chips = of(stack(table, "score", n_seats))
    wins = of(wins_of(table, n_seats))
    wrong = of(stack(table, "wrong_passes", n_seats))
    rows = len(table)
    found = [
        mean_of("chips_gained", chips, rows, "mean net chips a hand of a seat that lies", level),
        mean_of(
            "win_share_gained",
            wins - 1 / n_seats,
            rows,
            "win share of a seat that lies less an even share",
            level,
        ),
        mean_of("wrong_passes", wrong, rows, "mean wrong passes a hand of a seat that lies", level),
    ]
    if wrong.any():
        ratio = chips.mean() / wrong.mean()
        found.append(
            around(
                "chips_gained_each",
                ratio,
                (chips - ratio * wrong) / wrong.mean(),
                rows,
                "net chips gained by wrong pass made",
                level,
            )
        )
    return found


def fine_sweep(
    liars,
    honest,
    n_seats: int,
    fines,
    *,
    option="wrong_pass_fine",
    rules=None,
    deals=2000,
    seed=1,
    level=LEVEL,
):
    """What lying gains at each fine, by kind of liar, all on the same deals.

    Parameters
    ----------
    liars : callable
        ``liars(fine)`` gives the players to try at a fine, a list of `sim.game.Player`: what is
        worth a fine depends on the fine. One of them at a time sits with honest players.
    honest : sim.game.Player
        The same player made honest: ``liar(patience=0)`` for any ``liar``.
    n_seats : int
    fines : sequence of int
        Values of `option`.
    option : {"wrong_pass_fine", "seven_fine"}
    rules : dict, optional
        Other options; play is fined in any case.
    deals, seed : int
    level : float
        Of all intervals of a kind together (Bonferroni).

    Returns
    -------
    pandas.DataFrame
        A row a fine, liar and estimate of `lying_worth`: fine, liar, name, value, low, high, deals,
        unfinished.
    """
    import pandas as pd

    from sim.runner import simulate

    if option not in ("wrong_pass_fine", "seven_fine"):
        raise UsageError(f"option must be wrong_pass_fine or seven_fine, not {option}")
    seatings = [[int(seat != own) for seat in range(n_seats)] for own in range(n_seats)]
    tried = [(fine, liar) for fine in fines for liar in liars(fine)]
    each, rows = 1 - (1 - level) / len(tried), []
    for fine, liar in tried:
        table = simulate(
            "fan_tan",
            [liar, honest],
            rules={**(rules or {}), "enforcement": "fined", option: fine},
            seatings=seatings,
            games=deals * n_seats,
            seed=seed,
        )
        unfinished = int(table["unfinished"].sum())
        for e in lying_worth(table, seatings, each):
            rows.append((fine, liar.name, e.name, e.value, e.low, e.high, deals, unfinished))
    columns = ["fine", "liar", "name", "value", "low", "high", "deals", "unfinished"]
    return pd.DataFrame(rows, columns=columns)


def fine_bracket(sweep):
    """Between which two fines of a sweep lying stops to pay.

    Parameters
    ----------
    sweep : pandas.DataFrame
        As of `fine_sweep`, its intervals adjusted for the number of liars and fines.

    Returns
    -------
    pays, stops : int or None
        The highest fine at which some liar surely gains chips, None if there is none; and the next
        higher fine of the sweep, from which on no liar surely does, None if there is none.
    """
    gains = sweep[sweep["name"] == "chips_gained"]
    fines = sorted(gains["fine"].unique().tolist())
    paying = gains.loc[gains["low"] > 0, "fine"]
    if paying.empty:
        return None, fines[0]
    pays = int(paying.max())
    return pays, next((fine for fine in fines if fine > pays), None)
