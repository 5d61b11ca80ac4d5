"""Strategies for Phalanx. Each sees a `sim.games.phalanx.VIEW` and returns the index of a move."""

import numpy as np

from sim.games.phalanx_table import (
    N_ZONES,
    NO_CARD,
    NO_ZONE,
    PHASE_LAY,
    PHASE_OPENING,
    PHASE_RAISE,
    PHASE_REPLY,
    PHASE_TARGET,
    card_of,
    target_of,
    zone_of,
)
from sim.games.phalanx_worth import (
    JACK,
    JACKS,
    KING,
    KINGS,
    NUMBER_LANE,
    QUEEN,
    QUEENS,
    WORTH,
    side_total,
)
from sim.jit import kernel, popcount, strategy
from sim.rng import below

NEVER = -1_000_000
LANE = 0xFFFF


# --- what a move does -----------------------------------------------------------------------------


@kernel
def rank_of(move):
    """The rank of a move's card: 0 for an ace, 9 for a ten, then J Q K."""
    return card_of(move) & 15


@kernel
def side_after(view, move, who, zone):
    """The face-up cards of a player's side of a zone once a move is made."""
    cards = view.up[who, zone]
    if target_of(move) != NO_CARD:
        cards &= ~(np.int64(1) << target_of(move))
    if view.phase == PHASE_TARGET or zone != zone_of(move) or view.closed[zone] & 1:
        return cards
    if rank_of(move) == QUEEN:
        scope = view.rules.queen_scope
        return np.int64(0) if scope == 0 or (scope == 1) == (who == 0) else cards
    return cards | np.int64(1) << card_of(move) if who == 0 else cards


@kernel
def best_other(view, zone):
    """The highest total of the others in a zone."""
    best = view.total[1, zone]
    for who in range(2, view.n_players):
        best = max(best, view.total[who, zone])
    return best


@kernel
def lead(view, zone):
    """By how much the own total in a zone exceeds the best of the others'."""
    return view.total[0, zone] - best_other(view, zone)


@kernel
def lead_after(view, move, zone):
    """The lead in a zone once a move is made."""
    best = np.int64(0)
    for who in range(1, view.n_players):
        best = max(best, side_total(view.rules, side_after(view, move, who, zone)))
    return side_total(view.rules, side_after(view, move, 0, zone)) - best


@kernel
def swing(view, move):
    """What a move adds to the own leads, over all own zones."""
    change = np.int64(0)
    for zone in range(N_ZONES):
        if view.sides[zone] & 1 and (zone == zone_of(move) or target_of(move) != NO_CARD):
            change += lead_after(view, move, zone) - lead(view, zone)
    return change


@kernel
def own_cards(view, zone):
    """How many own cards lie in a zone."""
    return popcount(view.up[0, zone] | view.down[0, zone])


@kernel
def stake(view):
    """What a player without a plan of its own does about chips.

    It raises where its lead is largest, if it is at least 8, and folds where it is 16 behind.
    """
    if view.phase == PHASE_REPLY:
        return 1 if view.n_moves > 1 and lead(view, view.raise_zone) <= -16 else 0
    best, choice = np.int64(7), 0
    for i in range(1, view.n_moves):
        ahead = lead(view, zone_of(view.moves[i]))
        if ahead > best:
            best, choice = ahead, i
    return choice


@kernel
def plain(view, move):
    """What a player without an idea for a card thinks of a move: the larger its effect the better.

    In an opening, where the table is empty, that is the highest card and the faces last.
    """
    return swing(view, move)


# --- simple ideas ---------------------------------------------------------------------------------


@strategy
def random(view):
    """Draws evenly from the legal moves."""
    return below(view.rng, view.n_moves)


@strategy
def suit_stacker(view):
    """Stacks cards of one suit in one zone, where they double each other."""
    if view.phase >= PHASE_RAISE:
        return stake(view)
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move)
        if view.phase != PHASE_TARGET and rank_of(move) < JACK:
            suit = np.int64(LANE) << (card_of(move) & 48)
            company = view.hand if view.phase == PHASE_OPENING else view.up[0, zone_of(move)]
            value += 100 * popcount(suit & company & ~(JACKS | QUEENS | KINGS))
        if value > best:
            best, choice = value, i
    return choice


@strategy
def spread(view):
    """Lays in all zones alike: always where the fewest own cards are."""
    if view.phase >= PHASE_RAISE:
        return stake(view)
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move) - 1000 * own_cards(view, zone_of(move))
        if value > best:
            best, choice = value, i
    return choice


