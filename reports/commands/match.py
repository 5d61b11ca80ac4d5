"""``evendeal match``: which of two strategies is better, and by how much."""

from pathlib import Path
from typing import Annotated

import typer

from reports.app import (
    Game,
    Games,
    Jobs,
    Json,
    Out,
    Precise,
    Seats,
    Seed,
    Settings,
    app,
    checked_precision,
    reproduce,
    rounds_of,
    rules_of,
    workers,
)
from sim.errors import UsageError, unknown

TABLES = ("one", "half")
RISK = 0.05


@app.command()
def match(
    game: Game,
    a: Annotated[str, typer.Argument(metavar="A", help="A strategy.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    games: Games = None,
    precision: Precise = None,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    table: Annotated[
        str,
        typer.Option(help="Over two seats: `one` A among others of B, or `half` the seats to A."),
    ] = "one",
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Play until it is decided which of two Elo differences A has over B.",
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(help="Risk of accepting ELO1 when ELO0 is true.")] = RISK,
    beta: Annotated[float, typer.Option(help="Risk of accepting ELO0 when ELO1 is true.")] = RISK,
    equivalent: Annotated[
        float | None,
        typer.Option(
            "--equivalent",
            help="Play until the score is surely nearer to even than this, or surely not.",
        ),
    ] = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """Which of two strategies is better: every deal is played with the seats moved round."""
    from analysis.estimates import estimates_of, pairing_gain
    from analysis.measures import match_measures
    from analysis.sequential import CAP
    from reports.run import base_report, collect, finish
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import load

    module = load_game(game)
    n = check_players(module, players)
    rules = rules_of(module, set_)
    seatings = seatings_of(n, table)
    hands = module.hands(rules)
    goal_words, goal_of = goal_asked_for(precision, sprt, alpha, beta, equivalent, seatings)
    if games is None and goal_of:
        games = CAP // len(seatings) * len(seatings)
    elif games is None:
        games = rounds_of(hands * n, len(seatings), None)
    plan = make_plan(
        game,
        [load(game, a), load(game, b)],
        rules=rules,
        seatings=seatings,
        seed=seed,
        games=rounds_of(hands, len(seatings), games),
    )
    own_words = [a, b] + (["--table", table] if table != "one" else [])
    words = reproduce("match", plan, own_words + goal_words)
    measures = match_measures(game, seatings, rules, hands)
    goal = goal_of and goal_of(measures[0], len(seatings) * hands)
    outcome = collect(plan, measures, workers(jobs), out, words, goal)
    estimates = estimates_of(outcome.tally, seatings)
    if goal:
        estimates = goal.applied(estimates, outcome.tally)
    report = base_report("match", plan, [a, b], outcome, estimates)
    report |= {"table": table, "seatings": seatings, "pairing": pairing_gain(outcome.tally)}
    notes = [pairing_note(report["pairing"], len(seatings))] if report["pairing"] else []
    if goal:
        report |= goal.report()
        notes.append(goal.note())
    report["answer"] = answer_of(report, estimates[0])
    if out:
        path = getattr(goal, "path", None)
        save_page(Path(out), module, plan, outcome, estimates, report, words, notes, path)
    return finish(report, estimates, json_, out, notes)


def goal_asked_for(precision, sprt, alpha, beta, equivalent, seatings):
    """The stop rule that was asked for: its words on the command line, and what makes it.

    Returns
    -------
    (list of str, callable or None)
        ``callable(measure, rows_per_deal)`` gives the rule.

    Raises
    ------
    UsageError
        For several at once, or one that makes no sense.
    """
    from analysis.sequential import Equivalence, Precision
    from analysis.sprt import parse_sprt

    asked = {"--precision": precision, "--sprt": sprt, "--equivalent": equivalent}
    asked = [name for name, value in asked.items() if value is not None]
    if len(asked) > 1:
        raise UsageError(f"{' and '.join(asked)} each say when to stop: give one of them")
    if sprt is None and (alpha, beta) != (RISK, RISK):
        raise UsageError("--alpha and --beta are risks of a test: they need --sprt ELO0,ELO1")
    n = len(seatings[0])
    if precision is not None:
        checked_precision(precision)
        return ["--precision", str(precision)], lambda measure, rows: Precision(
            precision, measure, rows, seatings
        )
    if sprt is not None:
        test = parse_sprt(sprt, alpha, beta, seatings)
        words = [f"--sprt={sprt}", "--alpha", str(alpha), "--beta", str(beta)]
        return words, lambda measure, rows: test
    if equivalent is not None:
        if not 0 < equivalent < 1 / n:
            raise UsageError(
                f"--equivalent is a difference of score from even: above 0 and below 1/{n}, not "
                f"{equivalent}"
            )
        return ["--equivalent", str(equivalent)], lambda measure, rows: Equivalence(
            equivalent, 1 / n, measure, rows, seatings
        )
    return [], None


def seatings_of(n: int, table: str) -> list[list[int]]:
    """Who sits where: strategy A (0) in one seat, or half of them side by side, moved all round.

    Raises
    ------
    UsageError
        For an unknown kind of table.
    """
    if table not in TABLES:
        raise unknown("table", table, TABLES)
    own = max(1, n // 2) if table == "half" else 1
    return [[0 if (seat - first) % n < own else 1 for seat in range(n)] for first in range(n)]


def pairing_note(pairing: dict, times: int) -> str:
    """What playing each deal several times was worth."""
    text = (
        f"Playing each deal {'twice' if times == 2 else f'{times} times'}, the seats moved round, "
        f"is worth {pairing['gain']:.2f} times as many games on deals of their own"
    )
    if "correlation" in pairing:
        text += f" (correlation of a pair {pairing['correlation']:+.3f})"
    return text + "."


def answer_of(report: dict, main) -> str:
    """The main estimate in one sentence that a designer would say."""
    from analysis.estimates import sides

    a, b = report["strategies"]
    n = report["players"]
    verdict = f"{a} is the better" if main.low > 1 / n else f"{b} is the better"
    if main.low <= 1 / n <= main.high:
        verdict = "neither is surely the better"
    _, others = sides(report["seatings"])
    against = f"against {b}" if n == 2 else f"a seat with {others} of {b} at the table"
    even = "" if n == 2 else f"; an even share is {100 / n:.2f} %"
    return (
        f"{a} scores {100 * main.value:.2f} % {against} ({100 * main.low:.2f} to "
        f"{100 * main.high:.2f} with 95 % confidence{even}): {verdict}, over "
        f"{report['games']:,} games on {report['deals']:,} deals."
    )


def save_page(folder, module, plan, outcome, estimates, report, words, notes, path) -> None:
    """Draw the figures and write the page; `path` is that of a test that was looked at."""
    from analysis.estimates import curve
    from reports import figures
    from reports.page import write_page
    from reports.pictures import game_pictures, match_pictures
    from reports.run import interrupted_notes

    tally, main, n = outcome.tally, estimates[0], plan.n_seats
    a, b = report["strategies"]
    pictures = match_pictures(n, {e.name: e for e in estimates}, a, b)
    pictures["convergence"] = (
        figures.convergence(curve(tally), f"score of {a}", 1 / n),
        f"The score of {a} against the number of games, with its 95 % band; dashed: even.",
    )
    if path:
        pictures["sprt"] = (
            figures.test_path(path, report["sprt"]["lower"], report["sprt"]["upper"]),
            "The log-likelihood ratio of the test against the number of deals; dashed: above the "
            "upper bound H1 is accepted, below the lower one H0.",
        )
    pictures |= game_pictures(tally)
    notes = [f"A is {a}, B is {b}. {main.name} is the {main.definition}.", *notes]
    notes += interrupted_notes(report, plan)
    write_page(
        folder,
        pictures,
        report,
        plan.rules,
        question=f"{module.TITLE}: {a} or {b}, which is better?",
        answer=report["answer"],
        notes=notes,
        estimates=estimates,
        command=words,
    )
