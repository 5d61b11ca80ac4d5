"""Phalanx, by Stefan D. Farias: three zones, the higher total takes all cards of a zone.

Two or three players, one deck of 52. Numbers such as P13 are the numbered rules in
docs/rules/phalanx.md. The options are in phalanx_rules.py, the records and what a move is in
phalanx_table.py, what cards are worth in phalanx_worth.py; here is how the game goes.
"""

import numpy as np

from sim import loop
from sim.cards import card_name, names_of
from sim.games.phalanx_rules import Rules, check_table
from sim.games.phalanx_table import (
    MAX_PLAYERS,
    MIDDLE,
    N_ZONES,
    NO_CARD,
    NO_ZONE,
    PHASE_LAY,
    PHASE_OPENING,
    PHASE_RAISE,
    PHASE_REPLY,
    PHASE_TARGET,
    PHASES,
    ROW,
    RULES,
    STATE,
    VIEW,
    ZONE_NAMES,
    ZONE_WORDS,
    card_of,
    target_of,
    zone_of,
)
from sim.games.phalanx_worth import KING, KINGS, QUEEN, seniority, side_total
from sim.jit import bind, ctz, kernel, popcount
from sim.rng import below, shuffle

NAME = "phalanx"
TITLE = "Phalanx"
PLAYERS = range(2, 4)
DEFAULT_PLAYERS = 2
SCORE = "cards owned at the end"  # what a row's scores are
SCORES_ADD = False

#: The contract of `sim.game` is all found in this module.
__all__ = ["PHASES", "ROW", "RULES", "STATE", "VIEW", "Rules", "check_table", "play"]


# --- dealing and rounds ---------------------------------------------------------------------------


@kernel
def deal(rules, state):
    """Shuffle, deal the reserves, and begin the first round (P1)."""
    n_players = state.n_players
    n = 0
    state.kept = 0
    for suit in range(rules.suits):
        for place in range(rules.ranks):
            rank = place if place < rules.ranks - 3 else place + 13 - rules.ranks
            state.deck[n] = 16 * suit + rank
            state.kept |= np.int64(1) << (16 * suit + rank)
            n += 1
    shuffle(state.rng, state.deck, n)
    each = n // n_players
    for seat in range(MAX_PLAYERS):
        state.n_reserve[seat] = 0
        state.shuffled[seat] = 0
        state.hand_cards[seat] = 0
        state.gain[seat] = 0
        state.known[seat] = 0
        state.opening[seat] = 0
        state.chips[seat] = 0
        for zone in range(N_ZONES):
            state.stake[seat, zone] = 0
            state.up[seat, zone] = 0
            state.down[seat, zone] = 0
            state.total[seat, zone] = 0
    place = 0
    for i in range(each):
        for seat in range(n_players):
            state.reserve[seat, each - 1 - i] = state.deck[place]
            place += 1
    for seat in range(n_players):
        state.n_reserve[seat] = each
    for zone in range(N_ZONES):
        state.sides[zone] = (1 << n_players) - 1
    if n_players == 3 and rules.three_players == 1:
        state.sides[0], state.sides[1], state.sides[2] = 0b011, 0b110, 0b101
    elif n_players == 3 and rules.three_players == 2:
        state.sides[0], state.sides[1], state.sides[2] = 0b011, 0b111, 0b011
    state.gone = 0
    state.leader = -1
    state.first_leader = -1
    state.begun = 0
    state.rounds = 0
    state.unfinished = 0
    state.leader_zones = 0
    state.other_zones = 0
    state.tied_zones = 0
    begin_round(rules, state)


@kernel
def begin_round(rules, state):
    """Take the hands of the next round and put the antes, or end the game (P1, P14, P16)."""
    for seat in range(state.n_players):
        if state.n_reserve[seat] < rules.hand_size:
            end_game(state)
            return
    if state.rounds == rules.max_rounds:
        state.unfinished = 1
        end_game(state)
        return
    state.begun += 1
    for seat in range(state.n_players):
        take_hand(rules, state, seat)
    for zone in range(N_ZONES):
        state.closed[zone] = 0
        state.raises[zone] = 0
        state.folded[zone] = 0
    state.raise_zone = NO_ZONE
    state.raiser = -1
    if rules.stakes == 1:
        for seat in range(state.n_players):
            for zone in range(N_ZONES):
                if state.sides[zone] >> seat & 1:
                    put(state, seat, zone, rules.ante)
    if rules.opening == 0 or state.begun == 1:
        state.leader = -1
        state.seat = 0
        state.phase = PHASE_OPENING
    else:
        state.seat = state.leader
        state.phase = PHASE_LAY


