"""Plan -> chunks -> workers -> tables of results, in game order."""

import dataclasses
import operator
import shlex
import sys
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

from sim import jit
from sim.errors import RunError, UsageError
from sim.game import N_PARAMS, Player, RuleSet, check_players, load_game, scratch

CHUNK_SECONDS = 0.25  # short enough that Ctrl-C and progress respond
MAX_CHUNK = 200_000
MAX_GAMES = 10**12
MAX_JOBS = 1024


@dataclasses.dataclass(frozen=True)
class Plan:
    """All that decides the results of a run, to the last byte.

    Attributes
    ----------
    game : str
    rules : RuleSet
    players : tuple of Player
        The different strategies.
    seatings : tuple of tuples of int
        Which strategy (an index into `players`) sits in each seat; game k uses seating
        ``k % len(seatings)``.
    paired : bool
        Whether each deal is played once for every seating; else every game has its own deal.
    seed, games : int
    """

    game: str
    rules: RuleSet
    players: tuple[Player, ...]
    seatings: tuple[tuple[int, ...], ...]
    paired: bool
    seed: int
    games: int

    @property
    def n_seats(self) -> int:
        """How many sit at the table."""
        return len(self.seatings[0])

    @property
    def games_per_deal(self) -> int:
        """How many games share a deal."""
        return len(self.seatings) if self.paired else 1

    def manifest(self) -> dict:
        """The plan as plain data: two runs with the same manifest give the same bytes."""
        from sim import __version__

        return {
            "evendeal": __version__,
            "game": self.game,
            "rules": self.rules.as_dict(),
            "strategies": [
                {"name": p.name, "weights": list(p.params), "source": p.source}
                for p in self.players
            ],
            "seatings": [list(seating) for seating in self.seatings],
            "paired": self.paired,
            "seed": self.seed,
            "games": self.games,
        }


def make_plan(
    game: str,
    players: list[Player],
    *,
    rules: RuleSet | None = None,
    seatings=None,
    paired: bool = True,
    seed: int = 1,
    games: int = 10_000,
) -> Plan:
    """A checked plan.

    Parameters
    ----------
    game : str
    players : list of Player
        The different strategies.
    rules : RuleSet, optional
        The game's default rules if not given.
    seatings : sequence of sequences of int, optional
        As in `Plan`; by default strategy i sits in seat i.
    paired : bool
    seed, games : int

    Raises
    ------
    UsageError
        For numbers that make no run, or a table that the game does not allow.
    """
    module = load_game(game)
    rules = rules or module.Rules()
    seatings = tuple(tuple(s) for s in (seatings or [range(len(players))]))
    check_players(module, len(seatings[0]))
    if hasattr(module, "check_table"):
        module.check_table(rules, len(seatings[0]))
    if not 1 <= games <= MAX_GAMES:
        raise UsageError(f"games must be from 1 to {MAX_GAMES:,}, not {games:,}")
    if not -(2**63) <= seed < 2**63:
        raise UsageError("the seed must fit 64 bits: -2**63 to 2**63 - 1")
    return Plan(game, rules, tuple(players), seatings, paired, seed, games)


def is_compiled(plan: Plan) -> bool:
    """Whether every strategy of a plan is compiled; one that is not slows down all."""
    return all(jit.is_compiled(player.choose) for player in plan.players)


def prepare(plan: Plan, notice: Callable[[str], None] = lambda text: None) -> None:
    """Compile what the plan needs, or load it from disk; say so before it takes long."""
    if jit.PLAIN:
        return
    module = load_game(plan.game)
    for player in plan.players:
        if jit.is_compiled(player.choose):
            jit.compile_strategy(player.choose, module.VIEW)
    if is_compiled(plan):
        if not jit.compiled_before(plan.game):
            notice(
                f"Compiling {plan.game} for this machine: about half a minute, once; "
                "later runs start at once."
            )
        jit.compile_loop(module.play, module, len(plan.players))
        jit.note_compiled(plan.game)


