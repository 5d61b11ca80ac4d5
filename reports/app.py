"""What all commands share: the typer application, option types, errors and exit statuses."""

import json
import os
import shlex
import sys
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
Games = Annotated[
    int | None,
    typer.Option("--games", help="Games to play; a session is one.", show_default="about 100,000"),
]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same numbers.")]
Jobs = Annotated[int, typer.Option("--jobs", help="Workers; 0: one a core.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A rule; repeatable.")
]
Seats = Annotated[int | None, typer.Option("--players", help="Players at the table.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout, nothing else.")]
Out = Annotated[str | None, typer.Option("--out", metavar="DIR", help="Page, figures, results.")]

Precise = Annotated[
    float | None,
    typer.Option("--precision", help="Play until the main estimate is sure to +- this much."),
]

DEFAULT_GAMES = 100_000
LEAST_SESSIONS = 2_000


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


def rounds_of(hands: int, games_per_deal: int, games: int | None, about=DEFAULT_GAMES) -> int:
    """How many games to play: what was asked for, else `about` so many hands.

    Raises
    ------
    UsageError
        If the games do not make whole deals.
    """
    if games is None:
        games = max(LEAST_SESSIONS, about // hands)
        return -(-games // games_per_deal) * games_per_deal
    if games > 0 and games % games_per_deal:
        near = -(-games // games_per_deal) * games_per_deal
        raise UsageError(
            f"--games {games}: every deal is played {games_per_deal} times, once for each seating; "
            f"give a multiple of {games_per_deal}, such as {near}"
        )
    return games


def checked_precision(precision: float | None) -> float | None:
    """A precision that can be reached.

    Raises
    ------
    UsageError
        For one that cannot.
    """
    if precision is not None and not 0 < precision < 0.5:
        raise UsageError(
            f"--precision is half the interval's width: above 0 and below 0.5, not {precision}"
        )
    return precision


def changed_rules(rules) -> list[str]:
    """The words ``--set option=value`` of a rule set that are not the default."""
    defaults = type(rules)().as_dict()
    words = []
    for name, value in rules.as_dict().items():
        if value != defaults[name]:
            words += ["--set", f"{name}={value}"]
    return words


def reproduce(command: str, plan, words: list[str], names_game: bool = True) -> str:
    """The command that gives the same numbers again; `words` are the command's own.

    `names_game` is False for a command of one game alone.
    """
    from sim.game import load_game

    line = ["evendeal", command, *([plan.game] if names_game else []), *words]
    if plan.n_seats != load_game(plan.game).DEFAULT_PLAYERS:
        line += ["--players", str(plan.n_seats)]
    line += ["--games", str(plan.games), "--seed", str(plan.seed)]
    return shlex.join(line + changed_rules(plan.rules))


def finite(value):
    """The value with infinities as null, which JSON can say."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list):
        return [finite(v) for v in value]
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return None
    return value
