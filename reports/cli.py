"""The command line: ``evendeal``. Heavy modules are imported where a command needs them."""

import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from sim.errors import RunError, UsageError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Monte Carlo strategy analysis for card games: who wins, by how much, and how sure.",
)

Game = Annotated[str, typer.Argument(metavar="GAME", help="See `evendeal games`.")]
Games = Annotated[int, typer.Option("--games", help="Games to play.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same numbers.")]
Jobs = Annotated[int, typer.Option("--jobs", help="Workers; 0: one a core.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A rule; repeatable.")
]
Seats = Annotated[int | None, typer.Option("--players", help="Players at the table.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout, nothing else.")]
Out = Annotated[str | None, typer.Option("--out", metavar="DIR", help="Page, figures, results.")]


def main() -> None:
    """Run the command line; every error becomes one line, or one JSON object, and a status."""
    # A user's own sim.py or analysis/ must not be met: neither here nor in worker processes.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    here = {"", os.getcwd()}
    sys.path[:] = [p for p in sys.path if p not in here or p == str(Path(__file__).parents[1])]
    sys.exit(guarded(sys.argv[1:]))


def guarded(words: list[str]) -> int:
    """Run one command and turn what went wrong into its exit status."""
    as_json = "--json" in words
    try:
        command = typer.main.get_command(app)
        result = command.main(args=words, prog_name="evendeal", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except UsageError as error:
        return complain(str(error), {}, as_json, 2)
    except RunError as error:
        return complain(str(error), error.details, as_json, 1)
    except (KeyboardInterrupt, typer.Abort):
        return complain("interrupted before any game was finished", {}, as_json, 130)
    except Exception as error:
        if hasattr(error, "format_message"):  # wrong words on the command line
            return complain(error.format_message(), {}, as_json, 2)
        if isinstance(error, OSError):
            return complain(f"{type(error).__name__}: {error}", {}, as_json, 1)
        if isinstance(error, TypeError) and "numba cannot compile" in str(error):
            return complain(str(error), {}, as_json, 2)
        raise


def complain(message: str, details: dict, as_json: bool, status: int) -> int:
    """Say what is wrong, in the form that was asked for."""
    if as_json:
        print(json.dumps({"error": message} | details))
    else:
        print(f"evendeal: {message}", file=sys.stderr)
    return status


def rules_of(module, settings: list[str] | None):
    """The rule set of some ``option=value`` words."""
    values = {}
    for setting in settings or []:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting!r} is not of the form option=value")
        if name in values:
            raise UsageError(f"--set names option {name} twice")
        values[name] = value
    return module.Rules.parse(values)


def workers(jobs: int) -> int:
    """The number of workers; 0 means one a core."""
    if jobs < 0:
        raise UsageError(f"--jobs must be 0 (one a core) or more, not {jobs}")
    return jobs or os.cpu_count() or 1


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]")] = None, json_: Json = False
) -> None:
    """Which games there are; a game's options and strategies."""
    # Listing must be quick: in this mode nothing of the engine imports numba.
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    from sim.game import MODULES, load_game
    from strategies.registry import names

    if game is None:
        found = [load_game(name) for name in MODULES]
        rows = [
            {
                "game": m.NAME,
                "title": m.TITLE,
                "players": [m.PLAYERS[0], m.PLAYERS[-1]],
                "default_players": m.DEFAULT_PLAYERS,
            }
            for m in found
        ]
        if json_:
            print(json.dumps({"command": "games", "games": rows}))
            return
        for row in rows:
            low, high = row["players"]
            seats = f"{low}" if low == high else f"{low} to {high}"
            print(f"{row['game']:<12}{row['title']}, {seats} players")
        print("\n`evendeal games GAME` shows a game's options and strategies.")
        return
    module = load_game(game)
    options = []
    for name, field in module.Rules.options().items():
        values = field.metadata["values"]
        span = [values[0], values[-1]] if isinstance(values, range) else list(values)
        options.append(
            {
                "option": name,
                "default": field.default,
                "values": span,
                "range": isinstance(values, range),
                "rule": field.metadata["rule"],
                "doc": field.metadata["doc"],
            }
        )
    strategies = names(game)
    if json_:
        print(
            json.dumps(
                {"command": "games", "game": game, "options": options, "strategies": strategies}
            )
        )
        return
    print(f"{module.TITLE}\n\nOptions (--set option=value; the default stands first):")
    for o in options:
        others = [str(v) for v in o["values"] if v != o["default"]]
        values = f"{o['values'][0]} to {o['values'][1]}" if o["range"] else " | ".join(others)
        print(f"  {o['option']} = {o['default']}" + (f" | {values}" if values else ""))
        print(f"      {o['rule']}: {o['doc']}")
    print("\nStrategies:")
    for name, idea in strategies.items():
        print(f"  {name:<16}{idea}")


