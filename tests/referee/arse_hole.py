"""A slow, plain referee of Arse Hole, written from the numbered rules A1-A19 alone.

Suits never matter in play (A2), so a hand is a list of values, `3 4 5 6 7 8 9 T J Q K A W`, low to
high, where W is any wild card. A player's number is a seat that never changes; ranks move.
"""

from collections import Counter

from sim.cards import RANK_NAMES, SUIT_NAMES

VALUES = "3456789TJQKAW"
WILD = "W"

DEFAULTS = {
    "decks": "auto",
    "min_cards": 20,
    "initial_ranks": "random",
    "first_exchange": "no",
    "exchange_order": "blind",
    "exchange_request": "best_only",
    "max_named": 1,
    "exchange_honesty": "enforced",
    "penalty_hands": 1,
    "follow_count": "same_or_more",
    "wild_discount": 1,
    "wild_as": "own_value",
    "wild_ends_round": "yes",
    "lead_after_out": "next_in_order",
    "hands": 50,
    "churn": 0,
    "_ranks": None,  # rank of each player in the first hand; None is 1, 2, ... in seat order
    "_churn": (),  # for each gap between hands, the player who is replaced, or None
}

CHOICES = {
    "initial_ranks": ("random", "draw"),
    "first_exchange": ("no", "yes"),
    "exchange_order": ("blind", "see_first"),
    "exchange_request": ("best_only", "by_request"),
    "exchange_honesty": ("enforced", "penalty"),
    "penalty_hands": (1, 2),
    "follow_count": ("same_or_more", "same"),
    "wild_discount": (1, 0),
    "wild_as": ("own_value", "any_value"),
    "wild_ends_round": ("yes", "no"),
    "lead_after_out": ("next_in_order", "lowest"),
}


def value_of(card):
    """A2: the value of a card; twos and jokers are the same."""
    return WILD if card[0] in "2*" else card[0]


def low_to_high(values):
    """A2: values in order, wild cards last."""
    return sorted(values, key=VALUES.index)


def full_deck(decks):
    """A1: all cards of some decks, two jokers in each."""
    one = [rank + suit for rank in RANK_NAMES for suit in SUIT_NAMES] + ["*1", "*2"]
    return one * decks


def decks_needed(rules, players):
    """A1: the number of decks; `auto` is the fewest that give everyone `min_cards`."""
    if rules["decks"] != "auto":
        return int(rules["decks"])
    decks = 1
    while 54 * decks // players < rules["min_cards"]:
        decks += 1
    return decks


def ranks_from_draw(cards):
    """A4 `draw`: the rank of each player from the cards drawn, in seat order.

    Jokers stand above twos, the joker drawn first above the other, and hearts above diamonds,
    clubs and spades.
    """

    def strength(player):
        card = cards[player]
        if card[0] == "*":
            return (len(VALUES), -player)
        return (VALUES.index(value_of(card)), "scdh".index(card[1]))

    order = sorted(range(len(cards)), key=strength, reverse=True)
    return [order.index(player) + 1 for player in range(len(cards))]


def exchange_pairs(players):
    """A6: (lower rank, higher rank, cards to swap) of each pair, from the middle outward."""
    upper_middle = players // 2
    lower_middle = (players + 1) // 2 + 1  # with an odd number one player stands between the two
    return [(lower_middle + step, upper_middle - step, step + 1) for step in range(upper_middle)]


