"""What a player of Fan Tan may be kept from doing."""

from sim.cards import LANE
from sim.games.fan_tan import PASS, rank_mask
from sim.jit import kernel
from strategies.fan_tan import freed
from strategies.restrict import restriction


@kernel
def distance(view, move):
    """How far a card lies from the foundations; 99 for a pass."""
    return 99 if move == PASS else abs((move & (LANE - 1)) - view.rank)


@restriction
def no_foundation(view, move):
    """Never opens a suit, while it can play something else (T5)."""
    if view.rank < 0:
        return False
    return move != PASS and rank_mask(view.rank) >> move & 1 == 1


@restriction
def no_neighbour(view, move):
    """Never lays a card next to a foundation card, while it can play something else."""
    return distance(view, move) == 1


@restriction
def no_freeing(view, move):
    """Never lays a card that lets out another's, while it can play something else."""
    return move != PASS and freed(view, move) & view.unseen != 0


@restriction
def no_end(view, move):
    """Never lays a card behind which nothing is to come, while it can play something else."""
    return move != PASS and freed(view, move) == 0


@restriction
def no_wrong_pass(view, move):
    """Never passes with a card that it could play (T8)."""
    return move == PASS
