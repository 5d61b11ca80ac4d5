"""Fan Tan's chips: what seats, a card less, and payments come to.

Every function takes a table of results (`sim.runner.to_table`); those that need what a payment
costs take the rules too. The deal is the unit everywhere: all rows of a deal, its rotations and the
hands of its session, are averaged first, and intervals are Student's t over deals.
"""

import dataclasses

import numpy as np

from analysis.estimates import LEVEL, Estimate, t_quantile
from analysis.joint import JointTest, SeatMoments
from analysis.measures import stack
from sim.errors import UsageError

PAYMENTS = ("ante", "short_hand", "passes", "wrong_passes", "cards_left")


def by_deal(table, values) -> np.ndarray:
    """The mean of values by row over the rows of each deal.

    Parameters
    ----------
    table : pandas.DataFrame
    values : array, shape (rows, ...)

    Returns
    -------
    float array, shape (deals, ...)
    """
    deals, place = np.unique(table["deal"].to_numpy(), return_inverse=True)
    values = np.asarray(values, float)
    sums = np.zeros((len(deals), *values.shape[1:]))
    np.add.at(sums, place, values)
    rows = np.bincount(place, minlength=len(deals))
    return sums / rows.reshape(-1, *[1] * (values.ndim - 1))


def mean_of(name: str, of_deals: np.ndarray, rows: int, definition: str, level=LEVEL) -> Estimate:
    """The mean of independent values, a deal each, with Student's t.

    Raises
    ------
    UsageError
        If there are fewer than two.
    """
    n = len(of_deals)
    if n < 2:
        raise UsageError("an interval needs at least two deals")
    return around(name, of_deals.mean(), of_deals - of_deals.mean(), rows, definition, level)


def around(name, value, influence, rows, definition, level=LEVEL) -> Estimate:
    """An estimate whose error is the mean of `influence`, a value a deal (the delta method)."""
    n = len(influence)
    half = t_quantile(n, level) * np.std(influence, ddof=1) / np.sqrt(n)
    return Estimate(
        name, float(value), float(value - half), float(value + half), level, rows, n, definition
    )


# --- seats ----------------------------------------------------------------------------------------


def places(table, n_seats: int, by: str) -> np.ndarray:
    """The player in each place of each row, shape (rows, n_seats).

    Parameters
    ----------
    by : {"seat", "position"}
        A player's fixed seat, or the place in the deal of the hand (T2).
    """
    if by == "position":
        return stack(table, "position", n_seats).argsort(axis=1)
    if by == "seat":
        return np.tile(np.arange(n_seats), (len(table), 1))
    raise UsageError(f"by must be seat or position, not {by}")


def at_place(table, n_seats: int, values: np.ndarray, by: str) -> np.ndarray:
    """Values by player (rows, n_seats) put in the order of seats or positions."""
    return np.take_along_axis(values, places(table, n_seats, by), axis=1)


def wins_of(table, n_seats: int) -> np.ndarray:
    """1 where a player won the hand, shape (rows, n_seats)."""
    return (table["winner"].to_numpy()[:, None] == np.arange(n_seats)).astype(float)


def seat_table(table, n_seats: int, by: str = "seat", level: float = LEVEL) -> list[Estimate]:
    """Win share and net chips a hand of each seat or position.

    Returns
    -------
    list of Estimate
        ``win_share[i]`` of all places, then ``chips[i]``.
    """
    found = []
    for name, values, what in (
        ("win_share", wins_of(table, n_seats), "share of hands won"),
        ("chips", stack(table, "score", n_seats), "mean net chips a hand"),
    ):
        of_deals = by_deal(table, at_place(table, n_seats, values, by))
        for i in range(n_seats):
            definition = f"{what} in {by} {i}"
            found.append(mean_of(f"{name}[{i}]", of_deals[:, i], len(table), definition, level))
    return found


def seat_test(table, n_seats: int, what: str = "chips", by: str = "seat") -> JointTest:
    """Whether all seats (or positions) do alike: see `analysis.joint.SeatMoments.test`.

    Parameters
    ----------
    what : {"chips", "win_share"}

    Raises
    ------
    UsageError
        If there are too few deals, or the differences do not vary.
    """
    if what not in ("chips", "win_share"):
        raise UsageError(f"what must be chips or win_share, not {what}")

    def values_of(rows):
        values = stack(rows, "score", n_seats) if what == "chips" else wins_of(rows, n_seats)
        return at_place(rows, n_seats, values, by)

    rows_per_deal = int((table["deal"] == table["deal"].iloc[0]).sum())
    moments = SeatMoments(what, n_seats, values_of, rows_per_deal)
    moments.add(table)
    found = moments.test()
    if found is None:
        raise UsageError(
            f"nothing to test in {moments.deals} deals: {n_seats} seats need more than {n_seats}, "
            f"and {what} that differ"
        )
    return dataclasses.replace(found, name=f"{what} alike in all {by}s")


# --- a card more or less --------------------------------------------------------------------------


