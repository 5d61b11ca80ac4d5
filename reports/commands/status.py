"""``evendeal status``: what a folder of results holds, and what is still to do."""

from typing import Annotated

import typer

from reports.app import Json, app


@app.command()
def status(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="What --out named.")],
    json_: Json = False,
) -> int:
    """What a folder of results holds: the plan, the games that are done, damaged parts."""
    import json
    from pathlib import Path

    from sim.store import status as status_of

    found = status_of(folder)
    planned = sum(plan["planned"] for plan in found["plans"])
    done = sum(plan["done"] for plan in found["plans"])
    found |= {"planned": planned, "done": done, "page": (Path(folder) / "report.html").exists()}
    if json_:
        print(
            json.dumps(
                {"command": "status", "folder": folder, "made_by": found.pop("command")} | found
            )
        )
        return 0
    games = sorted({plan["game"] for plan in found["plans"]})
    plans = len(found["plans"])
    print(
        f"{', '.join(games)}: {done:,} of at most {planned:,} games are done"
        + (f", in {plans} cells." if plans > 1 else ".")
    )
    for name in found["damaged"]:
        print(f"Damaged: {name}; its games will be played again.")
    if found["page"] and not found["damaged"]:
        print("The page is written.")
        print(f"Made by: {found['command']} --out {folder}")
    else:
        print(f"To finish: {found['command']} --out {folder}")
    return 0
