"""A slow, plain referee of the card game Fart, written from the rule text alone.

The numbers F1, F2... are those of the rules file. Cards are two characters (`7h`), hands are sets,
decks and discards are lists. Nothing here is shared with the engine but the names of the cards.
"""

from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from sim.cards import RANK_NAMES, SUIT_NAMES

CHOICES = {
    "four_of_a_kind": ("two", "all"),
    "immediate_pairs": ("on", "off"),
    "discard_move_counts": ("no", "yes"),
    "empty_by_end_pair": ("next_turn", "at_once"),
    "stand_alone": ("if_no_legal_pile", "always_allowed"),
    "special_reach": ("both_banks", "own_bank"),
    "special_rides": ("passenger", "closes"),
    "special_take": ("optional", "forced"),
    "special_from_discard": ("pushes_any", "ordinary"),
    "tie": ("draw",),
    "discard_memory": ("full", "top_only"),  # what strategies may know; no move depends on it
}
NUMBERS = {"hand_size": 7, "refill": 5, "discard_moves": 1, "ranks": 13, "suits": 4}
DEFAULTS = {**NUMBERS, **{name: values[0] for name, values in CHOICES.items()}}

HIGH_ACE = len(RANK_NAMES)  # the place in a run just above the king


def in_order(cards) -> list[str]:
    """Cards by rank from the ace up, then by suit."""
    return sorted(cards, key=lambda card: (RANK_NAMES.index(card[0]), SUIT_NAMES.index(card[1])))


def run_cards(suit: str, low: int, high: int) -> list[str]:
    """The cards of a run, from place `low` to place `high` (ace 0, two 1... king 12, ace 13)."""
    return [RANK_NAMES[place % HIGH_ACE] + suit for place in range(low, high + 1)]


@dataclass
class Pile:
    """A pile of a bank: either of one rank, or a run of one suit (then it has no rank, F16).

    Passengers are in `cards` but change neither rank nor run (F17), so these are kept apart.
    """

    cards: list[str]
    rank: str = ""  # of a rank pile
    suit: str = ""  # of a run, with the places of its ends
    low: int = 0
    high: int = 0
    closed: bool = False  # F17 `closes`: only a special can still be added

    @classmethod
    def of_rank(cls, cards) -> "Pile":
        """A pile of one card or of several of one rank."""
        return cls(in_order(cards), rank=cards[0][0])

    @classmethod
    def of_run(cls, suit: str, low: int, high: int) -> "Pile":
        """A run laid from the hand."""
        return cls(run_cards(suit, low, high), suit=suit, low=low, high=high)

    @property
    def name(self) -> str:
        """The notation of the pile: its cards in card order."""
        return "".join(in_order(self.cards))

    @property
    def ends(self) -> tuple[str, str]:
        """F15, F16: the cards next below and next above a run; there is none beyond an ace."""
        below = RANK_NAMES[self.low - 1] + self.suit if self.low > 0 else ""
        above = RANK_NAMES[(self.high + 1) % HIGH_ACE] + self.suit if self.high < HIGH_ACE else ""
        return below, above

    def matches(self, card: str) -> bool:
        """F15: of the pile's rank, or next to an end of the run and of its suit."""
        return card[0] == self.rank if self.rank else card in self.ends


