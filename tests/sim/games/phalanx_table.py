"""Positions of Phalanx for tests, written as cards."""

import numpy as np

from sim.cards import card_id, cards_of, mask_of, names_of, small_deck
from sim.game import scratch
from sim.games import phalanx
from sim.games.phalanx_table import ZONE_NAMES, card_of
from sim.games.phalanx_worth import side_total
from sim.rng import seed_stream


class Table:
    """A position of the kernel: hands, and what lies in the zones.

    Parameters
    ----------
    hands : list of str
        Such as ``"7h Ts"``, a text a seat.
    table : dict
        ``"L0"`` is seat 0's side of the left zone: ``"8d (Qc)"``, face-down cards in brackets.
    leader : int
        Who is about to lay; None: the hands are those of an opening, not yet laid.
    sizes : list of int, optional
        Of the reserves, which hold the cards not named; by default they share those.
    **options
        Of the rules.
    """

    def __init__(self, hands, table=None, leader=0, sizes=None, **options):
        self.rules = phalanx.Rules.parse(options).lower()
        self.players = len(hands)
        self.state, self.views = scratch(phalanx, self.players)
        state = self.state
        state.n_players = self.players
        for view in self.views:
            view.rules = self.rules
        seed_stream(state.rng, 1, 1, 0)
        phalanx.deal(self.rules, state)
        for (zone, seat), cards in (table or {}).items():
            zone, seat = ZONE_NAMES.index(zone), int(seat)
            down = [card.strip("()") for card in cards.split() if card.startswith("(")]
            state.down[seat, zone] = mask_of(down)
            state.up[seat, zone] = mask_of(c for c in cards.split() if not c.startswith("("))
            state.total[seat, zone] = side_total(self.rules, state.up[seat, zone])
        for seat, hand in enumerate(hands):
            state.hand_cards[seat] = mask_of(hand.split())
        used = int(np.bitwise_or.reduce((state.up | state.down).ravel()))
        used |= int(np.bitwise_or.reduce(state.hand_cards))
        rest = cards_of(int(state.kept) & ~used)
        for seat, size in enumerate(sizes or [len(rest) // self.players] * self.players):
            state.n_reserve[seat] = size
            state.reserve[seat, :size] = rest[:size]
            rest = rest[size:]
        if leader is not None:
            state.leader = state.first_leader = state.seat = leader
            state.phase = phalanx.PHASE_LAY

    def view(self):
        """The view of the seat to act."""
        view = self.views[int(self.state.seat)]
        phalanx.legal(self.rules, self.state, view)
        return view

    def legal(self):
        """The moves in notation, in order."""
        view = self.view()
        return [phalanx.describe(move, view)[0] for move in view.moves[: view.n_moves]]

    def play(self, *moves):
        """Make moves given in notation."""
        for move in moves:
            assert not self.state.over
            view = self.view()
            phalanx.apply(self.rules, self.state, view.moves[self.legal().index(move)])
        return self

    def total(self, side):
        """What a side such as ``"L0"`` is worth."""
        return int(self.state.total[int(side[1]), ZONE_NAMES.index(side[0])])

    def down(self):
        """The cards that lie face down, in card order."""
        return " ".join(names_of(np.bitwise_or.reduce(self.state.down.ravel())))

    def stakes(self, zone):
        """The chips on a zone, by the seat that put them there."""
        stakes = self.state.stake[: self.players, ZONE_NAMES.index(zone)]
        return [int(chips) for chips in stakes]

    def chips(self):
        """Net chips by seat, without those on the zones."""
        return [int(chips) for chips in self.state.chips[: self.players]]

    def owned(self):
        """By seat, how many cards are in reserve and hand."""
        return [
            int(self.state.n_reserve[seat]) + int(self.state.hand_cards[seat]).bit_count()
            for seat in range(self.players)
        ]

    def owner(self, card):
        """The seat in whose reserve or hand a card is, None for a card that is out of the game."""
        card = card_id(card)
        for seat in range(self.players):
            reserve = self.state.reserve[seat, : self.state.n_reserve[seat]]
            if card in reserve or int(self.state.hand_cards[seat]) >> card & 1:
                return seat
        return None

    def row(self):
        """The result as it stands."""
        row = np.zeros(1, phalanx.ROW).view(np.recarray)[0]
        phalanx.score(self.rules, self.state, row)
        return row


def opening(*cards, zones=None, **options):
    """A position in which these have just been turned up as opening cards."""
    fillers = [card for card in names_of(mask_of(small_deck())) if card not in cards]
    hands = [" ".join([card, *fillers[6 * i : 6 * i + 6]]) for i, card in enumerate(cards)]
    zones = zones or phalanx.ZONE_NAMES[phalanx.MIDDLE] * len(cards)
    table = Table(hands, leader=None, **options)
    return table.play(*(f"{card}@{zone}" for card, zone in zip(cards, zones)))


def redealt(rules, state, seat, random):
    """A twin of a state in which all that a seat cannot know is dealt anew.

    What players remember of reserves and hands stays with its owner; hands, reserves, opening cards
    not yet turned up and the card that is out of a game of three are mixed.
    """
    twin = np.array([state], phalanx.STATE).view(np.recarray)[0]
    remembers = rules.memory == 0
    table = int(np.bitwise_or.reduce((state.up | state.down).ravel()))
    held, laid = [], []
    for owner in range(int(state.n_players)):
        cards = [int(card) for card in state.reserve[owner, : state.n_reserve[owner]]]
        if owner != seat:
            cards += cards_of(state.hand_cards[owner])
        hidden = owner != seat and state.phase == phalanx.PHASE_OPENING and owner < state.seat
        if hidden:
            cards.append(int(card_of(state.opening[owner])))
        held.append(cards)
        laid.append(hidden)
    known = [int(cards) if remembers else 0 for cards in state.known]
    lost = int(state.kept) & ~table & ~int(state.hand_cards[seat]) & ~mask_of(sum(held, []))
    lost &= ~int(state.gone) if remembers else -1
    held.append(cards_of(lost))
    known[len(held) - 1 :] = [0]
    unknown = [card for cards, seen in zip(held, known) for card in cards if not seen >> card & 1]
    random.shuffle(unknown)
    for owner, (cards, seen) in enumerate(zip(held, known)):
        cards = [card if seen >> card & 1 else unknown.pop() for card in cards]
        random.shuffle(cards)
        if owner == len(held) - 1:
            break
        n = int(state.n_reserve[owner])
        twin.reserve[owner, :n] = cards[:n]
        if laid[owner]:
            twin.opening[owner] = int(state.opening[owner]) & ~255 | cards.pop()
        if owner != seat:
            twin.hand_cards[owner] = mask_of(cards[n:])
    random.shuffle(twin.deck)
    return twin
