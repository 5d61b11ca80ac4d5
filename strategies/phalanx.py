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
from sim.jit import ctz, kernel, popcount, strategy
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
    return max(view.total[1, zone], view.total[2, zone])  # of two players the third has none


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


@kernel
def lay_spread(view):
    """The move where the fewest own cards are; of those the one with the largest effect."""
    best, choice = NEVER, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = plain(view, move) - 1000 * own_cards(view, zone_of(move))
        if value > best:
            best, choice = value, i
    return choice


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
    return lay_spread(view)


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
    return lay_spread(view)


# --- zone_value -----------------------------------------------------------------------------------


@kernel
def pick(place, first, second, third):
    """The value that belongs to a place of three."""
    return first if place == 0 else (second if place == 1 else third)


@kernel
def other_cards(view, zone):
    """How many cards of others lie in a zone."""
    second = popcount(view.up[1, zone] | view.down[1, zone])
    return second + popcount(view.up[2, zone] | view.down[2, zone])


@kernel
def chance(ahead, doubt):
    """The chance to win a zone when so far ahead, given how much may still change that."""
    return min(1.0, max(0.0, 0.5 + ahead * doubt))


@kernel
def prize(win, own, other):
    """Cards that a zone is expected to bring: the others' if it is won, less the own if not."""
    return win * (own + other) - own


@kernel
def gain(view, zone, card):
    """What a number card or a jack adds to the own total of a zone."""
    up, total = view.up[0, zone], view.total[0, zone]
    if up & JACKS or card & 15 == JACK:
        return side_total(view.rules, up | np.int64(1) << card) - total
    return lane_gain(view, up >> (card & 48) & NUMBER_LANE, card)


@kernel
def lane_gain(view, lane, card):
    """What a number card adds to the other number cards of its suit, where no jack lies."""
    before = np.int64(WORTH[view.rules.ace, lane])
    after = np.int64(WORTH[view.rules.ace, lane | np.int64(1) << (card & 15)])
    return (after & 255) - (before & 255)


@kernel
def plain_width(view):
    """How many moves each number card has, where it adds in any zone what its suit says; else 0."""
    everywhere = view.sides[0] & view.sides[1] & view.sides[2] & 1
    closed = (view.closed[0] | view.closed[1] | view.closed[2]) & 1
    jacks = (view.up[0, 0] | view.up[0, 1] | view.up[0, 2]) & JACKS
    if everywhere == 0 or closed or jacks:
        return np.int64(0)
    return np.int64(3) if view.phase == PHASE_LAY else np.int64(view.phase == PHASE_OPENING)


@kernel
def worth_in(view, zone, card, ahead, doubt, pot, due, cost, mates):
    """What a number card brings in a zone, where `plain_width` is not 0."""
    lane = view.up[0, zone] >> (card & 48) & NUMBER_LANE
    win = chance(ahead + lane_gain(view, lane, card), doubt)
    return win * pot - due - (cost - mates if lane == 0 else cost)


@kernel
def target_zone(view, move):
    """The zone in which a king's target lies."""
    for zone in range(N_ZONES):
        for who in range(view.n_players):
            if view.up[who, zone] >> target_of(move) & 1:
                return zone
    return zone_of(move)


@kernel
def total_without(view, who, zone, card):
    """A player's total in a zone once a card is turned down."""
    up, total = view.up[who, zone], view.total[who, zone]
    if up >> card & 1 == 0:
        return total
    if up & JACKS:
        return side_total(view.rules, up ^ np.int64(1) << card)
    left = (up ^ np.int64(1) << card) >> (card & 48) & NUMBER_LANE
    before = np.int64(WORTH[view.rules.ace, up >> (card & 48) & NUMBER_LANE])
    return total + (np.int64(WORTH[view.rules.ace, left]) & 255) - (before & 255)


@kernel
def lead_without(view, zone, card):
    """The lead in a zone once a card is turned down."""
    others = max(total_without(view, 1, zone, card), total_without(view, 2, zone, card))
    return total_without(view, 0, zone, card) - others


@kernel
def lead_with_queen(view, zone):
    """The lead in a zone once a queen is laid there."""
    own = view.total[0, zone] if view.rules.queen_scope == 2 else np.int64(0)
    return own - best_other(view, zone) if view.rules.queen_scope == 1 else own