@kernel
def take_hand(rules, state, seat):
    """A player takes the top cards of the own reserve.

    A reserve that has been shuffled is not kept in an order: its cards are drawn at random when
    they are taken, which is the same to all and costs a hand's draws, not a whole shuffle.
    """
    n = state.n_reserve[seat]
    hand = np.int64(0)
    for _ in range(rules.hand_size):
        if state.shuffled[seat]:
            place = below(state.rng, n)
            card = np.int64(state.reserve[seat, place])
            state.reserve[seat, place] = state.reserve[seat, n - 1]
            state.reserve[seat, n - 1] = card
        n -= 1
        hand |= np.int64(1) << np.int64(state.reserve[seat, n])
    state.n_reserve[seat] = n
    state.hand_cards[seat] = hand


@kernel
def end_game(state):
    """The chips that still lie on zones go back to those who put them there (P16)."""
    state.over = 1
    for seat in range(MAX_PLAYERS):
        for zone in range(N_ZONES):
            state.chips[seat] += state.stake[seat, zone]
            state.stake[seat, zone] = 0


@kernel
def next_seat(state, seat):
    """The seat after this one."""
    return seat + 1 if seat + 1 < state.n_players else np.int64(0)


@kernel
def end_round(rules, state):
    """Compare the zones, move their cards and chips, and begin the next round (P5, P13, P16)."""
    n_players = state.n_players
    wins = np.int64(0)  # zones won this round, eight bits a seat
    for zone in range(N_ZONES):
        best, winners = np.int64(-1), np.int64(0)
        best_in, winners_in = np.int64(-1), np.int64(0)  # among those who have not folded
        for seat in range(n_players):
            if state.sides[zone] >> seat & 1:
                total = state.total[seat, zone]
                bit = np.int64(1) << seat
                if total >= best:
                    winners = bit if total > best else winners | bit
                    best = total
                if total >= best_in and not state.folded[zone] & bit:
                    winners_in = bit if total > best_in else winners_in | bit
                    best_in = total
        if winners & (winners - 1):
            state.tied_zones += 1
            share_tie(rules, state, zone)
        else:
            winner = ctz(winners)
            wins += np.int64(1) << (8 * winner)
            if winner == state.leader:
                state.leader_zones += 1
            else:
                state.other_zones += 1
            for seat in range(n_players):
                state.gain[winner] |= state.up[seat, zone] | state.down[seat, zone]
        if rules.stakes == 1 and not winners_in & (winners_in - 1):
            take_pot(state, ctz(winners_in), zone)
        for seat in range(n_players):
            state.up[seat, zone] = 0
            state.down[seat, zone] = 0
            state.total[seat, zone] = 0
    for seat in range(n_players):
        add_to_reserve(state, seat)
    if rules.opening == 1:
        lead_by_wins(state, wins)
    state.rounds += 1
    begin_round(rules, state)


@kernel
def share_tie(rules, state, zone):
    """Where the cards of a tied zone go (P13, P15)."""
    for seat in range(state.n_players):
        cards = state.up[seat, zone] | state.down[seat, zone]
        if rules.tie == 1:
            state.gone |= cards
        elif rules.tie == 0:
            state.gain[seat] |= cards
        else:
            state.gain[next_in_zone(state, seat, zone)] |= cards


@kernel
def next_in_zone(state, seat, zone):
    """The next seat after this one that lays in the zone."""
    seat = next_seat(state, seat)
    if not state.sides[zone] >> seat & 1:
        seat = next_seat(state, seat)
    return seat


@kernel
def add_to_reserve(state, seat):
    """The cards that a player has gained go to the reserve, which is shuffled (P5, P13)."""
    cards = state.gain[seat]
    state.gain[seat] = 0
    state.known[seat] |= cards
    if cards:
        state.shuffled[seat] = 1
    n = state.n_reserve[seat]
    while cards:
        state.reserve[seat, n] = ctz(cards)
        n += 1
        cards &= cards - 1
    state.n_reserve[seat] = n


