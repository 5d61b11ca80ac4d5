"""Strategies for Arse Hole. Each sees a `sim.games.arse_hole.VIEW` and returns a move's index."""

import numpy as np
from sim.games.arse_hole import (
    PASS,
    PHASE_GIVE,
    PHASE_PLAY,
    WILD,
    kind_of,
    naturals_of,
    value_of,
    wilds_of,
)

from sim.jit import kernel, strategy
from sim.rng import below

# --- the exchange, as most players go about it ----------------------------------------------------


@kernel
def is_lower(view):
    """Whether one is the lower of the own pair, and so owes the best cards (A7)."""
    return view.rank[view.seat] > view.rank[view.partner]


@kernel
def honest_gift(view):
    """What the lower of a pair owes next: a wanted value, else the best not unwanted (A7, A8)."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        value = value_of(view.moves[i])
        worth = value + 1
        if view.wanted >> value & 1:
            worth += 40
        elif not view.unwanted >> value & 1:
            worth += 20
        if worth > best:
            best, choice = worth, i
    return choice


@kernel
def worst_gift(view, lone):
    """The lowest value to give; with `lone` of 1 a lone card rather than one of a set."""
    best, choice = 10**6, 0
    for i in range(view.n_moves):
        value = value_of(view.moves[i])
        burden = value + lone * 4 * (np.int64(view.hand[value]) - 1)
        if value == WILD:
            burden += 1000
        if burden < best:
            best, choice = burden, i
    return choice


@kernel
def plain_exchange(view, lone):
    """Ask for nothing, give what is due, and of what one may choose the worst."""
    if view.phase == PHASE_GIVE:
        return honest_gift(view) if is_lower(view) else worst_gift(view, lone)
    return 0


# --- what a set is --------------------------------------------------------------------------------


@kernel
def whole(view, move):
    """Whether a set is all that one has of its value."""
    value = value_of(move)
    count = wilds_of(move) if value == WILD else naturals_of(move)
    return count == view.hand[value]


@kernel
def sets_left(view):
    """How many different natural values one holds."""
    n = 0
    for value in range(WILD):
        if view.hand[value]:
            n += 1
    return n


@kernel
def size_of(move):
    """How many cards a set has."""
    return naturals_of(move) + wilds_of(move)


# --- simple players -------------------------------------------------------------------------------


@strategy
def random(view):
    """Draws evenly from the legal moves."""
    return below(view.rng, view.n_moves)


@strategy
def lowest_first(view):
    """Lays its lowest value whenever it can, as many cards of it as it has."""
    if view.phase != PHASE_PLAY:
        return plain_exchange(view, 0)
    best, choice = -1000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = -500
        if kind_of(move) != PASS:
            worth = naturals_of(move) - 3 * wilds_of(move) - 30 * value_of(move)
        if worth > best:
            best, choice = worth, i
    return choice


@strategy(hold=2)
def save_wilds(view):
    """Keeps its wilds until it has at most `hold` other sets, then wins rounds with them."""
    if view.phase != PHASE_PLAY:
        return plain_exchange(view, 0)
    late = sets_left(view) <= view.params[0]
    best, choice = -1000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = -500
        if kind_of(move) != PASS:
            worth = naturals_of(move) - 30 * value_of(move)
            if wilds_of(move):
                worth = (-400 if late else -600) - wilds_of(move)
        if worth > best:
            best, choice = worth, i
    return choice


@strategy
def break_no_sets(view):
    """Lays only whole sets, the lowest first, and passes rather than break one."""
    if view.phase != PHASE_PLAY:
        return plain_exchange(view, 1)
    best, choice = -10000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = -500
        if kind_of(move) != PASS:
            worth = -30 * value_of(move) - wilds_of(move)
            if value_of(move) != WILD and (wilds_of(move) or not whole(view, move)):
                worth -= 1000
        if worth > best:
            best, choice = worth, i
    return choice


@strategy
def lead_long(view):
    """Leads its largest set, of equal ones the lowest; follows as low as it can."""
    if view.phase != PHASE_PLAY:
        return plain_exchange(view, 1)
    best, choice = -10000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = -500
        if kind_of(move) != PASS:
            worth = -30 * value_of(move) + naturals_of(move) - 3 * wilds_of(move)
            if view.last_count == 0 and not wilds_of(move):
                worth += 500 * naturals_of(move)
        if worth > best:
            best, choice = worth, i
    return choice


@strategy
def go_out(view):
    """Plans the fewest rounds to empty its hand: each lay must leave a set fewer, or win a lead.

    Values that it holds are rounds that it still needs. It lays the whole set that leaves the
    fewest, leads what is hardest to follow, and spends wilds to lead again once there are as many
    of them as other sets, so that it need not be let in any more.
    """
    if view.phase != PHASE_PLAY:
        return plain_exchange(view, 1)
    sets = sets_left(view)
    wilds = np.int64(view.hand[WILD])
    ready = wilds >= sets - 1
    best, choice = -10000.0, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value, count = value_of(move), size_of(move)
        worth = -300.0
        if kind_of(move) == PASS:
            worth = 0.0
        elif value == WILD:
            if count == view.n_held[view.seat]:
                worth = 10000.0
            elif view.last_count and ready:
                worth = 300.0 - count
        elif whole(view, move) and not wilds_of(move):
            worth = 200.0 - value
            if view.last_count == 0:
                worth += 12 * count
        if worth > best:
            best, choice = worth, i
    return choice


@kernel
def unbeatable(view, value, count):
    """Whether no unseen cards can follow a set, by what has been laid so far."""
    for higher in range(value + 1, WILD):
        if view.unseen[higher] >= count:
            return False
    return value == WILD or view.unseen[WILD] < max(1, count - view.rules.wild_discount)


@strategy
def card_counter(view):
    """Counts what has been laid: saves the sets that nobody can follow any more to lead again.

    With all its sets but one of that kind it lays them one after the other; before that it gets
    rid of the others, the lowest first.
    """
    if view.phase != PHASE_PLAY:
        return plain_exchange(view, 1)
    safe, sets = np.int64(view.hand[WILD]), sets_left(view)
    for value in range(WILD):
        if view.hand[value] and unbeatable(view, value, np.int64(view.hand[value])):
            safe += 1
    running = sets - safe <= 1
    best, choice = -10000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value, count = value_of(move), size_of(move)
        worth = -500
        if kind_of(move) != PASS:
            if value == WILD:
                worth = (400 if running and view.last_count else -600) - count
            else:
                worth = 5 * naturals_of(move) - 30 * value - 200 * wilds_of(move)
                if not whole(view, move):
                    worth -= 150
                if unbeatable(view, value, count):
                    worth += 600 if running else -100
        if worth > best:
            best, choice = worth, i
    return choice


@strategy
def cheat_exchange(view):
    """Keeps its best cards where it owes them, and takes the penalty; plays like `lowest_first`.

    Only with `exchange_honesty` = `penalty` is there such a choice.
    """
    if view.phase == PHASE_GIVE:
        return worst_gift(view, 1)
    if view.phase != PHASE_PLAY:
        return 0
    best, choice = -1000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = -500
        if kind_of(move) != PASS:
            worth = naturals_of(move) - 3 * wilds_of(move) - 30 * value_of(move)
        if worth > best:
            best, choice = worth, i
    return choice
