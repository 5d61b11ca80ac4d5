"""Strategies for Fart. Each sees a `sim.games.fart.VIEW` and returns the index of a move."""

import numpy as np

from sim.games.fart import (
    ALONE,
    DISCARD,
    DRAW,
    END,
    GIVE,
    MOVE_ALONE,
    MOVE_PUSH,
    PAIR,
    PUSH,
    RUN,
    TAKE,
    card_of,
    kind_of,
    rank_mask,
    run_accept,
    target_of,
)
from sim.jit import kernel, popcount, strategy
from sim.rng import below


@kernel
def is_special(view, move):
    """Whether the move's card is a special."""
    return (view.specials >> card_of(move)) & 1


@kernel
def pushed(view, move):
    """How many cards a move pushes to the other bank, its own card included; 0 for no push."""
    kind = kind_of(move)
    if kind == PUSH or kind == MOVE_PUSH:
        return popcount(view.own[target_of(move)]) + 1
    return 0


@kernel
def routine(view, move):
    """The order in which a player without an idea does things: a draw first, a push never.

    Where a pair must be chosen, ordinary cards go down before specials.
    """
    kind = kind_of(move)
    if kind == PAIR:
        return -1 if (view.specials >> card_of(move) | view.specials >> target_of(move)) & 1 else 0
    if kind == DRAW:
        return 90
    if kind == GIVE:
        return 60
    if kind == END:
        return 50
    if kind == ALONE or kind == MOVE_ALONE:
        return 40 if kind == ALONE else 10
    if kind == DISCARD:
        return 30
    if kind == RUN:
        return 20
    return 0


@kernel
def empties(view, move):
    """Whether the move plays the last card in hand."""
    kind = kind_of(move)
    played = 0
    if kind == DISCARD or kind == ALONE or kind == PUSH or kind == GIVE:
        played = 1
    elif kind == RUN:
        played = target_of(move) - (card_of(move) & 15) + 1
    return played > 0 and played == popcount(view.hand)


@strategy
def random(view):
    """Draws evenly from the legal moves."""
    return below(view.rng, view.n_moves)


@strategy
def push_first(view):
    """Pushes whenever it can, the largest pile first."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        size = pushed(view, move)
        value = 100 + size if size else routine(view, move)
        if value > best:
            best, choice = value, i
    return choice


@strategy
def push_small(view):
    """Pushes whenever it can, the smallest pile first."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        size = pushed(view, move)
        value = 200 - size if size else routine(view, move)
        if value > best:
            best, choice = value, i
    return choice


@strategy(large=5)
def hold_specials(view):
    """Keeps its specials in hand until they push a large pile, of `large` cards or more."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        kind = kind_of(move)
        size = pushed(view, move)
        value = 100 + size if size else routine(view, move)
        if kind < MOVE_ALONE and kind != DRAW and kind != RUN and is_special(view, move):
            late = view.turns_left >= 0
            value = 100 + size if size >= view.params[0] or (late and size) else 1
        if value > best:
            best, choice = value, i
    return choice


@strategy
def discard_saver(view):
    """Saves on the discard the cards that may still push, and pushes from there."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        kind = kind_of(move)
        size = pushed(view, move)
        value = 100 + size if size else routine(view, move)
        if kind == MOVE_PUSH:
            value = 150 + size
        elif kind == DISCARD:
            # The more of its rank are still to come, the likelier a pile grows for it to push.
            value = 41 + popcount(rank_mask(card_of(move) & 15) & view.unseen)
        if value > best:
            best, choice = value, i
    return choice