@kernel
def lead_by_wins(state, wins):
    """Who alone won most zones leads the next round; else the leader stays (P2)."""
    most, leader = np.int64(-1), state.leader
    for seat in range(state.n_players):
        won = wins >> (8 * seat) & 255
        if won > most:
            most, leader = won, np.int64(seat)
        elif won == most:
            leader = state.leader
    state.leader = leader


# --- moves ----------------------------------------------------------------------------------------


@kernel
def legal(rules, state, view):
    """Fill the view of the seat to act, and its legal moves: other cards first, then kings."""
    seat, n_players = state.seat, state.n_players
    view.n_players = n_players
    view.seat = seat
    view.phase = state.phase
    view.round_number = state.begun
    view.leader = count_from(state, seat, state.leader)
    hand = state.hand_cards[seat]
    view.hand = hand
    seen = hand
    for i in range(n_players):
        other = seat + i if seat + i < n_players else seat + i - n_players
        for zone in range(N_ZONES):
            view.up[i, zone] = state.up[other, zone]
            view.down[i, zone] = state.down[other, zone]
            view.total[i, zone] = state.total[other, zone]
            seen |= state.up[other, zone] | state.down[other, zone]
        view.n_hand[i] = popcount(state.hand_cards[other])
        if state.phase == PHASE_OPENING and other < seat:
            view.n_hand[i] += 1  # openings are chosen at once: none has left a hand yet (P2)
        view.n_reserve[i] = state.n_reserve[other]
        if rules.memory == 0:
            view.known[i] = state.known[other] & ~hand
            seen |= state.known[other] | state.gone
        if rules.stakes == 1:
            view.chips[i] = state.chips[other]
            for zone in range(N_ZONES):
                view.stake[i, zone] = state.stake[other, zone]
    view.unseen = state.kept & ~seen
    # What the rules in play leave at zero is not written: a view begins as zeros.
    for zone in range(N_ZONES):
        view.sides[zone] = turn_bits(state, seat, state.sides[zone])
        if rules.queen_timing == 1:
            view.closed[zone] = turn_bits(state, seat, state.closed[zone])
        if rules.stakes == 1:
            view.raises[zone] = state.raises[zone]
            view.folded[zone] = turn_bits(state, seat, state.folded[zone])
    view.raise_zone = state.raise_zone
    view.raiser = count_from(state, seat, state.raiser)
    view.king_zone = NO_ZONE
    if state.phase == PHASE_LAY:
        view.n_moves = list_lays(rules, state, view.moves)
    elif state.phase == PHASE_OPENING:
        view.n_moves = list_openings(rules, state, view.moves)
    elif state.phase == PHASE_TARGET:
        view.king_zone = zone_of(state.opening[seat])
        view.n_moves = list_targets(rules, state, view.moves)
    else:
        view.n_moves = list_stakes(rules, state, view.moves)


@kernel
def count_from(state, seat, other):
    """How many seats after `seat` another sits; -1 for none."""
    if other < 0:
        return np.int64(-1)
    return other - seat if other >= seat else other - seat + state.n_players


@kernel
def turn_bits(state, seat, seats):
    """A mask of seats counted from `seat`."""
    n_players = state.n_players
    return (seats >> seat | seats << (n_players - seat)) & ((1 << n_players) - 1)


@kernel
def list_lays(rules, state, moves):
    """One move a card and zone, for a king one a card, zone and target (P4, P10)."""
    seat = state.seat
    hand = state.hand_cards[seat]
    n = 0
    cards = hand & ~KINGS
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        for zone in range(N_ZONES):
            moves[n] = NO_CARD << 16 | zone << 8 | card
            n += state.sides[zone] >> seat & 1
    cards = hand & KINGS
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        for zone in range(N_ZONES):
            if state.sides[zone] >> seat & 1:
                n = list_king(rules, state, moves, n, zone << 8 | card)
    return n


@kernel
def list_king(rules, state, moves, n, lay):
    """The moves of a king laid in a zone: a target each; none where it may or must do nothing."""
    targets = np.int64(0)
    if not state.closed[zone_of(lay)] >> state.seat & 1:
        targets = targets_of(rules, state, state.seat, zone_of(lay))
    if targets == 0 or rules.king_optional == 1:
        moves[n] = NO_CARD << 16 | lay
        n += 1
    while targets:
        moves[n] = ctz(targets) << 16 | lay
        n += 1
        targets &= targets - 1
    return n


