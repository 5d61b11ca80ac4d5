"""Figures, one function each: numbers in, a matplotlib figure out. No statistics in here."""

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#666666"  # told apart by the colour-blind
MAX_BARS = 120  # wider ranges are shown in classes of several values
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


def dots(estimates, labels, label, even=None, scale=1.0):
    """Estimates below each other, each a dot with its interval and its figure.

    Parameters
    ----------
    estimates : list of Estimate
    labels : list of str
        A name each.
    label : str
        What the values are, with their unit.
    even : float, optional
        A value to mark with a line.
    scale : float
        What values are multiplied by: 100 for shares in per cent.
    """
    with plt.rc_context(STYLE):
        figure, axes = new(height=1.2 + 0.5 * len(estimates))
        for i, estimate in enumerate(estimates):
            y = len(estimates) - 1 - i
            value, low, high = (scale * x for x in (estimate.value, estimate.low, estimate.high))
            grey = labels[i] == "draw"
            axes.errorbar(
                value,
                y,
                xerr=[[value - low], [high - value]],
                fmt="s" if grey else "o",
                color=GREY if grey else BLUE,
                capsize=4,
            )
            text = f"{value:.2f}" + (" %" if scale == 100 else "")
            axes.annotate(text, (value, y), (0, 7), textcoords="offset points", ha="center")
        if even is not None:
            axes.axvline(even, color=ORANGE, lw=1.5, ls="--", zorder=0)
        axes.set_yticks(range(len(estimates)), labels[::-1])
        axes.set_ylim(-0.6, len(estimates) - 0.2)
        axes.set_xlabel(label)
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
        values, shares = table["value"].to_numpy(), 100 * table["share"].to_numpy()
        width = max(1, int(values.max() - values.min() + 1) // MAX_BARS)
        start = values.min() // width * width
        bars = np.bincount((values - start) // width, weights=shares)
        axes.bar(
            start + width * np.arange(len(bars)) + (width - 1) / 2,
            bars,
            width=0.9 * width,
            color=colour,
        )
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
