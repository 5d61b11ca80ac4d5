"""Which figures a page shows, each with its caption."""

from analysis.estimates import distribution
from reports import figures

OWN = {  # measures of single games worth a distribution: label, and a value to mark
    "final_count_difference": ("final count of seat 0 less seat 1, cards", 0),
    "rounds_per_game": ("rounds", None),
    "tied_zones_per_game": ("tied zones", None),
    "pot": ("pot, chips", None),
    "passes_per_game": ("passes", None),
}
SEAT_MEANS = {"score": "mean score", "chips": "mean net chips a hand", "rank_after": "mean rank"}


def seat_pictures(game: str, n_seats: int, found: dict) -> dict:
    """Win shares, and scores, chips or ranks by seat, of players who are all alike."""
    names = {
        "fart": ["moves first (seat 0)", "moves second (seat 1)"],
    }.get(game, [f"seat {seat}" for seat in range(n_seats)])
    shares = [found[f"win_share[{seat}]"] for seat in range(n_seats)]
    pictures = {
        "win_share": (
            figures.dots(
                [*shares, found["draw_share"]],
                [*names, "draw"],
                "share of all games, %, with 95 % interval",
                even=100 / n_seats,
                scale=100,
            ),
            "Win share by seat, and draws, with 95 % intervals; dashed: an even share.",
        )
    }
    for kind, label in SEAT_MEANS.items():
        first = 1 if kind == "rank_after" else 0
        places = range(first, n_seats + first)
        if f"{kind}[{first}]" not in found:
            continue
        rows = [found[f"{kind}[{place}]"] for place in places]
        labels = [f"rank {place} before" for place in places] if first else names
        definition = rows[0].definition
        pictures[kind] = (
            figures.dots(rows, labels, f"{label}, with 95 % interval"),
            f"{label[0].upper()}{label[1:]} by {'rank before the hand' if first else 'seat'}: "
            f"{definition.split(' of ')[0]}, with 95 % intervals.",
        )
    return pictures


def match_pictures(n_seats: int, found: dict, a: str, b: str) -> dict:
    """The score of one strategy, and what else tells the two apart."""
    pictures = {
        "score": (
            figures.dots(
                [found["score[A]"], found["draw_share"]],
                [a, "draw"],
                "score and share of draws, %, with 95 % interval",
                even=100 / n_seats,
                scale=100,
            ),
            f"The score of {a} against {b}, and the share of draws, with 95 % intervals; "
            "dashed: even.",
        )
    }
    for name, estimate in found.items():
        if name.endswith("[A]") and name != "score[A]":
            kind = name[:-3]
            pictures[kind] = (
                figures.dots(
                    [estimate, found[f"{kind}[B]"]],
                    [a, b],
                    f"{estimate.definition.split(' of a player')[0]}, with 95 % interval",
                ),
                f"The {estimate.definition.split(' of a player')[0]} of each strategy, with 95 % "
                "intervals.",
            )
    return pictures


def game_pictures(tally) -> dict:
    """How long games last, and the game's own distributions."""
    per_deal = (
        "" if tally.rows_per_deal == 1 else f", sum over a deal's {tally.rows_per_deal} hands"
    )
    pictures = {}
    for name, (label, centre) in OWN.items():
        if name in tally.counts and len(tally.counts[name]) > 1:
            pictures[name] = (
                figures.distribution(distribution(tally, name), label + per_deal, centre=centre),
                f"{label[0].upper()}{label[1:]}: how often each value came"
                + ("; dashed: even." if centre is not None else "."),
            )
    if "paid[0]" in tally.counts:
        pictures |= chip_pictures(tally, per_deal)
    pictures["game_length"] = (
        figures.distribution(distribution(tally, "turns_per_game"), f"turns a game{per_deal}"),
        "How long games last, in turns of all players.",
    )
    return pictures


def mobility_pictures(ranks, shares, found, seed: int, observed: bool) -> dict:
    """Arse Hole's ranks: who goes where, how soon the Arse Hole climbs, how ranks flow.

    Parameters
    ----------
    ranks : analysis.mobility.Ranks
    shares : pandas.DataFrame
        As of `analysis.mobility.transitions`.
    found : list of Estimate
    seed : int
    observed : bool
        Whether the first players of a session stay to its end, so that their climb can be shown.
    """
    from analysis.mobility import climb, flows
    from sim.games.arse_hole_rules import titles

    names, n = titles(ranks.n), ranks.n
    pictures = {}
    for i, group in enumerate(ranks.groups()):
        whose = "all players" if group == "all" else f"players of {group}"
        pictures["transition" + (f"_{i}" if i else "")] = (
            figures.heat_map(shares[shares["strategy"] == group], names),
            f"Where {whose} go from each rank in one hand: the chance, in per cent, of each rank "
            f"after it; if rank meant nothing every square would have {100 / n:.1f}.",
        )
    curve = climb(ranks, seed)
    if len(curve):
        seen = (
            "; dots: those who were Arse Hole at the start of a session (where the first hand has "
            "no exchange, of the second), with 95 % intervals"
        )
        pictures["climb"] = (
            figures.climb(curve, names, observed),
            f"The chance to have been {names[0]} after so many hands, starting as Arse Hole. "
            f"Lines: by the transition matrix, with 95 % bands{seen if observed else ''}. Grey, "
            "dashed: if rank meant nothing.",
        )
    if observed:
        pictures["flow"] = (
            figures.flow(flows(ranks), names),
            "The ranks over a session of who starts it as "
            f"{names[0]} and as Arse Hole (where the first "
            "hand has no exchange, starts the second): the share of sessions in which they have "
            "each rank after so many hands.",
        )
    if len(ranks.names) > 1:
        rows = [e for e in found if e.name.startswith("mean_rank[")]
        pictures["mean_rank"] = (
            figures.dots(
                rows, ranks.names, "mean rank (1: the highest), with 95 % interval", (n + 1) / 2
            ),
            "The mean rank of each strategy's players after a hand, with 95 % intervals; dashed: "
            "even.",
        )
    return pictures


def chip_pictures(tally, per_deal: str) -> dict:
    """How chips won and paid are spread, by seat."""
    seats = range(sum(name.startswith("paid[") for name in tally.counts))
    labels = [f"seat {seat}" for seat in seats]
    won, paid = (
        [distribution(tally, f"{kind}[{seat}]") for seat in seats] for kind in ("chips", "paid")
    )
    return {
        "chips_spread": (
            figures.ranges(won, labels, f"net chips{per_deal}"),
            "How a seat's net chips are spread: the line holds all but the worst and the best 5 %, "
            "the bar the middle half, the dot is the mean.",
        ),
        "payments": (
            figures.at_least(paid, labels, f"chips paid into the pot by a player{per_deal}"),
            "How often a player puts at least so much into the pot, by seat: antes, passes, fines "
            "and cards left.",
        ),
    }
