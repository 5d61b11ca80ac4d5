"""``evendeal tournament``: all strategies against all, ratings, cycles, equilibrium."""

from pathlib import Path
from typing import Annotated

import typer

from reports.app import Game, Jobs, Json, Out, Seats, Seed, Settings, app, rules_of, workers
from sim.errors import UsageError

DEFAULT_GAMES = 150_000


@app.command()
def tournament(
    game: Game,
    strategies: Annotated[
        list[str] | None,
        typer.Argument(metavar="[S ...]", help="Who plays.", show_default="all of the game's own"),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", help="Games in all.", show_default=f"about {DEFAULT_GAMES:,}"),
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """All strategies against all on common deals: a payoff matrix, ratings, cycles, equilibrium."""
    from analysis.estimates import estimates_of
    from analysis.measures import common_measures
    from analysis.tournament import Payoffs, seatings_of, standing
    from reports.app import reproduce, rounds_of
    from reports.run import base_report, collect, finish
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import load, own_strategies

    module = load_game(game)
    n = check_players(module, players)
    rules = rules_of(module, set_)
    specs = strategies or list(own_strategies(game))
    if len(specs) < 2:
        raise UsageError("a tournament takes two strategies or more")
    twice = sorted({spec for spec in specs if specs.count(spec) > 1})
    if twice:
        raise UsageError(f"a tournament takes each strategy once: {', '.join(twice)} is repeated")
    loaded = [load(game, spec) for spec in specs]
    seatings, hands = seatings_of(len(specs), n), module.hands(rules)
    if games is None:
        games = max(20, DEFAULT_GAMES // (hands * len(seatings))) * len(seatings)
    plan = make_plan(
        game,
        loaded,
        rules=rules,
        seatings=seatings,
        seed=seed,
        games=rounds_of(hands, len(seatings), games),
    )
    if plan.games < 2 * len(seatings):
        raise UsageError(
            f"--games {plan.games}: intervals need two deals at least, {2 * len(seatings)} games"
        )
    words = reproduce("tournament", plan, specs)
    payoffs = Payoffs(seatings, len(specs), plan.games // len(seatings), hands)
    measures = common_measures(n, hands)
    outcome = collect(plan, measures, workers(jobs), out, words, watch=payoffs.add)
    if outcome.tally.deals < 2:
        raise KeyboardInterrupt
    found = standing(payoffs, seed)
    estimates = estimates_in(found, specs, outcome.tally) + estimates_of(outcome.tally)
    report = base_report("tournament", plan, specs, outcome, estimates)
    report |= plain(found, specs)
    report["answer"] = answer_of(module, report, found)
    notes = [
        f"Every deal was played by every pair, {len(seatings)} games a deal: "
        + (
            "each pair from both seats."
            if n == 2
            else "one player of the first strategy in each seat among players of the second."
        )
        + " A rating is by how many Elo a strategy is above the mean of all; the equilibrium mix "
        "is how often to play each so that no strategy has the better of it."
    ]
    notes += cycle_notes(found, specs)
    if out:
        save_page(Path(out), module, plan, report, estimates, found, specs, words, notes)
    return finish(report, estimates, json_, out, notes)


def estimates_in(found, specs, tally) -> list:
    """The ratings and mixes as estimates."""
    from analysis.estimates import LEVEL, Estimate

    kinds = {
        "rating": (found.ratings, "Elo above the mean of all, with seat terms (Plackett-Luce)"),
        "nash_rating": (found.nash_rating, "Elo against the equilibrium mix"),
        "nash": (found.nash, "part in the maximum-entropy equilibrium mix"),
        "alpha_rank": (found.alpha, "part in alpha-rank's stationary distribution"),
    }
    rows = [
        (f"{kind}[{spec}]", band, definition)
        for kind, (bands, definition) in kinds.items()
        for spec, band in zip(specs, bands)
    ]
    rows += [
        (f"seat_rating[{seat}]", band, f"Elo of seat {seat}, above the mean of all seats")
        for seat, band in enumerate(found.seats)
    ]
    rows.append(("cyclic_share", found.cyclic, "share of the pay-offs that no rating can explain"))
    return [
        Estimate(name, *(float(x) for x in band), LEVEL, tally.games, tally.deals, definition)
        for name, band, definition in rows
    ]


def plain(found, specs) -> dict:
    """The standing as plain data."""

    def named(band):
        return dict(zip(("value", "low", "high"), map(float, band)))

    def by_name(bands):
        return {spec: named(band) for spec, band in zip(specs, bands)}

    return {
        "matrix": [
            {"a": specs[a], "b": specs[b], "score": score, "low": low, "high": high}
            for (a, b), (score, low, high, _) in found.matrix.items()
        ],
        "ratings": by_name(found.ratings),
        "seat_ratings": [named(band) for band in found.seats],
        "nash": by_name(found.nash),
        "nash_ratings": by_name(found.nash_rating),
        "alpha_rank": by_name(found.alpha),
        "cyclic_share": named(found.cyclic),
        "transitive_share": named(1 - found.cyclic[[0, 2, 1]]),
        "cycles": [
            {"of": [specs[i] for i in cycle["of"]], "p_holm": cycle["p_holm"]}
            for cycle in found.cycles
        ],
    }


def answer_of(module, report: dict, found) -> str:
    """Who is first, and how surely, in one sentence."""
    specs = report["strategies"]
    first, *others = found.order
    best, value = specs[first], found.ratings[first]
    unsure = [specs[j] for j in others if not found.beats(first, j)]
    said = "and surely scores more than an even share against each of the others"
    if unsure:
        said = f"but does not surely beat {', '.join(unsure)}"
    return (
        f"{module.TITLE}, {len(specs)} strategies: {best} is rated first, {value[0]:.0f} Elo above "
        f"the mean ({value[1]:.0f} to {value[2]:.0f} with 95 % confidence), {said}, over "
        f"{report['games']:,} games on {report['deals']:,} deals."
    )


def cycle_notes(found, specs) -> list[str]:
    """What is said of cycles."""
    share = 100 * found.cyclic
    said = (
        f"{share[0]:.1f} % of the pay-offs ({share[1]:.1f} to {share[2]:.1f}) are cyclic: no "
        "rating can explain them. "
    )
    if not found.cycles:
        return [said + "No cycle of three is sure."]
    cycles = "; ".join(
        " beats ".join(specs[i] for i in c["of"] + c["of"][:1]) for c in found.cycles
    )
    return [said + f"Sure cycles of three: {cycles}."]


def save_page(folder, module, plan, report, estimates, found, specs, words, notes) -> None:
    """Draw the figures and write the page."""
    import pandas as pd

    from reports import figures
    from reports.page import write_page
    from reports.run import interrupted_notes

    names = [specs[i] for i in found.order]
    table = pd.DataFrame(report["matrix"])
    by_name = {e.name: e for e in estimates}

    def ladder(kind, label, **options):
        return figures.dots([by_name[f"{kind}[{s}]"] for s in names], names, label, **options)

    interval = ", with 95 % interval"
    pictures = {
        "matchups": (
            figures.matchups(table, names, 1 / plan.n_seats),
            "The score of the row's strategy against the column's, in per cent, with half its 95 % "
            "interval below: blue above an even share, orange below, crossed out where it is not "
            "sure.",
        ),
        "ratings": (
            ladder("rating", f"rating, Elo{interval}", even=0),
            "Ratings, the mean of all being 0, with 95 % intervals by bootstrap over deals.",
        ),
        "nash": (
            ladder("nash", f"part in the equilibrium mix, %{interval}", scale=100),
            "How often each strategy is played in the maximum-entropy equilibrium mix, with 95 % "
            "intervals.",
        ),
        "alpha_rank": (
            ladder("alpha_rank", f"part in alpha-rank, %{interval}", scale=100),
            "How long a population that imitates success plays each strategy (alpha-rank), with "
            "95 % intervals.",
        ),
    }
    write_page(
        folder,
        pictures,
        report,
        plan.rules,
        question=f"{module.TITLE}: which strategy is the best of {len(specs)}?",
        answer=report["answer"],
        notes=notes + interrupted_notes(report, plan),
        estimates=estimates,
        command=words,
    )