def play_chunk(plan: Plan, first: int, count: int) -> tuple[np.ndarray, float]:
    """Play some games of a plan.

    Returns
    -------
    rows : array of the game's ROW, shape (count, hands)
    seconds : float

    Raises
    ------
    RunError
        If a strategy raises, or returns an index outside its moves.
    """
    start = time.perf_counter()
    module = load_game(plan.game)
    state, views = scratch(module, plan.n_seats)
    rows = np.zeros((count, module.hands(plan.rules)), module.ROW)
    params = np.zeros((len(plan.players), N_PARAMS))
    for i, player in enumerate(plan.players):
        params[i, : len(player.params)] = player.params
    if is_compiled(plan):
        prepare(plan)
        choosers = tuple(jit.compile_strategy(p.choose, module.VIEW) for p in plan.players)
        size = jit.compile_loop(module.play, module, len(choosers))
        play = module.play
        choosers += choosers[:1] * (size - len(choosers))
    else:
        choosers = tuple(
            jit.compile_strategy(p.choose, module.VIEW)
            if jit.is_compiled(p.choose)
            else as_index(p.choose)
            for p in plan.players
        )
        play = getattr(module.play, "py_func", module.play)
        rows = rows.view(np.recarray)
    try:
        done = play(
            plan.rules.lower(),
            np.array(plan.seatings, np.int64),
            plan.paired,
            choosers,
            params,
            plan.seed,
            first,
            state,
            views,
            rows,
        )
    except (Exception, SystemExit) as error:
        raise fault(plan, state, f"raised {type(error).__name__}: {error}") from error
    if not done:
        n_moves = int(views[int(state.seat)].n_moves)
        problem = f"returned {int(state.choice)}, outside its {n_moves} moves"
        raise fault(plan, state, problem)
    return rows, time.perf_counter() - start


def as_index(choose):
    """A strategy in plain Python, held to return whole numbers only."""

    def chosen(view):
        index = choose(view)
        try:
            return operator.index(index)
        except TypeError:
            raise TypeError(f"it returned {index!r}, not the index of a move") from None

    return chosen


def attempt(plan: Plan, first: int, count: int):
    """`play_chunk`, a fault handed back as a value: the first in game order is the one to raise."""
    try:
        return play_chunk(plan, first, count)
    except RunError as error:
        return error


def fault(plan: Plan, state, problem: str) -> RunError:
    """The error of a strategy that failed, with the command that shows the game again."""
    seat, deal = int(state.seat), int(state.game)
    seats = [plan.players[i].name for i in plan.seatings[int(state.seating)]]
    command = replay_command(plan, deal, seats)
    return RunError(
        f"strategy {seats[seat]} {problem}, in seat {seat} of game {deal} with seed {plan.seed}; "
        f"see it with: {command}",
        game=plan.game,
        seed=plan.seed,
        game_number=deal,
        seat=seat,
        strategy=seats[seat],
        replay=command,
    )


def replay_command(plan: Plan, deal: int, seats: list[str]) -> str:
    """The command that replays one game of a plan."""
    defaults = type(plan.rules)().as_dict()
    words = ["evendeal", "replay", plan.game, "--game", str(deal), "--seed", str(plan.seed)]
    if len(seats) != load_game(plan.game).DEFAULT_PLAYERS:
        words += ["--players", str(len(seats))]
    words += ["--strategies", ",".join(seats)]
    for name, value in plan.rules.as_dict().items():
        if value != defaults[name]:
            words += ["--set", f"{name}={value}"]
    return shlex.join(words)


