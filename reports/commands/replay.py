"""``evendeal replay``: one game again, move by move."""

import json
from typing import Annotated

import typer

from reports.app import Game, Json, Seats, Seed, Settings, app, rules_of, split_specs
from sim.errors import RunError, UsageError


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
    from strategies.registry import STRONGEST, load

    module = load_game(game)
    n = check_players(module, players)
    rules = rules_of(module, set_)
    specs = split_specs(strategies) if strategies else [STRONGEST[game]]
    specs = specs * n if len(specs) == 1 else specs
    if len(specs) != n:
        raise UsageError(f"--strategies names {len(specs)} strategies for {n} players")
    if not 0 <= number < 10**12:
        raise UsageError(f"--game must be from 0 to 999,999,999,999, not {number}")
    seats = [load(game, spec) for spec in specs]
    steps = []
    choosers = [
        jit.compile_strategy(p.choose, module.VIEW) if jit.is_compiled(p.choose) else p.choose
        for p in seats
    ]
    params = [p.params for p in seats]
    try:
        for step in walk(module, rules, choosers, params, seed, number):
            steps.append(step)
    except RunError as error:
        details = {"game": game, "game_number": number, "seed": seed} | error.details
        name = specs[details["seat"]]
        raise RunError(f"{error} ({name}; game {number}, seed {seed})", **details) from error
    data = as_json(module, rules, specs, seed, number, steps)
    if json_:
        print(json.dumps(data))
    else:
        tell(module, data, steps)


def tell(module, data: dict, steps) -> None:
    """The game as a text: each hand as dealt, each turn, the table at the end."""
    from sim.cards import card_name

    specs = data["strategies"]
    who = " against ".join(specs) if len(set(specs)) > 1 else f"{len(specs)} x {specs[0]}"
    print(f"{module.TITLE}, game {data['game_number']} of seed {data['seed']}: {who}")
    hands = sum(not step.chosen for step in steps)
    heading, before = None, None
    for step in steps:
        if not step.chosen:
            if before is not None:
                print("\n".join(["", "At the end of the hand:", *module.show(before.state)]))
            title = f"Hand {step.hand + 1} of {hands}, as dealt:" if hands > 1 else "As dealt:"
            print("\n".join(["", title, *module.show(step.state)]))
        else:
            turn = (int(before.state.turns), step.seat, step.hand)
            if turn != heading:
                heading = turn
                number = f"Turn {turn[0]}, seat" if turn[0] else "Seat"
                print(f"\n{number} {step.seat} ({specs[step.seat]})")
            came = [card_name(card) for card in step.drawn]
            shown = " ".join(came[:12]) + (" ..." if len(came) > 12 else "")
            drawn = f" (drawn: {shown})" if came and not step.state.over else ""
            print(f"  {step.chosen:<24}{step.words}{drawn}")
        before = step
    print("\n".join(["", "At the end:", *module.show(before.state), ""]))
    result = data["result"]
    scores = ", ".join(str(x) for x in result["scores"])
    if result["unfinished"]:
        verdict = "cut before its end"
    elif result["winner"] is None:
        verdict = "a draw between seats " + ", ".join(str(seat) for seat in result["winners"])
    else:
        verdict = f"seat {result['winner']} wins" + (" the last hand" if hands > 1 else "")
    print(f"{module.SCORE.capitalize()} by seat: {scores}; {verdict}.")