@kernel
def targets_of(rules, state, seat, king_zone):
    """The face-up cards that a king in a zone reaches (P10), itself too if it lies there."""
    targets = np.int64(0)
    for other in range(state.n_players):
        if other != seat or rules.king_target == 0:
            for zone in range(N_ZONES):
                if zone == king_zone or rules.king_reach == 1:
                    targets |= state.up[other, zone]
    return targets


@kernel
def list_openings(rules, state, moves):
    """One move a card, in the middle; in any own zone where each zone is for two (P2, P15)."""
    pairwise = state.sides[MIDDLE] == 0b110
    cards = state.hand_cards[state.seat]
    n = 0
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        for zone in range(N_ZONES):
            moves[n] = NO_CARD << 16 | zone << 8 | card
            if pairwise:
                n += state.sides[zone] >> state.seat & 1
            else:
                n += zone == MIDDLE
    return n


@kernel
def opening_targets(rules, state, seat):
    """The targets of a seat's opening king (P12)."""
    move = state.opening[seat]
    return targets_of(rules, state, seat, zone_of(move)) & ~(np.int64(1) << card_of(move))


@kernel
def list_targets(rules, state, moves):
    """An opening king's targets, or none where that is allowed (P10, P12)."""
    lay = state.opening[state.seat] & 0xFFFF
    n = 0
    if rules.king_optional == 1:
        moves[0] = NO_CARD << 16 | lay
        n = 1
    targets = opening_targets(rules, state, state.seat)
    while targets:
        moves[n] = ctz(targets) << 16 | lay
        n += 1
        targets &= targets - 1
    return n


@kernel
def list_stakes(rules, state, moves):
    """A raise: none, or one a zone; a reply: call, or fold (P17)."""
    n = 1
    if state.phase == PHASE_REPLY:
        for reply in range(2):
            moves[reply] = NO_CARD << 16 | state.raise_zone << 8 | reply
        if rules.raise_reply == 0:
            n = 2
        return n
    moves[0] = NO_CARD << 16 | NO_ZONE << 8
    for zone in range(N_ZONES):
        if (
            state.sides[zone] >> state.seat & 1
            and state.folded[zone] == 0
            and state.raises[zone] < rules.max_raises
        ):
            moves[n] = NO_CARD << 16 | zone << 8
            n += 1
    return n


@kernel
def apply(rules, state, move):
    """Make a move of the seat to act."""
    seat, zone, card = state.seat, zone_of(move), card_of(move)
    if state.phase == PHASE_LAY:
        state.turns += 1
        lay_card(rules, state, seat, zone, card, target_of(move))
        state.seat = next_seat(state, seat)
        if state.seat == state.leader:
            if state.hand_cards[state.seat] == 0:
                end_round(rules, state)
            else:
                begin_circle(rules, state)
    elif state.phase == PHASE_RAISE:
        raise_zone(rules, state, zone)
    elif state.phase == PHASE_REPLY:
        reply(rules, state, card)
    else:
        if state.phase == PHASE_OPENING:
            state.turns += 1
            state.opening[seat] = move
            # Others see neither which card it is nor that a known one has left the hand.
            state.hand_cards[seat] &= ~(np.int64(1) << card)
            state.seat = seat + 1
            if state.seat < state.n_players:
                return
            turn_openings_up(rules, state)
        elif target_of(move) != NO_CARD:
            turn_down(rules, state, target_of(move))
        act_openings(rules, state)


@kernel
def lay_card(rules, state, seat, zone, card, target):
    """A card from the hand goes to the own side of a zone, and acts there (P4, P9, P10)."""
    bit = np.int64(1) << card
    state.hand_cards[seat] &= ~bit
    state.known[seat] &= ~bit
    if state.closed[zone] >> seat & 1:
        state.down[seat, zone] |= bit
        return
    state.up[seat, zone] |= bit
    if card & 15 == QUEEN:
        queen_acts(rules, state, seat, zone, bit)
        return
    state.total[seat, zone] = side_total(rules, state.up[seat, zone])
    if target != NO_CARD:
        turn_down(rules, state, target)


