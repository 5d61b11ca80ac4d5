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
        "fan_tan": [f"position {seat}" for seat in range(n_seats)],
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
    pictures["game_length"] = (
        figures.distribution(distribution(tally, "turns_per_game"), f"turns a game{per_deal}"),
        "How long games last, in turns of all players.",
    )
    return pictures