def card_worth(table, n_seats: int, rules, level: float = LEVEL) -> list[Estimate]:
    """What a card less is worth, and the `short_hand_chip` that would pay for it (T3).

    Returns
    -------
    list of Estimate
        - ``win_share_short_less_long`` and ``chips_short_less_long``: a position with a card less
          against one with a card more, as played.
        - ``chips_step_at_border``: the same, less a straight line through the positions: what is
          left to the card when the order of play is taken out (three places or more of both kinds;
          the order is taken to be linear).
        - ``fair_short_hand_chip``: the payment that would make both kinds even in chips. Only in
          forced play, where payments change no move: chips are then linear in it, and it is -g/s, g
          the difference without the payment and s what one chip of it changes; the error is that of
          a ratio of means (delta method).

    Raises
    ------
    UsageError
        If all hands are as long.
    """
    dealt = at_place(table, n_seats, stack(table, "cards_dealt", n_seats), "position")[0]
    short = dealt < dealt.max()
    if not short.any():
        raise UsageError(f"{n_seats} players: every hand is as long, a card less does not occur")
    n_short = int(short.sum())
    apart = np.where(short, 1 / n_short, -1 / (n_seats - n_short))
    rows = len(table)
    score = at_place(table, n_seats, stack(table, "score", n_seats), "position")
    wins = at_place(table, n_seats, wins_of(table, n_seats), "position")
    chips = by_deal(table, score)
    less = "of a position with a card less, less that of one with a card more"
    found = [
        mean_of(
            "win_share_short_less_long",
            by_deal(table, wins) @ apart,
            rows,
            f"win share {less}",
            level,
        ),
        mean_of("chips_short_less_long", chips @ apart, rows, f"mean net chips {less}", level),
    ]
    if n_seats > 2:
        design = np.stack([np.ones(n_seats), np.arange(n_seats), short], axis=1)
        step = np.linalg.pinv(design)[2]
        found.append(
            mean_of(
                "chips_step_at_border",
                chips @ step,
                rows,
                "step of the mean net chips where hands become shorter, over a straight line "
                "through the positions",
                level,
            )
        )
    if rules.enforcement == "forced":
        # A chip more: each short position pays it, the winner has them all (not in a cut hand).
        finished = (table["unfinished"].to_numpy() == 0)[:, None]
        change = by_deal(table, wins * n_short - short * finished) @ apart
        without = chips @ apart - rules.short_hand_chip * change
        fair = -without.mean() / change.mean()
        influence = -(without + fair * change) / change.mean()
        found.append(
            around(
                "fair_short_hand_chip",
                fair,
                influence,
                rows,
                "short_hand_chip at which hands with a card less and more win the same chips",
                level,
            )
        )
    return found


# --- pots and payments ----------------------------------------------------------------------------


def paid(table, n_seats: int, rules) -> dict[str, np.ndarray]:
    """What each player put into the pot, by reason (T1, T3, T6, T7, T8).

    Returns
    -------
    dict
        Each of `PAYMENTS` to chips, shape (rows, n_seats). Their sum over reasons and players is
        the pot. A cut hand gives them back.
    """
    dealt = stack(table, "cards_dealt", n_seats).astype(np.int64)
    wrong = stack(table, "wrong_passes", n_seats).astype(np.int64)
    finished = (table["unfinished"].to_numpy() == 0)[:, None]
    return {
        "ante": np.full_like(dealt, rules.ante),
        "short_hand": rules.short_hand_chip * (dealt < dealt.max(axis=1, keepdims=True)),
        "passes": rules.pass_chip * (stack(table, "passes", n_seats) - wrong),
        "wrong_passes": rules.wrong_pass_fine * wrong,
        "cards_left": stack(table, "cards_left", n_seats) * finished,
    }


def foundation_fines(table, n_seats: int, rules) -> np.ndarray:
    """What each player won by foundation fines, less what it paid (T8), shape (rows, n_seats)."""
    total = sum(paid(table, n_seats, rules).values())
    wins = wins_of(table, n_seats).astype(np.int64)
    finished = (table["unfinished"].to_numpy() == 0)[:, None]
    pot_net = wins * table["pot"].to_numpy()[:, None] - total * finished
    return stack(table, "score", n_seats) - pot_net


def payment_table(table, n_seats: int, rules, by: str = "seat", level: float = LEVEL):
    """Mean chips a hand by reason and place.

    Returns
    -------
    pandas.DataFrame
        Columns payment, place, value, low, high: each of `PAYMENTS`, what is paid into the pot, and
        ``foundation_fines``, what is won by them less what is paid.
    """
    import pandas as pd

    kinds = paid(table, n_seats, rules)
    if rules.enforcement == "fined":
        kinds["foundation_fines"] = foundation_fines(table, n_seats, rules)
    rows = []
    for kind, values in kinds.items():
        of_deals = by_deal(table, at_place(table, n_seats, values, by))
        for i in range(n_seats):
            e = mean_of(kind, of_deals[:, i], len(table), f"mean chips in {by} {i}", level)
            rows.append((kind, i, e.value, e.low, e.high))
    return pd.DataFrame(rows, columns=["payment", "place", "value", "low", "high"])


def spread(table, values, level: float = LEVEL):
    """How often each value came, with intervals over deals.

    Parameters
    ----------
    table : pandas.DataFrame
    values : int array, shape (rows,) or (rows, n_seats)
        Pots, or what each player paid.

    Returns
    -------
    pandas.DataFrame
        Columns value, share, low, high. A single value a deal has Wilson's interval, several have
        Student's t over deals.
    """
    import pandas as pd

    from analysis.estimates import wilson

    values = np.asarray(values).reshape(len(table), -1)
    deals, place = np.unique(table["deal"].to_numpy(), return_inverse=True)
    n, single = len(deals), values.size == len(deals)
    rows = []
    for value in np.unique(values):
        hits = (values == value).mean(axis=1)
        share = hits.mean()
        if single:
            low, high = wilson(int(hits.sum()), n, level)
        else:
            of_deals = np.bincount(place, hits) / np.bincount(place)
            half = t_quantile(n, level) * of_deals.std(ddof=1) / np.sqrt(n)
            low, high = max(0.0, share - half), min(1.0, share + half)
        rows.append((int(value), float(share), float(low), float(high)))
    return pd.DataFrame(rows, columns=["value", "share", "low", "high"])
