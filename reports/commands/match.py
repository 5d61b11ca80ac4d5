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
from sim.errors import unknown

TABLES = ("one", "half")


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
    out: Out = None,
    json_: Json = False,
) -> int:
    """Which of two strategies is better: every deal is played with the seats moved round."""
    from analysis.estimates import estimates_of, pairing_gain
    from analysis.measures import match_measures
    from analysis.sequential import BATCH, CAP, Precision
    from reports.run import base_report, collect, finish, precision_note
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import load

    checked_precision(precision)
    module = load_game(game)
    n = check_players(module, players)
    rules = rules_of(module, set_)
    seatings = seatings_of(n, table)
    hands = module.hands(rules)
    if games is None and precision:
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
    words = reproduce(
        "match", plan, own_words + (["--precision", str(precision)] if precision else [])
    )
    measures = match_measures(game, seatings, rules, hands)
    goal = Precision(precision, measures[0], len(seatings) * hands) if precision else None
    outcome = collect(
        plan,
        measures,
        workers(jobs),
        out,
        words,
        stop=goal.reached if goal else None,
        batch=BATCH,
        watch=goal.watch if goal else None,
    )
    estimates = estimates_of(outcome.tally, seatings)
    if goal:
        estimates = goal.applied(estimates, seatings)
    report = base_report("match", plan, [a, b], outcome, estimates)
    report |= {"table": table, "seatings": seatings, "pairing": pairing_gain(outcome.tally)}
    notes = [pairing_note(report["pairing"], len(seatings))] if report["pairing"] else []
    if goal:
        report["precision"] = goal.as_dict()
        notes.append(precision_note(report["precision"]))
    answer = answer_of(report, estimates[0])
    if out:
        save_page(Path(out), module, plan, outcome, estimates, report, answer, words, notes)
    return finish(report, answer, estimates, json_, out, notes)


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
    a, b = report["strategies"]
    n = report["players"]
    verdict = f"{a} is the better" if main.low > 1 / n else f"{b} is the better"
    if main.low <= 1 / n <= main.high:
        verdict = "neither is surely the better"
    own = sum(seat == 0 for seat in report["seatings"][0])
    against = f"against {b}" if n == 2 else f"a seat with {n - own} of {b} at the table"
    even = "" if n == 2 else f"; an even share is {100 / n:.2f} %"
    return (
        f"{a} scores {100 * main.value:.2f} % {against} ({100 * main.low:.2f} to "
        f"{100 * main.high:.2f} with 95 % confidence{even}): {verdict}, over "
        f"{report['games']:,} games on {report['deals']:,} deals."
    )


def save_page(folder, module, plan, outcome, estimates, report, answer, words, notes) -> None:
    """Draw the figures and write the page."""
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
    pictures |= game_pictures(tally)
    notes = [f"A is {a}, B is {b}. {main.name} is the {main.definition}.", *notes]
    notes += interrupted_notes(report, plan)
    write_page(
        folder,
        pictures,
        report,
        plan.rules,
        question=f"{module.TITLE}: {a} or {b}, which is better?",
        answer=answer,
        notes=notes,
        estimates=estimates,
        command=words,
    )
