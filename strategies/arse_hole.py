"""Strategies for Arse Hole. Each sees a `sim.games.arse_hole.VIEW` and returns a move's index."""

import math

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
from sim.jit import kernel, popcount, strategy
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


@kernel
def lowest(view):
    """The lowest value that can be laid: to lead all cards of it, to follow as few as will do."""
    best, choice = -1000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = -500
        if kind_of(move) != PASS:
            more = naturals_of(move) if view.last_count == 0 else -naturals_of(move)
            worth = more - 3 * wilds_of(move) - 30 * value_of(move)
        if worth > best:
            best, choice = worth, i
    return choice


@strategy
def lowest_first(view):
    """Lays its lowest value whenever it can, and breaks sets to follow."""
    return lowest(view) if view.phase == PHASE_PLAY else plain_exchange(view, 0)


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
    if view.last_count:
        return lowest(view)
    best, choice = -1000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = 30 * naturals_of(move) - value_of(move) - 3 * wilds_of(move)
        if worth > best:
            best, choice = worth, i
    return choice


@strategy(long=4, high=10)
def go_out(view):
    """Plans the fewest rounds to empty its hand, and goes for it once every other one can be won.

    Each set takes a round. It counts on winning with each wild, with sets of `long` cards and from
    the value `high` up (10: kings). Until all its sets but one are won or lead to such a win it
    sheds the others, the lowest first and never in part.
    """
    if view.phase != PHASE_PLAY:
        return plain_exchange(view, 1)
    p = view.params
    rounds, wins = 0, np.int64(view.hand[WILD])
    for value in range(WILD):
        count = np.int64(view.hand[value])
        if count:
            rounds += 1
            wins += count >= p[0] or value >= p[1]
    going = rounds <= 2 * wins + 1
    best, choice = -10000, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        value = value_of(move)
        worth = -500
        if kind_of(move) != PASS:
            worth = -30 * value - wilds_of(move)
            winner = value == WILD or naturals_of(move) >= p[0] or value >= p[1]
            if winner:
                worth += 300 if going and view.last_count else -200
            if value != WILD and (wilds_of(move) or not whole(view, move)):
                worth -= 1000
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
        return worst_gift(view, 0)
    return lowest(view) if view.phase == PHASE_PLAY else 0


# --- climber --------------------------------------------------------------------------------------

N_SHARES, MAX_COUNT, STEP = 160, 16, 8
#: The chance that a hand has at least `count` cards of a value of which it may expect
#: ``i / STEP``: Poisson's.
AT_LEAST = np.zeros((N_SHARES, MAX_COUNT + 1))
for _i in range(N_SHARES):
    _mean = _i / STEP
    _left = 1.0
    for _count in range(MAX_COUNT + 1):
        AT_LEAST[_i, _count] = max(0.0, _left)
        _left -= math.exp(-_mean) * _mean**_count / math.factorial(_count)


@kernel
def chance_of(expected, count):
    """The chance of at least `count` cards where some are expected."""
    return AT_LEAST[min(N_SHARES - 1, int(expected * STEP + 0.5)), min(MAX_COUNT, count)]


@kernel
def followers(view, value, count, share):
    """How many higher sets a hand may be expected to have, by its share of the unseen cards."""
    if value == WILD:
        return view.params[9] * chance_of(view.unseen[WILD] * share, count + 1)
    expected = 0.0
    for higher in range(value + 1, WILD):
        expected += chance_of(view.unseen[higher] * share, count)
    least = max(1, count - view.rules.wild_discount)
    return view.params[8] * expected + view.params[9] * chance_of(view.unseen[WILD] * share, least)


@kernel
def holds(view, value, count, share, n):
    """The chance that none of n hands follows a set."""
    if n == 0 or (value == WILD and view.rules.wild_ends_round == 0):
        return 1.0
    return math.exp(-n * followers(view, value, count, share))


@kernel
def burden(view, value, count):
    """What a set in hand costs, in rounds that it may still take."""
    p = view.params
    return p[0] - p[1] * value - p[2] * count if count else 0.0


@kernel
def worst_set(view, value, kept):
    """The heaviest burden in a hand that keeps so many cards of one value."""
    worst = burden(view, value, kept) if value != WILD else 0.0
    for other in range(WILD):
        if other != value:
            worst = max(worst, burden(view, other, np.int64(view.hand[other])))
    return worst


@kernel
def shaky(view, value, count, share, n):
    """The chance that a set is followed when it is led to n players."""
    return 1.0 - holds(view, value, count, share, n) if count else 0.0


@strategy(
    set=6.18,
    high=0.31,
    card=0.96,
    wild=1.43,
    wild_late=0.69,
    lead=0.63,
    lead_late=0.61,
    stay=-0.09,
    natural=1.4,
    wilds=1.33,
    out=4.78,
    run=3.07,
    broken=0.11,
    near=-0.19,
    lone=0.53,
    shaky=0.09,
)
def climber(view):
    """Weighs each move by the rounds it saves: the set shed, a lead to win, the wilds spent."""
    p = view.params
    me = view.seat
    others = popcount(view.holders) - 1
    share = 1.0 / max(1, others)
    if view.phase != PHASE_PLAY:
        if view.phase != PHASE_GIVE:
            return 0
        if is_lower(view):
            return honest_gift(view)
        best, choice = -1e9, 0
        for i in range(view.n_moves):
            value = value_of(view.moves[i])
            count = np.int64(view.hand[value])
            worth = -1e6
            if value != WILD:
                worth = burden(view, value, count) - burden(view, value, count - 1)
                worth += p[14] * (count == 1)
            if worth > best:
                best, choice = worth, i
        return choice
    rivals = popcount(view.in_round) - 1
    total, in_round, near = 0, 0, 0
    for place in range(view.n):
        seat = np.int64(view.order[place])
        if seat != me:
            n = np.int64(view.n_held[seat])
            total += n
            if view.in_round >> place & 1:
                in_round += n
            near += 0 < n <= 3
    near_share = in_round / max(1.0, np.float64(total * max(1, rivals)))
    sets, doubt = 0, 0.0
    for value in range(WILD):
        count = np.int64(view.hand[value])
        if count:
            sets += 1
            doubt += shaky(view, value, count, share, others)
    wilds = np.int64(view.hand[WILD])
    wild = p[3] + p[4] / (1.0 + sets)
    best, choice = -1e9, 0
    for i in range(view.n_moves):
        move = view.moves[i]
        worth = p[7] - p[13] * near
        if kind_of(move) != PASS:
            value, naturals, spent = value_of(move), naturals_of(move), wilds_of(move)
            if naturals + spent == view.n_held[me]:
                return i
            worth = -wild * spent
            left, after, kept = sets, doubt, np.int64(0)
            if value != WILD:
                held = np.int64(view.hand[value])
                kept = held - naturals
                worth += burden(view, value, held) - burden(view, value, kept)
                after -= shaky(view, value, held, share, others)
                if kept:
                    worth -= p[12]
                    after += shaky(view, value, kept, share, others)
                else:
                    left -= 1
            wins = holds(view, value, naturals + spent, near_share, rivals)
            worth += wins * (p[5] + p[6] / (1.0 + left)) * worst_set(view, value, kept)
            worth += wins * p[10] * math.exp(-p[11] * max(0.0, after - 1.0 - (wilds - spent)))
            worth -= p[15] * after
        if worth > best:
            best, choice = worth, i
    return choice
