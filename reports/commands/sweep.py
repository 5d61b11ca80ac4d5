"""``evendeal sweep``: what each rule option does to advantage, draws and length."""

import shlex
import sys
import time
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
    rounds_of,
    rules_of,
    split_specs,
    workers,
)
from sim.errors import UsageError

DEFAULT_CELL_GAMES = 20_000


@app.command()
def sweep(
    game: Game,
    vary: Annotated[
        list[str] | None,
        typer.Option("--vary", metavar="OPTION=V1,V2", help="A rule to vary; repeatable."),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            help="Who plays, in every seat; several, with commas, play the grid side by side.",
            show_default="the game's strongest",
        ),
    ] = "",
    games: Annotated[
        int | None,
        typer.Option("--games", help="Games a cell.", show_default=f"about {DEFAULT_CELL_GAMES:,}"),
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """What rule options do: a full grid of them on common deals, and the effect of each."""
    import json

    from analysis import variants
    from reports.app import finite
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import STRONGEST, load

    module = load_game(game)
    n = check_players(module, players)
    base = rules_of(module, set_)
    given = {text.partition("=")[0].strip() for text in set_ or []}
    varied = variants.parse_vary(module, vary or [], {name: getattr(base, name) for name in given})
    specs = split_specs(strategy) if strategy else [STRONGEST[game]]
    if len(set(specs)) < len(specs):
        raise UsageError("--strategy names a strategy twice")
    loaded = [load(game, spec) for spec in specs]
    plans = []
    for player in loaded:
        for set_cell in variants.grid(varied):
            rules = module.Rules.parse({**base.as_dict(), **set_cell})
            hands = module.hands(rules)
            count = games
            if games is None:
                count = max(500, DEFAULT_CELL_GAMES // hands)
            plan = make_plan(
                game,
                [player],
                rules=rules,
                seatings=[[0] * n],
                paired=False,
                seed=seed,
                games=rounds_of(hands, 1, count),
            )
            plans.append((plan, set_cell, player.name))
    rows = sum(plan.games * module.hands(plan.rules) for plan, _, _ in plans)
    if rows > variants.MAX_ROWS:
        raise UsageError(
            f"the grid would have {rows:,} results; at most {variants.MAX_ROWS:,} fit: "
            "fewer --games or values"
        )
    words = reproduce_sweep(game, varied, specs, plans[0][0], base, n)
    start = time.perf_counter()
    cells, interrupted = play(plans, workers(jobs), out, words)
    elapsed = time.perf_counter() - start
    size = len(plans) // len(specs)
    found = []
    if not interrupted:
        for i in range(len(specs)):
            found += variants.effects(cells[i * size : (i + 1) * size], varied)
    total = sum(cell.tally.games for cell in cells)
    report = {
        "command": "sweep",
        "game": game,
        "rules": base.as_dict(),
        "players": n,
        "strategies": specs,
        "vary": varied,
        "seed": seed,
        "games": total,
        "unfinished": sum(cell.tally.total("unfinished_share") for cell in cells),
        "interrupted": interrupted,
        "elapsed_s": round(elapsed, 3),
        "games_per_s": round(total / max(elapsed, 1e-9), 1),
        "estimates": [
            {key: getattr(e, key) for key in ("name", "value", "low", "high", "level", "n")}
            | {"strategy": e.strategy, "definition": e.definition}
            for e in found
        ],
        "rows": [cell.as_dict() for cell in cells],
        "effects": [e.as_dict() for e in found],
    }
    report["answer"] = answer_of(module, report, found)
    if out:
        save_page(Path(out), module, report, varied, base, words)
    if json_:
        print(json.dumps(finite(report)))
    else:
        show(report, varied, out)
    return 130 if interrupted else 0


def play(plans, jobs: int, out, words: str):
    """Play every cell; results go to `out` as one table."""
    from analysis.variants import Cell
    from reports.progress import Interrupts, progress
    from reports.run import opened, results_of
    from sim.runner import prepare

    manifest = {"command": words, "cells": [plan.manifest() for plan, _, _ in plans]}
    cells = []
    with opened(out, manifest) as store:
        for plan in {name: plan for plan, _, name in plans}.values():
            prepare(plan, lambda text: print(text, file=sys.stderr))
        with (
            Interrupts() as interrupts,
            progress(sum(plan.games for plan, _, _ in plans)) as advance,
        ):
            for number, (plan, set_cell, name) in enumerate(plans):
                cell = Cell(plan, set_cell, name)
                labels = {"cell": number, "strategy": name} | set_cell
                with results_of(store, plan, jobs, number, labels) as (tables, keep):
                    for table in tables:
                        cell.add(table)
                        keep(table)
                        advance(len(table) // cell.hands)
                        if interrupts.asked:
                            break
                if interrupts.asked:
                    break  # cells that were finished are shown
                cell.close()
                cells.append(cell)
    interrupted = len(cells) < len(plans)
    if not cells:
        raise KeyboardInterrupt
    return cells, interrupted


def reproduce_sweep(game, varied, specs, plan, base, n: int) -> str:
    """The command that gives the same sweep again."""
    from sim.game import load_game

    words = ["evendeal", "sweep", game]
    for name, values in varied.items():
        words += ["--vary", f"{name}={','.join(str(v) for v in values)}"]
    words += ["--strategy", ",".join(specs), "--games", str(plan.games), "--seed", str(plan.seed)]
    if n != load_game(game).DEFAULT_PLAYERS:
        words += ["--players", str(n)]
    return shlex.join(words + changed_rules(base))


def answer_of(module, report: dict, found) -> str:
    """The largest sure effect on the first player's advantage, in one sentence."""
    if report["interrupted"]:
        return "Interrupted: these are the cells that were finished; effects need the whole grid."
    sentences = []
    for name in report["strategies"]:
        mains = [
            e
            for e in found
            if e.strategy == name and e.kind == "main" and e.measure == "first_player_advantage"
        ]
        sure = [e for e in mains if e.low > 0 or e.high < 0]
        if not sure:
            sentences.append(
                f"Between players of {name} none of the changes surely moves the first player's "
                "advantage."
            )
            continue
        top = max(sure, key=lambda e: abs(e.value))
        option, (first, other) = next(iter(top.change.items()))
        sentences.append(
            f"Between players of {name} the first player's advantage moves most when {option} is "
            f"{other} instead of {first}: by {100 * top.value:+.2f} points in 100 "
            f"({100 * top.low:+.2f} to {100 * top.high:+.2f})."
        )
    cells = len(report["rows"])
    return f"{module.TITLE}, {cells} cells: " + " ".join(sentences)


def show(report, varied, out) -> None:
    """Cells and effects as tables in the terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else 160)
    print(report["answer"] + "\n")
    table = Table(
        box=None, pad_edge=False, title="Cells, with 95 % intervals", title_justify="left"
    )
    several = len(report["strategies"]) > 1
    for heading in ([("strategy")] if several else []) + list(varied):
        table.add_column(heading)
    names = ["first_player_advantage", "draw_share", "decisive_share", "turns_per_game"]
    for name in names:
        table.add_column(name, justify="right")
    table.add_column("unfinished", justify="right")
    for row in report["rows"]:
        estimates = {e["name"]: e for e in row["estimates"]}
        cells = [row["strategy"]] if several else []
        cells += [str(v) for v in row["set"].values()]
        for name in names:
            e = estimates[name]
            cells.append(f"{e['value']:.4f} ({e['low']:.4f} to {e['high']:.4f})")
        table.add_row(*cells, str(row["unfinished"]))
    console.print(table)
    if report["effects"]:
        table = Table(
            box=None,
            pad_edge=False,
            title="\nEffects, with Holm-adjusted intervals",
            title_justify="left",
        )
        if several:
            table.add_column("strategy")
        table.add_column("effect")
        for heading in ("value", "interval", "p (Holm)"):
            table.add_column(heading, justify="right")
        unsure = 0
        for e in report["effects"]:
            if e["kind"] == "interaction" and e["low"] <= 0 <= e["high"]:
                unsure += 1
                continue
            cells = [e["strategy"]] if several else []
            p = "" if e["p_holm"] is None else f"{e['p_holm']:.3g}"
            table.add_row(
                *cells, e["name"], f"{e['value']:+.4f}", f"{e['low']:+.4f} to {e['high']:+.4f}", p
            )
        console.print(table)
        if unsure:
            print(f"and {unsure} interactions that may be none (see the page or --json).")
    print(
        f"\n{report['games']:,} games, {report['unfinished']} unfinished, seed {report['seed']}, "
        f"{report['elapsed_s']:.1f} s, {report['games_per_s']:,.0f} games/s"
    )
    if out:
        print(f"Page: {Path(out) / 'report.html'}")


def save_page(folder, module, report, varied, base, words) -> None:
    """Draw the forest and interaction plots and write the page."""
    import itertools

    import pandas as pd

    from reports import figures
    from reports.page import write_page

    pictures = {}
    effects = pd.DataFrame(report["effects"])
    advantage = "first_player_advantage"
    labels = {
        advantage: "change in first-player advantage, points in 100",
        "draw_share": "change in the share of draws, points in 100",
        "turns_per_game": "change in turns a game",
        "turned_share": "deals whose winner is turned, %",
    }
    for measure, label in labels.items():
        rows = effects[effects.measure == measure] if len(effects) else effects
        if not len(rows):
            continue
        scale = 1 if measure == "turns_per_game" else 100
        rows = rows.assign(label=[e.split(": ", 1)[1] for e in rows["name"]])
        pictures[f"effects_{measure}"] = (
            figures.forest(rows, label, scale),
            f"Each change of rules and each pair of changes: {label}"
            + (", with Holm-adjusted intervals." if measure != "turned_share" else "."),
        )
    cells = pd.DataFrame(
        [
            {"strategy": row["strategy"]}
            | {f"set.{k}": v for k, v in row["set"].items()}
            | {k: e[k] for k in ("value", "low", "high")}
            for row in report["rows"]
            for e in row["estimates"]
            if e["name"] == advantage
        ]
    )
    names = list(varied)
    for a, b in list(itertools.combinations(names, 2)) or [(names[0], None)]:
        pictures[f"interaction_{a}" + (f"_{b}" if b else "")] = (
            figures.interaction(cells, a, b),
            f"First-player advantage by {a}"
            + (f" and {b}, averaged over the other options" if b else "")
            + "; lines that run side by side mean that the two rules do not touch each other.",
        )
    estimates = []
    for row in report["rows"]:
        place = ", ".join(f"{k} = {v}" for k, v in row["set"].items())
        for e in row["estimates"]:
            estimates.append(e | {"name": f"{row['strategy']}, {place}: {e['name']}"})
    for e in report["effects"]:
        estimates.append(e | {"name": f"{e['strategy']}: {e['name']}"})
    write_page(
        folder,
        pictures,
        report,
        base,
        question=f"{module.TITLE}: what do {' and '.join(varied)} do?",
        answer=report["answer"],
        notes=[
            "Every cell of the grid plays the same deals with the same players in every seat. A "
            "main effect is the mean difference by deal between two values of an option, averaged "
            "over the values of the others; an interaction is by how much one change alters the "
            "other's effect. Intervals of effects are adjusted by Holm's method."
        ],
        estimates=estimates,
        command=words,
    )
