"""What a player of Arse Hole may be kept from doing."""

from sim.games.arse_hole import LAY, PASS, PHASE_PLAY, WILD, kind_of, value_of, wilds_of
from strategies.arse_hole import whole
from strategies.restrict import restriction


@restriction
def no_wild(view, move):
    """Never lays a wild, while it has anything else to lay or may pass."""
    return kind_of(move) == LAY and (value_of(move) == WILD or wilds_of(move) > 0)


@restriction
def no_pass(view, move):
    """Never passes, while it can follow (A12)."""
    return view.phase == PHASE_PLAY and kind_of(move) == PASS


@restriction
def no_broken_set(view, move):
    """Never lays a part of the cards that it holds of a value."""
    return kind_of(move) == LAY and not whole(view, move)


@restriction
def no_whole_set(view, move):
    """Never lays two or more cards that are all it holds of a value."""
    return kind_of(move) == LAY and view.hand[value_of(move)] > 1 and whole(view, move)


@restriction
def no_high(view, move):
    """Never follows with one of the three highest values below wilds."""
    return (
        kind_of(move) == LAY
        and view.last_count > 0
        and value_of(move) >= WILD - 3
        and value_of(move) < WILD
    )
