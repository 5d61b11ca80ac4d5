"""``evendeal advantage``: what sitting first, or in each seat, is worth."""

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


@app.command()
def advantage(
    game: Game,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy", help="Who plays, in every seat.", show_default="the game's strongest"
        ),
    ] = "",
    games: Games = None,
    precision: Precise = None,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """What moving first, or sitting in each seat, is worth between players of one strategy."""
    from analysis.estimates import estimates_of
    from analysis.joint import seat_moments
    from analysis.measures import advantage_measures
    from analysis.sequential import CAP, Precision
    from reports.run import base_report, collect, finish
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import STRONGEST, load

    checked_precision(precision)
    module = load_game(game)
    n = check_players(module, players)
    rules = rules_of(module, set_)
    player = load(game, strategy or STRONGEST[game])
    hands = module.hands(rules)
    plan = make_plan(
        game,
        [player],
        rules=rules,
        seatings=[[0] * n],
        paired=False,
        seed=seed,
        games=rounds_of(hands, 1, CAP if precision and games is None else games),
    )
    own_words = ["--strategy", player.name]
    words = reproduce(
        "advantage", plan, own_words + (["--precision", str(precision)] if precision else [])
    )
    measures = advantage_measures(game, n, rules, hands)
    moments = seat_moments(module, n, hands)
    goal = Precision(precision, measures[0], hands) if precision else None

    def watch(table):
        for one in moments:
            one.add(table)

    outcome = collect(plan, measures, workers(jobs), out, words, goal, watch)
    estimates = estimates_of(outcome.tally)
    if goal:
        estimates = goal.applied(estimates)
    report = base_report("advantage", plan, [player.name] * n, outcome, estimates)
    units = "deals" if hands == 1 else "sessions"
    notes, report["seat_tests"] = [], []
    if goal:
        report |= goal.report()
        notes.append(goal.note())
    for one in moments:
        test = one.test()
        if test:
            report["seat_tests"].append(test.as_dict())
            notes.append(
                f"Are all seats alike in {one.name}? p = {test.p:.3g} (Hotelling's T2 = "
                f"{test.statistic:.2f} over {test.units:,} {units})."
            )
    report["answer"] = answer_of(module, report, estimates[0])
    if out:
        save_page(Path(out), module, plan, outcome, estimates, report, words, notes)
    return finish(report, estimates, json_, out, notes)


def answer_of(module, report: dict, main) -> str:
    """The main estimate in one sentence that a designer would say."""
    from analysis.measures import FIRST

    game, n = report["game"], report["players"]
    between = f"Between {'two' if n == 2 else n} players of {report['strategies'][0]}"
    more = "more" if main.value >= 0 else "fewer"
    low, high = (main.low, main.high) if main.value >= 0 else (-main.high, -main.low)
    interval = f"{100 * low:.2f} to {100 * high:.2f} with 95 % confidence"
    if main.low > 0:
        sure = "favours that player"
    elif main.high < 0:
        sure = "is hard on that player"
    else:
        sure = "shows no sure advantage or disadvantage for that player"
    units = f"{report['games']:,} games"
    if module.hands(module.Rules.parse(report["rules"])) > 1:
        units = f"{report['games']:,} sessions"
    who = f"the player who {FIRST[game]}"
    return (
        f"{between}, {who} wins {100 * abs(main.value):.2f} points in 100 {more} than "
        f"an even share ({interval}): {module.TITLE} {sure}, over {units}."
    )


def save_page(folder, module, plan, outcome, estimates, report, words, notes) -> None:
    """Draw the figures and write the page."""
    from analysis.estimates import curve
    from reports import figures
    from reports.page import write_page
    from reports.pictures import game_pictures, seat_pictures
    from reports.run import interrupted_notes

    tally, main = outcome.tally, estimates[0]
    pictures = seat_pictures(plan.game, plan.n_seats, {e.name: e for e in estimates})
    pictures["convergence"] = (
        figures.convergence(curve(tally), "first-player advantage", 0.0),
        "The first-player advantage against the number of games, with its 95 % band; dashed: "
        "nothing in it.",
    )
    pictures |= game_pictures(tally)
    notes = [
        f"Strategy in every seat: {report['strategies'][0]}. First-player advantage is the "
        f"{main.definition}. It depends on who plays.",
        *notes,
    ]
    notes += interrupted_notes(report, plan)
    write_page(
        folder,
        pictures,
        report,
        plan.rules,
        question=f"How large is the first player's advantage in {module.TITLE}?",
        answer=report["answer"],
        notes=notes,
        estimates=estimates,
        command=words,
    )
