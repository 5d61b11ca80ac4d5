"""Everything numba: decorators, signatures, bit intrinsics and the cache stamp.

No other file of the project imports numba. With ``NUMBA_DISABLE_JIT=1`` this one does not either:
the decorators then hand every function back as it is, and the same rules run as plain Python.
"""

import functools
import hashlib
import os
import types as pytypes
import warnings
from pathlib import Path

import numpy as np

PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
ROOT = Path(__file__).resolve().parent.parent

#: How many different strategies one kernel call may hold: the smallest that fits is compiled for.
TUPLE_SIZES = (2, 4, 8, 20)


def cache_dir() -> Path:
    """Where compiled code is kept: ``NUMBA_CACHE_DIR``, or the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evendeal"


@functools.lru_cache(maxsize=1)
def stamp() -> str:
    """A hash of all that compiled code depends on: every file of sim/, and bounds checking.

    Numba looks only at the file of the function itself, so an edit in another file that it calls
    would leave stale machine code in use; and it forgets whether bounds were checked.
    """
    digest = hashlib.sha256(os.environ.get("NUMBA_BOUNDSCHECK", "0").encode())
    for path in sorted((ROOT / "sim").rglob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def source_hash(path: str) -> str:
    """The hash of one source file, or of its name where there is no such file."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        content = path.encode()
    return hashlib.sha256(content).hexdigest()


if PLAIN:

    def kernel(function):
        """Hand back the function: without numba everything runs as plain Python."""
        return function

    compiled = kernel

    def ctz(mask):
        """The lowest set bit's number, 64 for no bit."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1 if mask else 64

    def popcount(mask):
        """How many bits of a non-negative mask are set."""
        return int(mask).bit_count()

    # Stream mixing multiplies modulo 2**64 by design; numpy's scalars warn of it, machine code not.
    np.seterr(over="ignore")

else:
    import numba
    from numba import types
    from numba.core import caching, config
    from numba.core.errors import NumbaExperimentalFeatureWarning
    from numba.extending import intrinsic

    # Calling strategies through first-class function types is the design, not an accident.
    warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

    class StampedLocator(caching._CacheLocator):
        """Keeps our functions' machine code in `cache_dir`, stamped by `stamp` and their own file.

        Functions of other projects in the same process are left to numba's own locators.
        """

        def __init__(self, function, path):
            self._path = path
            self._line = function.__code__.co_firstlineno

        @classmethod
        def from_function(cls, py_func, py_file):
            if not getattr(py_func, "__evendeal__", False):
                return None
            locator = cls(py_func, py_file)
            try:
                locator.ensure_cache_path()
            except OSError:
                return None
            return locator

        def get_cache_path(self):
            return str(cache_dir() / self.get_suitable_cache_subpath(self._path))

        def get_source_stamp(self):
            return stamp() + source_hash(self._path)

        def get_disambiguator(self):
            return str(self._line)

    config.CACHE_LOCATOR_CLASSES = ",".join(
        [f"{__name__}.StampedLocator"] + [c.__name__ for c in caching.CacheImpl._locator_classes]
    )

    def compiled(function, **options):
        """Compile lazily, cached on disk, without the GIL and with C's division rules."""
        function.__evendeal__ = True
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)

    def kernel(function):
        """Compile a function of the engine.

        Without numba's memory runtime: an allocation is then an error, and no array access pays for
        counting references (a third of the time, measured).
        """
        return compiled(function, _nrt=False, forceinline=True)

    @intrinsic
    def ctz(typingctx, mask):
        """The lowest set bit's number, 64 for no bit."""

        def lower(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, False))

        return types.int64(types.int64), lower

    @intrinsic
    def popcount(typingctx, mask):
        """How many bits of a non-negative mask are set."""

        def lower(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.int64), lower


def strategy(function=None, /, **defaults):
    """Make a function of one view a strategy.

    Parameters
    ----------
    function : callable
        ``choose(view) -> int``, an index into ``view.moves[:view.n_moves]``.
    **defaults : float
        Tunable weights, at most 16: the function reads them from ``view.params`` in this order, a
        user sets them by name, as in ``balanced(push=2)``.
    """
    if function is None:
        return lambda inner: strategy(inner, **defaults)
    choose = compiled(function)
    choose.evendeal_params = {name: float(value) for name, value in defaults.items()}
    return choose


def is_compiled(function) -> bool:
    """Whether a function is numba's (and so fit for the compiled loop)."""
    return not PLAIN and isinstance(function, numba.core.dispatcher.Dispatcher)


