"""What is measured of a game: each number defined once, as integers by row of the results."""

import math

import numpy as np

from analysis.tally import Measure


def stack(table, name: str, n_seats: int) -> np.ndarray:
    """The columns ``name[0]``, ``name[1]``, ... as an array of shape (rows, seats)."""
    return np.stack([table[f"{name}[{seat}]"].to_numpy() for seat in range(n_seats)], axis=1)


def points_unit(n_seats: int) -> int:
    """The points of a won game: divisible by any number of winners."""
    return math.lcm(*range(1, n_seats + 1))


def points(table, n_seats: int) -> np.ndarray:
    """Each seat's result share in points, shape (rows, seats).

    The winner has `points_unit`; several winners share it alike; where nobody won, as in a game cut
    before its end, all seats do.
    """
    mask = table["winners"].to_numpy().astype(np.int64)
    won = mask[:, None] >> np.arange(n_seats) & 1
    won[mask == 0] = 1
    return won * (points_unit(n_seats) // won.sum(axis=1))[:, None]


def column(name: str):
    """A measure that is a column."""
    return lambda table: table[name].to_numpy()


def win_shares(n_seats: int) -> list[Measure]:
    """The share of games that each seat alone wins."""
    return [
        Measure(
            f"win_share[{seat}]",
            f"games that seat {seat} alone wins, of all games",
            lambda table, seat=seat: (table["winner"].to_numpy() == seat).astype(np.int64),
            share=True,
        )
        for seat in range(n_seats)
    ]


def common_measures(n_seats: int, hands: int = 1) -> list[Measure]:
    """Shares and lengths that every game has; per hand, in a game of several."""
    of = "game" if hands == 1 else "hand"
    return win_shares(n_seats) + [
        Measure(
            "draw_share",
            f"{of}s that end in a draw, of all {of}s",
            lambda t: (t["winner"].to_numpy() < 0) & (t["unfinished"].to_numpy() == 0),
            share=True,
        ),
        Measure(
            "decisive_share",
            f"{of}s that one seat alone wins, of all {of}s",
            lambda t: (t["winner"].to_numpy() >= 0).astype(np.int64),
            share=True,
        ),
        Measure(
            "unfinished_share",
            f"{of}s cut before their end, of all {of}s; in scores each counts as a draw of all",
            column("unfinished"),
            share=True,
        ),
        Measure("turns_per_game", f"mean turns of a {of}, all players'", column("turns")),
        Measure("moves_per_game", f"mean moves of a {of}, forced ones too", column("moves")),
        Measure(
            "decisions_per_game",
            f"mean choices among two or more moves in a {of}",
            column("decisions"),
        ),
    ]


def seat_means(name: str, column_name: str, what: str, n_seats: int) -> list[Measure]:
    """The mean of a column by seat."""
    return [
        Measure(f"{name}[{seat}]", f"mean {what} of seat {seat}", column(f"{column_name}[{seat}]"))
        for seat in range(n_seats)
    ]


# --- each game's own ------------------------------------------------------------------------------


def fart_measures(n_seats: int, rules) -> list[Measure]:
    """The final counts of Fart, and their difference."""
    difference = Measure(
        "final_count_difference",
        "mean of the cards that seat 0 counts at the end less those of seat 1; fewer is better",
        lambda t: t["score[0]"].to_numpy().astype(np.int64) - t["score[1]"].to_numpy(),
    )
    return [difference] + seat_means("score", "score", "final count of cards", n_seats)


def phalanx_measures(n_seats: int, rules) -> list[Measure]:
    """What Phalanx's leaders, ties and chips come to."""
    found = [
        Measure("rounds_per_game", "mean rounds of a game", column("rounds")),
        Measure(
            "leader_zones_per_game",
            "mean zones of a game won by the player who led their round",
            column("leader_zones"),
        ),
        Measure(
            "other_zones_per_game",
            "mean zones of a game won by a player who did not lead their round",
            column("other_zones"),
        ),
        Measure("tied_zones_per_game", "mean zones of a game that were tied", column("tied_zones")),
    ]
    found += seat_means("score", "score", "cards owned at the end", n_seats)
    if rules.stakes == "on":
        found += seat_means("chips", "chips", "net chips", n_seats)
    return found


def fan_tan_measures(n_seats: int, rules) -> list[Measure]:
    """Fan Tan's chips, payments, pots and passes."""
    from analysis.chips import paid  # which builds on this module

    def put_in(table, seat):
        return sum(values[:, seat] for values in paid(table, n_seats, rules).values())

    return [
        *seat_means("chips", "score", "net chips a hand", n_seats),
        *(
            Measure(
                f"paid[{seat}]",
                f"mean chips that seat {seat} puts into the pot a hand",
                lambda t, seat=seat: put_in(t, seat),
            )
            for seat in range(n_seats)
        ),
        Measure("pot", "mean pot when a hand ends, in chips", column("pot")),
        Measure(
            "passes_per_game",
            "mean passes of a hand, wrong ones too, all players'",
            lambda t: stack(t, "passes", n_seats).sum(axis=1),
        ),
        Measure(
            "wrong_passes_per_game",
            "mean passes of a hand with a card that could be played",
            lambda t: stack(t, "wrong_passes", n_seats).sum(axis=1),
        ),
    ]


def arse_hole_measures(n_seats: int, rules) -> list[Measure]:
    """Arse Hole's ranks; where the table stays the same also by the rank before the hand."""
    found = [
        Measure("rounds_per_game", "mean rounds of a hand", column("rounds")),
        *seat_means("score", "score", "rank after a hand (1: King)", n_seats),
    ]
    if rules.script != "none":
        return found
    for rank in range(1, n_seats + 1):
        found.append(
            Measure(
                f"rank_after[{rank}]",
                f"mean rank after a hand of who had rank {rank} before it (1: King)",
                lambda t, rank=rank: by_rank(t, rank, n_seats, "score"),
            )
        )
    found.append(
        Measure(
            "leader_first_share",
            "hands in which the Arse Hole, who leads them, is the first to be out of cards",
            lambda t: (by_rank(t, n_seats, n_seats, "order_out") == 1).astype(np.int64),
            share=True,
        )
    )
    return found


def by_rank(table, rank: int, n_seats: int, name: str) -> np.ndarray:
    """A column of the player who had a rank before the hand."""
    before = stack(table, "rank_before", n_seats) == rank
    return (stack(table, name, n_seats) * before).sum(axis=1)


OWN = {
    "fart": fart_measures,
    "phalanx": phalanx_measures,
    "fan_tan": fan_tan_measures,
    "arse_hole": arse_hole_measures,
}

#: By game: the column that each seat's result is best told by in a match, its name and meaning.
MATCH_SCORES = {
    "fart": ("count", "score", "final count of cards"),
    "phalanx": ("cards", "score", "cards owned at the end"),
    "fan_tan": ("chips", "score", "net chips a hand"),
    "arse_hole": ("rank", "score", "rank after a hand (1: King)"),
}


def first_seat(table, game: str, n_seats: int) -> np.ndarray:
    """The seat that is first in each row: leads the first round, sits in position 0, leads."""
    if game == "phalanx":
        return table["leader"].to_numpy().astype(np.int64)
    if game == "fan_tan":
        return stack(table, "position", n_seats).argmin(axis=1)
    if game == "arse_hole":
        return stack(table, "rank_before", n_seats).argmax(axis=1)
    return np.zeros(len(table), np.int64)


FIRST = {
    "fart": "moves first",
    "phalanx": "leads the first round",
    "fan_tan": "plays first (position 0)",
    "arse_hole": "leads first (the Arse Hole)",
}


def advantage_measures(game: str, n_seats: int, rules, hands: int = 1) -> list[Measure]:
    """What `advantage` estimates; the first is the main one."""

    def first_points(table):
        seat = first_seat(table, game, n_seats)
        return np.take_along_axis(points(table, n_seats), seat[:, None], axis=1)[:, 0]

    even = "1/2" if n_seats == 2 else f"1/{n_seats}"
    drawn = "draw 1/2" if n_seats == 2 else "shared wins in equal parts"
    first = Measure(
        "first_player_advantage",
        f"mean score of the player who {FIRST[game]} (win 1, {drawn}, loss 0) less {even}",
        first_points,
        scale=points_unit(n_seats),
        shift=-1 / n_seats,
        top=points_unit(n_seats),
    )
    return [first, *common_measures(n_seats, hands), *OWN[game](n_seats, rules)]


def match_measures(game: str, seatings, rules, hands: int = 1) -> list[Measure]:
    """What `match` estimates of its first strategy, A, against its second, B.

    Parameters
    ----------
    game : str
    seatings : sequence of sequences of int
        As in `sim.runner.Plan`; 0 is A, 1 is B.
    rules : RuleSet
    hands : int
    """
    sits = np.array(seatings)
    n_seats = sits.shape[1]

    def total_of(who, values_of):
        def of(table):
            mine = sits[table["seating"].to_numpy()] == who
            return (values_of(table) * mine).sum(axis=1)

        return of

    own_seats = int((sits[0] == 0).sum())
    other_seats = n_seats - own_seats
    drawn = "draw 1/2" if n_seats == 2 else "shared wins in equal parts"
    score = Measure(
        "score[A]",
        f"mean score of a player of strategy A over all seats (win 1, {drawn}, loss 0)",
        total_of(0, lambda t: points(t, n_seats)),
        scale=points_unit(n_seats) * own_seats,
        top=points_unit(n_seats),
    )
    name, column_name, what = MATCH_SCORES[game]
    both = [
        Measure(
            f"{name}[{letter}]",
            f"mean {what} of a player of strategy {letter}",
            total_of(who, lambda t: stack(t, column_name, n_seats)),
            scale=seats,
        )
        for who, letter, seats in ((0, "A", own_seats), (1, "B", other_seats))
    ]
    if game == "phalanx" and rules.stakes == "on":
        both += [
            Measure(
                f"chips[{letter}]",
                f"mean net chips of a player of strategy {letter}",
                total_of(who, lambda t: stack(t, "chips", n_seats)),
                scale=seats,
            )
            for who, letter, seats in ((0, "A", own_seats), (1, "B", other_seats))
        ]
    return [score, *both, *common_measures(n_seats, hands)]