class Referee:
    """One game. The whole position is in these attributes, which tests may set.

    hands : list of two sets; discards : list of two lists, top card last
    banks : list of two lists of `Pile`; deck : list, next card to be drawn first
    seat : whose choice it is, which is always the player whose turn it is but for opening pairs
    phase : `pair` (which two go down) or `play`; over : the game has ended
    stage : what the pairs belong to, so where to go on after them: `opening`, `start` (any moment
        of a turn before its end), `end` (the end draw), `extra` (the draw after it, F9 `at_once`)
    due : ranks still to be looked at for immediate pairs, low first
    drew, played, moved : in this turn, was it opened by a draw, cards played, discard moves
    turns : turns played; turns_left : turns after the present one, None while there is a deck
    drawn : the cards drawn in the latest step
    """

    def __init__(self, rules: dict, players: int, deal: list[str]):
        """F1 and F5: deal in turn, then lay the opening pairs."""
        self.rules = {**DEFAULTS, **rules}
        for name, value in self.rules.items():
            if name not in DEFAULTS or value not in CHOICES.get(name, (value,)):
                raise ValueError(f"no such option: {name} = {value!r}")
        if players != 2:
            raise ValueError("Fart is a game for two")
        ranks = RANK_NAMES[: self.rules["ranks"]]
        whole = [rank + suit for rank in ranks for suit in SUIT_NAMES[: self.rules["suits"]]]
        if in_order(deal) != whole:
            raise ValueError("the deal is not the whole deck")
        dealt = 2 * self.rules["hand_size"]
        if dealt > len(deal):
            raise ValueError("too few cards for two hands")
        self.specials = {rank + SUIT_NAMES[0] for rank in ranks[-3:]}
        self.hands = [set(deal[0:dealt:2]), set(deal[1:dealt:2])]
        self.deck = list(deal[dealt:])
        self.banks, self.discards, self.drawn = [[], []], [[], []], []
        self.over, self.turns, self.turns_left = False, 0, None if self.deck else 1
        self.drew, self.played, self.moved = False, 0, 0
        self.seat, self.phase, self.stage, self.due = 0, "play", "opening", []
        self._lay_pairs(self.hands[0])

    # The interface

    def legal(self) -> list[str]:
        """Every move there is now."""
        return list(self._moves())

    def play(self, move: str, drawn: list[str]) -> None:
        """Make a move; `drawn` must be what it draws from the deck. A refusal changes nothing."""
        moves = self._moves()
        if move not in moves:
            raise ValueError(f"not legal: {move!r}")
        before = deepcopy(vars(self))
        self.drawn = []
        moves[move]()
        if self.drawn != list(drawn):
            told = f"{move!r} draws {self.drawn}, not {list(drawn)}"
            vars(self).update(before)
            raise ValueError(told)

    def result(self) -> dict:
        """F20: the count of cards by seat; the fewest win, equal counts are a draw."""
        scores = []
        for hand, discard, bank in zip(self.hands, self.discards, self.banks, strict=True):
            scores.append(len(hand) + len(discard) + sum(len(pile.cards) for pile in bank))
        return {
            "scores": scores,
            "winners": [seat for seat in (0, 1) if scores[seat] == min(scores)],
            "unfinished": not self.over,
            "turns": self.turns,
        }

    # Drawing and immediate pairs

    def _draw(self, count: int) -> None:
        """F11: draw as many as there are; F19: see whether the deck ran out; F10: lay pairs."""
        cards = self.deck[:count]
        del self.deck[:count]
        self.hands[self.seat].update(cards)
        self.drawn += cards
        if cards and not self.deck:
            self.turns_left = 1 if self.stage == "start" else 2
        self._lay_pairs(cards)

    def _lay_pairs(self, cards) -> None:
        """F2, F3, F10: lay pairs of these cards' ranks, low rank first; F5: if it is the rule."""
        ranks = sorted({card[0] for card in cards}, key=RANK_NAMES.index)
        self.due = ranks if self.rules["immediate_pairs"] == "on" else []
        self._settle_pairs()

    def _held(self) -> list[str]:
        """The cards in hand of the rank that is looked at for pairs."""
        return in_order(card for card in self.hands[self.seat] if card[0] == self.due[0])

    def _settle_pairs(self) -> None:
        """F2-F4: lay what leaves no choice; stop and ask where there is one."""
        while self.due:
            held = self._held()
            if len(held) == 4 and self.rules["four_of_a_kind"] == "all":
                self._lay(held[:2])
                self._lay(held[2:])
            elif len(held) == 2:
                self._lay(held)
            elif len(held) > 2:
                self.phase = "pair"
                return
            self.due.pop(0)
        self._after_pairs()

    def _lay(self, cards) -> None:
        """F2: a pair goes to the owner's bank as a new pile."""
        self.hands[self.seat] -= set(cards)
        self.banks[self.seat].append(Pile.of_rank(cards))

    def _choose_pair(self, *cards: str) -> None:
        """F3, F4: the owner's choice; what is left of that rank stays in hand."""
        self._lay(cards)
        self.due.pop(0)
        self._settle_pairs()

    def _after_pairs(self) -> None:
        """Go on with what the pairs had interrupted."""
        at_once = self.rules["empty_by_end_pair"] == "at_once"
        if self.stage == "opening":  # F5: seat 1 after seat 0, then the first turn
            self.seat = 1 - self.seat
            if self.seat == 1:
                self._lay_pairs(self.hands[1])
            else:
                self._begin_turn()
        elif self.stage == "start":
            self.phase = "play"
        elif self.stage == "end" and not self.hands[self.seat] and at_once:
            # F9; the stage sees to it that this happens once only
            self.stage = "extra"
            self._draw(self.rules["refill"])
        else:
            self._next_turn()

    # The course of turns

    def _begin_turn(self) -> None:
        """F6: an empty hand is refilled first."""
        self.stage, self.phase = "start", "play"
        self.drew, self.played, self.moved = False, 0, 0
        if not self.hands[self.seat]:
            self._opening_draw(self.rules["refill"])

    def _opening_draw(self, count: int) -> None:
        """F6: the draw that a turn starts with; there is no end draw of one then (F9)."""
        self.drew = True
        self._draw(count)

    def _end_turn(self) -> None:
        """F9: the end draw."""
        self.stage = "end"
        one = 0 if self.drew else 1
        self._draw(one if self.hands[self.seat] else self.rules["refill"])

    def _next_turn(self) -> None:
        """F19: the other player's turn, unless that was the last."""
        self.turns += 1
        if self.turns_left == 0:
            self.over = True
            return
        if self.turns_left is not None:
            self.turns_left -= 1
        self.seat = 1 - self.seat
        self._begin_turn()

    # What there is to choose from: notation -> what to do

    def _moves(self) -> dict:
        """Every legal move of the phase."""
        if self.over:
            return {}
        if self.phase == "pair":
            pairs = combinations(self._held(), 2)
            return {f"pair {a} {b}": partial(self._choose_pair, a, b) for a, b in pairs}
        moves = {}
        if self.deck and not (self.drew or self.played or self.moved):
            moves["draw"] = partial(self._opening_draw, 1)
        for card in in_order(self.hands[self.seat]):
            moves.update(self._discard_choices(card))
            moves.update(self._bank_choices("bank", card, True))
            moves.update(self._give_choices(card))
        moves.update(self._run_choices())
        own = self.discards[self.seat]
        if own and self.moved < self.rules["discard_moves"]:  # F18
            rides = self.rules["special_from_discard"] == "pushes_any"
            moves.update(self._bank_choices("move", own[-1], rides))
        counted = self.played or (self.moved and self.rules["discard_move_counts"] == "yes")
        if counted or not self.hands[self.seat]:  # F7, F8; F11: waived with nothing to play
            moves["end"] = self._end_turn
        return moves

    def _legal_piles(self, card: str, seat: int, rides: bool) -> list[Pile]:
        """F15 and F17: the piles of a bank to which a card may go; `rides` says whether a special
        has its first property here. A closed pile shuts out all cards but the specials."""
        special = card in self.specials
        if special and rides:
            return list(self.banks[seat])
        piles = [pile for pile in self.banks[seat] if pile.matches(card)]
        return [pile for pile in piles if special or not pile.closed]

    def _discard_choices(self, card: str) -> dict:
        """F12, F17a: discard, a special also with taking if the opponent's discard has a card."""
        moves = {}
        others = self.discards[1 - self.seat]
        can_take = card in self.specials and others
        if not (can_take and self.rules["special_take"] == "forced"):
            moves[f"discard {card}"] = partial(self._discard, card, False)
        if can_take:
            moves[f"discard {card} take {others[-1]}"] = partial(self._discard, card, True)
        return moves

    def _bank_choices(self, word: str, card: str, rides: bool) -> dict:
        """F13, F18: onto a legal pile of the own bank, or alone where that is allowed."""
        piles = self._legal_piles(card, self.seat, rides)
        action = partial(self._bank, word, card)
        moves = {f"{word} {card} on {pile.name}": partial(action, pile) for pile in piles}
        if not piles or self.rules["stand_alone"] == "always_allowed":
            moves[f"{word} {card}"] = partial(action, None)
        return moves

    def _give_choices(self, card: str) -> dict:
        """F14: onto a legal pile of the opponent's bank."""
        rides = self.rules["special_reach"] == "both_banks"
        piles = self._legal_piles(card, 1 - self.seat, rides)
        return {f"give {card} on {pile.name}": partial(self._give, card, pile) for pile in piles}

    def _run_choices(self) -> dict:
        """F16: three or more consecutive cards of a suit, all in hand, each of them once."""
        moves = {}
        hand = self.hands[self.seat]
        for suit in SUIT_NAMES:
            held = [
                place for place in range(HIGH_ACE + 1) if run_cards(suit, place, place)[0] in hand
            ]
            for low, high in combinations(held, 2):
                cards = run_cards(suit, low, high)
                if 3 <= len(cards) <= HIGH_ACE and hand.issuperset(cards):
                    moves[f"run {cards[0]}-{cards[-1]}"] = partial(self._run, suit, low, high)
        return moves

    # What the moves do

    def _discard(self, card: str, take: bool) -> None:
        """F12, F17a: a taken card is not drawn, so it sets off no pairs (F10)."""
        self._leave_hand(card)
        self.discards[self.seat].append(card)
        if take:
            self.hands[self.seat].add(self.discards[1 - self.seat].pop())

    def _bank(self, word: str, card: str, pile: Pile | None) -> None:
        """F13, F18: a card to the own bank, there a new pile or on one that is then pushed."""
        if word == "bank":
            self._leave_hand(card)
        else:
            self.discards[self.seat].pop()
            self.moved += 1
        if pile is None:
            self.banks[self.seat].append(Pile.of_rank([card]))
            return
        self._add(card, pile)
        self.banks[self.seat].remove(pile)
        self.banks[1 - self.seat].append(pile)

    def _give(self, card: str, pile: Pile) -> None:
        """F14: play a card to the opponent's bank, where the pile stays."""
        self._leave_hand(card)
        self._add(card, pile)

    def _run(self, suit: str, low: int, high: int) -> None:
        """F16: lay a run; every card of it is a played one."""
        for card in run_cards(suit, low, high):
            self._leave_hand(card)
        self.banks[self.seat].append(Pile.of_run(suit, low, high))

    def _leave_hand(self, card: str) -> None:
        """F7: what leaves the hand for the table is played."""
        self.hands[self.seat].remove(card)
        self.played += 1

    def _add(self, card: str, pile: Pile) -> None:
        """F15, F17: a card that matches lengthens the pile; a special that does not, rides."""
        if not pile.matches(card):
            pile.closed = pile.closed or self.rules["special_rides"] == "closes"
        elif pile.suit and card == pile.ends[0]:
            pile.low -= 1
        elif pile.suit:
            pile.high += 1
        pile.cards.append(card)