@kernel
def queen_acts(rules, state, seat, zone, queen):
    """A queen goes face down, with all cards of the zone's sides that she reaches (P9)."""
    for other in range(state.n_players):
        if rules.queen_scope == 0 or (rules.queen_scope == 1) == (other == seat):
            state.down[other, zone] |= state.up[other, zone]
            state.up[other, zone] = 0
            state.total[other, zone] = 0
            if rules.queen_timing == 1:
                state.closed[zone] |= np.int64(1) << other
    # Where her own side stays up its total stays too: a queen has no value.
    state.up[seat, zone] &= ~queen
    state.down[seat, zone] |= queen


@kernel
def turn_down(rules, state, card):
    """A king turns down a card, wherever it is (P10)."""
    bit = np.int64(1) << card
    for seat in range(state.n_players):
        for zone in range(N_ZONES):
            if state.up[seat, zone] & bit:
                state.up[seat, zone] ^= bit
                state.down[seat, zone] |= bit
                state.total[seat, zone] = side_total(rules, state.up[seat, zone])


@kernel
def turn_openings_up(rules, state):
    """All opening cards are turned up; the senior one leads (P2, P3, P12)."""
    best = np.int64(-1)
    for seat in range(state.n_players):
        card, zone = card_of(state.opening[seat]), zone_of(state.opening[seat])
        bit = np.int64(1) << card
        state.known[seat] &= ~bit
        state.up[seat, zone] |= bit
        state.total[seat, zone] = side_total(rules, state.up[seat, zone])
        if seniority(rules, card) > best:
            best = seniority(rules, card)
            state.leader = seat
    if state.begun == 1:
        state.first_leader = state.leader
    state.acted = 0


@kernel
def act_openings(rules, state):
    """Opening queens and kings act from the leader on, until a king's owner has to choose (P12)."""
    n_players = state.n_players
    while state.acted < n_players:
        seat = (state.leader + state.acted) % n_players
        state.acted += 1
        card, zone = card_of(state.opening[seat]), zone_of(state.opening[seat])
        if not state.up[seat, zone] >> card & 1:
            continue
        if card & 15 == QUEEN:
            queen_acts(rules, state, seat, zone, np.int64(1) << card)
        elif card & 15 == KING and opening_targets(rules, state, seat):
            state.seat = seat
            state.phase = PHASE_TARGET
            return
    begin_circle(rules, state)


# --- stakes ---------------------------------------------------------------------------------------


@kernel
def begin_circle(rules, state):
    """The leader is next: to lay, or with stakes to raise first (P4, P17)."""
    state.seat = state.leader
    state.asked = 0
    state.phase = PHASE_RAISE if rules.stakes == 1 else PHASE_LAY


@kernel
def put(state, seat, zone, chips):
    """A player puts chips on a zone."""
    state.chips[seat] -= chips
    state.stake[seat, zone] += chips


@kernel
def take_pot(state, winner, zone):
    """A player takes all chips of a zone (P16)."""
    for seat in range(state.n_players):
        state.chips[winner] += state.stake[seat, zone]
        state.stake[seat, zone] = 0


@kernel
def raise_zone(rules, state, zone):
    """A raise, to be answered at once, or none (P17)."""
    if zone == NO_ZONE:
        ask_next(state)
        return
    put(state, state.seat, zone, rules["raise"])
    state.raises[zone] += 1
    state.raise_zone = zone
    state.raiser = state.seat
    state.seat = next_in_zone(state, state.seat, zone)
    state.phase = PHASE_REPLY


@kernel
def reply(rules, state, folds):
    """Call or fold. When all have answered, a raiser left alone takes the chips (P17)."""
    seat, zone = state.seat, state.raise_zone
    if folds:
        state.folded[zone] |= np.int64(1) << seat
    else:
        put(state, seat, zone, rules["raise"])
    state.seat = next_in_zone(state, seat, zone)
    if state.seat == state.raiser:
        if state.folded[zone] | np.int64(1) << state.raiser == state.sides[zone]:
            take_pot(state, state.raiser, zone)
        state.raise_zone = NO_ZONE
        state.raiser = -1
        ask_next(state)


@kernel
def ask_next(state):
    """The next player from the leader on may raise; after the last one the leader lays."""
    state.asked += 1
    if state.asked < state.n_players:
        state.seat = (state.leader + state.asked) % state.n_players
        state.phase = PHASE_RAISE
    else:
        state.seat = state.leader
        state.phase = PHASE_LAY


