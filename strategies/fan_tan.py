"""Strategies for Fan Tan. Each sees a `sim.games.fan_tan.VIEW` and returns the index of a move.

Those that lay a card whenever they can differ only in which. `liar` and `planner` may also pass
with a playable card, where the rules sell that for a fine (T8).
"""

import numpy as np

from sim.cards import LANE
from sim.games.fan_tan import PASS, rank_mask
from sim.jit import ctz, kernel, popcount, strategy
from sim.rng import below

NEVER = -1e9  # the worth of a pass to a player who lays a card whenever it can


@kernel
def below_it(card):
    """The cards of a card's suit below it."""
    bit = np.int64(1) << card
    return (bit - 1) & ~((np.int64(1) << (card & ~(LANE - 1))) - 1)


@kernel
def above_it(card):
    """The cards of a card's suit above it."""
    first = np.int64(1) << (card & ~(LANE - 1))
    return (first << (LANE - 1)) - (np.int64(2) << card)


@kernel
def beyond(view, card):
    """The cards still to come behind a card: on its side, on both sides of a foundation card."""
    lower, higher = below_it(card), above_it(card)
    if lower & view.table:
        return higher & (view.hand | view.unseen)
    if higher & view.table:
        return lower & (view.hand | view.unseen)
    return (lower | higher) & (view.hand | view.unseen)


@kernel
def freed(view, card):
    """The cards that become playable when a card is laid."""
    bit = np.int64(1) << card
    return beyond(view, card) & (bit << 1 | bit >> 1)


@kernel
def pass_cost(view):
    """The chips that a pass costs now, fines and all (T6, T8)."""
    rules = view.rules
    if not view.hand & view.playable:
        return rules.pass_chip
    cost = rules.wrong_pass_fine
    if view.rank < 0:
        return cost
    withheld = view.hand & view.playable & rank_mask(view.rank)
    low = popcount(withheld >> 1 & view.unseen)
    high = popcount(withheld << 1 & view.unseen)
    if rules.seven_fine_to == 1:
        half = rules.seven_fine // 2
        return cost + low * (rules.seven_fine - half) + high * half
    return cost + (low + high) * rules.seven_fine


@kernel
def chance_next(view, card):
    """The chance that the player at the left has an unseen card, by who has shown to lack it."""
    total, left = np.int64(0), np.int64(0)
    for step in range(1, view.n_players):
        player = (view.seat + step) % view.n_players
        if not view.lacks[player] >> card & 1:
            total += view.n_hand[player]
            if step == 1:
                left = view.n_hand[player]
    return left / total if total else 0.0


@strategy
def random(view):
    """Draws evenly from the legal moves."""
    return below(view.rng, view.n_moves)


@strategy
def longest_run(view):
    """Lays the card behind which it holds the most cards."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        value = -1 if card == PASS else popcount(beyond(view, card) & view.hand)
        if value > best:
            best, choice = value, i
    return choice


@strategy
def end_first(view):
    """Plays toward its own ends: where its outermost card is the most steps away."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        value = -1
        if card != PASS:
            own = beyond(view, card) & view.hand
            value = 0
            for step in range(1, LANE):
                if (own >> card >> step | own << step >> card) & 1:
                    value = step
        if value > best:
            best, choice = value, i
    return choice


@strategy
def block(view):
    """Holds back sevens, sixes and eights that free others' cards while there is another play."""
    best, choice = NEVER - 1, 0
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        if card == PASS:
            value = NEVER
        else:
            value = -popcount(freed(view, card) & view.unseen)
            rank = card & (LANE - 1)
            if value and (view.rank < 0 or abs(rank - view.rank) <= 1):
                value -= 10
        if value > best:
            best, choice = value, i
    return choice


@strategy
def own_suit(view):
    """Lays from the suit of which it holds the most cards."""
    best, choice = -1, 0
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        value = -1
        if card != PASS:
            value = popcount((below_it(card) | above_it(card)) & view.hand)
        if value > best:
            best, choice = value, i
    return choice


@strategy(fear=3)
def count_reader(view):
    """Reads the passes: frees what the player at the left cannot have, for the sake of its own.

    ``fear`` is how many own cards behind a card outweigh a next card that the left surely has.
    """
    best, choice = NEVER - 1, 0
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        value = NEVER
        if card != PASS:
            value = np.float64(popcount(beyond(view, card) & view.hand))
            for_others = freed(view, card) & view.unseen
            while for_others:
                value -= view.params[0] * chance_next(view, ctz(for_others))
                for_others &= for_others - 1
        if value > best:
            best, choice = value, i
    return choice


@kernel
def released(view, card):
    """How many of the others' cards a card lets out to no use of its own.

    These are the ones further out than the outermost own card on their side.
    """
    behind = beyond(view, card)
    count = np.int64(0)
    for step in (-1, 1):
        side = behind & (below_it(card) if step < 0 else above_it(card))
        place = card
        while side & view.hand:
            place += step
            side &= ~(np.int64(1) << place)
        count += popcount(side)
    return count


