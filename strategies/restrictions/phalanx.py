"""What a player of Phalanx may be kept from doing."""

from sim.games.phalanx_table import (
    N_ZONES,
    NO_CARD,
    NO_ZONE,
    PHASE_LAY,
    PHASE_OPENING,
    PHASE_RAISE,
    PHASE_REPLY,
    card_of,
    target_of,
    zone_of,
)
from sim.games.phalanx_worth import JACK, KING, QUEEN
from sim.jit import kernel
from strategies.phalanx import own_cards
from strategies.restrict import restriction


@kernel
def lays(view, move, rank):
    """Whether a move lays a card of a rank."""
    return (view.phase == PHASE_LAY or view.phase == PHASE_OPENING) and card_of(move) & 15 == rank


@restriction
def no_ace(view, move):
    """Never lays an ace, while it has other cards."""
    return lays(view, move, 0)


@restriction
def no_jack(view, move):
    """Never lays a jack, while it has other cards."""
    return lays(view, move, JACK)


@restriction
def no_queen(view, move):
    """Never lays a queen, while it has other cards (P9)."""
    return lays(view, move, QUEEN)


@restriction
def no_king(view, move):
    """Never lays a king, while it has other cards (P10)."""
    return lays(view, move, KING)


@restriction
def no_own_target(view, move):
    """Never turns down a card of its own with a king, while there is another target (P10)."""
    if target_of(move) == NO_CARD:
        return False
    own = view.up[0, 0] | view.up[0, 1] | view.up[0, 2]
    return own >> target_of(move) & 1 == 1


@restriction
def no_pile_up(view, move):
    """Never lays in a zone while it has fewer cards in another: all zones alike."""
    if view.phase != PHASE_LAY:
        return False
    for zone in range(N_ZONES):
        if view.sides[zone] & 1 and own_cards(view, zone) < own_cards(view, zone_of(move)):
            return True
    return False


@restriction
def no_raise(view, move):
    """Never raises (P17)."""
    return view.phase == PHASE_RAISE and zone_of(move) != NO_ZONE


@restriction
def no_fold(view, move):
    """Never folds (P17)."""
    return view.phase == PHASE_REPLY and card_of(move) == 1
