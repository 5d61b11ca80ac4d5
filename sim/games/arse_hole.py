"""Arse Hole: get rid of your cards, and the order of finishing is the rank in the next hand.

Two to twenty players, several decks with jokers, sessions of many hands. Numbers such as A7 are the
numbered rules in docs/rules/arse_hole.md. The options are in arse_hole_rules.py, the records and
what a move, a value and a place are in arse_hole_table.py; here is how the game goes.
"""

import numpy as np

from sim import loop
from sim.games.arse_hole_rules import MAX_EVENTS, Rules, check_table, titles
from sim.games.arse_hole_table import (
    CARDS,
    DECK,
    GIVE,
    LANES,
    LAY,
    MAX_PLAYERS,
    N_VALUES,
    NO_REQUEST,
    PASS,
    PHASE_GIVE,
    PHASE_PLAY,
    PHASE_REQUEST,
    PHASES,
    ROW,
    RULES,
    SEATS,
    STATE,
    UNWANT,
    VALUE_NAMES,
    VALUE_OF_RANK,
    VIEW,
    WANT,
    WILD,
    kind_of,
    naturals_of,
    value_of,
    wilds_of,
)
from sim.jit import bind, ctz, kernel
from sim.rng import below, shuffle

NAME = "arse_hole"
TITLE = "Arse Hole"
PLAYERS = range(2, MAX_PLAYERS + 1)
DEFAULT_PLAYERS = 6
SCORE = "rank after the hand"  # what a row's scores are
SCORES_ADD = False  # a score is the rank after a hand; the session's is that of its last hand

#: The contract of `sim.game` is all found in this module.
__all__ = ["PHASES", "ROW", "RULES", "STATE", "VIEW", "Rules", "check_table", "play"]


