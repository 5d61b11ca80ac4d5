"""A slow referee of Phalanx, written from the numbered rules (P1 ... P19) and nothing else.

State, all public, so that a test can set up any position ("by seat" is a list over the seats):

hands : sets of cards, by seat
reserves : lists of cards, by seat, top first
ordered : by seat, whether the reserve still has the order of the deal; once it has been shuffled
    nobody knows its order, so only its cards can be checked
table : dict (zone, seat) -> cards on that seat's side of the zone, first laid first
face_down : set of the cards on the table that lie face down
closed : set of sides (zone, seat) where a queen of this round turns later cards down (P9)
void, out : cards that left the game by a tie (P13), cards that could not be dealt evenly (P1)
chosen : dict seat -> (card, zone), the opening cards, hidden until all have chosen
leader : seat that leads this round (None before the first opening is turned up)
waiting : seats still to be asked in this phase, after `seat`
raised, replies : (raiser, zone), and the seats still to answer after `seat`
chips : net chips by seat; a chip on a zone is gone from its owner until it comes back
pots : dict zone -> chips there by the seat that put them, carried ones too
raises, folded : dicts zone -> number of raises, set of seats that folded, both of this round
rounds, zone_wins : rounds finished; zones won so far, by seat
known_owner : dict card -> seat, cards once seen and whose reserve they went to (P19), None for a
    void card; stays empty with memory=round
"""

import copy
import itertools

from sim.cards import RANK_NAMES, SUIT_NAMES

ZONES = ("L", "M", "R")
COURT = "JQK"
# P3: from low to high.
SENIOR_RANKS = "23456789TJQKA"
SENIOR_SUITS = "hcds"

CHOICES = {
    "opening": ("every_round", "first_round"),
    "lead_by": ("value", "rank"),
    "ace": ("1", "4", "10", "match"),
    "jack_on_doubled": ("multiplies", "no_effect"),
    "queen_scope": ("both_sides", "own_side", "other_side"),
    "queen_timing": ("when_laid", "whole_round"),
    "king_target": ("any", "other_side"),
    "king_optional": ("no", "yes"),
    "king_reach": ("zone", "table"),
    "tie": ("return", "void", "swap"),
    "end_rule": ("most_cards", "cannot_draw_loses"),
    "three_players": ("all_zones", "pairwise", "one_zone"),
    "stakes": ("off", "on"),
    "raise_reply": ("may_fold", "must_call"),
    "memory": ("perfect", "round"),
}
NUMBERS = {"hand_size": 7, "max_rounds": 1000, "ante": 1, "raise": 1, "max_raises": 3}
DEFAULTS = {option: values[0] for option, values in CHOICES.items()}
DEFAULTS |= NUMBERS | {"ranks": 13, "suits": 4}


def complete_rules(rules: dict) -> dict:
    """The rules with every option that was left out at its default; an ace of 4 is ace "4"."""
    full = {**DEFAULTS, **rules}
    full["ace"] = str(full["ace"])
    for option, values in CHOICES.items():
        if full[option] not in values:
            raise ValueError(f"{option} is {full[option]!r}, not one of {values}")
    if full["hand_size"] < 2:
        raise ValueError("hand_size must be at least 2")
    return full


def full_deck(rules: dict) -> list[str]:
    """The deck in card order: J Q K and the lowest of A 2 ... 10, suits spades first."""
    rules = complete_rules(rules)
    numbers = RANK_NAMES.replace(COURT, "")
    ranks = numbers[: rules["ranks"] - len(COURT)] + COURT
    return [rank + suit for rank in ranks for suit in SUIT_NAMES[: rules["suits"]]]


def card_order(card: str) -> tuple:
    """Sorting key: rank from the ace up, then suit."""
    return RANK_NAMES.index(card[0]), SUIT_NAMES.index(card[1])


def card_value(card: str, side: list[str], rules: dict) -> int:
    """What a card counts among the face-up cards of its side, before any doubling (P6)."""
    if card[0] in COURT:
        return 0
    if card[0] != "A":
        return RANK_NAMES.index(card[0]) + 1
    ace = complete_rules(rules)["ace"]
    if ace != "match":
        return int(ace)
    partners = [other for other in side if other[1] == card[1] and other[0] not in "AJQK"]
    return max([card_value(other, side, rules) for other in partners], default=1)


