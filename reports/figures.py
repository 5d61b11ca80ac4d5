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
        # Values that come only in steps, as differences of even sums do, get bars a step wide.
        step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else 1
        width = step * max(1, int(values.max() - values.min() + 1) // step // MAX_BARS)
        start = values.min() if width == step else values.min() // width * width
        bars = np.bincount((values - start) // width, weights=shares)
        axes.bar(
            start + width * np.arange(len(bars)) + (width - step) / 2,
            bars,
            width=0.9 * width,
            color=colour,
        )
        if centre is not None:
            axes.axvline(centre, color=ORANGE, lw=1.5, ls="--")
        axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
        axes.set_xlabel(label)
        axes.set_ylabel("share of games, %")
    return figure


def ranges(tables, labels, label):
    """Distributions below each other: the middle nine tenths, the middle half, and the mean.

    Parameters
    ----------
    tables : list of pandas.DataFrame
        Columns value (ascending) and share.
    labels : list of str
        A name each.
    label : str
        What the values are, with their unit.
    """
    with plt.rc_context(STYLE):
        figure, axes = new(height=1.2 + 0.5 * len(tables))
        for i, table in enumerate(tables):
            y = len(tables) - 1 - i
            values, shares = table["value"].to_numpy(), table["share"].to_numpy()
            ends = np.searchsorted(shares.cumsum(), [0.05, 0.25, 0.75, 0.95]).clip(
                max=len(values) - 1
            )
            axes.plot(values[ends[[0, 3]]], [y, y], color=BLUE, lw=1.5)
            axes.plot(values[ends[[1, 2]]], [y, y], color=BLUE, lw=7, alpha=0.5)
            axes.plot(values @ shares, y, "o", color=ORANGE)
        axes.axvline(0, color=GREY, lw=1, ls="--", zorder=0)
        axes.set_yticks(range(len(tables)), labels[::-1])
        axes.set_ylim(-0.6, len(tables) - 0.4)
        axes.set_xlabel(label)
    return figure


def at_least(tables, labels, label):
    """How often each value is reached, a stepped line for each of several distributions.

    Parameters
    ----------
    tables : list of pandas.DataFrame
        Columns value (ascending) and share.
    labels : list of str
        A name each.
    label : str
        What the values are, with their unit.
    """
    with plt.rc_context(STYLE):
        figure, axes = new()
        colours = plt.get_cmap("viridis")(np.linspace(0, 0.9, len(tables)))
        for table, name, colour in zip(tables, labels, colours):
            reached = 100 * table["share"].to_numpy()[::-1].cumsum()[::-1]
            values = np.append(table["value"], table["value"].max() + 1)
            axes.step(values, np.append(reached, 0), where="pre", color=colour, label=name)
        axes.set_xlabel(f"at least so many {label}")
        axes.set_ylabel("share of games, %")
        axes.legend(frameon=False, ncols=2 if len(tables) > 6 else 1)
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


def test_path(path, lower, upper):
    """The log-likelihood ratio of a sequential test against the deals, and its bounds.

    Parameters
    ----------
    path : list of (int, float)
    lower, upper : float
    """
    deals, ratios = zip(*path)
    with plt.rc_context(STYLE):
        figure, axes = new()
        axes.plot((0, *deals), (0, *ratios), color=BLUE, marker="o", ms=3)
        for bound, name in ((upper, "H1"), (lower, "H0")):
            axes.axhline(bound, color=ORANGE, lw=1.5, ls="--")
            axes.annotate(
                name, (0, bound), (4, 4 if name == "H1" else -13), textcoords="offset points"
            )
        axes.margins(y=0.15)
        axes.set_xlabel("deals played")
        axes.set_ylabel("log-likelihood ratio")
        axes.xaxis.set_major_formatter(matplotlib.ticker.StrMethodFormatter("{x:,.0f}"))
    return figure


def power(deals, middle, low, high, target, needed):
    """The chance of finding a difference against the deals, with its band.

    Parameters
    ----------
    deals, middle, low, high : arrays of one length
    target : float
        The chance that is wanted.
    needed : int
        The deals that reach it.
    """
    with plt.rc_context(STYLE):
        figure, axes = new()
        axes.fill_between(deals, low, high, color=BLUE, alpha=0.25, lw=0)
        axes.plot(deals, middle, color=BLUE)
        axes.axhline(target, color=ORANGE, lw=1.5, ls="--")
        axes.plot(needed, target, "o", color=ORANGE)
        axes.annotate(f"{needed:,} deals", (needed, target), (6, -15), textcoords="offset points")
        axes.set_xlim(0, deals[-1])
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("deals played")
        axes.set_ylabel("chance of finding it")
        axes.xaxis.set_major_formatter(matplotlib.ticker.StrMethodFormatter("{x:,.0f}"))
    return figure


COLOURS = [BLUE, ORANGE, "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
MARKERS = "os^Dv<>"


def forest(table, label, scale=1.0):
    """Effects below each other with their intervals against none, a colour a strategy.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns label, strategy, value, low, high.
    label : str
        What the effects are, with their unit.
    scale : float
        What values are multiplied by.
    """
    labels = list(dict.fromkeys(table["label"]))
    strategies = list(dict.fromkeys(table["strategy"]))
    with plt.rc_context(STYLE):
        height = 1.3 + 0.32 * len(labels) * max(1, 0.6 * len(strategies))
        figure, axes = new(height=height)
        for i, strategy in enumerate(strategies):
            rows = table[table["strategy"] == strategy]
            shift = 0.6 * (i - (len(strategies) - 1) / 2) / max(1, len(strategies))
            y = np.array([len(labels) - 1 - labels.index(text) for text in rows["label"]]) - shift
            value, low, high = (scale * rows[c].to_numpy(float) for c in ("value", "low", "high"))
            axes.errorbar(
                value,
                y,
                xerr=[value - low, high - value],
                fmt=MARKERS[i % len(MARKERS)],
                ms=5,
                capsize=3,
                color=COLOURS[i % len(COLOURS)],
                label=strategy,
            )
        axes.axvline(0, color=GREY, lw=1.2, ls="--", zorder=0)
        axes.set_yticks(
            range(len(labels)), [text.replace(" and ", "\nand ") for text in labels[::-1]]
        )
        axes.tick_params(axis="y", labelsize=9)
        axes.set_ylim(-0.7, len(labels) - 0.3)
        axes.set_xlabel(label)
        if len(strategies) > 1:
            figure.legend(loc="outside upper center", ncols=min(3, len(strategies)), frameon=False)
    return figure


def interaction(table, across, by=None):
    """First-player advantage over the values of one option, a line a value of another.

    Parameters
    ----------
    table : pandas.DataFrame
        A row a cell: strategy, value, low, high, and ``set.NAME`` for each varied option. Cells
        alike in the two options are averaged; bars are drawn only where there is one a point.
    across : str
        The option along the axis.
    by : str, optional
        The option of the lines.
    """
    strategies = list(dict.fromkeys(table["strategy"]))
    lines = list(dict.fromkeys(table[f"set.{by}"])) if by else [None]
    values = list(dict.fromkeys(table[f"set.{across}"]))
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(
            1,
            len(strategies),
            figsize=(max(7.0, 3.4 * len(strategies)), 3.9),
            sharey=True,
            squeeze=False,
        )
        for axes, strategy in zip(panels[0], strategies):
            for i, line in enumerate(lines):
                rows = table[table["strategy"] == strategy]
                if by:
                    rows = rows[rows[f"set.{by}"] == line]
                groups = [rows[rows[f"set.{across}"] == value] for value in values]
                means = [100 * group["value"].mean() for group in groups]
                x = np.arange(len(values)) + 0.06 * (i - (len(lines) - 1) / 2)
                style = {
                    "color": COLOURS[i % len(COLOURS)],
                    "marker": MARKERS[i % len(MARKERS)],
                    "ms": 5,
                    "label": None if line is None else f"{by} = {line}",
                }
                if all(len(group) == 1 for group in groups):
                    low = [m - 100 * g["low"].iloc[0] for m, g in zip(means, groups)]
                    high = [100 * g["high"].iloc[0] - m for m, g in zip(means, groups)]
                    axes.errorbar(x, means, yerr=[low, high], capsize=3, **style)
                else:
                    axes.plot(x, means, **style)
            axes.axhline(0, color=GREY, lw=1.2, ls="--", zorder=0)
            axes.set_xticks(range(len(values)), [str(value) for value in values])
            axes.set_xlabel(across)
            axes.set_title(strategy, fontsize=11)
        panels[0][0].set_ylabel("first-player advantage,\npoints in 100")
        if by:
            handles, names = panels[0][0].get_legend_handles_labels()
            figure.legend(
                handles, names, loc="outside upper center", ncols=min(4, len(names)), frameon=False
            )
    return figure


def heat_map(table, names):
    """A transition matrix as squares, the darker the likelier, each with its chance in per cent.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns before, after (ranks from 1) and value.
    names : list of str
        The ranks' titles, from 1.
    """
    n = len(names)
    matrix = 100 * table.pivot(index="before", columns="after", values="value").to_numpy()
    with plt.rc_context(STYLE):
        figure, axes = new(width=max(6.0, 2.9 + 0.48 * n), height=max(4.6, 2.0 + 0.4 * n))
        image = axes.imshow(matrix, cmap="Blues", vmin=0)
        dark = 0.6 * image.norm.vmax
        for before in range(n):
            for after in range(n):
                value = matrix[before, after]
                text = "-" if np.isnan(value) else f"{value:.1f}" if n <= 10 else f"{value:.0f}"
                axes.text(
                    after,
                    before,
                    text,
                    ha="center",
                    va="center",
                    fontsize=9 if n <= 10 else 7,
                    color="white" if value > dark else "black",
                )
        turned = {"rotation": 90} if n > 6 else {"rotation": 30, "ha": "right"}
        axes.set_xticks(range(n), names, rotation_mode="anchor" if n <= 6 else None, **turned)
        axes.tick_params(axis="x", labelsize=9)
        axes.set_yticks(range(n), names, fontsize=9)
        axes.set_xlabel("rank after the hand")
        axes.set_ylabel("rank before the hand")
        axes.spines[:].set_visible(False)
        figure.colorbar(image, ax=axes, label="chance, %", shrink=0.8)
    return figure


def matchups(table, names, even):
    """Who scores what against whom: a square a pair, its score and half its interval in per cent.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns a, b, score, low, high.
    names : list of str
        The order of the strategies.
    even : float
        The score of an even share.
    """
    n = len(names)
    place = {name: i for i, name in enumerate(names)}
    matrix = np.full((n, n), np.nan)
    with plt.rc_context(STYLE):
        figure, axes = new(width=max(6.0, 2.9 + 0.62 * n), height=max(4.6, 2.0 + 0.5 * n))
        size = 9 if n <= 8 else 7
        for row in table.itertuples():
            x, y = place[row.b], place[row.a]
            matrix[y, x] = 100 * (row.score - even)
            half = 50 * (row.high - row.low)
            axes.text(
                x, y, f"{100 * row.score:.1f}\n±{half:.1f}", ha="center", va="center", fontsize=size
            )
            if row.low <= even <= row.high:
                axes.plot([x - 0.5, x + 0.5], [y + 0.5, y - 0.5], color=GREY, lw=0.8)
        most = np.nanmax(np.abs(matrix))
        colours = matplotlib.colors.LinearSegmentedColormap.from_list(
            "", ["#f2a36b", "#ffffff", "#6fb1e0"]
        )
        image = axes.imshow(matrix, cmap=colours, vmin=-most, vmax=most)
        axes.set_xticks(range(n), names, rotation=90 if n > 5 else 0, fontsize=9)
        axes.set_yticks(range(n), names, fontsize=9)
        axes.set_xlabel("against")
        axes.spines[:].set_visible(False)
        figure.colorbar(image, ax=axes, label="score less an even share, points in 100", shrink=0.8)
    return figure


def climb(table, names, observed):
    """The chance to have had rank 1 against the hands played, a line a strategy.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns strategy, hands, value, low, high, and observed, observed_low, observed_high.
    names : list of str
        The ranks' titles, from 1; as many make the line of a game in which rank means nothing.
    observed : bool
        Whether to show what was observed.
    """
    with plt.rc_context(STYLE):
        figure, axes = new(height=4.0)
        for i, (strategy, rows) in enumerate(table.groupby("strategy", sort=False)):
            colour, hands = COLOURS[i % len(COLOURS)], rows["hands"]
            low, value, high = (100 * rows[c] for c in ("low", "value", "high"))
            axes.fill_between(hands, low, high, color=colour, alpha=0.2, lw=0)
            axes.plot(hands, value, color=colour, label=strategy)
            if observed:
                some = rows.iloc[i :: max(1, len(rows) // 12)]
                middle, low, high = (
                    100 * some[c] for c in ("observed", "observed_low", "observed_high")
                )
                axes.errorbar(
                    some["hands"],
                    middle,
                    yerr=[middle - low, high - middle],
                    fmt=MARKERS[i % len(MARKERS)],
                    ms=4,
                    capsize=2,
                    lw=1,
                    color=colour,
                )
        hands = np.arange(1, table["hands"].max() + 1)
        axes.plot(
            hands, 100 * (1 - (1 - 1 / len(names)) ** hands), color=GREY, lw=1.2, ls="--", zorder=0
        )
        axes.set_ylim(0, 102)
        axes.set_xlabel("hands played")
        axes.set_ylabel(f"has been {names[0]}, %")
        if table["strategy"].nunique() > 1:
            figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return figure


def flow(table, names):
    """Ranks over a session's hands as bands, of who starts at the top and at the bottom.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns strategy, start, hands, rank, share, sessions; a row of panels a strategy.
    names : list of str
        The ranks' titles, from 1.
    """
    n = len(names)
    strategies = list(dict.fromkeys(table["strategy"]))
    colours = plt.get_cmap("cividis")(np.linspace(1, 0, n))
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(
            len(strategies),
            2,
            figsize=(8.4, 0.9 + 2.7 * len(strategies)),
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        for row, strategy in zip(panels, strategies):
            for axes, start in zip(row, (1, n)):
                part = table[(table["strategy"] == strategy) & (table["start"] == start)]
                who = "" if strategy == "all" else f"{strategy}, "
                axes.set_title(f"{who}starting as {names[start - 1]}", fontsize=11)
                if len(part):
                    shares = part.pivot(index="rank", columns="hands", values="share")
                    # The King lies on top.
                    bands = axes.stackplot(
                        shares.columns, 100 * shares.to_numpy()[::-1], colors=colours[::-1]
                    )
                    handles = bands[::-1]
                axes.margins(0)
            row[0].set_ylabel("share of sessions, %")
        for axes in panels[-1]:
            axes.set_xlabel("hands played")
        figure.legend(
            handles, names, loc="outside right center", frameon=False, fontsize=9 if n < 12 else 7
        )
    return figure
