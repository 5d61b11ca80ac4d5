"""``evendeal mobility``: who climbs in Arse Hole, who stays, and how long it takes."""

from pathlib import Path
from typing import Annotated

import typer

from reports.app import (
    Jobs,
    Json,
    Out,
    Seats,
    Seed,
    Settings,
    app,
    reproduce,
    rounds_of,
    rules_of,
    split_specs,
    workers,
)
from sim.errors import UsageError

GAME = "arse_hole"


@app.command()
def mobility(
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            help="Who plays: one in every seat, or several with commas, dealt round the seats.",
            show_default="the game's strongest",
        ),
    ] = "",
    games: Annotated[
        int | None, typer.Option("--games", help="Sessions to play.", show_default="2,000")
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", help="Hands of a session.", show_default="50")
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """Arse Hole: who climbs, who stays, how long; does rank hold you down, does skill win?"""
    from analysis.estimates import estimates_of
    from analysis.measures import common_measures
    from analysis.mobility import Ranks, estimates, transitions
    from reports.run import base_report, collect, finish
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import STRONGEST, load

    module = load_game(GAME)
    n = check_players(module, players)
    rules = rules_of(module, (set_ or []) + ([] if hands is None else [f"hands={hands}"]))
    if rules.script != "none":
        raise UsageError("mobility needs a table that stays the same: leave out --set script (A15)")
    specs = seats_of(split_specs(strategies) if strategies else [STRONGEST[GAME]], n)
    different = list(dict.fromkeys(specs))
    hands = module.hands(rules)
    plan = make_plan(
        GAME,
        [load(GAME, spec) for spec in different],
        rules=rules,
        seatings=[[different.index(spec) for spec in specs]],
        paired=False,
        seed=seed,
        games=rounds_of(hands, 1, games),
    )
    if plan.games < 2:
        raise UsageError("mobility needs at least 2 sessions (--games): they are its unit")
    listed = ",".join(specs if len(different) > 1 else different)
    words = reproduce("mobility", plan, ["--strategies", listed], names_game=False)
    ranks = Ranks(specs, hands, plan.games, int(rules.first_exchange == "no" and hands > 1))
    lengths = ("unfinished_share", "turns_per_game", "moves_per_game", "decisions_per_game")
    measures = [m for m in common_measures(n, hands) if m.name in lengths]
    outcome = collect(plan, measures, workers(jobs), out, words, watch=ranks.add)
    found = estimates(ranks, seed) + estimates_of(outcome.tally)
    shares = transitions(ranks)
    report = base_report("mobility", plan, specs, outcome, found)
    matrices = {group: matrix_of(shares, group, n) for group in ranks.groups()}
    report["first_hand"] = ranks.start  # that counts, as the column `hand` of the results does
    report["transition"] = matrices.pop("all")
    if matrices:
        report["transition_by_strategy"] = matrices
    report["answer"] = answer_of(report, ranks, {e.name: e for e in found})
    notes = notes_of(report, ranks, found)
    if out:
        save_page(Path(out), plan, ranks, shares, found, report, words, notes)
    return finish(report, found, json_, out, notes)


def seats_of(specs: list[str], n: int) -> list[str]:
    """Who sits in each of n seats: the strategies dealt round.

    Raises
    ------
    UsageError
        If they do not come out even.
    """
    if n % len(specs):
        fitting = [str(k) for k in range(1, n + 1) if n % k == 0]
        raise UsageError(
            f"--strategies names {len(specs)}: at a table of {n} they must be one a seat, or come "
            f"out even when dealt round ({', '.join(fitting)})"
        )
    return specs * (n // len(specs))


def matrix_of(shares, group: str, n: int) -> dict:
    """A transition matrix with its intervals as lists; null for a rank that was never held."""
    rows = shares[shares["strategy"] == group]

    def as_lists(name):
        values = rows[name].to_numpy().reshape(n, n).tolist()
        return [[None if value != value else value for value in row] for row in values]

    return {name: as_lists(name) for name in ("value", "low", "high", "steps")}


def answer_of(report: dict, ranks, found: dict) -> str:
    """What holds a player down, or whether skill gets through, in a sentence or two."""
    from sim.games.arse_hole_rules import titles

    n, specs = ranks.n, ranks.names
    top = titles(n)[0]
    units = f"{report['games']:,} sessions of {ranks.hands} hands"
    stay = found[f"stay[{n}]"]
    text = (
        f"At a table of {n} ({', '.join(specs)}) the Arse Hole stays Arse Hole in "
        f"{100 * stay.value:.1f} % of hands ({100 * stay.low:.1f} to {100 * stay.high:.1f} with "
        f"95 % confidence; {100 / n:.1f} if rank meant nothing)"
    )
    if "hands_to_king" in found:
        to_king = found["hands_to_king"]
        text += (
            f" and needs {to_king.value:.1f} hands to become {top} ({to_king.low:.1f} to "
            f"{to_king.high:.1f}; {n} if rank meant nothing)"
        )
    text += f", over {units}."
    if len(specs) > 1:
        means = sorted((found[f"mean_rank[{name}]"] for name in specs), key=lambda e: e.value)
        best, last = means[0], means[-1]
        # The names were given by the user; an estimate's name wraps its strategy's in brackets.
        names = [e.name.removeprefix("mean_rank[").removesuffix("]") for e in (best, last)]
        sure = "gets through" if best.high < last.low else "is not surely to be seen"
        text += (
            f" Skill {sure}: the mean rank is {best.value:.2f} ({best.low:.2f} to "
            f"{best.high:.2f}) for {names[0]} and {last.value:.2f} ({last.low:.2f} to "
            f"{last.high:.2f}) for {names[1]}; 1 is the {top}."
        )
    return text


def notes_of(report: dict, ranks, found) -> list[str]:
    """What to know before reading the figures."""
    notes = [
        "A step is one hand: a player's rank before it and after it. Intervals take the session as "
        "their unit, since its hands pass the ranks on."
    ]
    rules = report["rules"]
    if rules["first_exchange"] == "no" and rules["hands"] > 1:
        notes.append(
            "The first hand of a session has no exchange, so its steps are freer than the others' "
            "and do not count here (--set first_exchange=yes gives it one)."
        )
    if rules["churn"]:
        notes.append("Changes of rank between hands by players who come and go are no steps.")
    known = {e.name for e in found}
    for group in ranks.groups():
        of = "" if group == "all" else f"[{group}]"
        if f"second_eigenvalue{of}" not in known:
            whose = "the whole table" if group == "all" else group
            notes.append(
                f"For {whose} too few steps were seen to lead from every rank to every other: the "
                "numbers that need that are left out; more --games may give them."
            )
    if len(ranks.names) > 1:
        notes.append(
            "In a mixed table a rank also tells who plays. The chain of the whole table forgets "
            "that, so its long run and its hands to King are those of nobody in it; the chain of "
            "each strategy comes closer."
        )
    if report["interrupted"]:
        notes.append("The run was interrupted; all figures are of the sessions that were finished.")
    return notes


def save_page(folder, plan, ranks, shares, found, report, words, notes) -> None:
    """Draw the figures and write the page."""
    from reports.page import write_page
    from reports.pictures import mobility_pictures

    many = len(ranks.names) > 1
    write_page(
        folder,
        mobility_pictures(ranks, shares, found, plan.seed, observed=plan.rules.churn == 0),
        report,
        plan.rules,
        question="Arse Hole: "
        + ("does skill get through?" if many else "how much does rank alone hold you down?"),
        answer=report["answer"],
        notes=notes,
        estimates=found,
        command=words,
    )
