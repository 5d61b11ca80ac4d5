"""Positions of Arse Hole for tests, written as values."""

from sim.game import scratch
from sim.games import arse_hole
from sim.games.arse_hole import N_VALUES, VALUE_NAMES, Rules


def values_of(counts):
    """The values of a hand, low to high, as the referee writes them."""
    return [VALUE_NAMES[value] for value in range(N_VALUES) for _ in range(counts[value])]


class Table:
    """A position of the kernel, set up by hand and played in notation.

    Seat 0 is the Arse Hole, and ranks rise with the seats.
    """

    def __init__(self, *hands, exchange=False, **options):
        self.rules = Rules(**options).lower()
        self.n = len(hands)
        self.state, self.views = scratch(arse_hole, self.n)
        self.state.n_players = self.state.n = self.n
        self.state.rng[:] = 1, 2, 3, 4
        self.state.decks = 15
        self.state.leaver = self.state.last_place = self.state.last_value = -1
        for seat, hand in enumerate(hands):
            self.state.order[seat] = seat
            self.state.rank[seat] = self.n - seat
            self.views[seat].rules = self.rules
            for name in hand.replace(" ", ""):
                self.state.held[seat, VALUE_NAMES.index(name)] += 1
            self.state.n_held[seat] = self.state.dealt[seat] = len(hand.replace(" ", ""))
        self.state.unlaid[:] = self.state.held.sum(axis=0)
        self.state.holders = (1 << self.n) - 1
        if exchange:
            arse_hole.start_exchange(self.rules, self.state)
        else:
            arse_hole.start_round(self.state, 0)

    @property
    def seat(self):
        return int(self.state.seat)

    @property
    def view(self):
        """The view of the seat to act."""
        arse_hole.legal(self.rules, self.state, self.views[self.seat])
        return self.views[self.seat]

    def legal(self):
        """The moves of the seat to act, in notation."""
        view = self.view
        return [arse_hole.describe(move, view)[0] for move in view.moves[: view.n_moves]]

    def play(self, *moves):
        for move in moves:
            index = self.legal().index(move)
            arse_hole.apply(self.rules, self.state, int(self.views[self.seat].moves[index]))

    def hand(self, seat):
        return "".join(values_of(self.state.held[seat]))

    def next_hand(self):
        """Deal the next hand."""
        self.state.hand += 1
        self.state.over = 0
        arse_hole.deal(self.rules, self.state)

    def ranks(self):
        return [int(rank) for rank in self.state.rank[: self.n]]
