"""What is measured on whole processes: workers, counting, memory and starting up."""

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.kernels import random_plan
from sim.runner import run

# A new process counts the memory of the one that started it as its own: so a small one between.
WATCH = (
    "import resource, subprocess, sys; "
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
LIBRARIES = (sys.executable, "-c", "import numba, pandas")


def command(*words) -> list[str]:
    """Our command line in a process of its own."""
    return [sys.executable, "-c", "from reports.cli import main; main()", *words]


def advantage(games: int, *words) -> list[str]:
    """``evendeal advantage fart`` between random players."""
    return command("advantage", "fart", "--strategy", "random", "--games", str(games), *words)


def environment(**more) -> dict[str, str]:
    """The variables of a process that finds our packages."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | more


def measure_process(words, **more) -> tuple[float, float]:
    """Run a process.

    Returns
    -------
    wall, processor : float
        Seconds.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(**more),
    )
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"{words} failed: {message.decode()}")
    return wall, usage.ru_utime + usage.ru_stime


def peak_memory(games: int) -> float:
    """MiB at most held by a run on two workers."""
    words = [sys.executable, "-c", WATCH, *advantage(games, "--jobs", "2")]
    done = subprocess.run(words, check=True, capture_output=True, text=True, env=environment())
    return int(done.stdout) / 1024


def cold_start() -> float:
    """Processor seconds of the very first run, with an empty cache of compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        words = command("advantage", "fart", "--games", "10000")
        return measure_process(words, NUMBA_CACHE_DIR=folder)[1]


def games_per_second(plan, jobs: int) -> float:
    """Games a second by the clock on the wall; nothing is counted."""
    start = time.perf_counter()
    games = sum(len(rows) for rows in run(plan, jobs))
    return games / (time.perf_counter() - start)


def counted_seconds(games: int) -> tuple[float, float]:
    """Processor seconds on one worker of playing alone, and of playing and counting."""
    from analysis.measures import advantage_measures
    from reports.run import collect

    plan = random_plan("fart", games)
    start = time.process_time()
    for _ in run(plan, 1):
        pass
    middle = time.process_time()
    collect(plan, advantage_measures("fart", 2, plan.rules, 1), 1)
    return middle - start, time.process_time() - middle