class Referee:
    """One session. Lists are by player unless said otherwise.

    rules, players, decks: every option, how many players, how many decks
    ranks: rank of each, 1 the King; hands: the values each holds
    hand_number: the hand of the session, the first is 1
    partner, due: whom each swaps with (None: nobody), and how many cards
    to_request, to_give: queues of the players still to be asked in the exchange
    wanted, unwanted: the set of values each has named in a request
    giving, gave: values each has chosen but not yet passed on, and has passed on
    penalties: in how many coming hands each must be Arse Hole
    last: value and number of the cards last laid in the round, None for its leader
    last_layer: who laid them (None for the leader); passed: the set of those out of the round
    pile: all values laid in the hand; order_out: who ran out of cards, in order
    dealt: how many cards each was dealt; rank_before: the ranks when the hand began
    """

    def __init__(self, rules, players, deal):
        unknown = set(rules) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"no such options: {sorted(unknown)}")
        self.rules = {**DEFAULTS, **rules}
        for name, choices in CHOICES.items():
            if self.rules[name] not in choices:
                raise ValueError(f"{name} is one of {choices}, not {self.rules[name]!r}")
        if not 2 <= players <= 20:
            raise ValueError("2 to 20 can play")
        self.players = players
        self.decks = decks_needed(self.rules, players)
        self.ranks = list(self.rules["_ranks"] or range(1, players + 1))
        if sorted(self.ranks) != list(range(1, players + 1)):
            raise ValueError("_ranks must hold each rank once")
        self.penalties = [0] * players
        self.hand_results = []
        self.hand_number = 0
        self.over = False
        self._check_deck(deal)
        self._start_hand(deal)

    # The table

    def player_of(self, rank):
        """The player who holds a rank."""
        return self.ranks.index(rank)

    def upward_from(self, player):
        """A9: the other players in order of play: upward to the King, then from the Arse Hole."""
        order = []
        rank = self.ranks[player]
        for _ in range(self.players - 1):
            rank = rank - 1 if rank > 1 else self.players
            order.append(self.player_of(rank))
        return order

    def with_cards(self):
        """The players who hold cards."""
        return [player for player in range(self.players) if self.hands[player]]

    # A5: the deal

    def _check_deck(self, cards):
        """A1, A5: the whole deck is dealt. Values will do in place of card names."""
        names = full_deck(self.decks)
        values = [value_of(card) for card in names]
        if Counter(cards) not in (Counter(names), Counter(values)):
            raise ValueError(f"the deal is not {self.decks} whole decks")

    def _start_hand(self, deal):
        """A5: one card each, the Arse Hole first, then upward, round and round."""
        self.hand_number += 1
        arse_hole = self.player_of(self.players)
        order = [arse_hole] + self.upward_from(arse_hole)
        self.hands = [[] for _ in range(self.players)]
        for number, card in enumerate(deal):
            self.hands[order[number % self.players]].append(value_of(card))
        self.hands = [low_to_high(hand) for hand in self.hands]
        self.dealt = [len(hand) for hand in self.hands]
        self.pile = []
        self.order_out = []
        self.rank_before = list(self.ranks)
        # A4: the first hand may go without an exchange, all others have one.
        exchange = self.hand_number > 1 or self.rules["first_exchange"] == "yes"
        self.begin_exchange(exchange_pairs(self.players) if exchange else [])

    # A6-A8: the exchange

    def begin_exchange(self, pairs):
        """A6: settle who swaps how many, and the order in which the players are asked."""
        self.partner = [None] * self.players
        self.due = [0] * self.players
        self.to_request = []
        self.to_give = []
        self.wanted = [set() for _ in range(self.players)]
        self.unwanted = [set() for _ in range(self.players)]
        self.giving = [[] for _ in range(self.players)]
        self.gave = [[] for _ in range(self.players)]
        self.last = None
        self.last_layer = None
        self.passed = set()
        for lower_rank, higher_rank, number in pairs:
            lower, higher = self.player_of(lower_rank), self.player_of(higher_rank)
            number = min(number, len(self.hands[lower]), len(self.hands[higher]))
            if number == 0:
                continue
            self.partner[lower], self.partner[higher] = higher, lower
            self.due[lower] = self.due[higher] = number
            if self.rules["exchange_request"] == "by_request" and self.rules["max_named"] > 0:
                self.to_request.append(higher)
            self.to_give += [lower, higher]
        self._continue_exchange()

    def is_lower(self, player):
        """Whether a player is the lower of the own pair."""
        return self.ranks[player] > self.ranks[self.partner[player]]

    def cards_due(self, lower):
        """A7: what the lower of a pair owes, cards already chosen included.

        First the wanted values, best first where there are more than are due, then the best of
        the rest, with unwanted values only when nothing else is left.
        """
        higher = self.partner[lower]
        best_first = low_to_high(self.hands[lower] + self.giving[lower])[::-1]
        wanted = [value for value in best_first if value in self.wanted[higher]]
        unwanted = [value for value in best_first if value in self.unwanted[higher]]
        others = [value for value in best_first if value not in wanted + unwanted]
        return (wanted + others + unwanted)[: self.due[lower]]

    def _continue_exchange(self):
        """Ask the next player who has a choice; play begins when there is none."""
        if self.to_request:
            self.phase, self.seat = "request", self.to_request[0]
            return
        while self.to_give:
            giver = self.to_give[0]
            if not self.is_lower(giver) or self.rules["exchange_honesty"] == "penalty":
                self.phase, self.seat = "give", giver
                return
            # A7 leaves the lower of a pair no choice.
            for value in self.cards_due(giver):
                self._choose(giver, value)
            self._finish_giving(giver)
        for player in range(self.players):
            self._pass_on(player)
        self.begin_round(self.player_of(self.players))  # A9

    def _choose(self, giver, value):
        self.hands[giver].remove(value)
        self.giving[giver].append(value)

    def _finish_giving(self, giver):
        """A7, A8: judge what was chosen; it changes hands now only if the higher sees it first."""
        self.to_give.remove(giver)
        if self.is_lower(giver) and low_to_high(self.giving[giver]) != low_to_high(
            self.cards_due(giver)
        ):
            self.penalties[giver] = self.rules["penalty_hands"]
        if self.rules["exchange_order"] == "see_first":
            self._pass_on(giver)

    def _pass_on(self, giver):
        if self.giving[giver]:
            other = self.partner[giver]
            self.hands[other] = low_to_high(self.hands[other] + self.giving[giver])
            self.gave[giver] = low_to_high(self.giving[giver])
            self.giving[giver] = []

    def _request(self, move):
        """A7 `by_request`: name one more value, or be done."""
        if move != "no request":
            word, value = move.split()
            named = self.wanted if word == "want" else self.unwanted
            named[self.seat].add(value)
        count = len(self.wanted[self.seat]) + len(self.unwanted[self.seat])
        if move == "no request" or count == self.rules["max_named"]:
            self.to_request.pop(0)
        self._continue_exchange()

    def _give(self, value):
        """A7, A8: set one card aside for the partner."""
        self._choose(self.seat, value)
        if len(self.giving[self.seat]) == self.due[self.seat]:
            self._finish_giving(self.seat)
        self._continue_exchange()

    # A9-A13: rounds

    def begin_round(self, leader):
        """A10: everyone is in again and the leader may lay anything."""
        self.phase, self.seat = "play", leader
        self.last = None
        self.last_layer = None
        self.passed = set()

    def may_lay(self, value, number):
        """A10-A12: whether a set may be laid now; wild cards that stand for others are counted."""
        if self.last is None:
            return True
        last_value, last_number = self.last
        if last_value == WILD:
            # Reached only where wilds do not end the round.
            return value == WILD and number > last_number
        if VALUES.index(value) <= VALUES.index(last_value):
            return False
        fewest = last_number
        if value == WILD:
            fewest = max(1, last_number - self.rules["wild_discount"])
        if self.rules["follow_count"] == "same" and number > last_number:
            return False
        return number >= fewest

    def _lay(self, move):
        value, number, wilds = self.read_lay(move)
        for card in [value] * number + [WILD] * wilds:
            self.hands[self.seat].remove(card)
            self.pile.append(card)
        self.last = (value, number + wilds)
        self.last_layer = self.seat
        if not self.hands[self.seat]:
            self.order_out.append(self.seat)

    @staticmethod
    def read_lay(move):
        """The value, the cards of that value and the wilds added to them, of a move in notation."""
        value, numbers = move.split("x")
        number, _, wilds = numbers.partition("+")
        return value, int(number), int(wilds.rstrip(WILD) or 0)

    def _next_turn(self):
        """A13: on to the next player upward who is in and has cards, or the round is over."""
        if self.last[0] == WILD and self.rules["wild_ends_round"] == "yes":  # A12
            return self._end_round()
        for player in self.upward_from(self.seat):
            in_round = player not in self.passed and player != self.last_layer
            if in_round and self.hands[player]:
                self.seat = player
                return None
        return self._end_round()

    def _end_round(self):
        """A13: who laid last leads, or someone else if that player is out of cards."""
        leader = self.last_layer
        if not self.hands[leader]:
            if self.rules["lead_after_out"] == "next_in_order":
                leader = next(p for p in self.upward_from(leader) if self.hands[p])
            else:
                leader = max(self.with_cards(), key=lambda player: self.ranks[player])
        self.begin_round(leader)

    # A14, A15: between hands

    def _ends_hand(self, move):
        """A14: whether a move leaves only one player with cards."""
        if self.phase != "play" or move == "pass":
            return False
        _, number, wilds = self.read_lay(move)
        empties = number + wilds == len(self.hands[self.seat])
        return empties and len(self.with_cards()) == 2

    def _end_hand(self, deal):
        """A14, A8, A15: finishing order, penalised players down, one leaves, one joins."""
        order_out = self.order_out + self.with_cards()
        penalised = [player for player in order_out if self.penalties[player] > 0]
        order = [player for player in order_out if player not in penalised] + penalised
        for player in penalised:
            self.penalties[player] -= 1
        self._rank(order)
        self.hand_results.append(
            {
                "rank_before": self.rank_before,
                "rank_after": list(self.ranks),
                "order_out": order_out,
                "cards_dealt": self.dealt,
                "exchanged": self.gave,
            }
        )
        if self.hand_number == self.rules["hands"]:
            self.over = True
            self.seat = -1
            return
        gap = self.hand_number - 1
        leaver = self.rules["_churn"][gap] if gap < len(self.rules["_churn"]) else None
        if leaver is not None:
            # The newcomer takes the slot, without the leaver's penalty and below everyone.
            order.remove(leaver)
            order.append(leaver)
            self.penalties[leaver] = 0
            self._rank(order)
        self._start_hand(deal)

    def _rank(self, order):
        for rank, player in enumerate(order, start=1):
            self.ranks[player] = rank

    # The interface

    def legal(self):
        """Every move open to `seat`, in notation."""
        if self.over:
            return []
        if self.phase == "request":
            named = self.wanted[self.seat] | self.unwanted[self.seat]
            open_values = [value for value in VALUES if value not in named]
            words = [f"{word} {value}" for word in ("want", "unwant") for value in open_values]
            return words + ["no request"]
        held = Counter(self.hands[self.seat])
        if self.phase == "give":
            return [f"give {value}" for value in VALUES if held[value]]
        moves = []
        for value in VALUES:
            added = held[WILD] if value != WILD and self.rules["wild_as"] == "any_value" else 0
            for number in range(1, held[value] + 1):
                for wilds in range(added + 1):
                    if self.may_lay(value, number + wilds):
                        moves.append(f"{value}x{number}" + (f"+{wilds}W" if wilds else ""))
        if self.last is not None:  # A10: the leader must lay
            moves.append("pass")
        return moves

    def play(self, move, drawn=()):
        """Carry out a move; `drawn` is the next hand's deck if the move ends a hand, else empty."""
        if move not in self.legal():
            raise ValueError(f"{move!r} is not legal for player {self.seat}")
        ends_hand = self._ends_hand(move)
        if ends_hand and self.hand_number < self.rules["hands"]:
            self._check_deck(drawn)
        elif drawn:
            raise ValueError("no cards are dealt now")
        if self.phase == "request":
            self._request(move)
        elif self.phase == "give":
            self._give(move.split()[1])
        elif move == "pass":
            self.passed.add(self.seat)
            self._next_turn()
        else:
            self._lay(move)
            if ends_hand:
                self._end_hand(list(drawn))
            else:
                self._next_turn()

    def result(self):
        """Ranks by player, the King once the session is over, and what each hand did (A17)."""
        return {
            "scores": list(self.ranks),
            "winners": [self.player_of(1)] if self.over else [],
            "unfinished": not self.over,
            "hand_results": self.hand_results,
        }
