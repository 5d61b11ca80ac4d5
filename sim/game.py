"""What a game is, and the table of games.

A game is one module in sim/games/ that gives

``NAME, TITLE, PLAYERS, DEFAULT_PLAYERS``
    its name on the command line, its name in reports, the numbers of players it allows.
``SCORE, SCORES_ADD``
    what a row's scores are, in words; whether the scores of a session's hands add up.
``Rules``
    a frozen dataclass derived from `RuleSet`, one field an option.
``RULES, STATE, VIEW, ROW``
    record dtypes: the rules as numbers, all that the engine knows, all that one seat may see, and
    one result.
``deal(rules, state)``
    start a hand; ``state.rng`` is its stream, ``state.hand`` its number.
``legal(rules, state, view)``
    fill the view of ``state.seat``, its moves in ``view.moves[:view.n_moves]``, at least one.
``apply(rules, state, move)``
    make a move; sets ``state.seat`` to who is next, or ``state.over``.
``score(rules, state, row)``
    fill the game's own columns of a result.
``PHASES``
    the names of ``view.phase``'s values.
``hands(rules)``
    how many hands a game has; each is a deal and a row of its own.
``describe(move, view) -> (notation, words)``
    a move in short notation and in words.
``came(before, after), deal_order(rules, state, drawn), dealt_hands(rules, state), show(state)``
    for replays: the cards that came to hands between two states, the deck in dealing order, each
    hand as dealt, the table in words.
``play``
    the loop: ``jit.bind(loop.play, globals())``.
"""

import dataclasses
import difflib
import importlib
from collections.abc import Callable

import numpy as np

from sim.errors import UsageError, unknown

MODULES = {
    "fart": "sim.games.fart",
    "phalanx": "sim.games.phalanx",
    "fan_tan": "sim.games.fan_tan",
    "arse_hole": "sim.games.arse_hole",
}

N_PARAMS = 16

#: Fields that every game's records have, before its own.
STATE_FIELDS = [
    ("rng", np.uint64, 4),
    ("game", np.int64),
    ("seating", np.int64),
    ("n_players", np.int64),
    ("hand", np.int64),
    ("seat", np.int64),
    ("over", np.int64),
    ("turns", np.int64),
    ("moves", np.int64),
    ("decisions", np.int64),
    ("choice", np.int64),
]
ROW_FIELDS = [
    ("game", np.int64),
    ("deal", np.int64),
    ("seating", np.int32),
    ("hand", np.int32),
    ("turns", np.int32),
    ("moves", np.int32),
    ("decisions", np.int32),
    ("winners", np.int32),  # a bit a seat; more than one: a draw between them
    ("unfinished", np.int32),
]


def view_fields(rules: np.dtype, max_moves: int) -> list:
    """Fields that every game's view has, before its own, for at most so many legal moves."""
    return [
        ("rules", rules),
        ("rng", np.uint64, 4),
        ("params", np.float64, N_PARAMS),
        ("n_moves", np.int64),
        ("moves", np.int32, max_moves),
        ("seat", np.int64),
        ("phase", np.int64),
    ]


def option(default, values, rule: str, doc: str):
    """A field of a rule set.

    Parameters
    ----------
    default : str or int
    values : sequence of str, or range
        What is allowed.
    rule : str
        The number of the rule in the game's rules, such as ``"F9"``.
    doc : str
        What the option decides.
    """
    return dataclasses.field(default=default, metadata={"values": values, "rule": rule, "doc": doc})


@dataclasses.dataclass(frozen=True)
class RuleSet:
    """Options of a game, checked on construction.

    Raises
    ------
    UsageError
        For a value that an option does not allow, with those that it does.
    """

    def __post_init__(self):
        for name, field in self.options().items():
            value, values = getattr(self, name), field.metadata["values"]
            if isinstance(values, range):
                if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
                    fits = False
                else:
                    fits = value in values
                valid = f"a whole number from {values[0]} to {values[-1]}"
                if values.step != 1:
                    valid += f" in steps of {values.step}"
            else:
                fits = value in values
                near = difflib.get_close_matches(str(value), values, n=1, cutoff=0.5)
                valid = ("did you mean " + near[0] + "? " if near else "") + "valid: "
                valid += ", ".join(values)
            if not fits:
                raise UsageError(
                    f"option {name} ({field.metadata['rule']}) cannot be {value!r}: {valid}"
                )
        self.check()

    def check(self) -> None:
        """Refuse combinations of values that make no game."""

    @classmethod
    def options(cls) -> dict[str, dataclasses.Field]:
        """The fields by name."""
        return {field.name: field for field in dataclasses.fields(cls)}

    @classmethod
    def parse(cls, settings: dict[str, object]) -> "RuleSet":
        """The rule set with some options set, values as numbers or as text.

        Raises
        ------
        UsageError
            For an unknown option or a value that it does not allow.
        """
        options, values = cls.options(), {}
        for name, value in settings.items():
            if name not in options:
                raise unknown("option", name, options)
            if isinstance(options[name].metadata["values"], range) and isinstance(value, str):
                try:
                    value = int(value)
                except ValueError:
                    pass  # the constructor says what is allowed
            values[name] = value
        return cls(**values)

    @classmethod
    def dtype(cls) -> np.dtype:
        """The record of these rules for kernels: an ``int64`` an option."""
        return np.dtype([(name, np.int64) for name in cls.options()])

    def lower(self) -> np.record:
        """The rules as numbers; a value of a list becomes its place in the list."""
        record = np.zeros(1, self.dtype()).view(np.recarray)
        for name, field in self.options().items():
            value, values = getattr(self, name), field.metadata["values"]
            record[name][0] = value if isinstance(values, range) else values.index(value)
        return record[0]

    def as_dict(self) -> dict[str, object]:
        """Every option with its value."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True)
class Player:
    """A strategy ready to play.

    Attributes
    ----------
    name : str
        As the user wrote it; loading the name again gives the same strategy.
    choose : callable
        ``choose(view) -> index``, compiled by numba or plain Python.
    params : tuple of float
        Its weights.
    source : str
        A hash of the file that it came from.
    """

    name: str
    choose: Callable
    params: tuple[float, ...] = ()
    source: str = ""


def load_game(name: str):
    """The module of a game.

    Raises
    ------
    UsageError
        If there is no such game, with the nearest names.
    """
    if name not in MODULES:
        raise unknown("game", name, MODULES)
    return importlib.import_module(MODULES[name])


def check_players(module, players: int | None) -> int:
    """The number of players, the game's default for None.

    Raises
    ------
    UsageError
        If the game does not allow the number.
    """
    if players is None:
        return module.DEFAULT_PLAYERS
    if players not in module.PLAYERS:
        low, high = module.PLAYERS[0], module.PLAYERS[-1]
        allowed = f"{low}" if low == high else f"{low} to {high}"
        raise UsageError(f"{module.NAME} is a game for {allowed} players, not {players}")
    return players


def scratch(module, players: int):
    """A fresh state and a view a seat, readable by attribute with or without numba."""
    state = np.zeros(1, module.STATE).view(np.recarray)
    views = np.zeros(players, module.VIEW).view(np.recarray)
    return state[0], views