def routine(function):
    """Compile a function of the engine that is called from several places and not inlined."""
    return compiled(function, _nrt=False)


def bind(function, module: dict, compile_it=kernel, mark: str = ""):
    """Write a function anew, as if its text stood in another module, and compile it there.

    The loop that plays games is written once. Bound to a game's module it calls that module's
    ``deal``, ``legal``, ``apply`` and ``score`` directly, so that numba compiles them into one
    piece and finds it on disk in the next process, which it never does for closures.

    Parameters
    ----------
    function : callable
    module : dict
        The names that it meets there; ``__name__`` among them is that of a module.
    compile_it : callable
    mark : str
        What tells it from the same function bound to other names in the same module.
    """
    names = {**function.__globals__, **module}
    bound = pytypes.FunctionType(function.__code__, names, function.__name__)
    bound.__qualname__ = f"{module['__name__']}.{function.__name__}{mark}"
    bound.__doc__ = function.__doc__
    return compile_it(bound)


def record_type(dtype):
    """Numba's type of a record dtype."""
    return numba.from_dtype(dtype)


def compile_strategy(choose, view_dtype):
    """A strategy compiled for a game's view (or loaded from disk), and for nothing else.

    The loop takes strategies that have one signature and can get no other; so each view has a twin
    of its own, and the strategy itself stays as it is: one function may play several games.

    Returns
    -------
    numba function

    Raises
    ------
    TypeError
        If numba cannot compile the function for that view, with the reason, or if it returns
        something else than a whole number.
    """
    if not hasattr(choose, "evendeal_twins"):
        choose.evendeal_twins = {}
    if view_dtype in choose.evendeal_twins:
        return choose.evendeal_twins[view_dtype]
    signature = types.int64(numba.from_dtype(view_dtype))
    problem = f"numba cannot compile strategy {choose.__name__!r}: "
    twin = compiled(choose.py_func)
    try:
        twin.compile(signature.args)  # first as it is, to see what it returns
        (overload,) = twin.overloads.values()
        returned = overload.signature.return_type
        if not isinstance(returned, types.Integer):
            raise TypeError(f"it returns {returned}, not the index of a move")
        if returned != types.int64:
            twin = compiled(choose.py_func)
            twin.compile(signature)
    except KeyError as error:
        fields = ", ".join(view_dtype.names)
        raise TypeError(f"{problem}the view has no field {error}; it has {fields}") from error
    except Exception as error:  # numba's own errors are of many kinds
        raise TypeError(f"{problem}{error}") from error
    twin.disable_compile()
    choose.evendeal_twins[view_dtype] = twin
    return twin


def tuple_size(n_strategies: int) -> int:
    """The size of tuple that holds so many strategies."""
    return next((s for s in TUPLE_SIZES if s >= n_strategies), n_strategies)


def compile_for(function, view_dtype, args) -> None:
    """Compile a function of the engine for some arguments; a tuple is one of strategies."""
    choose = types.FunctionType(types.int64(numba.from_dtype(view_dtype)))
    signature = tuple(
        types.UniTuple(choose, len(arg)) if isinstance(arg, tuple) else numba.typeof(arg)
        for arg in args
    )
    if signature not in function.overloads:
        function.compile(signature)


def compile_loop(loop, module, n_strategies: int) -> int:
    """Compile a game's loop for so many strategies, and return the size of its tuple."""
    size = tuple_size(n_strategies)
    view = numba.from_dtype(module.VIEW)
    signature = types.int64(
        numba.from_dtype(module.RULES),
        types.Array(types.int64, 2, "C"),
        types.boolean,
        types.UniTuple(types.FunctionType(types.int64(view)), size),
        types.Array(types.float64, 2, "C"),
        types.int64,
        types.int64,
        numba.from_dtype(module.STATE),
        types.Array(view, 1, "C"),
        types.Array(numba.from_dtype(module.ROW), 2, "C"),
    )
    if signature.args not in loop.overloads:
        loop.compile(signature)
    return size


def compiled_before(name: str) -> bool:
    """Whether this version of the engine has been compiled here for a game before."""
    try:
        return (cache_dir() / f"{name}.stamp").read_text() == stamp()
    except OSError:
        return False


def note_compiled(name: str) -> None:
    """Remember that a game's loop is compiled, so that the next run does not announce it."""
    try:
        cache_dir().mkdir(parents=True, exist_ok=True)
        (cache_dir() / f"{name}.stamp").write_text(stamp())
    except OSError:
        pass
