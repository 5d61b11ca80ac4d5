"""The options of Phalanx; numbers such as P13 are the numbered rules in docs/rules/phalanx.md."""

import dataclasses

from sim.errors import UsageError
from sim.game import RuleSet, option


@dataclasses.dataclass(frozen=True, init=False)
class Rules(RuleSet):
    """The options of Phalanx; each names its rule.

    One of them is called ``raise``, a word of Python: here it is the field `raise_`, to all others,
    in `options`, `parse`, `as_dict` and as a keyword, it is ``raise``.
    """

    hand_size: int = option(7, range(2, 27), "P1", "cards that each player takes in hand")
    opening: str = option(
        "every_round", ("every_round", "first_round"), "P2", "which rounds an opening card starts"
    )
    lead_by: str = option("value", ("value", "rank"), "P3", "what makes an opening card senior")
    ace: str = option("1", ("1", "4", "10", "match"), "P6", "what an ace is worth")
    jack_on_doubled: str = option(
        "multiplies",
        ("multiplies", "no_effect"),
        "P8",
        "what a jack does to a card that its suit has doubled",
    )
    queen_scope: str = option(
        "both_sides",
        ("both_sides", "own_side", "other_side"),
        "P9",
        "whose cards a queen turns down",
    )
    queen_timing: str = option(
        "when_laid",
        ("when_laid", "whole_round"),
        "P9",
        "whether cards laid after a queen on the sides that she reached lie face down too",
    )
    king_target: str = option(
        "any", ("any", "other_side"), "P10", "whose cards a king may turn down"
    )
    king_optional: str = option("no", ("no", "yes"), "P10", "whether a king may turn down nothing")
    king_reach: str = option(
        "zone", ("zone", "table"), "P10", "whether a king reaches the other zones too"
    )
    tie: str = option(
        "return", ("return", "void", "swap"), "P13", "where the cards of a tied zone go"
    )
    end_rule: str = option(
        "most_cards", ("most_cards", "cannot_draw_loses"), "P14", "who wins at the end"
    )
    max_rounds: int = option(
        1000, range(1, 100_001), "P14", "rounds after which a game is cut and called unfinished"
    )
    three_players: str = option(
        "all_zones",
        ("all_zones", "pairwise", "one_zone"),
        "P15",
        "who lays in which zones where three play",
    )
    stakes: str = option("off", ("off", "on"), "P16", "whether the zones are played for chips")
    ante: int = option(1, range(1, 1001), "P16", "chips a player puts on each zone before a round")
    raise_: int = option(1, range(1, 1001), "P17", "chips of one raise")
    max_raises: int = option(3, range(0, 101), "P17", "raises a zone and round, of all together")
    raise_reply: str = option(
        "may_fold", ("may_fold", "must_call"), "P17", "whether a raise may be answered by folding"
    )
    memory: str = option(
        "perfect", ("perfect", "round"), "P19", "whether players remember where seen cards went"
    )
    ranks: int = option(
        13, range(4, 14), "small decks", "ranks kept: J Q K and the lowest from the ace"
    )
    suits: int = option(
        4, range(1, 5), "small decks", "suits kept: spades, hearts, diamonds, clubs"
    )

    def __init__(self, **settings):
        if "raise" in settings:
            settings["raise_"] = settings.pop("raise")
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, settings.pop(field.name, field.default))
        if settings:
            raise TypeError(f"phalanx has no options {', '.join(settings)}")
        self.__post_init__()

    def __getattr__(self, name):
        if name == "raise":
            return self.raise_
        raise AttributeError(name)

    @classmethod
    def options(cls) -> dict[str, dataclasses.Field]:
        """The fields by the names that users write."""
        return {name.rstrip("_"): field for name, field in super().options().items()}

    def as_dict(self) -> dict[str, object]:
        """Every option with its value."""
        return {name: getattr(self, name) for name in self.options()}

    def check(self) -> None:
        """Refuse a deal that not even two players can be given a hand from (P1)."""
        check_table(self, 2)


def check_table(rules: Rules, players: int) -> None:
    """Refuse a deal too small for the first round of so many players (P1, P14).

    Raises
    ------
    UsageError
    """
    deck = rules.ranks * rules.suits
    if deck // players < rules.hand_size:
        raise UsageError(
            f"hand_size {rules.hand_size} takes {players * rules.hand_size} cards for {players} "
            f"players, but a deck of {rules.ranks} ranks x {rules.suits} suits has {deck} (P1)"
        )
