"""``evendeal games``: which games there are; a game's options and strategies."""

import json
import os
from typing import Annotated

import typer

from reports.app import Json, app


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]")] = None, json_: Json = False
) -> None:
    """Which games there are; a game's options and strategies."""
    # Listing must be quick: in this mode nothing of the engine imports numba.
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    from sim.game import MODULES, load_game
    from strategies.registry import first_line, names, restrictions

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
    kept_from = {name: first_line(forbid) for name, forbid in restrictions(game).items()}
    if json_:
        print(
            json.dumps(
                {
                    "command": "games",
                    "game": game,
                    "options": options,
                    "strategies": strategies,
                    "restrictions": kept_from,
                }
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
    print("\nWhat a strategy may be kept from doing, as in RESTRICTION(STRATEGY):")
    for name, idea in kept_from.items():
        print(f"  {name:<18}{idea}")
