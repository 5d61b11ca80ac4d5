"""The options of Arse Hole, its script of joins and leaves, and the names of its ranks."""

import dataclasses
import re

import numpy as np

from sim.errors import UsageError
from sim.game import RuleSet, option

MAX_DECKS = 15  # gives 20 players the 40 cards each that are the most anybody can handle


MAX_EVENTS = 512  # joins and leaves of a script
MAX_HANDS = 1000
EVENT = re.compile(r"([+-])([0-9]{1,2})@([1-9][0-9]{0,2})")


class Scripts(tuple):
    """What the option `script` allows: ``none``, or events such as ``-2@3 +6@3``."""

    def __contains__(self, value) -> bool:
        words = value.split(" ") if isinstance(value, str) else [""]
        return value == "none" or all(EVENT.fullmatch(word) for word in words)

    def index(self, value) -> int:
        """0 for no script, 1 for any other."""
        return int(value != "none")


@dataclasses.dataclass(frozen=True)
class Rules(RuleSet):
    """The options of Arse Hole; each names its rule."""

    decks: str = option(
        "auto",
        ("auto", *(str(n) for n in range(1, MAX_DECKS + 1))),
        "A1",
        "decks of 54: the fewest that give everyone min_cards, or so many",
    )
    min_cards: int = option(20, range(1, 41), "A1", "cards for everyone that decks auto provides")
    initial_ranks: str = option(
        "random", ("random", "draw"), "A4", "how the first ranks come about"
    )
    first_exchange: str = option(
        "no", ("no", "yes"), "A4", "whether the first hand has an exchange"
    )
    exchange_order: str = option(
        "blind",
        ("blind", "see_first"),
        "A7",
        "whether the higher of a pair sees what it receives before it chooses",
    )
    exchange_request: str = option(
        "best_only",
        ("best_only", "by_request"),
        "A7",
        "whether the higher of a pair may name values that it wants or does not want",
    )
    max_named: int = option(1, range(1, 14), "A7", "values that a request may name")
    exchange_honesty: str = option(
        "enforced",
        ("enforced", "penalty"),
        "A8",
        "whether the lower of a pair gives what is due, or chooses and is punished if wrong",
    )
    penalty_hands: int = option(
        1, range(1, 3), "A8", "hands that a player who gave wrongly is Arse Hole"
    )
    follow_count: str = option(
        "same_or_more",
        ("same_or_more", "same"),
        "A10",
        "whether a set may be followed by a larger one",
    )
    wild_discount: int = option(
        1, range(0, 2), "A11", "how many fewer wilds than cards may follow a set"
    )
    wild_as: str = option(
        "own_value",
        ("own_value", "any_value"),
        "A11",
        "whether wilds may also stand for natural cards beside one of that value",
    )
    wild_ends_round: str = option(
        "yes", ("yes", "no"), "A12", "whether wilds end the round, or more wilds may follow them"
    )
    lead_after_out: str = option(
        "next_in_order",
        ("next_in_order", "lowest"),
        "A13",
        "who leads when the winner of a round is out of cards",
    )
    hands: int = option(50, range(1, MAX_HANDS + 1), "A15", "hands of a session")
    churn: int = option(
        0,
        range(0, 101),
        "A15",
        "chance in per cent, between hands, that a player leaves and a new one joins",
    )

    script: str = option(
        "none",
        Scripts(("none", "-0@1 +0@2")),
        "A15",
        "who leaves (-) and joins (+) before which hand: seat 2 before hand 3 is -2@3",
    )

    def __post_init__(self):
        if type(self.decks) is int:
            object.__setattr__(self, "decks", str(self.decks))
        if isinstance(self.script, (list, tuple)):
            object.__setattr__(self, "script", " ".join(self.script) or "none")
        super().__post_init__()

    def check(self) -> None:
        """Refuse a script that is too long, or not in the order of its hands (A15)."""
        events = self.events()
        if len(events) > MAX_EVENTS:
            raise UsageError(f"script (A15) has {len(events)} events; at most {MAX_EVENTS} fit")
        if events != sorted(events, key=lambda event: (event[0], event[2])):
            raise UsageError(
                "script (A15) must name its hands in rising order, and those who leave before a "
                "hand ahead of those who join"
            )

    def events(self) -> list[tuple[int, int, bool]]:
        """The script (A15): before which hand, which seat, and whether it joins or leaves."""
        found = EVENT.findall(self.script)
        return [(int(hand), int(seat), sign == "+") for sign, seat, hand in found]

    def seated(self, players: int) -> set[int]:
        """The seats that are at the table from the first hand: all but those that join first."""
        first = {}
        for _, seat, joins in self.events():
            first.setdefault(seat, joins)
        return {seat for seat in range(players) if not first.get(seat, False)}

    def as_dict(self) -> dict[str, object]:
        """Every option with its value, the number of decks as a number."""
        values = super().as_dict()
        if self.decks != "auto":
            values["decks"] = int(self.decks)
        return values

    @classmethod
    def dtype(cls) -> np.dtype:
        """The record of these rules for kernels, with the script's events."""
        return np.dtype(
            super().dtype().descr + [("n_events", np.int64), ("events", np.uint16, MAX_EVENTS)]
        )

    def lower(self) -> np.record:
        """The rules as numbers; an event is ``hand << 6 | seat << 1 | joins``."""
        record = super().lower()
        events = self.events()
        record.n_events = len(events)
        for i, (hand, seat, joins) in enumerate(events):
            record.events[i] = hand << 6 | seat << 1 | joins
        return record


def check_table(rules: Rules, players: int) -> None:
    """Refuse a script that these seats cannot play (A15).

    Raises
    ------
    UsageError
        With the hand and the seat that do not fit.
    """
    at_table = rules.seated(players)
    hand = 0
    for when, seat, joins in [*rules.events(), (MAX_HANDS, -1, False)]:
        if when > hand and len(at_table) < 2:
            raise UsageError(f"script (A15) leaves {len(at_table)} at the table in hand {hand}")
        hand = when
        if seat < 0:
            continue
        event = f"{'+' if joins else '-'}{seat}@{when}"
        if seat >= players:
            raise UsageError(f"script (A15): {event}, but the seats are 0 to {players - 1}")
        if joins == (seat in at_table):
            where = "already" if joins else "not"
            raise UsageError(f"script (A15): {event}, but seat {seat} is {where} at the table")
        if joins:
            at_table.add(seat)
        else:
            at_table.remove(seat)


TITLES = (
    "King", "President", "Queen", "Vice President", "Prime Minister", "Deputy Prime Minister",
    "Treasurer", "General", "Squat", "Scum", "Lower Scum",
)  # fmt: skip
TOP_TITLES = ("God", "God's right hand")
LOW_TITLES = ("Deputy Arse Hole", "Arse Hole")


def titles(players: int) -> list[str]:
    """The names of the ranks from the top down (A3)."""
    top = list(TITLES if players < 14 else TOP_TITLES + TITLES)
    low = list(LOW_TITLES[-1:] if players < 4 else LOW_TITLES)
    middle = players - len(low)
    return [*(top + [f"rank {rank}" for rank in range(len(top) + 1, players)])[:middle], *low]