def run(
    plan: Plan,
    jobs: int = 1,
    backend: str | None = None,
    first: int = 0,
    end: int | None = None,
) -> Iterator[np.ndarray]:
    """Play a plan; yield its rows chunk by chunk, in game order.

    The rows depend on the plan alone: not on `jobs`, nor on how the games fall into chunks.

    Parameters
    ----------
    plan : Plan
    jobs : int
        Workers: threads for compiled strategies (they run without the GIL), processes otherwise.
    backend : str, optional
        A joblib backend instead.
    first, end : int
        Play only the games from `first` on and before `end`; both begin a deal.

    Yields
    ------
    array of the game's ROW, shape (games, hands)
        A deal's games are never split between two chunks.
    """
    if not 1 <= jobs <= MAX_JOBS:
        raise UsageError(f"jobs must be from 1 to {MAX_JOBS}, not {jobs}")
    step = plan.games_per_deal
    compiled = is_compiled(plan)
    size = 512 if compiled else 8
    if compiled:
        prepare(plan)

    def tasks():
        at, stop = first, plan.games if end is None else end
        while at < stop:
            count = min(max(1, size // step) * step, stop - at)
            yield at, count
            at += count

    def follow(chunks):
        nonlocal size
        for chunk in chunks:
            if isinstance(chunk, RunError):
                raise chunk
            rows, seconds = chunk
            fitting = int(len(rows) * CHUNK_SECONDS / max(seconds, 1e-6))
            size = max(step, min(fitting, 4 * size, MAX_CHUNK))
            yield rows

    if jobs == 1 and backend is None:
        yield from follow(attempt(plan, *task) for task in tasks())
        return
    from joblib import Parallel, delayed

    backend = backend or ("threading" if compiled else "loky")
    if backend != "threading":
        carry_user_files(plan)
    parallel = Parallel(
        n_jobs=jobs, backend=backend, return_as="generator", pre_dispatch="2*n_jobs", batch_size=1
    )
    chunks = parallel(delayed(attempt)(plan, *task) for task in tasks())
    try:
        yield from follow(chunks)
    finally:
        with warnings.catch_warnings():
            # A run that ends early leaves tasks behind on purpose.
            warnings.simplefilter("ignore", UserWarning)
            chunks.close()


def carry_user_files(plan: Plan) -> None:
    """Let strategies of users' files travel to worker processes, which cannot import them."""
    try:
        import cloudpickle  # what joblib's processes use, its own copy before 1.6
    except ImportError:
        from joblib.externals import cloudpickle

    for player in plan.players:
        name = getattr(player.choose, "__module__", "")
        if name.startswith("evendeal_user_"):
            cloudpickle.register_pickle_by_value(sys.modules[name])


def to_table(rows: np.ndarray, n_seats: int):
    """Rows as a table: a row a hand, a column a number, ``score[0]`` and so on by seat.

    Returns
    -------
    pandas.DataFrame
        With ``winner`` beside the bit mask ``winners``: the seat, or -1 for a draw or no winner.
    """
    import pandas as pd

    flat = rows.reshape(-1)
    columns = {}
    for name in flat.dtype.names:
        if flat.dtype[name].shape:
            for seat in range(n_seats):
                columns[f"{name}[{seat}]"] = flat[name][:, seat]
        else:
            columns[name] = flat[name]
    winners = flat["winners"]
    single = (winners > 0) & (winners & (winners - 1) == 0)
    seat = np.where(single, np.log2(np.maximum(winners, 1)).astype(np.int32), np.int32(-1))
    columns["winner"] = seat
    return pd.DataFrame(columns)


def simulate(
    game: str,
    players: list[Player | Callable],
    *,
    games: int = 10_000,
    seed: int = 1,
    jobs: int = 1,
    rules: RuleSet | dict | None = None,
    seatings=None,
    paired: bool = True,
):
    """Play games and return every result.

    Parameters
    ----------
    game : str
    players : list of Player or callable
        The strategies: from `strategies.load`, or functions of a view. Strategy i sits in seat i
        unless `seatings` says otherwise.
    games, seed, jobs : int
    rules : RuleSet or dict, optional
        Options that are not the default.
    seatings, paired
        As in `Plan`.

    Returns
    -------
    pandas.DataFrame
        One row a game (a hand, in games of several), as of `to_table`.
    """
    if isinstance(rules, dict):
        rules = load_game(game).Rules.parse(rules)
    players = [
        p
        if isinstance(p, Player)
        else Player(p.__name__, p, tuple(getattr(p, "evendeal_params", {}).values()))
        for p in players
    ]
    plan = make_plan(
        game, players, rules=rules, seatings=seatings, paired=paired, seed=seed, games=games
    )
    chunks = list(run(plan, jobs))
    return to_table(np.concatenate(chunks), plan.n_seats)