@strategy(hurry=0.25)
def chip_minder(view):
    """Minds what it pays, not who wins: brings its own cards out, and keeps the hand long.

    A card that it cannot lay costs a chip. Each card let out for the others alone brings the end,
    when cards left are paid for, nearer: ``hurry`` is what one costs.
    """
    best, choice = NEVER - 1, 0
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        value = NEVER
        if card != PASS:
            value = popcount(beyond(view, card) & view.hand) - view.params[0] * released(view, card)
        if value > best:
            best, choice = value, i
    return choice


@strategy(worth=1, patience=4)
def liar(view):
    """Passes with a playable card, where rules allow it, when the fine is worth the cards it locks.

    A play does harm: the cards it lets out for others alone less the own cards behind it. If even
    the least harmful play does more than the pass costs, at ``worth`` chips a card, it passes, at
    most ``patience`` times a hand: if nobody gave way the hand would never end. At a fine
    of f it so passes for a harm over f / ``worth``; docs/fan_tan_study.md says when that gains.
    """
    least, choice, way_out = 1e9, np.int64(0), np.int64(-1)
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        if card == PASS:
            way_out = i
        else:
            harm = np.float64(released(view, card) - popcount(beyond(view, card) & view.hand))
            if harm < least:
                least, choice = harm, np.int64(i)
    if way_out >= 0 and view.wrong[view.seat] < view.params[1]:
        if view.params[0] * least > pass_cost(view):
            return way_out
    return choice


# --- planner --------------------------------------------------------------------------------------


@kernel
def side_worth(view, card, side, step, spare, late):
    """What a move is worth for the cards behind it on one side, in own cards brought nearer.

    Parameters
    ----------
    view : record of the game's VIEW
    card : int
        The card that is laid.
    side : int
        The mask of the cards behind it.
    step : int
        -1 for the side below the card, 1 for the side above.
    spare : int
        Moves at hand that free nothing for others, at most 3.
    late : float
        1 over the cards of the other player who has the fewest.
    """
    p = view.params
    if not side:
        return p[0]
    near = np.int64(card) + step
    short = holder_is_short(view, near) if view.unseen >> near & 1 else 0.0
    own = side & view.hand
    n_own = popcount(own)
    n_others = popcount(side) - n_own
    if n_own == 0:
        return p[1] + p[2] * n_others + p[3] * short + p[4] * late
    place, missing, chain, soon = near - step, np.int64(0), np.int64(0), 0.0
    while own:
        place += step
        bit = np.int64(1) << place
        if own & bit:
            own ^= bit
            soon += 1.0 / (1 + missing)
            chain += missing == 0
        else:
            missing += 1
    value = n_own + p[5] * soon + p[6] * chain + p[7] * n_own / view.n_hand[view.seat]
    value += p[8] * missing * (view.n_players - 2) + p[2] * (n_others - missing)
    if short:
        value += p[9] + p[10] * spare + p[11] * short
    return value


@kernel
def holder_is_short(view, card):
    """The expected value of 1 over the hand size of the player who holds an unseen card."""
    total, players = np.int64(0), np.int64(0)
    for player in range(view.n_players):
        if player != view.seat and not view.lacks[player] >> card & 1:
            total += view.n_hand[player]
            players += 1
    return players / total if total else 0.0


@strategy(
    end=0.4,
    give=-3.5,
    give_each=-0.95,
    give_short=3.7,
    give_late=-1.4,
    soon=1.6,
    chain=-0.8,
    share=6.1,
    missing=0.4,
    free=0.85,
    free_spare=2.0,
    free_short=6.7,
    chip=1.5,
    patience=8,
)
def planner(view):
    """Weighs every card behind a move: whose it is, who can have it, and how far out it lies.

    Own cards behind the move count for it, most of all those that wait for others' cards: these
    must be let out early. What only others hold behind it counts against it. Where a pass is for
    sale (T8) it counts nothing less ``chip`` a chip, and is bought at most ``patience`` times a
    hand: of two players who both wait, the one who waits longer gains. It plays to win the hand:
    where the fines of six players mostly go to another, ``patience=0`` wins less often, more chips.
    """
    spare, shortest = np.int64(0), np.int64(99)
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        if card != PASS and not freed(view, card) & view.unseen:
            spare += 1
    for player in range(view.n_players):
        if player != view.seat:
            shortest = min(shortest, view.n_hand[player])
    spare, late = min(spare, 3), 1.0 / shortest
    best, choice = -1e18, 0
    for i in range(view.n_moves):
        card = np.int64(view.moves[i])
        if card == PASS:
            value = NEVER
            if view.wrong[view.seat] < view.params[13]:
                value = -view.params[12] * pass_cost(view)
        else:
            behind = beyond(view, card)
            value = side_worth(view, card, behind & below_it(card), -1, spare, late)
            value += side_worth(view, card, behind & above_it(card), 1, spare, late)
        if value > best:
            best, choice = value, i
    return choice