def side_total(cards_face_up: list[str], rules: dict) -> int:
    """The points of one side of a zone, by suit doubling and jack (P6, P7, P8)."""
    value = {card: card_value(card, cards_face_up, rules) for card in cards_face_up}
    numbers = [card for card in cards_face_up if card[0] not in COURT]
    doubled = set()
    for suit in SUIT_NAMES:
        group = sorted((card for card in numbers if card[1] == suit), key=lambda card: value[card])
        doubled.update(group[:-1])
    worth = {card: value[card] * (2 if card in doubled else 1) for card in numbers}
    total = sum(worth.values())
    if numbers and any(card[0] == "J" for card in cards_face_up):
        low = min(value[card] for card in numbers)
        lowest = [card for card in numbers if value[card] == low]
        if complete_rules(rules)["jack_on_doubled"] == "multiplies":
            total += max(worth[card] for card in lowest)
        elif any(card not in doubled for card in lowest):
            total += low
    return total


def side_total_by_definition(cards_face_up: list[str], rules: dict) -> int:
    """The same points by trying out every way in which the rules can be carried out.

    Here J Q K are members of their suits (P7 says that this makes no difference). In each suit
    one card is spared, any that no other exceeds, and the rest is doubled; then the jack picks
    any of the lowest cards. Among equals the one that gains most counts: the best total.
    """
    side = list(cards_face_up)
    multiplies = complete_rules(rules)["jack_on_doubled"] == "multiplies"
    value = {card: card_value(card, side, rules) for card in side}
    ways_to_spare = []
    for suit in {card[1] for card in side}:
        group = [card for card in side if card[1] == suit]
        ways_to_spare.append([c for c in group if all(value[d] <= value[c] for d in group)])
    numbers = [card for card in side if card[0] not in COURT]
    targets = [c for c in numbers if all(value[c] <= value[d] for d in numbers)]
    has_jack = any(card.startswith("J") for card in side)
    totals = []
    for spared in itertools.product(*ways_to_spare):
        for target in targets if has_jack and targets else [None]:
            total = 0
            for card in side:
                times = 1 if card in spared else 2
                if card == target and (multiplies or times == 1):
                    times = times * 2
                total += times * value[card]
            totals.append(total)
    return max(totals)


def seniority(card: str, rules: dict) -> tuple:
    """Sorting key of opening cards: the highest leads (P3)."""
    rank = SENIOR_RANKS.index(card[0])
    # On an empty side a matching ace finds no partner, so it is the 1 that P3 wants.
    first = rank if complete_rules(rules)["lead_by"] == "rank" else card_value(card, [], rules)
    return first, SENIOR_SUITS.index(card[1]), rank


def seats_by_zone(players: int, three_players: str) -> dict:
    """Which seats lay cards in each zone, in ascending order (P15)."""
    if players == 3 and three_players == "pairwise":
        return {"L": [0, 1], "M": [1, 2], "R": [0, 2]}
    if players == 3 and three_players == "one_zone":
        return {"L": [0, 1], "M": [0, 1, 2], "R": [0, 1]}
    return {zone: list(range(players)) for zone in ZONES}


