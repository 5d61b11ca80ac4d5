"""One table of how fast it is, everything measured side by side in one run, ratios first.

    python benchmarks/compare.py [--full]

Takes about three minutes; ``--full`` also measures the memory of 10,000,000 games. What is not
installed (gcc, OpenSpiel, RLCard) is skipped, and says so.
"""

import argparse
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rich.console import Console
from rich.table import Table

from benchmarks import kernels, others, processes

REPEATS = 5
MILLION = 1_000_000


class Report:
    """The rows of the table, and what was left out."""

    def __init__(self):
        self.rows, self.notes = [], []

    def add(self, what, ours, theirs, ratio, aim=""):
        """A row; ours and theirs as text."""
        self.rows.append(
            (f"{ratio:.2f}" if ratio < 100 else f"{ratio:,.0f}", aim, what, ours, theirs)
        )

    def skip(self, what, why):
        """Say what could not be measured."""
        self.notes.append(f"not measured: {what}: {why}")

    def show(self):
        """Print all."""
        table = Table(
            "ratio",
            "aim",
            "what",
            "ours",
            "theirs",
            title="m/s: moves a second, g/s: games a second, of one core's processor time",
        )
        table.columns[0].justify = "right"
        for row in self.rows:
            table.add_row(*row)
        console = Console(width=max(130, Console().width), highlight=False)
        console.print(table)
        for note in self.notes:
            console.print(note)


def best_rates(players: dict, repeats: int = REPEATS) -> dict:
    """The best rates of each of some measurements, taken in turn: A B C A B C ...

    Other work on the machine can only slow a measurement down, so the best is the truest.

    Returns
    -------
    dict
        By name, the moves and games a second.
    """
    best = {name: (0.0, 0.0) for name in players}
    for measure in players.values():
        measure()  # warm up
    for _ in range(repeats):
        for name, measure in players.items():
            moves, games, seconds = measure()
            best[name] = max(best[name], (moves / seconds, games / seconds))
    return best


def kernel_player(game: str):
    """A measurement of a kernel."""
    plan = kernels.random_plan(game, kernels.GAMES[game][1])

    def measure():
        rows, seconds = kernels.play_kernel(plan)
        return int(rows["moves"].sum()), plan.games, seconds

    return measure


def c_player(game: str):
    """A measurement of a C program."""

    def measure():
        found, seconds = kernels.play_c(game, kernels.GAMES[game][1])
        return found["moves"], found["games"], seconds

    return measure


def players(report: Report) -> dict:
    """Everything that plays on one core and can be measured here."""
    found = {("kernel", game): kernel_player(game) for game in kernels.GAMES}
    if shutil.which(kernels.COMPILER[0]):
        found |= {("C", game): c_player(game) for game in kernels.IN_C}
    else:
        report.skip("C programs", "there is no gcc")
    found |= {("referee", game): others.referee_player(game) for game in kernels.GAMES}
    if find_spec("pyspiel"):
        for name in others.OPEN_SPIEL_GAMES:
            found["bots", name] = others.open_spiel_bots_player(name)
            found["rollouts", name] = others.open_spiel_rollouts_player(name)
            found["loop", name] = others.open_spiel_python_player(name)
    else:
        report.skip("OpenSpiel", "pip install open_spiel (extra bench)")
    if find_spec("rlcard"):
        found["rlcard", "uno"] = others.rlcard_player()
    else:
        report.skip("RLCard", "pip install rlcard (extra bench)")
    return found


def rate(pair) -> str:
    """Rates as text: moves and games a second."""
    moves, games = pair
    if moves < MILLION / 10:
        return f"{moves:,.0f} m/s  {games:,.0f} g/s"
    return f"{moves / MILLION:.2f} M m/s  {games:,.0f} g/s"


