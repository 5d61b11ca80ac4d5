"""Our kernels and their C counterparts: whole games of random players, deals included."""

import json
import subprocess
import tempfile
import time
from functools import lru_cache
from pathlib import Path

import numpy as np

from sim.rng import GAMMA, mix
from sim.runner import make_plan, play_chunk, prepare
from strategies.registry import load

HERE = Path(__file__).resolve().parent

#: Players, and games that take about a third of a second.
GAMES = {"fart": (2, 40_000), "phalanx": (2, 4_000), "fan_tan": (4, 100_000), "arse_hole": (6, 300)}
IN_C = ("fart", "fan_tan")
COMPILER = ("gcc", "-O3", "-march=native")


def random_plan(game: str, games: int, seed: int = 1):
    """A compiled plan of random players under a game's default rules."""
    players = GAMES[game][0]
    plan = make_plan(
        game,
        [load(game, "random")],
        seatings=[[0] * players],
        paired=False,
        seed=seed,
        games=games,
    )
    prepare(plan)
    return plan


def play_kernel(plan):
    """Play a plan on one core.

    Returns
    -------
    rows : array of the game's ROW
    seconds : float
        Processor time of this thread, so that other work on the machine counts little.
    """
    start = time.thread_time()
    rows, _ = play_chunk(plan, 0, plan.games)
    return rows.reshape(-1), time.thread_time() - start


def totals(game: str, rows) -> dict:
    """The totals and the checksum that the C program prints, from a kernel's rows."""
    players = GAMES[game][0]
    columns = [rows[name] for name in ("turns", "moves", "decisions", "winners")]
    columns += [rows["score"][:, seat] for seat in range(players)]
    mixed = getattr(mix, "py_func", mix)  # on whole arrays
    word = rows["game"].astype(np.uint64)
    for column in columns:
        word = mixed((word ^ column.astype(np.int64).view(np.uint64)) + GAMMA)
    found = {name: int(rows[name].sum()) for name in ("turns", "moves", "decisions")}
    return {"games": len(rows)} | found | {"checksum": f"{int(word.sum(dtype=np.uint64)):016x}"}


@lru_cache
def program(game: str) -> str:
    """The path of a game's C program, compiled for this machine.

    Raises
    ------
    FileNotFoundError
        Without a gcc.
    """
    folder = Path(tempfile.mkdtemp(prefix="evendeal-bench-"))
    target = folder / game
    subprocess.run([*COMPILER, "-o", str(target), str(HERE / f"{game}.c")], check=True)
    return str(target)


def play_c(game: str, games: int, seed: int = 1) -> tuple[dict, float]:
    """Play games with the C program: its totals, and its seconds of processor time."""
    words = [program(game), str(seed), str(games)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    return found, found.pop("seconds")