@app.command()
def advantage(
    game: Game,
    strategy: Annotated[str, typer.Option("--strategy", help="Who plays, in every seat.")] = "",
    games: Games = 100_000,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """What moving first is worth between two players of one strategy."""
    from analysis.estimates import advantage_measures
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import load

    module = load_game(game)
    n = check_players(module, players)
    player = load(game, strategy or "balanced")
    plan = make_plan(
        game,
        [player],
        rules=rules_of(module, set_),
        seatings=[[0] * n],
        paired=False,
        seed=seed,
        games=games,
    )
    return estimate(
        "advantage", plan, advantage_measures(game, n), [player.name] * n, jobs, out, json_
    )


@app.command()
def match(
    game: Game,
    a: Annotated[str, typer.Argument(metavar="A", help="A strategy.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    games: Games = 100_000,
    seed: Seed = 1,
    jobs: Jobs = 0,
    set_: Settings = None,
    players: Seats = None,
    out: Out = None,
    json_: Json = False,
) -> int:
    """Which of two strategies is better: every deal is played twice, with the seats changed."""
    from analysis.estimates import match_measures
    from sim.game import check_players, load_game
    from sim.runner import make_plan
    from strategies.registry import load

    module = load_game(game)
    n = check_players(module, players)
    if games % 2:
        raise UsageError(f"--games {games}: a match plays every deal twice; give an even number")
    plan = make_plan(
        game,
        [load(game, a), load(game, b)],
        rules=rules_of(module, set_),
        seatings=[(0, 1), (1, 0)],
        seed=seed,
        games=games,
    )
    return estimate("match", plan, match_measures(game, n), [a, b], jobs, out, json_)


@app.command()
def replay(
    game: Game,
    number: Annotated[int, typer.Option("--game", help="The number of the deal.")] = 0,
    strategies: Annotated[
        str, typer.Option("--strategies", help="A strategy a seat, with commas.")
    ] = "",
    seed: Seed = 1,
    set_: Settings = None,
    players: Seats = None,
    json_: Json = False,
) -> None:
    """One game again, move by move."""
    from sim import jit
    from sim.game import check_players, load_game
    from sim.replay import as_json, walk
    from strategies.registry import load

    module = load_game(game)
    n = check_players(module, players)
    rules = rules_of(module, set_)
    specs = split_specs(strategies) if strategies else ["balanced"]
    specs = specs * n if len(specs) == 1 else specs
    if len(specs) != n:
        raise UsageError(f"--strategies names {len(specs)} strategies for {n} players")
    if not 0 <= number < 10**12:
        raise UsageError(f"--game must be from 0 to 999,999,999,999, not {number}")
    seats = [load(game, spec) for spec in specs]
    for player in seats:
        if jit.is_compiled(player.choose):
            jit.compile_strategy(player.choose, module.VIEW)
    steps = []
    try:
        for step in walk(
            module, rules, [p.choose for p in seats], [p.params for p in seats], seed, number
        ):
            steps.append(step)
    except RunError as error:
        raise RunError(f"{error}; game {number}, seed {seed}", **error.details) from error
    except Exception as error:
        raise RunError(
            f"a strategy raised {type(error).__name__}: {error}; game {number}, seed {seed}, "
            f"after {sum(bool(s.chosen) for s in steps)} moves"
        ) from error
    data = as_json(module, rules, specs, seed, number, steps)
    if json_:
        print(json.dumps(data))
        return
    print(f"{module.TITLE}, game {number} of seed {seed}: {' against '.join(specs)}")
    turn, seat = 0, -1
    for step in steps:
        if not step.chosen:
            print("\n".join(["", "As dealt, first pairs laid:", *module.show(step.state)]))
            continue
        if (int(turns_before(steps, step)), step.seat) != (turn, seat):
            turn, seat = int(turns_before(steps, step)), step.seat
            print(f"\nTurn {turn}, seat {seat} ({specs[seat]})" if turn else f"\nSeat {seat}")
        drawn = f" (drawn: {' '.join(data_names(step.drawn))})" if step.drawn else ""
        print(f"  {step.chosen:<24}{step.words}{drawn}")
    result = data["result"]
    print("\n".join(["", "At the end:", *module.show(steps[-1].state), ""]))
    scores = " to ".join(str(x) for x in result["scores"])
    if result["winner"] is None:
        print(f"Final count {scores}: a draw.")
    else:
        print(f"Final count {scores}: seat {result['winner']} wins.")


def turns_before(steps, step) -> int:
    """The number of the turn in which a step was made."""
    return steps[max(0, steps.index(step) - 1)].state.turns


def data_names(cards) -> list[str]:
    """Names of cards."""
    from sim.cards import card_name

    return [card_name(card) for card in cards]


def split_specs(text: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def estimate(command, plan, measures, specs, jobs, out, as_json) -> int:
    """Run a plan, tally it, and show, save and print what comes out."""
    from analysis.estimates import estimates_of, pairing_gain
    from analysis.tally import Tally
    from reports.page import Results, table_of
    from sim.runner import prepare, run

    words = reproduce(command, plan, specs)
    prepare(plan, lambda text: print(text, file=sys.stderr))
    results = Results(out, plan, words) if out else None
    tally = Tally(measures, plan.games_per_deal, plan.games // plan.games_per_deal)
    start, interrupted = time.perf_counter(), False
    chunks = run(plan, workers(jobs))
    try:
        with progress(plan.games) as advance:
            for rows in chunks:
                table = table_of(rows, plan)
                tally.add(table)
                if results:
                    results.add(table)
                advance(len(rows))
    except KeyboardInterrupt:
        interrupted = True
        chunks.close()
    elapsed = time.perf_counter() - start
    if results:
        results.close()
    if not tally.games:
        raise KeyboardInterrupt
    estimates = estimates_of(tally)
    report = {
        "command": command,
        "game": plan.game,
        "rules": plan.rules.as_dict(),
        "players": plan.n_seats,
        "strategies": specs,
        "seed": plan.seed,
        "games": tally.games,
        "deals": tally.deals,
        "unfinished": tally.counts["unfinished_share"][1],
        "interrupted": interrupted,
        "elapsed_s": round(elapsed, 3),
        "games_per_s": round(tally.games / elapsed, 1),
        "estimates": [e.as_dict() for e in estimates],
    }
    if command == "match":
        report["pairing"] = pairing_gain(tally)
    answer = answer_of(report, estimates[0])
    if out:
        save_page(Path(out), plan, tally, estimates, report, answer, words)
    if as_json:
        print(json.dumps(finite(report)))
    else:
        show(report, estimates, answer, out)
    return 130 if interrupted else 0


def finite(value):
    """The value with infinities as null, which JSON can say."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list):
        return [finite(v) for v in value]
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return None
    return value


def answer_of(report, main) -> str:
    """The main estimate in one sentence that a designer would say."""
    interval = f"{100 * main.low:+.2f} to {100 * main.high:+.2f}"
    if report["command"] == "advantage":
        sure = "favours the first player" if main.low > 0 else "favours the second player"
        if main.low <= 0 <= main.high:
            sure = "shows no sure advantage for either player"
        return (
            f"Between two players of {report['strategies'][0]}, moving first is worth "
            f"{100 * main.value:+.2f} points of win share in 100 ({interval} with 95 % "
            f"confidence): {report['game']} {sure}, over {report['games']:,} games."
        )
    a, b = report["strategies"]
    verdict = f"{a} is the better" if main.low > 0.5 else f"{b} is the better"
    if main.low <= 0.5 <= main.high:
        verdict = "neither is surely the better"
    return (
        f"{a} scores {100 * main.value:.2f} % against {b} ({100 * main.low:.2f} to "
        f"{100 * main.high:.2f} with 95 % confidence): {verdict}, over {report['games']:,} games "
        f"on {report['deals']:,} deals."
    )


def reproduce(command, plan, specs) -> str:
    """The command that gives the same numbers again."""
    words = ["evendeal", command, plan.game]
    words += specs if command == "match" else ["--strategy", specs[0]]
    words += ["--games", str(plan.games), "--seed", str(plan.seed)]
    defaults = type(plan.rules)().as_dict()
    for name, value in plan.rules.as_dict().items():
        if value != defaults[name]:
            words += ["--set", f"{name}={value}"]
    return shlex.join(words)


class progress:
    """A bar on stderr with games a second and time left; nothing where nobody watches."""

    def __init__(self, games: int):
        self.games, self.bar = games, None

    def __enter__(self):
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
                BarColumn(),
                TextColumn("{task.fields[rate]} games/s"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.task = self.bar.add_task("", total=self.games, rate="")
            self.bar.start()
        self.start, self.done = time.perf_counter(), 0
        return self.advance

    def advance(self, games: int) -> None:
        """Count finished games."""
        self.done += games
        if self.bar:
            rate = self.done / max(1e-9, time.perf_counter() - self.start)
            self.bar.update(self.task, advance=games, rate=f"{rate:,.0f}")

    def __exit__(self, *error):
        if self.bar:
            self.bar.stop()


def show(report, estimates, answer, out) -> None:
    """The estimates as a table in the terminal."""
    print(answer)
    if report["interrupted"]:
        print("Interrupted: these are the games that were finished.")
    print(f"\n{'estimate':<26}{'value':>11}   95 % interval")
    for e in estimates:
        print(f"{e.name:<26}{e.value:>11.4f}   {e.low:.4f} to {e.high:.4f}")
    pairing = report.get("pairing")
    if pairing:
        print(
            f"\nPlaying each deal twice is worth {pairing['gain']:.2f} times as many games on "
            f"deals of their own (correlation of a pair {pairing['correlation']:+.3f})."
        )
    print(
        f"\n{report['games']:,} games, {report['unfinished']} unfinished, seed {report['seed']}, "
        f"{report['elapsed_s']:.1f} s, {report['games_per_s']:,.0f} games/s"
    )
    if out:
        print(f"Page: {Path(out) / 'report.html'}")


def save_page(folder, plan, tally, estimates, report, answer, words) -> None:
    """Draw the figures and write the page."""
    from analysis.estimates import curve, distribution
    from reports import figures
    from reports.page import write_page
    from sim.game import load_game

    module, found = load_game(plan.game), {e.name: e for e in estimates}
    main = estimates[0]
    pictures = {}
    shares = [found[f"win_share[{seat}]"] for seat in range(plan.n_seats)]
    labels = ["moves first (seat 0)", "moves second (seat 1)"]
    pictures["win_share"] = (
        figures.win_shares(shares, found["draw_share"], labels),
        "Win share by seat, and draws, with 95 % intervals.",
    )
    even = 0.5 if report["command"] == "match" else 0.0
    label = "score of A" if even else "first-player advantage"
    pictures["convergence"] = (
        figures.convergence(curve(tally), label, even),
        f"The estimate ({label}) against the number of games, with its 95 % band; "
        "dashed: nothing in it.",
    )
    per_deal = "" if plan.games_per_deal == 1 else ", sum over a deal's games"
    if "final_count_difference" in tally.counts:
        pictures["final_count_difference"] = (
            figures.distribution(
                distribution(tally, "final_count_difference"),
                f"final count of seat 0 less seat 1, cards{per_deal}",
                centre=0,
            ),
            "How the final count of cards differs; left of the dashed line seat 0 wins.",
        )
    pictures["game_length"] = (
        figures.distribution(distribution(tally, "turns_per_game"), f"turns a game{per_deal}"),
        "How long games last, in turns of both players.",
    )
    a = report["strategies"]
    question = (
        f"How large is the first player's advantage in {module.TITLE}?"
        if report["command"] == "advantage"
        else f"{module.TITLE}: {a[0]} or {a[1]}, which is better?"
    )
    defaults = type(plan.rules)().as_dict()
    options = [
        {
            "name": name,
            "value": getattr(plan.rules, name),
            "default": defaults[name],
            "changed": getattr(plan.rules, name) != defaults[name],
            "rule": field.metadata["rule"],
            "doc": field.metadata["doc"],
        }
        for name, field in type(plan.rules).options().items()
    ]
    notes = [f"Strategies: {', '.join(a)}. {main.name} is the {main.definition}."]
    if report["interrupted"]:
        notes.append(
            f"The run was interrupted after {report['games']:,} of {plan.games:,} games; all "
            "figures are of these."
        )
    if report.get("pairing"):
        notes.append(
            f"Playing each deal twice with the seats changed is worth "
            f"{report['pairing']['gain']:.2f} times as many games on deals of their own."
        )
    write_page(
        folder,
        pictures,
        question=question,
        answer=answer,
        notes=notes,
        estimates=estimates,
        options=options,
        command=words,
        games=f"{report['games']:,}",
        seed=plan.seed,
        level=95,
    )
