"""A slow referee of Fan Tan (Sevens with chips), written from the rule text alone.

Rule numbers (T1...) are those of the rules file. The state is plain and public, so that a test can
set up any position:

- ``hands``: the cards of each player, a list of sets; ``table``: the set of cards laid;
- ``foundation``: rank of the foundation cards, ``"7"``, or ``None`` until a 5 or a 9 has opened;
- ``paid_in``: chips each player has put into the pot of this hand (``pot`` is their sum);
- ``between``: net of the payments between players in this hand;
- ``passes``, ``wrong_passes``: by player (every wrong pass is counted as a pass too);
- ``turns``: moves of this hand; ``dealer``: the player who dealt it; ``net``: the chips won or
  lost in the hands that have ended; ``hand_results``: one dict for each of these;
- ``seat``: the player to move; ``phase``: always ``"play"``; ``over``: the session has ended.
"""

from functools import cache

from sim.cards import RANK_NAMES, SUIT_NAMES

DEFAULTS = {
    "ante": 1,
    "short_hand_chip": 1,
    "hands": 1,
    "first_dealer": "last_player",
    "pass_chip": 1,
    "enforcement": "forced",
    "max_turns": 1000,
    "wrong_pass_fine": 3,
    "seven_fine": 5,
    "seven_fine_to": "each",
    "opening": "position_0",
    "foundation": "seven",
    "ranks": 13,
    "suits": 4,
}

WORDS = {
    "first_dealer": ("last_player", "first_jack"),
    "enforcement": ("forced", "fined"),
    "seven_fine_to": ("each", "split"),
    "opening": ("position_0", "holder_7h"),
    "foundation": ("seven", "five_or_nine"),
}

LIMITS = {"hands": (1, None), "max_turns": (1, None), "ranks": (1, 13), "suits": (1, 4)}


@cache
def card_order(card: str) -> tuple[int, int]:
    """Sort key: by rank from the ace up, then by suit."""
    return RANK_NAMES.index(card[0]), SUIT_NAMES.index(card[1])


@cache
def neighbour(card: str, step: int) -> str | None:
    """The card `step` ranks above in the same suit; ``None`` beyond the ace or the king."""
    rank = RANK_NAMES.index(card[0]) + step
    return RANK_NAMES[rank] + card[1] if 0 <= rank < len(RANK_NAMES) else None


def full_deck(ranks: int = 13, suits: int = 4) -> list[str]:
    """The deck in card order; a small one keeps the ranks around the 7 and the first suits."""
    middle, reach = RANK_NAMES.index("7"), ranks // 2
    names = RANK_NAMES[middle - reach : middle + reach + 1]
    return [rank + suit for rank in names for suit in SUIT_NAMES[:suits]]


def first_jack_owner(order: list[str], players: int) -> int:
    """T4, `first_jack`: who gets the first jack when `order` is dealt face up from player 0."""
    return next(i for i, card in enumerate(order) if card[0] == "J") % players