@strategy(
    shift=9.48,
    doubt=0.441,
    jack=0.313,
    queen=0.577,
    king=4.87,
    pip=-0.319,
    open_pip=0.037,
    own_grow=-0.091,
    other_grow=1.12,
    mates=0.247,
    raise_at=0.65,
    fold_at=0.2,
)
def zone_value(view):
    """Lays where it then expects to win most cards, against what may still come."""
    p = view.params
    phase = view.phase
    laying = np.int64(phase != PHASE_TARGET)
    left = popcount(view.hand) - (phase == PHASE_LAY or phase == PHASE_OPENING)
    theirs = view.n_hand[1] + view.n_hand[2]
    doubt = 1.0 / (1e-6 + p[1] * theirs)
    shift = p[0] * (left - theirs / (view.n_players - 1))
    if phase >= PHASE_RAISE:
        return zone_stake(view, doubt, shift)
    # A number a zone: the lead with what is still to come, cards there, the prize as it stands.
    own_grow, other_grow = p[7] * left, p[8] * theirs
    l0, l1, l2 = lead(view, 0) + shift, lead(view, 1) + shift, lead(view, 2) + shift
    b0, b1, b2 = own_cards(view, 0), own_cards(view, 1), own_cards(view, 2)
    c0, c1, c2 = other_cards(view, 0), other_cards(view, 1), other_cards(view, 2)
    twins = b0 + c0 + b2 + c2 == 0 and view.sides[0] == view.sides[2]
    b0, b1, b2 = b0 + own_grow, b1 + own_grow, b2 + own_grow
    c0, c1, c2 = c0 + other_grow, c1 + other_grow, c2 + other_grow
    w0, w1, w2 = chance(l0, doubt), chance(l1, doubt), chance(l2, doubt)
    v0, v1, v2 = prize(w0, b0, c0), prize(w1, b1, c1), prize(w2, b2, c2)
    most = max(max(c0 - v0, c1 - v1), c2 - v2)
    # What a move brings in a zone: its chance to win times `pot`, less `due`.
    pot0, pot1, pot2 = b0 + c0 + laying, b1 + c1 + laying, b2 + c2 + laying
    due0, due1, due2 = b0 + v0 + laying, b1 + v1 + laying, b2 + v2 + laying
    pip = -p[5] * left - (p[6] if phase == PHASE_OPENING else 0.0)
    best, choice = -1e9, np.int64(0)
    width = plain_width(view)
    if width:
        # Number cards, most of all: straight on, for what cannot be foreseen costs more than it
        # spares. In an opening only the middle zone is open.
        listed = view.hand & ~KINGS if phase == PHASE_LAY else view.hand
        shut = 0.0 if phase == PHASE_LAY else 1e9
        cards = view.hand & ~(JACKS | QUEENS | KINGS)
        while cards:
            card = ctz(cards)
            before = (cards & -cards) - 1
            cards &= cards - 1
            suit = np.int64(NUMBER_LANE) << (card & 48)
            cost = ((card & 15) + 1) * pip
            mates = p[9] * (popcount(view.hand & suit) - 1)
            in_0 = worth_in(view, 0, card, l0, doubt, pot0, due0 + shut, cost, mates)
            in_1 = worth_in(view, 1, card, l1, doubt, pot1, due1, cost, mates)
            in_2 = worth_in(view, 2, card, l2, doubt, pot2, due2 + shut, cost, mates)
            value = max(max(in_0, in_1), in_2)
            place = np.int64(in_0 != value) * (1 + np.int64(in_1 != value))
            index = width * popcount(listed & before) + (place if width == 3 else 0)
            choice = index if value > best else choice
            best = max(best, value)
    i = np.int64(0)
    while i < view.n_moves:
        # All that does not depend on the zone is worked out once a card.
        card = card_of(view.moves[i])
        rank = card & 15
        if width and rank < JACK:
            i += width
            continue
        suit = np.int64(NUMBER_LANE) << (card & 48)
        if rank < JACK:
            cost, mates = (rank + 1) * pip, p[9] * (popcount(view.hand & suit) - 1)
        else:
            cost, mates = laying * left * pick(rank - JACK, p[2], p[3], p[4]), 0.0
        if most - cost + max(0.0, mates) <= best:
            # Even where it won a zone for certain this card would not be the best. Kings, which
            # have many moves, come last and all cost the same.
            if rank == KING and phase == PHASE_LAY:
                break
            while i < view.n_moves and card_of(view.moves[i]) == card:
                i += 1
            continue
        while i < view.n_moves and card_of(view.moves[i]) == card:
            move = view.moves[i]
            i += 1
            zone = zone_of(move)
            if zone == 2 and twins:
                continue  # two empty zones alike
            place, less = zone, cost
            ahead = pick(zone, l0, l1, l2)
            if target_of(move) != NO_CARD:
                if view.rules.king_reach == 1:
                    place = target_zone(view, move)
                ahead = lead_without(view, place, target_of(move)) + shift
                if place != zone:
                    # The king itself lies in its own zone, and is lost or won there.
                    less += laying * (chance(ahead, doubt) - pick(zone, w0, w1, w2))
            elif view.closed[zone] & 1:
                pass
            elif rank <= JACK:
                ahead += gain(view, zone, card)
                if rank < JACK and not view.up[0, zone] & suit:
                    less -= mates
            elif rank == QUEEN:
                ahead = lead_with_queen(view, zone) + shift
            win = chance(ahead, doubt)
            value = win * pick(place, pot0, pot1, pot2) - pick(place, due0, due1, due2) - less
            if value > best:
                best, choice = value, i - 1
    return choice


@kernel
def zone_stake(view, doubt, shift):
    """Raises where the chance is best, if it is good; folds where it is poor."""
    p = view.params
    if view.phase == PHASE_REPLY:
        win = chance(lead(view, view.raise_zone) + shift, doubt)
        return 1 if view.n_moves > 1 and win < p[11] else 0
    best, choice = p[10], 0
    for i in range(1, view.n_moves):
        win = chance(lead(view, zone_of(view.moves[i])) + shift, doubt)
        if win > best:
            best, choice = win, i
    return choice