@strategy
def two_zones(view):
    """Gives up the zone that goes worst and puts all its strength into the others."""
    if view.phase >= PHASE_RAISE:
        return stake(view)
    lost, least = NO_ZONE, np.int64(-NEVER)
    for zone in range(N_ZONES):
        if view.sides[zone] & 1:
            # Of zones that go equally badly the one with the fewest own cards is given up.
            ahead = 16 * lead(view, zone) + own_cards(view, zone)
            if ahead < least:
                lost, least = zone, ahead
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move)
        if view.phase == PHASE_LAY:
            value -= max(0, lead(view, zone_of(move)))
            if zone_of(move) == lost:
                value -= 1000
        if value > best:
            best, choice = value, i
    return choice


@strategy
def high_first(view):
    """Lays its highest card first, in the zone where the totals are closest."""
    if view.phase >= PHASE_RAISE:
        return stake(view)
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move)
        if view.phase != PHASE_TARGET:
            if rank_of(move) < JACK:
                value = 1000 * (rank_of(move) + 1) - abs(lead(view, zone_of(move)))
        if value > best:
            best, choice = value, i
    return choice


@strategy
def queen_denier(view):
    """Keeps its queens to kill the strongest zone that it has lost."""
    if view.phase >= PHASE_RAISE:
        return stake(view)
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move)
        if view.phase != PHASE_TARGET and rank_of(move) == QUEEN:
            behind = -lead(view, zone_of(move))
            value = 1000 + behind if behind >= 8 else -1000 + behind
        if value > best:
            best, choice = value, i
    return choice


@strategy
def king_sniper(view):
    """Keeps its kings to turn down the card whose fall changes most."""
    if view.phase >= PHASE_RAISE:
        return stake(view)
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move)
        if view.phase != PHASE_TARGET and rank_of(move) == KING:
            value += 1000 if value >= 10 else -1000
        if value > best:
            best, choice = value, i
    return choice


@strategy
def last_word(view):
    """Keeps its faces for the end and has the last word with them."""
    if view.phase >= PHASE_RAISE:
        return stake(view)
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move)
        if view.phase != PHASE_TARGET and rank_of(move) >= JACK:
            value -= 1000
        if value > best:
            best, choice = value, i
    return choice


@strategy
def bluffer(view):
    """Raises whatever it may and never folds; lays as `spread` does."""
    if view.phase == PHASE_REPLY:
        return 0
    if view.phase == PHASE_RAISE:
        return view.n_moves - 1
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move) - 1000 * own_cards(view, zone_of(move))
        if value > best:
            best, choice = value, i
    return choice


# --- zone_value -----------------------------------------------------------------------------------


@kernel
def pick(zone, left, middle, right):
    """The value that belongs to a zone."""
    return left if zone == 0 else (middle if zone == 1 else right)


@kernel
def other_cards(view, zone):
    """How many cards of others lie in a zone."""
    n = np.int64(0)
    for who in range(1, view.n_players):
        n += popcount(view.up[who, zone] | view.down[who, zone])
    return n


@kernel
def chance(lead, doubt):
    """The chance to win a zone with a lead, given how much may still change it."""
    return 0.5 + 0.5 * lead / (doubt + abs(lead))


@kernel
def prize(win, own, other):
    """Cards that a zone is expected to bring: the others' if won, less the own if not."""
    return win * (own + other) - own


@kernel
def with_card(view, zone, card, total):
    """The own total of a zone with one more number card; `total` is what it is without it."""
    up = view.up[0, zone]
    if up & JACKS:
        return side_total(view.rules, up | np.int64(1) << card)
    lane = up >> (card & 48) & NUMBER_LANE
    before = np.int64(WORTH[view.rules.ace, lane]) & 255
    return total - before + (np.int64(WORTH[view.rules.ace, lane | 1 << (card & 15)]) & 255)


@kernel
def target_zone(view, move):
    """The zone in which a king's target lies."""
    if view.rules.king_reach == 0 or target_of(move) == NO_CARD:
        return zone_of(move)
    for zone in range(N_ZONES):
        for who in range(view.n_players):
            if view.up[who, zone] >> target_of(move) & 1:
                return zone
    return zone_of(move)


