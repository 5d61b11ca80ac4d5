"""Figures, one function each: numbers in, a matplotlib figure out. No statistics in here."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#666666"  # told apart by the colour-blind
STYLE = {
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "evendeal",  # the same numbers give the same file
    "figure.constrained_layout.use": True,
}


def new(width=7.0, height=3.6):
    """An empty figure and its axes in the house style."""
    with plt.rc_context(STYLE):
        return plt.subplots(figsize=(width, height))


def win_shares(shares, draw, labels):
    """Win share by seat and of draws, with intervals, against the even share.

    Parameters
    ----------
    shares : list of Estimate
    draw : Estimate
    labels : list of str
        A name a seat.
    """
    with plt.rc_context(STYLE):
        figure, axes = new(height=3.2)
        rows = [*shares, draw]
        names = [*labels, "draw"]
        for i, estimate in enumerate(rows):
            y = len(rows) - 1 - i
            axes.errorbar(
                100 * estimate.value,
                y,
                xerr=[
                    [100 * (estimate.value - estimate.low)],
                    [100 * (estimate.high - estimate.value)],
                ],
                fmt="o" if i < len(shares) else "s",
                color=BLUE if i < len(shares) else GREY,
                capsize=4,
            )
            text = f"{100 * estimate.value:.2f} %"
            axes.annotate(
                text, (100 * estimate.value, y), (0, 9), textcoords="offset points", ha="center"
            )
        axes.set_yticks(range(len(rows)), names[::-1])
        axes.set_ylim(-0.6, len(rows) - 0.3)
        axes.set_xlabel("share of all games, %, with 95 % interval")
        axes.margins(x=0.15)
    return figure


def distribution(table, label, colour=BLUE, centre=None):
    """Bars of how often each value came.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns value and share.
    label : str
        What the value is, with its unit.
    centre : float, optional
        A value to mark with a line.
    """
    with plt.rc_context(STYLE):
        figure, axes = new()
        axes.bar(table["value"], 100 * table["share"], width=0.9, color=colour)
        if centre is not None:
            axes.axvline(centre, color=ORANGE, lw=1.5, ls="--")
        axes.set_xlabel(label)
        axes.set_ylabel("share of games, %")
    return figure


def convergence(table, label, even=None):
    """The estimate against the number of games, with its band.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns games, value, low, high.
    label : str
    even : float, optional
        The value at which nothing is in it.
    """
    with plt.rc_context(STYLE):
        figure, axes = new()
        axes.fill_between(table["games"], table["low"], table["high"], color=BLUE, alpha=0.2)
        axes.plot(table["games"], table["value"], color=BLUE)
        if even is not None:
            axes.axhline(even, color=ORANGE, lw=1.5, ls="--")
        axes.set_xlabel("games played")
        axes.set_ylabel(label)
        axes.xaxis.set_major_formatter(matplotlib.ticker.StrMethodFormatter("{x:,.0f}"))
    return figure
