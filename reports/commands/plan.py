"""``evendeal plan``: how many games it takes to find a difference of a given size."""

from pathlib import Path
from typing import Annotated

import typer

from reports.app import (
    Game,
    Jobs,
    Json,
    Out,
    Seats,
    Seed,
    Settings,
    app,
    changed_rules,
    reproduce,
    rounds_of,
    rules_of,
    split_specs,
    workers,
)
from sim.errors import RunError, UsageError

PILOT = 20_000  # games of one hand


@app.command()
def plan(
    game: Game,
    detect: Annotated[float, typer.Option("--detect", help="The difference of score to find.")],
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A[,B]",
            help="Two to match, or one for the first player's advantage.",
            show_default="the game's strongest",
        ),
    ] = "",
    alpha: Annotated[float, typer.Option(help="Risk of finding what is not there.")] = 0.05,
    power: Annotated[float, typer.Option(help="Chance of finding what is there.")] = 0.8,
    games: Annotated[
        int | None,
        typer.Option("--games", help="Games of the pilot.", show_default="about 20,000"),
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """How many games it takes to find a difference of a given size, from a pilot."""
    from analysis.estimates import LEVEL, Estimate, estimates_of
    from analysis.measures import advantage_measures, match_measures
    from analysis.power import need_of
    from reports.commands.match import seatings_of
    from reports.run import base_report, collect, finish
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import STRONGEST, load

    module = load_game(game)
    n = check_players(module, players)
    check(detect, alpha, power, n)
    names = split_specs(strategies) if strategies else [STRONGEST[game]]
    if len(names) > 2:
        raise UsageError(f"--strategies is one or two of them, not {len(names)}")
    rules = rules_of(module, set_)
    hands = module.hands(rules)
    paired = len(names) == 2
    seatings = seatings_of(n, "one") if paired else [[0] * n]
    times = len(seatings)
    pilot = make_plan(
        game,
        [load(game, name) for name in names],
        rules=rules,
        seatings=seatings,
        paired=paired,
        seed=seed,
        games=rounds_of(hands, times, games, PILOT),
    )
    own_words = ["--strategies", ",".join(names), "--detect", str(detect)]
    words = reproduce("plan", pilot, [*own_words, "--alpha", str(alpha), "--power", str(power)])
    if paired:
        measures = match_measures(game, seatings, rules, hands)
    else:
        measures = advantage_measures(game, n, rules, hands)
    outcome = collect(pilot, measures, workers(jobs), out, words)
    tally = outcome.tally
    need = need_of(tally, detect, alpha, power)
    if need is None:
        raise RunError(
            f"all {tally.deals:,} deals of the pilot came out alike (seed {seed}), so there is no "
            "spread to plan from: give other strategies, or more --games",
            seed=seed,
        )
    report = base_report("plan", pilot, names if paired else names * n, outcome, [])
    rate = tally.games / max(outcome.elapsed, 1e-9)

    def of_need(name, factor, definition):
        low, value, high = (float(x * factor) for x in (need.low, need.deals, need.high))
        return Estimate(name, value, low, high, LEVEL, tally.games, tally.deals, definition)

    test = f"a two-sided test at {alpha:g} with power {power:g} against {detect:g}"
    estimates = [
        of_need("deals_needed", 1, f"deals for {test}"),
        of_need("games_needed", times, f"games for {test}"),
        Estimate(
            "spread_of_a_deal",
            need.spread,
            need.spread_low,
            need.spread_high,
            LEVEL,
            tally.games,
            tally.deals,
            f"standard deviation of a deal's {measures[0].name}",
        ),
        *estimates_of(tally, seatings if paired else None),
    ]
    report["estimates"] = [e.as_dict() for e in estimates]
    report |= {"detect": detect, "alpha": alpha, "power": power, "games_per_deal": times}
    report["next_command"] = follow_up(pilot, names, need.deals * times)
    report["seconds_needed"] = need.deals * times / rate  # no estimate: it is the machine's
    report["answer"] = answer_of(report, need, hands)
    notes = [
        f"{measures[0].name} is the {measures[0].definition}. The interval of the number of deals "
        "comes from how well the pilot shows their spread. The number is for "
        "strategies whose deals spread as the pilot's do, and far from even they spread less.",
        f"To play them: {report['next_command']}",
    ]
    if out:
        save_page(Path(out), module, pilot, need, estimates, report, words, notes)
    # Printed only: what a folder holds does not depend on the machine.
    notes.append(f"At the pilot's rate they take about {report['seconds_needed']:,.1f} s.")
    return finish(report, estimates, json_, out, notes)


def check(detect: float, alpha: float, power: float, n: int) -> None:
    """Refuse a test that makes no sense.

    Raises
    ------
    UsageError
        Saying what would.
    """
    if not 0 < detect < 1 / n:
        raise UsageError(
            f"--detect is a difference of score from even: above 0 and below 1/{n}, not {detect}"
        )
    if not 0 < alpha < 0.5:
        raise UsageError(f"--alpha is a risk: above 0 and below 0.5, not {alpha}")
    if not 0.5 <= power < 1:
        raise UsageError(f"--power is a chance: from 0.5 and below 1, not {power}")


def follow_up(pilot, names: list[str], games: int) -> str:
    """The command that plays what is needed, with another seed than the pilot's."""
    import shlex

    from sim.game import load_game

    line = ["evendeal"] + (
        ["match", pilot.game, *names]
        if len(names) == 2
        else ["advantage", pilot.game, "--strategy", *names]
    )
    if pilot.n_seats != load_game(pilot.game).DEFAULT_PLAYERS:
        line += ["--players", str(pilot.n_seats)]
    line += ["--games", str(games), "--seed", str(pilot.seed + 1)]
    return shlex.join(line + changed_rules(pilot.rules))


def answer_of(report: dict, need, hands: int) -> str:
    """The number of games in one sentence."""
    times = report["games_per_deal"]
    units = "games" if hands == 1 else "sessions"
    each = f" ({need.deals:,} deals, each played {times} times)" if times > 1 else ""
    return (
        f"To find a difference of {report['detect']:g} in the score with a chance of "
        f"{100 * report['power']:g} % takes {need.deals * times:,} {units}{each}; from "
        f"{need.low * times:,} to {need.high * times:,} with 95 % confidence."
    )


def save_page(folder, module, pilot, need, estimates, report, words, notes) -> None:
    """Draw the figure and write the page."""
    import numpy as np

    from analysis.power import power_of
    from reports import figures
    from reports.page import write_page
    from reports.run import interrupted_notes

    deals = np.linspace(0, 2 * need.deals, 200)[1:]
    bands = [
        power_of(spread, report["detect"], report["alpha"], deals)
        for spread in (need.spread, need.spread_high, need.spread_low)
    ]
    pictures = {
        "power": (
            figures.power(deals, *bands, report["power"], need.deals),
            f"The chance of finding a difference of {report['detect']:g} against the number of "
            "deals, with the 95 % band of the pilot's spread; dashed: the chance asked for.",
        )
    }
    write_page(
        folder,
        pictures,
        report,
        pilot.rules,
        question=f"{module.TITLE}: how many games find a difference of {report['detect']:g}?",
        answer=report["answer"],
        notes=[*notes, *interrupted_notes(report, pilot)],
        estimates=estimates,
        command=words,
    )
