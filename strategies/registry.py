"""Find a strategy by name, in a user's file, or in an installed package."""

import ast
import importlib
import importlib.metadata
import importlib.util
import inspect
import re
import sys
from pathlib import Path

from sim.errors import UsageError, unknown
from sim.game import MODULES, N_PARAMS, Player, load_game
from sim.jit import source_hash
from strategies.restrict import restrict

ENTRY_POINTS = "evendeal.strategies.{game}"

#: The strongest strategy of each game, which plays where none is named.
STRONGEST = {
    "fart": "balanced",
    "phalanx": "zone_value",
    "fan_tan": "planner",
    "arse_hole": "climber",
}

MAX_FILE = 1_000_000  # bytes; no strategy is so long, so a larger file is a mistake

SPEC = re.compile(r"(?:(?P<path>.+\.py):)?(?P<name>[^\W\d]\w*)(?:\((?P<weights>.*)\))?", re.DOTALL)


def own_strategies(game: str) -> dict:
    """The strategies that come with evendeal for a game, by name."""
    load_game(game)
    module = importlib.import_module(f"strategies.{game}")
    return {
        name: value
        for name, value in vars(module).items()
        if hasattr(value, "evendeal_params") and not name.startswith("_")
    }


def restrictions(game: str) -> dict:
    """What a player of a game may be kept from doing, by name."""
    load_game(game)
    module = importlib.import_module(f"strategies.restrictions.{game}")
    return {name: v for name, v in vars(module).items() if hasattr(v, "evendeal_restriction")}


def installed_strategies(game: str) -> dict:
    """Entry points of installed packages that offer strategies for a game, by name."""
    found = importlib.metadata.entry_points(group=ENTRY_POINTS.format(game=game))
    return {point.name: point for point in found}


def names(game: str) -> dict[str, str]:
    """Every strategy of a game by name, with the first line of its docstring and its weights."""
    return {
        name: first_line(choose) + weights_text(choose)
        for name, choose in own_strategies(game).items()
    } | {
        name: f"from the package {point.value.split(':')[0]}"
        for name, point in installed_strategies(game).items()
    }


def first_line(choose) -> str:
    """The idea of a strategy: its docstring's first line."""
    doc = inspect.getdoc(getattr(choose, "py_func", choose)) or ""
    return doc.split("\n")[0]


def weights_text(choose) -> str:
    """The weights of a strategy with their defaults."""
    weights = getattr(choose, "evendeal_params", {})
    return " [" + ", ".join(f"{k}={v:g}" for k, v in weights.items()) + "]" if weights else ""


def load(game: str, spec: str) -> Player:
    """A strategy ready to play.

    Parameters
    ----------
    game : str
    spec : str
        ``name``, ``name(weight=2)``, or ``file.py:name`` for a function in a user's file, which is
        run to load it; ``restriction(strategy)`` for a strategy that is kept from doing something.

    Raises
    ------
    UsageError
        For a name, file, function or weight that is not there, with what is.
    """
    if game not in MODULES:
        raise unknown("game", game, MODULES)
    match = SPEC.fullmatch(spec.strip())
    if not match:
        if spec.strip().endswith(".py"):
            raise UsageError(f"strategy {spec!r} names a file; name its function too: {spec}:NAME")
        raise UsageError(
            f"strategy {spec!r} is not of the form name, name(weight=2) or file.py:name"
        )
    name = match["name"]
    if match["path"]:
        choose = from_file(Path(match["path"]), name)
    else:
        own, installed = own_strategies(game), installed_strategies(game)
        own |= restrictions(game)
        if name in own:
            choose = own[name]
        elif name in installed:
            choose = installed[name].load()
        else:
            raise unknown(f"strategy of {game}", name, [*own, *installed])
    if hasattr(choose, "evendeal_restriction"):
        if not match["weights"]:
            raise UsageError(f"{spec!r} restricts a strategy: name one, as in {spec}(random)")
        path = inspect.getfile(getattr(choose, "py_func", choose))
        base = load(game, match["weights"])
        return restrict(game, spec.strip(), choose, base, source_hash(path))
    check_signature(choose, spec)
    params = weights(spec, match["weights"], getattr(choose, "evendeal_params", {}))
    path = inspect.getfile(getattr(choose, "py_func", choose))
    return Player(spec.strip(), choose, params, source_hash(path))


def check_signature(choose, spec: str) -> None:
    """Refuse what cannot be called with one view."""
    function = getattr(choose, "py_func", choose)
    if not callable(function):
        raise UsageError(f"strategy {spec!r} is no function but a {type(choose).__name__}")
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        raise UsageError(
            f"strategy {spec!r} must take one argument, the view; it takes "
            f"{inspect.signature(function)}"
        ) from None


def weights(spec: str, text: str | None, defaults: dict[str, float]) -> tuple[float, ...]:
    """The weights of a strategy: its defaults, changed by what stands in the brackets."""
    values = dict(defaults)
    if text and text.strip():
        try:
            call = ast.parse(f"f({text})", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            call = None
        if not isinstance(call, ast.Call) or call.args or any(k.arg is None for k in call.keywords):
            raise UsageError(f"strategy {spec!r}: weights are written name=number, with commas")
        for keyword in call.keywords:
            if keyword.arg not in defaults:
                if not defaults:
                    raise UsageError(f"strategy {spec!r}: {spec.split('(')[0]} has no weights")
                raise unknown(f"weight of {spec.split('(')[0]}", keyword.arg, defaults)
            try:
                values[keyword.arg] = float(ast.literal_eval(keyword.value))
            except (ValueError, TypeError, SyntaxError, OverflowError):
                raise UsageError(
                    f"strategy {spec!r}: weight {keyword.arg} must be a number"
                ) from None
    if len(values) > N_PARAMS:
        raise UsageError(f"strategy {spec!r} has {len(values)} weights; at most {N_PARAMS} fit")
    return tuple(values.values())


def from_file(path: Path, name: str):
    """A function of a user's file, loaded by its path under a module name of its own.

    Raises
    ------
    UsageError
        If the file cannot be read or run, or has no such function.
    """
    if not path.is_file():
        near = [str(p) for p in sorted(path.parent.glob("*.py"))] if path.parent.is_dir() else []
        raise unknown("strategy file", str(path), near or ["no .py file in that folder"])
    if path.stat().st_size > MAX_FILE:
        raise UsageError(f"strategy file {path} has over {MAX_FILE:,} bytes: that is no strategy")
    path = path.resolve()
    module_name = "evendeal_user_" + re.sub(r"\W", "_", str(path))
    module = sys.modules.get(module_name)
    if module is None:
        spec = importlib.util.spec_from_file_location(module_name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        try:
            spec.loader.exec_module(module)
        except UnicodeDecodeError as error:
            problem = f"is not UTF-8 text ({error.reason} at byte {error.start})"
        except SyntaxError as error:
            problem = f"has a syntax error in line {error.lineno}: {error.msg}"
        except (Exception, SystemExit) as error:
            problem = f"failed while loading: {type(error).__name__}: {error}"
        else:
            problem = ""
        if problem:
            del sys.modules[module_name]
            raise UsageError(f"strategy file {path} {problem}")
    functions = [
        key
        for key, value in vars(module).items()
        if callable(value)
        and getattr(getattr(value, "py_func", value), "__module__", "") == module_name
    ]
    if not hasattr(module, name):
        raise unknown(f"function in {path.name}", name, functions or ["(the file has none)"])
    return getattr(module, name)