class Referee:
    """One session of Fan Tan; see the top of the module for the state."""

    def __init__(self, rules: dict, players: int, deal: list[str]):
        self.rules = {**DEFAULTS, **rules}
        self.players = players
        self._check_rules()
        self.deck = full_deck(self.rules["ranks"], self.rules["suits"])
        self._check_table_size()
        self._check_deal(deal)
        self.phase = "play"
        self.over = False
        self.net = [0] * players
        self.hand_results: list[dict] = []
        # T4: by default the last player deals first, which makes player 0 position 0.
        first_jack = self.rules["first_dealer"] == "first_jack"
        self.dealer = self.rules["_dealer"] if first_jack else players - 1
        self._start_hand(deal)

    # Refusals

    def _check_rules(self) -> None:
        """Every option is known and has a value it can take."""
        for name, value in self.rules.items():
            if name.startswith("_"):
                continue
            if name not in DEFAULTS:
                raise ValueError(f"unknown option {name!r}")
            if name in WORDS:
                if value not in WORDS[name]:
                    raise ValueError(f"{name} is one of {WORDS[name]}, not {value!r}")
                continue
            least, most = LIMITS.get(name, (0, None))
            if not isinstance(value, int) or value < least or (most and value > most):
                raise ValueError(f"{name} cannot be {value!r}")
        if self.rules["ranks"] % 2 == 0:
            raise ValueError("ranks must be odd, to have as many below the 7 as above it")
        if not 2 <= self.players <= 13:
            raise ValueError("2 to 13 players")

    def _check_table_size(self) -> None:
        """The options have to fit the deck and the number of players."""
        if len(self.deck) < self.players:
            raise ValueError("every player must get a card")
        if self.rules["foundation"] == "five_or_nine":
            if self.rules["ranks"] < 5:
                raise ValueError("five_or_nine needs the ranks 5 to 9")
            if self.rules["opening"] == "holder_7h":
                raise ValueError("a 7 cannot open when the foundation is a 5 or a 9")
        if self.rules["opening"] == "holder_7h" and "7h" not in self.deck:
            raise ValueError("holder_7h needs the 7h in the deck")
        if self.rules["first_dealer"] == "first_jack":
            if not any(card[0] == "J" for card in self.deck):
                raise ValueError("first_jack needs jacks in the deck")
            if self.rules.get("_dealer") not in range(self.players):
                raise ValueError("first_jack needs the first dealer in rules['_dealer']")

    def _check_deal(self, deal: list[str]) -> None:
        """T2: the whole deck is dealt."""
        if sorted(deal) != sorted(self.deck):
            raise ValueError("the deal is not the whole deck, each card once")

    # Set-up

    def player_at(self, position: int) -> int:
        """T2: the player at a position; position 0 is at the dealer's left."""
        return (self.dealer + 1 + position) % self.players

    def _start_hand(self, deal: list[str]) -> None:
        """T1 to T3, T9a, T10: deal, ante, and find who starts."""
        n = self.players
        self.hands: list[set[str]] = [set() for _ in range(n)]
        for i, card in enumerate(deal):
            self.hands[self.player_at(i % n)].add(card)
        self.table: set[str] = set()
        self.foundation = "7" if self.rules["foundation"] == "seven" else None
        self.paid_in = [self.rules["ante"]] * n
        most = max(len(hand) for hand in self.hands)
        for player, hand in enumerate(self.hands):
            if len(hand) < most:
                self.paid_in[player] += self.rules["short_hand_chip"]
        self.between = [0] * n
        self.passes = [0] * n
        self.wrong_passes = [0] * n
        self.turns = 0
        self.seat = self.player_at(0)
        if self.rules["opening"] == "holder_7h":
            self.seat = self.holder("7h")

    # Questions about the position

    @property
    def pot(self) -> int:
        """All that was put into the pot of this hand."""
        return sum(self.paid_in)

    def holder(self, card: str | None) -> int | None:
        """Who has the card in hand; ``None`` if nobody has."""
        return next((p for p, hand in enumerate(self.hands) if card in hand), None)

    def is_playable(self, card: str) -> bool:
        """T5, T10: a foundation card, or a card next to one of its suit already on the table."""
        if self.foundation is None:
            return card[0] in "59"
        beside = (neighbour(card, -1), neighbour(card, +1))
        return card[0] == self.foundation or any(other in self.table for other in beside)

    def playable(self, player: int) -> list[str]:
        """The player's cards that could be laid now, in card order."""
        return sorted(filter(self.is_playable, self.hands[player]), key=card_order)

    def legal(self) -> list[str]:
        """T5, T6: the playable cards, and a pass where it is allowed."""
        if self.over:
            return []
        if self.rules["opening"] == "holder_7h" and not self.table:
            return ["7h"]  # T9a: this one card must be laid, whatever the enforcement
        cards = self.playable(self.seat)
        if not cards or self.rules["enforcement"] == "fined":
            return cards + ["pass"]
        return cards

    # Moves

    def play(self, move: str, drawn: list[str]) -> None:
        """Carry out a move; `drawn` is the deck of the next hand if the move ends one."""
        if move not in self.legal():
            raise ValueError(f"{move!r} is not legal for player {self.seat}")
        empties = move != "pass" and len(self.hands[self.seat]) == 1
        ends = empties or self.turns + 1 == self.rules["max_turns"]
        more = len(self.hand_results) + 1 < self.rules["hands"]
        if ends and more:
            self._check_deal(drawn)
        elif drawn:
            raise ValueError("no cards come to hands in this step")

        self.turns += 1
        if move == "pass":
            self._pass()
        else:
            self._lay(move)
        if not ends:
            self.seat = (self.seat + 1) % self.players
            return
        self._end_hand(self.seat if empties else None)
        if more:
            self.dealer = (self.dealer + 1) % self.players  # T4: the deal passes to the left
            self._start_hand(drawn)
        else:
            self.over = True

    def _lay(self, card: str) -> None:
        """T5; T10: the first card laid sets the foundation."""
        self.hands[self.seat].remove(card)
        self.table.add(card)
        if self.foundation is None:
            self.foundation = card[0]

    def _pass(self) -> None:
        """T6: the price of a pass, or T8's fines where a card could have been laid."""
        self.passes[self.seat] += 1
        if not self.playable(self.seat):
            self.paid_in[self.seat] += self.rules["pass_chip"]
            return
        self.wrong_passes[self.seat] += 1
        self.paid_in[self.seat] += self.rules["wrong_pass_fine"]
        # T10: no foundation fine before the value is set.
        for card in self.hands[self.seat]:
            if card[0] == self.foundation:
                self._pay_seven_fine(card)

    def _pay_seven_fine(self, card: str) -> None:
        """T8: the fine for a withheld foundation card, to the holders of its two neighbours.

        Nobody pays to oneself, and in a small deck a neighbour may not exist; in both cases that
        part of the fine is not due, and the other part stays as it is.
        """
        fine = self.rules["seven_fine"]
        below, above = fine, fine
        if self.rules["seven_fine_to"] == "split":
            below, above = fine - fine // 2, fine // 2  # the odd chip goes below: 3 and 2 of 5
        for step, chips in ((-1, below), (+1, above)):
            owner = self.holder(neighbour(card, step))
            if owner is not None:
                self.between[self.seat] -= chips
                self.between[owner] += chips

    def _end_hand(self, winner: int | None) -> None:
        """T7, or T6's refund when the hand was cut (no winner)."""
        cards_left = [len(hand) for hand in self.hands]
        chips = list(self.between)  # a refund leaves these only
        if winner is not None:
            for player in range(self.players):
                self.paid_in[player] += cards_left[player]
                chips[player] -= self.paid_in[player]
            chips[winner] += self.pot
        for player in range(self.players):
            self.net[player] += chips[player]
        self.hand_results.append(
            {
                "chips": chips,
                "winner": winner,
                "cards_left": cards_left,
                "passes": list(self.passes),
                "wrong_passes": list(self.wrong_passes),
                "pot": self.pot,
                "turns": self.turns,
            }
        )

    def result(self) -> dict:
        """T11: net chips of the hands that have ended, and the winner of the last hand."""
        winner = self.hand_results[-1]["winner"] if self.over else None
        return {
            "scores": list(self.net),
            "winners": [] if winner is None else [winner],
            "unfinished": winner is None,
            "hand_results": list(self.hand_results),
        }