# --- the result -----------------------------------------------------------------------------------


@kernel
def score(rules, state, row):
    """Who owns most cards wins; with `cannot_draw_loses` of those who can draw (P14, P18)."""
    most, winners, can_draw = np.int64(-1), np.int64(0), np.int64(0)
    for seat in range(state.n_players):
        if state.n_reserve[seat] >= rules.hand_size:
            can_draw |= np.int64(1) << seat
    everyone = (np.int64(1) << state.n_players) - 1
    counted = everyone if rules.end_rule == 0 else can_draw
    for seat in range(MAX_PLAYERS):
        owned = state.n_reserve[seat]
        row.score[seat] = owned
        row.chips[seat] = state.chips[seat]
        if counted >> seat & 1 and owned >= most:
            winners = (winners if owned == most else 0) | np.int64(1) << seat
            most = owned
    if counted == 0:
        winners = everyone
    row.winners = 0 if state.unfinished else winners
    row.unfinished = state.unfinished
    row.leader = state.first_leader
    row.rounds = state.rounds
    row.leader_zones = state.leader_zones
    row.other_zones = state.other_zones
    row.tied_zones = state.tied_zones


# --- words ----------------------------------------------------------------------------------------


def describe(move, view) -> tuple[str, str]:
    """A move in notation and in words; see docs/notation/phalanx.md."""
    card, zone, target = int(card_of(move)), int(zone_of(move)), int(target_of(move))
    turned = card_name(target) if target != NO_CARD else "-"
    if view.phase == PHASE_RAISE:
        if zone == NO_ZONE:
            return "no raise", "does not raise"
        return f"raise {ZONE_NAMES[zone]}", f"raises in the {ZONE_WORDS[zone]} zone"
    if view.phase == PHASE_REPLY:
        return ("fold", "folds there") if card else ("call", "calls")
    if view.phase == PHASE_TARGET:
        return f"x {turned}", f"turns down {turned if target != NO_CARD else 'nothing'}"
    short = f"{card_name(card)}@{ZONE_NAMES[zone]}"
    words = f"lays {card_name(card)} in the {ZONE_WORDS[zone]} zone"
    if target != NO_CARD:
        return f"{short} x {turned}", f"{words} and turns down {turned}"
    return short, words


def hands(rules) -> int:
    """Hands a game has: one, however many rounds it lasts."""
    return 1


def came(before, after) -> list[int]:
    """The hands that were taken between two states, seat after seat, top card first."""
    if after.begun == before.begun:
        return []
    drawn = []
    for seat in range(after.n_players):
        n, size = int(after.n_reserve[seat]), int(after.hand_cards[seat]).bit_count()
        drawn += [int(card) for card in after.reserve[seat, n : n + size][::-1]]
    return drawn


def deal_order(rules, state, drawn) -> list[int]:
    """The deck in the order in which it was dealt."""
    return [int(card) for card in state.deck[: rules.ranks * rules.suits]]


def dealt_hands(rules, state) -> list[list[int]]:
    """Each player's first hand."""
    n = int(state.n_players)
    return [[int(card) for card in state.deck[seat : n * rules.hand_size : n]] for seat in range(n)]


def show(state) -> list[str]:
    """The table in words, a line a seat; cards in brackets lie face down."""
    lines = []
    for seat in range(state.n_players):
        zones = []
        for zone in range(N_ZONES):
            if state.sides[zone] >> seat & 1:
                up, down = names_of(state.up[seat, zone]), names_of(state.down[seat, zone])
                cards = up + ([f"({' '.join(down)})"] if down else [])
                zones.append(f"{ZONE_NAMES[zone]}: {' '.join(cards) or '-'}")
        lines.append(
            f"seat {seat}: hand {' '.join(names_of(state.hand_cards[seat])) or '-'}"
            f" | {' | '.join(zones)} | reserve {int(state.n_reserve[seat])} cards"
        )
    stakes = [int(state.stake[:, zone].sum()) for zone in range(N_ZONES)]
    if any(stakes):
        chips = " ".join(str(int(chips)) for chips in state.chips[: state.n_players])
        lines.append(f"chips on L M R: {stakes[0]} {stakes[1]} {stakes[2]} | net by seat: {chips}")
    return lines


play = bind(loop.play, globals())