@strategy
def dump(view):
    """Empties its hand as fast as it can, then draws a new one."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        kind = kind_of(move)
        size = pushed(view, move)
        value = 100 + size if size else routine(view, move)
        if kind == END:
            value = 1
        elif kind == DRAW:
            value = 0
        elif kind == RUN:
            value = 110
        if value > best:
            best, choice = value, i
    return choice


@strategy
def starve(view):
    """Plays as few cards as allowed, the best push if there is one, and never empties its hand."""
    best, choice = -1000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        kind = kind_of(move)
        size = pushed(view, move)
        value = 100 + size if size else routine(view, move)
        if kind == END:
            value = 1000
        elif kind == DRAW:
            value = 900
        elif empties(view, move):
            value -= 500
        if value > best:
            best, choice = value, i
    return choice


# --- balanced -------------------------------------------------------------------------------------


@kernel
def share(view, mine):
    """The chance that an unseen card is, or comes, where it can still be played."""
    unseen = popcount(view.unseen)
    if unseen == 0:
        return 0.0
    held = 0.0 if mine else np.float64(view.n_other_hand - popcount(view.other_known))
    if view.turns_left < 0:
        held += 0.5 * view.n_deck
    elif mine and view.turns_left < 2:
        return 0.0
    elif not mine and view.turns_left < 1:
        return 0.0
    return min(1.0, held / unseen)


@kernel
def reach(chance, n):
    """The chance that at least one of n cards, each there with a chance, is there."""
    missing = 1.0
    for _ in range(n):
        missing *= 1.0 - chance
    return 1.0 - missing


@kernel
def own_pile(view, cards, accept, hand, mine, theirs):
    """What a pile in the own bank is worth to its owner, in cards.

    It counts against its owner, may be pushed with a card of the hand or one to come, and grows by
    what the other player gives to it.
    """
    p = view.params
    size = popcount(cards)
    unseen = popcount(accept & view.unseen)
    if view.turns_left == 0 or view.turns_left == 1:
        ready = 0.0
    elif accept & hand:
        ready = p[0]
    else:
        ready = p[1] * reach(mine, unseen)
    if view.turns_left == 0 and accept & hand:
        ready = 1.0
    given = 1.0 if accept & view.other_known else reach(theirs, unseen)
    return -2.0 * size + 2.0 * (size + 1) * ready - p[2] * given


@kernel
def other_pile(view, cards, accept, hand, mine, theirs):
    """What a pile in the other bank is worth: it may come back, and the hand may add to it."""
    p = view.params
    size = popcount(cards)
    unseen = popcount(accept & view.unseen)
    back = 1.0 if accept & view.other_known else reach(theirs, unseen)
    back = 1.0 - (1.0 - back) * (1.0 - p[3] * reach(theirs, popcount(view.specials & view.unseen)))
    if view.turns_left == 0:
        back = 0.0
    grows = p[4] if accept & hand else p[5] * reach(mine, unseen)
    return 2.0 * size - 2.0 * p[6] * (size + 1) * back + grows


@kernel
def kept(view, cards):
    """What cards are worth in hand: they count against their owner but keep choices open."""
    specials = popcount(cards & view.specials)
    late = view.turns_left == 0 or view.turns_left == 1
    worth = 0.0 if late else view.params[7]
    return popcount(cards) * (worth - 2.0) + specials * (0.0 if late else view.params[8])


@kernel
def gain(view, move, mine, theirs):
    """What a move changes in the worth of the position, by the piles and the hand it touches."""
    p = view.params
    kind, card, target = kind_of(move), card_of(move), target_of(move)
    bit = np.int64(1) << card
    hand = view.hand
    if kind == DRAW:
        return p[9]
    if kind == END:
        return 0.0
    if kind == PAIR:
        return -np.float64(popcount((bit | np.int64(1) << target) & view.specials))
    if kind == RUN:
        low = card & 15
        run = ((np.int64(1) << (target + 1)) - (np.int64(1) << low)) & 8191
        run = (run | (target >> 3 & target >> 2 & target & 1)) << (card - low)
        left = hand & ~run
        accept = run_accept(view.rules, card >> 4, low, target)
        value = own_pile(view, run, accept, left, mine, theirs) - kept(view, run) + p[10]
        return value - (p[11] if left == 0 else 0.0)
    left = hand & ~bit
    from_discard = kind == MOVE_PUSH or kind == MOVE_ALONE
    value = p[12] + 2.0 if from_discard else -kept(view, bit)
    if kind == DISCARD or kind == TAKE:
        value += p[12] - 2.0
        if kind == TAKE:
            taken = np.int64(1) << np.int64(view.other_discard[view.n_other_discard - 1])
            value += kept(view, taken) - 2.0 + p[13]
            left |= taken
    elif kind == ALONE or kind == MOVE_ALONE:
        value += own_pile(view, bit, rank_mask(card & 15), left, mine, theirs)
    elif kind == GIVE:
        cards, accept = view.other[target], view.other_accept[target]
        value += other_pile(view, cards | bit, accept, left, mine, theirs)
        value -= other_pile(view, cards, accept, hand, mine, theirs)
    else:
        cards, accept = view.own[target], view.own_accept[target]
        value += other_pile(view, cards | bit, accept, left, mine, theirs)
        value -= own_pile(view, cards, accept, hand, mine, theirs)
    if left == 0 and not from_discard and view.turns_left < 0:
        value -= p[11]
    return value


@strategy(
    push_ready=0.853,
    push_later=0.3,
    given=1.13,
    special_back=-0.33,
    give_ready=2.0,
    give_later=0.115,
    back=0.776,
    hand=0.169,
    special=2.76,
    draw_first=5.0,
    run=-0.00653,
    empty=-3.16,
    discard=0.714,
    take=-0.38,
    end=0.0,
)
def balanced(view):
    """Weighs every move by what it changes in the expected counts of cards on either side."""
    mine, theirs = share(view, True), share(view, False)
    best, choice = -1e9, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = gain(view, move, mine, theirs)
        if kind_of(move) == END:
            value = view.params[14]
        if value > best:
            best, choice = value, i
    return choice
