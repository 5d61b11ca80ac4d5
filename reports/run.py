"""Play a plan and collect what it measures: progress, results on disk, a stop rule."""

import contextlib
import contextvars
import dataclasses
import sys
import time

from analysis.tally import Tally

#: Whether a command is only to be checked: it ends with `Checked` where it would begin to play.
only_check = contextvars.ContextVar("only_check", default=False)


class Checked(Exception):
    """What was asked for is right; raised instead of playing it.

    Attributes
    ----------
    manifest : dict
        What would have been played.
    """

    def __init__(self, manifest: dict):
        super().__init__("only checked")
        self.manifest = manifest


@dataclasses.dataclass
class Outcome:
    """What came out of a run.

    Attributes
    ----------
    tally : Tally
        Of all games that were finished, in game order.
    elapsed : float
        Seconds.
    interrupted : bool
        Whether Ctrl-C ended it early.
    """

    tally: Tally
    elapsed: float
    interrupted: bool


def batches(tables, size_of):
    """Tables cut anew into batches, in game order; the last may be short.

    Parameters
    ----------
    tables : iterable of pandas.DataFrame
    size_of : callable
        ``size_of(rows)``: the rows of the next batch, when so many are done.
    """
    import pandas as pd

    waiting, done = pd.DataFrame(), 0
    for table in tables:
        waiting = pd.concat([waiting, table], ignore_index=True) if len(waiting) else table
        start = 0
        while len(waiting) - start >= size_of(done):
            size = size_of(done)
            yield waiting[start : start + size]
            start, done = start + size, done + size
        waiting = waiting[start:]
    if len(waiting):
        yield waiting


@contextlib.contextmanager
def opened(out, manifest: dict):
    """The store of a folder, closed at the end; None where nothing is to be kept."""
    from sim.store import Store

    if only_check.get():
        raise Checked(manifest)
    if out is None:
        yield None
        return
    with Store(out, manifest) as store:
        yield store


@contextlib.contextmanager
def results_of(store, plan, jobs: int, number: int = 0, labels: dict | None = None):
    """The tables of a plan's results in game order, and what keeps those that were counted.

    Parameters
    ----------
    store : Store or None
    plan : Plan
    jobs : int
    number, labels
        As of `sim.store.Store.stream`.

    Yields
    ------
    (iterator of pandas.DataFrame, callable)
    """
    from sim.runner import run, to_table

    if store is None:
        tables, keep = (to_table(rows, plan.n_seats) for rows in run(plan, jobs)), None
    else:
        stream = store.stream(plan, number, labels)
        tables, keep = stream.tables(jobs), stream.add
    try:
        yield tables, keep or (lambda table: None)
    finally:
        tables.close()
        if store is not None:
            stream.close()


def collect(plan, measures, jobs: int, out=None, words: str = "", goal=None, watch=None):
    """Play a plan and tally it.

    Parameters
    ----------
    plan : Plan
    measures : list of Measure
    jobs : int
    out : path, optional
        A folder for the results.
    words : str
        The command that makes that folder.
    goal : Precision, Equivalence or Sprt, optional
        Is asked after every batch, in game order, whether to stop, so that when a run ends depends
        on its games alone.
    watch : callable, optional
        ``watch(table)`` is shown every table of results too, in game order.

    Returns
    -------
    Outcome

    Raises
    ------
    KeyboardInterrupt
        If it was interrupted before any game was finished.
    """
    from reports.progress import Interrupts, progress
    from sim.game import load_game
    from sim.runner import prepare

    hands = load_game(plan.game).hands(plan.rules)
    deals = goal.batch(0) if goal else plan.games // plan.games_per_deal
    tally = Tally(measures, plan.games_per_deal, deals, hands)
    with opened(out, {"command": words} | plan.manifest()) as store:
        prepare(plan, lambda text: print(text, file=sys.stderr))
        start = time.perf_counter()
        with (
            Interrupts() as interrupts,
            progress(plan.games) as advance,
            results_of(store, plan, jobs) as (tables, keep),
        ):
            if goal:
                per_deal = tally.rows_per_deal
                tables = batches(tables, lambda rows: goal.batch(rows // per_deal) * per_deal)
            for table in tables:
                tally.add(table)
                for look in (watch, goal and goal.watch):
                    if look:
                        look(table)
                keep(table)
                advance(len(table) // hands)
                if (goal and goal.reached(tally)) or interrupts.asked:
                    break
    interrupted = interrupts.asked and tally.games < plan.games
    if not tally.deals:
        raise KeyboardInterrupt
    return Outcome(tally, time.perf_counter() - start, interrupted)


def base_report(command: str, plan, specs, outcome: Outcome, estimates) -> dict:
    """The JSON that every estimating command has."""
    tally = outcome.tally
    return {
        "command": command,
        "game": plan.game,
        "rules": plan.rules.as_dict(),
        "players": plan.n_seats,
        "strategies": specs,
        "seed": plan.seed,
        "games": tally.games,
        "deals": tally.deals,
        "unfinished": tally.total("unfinished_share"),
        "interrupted": outcome.interrupted,
        "elapsed_s": round(outcome.elapsed, 3),
        "games_per_s": round(tally.games / max(outcome.elapsed, 1e-9), 1),
        "estimates": [e.as_dict() for e in estimates],
    }


def interrupted_notes(report: dict, plan) -> list[str]:
    """What a page says of a run that Ctrl-C ended; nothing of a whole one."""
    if not report["interrupted"]:
        return []
    return [
        f"The run was interrupted after {report['games']:,} of {plan.games:,} games; all "
        "figures are of these."
    ]


def finish(report: dict, estimates, as_json: bool, out, notes=()) -> int:
    """Print a report and give the exit status."""
    import json
    from pathlib import Path

    from reports.app import finite

    if as_json:
        print(json.dumps(finite(report)))
        return 130 if report["interrupted"] else 0
    print(report["answer"])
    if report["interrupted"]:
        print("Interrupted: these are the games that were finished.")
    width = max(len(e.name) for e in estimates) + 2
    print(f"\n{'estimate':<{width}}{'value':>11}   95 % interval")
    for e in estimates:
        print(f"{e.name:<{width}}{e.value:>11.4f}   {e.low:.4f} to {e.high:.4f}")
    for note in notes:
        print(f"\n{note}")
    print(
        f"\n{report['games']:,} games, {report['unfinished']} unfinished, seed {report['seed']}, "
        f"{report['elapsed_s']:.1f} s, {report['games_per_s']:,.0f} games/s"
    )
    if out:
        print(f"Page: {Path(out) / 'report.html'}")
    return 130 if report["interrupted"] else 0
