"""The command line: ``evendeal``. Each command is a module of its own in reports/commands/."""

import os
import sys
from pathlib import Path

from reports.app import app, guarded
from reports.commands import (
    advantage,
    games,
    match,
    mobility,
    plan,
    replay,
    status,
    study,
    sweep,
    tournament,
)

__all__ = [
    "advantage",
    "app",
    "games",
    "match",
    "mobility",
    "plan",
    "replay",
    "status",
    "study",
    "sweep",
    "tournament",
]


def main() -> None:
    """Run the command line; every error becomes one line, or one JSON object, and a status."""
    # A user's own sim.py or analysis/ must not be met: neither here nor in worker processes.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    here = {"", os.getcwd()}
    sys.path[:] = [p for p in sys.path if p not in here or p == str(Path(__file__).parents[1])]
    sys.exit(guarded(sys.argv[1:]))


if __name__ == "__main__":
    main()