@strategy(
    shift=9.0,
    own_more=0.5,
    their_more=1.4,
    their_faces=3.5,
    jack=0.4,
    queen=0.0,
    king=4.0,
    pip=-0.35,
    open_pip=0.05,
    own_grow=-0.25,
    other_grow=1.0,
    suit=0.0,
    raise_at=0.65,
    fold_at=0.2,
)
def zone_value(view):
    """Lays where it then expects to win most cards, against what may still come."""
    p = view.params
    rules = view.rules
    phase = view.phase
    left = popcount(view.hand)
    if phase == PHASE_LAY or phase == PHASE_OPENING:
        left -= 1
    theirs, pool = np.int64(0), view.unseen
    for who in range(1, view.n_players):
        theirs += view.n_hand[who]
        pool |= view.known[who]
    faces = np.float64(popcount(pool & (QUEENS | KINGS))) / max(1, popcount(pool))
    doubt = 1e-6 + p[0 + 1] * left + theirs * (p[2] + p[3] * faces)
    shift = p[0] * (left - theirs / (view.n_players - 1))
    if phase >= PHASE_RAISE:
        return zone_stake(view, doubt, shift)
    own_grow, other_grow = p[9] * left, p[10] * theirs
    # One number a zone: the others' best total, the own total, cards there, and the prize as it is.
    a0, a1, a2 = best_other(view, 0), best_other(view, 1), best_other(view, 2)
    t0, t1, t2 = view.total[0, 0], view.total[0, 1], view.total[0, 2]
    b0, b1, b2 = (
        own_cards(view, 0) + own_grow,
        own_cards(view, 1) + own_grow,
        own_cards(view, 2) + own_grow,
    )
    c0, c1, c2 = (
        other_cards(view, 0) + other_grow,
        other_cards(view, 1) + other_grow,
        other_cards(view, 2) + other_grow,
    )
    w0, w1, w2 = (
        chance(t0 - a0 + shift, doubt),
        chance(t1 - a1 + shift, doubt),
        chance(t2 - a2 + shift, doubt),
    )
    v0, v1, v2 = prize(w0, b0, c0), prize(w1, b1, c1), prize(w2, b2, c2)
    best, choice = -1e9, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        zone, card = zone_of(move), card_of(move)
        rank = card & 15
        total, other = pick(zone, t0, t1, t2), pick(zone, a0, a1, a2)
        own, others = pick(zone, b0, b1, b2), pick(zone, c0, c1, c2)
        before = pick(zone, v0, v1, v2)
        if rank < JACK:
            cost = (p[7] * left + (p[8] if phase == PHASE_OPENING else 0.0)) * -(rank + 1)
            now = with_card(view, zone, card, total)
        else:
            cost = left * pick(rank - JACK, p[4], p[5], p[6])
            now = total
            if rank == JACK:
                now = side_total(rules, view.up[0, zone] | np.int64(1) << card)
        if view.closed[zone] & 1:
            now = total
        elif rank == QUEEN:
            if rules.queen_scope != 1:
                other = np.int64(0)
            if rules.queen_scope != 2:
                now = np.int64(0)
        if phase == PHASE_TARGET:
            cost, added = 0.0, 0
        else:
            added = 1
        if target_of(move) != NO_CARD:
            if others + 1.0 - before - cost <= best:
                continue  # even a zone won for certain would not make it the best move
            place = target_zone(view, move)
            if place != zone:
                cost += added * (1.0 - pick(zone, w0, w1, w2))
                added = 0
                own, others = pick(place, b0, b1, b2), pick(place, c0, c1, c2)
                before = pick(place, v0, v1, v2)
            bit = np.int64(1) << target_of(move)
            now = side_total(rules, view.up[0, place] & ~bit)
            other = np.int64(0)
            for who in range(1, view.n_players):
                other = max(other, side_total(rules, view.up[who, place] & ~bit))
        value = prize(chance(now - other + shift, doubt), own + added, others) - before - cost
        if value > best:
            best, choice = value, i
    return choice


@kernel
def zone_stake(view, doubt, shift):
    """Raises where the chance is best, if it is good; folds where it is poor."""
    p = view.params
    if view.phase == PHASE_REPLY:
        win = chance(lead(view, view.raise_zone) + shift, doubt)
        return 1 if view.n_moves > 1 and win < p[13] else 0
    best, choice = p[12], 0
    for i in range(1, view.n_moves):
        win = chance(lead(view, zone_of(view.moves[i])) + shift, doubt)
        if win > best:
            best, choice = win, i
    return choice
