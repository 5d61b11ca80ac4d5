"""What a player of Fart may be kept from doing."""

from sim.games.fart import (
    DISCARD,
    DRAW,
    GIVE,
    MOVE_ALONE,
    MOVE_PUSH,
    PUSH,
    RUN,
    TAKE,
    card_of,
    kind_of,
    target_of,
)
from strategies.restrict import restriction


@restriction
def no_push(view, move):
    """Never pushes a pile (F13)."""
    return kind_of(move) == PUSH or kind_of(move) == MOVE_PUSH


@restriction
def no_give(view, move):
    """Never plays a card on a pile of the other side."""
    return kind_of(move) == GIVE


@restriction
def no_special_join(view, move):
    """Never joins a special to a pile that it does not match by rank or run (F17)."""
    kind, accept = kind_of(move), view.own_accept[target_of(move)]
    if kind == GIVE:
        accept = view.other_accept[target_of(move)]
    elif kind != PUSH and kind != MOVE_PUSH:
        return False
    return view.specials >> card_of(move) & ~accept >> card_of(move) & 1 == 1


@restriction
def no_run(view, move):
    """Never lays a run (F16)."""
    return kind_of(move) == RUN


@restriction
def no_discard(view, move):
    """Never discards a card (F7)."""
    return kind_of(move) == DISCARD or kind_of(move) == TAKE


@restriction
def no_take(view, move):
    """Never takes the other's discard with a special (F17a)."""
    return kind_of(move) == TAKE


@restriction
def no_use_of_discard(view, move):
    """Never plays a card from its discard (F18)."""
    return kind_of(move) == MOVE_ALONE or kind_of(move) == MOVE_PUSH


@restriction
def no_early_draw(view, move):
    """Never draws before it plays (F6)."""
    return kind_of(move) == DRAW