@kernel
def copy(source, target, n):
    """Copy the first n entries of an array of bytes, n a multiple of 8.

    Word by word that takes a fifth of the time.
    """
    old, new = source.view(np.int64), target.view(np.int64)
    for i in range(n // 8):
        new[i] = old[i]


@kernel
def next_place(places, place):
    """The next upward of some places (a bit a place), and on from the King to the Arse Hole."""
    above = places >> (place + 1)
    return place + 1 + ctz(above) if above else ctz(places)


# --- who is at the table --------------------------------------------------------------------------


@kernel
def deal(rules, state):
    """Seat the players, shuffle and deal (A1-A5, A15); start the exchange, or else the play."""
    if state.hand == 0:
        take_seats(rules, state)
    else:
        change_seats(rules, state)
    n = state.n
    shuffle_decks(rules, state)
    if state.hand == 0:
        first_ranks(rules, state)
    for seat in range(SEATS):
        state.rank[seat] = 0
        state.n_held[seat] = 0
        state.out[seat] = 0
        if seat >= n:
            state.order[seat] = 0
    for seat in range(state.n_players):
        for value in range(LANES):
            state.held[seat, value] = 0
            state.laid[seat, value] = 0
            state.given[seat, value] = 0
            state.received[seat, value] = 0
        state.due[seat] = 0
        state.wanted[seat] = 0
        state.unwanted[seat] = 0
        state.wrong[seat] = 0
        state.dealt[seat] = 0
    place = 0
    for i in range(DECK * state.decks):
        value = VALUE_OF_RANK[state.deck[i] & 15]
        state.held[state.order[place], value] += 1
        place = place + 1 if place + 1 < n else 0
    for value in range(WILD):
        state.unlaid[value] = 4 * state.decks
    state.unlaid[WILD] = 6 * state.decks
    most, more = DECK * state.decks // n, DECK * state.decks % n
    for place in range(n):
        seat = state.order[place]
        state.rank[seat] = n - place
        state.dealt[seat] = most + 1 if place < more else most
        state.n_held[seat] = state.dealt[seat]
    state.n_out = 0
    state.rounds = 0
    state.holders = (np.int64(1) << n) - 1
    clear_round(state)
    if state.hand > 0 or rules.first_exchange == 1:
        start_exchange(rules, state)
    else:
        start_round(state, 0)


@kernel
def take_seats(rules, state):
    """Who is there from the first hand: every seat that a script does not let join later (A15)."""
    named, later = np.int64(0), np.int64(0)
    for i in range(rules.n_events):
        event = np.int64(rules.events[i])
        bit = np.int64(1) << (event >> 1 & 31)
        if event & 1 and not named & bit:
            later |= bit
        named |= bit
    state.n = 0
    state.n_events = 0
    state.leaver = -1
    for seat in range(state.n_players):
        state.penalty[seat] = 0
        if not later >> seat & 1:
            state.order[state.n] = seat
            state.n += 1


@kernel
def shuffle_decks(rules, state):
    """Shuffle as many decks as the table needs (A1)."""
    state.decks = rules.decks
    if rules.decks == 0:
        state.decks = (rules.min_cards * state.n + DECK - 1) // DECK
    for i in range(state.decks):
        for j in range(DECK):
            state.deck[DECK * i + j] = CARDS[j]
    shuffle(state.rng, state.deck, DECK * state.decks)


@kernel
def first_ranks(rules, state):
    """The first ranks: at random, or by a card that each draws in seat order (A4).

    They are drawn after the deck is shuffled, so that either way has the same deals.
    """
    n = state.n
    if rules.initial_ranks == 0:
        shuffle(state.rng, state.order, n)
        return
    for i in range(DECK):
        state.drawn[i] = CARDS[i]
    shuffle(state.rng, state.drawn, DECK)
    for i in range(1, n):
        seat = state.order[i]
        place = i
        while place > 0 and draw_value(state, state.order[place - 1]) > draw_value(state, seat):
            state.order[place] = state.order[place - 1]
            place -= 1
        state.order[place] = seat


@kernel
def draw_value(state, seat):
    """How high the card counts that a seat drew for its first rank.

    Jokers lie above twos, the first drawn above the second; then hearts, diamonds, clubs, spades.
    """
    card = np.int64(state.drawn[seat])
    if card & 15 == 13:
        return 100 - np.int64(seat)
    suit = (card >> 4) - 1 & 3  # cards count their suits spades, hearts, diamonds, clubs
    return 4 * VALUE_OF_RANK[card & 15] + 3 - suit


@kernel
def change_seats(rules, state):
    """Between two hands leavers go and newcomers enter below all, the last of them lowest (A15)."""
    leaving = np.int64(0)
    last = state.n_events
    while last < rules.n_events and np.int64(rules.events[last]) >> 6 == state.hand:
        event = np.int64(rules.events[last])
        if not event & 1:
            leaving |= np.int64(1) << (event >> 1 & 31)
        last += 1
    n = 0
    for i in range(state.n):
        seat = state.finish[i]
        if leaving >> seat & 1:
            state.penalty[seat] = 0
        else:
            state.finish[n] = seat
            n += 1
    # Chance is asked in any case, so that deals do not depend on `churn`.
    happens = below(state.rng, 100) < rules.churn
    place = below(state.rng, max(1, n))
    state.leaver = -1
    if happens and n:
        # The newcomer takes the leaver's seat, and the rank below all.
        seat = state.finish[place]
        for i in range(place, n - 1):
            state.finish[i] = state.finish[i + 1]
        state.finish[n - 1] = seat
        state.penalty[seat] = 0
        state.leaver = seat
    for i in range(state.n_events, last):
        event = np.int64(rules.events[i])
        if event & 1:
            state.finish[n] = event >> 1 & 31
            n += 1
    state.n_events = last
    state.n = n
    for i in range(n):
        state.order[n - 1 - i] = state.finish[i]


# --- exchange -------------------------------------------------------------------------------------


@kernel
def partner_of(state, seat):
    """Whom a seat exchanges with (A6): the same place from the other end; -1 in the very middle."""
    place = state.n - np.int64(state.rank[seat])
    other = state.n - 1 - place
    return np.int64(state.order[other]) if other != place else np.int64(-1)


@kernel
def start_exchange(rules, state):
    """Work out how many cards each seat exchanges (A6), and go to the first choice.

    Everybody has at least two cards, so every pair swaps some.
    """
    n = state.n
    for pair in range(1, n // 2 + 1):
        low = state.order[n // 2 - pair]
        high = state.order[n - 1 - (n // 2 - pair)]
        due = min(pair, min(state.dealt[low], state.dealt[high]))
        state.due[low] = due
        state.due[high] = due
    state.step = 0
    go_on(rules, state)


@kernel
def go_on(rules, state):
    """Go through the steps of the exchange until a seat has to choose; after them play starts.

    The steps: each pair's request, the middle pair's first; then, pair by pair again, what the
    lower gives and what the higher gives.
    """
    pairs = state.n // 2
    while state.step < 3 * pairs:
        step = state.step
        pair = step + 1 if step < pairs else (step - pairs) // 2 + 1
        low = np.int64(state.order[pairs - pair])
        high = np.int64(state.order[state.n - 1 - (pairs - pair)])
        if step < pairs:
            if rules.exchange_request == 1:
                state.phase = PHASE_REQUEST
                state.seat = high
                state.left = rules.max_named
                return
            state.step = pairs
        elif (step - pairs) & 1:
            state.phase = PHASE_GIVE
            state.seat = high
            state.left = state.due[high]
            return
        else:
            owe(state, low, high)
            if rules.exchange_honesty == 1:
                state.phase = PHASE_GIVE
                state.seat = low
                state.left = state.due[low]
                return
            for value in range(N_VALUES):
                state.given[low, value] = state.owed[value]
                state.held[low, value] -= state.owed[value]
            state.n_held[low] -= state.due[low]
            end_giving(rules, state, low)
    if rules.exchange_order == 0:
        for place in range(state.n):
            hand_over(state, state.order[place])
    start_round(state, 0)


@kernel
def owe(state, low, high):
    """Work out what the lower of a pair has to give (A7).

    First the wanted values, then the rest without the unwanted, then those; of each the best.
    """
    left = state.due[low]
    for kind in range(3):
        for value in range(WILD, -1, -1):
            if state.wanted[high] >> value & 1:
                is_kind = kind == 0
            elif state.unwanted[high] >> value & 1:
                is_kind = kind == 2
            else:
                is_kind = kind == 1
            if is_kind:
                count = min(left, np.int64(state.held[low, value]))
                state.owed[value] = count
                left -= count


@kernel
def end_giving(rules, state, seat):
    """Judge what a seat has set aside (A8); it changes hands now only if it is to be seen (A7)."""
    if state.rank[seat] > state.rank[partner_of(state, seat)]:
        for value in range(N_VALUES):
            if state.given[seat, value] != state.owed[value]:
                state.wrong[seat] = 1
                state.penalty[seat] = rules.penalty_hands
    if rules.exchange_order == 1:
        hand_over(state, seat)
    state.step += 1


@kernel
def hand_over(state, seat):
    """What a seat has set aside goes to its partner."""
    partner = partner_of(state, seat)
    if partner < 0:
        return
    for value in range(N_VALUES):
        state.received[partner, value] = state.given[seat, value]
        state.held[partner, value] += state.given[seat, value]
    state.n_held[partner] += state.due[seat]


# --- play -----------------------------------------------------------------------------------------


@kernel
def clear_round(state):
    """Nothing lies in the middle, and everybody who has cards is in."""
    state.in_round = state.holders
    state.last_place = -1
    state.last_value = -1
    state.last_count = 0
    state.left = 0


@kernel
def start_round(state, place):
    """A round starts; the seat of this place leads it (A9, A13)."""
    clear_round(state)
    state.phase = PHASE_PLAY
    state.rounds += 1
    state.seat = state.order[place]


@kernel
def apply(rules, state, move):
    """Make a move of the seat to act."""
    seat = state.seat
    kind, value = kind_of(move), value_of(move)
    if kind <= LAY:
        state.turns += 1
        place = state.n - np.int64(state.rank[seat])
        if kind == LAY:
            lay(state, place, value, naturals_of(move), wilds_of(move))
        else:
            state.in_round &= ~(np.int64(1) << place)
        follow(rules, state, place)
    elif kind == GIVE:
        state.held[seat, value] -= 1
        state.given[seat, value] += 1
        state.n_held[seat] -= 1
        state.left -= 1
        if state.left == 0:
            end_giving(rules, state, seat)
            go_on(rules, state)
    else:
        state.left -= 1
        if kind == WANT:
            state.wanted[seat] |= np.int64(1) << value
        elif kind == UNWANT:
            state.unwanted[seat] |= np.int64(1) << value
        if kind == NO_REQUEST or state.left == 0:
            state.step += 1
            go_on(rules, state)


@kernel
def lay(state, place, value, naturals, wilds):
    """A set goes from the hand to the table (A10, A11); who has no cards left is out (A14)."""
    seat = state.seat
    if naturals:
        state.held[seat, value] -= naturals
        state.laid[seat, value] += naturals
        state.unlaid[value] -= naturals
    if wilds:
        state.held[seat, WILD] -= wilds
        state.laid[seat, WILD] += wilds
        state.unlaid[WILD] -= wilds
    state.last_place = place
    state.last_value = value
    state.last_count = naturals + wilds
    state.n_held[seat] -= naturals + wilds
    if state.n_held[seat] == 0:
        state.out[state.n_out] = seat
        state.n_out += 1
        state.holders &= ~(np.int64(1) << place)
        state.in_round &= state.holders


@kernel
def follow(rules, state, place):
    """After a lay or a pass: who is next, or who leads, or the hand's end (A12-A14)."""
    if state.holders & (state.holders - 1) == 0:
        finish_hand(state)
        return
    others = state.in_round & ~(np.int64(1) << state.last_place)
    if state.last_value == WILD and rules.wild_ends_round == 0:
        others = np.int64(0)
    if others:
        state.seat = state.order[next_place(others, place)]
        return
    leader = state.last_place
    if not state.holders >> leader & 1:
        if rules.lead_after_out == 1:
            leader = ctz(state.holders)
        else:
            leader = next_place(state.holders, leader)
    start_round(state, leader)


@kernel
def finish_hand(state):
    """The order of finishing, the penalised below all (A8, A14), is that of the next hand."""
    state.over = 1
    state.out[state.n_out] = state.order[ctz(state.holders)]
    state.n_out += 1
    n = 0
    for punished in range(2):
        for i in range(state.n):
            seat = np.int64(state.out[i])
            if (state.penalty[seat] > 0) == punished:
                state.finish[n] = seat
                n += 1
    for i in range(state.n):
        if state.penalty[state.finish[i]] > 0:
            state.penalty[state.finish[i]] -= 1


# --- what a seat sees and may do ------------------------------------------------------------------


@kernel
def legal(rules, state, view):
    """Fill the view of the seat to act, and its legal moves in the order of the rules' list."""
    seat = state.seat
    if view.rules.n_events:
        # Who will leave and join is not for players to know.
        view.rules.n_events = 0
        for i in range(MAX_EVENTS):
            view.rules.events[i] = 0
    copy(state.rank, view.rank, SEATS)
    copy(state.order, view.order, SEATS)
    copy(state.n_held.view(np.uint8), view.n_held.view(np.uint8), 2 * SEATS)
    copy(state.out, view.out, SEATS)
    copy(state.held[seat], view.hand, LANES)
    copy(state.given[seat], view.given, LANES)
    copy(state.received[seat], view.received, LANES)
    for player in range(state.n_players):
        copy(state.laid[player], view.laid[player], LANES)
    for value in range(N_VALUES):
        view.unseen[value] = state.unlaid[value] - state.held[seat, value]
    if state.phase == PHASE_GIVE:
        for value in range(N_VALUES):
            view.unseen[value] -= state.given[seat, value]
    if state.phase != PHASE_PLAY and rules.exchange_order == 0:
        # All choose before anything is seen (A7): who has set cards aside holds them still.
        for player in range(state.n_players):
            if player != seat:
                for value in range(N_VALUES):
                    view.n_held[player] += state.given[player, value]
    view.n_out = state.n_out
    view.n = state.n
    view.holders = state.holders
    view.in_round = state.in_round
    view.last_place = state.last_place
    view.last_value = state.last_value
    view.last_count = state.last_count
    view.decks = state.decks
    view.rounds = state.rounds
    partner = partner_of(state, seat)
    view.seat = seat
    view.phase = state.phase
    view.place = state.n - np.int64(state.rank[seat])
    view.partner = partner if state.due[seat] > 0 else -1
    view.due = state.due[seat]
    view.left = state.left
    view.penalty = state.penalty[seat]
    view.wanted = 0
    view.unwanted = 0
    if partner >= 0:
        high = seat if state.rank[seat] < state.rank[partner] else partner
        view.wanted = state.wanted[high]
        view.unwanted = state.unwanted[high]
    if state.phase == PHASE_PLAY:
        view.n_moves = list_plays(rules, state, view.hand, view.moves)
    elif state.phase == PHASE_GIVE:
        view.n_moves = list_gifts(view.hand, view.moves)
    else:
        view.n_moves = list_requests(view, view.moves)


@kernel
def list_gifts(hand, moves):
    """A card of each value held (A7)."""
    n = 0
    for value in range(N_VALUES):
        if hand[value]:
            moves[n] = GIVE << 20 | value << 16
            n += 1
    return n


@kernel
def list_requests(view, moves):
    """To name nothing (more), or a value that one wants or does not want (A7)."""
    moves[0] = NO_REQUEST << 20
    n = 1
    named = view.wanted | view.unwanted
    for kind in range(WANT, UNWANT + 1):
        for value in range(N_VALUES):
            if not named >> value & 1:
                moves[n] = kind << 20 | value << 16
                n += 1
    return n


@kernel
def list_plays(rules, state, hand, moves):
    """Every set that leads or follows, by value, naturals and wilds (A9-A12); last, a pass."""
    last, least = state.last_value, max(1, state.last_count)
    same = rules.follow_count == 1 and state.last_count > 0
    wilds = np.int64(hand[WILD])
    spare = wilds if rules.wild_as == 1 else np.int64(0)
    n = 0
    if last < WILD:
        for value in range(last + 1, WILD):
            held = np.int64(hand[value])
            if held and held + spare >= least:
                if spare:
                    n = list_mixed(moves, n, value, held, spare, least, same)
                else:
                    for count in range(least, (least if same else held) + 1):
                        moves[n] = LAY << 20 | value << 16 | count << 8
                        n += 1
        most = min(wilds, least) if same else wilds
        if state.last_count:
            least = max(1, least - rules.wild_discount)
    else:
        least += 1
        most = wilds
    for count in range(least, most + 1):
        moves[n] = LAY << 20 | WILD << 16 | count
        n += 1
    if state.last_count:
        moves[n] = PASS << 20
        n += 1
    return n


@kernel
def list_mixed(moves, n, value, held, spare, least, same):
    """Sets of one value in which wilds may stand for all naturals but one (A11)."""
    for naturals in range(1, held + 1):
        fewest = max(0, least - naturals)
        most = spare
        if same:
            if naturals > least:
                break
            most = min(spare, least - naturals)
        for wilds in range(fewest, most + 1):
            moves[n] = LAY << 20 | value << 16 | naturals << 8 | wilds
            n += 1
    return n


@kernel
def score(rules, state, row):
    """Fill a hand's result: the winner finished first; the score is the rank after it (A14)."""
    row.players = state.n
    row.rounds = state.rounds
    row.winners = 1 << np.int64(state.out[0])
    row.unfinished = 0
    for seat in range(state.n_players):
        row.score[seat] = 0
        row.order_out[seat] = 0
        row.rank_before[seat] = state.rank[seat]
        row.cards_dealt[seat] = state.dealt[seat]
        row.cards_exchanged[seat] = state.due[seat]
        row.wrong_exchanges[seat] = state.wrong[seat]
        given, digit = np.int64(0), 0
        if state.due[seat]:
            for value in range(N_VALUES):
                for _ in range(state.given[seat, value]):
                    given |= np.int64(value + 1) << digit
                    digit += 4
        row.cards_given[seat] = given
    for i in range(state.n):
        row.score[state.finish[i]] = i + 1
        row.order_out[state.out[i]] = i + 1


# --- words ----------------------------------------------------------------------------------------


def describe(move, view) -> tuple[str, str]:
    """A move in notation and in words; see docs/notation/arse_hole.md."""
    kind, value = int(kind_of(move)), VALUE_NAMES[int(value_of(move))]
    naturals, wilds = int(naturals_of(move)), int(wilds_of(move))
    if kind == PASS:
        return "pass", "passes"
    if kind == NO_REQUEST:
        return (
            "no request",
            "asks for nothing more" if view.wanted | view.unwanted else "no request",
        )
    if kind != LAY:
        word = ("give", "want", "unwant")[kind - GIVE]
        verb = ("gives a", "wants every", "does not want any")[kind - GIVE]
        return f"{word} {value}", f"{verb} {value}"
    if not naturals:
        return f"Wx{wilds}", f"lays {wilds} wild"
    if not wilds:
        return f"{value}x{naturals}", f"lays {' '.join(value * naturals)}"
    return f"{value}x{naturals}+{wilds}W", f"lays {' '.join(value * naturals)} with {wilds} wild"


def hands(rules) -> int:
    """Hands a session has (A15)."""
    return int(rules.hands)


def came(before, after) -> list[int]:
    """The cards that came from the deck between two states of one hand: none."""
    return []


def deal_order(rules, state, drawn) -> list[int]:
    """The cards in the order in which they were dealt, the Arse Hole's first."""
    return [int(card) for card in state.deck[: DECK * int(state.decks)]]


def dealt_hands(rules, state) -> list[list[int]]:
    """Each seat's hand as dealt, before the exchange."""
    deck, n = deal_order(rules, state, ()), int(state.n)
    ranks = [int(rank) for rank in state.rank[: state.n_players]]
    return [deck[n - rank :: n] if rank else [] for rank in ranks]


def luck(deals) -> dict:
    """What chance decided besides the cards, from the states as dealt (A4, A15)."""
    leavers = [int(state.leaver) for state in deals[1:]]
    return {
        "first_ranks": [int(rank) for rank in deals[0].rank[: deals[0].n_players]],
        "churn": [None if seat < 0 else seat for seat in leavers],
    }


def show(state) -> list[str]:
    """The table in words, a line each, from the top rank down."""
    names = titles(int(state.n))
    lines = []
    for place in range(int(state.n) - 1, -1, -1):
        seat = int(state.order[place])
        held = [VALUE_NAMES[v] * int(state.held[seat, v]) for v in range(N_VALUES)]
        role = "" if int(state.in_round) >> place & 1 else " (out of the round)"
        lines.append(
            f"seat {seat}, {names[int(state.rank[seat]) - 1]}{role}: "
            f"{' '.join(cards for cards in held if cards) or '-'}"
        )
    if state.last_count:
        wild = "wild" if state.last_value == WILD else VALUE_NAMES[int(state.last_value)]
        lines.append(f"last laid: {int(state.last_count)} x {wild}")
    return lines


play = bind(loop.play, globals())