def one_core(report: Report) -> None:
    """Kernels against C, other toolkits and plain Python."""
    best = best_rates(players(report))
    ours = {game: best["kernel", game] for game in kernels.GAMES}
    for game in kernels.IN_C:
        if ("C", game) in best:
            c = best["C", game]
            ratio = ours[game][0] / c[0]
            report.add(f"{game}: kernel to C", rate(ours[game]), rate(c), ratio, ">= 0.8")
    slow = min(ours, key=lambda game: ours[game][0])
    words = {
        "bots": "OpenSpiel C++, games with deals",
        "rollouts": "OpenSpiel C++, rollouts, no deals",
        "loop": "OpenSpiel, loop in Python",
        "rlcard": "RLCard",
    }
    for kind, text in words.items():
        for (which, name), theirs in best.items():
            if which == kind:
                aim = ">= 3" if kind == "bots" else ""
                ratio = ours[slow][0] / theirs[0]
                report.add(
                    f"{slow} (slowest) to {text}: {name}",
                    rate(ours[slow]),
                    rate(theirs),
                    ratio,
                    aim,
                )
    for game in kernels.GAMES:
        theirs = best["referee", game]
        report.add(
            f"{game}: kernel to plain Python",
            rate(ours[game]),
            rate(theirs),
            ours[game][0] / theirs[0],
        )


def same_games(report: Report, games: int = 100_000) -> None:
    """Whether kernel and C play the same games."""
    if not shutil.which(kernels.COMPILER[0]):
        return
    for game in kernels.IN_C:
        rows, _ = kernels.play_kernel(kernels.random_plan(game, games))
        same = kernels.totals(game, rows) == kernels.play_c(game, games)[0]
        report.notes.append(
            f"{game}: {games:,} games of kernel and C compared column by column (checksum): "
            f"same games: {'yes' if same else 'NO'}"
        )


def workers(report: Report) -> None:
    """One worker against two, and what counting costs."""
    plan = kernels.random_plan("fart", 150_000)
    best = {1: 0.0, 2: 0.0}
    for _ in range(REPEATS):
        for jobs in best:
            best[jobs] = max(best[jobs], processes.games_per_second(plan, jobs))
    report.add(
        "fart: 2 workers to 1",
        f"{best[2]:,.0f} games/s",
        f"{best[1]:,.0f} games/s",
        best[2] / best[1],
        ">= 1.8",
    )
    played, counted = (min(s) for s in zip(*(processes.counted_seconds(150_000) for _ in range(3))))
    report.add(
        "fart: playing and counting to playing",
        f"{counted:.2f} s",
        f"{played:.2f} s",
        counted / played,
        "<= 1.1",
    )


def memory(report: Report, full: bool) -> None:
    """Peak memory against the number of games."""
    few, many = (MILLION, 10 * MILLION) if full else (MILLION // 10, MILLION)
    small, large = processes.peak_memory(few), processes.peak_memory(many)
    report.add(
        f"memory: {many:,} games to {few:,}",
        f"{large:.0f} MiB",
        f"{small:.0f} MiB",
        large / small,
        "1 (flat)",
    )


def start(report: Report) -> None:
    """Cold and warm start."""
    warm, libraries = [], []
    words = processes.command("advantage", "fart", "--games", "10000")
    processes.measure_process(words)  # compile
    for _ in range(REPEATS):
        warm.append(processes.measure_process(words)[1])
        libraries.append(processes.measure_process(processes.LIBRARIES)[1])
    base = min(libraries)
    report.add(
        "warm start, 10,000 games of fart, to `import numba, pandas`",
        f"{min(warm):.2f} s",
        f"{base:.2f} s",
        min(warm) / base,
        "<= 3",
    )
    cold = processes.cold_start()
    report.add(
        "cold start: the same with nothing compiled", f"{cold:.1f} s", f"{base:.2f} s", cold / base
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true", help="memory at 10,000,000 games too")
    full = parser.parse_args().full
    report = Report()
    load, cores = os.getloadavg()[0], os.cpu_count()
    report.notes.append(
        f"load before the start: {load:.1f} on {cores} cores; the figure of two workers, alone "
        "taken by the clock on the wall, means nothing on a machine that is busy"
    )
    same_games(report)
    one_core(report)
    workers(report)
    memory(report, full)
    start(report)
    report.show()


if __name__ == "__main__":
    main()