class Referee:
    """One game, move by move. Phases: opening, target, lay, raise, reply."""

    def __init__(self, rules: dict, players: int, deal: list[str]):
        self.rules = complete_rules(rules)
        self.players = players
        if players not in (2, 3):
            raise ValueError("Phalanx is for two or three players")
        if sorted(deal) != sorted(full_deck(self.rules)):
            raise ValueError("the deal is not the deck of these rules")
        self.zone_seats = seats_by_zone(players, self.rules["three_players"])
        # P1: dealt out evenly, so what is left over is out of the game.
        dealt = len(deal) // players * players
        self.reserves = [list(deal[seat:dealt:players]) for seat in range(players)]
        self.out = set(deal[dealt:])
        self.ordered = [True] * players
        self.hands = [set() for _ in range(players)]
        self.void, self.known_owner = set(), {}
        self.chips, self.zone_wins = [0] * players, [0] * players
        self.pots = {zone: [0] * players for zone in ZONES}
        self.phase, self.seat, self.leader, self.rounds = "opening", 0, None, 0
        self.over = self.unfinished = False
        self._clear_table()
        if self._someone_cannot_draw():
            self._finish()
        else:
            size = self.rules["hand_size"]
            self._start_round([card for reserve in self.reserves for card in reserve[:size]])

    def legal(self) -> list[str]:
        """Every move of the seat whose choice it is (the list **Moves** of the rules)."""
        seat = self.seat
        hand = sorted(self.hands[seat], key=card_order)
        if self.over:
            return []
        if self.phase == "opening":
            return [f"{card}@{zone}" for card in hand for zone in self.opening_zones(seat)]
        if self.phase == "target":
            king, zone = self.chosen[seat]
            decline = ["x -"] if self.rules["king_optional"] == "yes" else []
            return decline + [f"x {card}" for card in self.king_targets(seat, zone, king)]
        if self.phase == "lay":
            places = itertools.product(hand, self.own_zones(seat))
            return [move for card, zone in places for move in self._ways_to_lay(card, zone)]
        if self.phase == "raise":
            return ["no raise"] + [f"raise {zone}" for zone in self._zones_to_raise()]
        return ["call", "fold"] if self.rules["raise_reply"] == "may_fold" else ["call"]

    def play(self, move: str, drawn: list[str]) -> None:
        """Carry out a move; `drawn` is every new hand, seat by seat, when it ended a round.

        Nothing changes when the move or the cards drawn are refused.
        """
        after = self._after(move)
        if after._needs_hands():
            after._start_round(drawn)
        elif drawn:
            raise ValueError(f"no cards are drawn after {move}")
        self.__dict__ = after.__dict__

    def piles_after(self, move: str) -> list[tuple[list[str], bool]] | None:
        """The reserves, each with `ordered`, from which new hands are taken after this move.

        None where the move does not lead to a new round.
        """
        after = self._after(move)
        return list(zip(after.reserves, after.ordered)) if after._needs_hands() else None

    def _after(self, move: str) -> "Referee":
        """A copy of the game in which the move is made and no new hand has been taken."""
        if move not in self.legal():
            raise ValueError(f"{move!r} is not legal for seat {self.seat} in phase {self.phase}")
        after = copy.deepcopy(self)
        getattr(after, "_play_" + after.phase)(move)
        return after

    def _needs_hands(self) -> bool:
        """A round has ended and another one follows; within a round no hand is empty for all."""
        return not self.over and not any(self.hands)

    def result(self) -> dict:
        """The outcome; a game cut at max_rounds has no winner (P14, P18)."""
        return {
            "scores": [self._cards_owned(seat) for seat in range(self.players)],
            "winners": self._winners() if self.over and not self.unfinished else [],
            "unfinished": self.unfinished,
            "rounds": self.rounds,
            "chips": list(self.chips),
            "zone_wins": list(self.zone_wins),
        }

    # What can be done where.

    def own_zones(self, seat: int) -> list[str]:
        """The zones in which a seat lays, stakes and raises (P4, P15)."""
        return [zone for zone in ZONES if seat in self.zone_seats[zone]]

    def opening_zones(self, seat: int) -> list[str]:
        """The middle, but a zone of one's own choice where there is no middle (P2, P15)."""
        pairwise = self.players == 3 and self.rules["three_players"] == "pairwise"
        return self.own_zones(seat) if pairwise else ["M"]

    def face_up(self, zone: str, seat: int) -> list[str]:
        """The cards of one side that count (P11)."""
        return [card for card in self.table[zone, seat] if card not in self.face_down]

    def king_targets(self, seat: int, zone: str, king: str) -> list[str]:
        """The cards that a king of this seat, laid in this zone, can turn down (P10)."""
        targets = []
        for place, owner in self.table:
            reached = place == zone or self.rules["king_reach"] == "table"
            if reached and (owner != seat or self.rules["king_target"] == "any"):
                targets += [card for card in self.face_up(place, owner) if card != king]
        return sorted(targets, key=card_order)

    def _ways_to_lay(self, card: str, zone: str) -> list[str]:
        """A card laid in a zone, once for every target of a king (P10)."""
        bare = f"{card}@{zone}"
        powerless = card[0] != "K" or (zone, self.seat) in self.closed
        targets = [] if powerless else self.king_targets(self.seat, zone, card)
        may_decline = not targets or self.rules["king_optional"] == "yes"
        return ([bare] if may_decline else []) + [f"{bare} x {target}" for target in targets]

    def _zones_to_raise(self) -> list[str]:
        """Own zones below max_raises that nobody has folded in this round (P17)."""
        zones = [zone for zone in self.own_zones(self.seat) if not self.folded[zone]]
        return [zone for zone in zones if self.raises[zone] < self.rules["max_raises"]]

    def _from(self, seat: int) -> list[int]:
        """All seats, one after another, beginning with this one."""
        return [(seat + step) % self.players for step in range(self.players)]

    # The opening.

    def _play_opening(self, move: str) -> None:
        """Choose the card in secret; when all have chosen, turn all up (P2)."""
        card, zone = move.split("@")
        self.hands[self.seat].remove(card)
        self.chosen[self.seat] = (card, zone)
        if len(self.chosen) < self.players:
            self.seat += 1
            return
        for seat, (card, zone) in self.chosen.items():
            self.table[zone, seat].append(card)
        # P3, P12: the lead is fixed before any card acts.
        self.leader = max(self.chosen, key=lambda seat: seniority(self.chosen[seat][0], self.rules))
        self.waiting = self._from(self.leader)
        self._next_opening_power()

    def _next_opening_power(self) -> None:
        """Opening queens and kings act in order of play; one turned down does not (P12)."""
        while self.waiting:
            seat = self.waiting.pop(0)
            card, zone = self.chosen[seat]
            if card in self.face_down:
                continue
            if card[0] == "Q":
                self._queen_acts(seat, zone, card)
            if card[0] == "K" and self.king_targets(seat, zone, card):
                self.phase, self.seat = "target", seat
                return
        self._start_raises()

    def _play_target(self, move: str) -> None:
        """Turn down the target of an opening king, or decline (P10, P12)."""
        target = move.split()[1]
        if target != "-":
            self.face_down.add(target)
        self._next_opening_power()

    # Laying cards.

    def _start_circle(self) -> None:
        """All lay one card each, the leader first (P4)."""
        self.phase = "lay"
        self.waiting = self._from(self.leader)
        self.seat = self.waiting.pop(0)

    def _play_lay(self, move: str) -> None:
        """Lay a card, let it act; after the last of the circle go on (P4, P9, P10)."""
        placed, _, target = move.partition(" x ")
        card, zone = placed.split("@")
        self.hands[self.seat].remove(card)
        self.table[zone, self.seat].append(card)
        if (zone, self.seat) in self.closed:
            self.face_down.add(card)
        elif card[0] == "Q":
            self._queen_acts(self.seat, zone, card)
        elif target:
            self.face_down.add(target)
        if self.waiting:
            self.seat = self.waiting.pop(0)
        elif any(self.hands):
            self._start_raises()
        else:
            self._end_round()

    def _queen_acts(self, seat: int, zone: str, queen: str) -> None:
        """Turn down the sides she reaches and herself, now or for the whole round (P9)."""
        scope = self.rules["queen_scope"]
        for owner in self.zone_seats[zone]:
            if scope == "both_sides" or (scope == "own_side") == (owner == seat):
                self.face_down.update(self.table[zone, owner])
                if self.rules["queen_timing"] == "whole_round":
                    self.closed.add((zone, owner))
        self.face_down.add(queen)

    # Money.

    def _pay(self, seat: int, zone: str, chips: int) -> None:
        self.chips[seat] -= chips
        self.pots[zone][seat] += chips

    def _take_pot(self, seat: int, zone: str) -> None:
        self.chips[seat] += sum(self.pots[zone])
        self.pots[zone] = [0] * self.players

    def _still_in(self, zone: str) -> list[int]:
        return [seat for seat in self.zone_seats[zone] if seat not in self.folded[zone]]

    def _start_raises(self) -> None:
        """With stakes each player, from the leader, may raise once before the circle (P17)."""
        self.waiting = self._from(self.leader) if self.rules["stakes"] == "on" else []
        self._next_raise()

    def _next_raise(self) -> None:
        if self.waiting:
            self.phase, self.seat = "raise", self.waiting.pop(0)
        else:
            self._start_circle()

    def _play_raise(self, move: str) -> None:
        """Put up the raise and have it answered, going round from the raiser (P17)."""
        if move == "no raise":
            self._next_raise()
            return
        zone = move.split()[1]
        self._pay(self.seat, zone, self.rules["raise"])
        self.raises[zone] += 1
        self.raised = (self.seat, zone)
        self.replies = [seat for seat in self._from(self.seat) if seat in self.zone_seats[zone]][1:]
        self.phase, self.seat = "reply", self.replies.pop(0)

    def _play_reply(self, move: str) -> None:
        """Call, or give up the chips there; the last one in has them at once (P17)."""
        raiser, zone = self.raised
        if move == "call":
            self._pay(self.seat, zone, self.rules["raise"])
        else:
            self.folded[zone].add(self.seat)
            if self._still_in(zone) == [raiser]:
                self._take_pot(raiser, zone)
        if self.replies:
            self.seat = self.replies.pop(0)
        else:
            self._next_raise()

    # Rounds.

    def _clear_table(self) -> None:
        self.table = {(zone, seat): [] for zone in ZONES for seat in self.zone_seats[zone]}
        self.face_down, self.closed, self.chosen = set(), set(), {}
        self.waiting, self.replies, self.raised = [], [], None
        self.raises = {zone: 0 for zone in ZONES}
        self.folded = {zone: set() for zone in ZONES}

    def _start_round(self, drawn: list[str]) -> None:
        """New hands from the top of the reserves, the stakes, then any opening (P1, P2, P16)."""
        size = self.rules["hand_size"]
        if len(drawn) != size * self.players:
            raise ValueError(f"a new round takes {size} cards a seat, not {len(drawn)} in all")
        for seat, reserve in enumerate(self.reserves):
            hand = set(drawn[seat * size : (seat + 1) * size])
            if len(hand) < size or not hand <= set(
                reserve[:size] if self.ordered[seat] else reserve
            ):
                raise ValueError(f"seat {seat} cannot have drawn {sorted(hand)}")
            self.hands[seat] = hand
            self.reserves[seat] = [card for card in reserve if card not in hand]
            for zone in self.own_zones(seat) if self.rules["stakes"] == "on" else []:
                self._pay(seat, zone, self.rules["ante"])
        if self.rounds == 0 or self.rules["opening"] == "every_round":
            self.phase, self.seat = "opening", 0
        else:
            # P17 lets the players raise after the opening, and here there is none.
            self._start_circle()

    def _end_round(self) -> None:
        """Compare the zones, settle the next lead, see whether the game goes on (P5, P14)."""
        won = [self._settle_zone(zone) for zone in ZONES]
        wins = [won.count(seat) for seat in range(self.players)]
        self.zone_wins = [old + new for old, new in zip(self.zone_wins, wins)]
        if wins.count(max(wins)) == 1:
            self.leader = wins.index(max(wins))  # P2; a new opening overrules it
        self.rounds += 1
        self._clear_table()
        if self._someone_cannot_draw():
            self._finish()
        elif self.rounds >= self.rules["max_rounds"]:
            self.unfinished = True
            self._finish()

    def _settle_zone(self, zone: str) -> int | None:
        """Give away the cards and chips of one zone; its winner, None for a tie (P5, P13)."""
        seats = self.zone_seats[zone]
        totals = {seat: side_total(self.face_up(zone, seat), self.rules) for seat in seats}
        best = [seat for seat in seats if totals[seat] == max(totals.values())]
        tie = self.rules["tie"]
        for seat, next_seat in zip(seats, seats[1:] + seats[:1]):
            receiver = {"return": seat, "swap": next_seat, "void": None}[tie]
            self._hand_over(self.table[zone, seat], best[0] if len(best) == 1 else receiver)
        # P16, P17: who has folded is out of the chips, and a tie among the others leaves them.
        top = max(totals[seat] for seat in self._still_in(zone))
        highest = [seat for seat in self._still_in(zone) if totals[seat] == top]
        if len(highest) == 1:
            self._take_pot(highest[0], zone)
        return best[0] if len(best) == 1 else None

    def _hand_over(self, cards: list[str], receiver: int | None) -> None:
        """Cards into a reserve, which is then shuffled, or out of the game (P5, P13)."""
        if receiver is None:
            self.void.update(cards)
        elif cards:
            self.reserves[receiver].extend(cards)
            self.ordered[receiver] = False
        if self.rules["memory"] == "perfect":
            self.known_owner.update({card: receiver for card in cards})

    # The end.

    def _someone_cannot_draw(self) -> bool:
        return any(len(reserve) < self.rules["hand_size"] for reserve in self.reserves)

    def _finish(self) -> None:
        """The chips still on the zones go back to those who put them there (P16)."""
        self.over = True
        for zone in ZONES:
            for seat in range(self.players):
                self._pay(seat, zone, -self.pots[zone][seat])

    def _cards_owned(self, seat: int) -> int:
        """Reserve, hand and the own cards on the table; void cards belong to nobody."""
        table = {card for (_, owner), side in self.table.items() if owner == seat for card in side}
        opening = {self.chosen[seat][0]} if seat in self.chosen else set()
        return len(self.reserves[seat]) + len(self.hands[seat] | table | opening)

    def _winners(self) -> list[int]:
        """Most cards among all, or among those who can still draw (P14).

        Where nobody can draw, all lose alike under cannot_draw_loses: a draw, whatever the counts.
        """
        counts = {seat: self._cards_owned(seat) for seat in range(self.players)}
        if self.rules["end_rule"] == "cannot_draw_loses":
            able = {seat: n for seat, n in counts.items() if n >= self.rules["hand_size"]}
            if not able:
                return list(counts)
            counts = able
        return [seat for seat in counts if counts[seat] == max(counts.values())]
