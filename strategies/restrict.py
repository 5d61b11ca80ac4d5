"""A strategy from which one kind of move is taken away."""

import functools
import hashlib

import numpy as np

from sim import jit
from sim.game import Player, load_game

# Names that stand for a restriction and a strategy where the function below is bound to them.
forbidden = base = None


def restriction(function):
    """Make a function a restriction.

    Parameters
    ----------
    function : callable
        ``forbidden(view, move) -> bool`` for a legal move; compiled, so in numba's Python. It must
        not look at the other moves of the view.
    """
    made = jit.kernel(function)
    made.evendeal_restriction = True
    return made


def restricted(view):
    """What the strategy would choose if the forbidden moves were not there.

    Where all moves are forbidden it has its free choice. The view is as it was when this returns.
    """
    n = view.n_moves
    kept = np.empty(n, np.int64)
    k = 0
    for i in range(n):
        kept[k] = i
        k += not forbidden(view, np.int64(view.moves[i]))
    if k == 0 or k == n:
        return base(view)
    if k == 1:
        return kept[0]
    saved = view.moves[:n].copy()
    for i in range(k):
        view.moves[i] = saved[kept[i]]
    view.n_moves = k
    index = base(view)
    view.moves[:n] = saved
    view.n_moves = n
    return kept[index] if index >= 0 and index < k else np.int64(-1)


@functools.cache
def bound(forbid, choose, game: str, source: str):
    """The function above, bound to one restriction and one strategy, for a game's view."""
    fast = jit.is_compiled(choose)
    if fast:
        choose = jit.compile_strategy(choose, load_game(game).VIEW)
    elif not jit.PLAIN:
        forbid = forbid.py_func
    names = {"__name__": __name__, "forbidden": forbid, "base": choose}
    # Compiled code is found again by its name, so this must tell all that the code depends on, and
    # where numba looks for its parts.
    parts = "".join((source, forbid.__module__, choose.__module__))
    digest = hashlib.sha256(parts.encode()).hexdigest()[:16]
    mark = "_".join(("", game, forbid.__name__, choose.__name__, digest))
    return jit.bind(restricted, names, jit.compiled if fast else lambda function: function, mark)


def restrict(game: str, name: str, forbid, player: Player, source: str) -> Player:
    """A player who does not do what a restriction forbids.

    Parameters
    ----------
    game : str
    name : str
        Of the new player.
    forbid : restriction
    player : Player
    source : str
        A hash of the restriction's file.
    """
    parts = player.source + source + forbid.__name__
    source = hashlib.sha256(parts.encode()).hexdigest()
    choose = bound(forbid, player.choose, game, source)
    return Player(name, choose, player.params, source)
