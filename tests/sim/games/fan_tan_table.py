"""Positions of Fan Tan for tests, written as cards."""

import numpy as np

from sim.cards import mask_of
from sim.game import scratch
from sim.games import fan_tan
from sim.rng import seed_stream


class Table:
    """A position of the kernel: what the hands hold and what lies on the table.

    Cards that are neither are out of the game, so that hands may be short.
    """

    def __init__(self, hands, table="", seat=0, **options):
        self.rules = fan_tan.Rules(**options).lower()
        self.players = len(hands)
        self.state, self.views = scratch(fan_tan, self.players)
        self.state.n_players = self.players
        seed_stream(self.state.rng, 1, 1, 0)
        fan_tan.deal(self.rules, self.state)
        self.state.table = mask_of(table.split())
        for player, hand in enumerate(hands):
            self.state.hand_cards[player] = mask_of(hand.split())
            self.state.n_hand[player] = len(hand.split())
        self.state.seat = seat
        for view in self.views:
            view.rules = self.rules

    def view(self):
        """The view of the seat to act."""
        view = self.views[int(self.state.seat)]
        fan_tan.legal(self.rules, self.state, view)
        return view

    def legal(self):
        """The moves in notation, in order."""
        view = self.view()
        return [fan_tan.describe(move, view)[0] for move in view.moves[: view.n_moves]]

    def play(self, *moves):
        """Make moves given in notation."""
        for move in moves:
            view = self.view()
            fan_tan.apply(self.rules, self.state, view.moves[self.legal().index(move)])

    def row(self):
        """The result as it stands."""
        row = np.zeros(1, fan_tan.ROW).view(np.recarray)[0]
        fan_tan.score(self.rules, self.state, row)
        return row
