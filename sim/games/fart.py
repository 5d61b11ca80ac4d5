"""Fart, by Kevin Lim and Stanley Lin (1999): push your piles to the other side.

Two players, one deck of 52. Numbers such as F13 are the numbered rules in docs/rules/fart.md.
A move is an integer ``kind << 16 | card << 8 | target``; `kind_of`, `card_of` and `target_of` take
it apart.
"""

import dataclasses

import numpy as np

from sim import loop
from sim.cards import N_RANKS, RANK_NAMES, SUIT_NAMES, card_name, names_of
from sim.errors import UsageError
from sim.game import ROW_FIELDS, STATE_FIELDS, RuleSet, option, view_fields
from sim.jit import bind, ctz, kernel, popcount
from sim.rng import shuffle

NAME = "fart"
TITLE = "Fart"
PLAYERS = range(2, 3)
DEFAULT_PLAYERS = 2
SCORE = "final count of cards"  # what a row's scores are


@dataclasses.dataclass(frozen=True)
class Rules(RuleSet):
    """The options of Fart; each names its rule."""

    hand_size: int = option(7, range(1, 27), "F1", "cards dealt to each player")
    immediate_pairs: str = option(
        "on", ("on", "off"), "F5", "whether pairs in hand go to the bank at once"
    )
    four_of_a_kind: str = option(
        "two", ("two", "all"), "F4", "how many of four of a kind go down at once"
    )
    refill: int = option(5, range(1, 53), "F6", "cards that an empty hand draws")
    discard_move_counts: str = option(
        "no", ("no", "yes"), "F7", "whether moving a discard to the bank counts as playing a card"
    )
    empty_by_end_pair: str = option(
        "next_turn",
        ("next_turn", "at_once"),
        "F9",
        "when a hand refills that the pairs of its end draw have emptied",
    )
    stand_alone: str = option(
        "if_no_legal_pile",
        ("if_no_legal_pile", "always_allowed"),
        "F13",
        "when a card may stand alone in the bank",
    )
    special_reach: str = option(
        "both_banks", ("both_banks", "own_bank"), "F17", "where a special goes on any pile"
    )
    special_rides: str = option(
        "passenger",
        ("passenger", "closes"),
        "F17",
        "whether a special closes the pile that it went on to all but specials",
    )
    special_take: str = option(
        "optional", ("optional", "forced"), "F17a", "whether discarding a special must take a card"
    )
    discard_moves: int = option(
        1, range(0, 53), "F18", "how often a turn the discard's top may go to the bank"
    )
    special_from_discard: str = option(
        "pushes_any",
        ("pushes_any", "ordinary"),
        "F18",
        "whether a special from the discard goes on any pile",
    )
    tie: str = option("draw", ("draw",), "F20", "equal counts: a draw, counted as such")
    discard_memory: str = option(
        "full", ("full", "top_only"), "F21", "how much of the discards a player remembers"
    )
    ranks: int = option(13, range(2, 14), "small decks", "ranks kept, from the ace up")
    suits: int = option(
        4, range(1, 5), "small decks", "suits kept: spades, hearts, diamonds, clubs"
    )

    def check(self) -> None:
        """Refuse a deal that cannot give both players their hand (F1)."""
        if 2 * self.hand_size > self.ranks * self.suits:
            raise UsageError(
                f"hand_size {self.hand_size} deals {2 * self.hand_size} cards, but a deck of "
                f"{self.ranks} ranks x {self.suits} suits has {self.ranks * self.suits} (F1)"
            )


RULES = Rules.dtype()
DECK = 52
NO_CARD = 255
MAX_PILES = 52  # a deck of lone cards
MAX_MOVES = 640  # more than any hand has: see the count in tests/sim/games/test_fart.py

CLOSED = 1 << 16  # in a span: a special has closed the pile to all but specials

#: Kinds of moves.
DRAW, DISCARD, TAKE, ALONE, PUSH, GIVE, RUN, MOVE_ALONE, MOVE_PUSH, END, PAIR = range(11)
#: Phases: choosing which pair of three or four goes down, or playing.
PHASE_PAIR, PHASE_PLAY = range(2)
PHASES = ("pair", "play")
#: Stages of a turn, between which immediate pairs are laid.
OPENING, IN_TURN, ENDING, ENDED = range(4)

STATE = np.dtype(
    STATE_FIELDS
    + [
        ("deck", np.uint8, DECK),
        ("top", np.int64),  # next card from the top of the deck
        ("bottom", np.int64),  # one past the next card from the bottom
        ("specials", np.int64),
        ("kept", np.int64),  # all cards of the game
        ("hand_cards", np.int64, 2),
        ("known", np.int64, 2),  # cards of this hand that the other player has seen go there
        ("table", np.int64),  # all cards in banks and discards
        ("n_piles", np.int64, 2),
        ("pile", np.int64, (2, MAX_PILES)),  # the cards of a pile
        ("accept", np.int64, (2, MAX_PILES)),  # the cards that match it by rank or run
        ("span", np.int32, (2, MAX_PILES)),  # a run's ends, low << 8 | high, 0 if none; CLOSED
        ("n_discard", np.int64, 2),
        ("discard", np.uint8, (2, DECK)),  # bottom first
        ("phase", np.int64),
        ("stage", np.int64),
        ("pending", np.int64),  # ranks whose pairs still have to go down, a bit a rank
        ("drew_first", np.int64),
        ("acted", np.int64),
        ("counted", np.int64),  # whether F7 holds
        ("moves_left", np.int64),  # moves from the discard that are left this turn
        ("turns_left", np.int64),  # turns after this one, -1 while the deck lasts
    ]
)
VIEW = np.dtype(
    view_fields(RULES, MAX_MOVES)
    + [
        ("specials", np.int64),  # mask
        ("hand", np.int64),  # mask of the own hand
        ("other_known", np.int64),  # mask: cards known to be in the other hand
        ("unseen", np.int64),  # mask: the deck and the rest of the other hand
        ("n_other_hand", np.int64),
        ("n_deck", np.int64),
        ("turn", np.int64),
        ("turns_left", np.int64),  # after this one; -1 while the deck lasts
        ("acted", np.int64),
        ("drew_first", np.int64),
        ("counted", np.int64),
        ("moves_left", np.int64),
        ("n_own", np.int64),  # piles in the own bank
        ("n_other", np.int64),
        ("own", np.int64, MAX_PILES),  # masks
        ("other", np.int64, MAX_PILES),
        ("own_accept", np.int64, MAX_PILES),
        ("other_accept", np.int64, MAX_PILES),
        ("n_own_discard", np.int64),
        ("n_other_discard", np.int64),
        ("own_discard", np.uint8, DECK),  # bottom first; with top_only only the last is filled
        ("other_discard", np.uint8, DECK),
    ]
)
ROW = np.dtype(ROW_FIELDS + [("score", np.int32, 2)])


@kernel
def kind_of(move):
    """What a move does: `DRAW`, `DISCARD`, ..., `PAIR`."""
    return np.int64(move) >> 16


@kernel
def card_of(move):
    """The card of a move; the lowest card's rank for a run is ``card & 15``."""
    return (np.int64(move) >> 8) & 255


@kernel
def target_of(move):
    """The pile's place in its bank; a run's highest rank (13: the ace); a pair's other card."""
    return np.int64(move) & 255


@kernel
def rank_mask(rank):
    """The four cards of a rank."""
    return np.int64(0x0001000100010001) << rank


@kernel
def run_accept(rules, suit, low, high):
    """The cards next to either end of a run (F16); an ace at an end closes that end."""
    lane = np.int64(1) << (16 * suit)
    accept = np.int64(0)
    if low > 0:
        accept |= lane << (low - 1)
    if high + 1 < rules.ranks:
        accept |= lane << (high + 1)
    elif high == N_RANKS - 1:
        accept |= lane
    return accept


# --- dealing and drawing --------------------------------------------------------------------------


@kernel
def deal(rules, state):
    """Shuffle, deal, and lay the first pairs (F1-F5)."""
    n = 0
    state.kept = 0
    for suit in range(rules.suits):
        for rank in range(rules.ranks):
            state.deck[n] = 16 * suit + rank
            state.kept |= np.int64(1) << (16 * suit + rank)
            n += 1
    shuffle(state.rng, state.deck, n)
    state.specials = 0
    for rank in range(max(0, rules.ranks - 3), rules.ranks):
        state.specials |= np.int64(1) << rank
    state.top = 2 * rules.hand_size
    state.bottom = n
    state.table = 0
    state.acted = state.drew_first = state.counted = state.moves_left = 0
    for seat in range(2):
        state.hand_cards[seat] = 0
        state.known[seat] = 0
        state.n_piles[seat] = 0
        state.n_discard[seat] = 0
        for i in range(DECK):
            state.discard[seat, i] = NO_CARD
    for i in range(2 * rules.hand_size):
        state.hand_cards[i & 1] |= np.int64(1) << np.int64(state.deck[i])
    state.seat = 0
    state.stage = OPENING
    state.turns_left = 1 if state.top == state.bottom else -1
    state.pending = all_pairs(rules, state)
    settle(rules, state)


@kernel
def all_pairs(rules, state):
    """Every rank with a pair in hand, a bit a rank (F2)."""
    if rules.immediate_pairs:
        return 0
    hand = state.hand_cards[state.seat]
    s, h, d, c = hand & 8191, hand >> 16 & 8191, hand >> 32 & 8191, hand >> 48 & 8191
    return (s & h) | (d & c) | ((s | h) & (d | c))


@kernel
def draw(rules, state, n):
    """Draw cards for the seat to act, as many as there are (F11); note their ranks' pairs (F10).

    Seat 0 draws from the top of the deck and seat 1 from the bottom. In a shuffled deck that is the
    same game, and the two games of a pair stay alike for longer.
    """
    n = min(n, state.bottom - state.top)
    if n == 0:
        return
    seat = state.seat
    ranks = 0
    for _ in range(n):
        if seat == 0:
            card = np.int64(state.deck[state.top])
            state.top += 1
        else:
            state.bottom -= 1
            card = np.int64(state.deck[state.bottom])
        state.hand_cards[seat] |= np.int64(1) << card
        ranks |= np.int64(1) << (card & 15)
    state.pending = ranks & all_pairs(rules, state)
    if state.top == state.bottom:
        # F19: the last turn is the other player's next one, or one's own after that.
        state.turns_left = 1 if state.stage == IN_TURN else 2


@kernel
def lay_pair(state, first, second):
    """Two cards of the hand become a new pile in the own bank (F2)."""
    cards = np.int64(1) << first | np.int64(1) << second
    leave_hand(state, cards)
    add_pile(state, state.seat, cards, rank_mask(first & 15), 0)


@kernel
def settle(rules, state):
    """Lay pairs and move on from stage to stage, until a player has to choose."""
    while True:
        while state.pending:
            rank = ctz(state.pending)
            cards = state.hand_cards[state.seat] & rank_mask(rank)
            n = popcount(cards)
            if n == 3 or (n == 4 and rules.four_of_a_kind == 0):
                state.phase = PHASE_PAIR
                return
            state.pending &= state.pending - 1
            while cards:
                first = ctz(cards)
                cards &= cards - 1
                lay_pair(state, first, ctz(cards))
                cards &= cards - 1
        if state.stage == OPENING:
            if state.seat == 0:
                state.seat = 1
                state.pending = all_pairs(rules, state)
                continue
            begin_turn(rules, state, 0)
        elif state.stage == IN_TURN:
            state.phase = PHASE_PLAY
            return
        else:
            if state.stage == ENDING and rules.empty_by_end_pair == 1:
                state.stage = ENDED
                if state.hand_cards[state.seat] == 0:
                    draw(rules, state, rules.refill)
                    continue
            if state.turns_left == 0:
                state.over = 1
                return
            if state.turns_left > 0:
                state.turns_left -= 1
            begin_turn(rules, state, 1 - state.seat)


@kernel
def begin_turn(rules, state, seat):
    """Start a turn; an empty hand draws first (F6)."""
    state.seat = seat
    state.turns += 1
    state.stage = IN_TURN
    state.acted = 0
    state.drew_first = 0
    state.counted = 0
    state.moves_left = rules.discard_moves
    if state.hand_cards[seat] == 0:
        state.acted = 1
        state.drew_first = 1
        draw(rules, state, rules.refill)


# --- piles ----------------------------------------------------------------------------------------


@kernel
def leave_hand(state, cards):
    """Cards go from the hand to the table."""
    seat = state.seat
    state.hand_cards[seat] &= ~cards
    state.known[seat] &= ~cards
    state.table |= cards


@kernel
def add_pile(state, seat, cards, accept, span):
    """A pile comes to a bank, after those that are there."""
    n = state.n_piles[seat]
    state.pile[seat, n] = cards
    state.accept[seat, n] = accept
    state.span[seat, n] = span
    state.n_piles[seat] = n + 1


@kernel
def join(rules, state, seat, place, card):
    """A card joins a pile and leaves it where it is (F14-F17)."""
    bit = np.int64(1) << card
    state.pile[seat, place] |= bit
    span = np.int64(state.span[seat, place])
    if not state.accept[seat, place] & bit:
        if rules.special_rides == 1:
            state.accept[seat, place] &= state.specials
            state.span[seat, place] = span | CLOSED
    elif span & ~CLOSED:
        low, high, rank = span >> 8 & 255, span & 255, card & 15
        if rank == low - 1:
            low = rank
        else:
            high = rank if rank else N_RANKS
        state.span[seat, place] = span & CLOSED | low << 8 | high
        accept = run_accept(rules, card >> 4, low, high)
        state.accept[seat, place] = accept & state.specials if span & CLOSED else accept


@kernel
def push(state, place):
    """A pile of the own bank goes over to the other (F13)."""
    seat = state.seat
    add_pile(
        state, 1 - seat, state.pile[seat, place], state.accept[seat, place], state.span[seat, place]
    )
    n = state.n_piles[seat] - 1
    state.n_piles[seat] = n
    for i in range(place, n):
        state.pile[seat, i] = state.pile[seat, i + 1]
        state.accept[seat, i] = state.accept[seat, i + 1]
        state.span[seat, i] = state.span[seat, i + 1]


# --- moves ----------------------------------------------------------------------------------------


@kernel
def legal(rules, state, view):
    """Fill the view of the seat to act, and its legal moves in the order of the rules' list."""
    seat = state.seat
    other = 1 - seat
    hand = state.hand_cards[seat]
    view.seat = seat
    view.phase = state.phase
    view.specials = state.specials
    view.hand = hand
    view.other_known = state.known[other]
    view.n_other_hand = popcount(state.hand_cards[other])
    view.n_deck = state.bottom - state.top
    view.turn = state.turns
    view.turns_left = state.turns_left
    view.acted = state.acted
    view.drew_first = state.drew_first
    view.counted = state.counted
    view.moves_left = state.moves_left
    n_own, n_other = state.n_piles[seat], state.n_piles[other]
    view.n_own = n_own
    view.n_other = n_other
    unseen = state.kept & ~(hand | state.table | state.known[other])
    n_own, n_other = state.n_discard[seat], state.n_discard[other]
    view.n_own_discard = n_own
    view.n_other_discard = n_other
    for i in range(DECK):
        view.own_discard[i] = state.discard[seat, i]
        view.other_discard[i] = state.discard[other, i]
    if rules.discard_memory == 1:
        unseen |= forget(view.own_discard, n_own - 1) | forget(view.other_discard, n_other - 1)
    view.unseen = unseen
    if state.phase == PHASE_PAIR:
        for place in range(state.n_piles[seat]):
            show_pile(state, seat, place, view.own, view.own_accept)
        for place in range(state.n_piles[other]):
            show_pile(state, other, place, view.other, view.other_accept)
        view.n_moves = list_pairs(state, view.moves)
    else:
        view.n_moves = list_plays(rules, state, view)


@kernel
def show_pile(state, seat, place, piles, accepts):
    """Put a pile of a bank into a view; return the cards that match it.

    A pile at a time, where the moves are listed: a loop of its own becomes vector moves, which wait
    for the single piles written just before (a tenth of all time, measured).
    """
    accept = state.accept[seat, place]
    piles[place] = state.pile[seat, place]
    accepts[place] = accept
    return accept


@kernel
def forget(discard, n):
    """Blank the first n cards of a discard; return them as a mask."""
    cards = np.int64(0)
    for i in range(n):
        cards |= np.int64(1) << np.int64(discard[i])
        discard[i] = NO_CARD
    return cards


@kernel
def list_cards(moves, n, head, cards, place):
    """One move a card of a mask. Most masks hold one or none: those take no branch."""
    moves[n] = head | ctz(cards) << 8 | place
    n += cards != 0
    cards &= cards - 1
    while cards:
        moves[n] = head | ctz(cards) << 8 | place
        n += 1
        cards &= cards - 1
    return n


@kernel
def list_pairs(state, moves):
    """Which two of three or four go down (F3, F4)."""
    cards = state.hand_cards[state.seat] & rank_mask(ctz(state.pending))
    n = 0
    while cards:
        first = ctz(cards)
        cards &= cards - 1
        others = cards
        while others:
            moves[n] = PAIR << 16 | first << 8 | ctz(others)
            n += 1
            others &= others - 1
    return n


@kernel
def list_plays(rules, state, view):
    """What may be done in a turn (F6-F8, F12-F18); put the piles into the view on the way."""
    moves = view.moves
    seat = state.seat
    other = 1 - seat
    hand = state.hand_cards[seat]
    specials = state.specials
    n = 0
    if not state.acted and state.top < state.bottom:
        moves[n] = DRAW << 16
        n += 1
    takes = state.n_discard[other] > 0
    cards = hand
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        takes_now = takes and (specials >> card) & 1
        if not takes_now or rules.special_take == 0:
            moves[n] = DISCARD << 16 | card << 8
            n += 1
        if takes_now:
            moves[n] = TAKE << 16 | card << 8
            n += 1
    joined = np.int64(0)
    n_own, n_other = state.n_piles[seat], state.n_piles[other]
    for place in range(n_own):
        accept = show_pile(state, seat, place, view.own, view.own_accept)
        cards = hand & (accept | specials)
        joined |= cards
        n = list_cards(moves, n, PUSH << 16, cards, place)
    n = list_cards(moves, n, ALONE << 16, hand if rules.stand_alone == 1 else hand & ~joined, 0)
    reach = specials if rules.special_reach == 0 else np.int64(0)
    for place in range(n_other):
        accept = show_pile(state, other, place, view.other, view.other_accept)
        cards = hand & (accept | reach)
        n = list_cards(moves, n, GIVE << 16, cards, place)
    if hand & hand >> 1 & (hand >> 2 | rank_mask(N_RANKS - 2)):
        n = list_runs(rules, hand, moves, n)
    if state.moves_left and state.n_discard[seat]:
        card = np.int64(state.discard[seat, state.n_discard[seat] - 1])
        bit = np.int64(1) << card
        everywhere = specials & bit if rules.special_from_discard == 0 else np.int64(0)
        first = n
        for place in range(n_own):
            moves[n] = MOVE_PUSH << 16 | card << 8 | place
            n += (everywhere | state.accept[seat, place] & bit) != 0
        if n == first or rules.stand_alone == 1:
            moves[n] = MOVE_ALONE << 16 | card << 8
            n += 1
    if state.counted or hand == 0:
        moves[n] = END << 16
        n += 1
    return n


@kernel
def list_runs(rules, hand, moves, n):
    """Three or more consecutive cards of one suit from the hand (F16)."""
    for suit in range(rules.suits):
        lane = hand >> (16 * suit) & 8191
        if rules.ranks == N_RANKS and lane & 1:
            lane |= 1 << N_RANKS
        for low in range(N_RANKS - 1):
            high = low
            while lane >> high & 1:
                if high - low >= 2 and high - low < N_RANKS:
                    moves[n] = RUN << 16 | (16 * suit + low) << 8 | high
                    n += 1
                high += 1
    return n


@kernel
def apply(rules, state, move):
    """Make a move of the seat to act."""
    seat = state.seat
    kind, card, target = kind_of(move), card_of(move), target_of(move)
    bit = np.int64(1) << card
    if kind == PAIR:
        state.pending &= state.pending - 1
        lay_pair(state, card, target)
        settle(rules, state)
        return
    if kind == END:
        state.stage = ENDING
        if state.hand_cards[seat] == 0:
            draw(rules, state, rules.refill)
        elif not state.drew_first:
            draw(rules, state, 1)
        settle(rules, state)
        return
    state.acted = 1
    if kind == DRAW:
        state.drew_first = 1
        draw(rules, state, 1)
        settle(rules, state)
        return
    if kind == MOVE_ALONE or kind == MOVE_PUSH:
        state.n_discard[seat] -= 1
        state.discard[seat, state.n_discard[seat]] = NO_CARD
        state.moves_left -= 1
        if rules.discard_move_counts == 1:
            state.counted = 1
    elif kind != RUN:
        leave_hand(state, bit)
        state.counted = 1
    if kind == DISCARD or kind == TAKE:
        state.discard[seat, state.n_discard[seat]] = card
        state.n_discard[seat] += 1
        if kind == TAKE:
            state.n_discard[1 - seat] -= 1
            taken = np.int64(1) << np.int64(state.discard[1 - seat, state.n_discard[1 - seat]])
            state.discard[1 - seat, state.n_discard[1 - seat]] = NO_CARD
            state.hand_cards[seat] |= taken
            state.known[seat] |= taken
            state.table &= ~taken
    elif kind == ALONE or kind == MOVE_ALONE:
        add_pile(state, seat, bit, rank_mask(card & 15), 0)
    elif kind == PUSH or kind == MOVE_PUSH:
        join(rules, state, seat, target, card)
        push(state, target)
    elif kind == GIVE:
        join(rules, state, 1 - seat, target, card)
    else:
        low = card & 15
        cards = ((np.int64(1) << (target + 1)) - (np.int64(1) << low)) & 8191
        if target == N_RANKS:
            cards |= 1
        cards <<= card - low
        leave_hand(state, cards)
        state.counted = 1
        add_pile(state, seat, cards, run_accept(rules, card >> 4, low, target), low << 8 | target)


@kernel
def score(rules, state, row):
    """Count every player's cards; the fewest win (F20)."""
    for seat in range(2):
        count = popcount(state.hand_cards[seat]) + state.n_discard[seat]
        for place in range(state.n_piles[seat]):
            count += popcount(state.pile[seat, place])
        row.score[seat] = count
    row.winners = (row.score[0] <= row.score[1]) | (row.score[1] <= row.score[0]) << 1
    row.unfinished = 0


# --- words ----------------------------------------------------------------------------------------


def describe(move, view) -> tuple[str, str]:
    """A move in notation and in words; see docs/notation/fart.md."""
    kind, card, target = int(kind_of(move)), int(card_of(move)), int(target_of(move))
    if kind == DRAW:
        return "draw", "draws a card"
    if kind == END:
        return "end", "ends the turn"
    if kind == PAIR:
        first, second = names_of(1 << card | 1 << target)
        return f"pair {first} {second}", f"lays the pair {first} {second}"
    if kind == RUN:
        suit = SUIT_NAMES[card >> 4]
        low, high = RANK_NAMES[card & 15] + suit, RANK_NAMES[target % N_RANKS] + suit
        return f"run {low}-{high}", f"lays the run {low} to {high} in the own bank"
    name = card_name(card)
    if kind == DISCARD:
        return f"discard {name}", f"discards {name}"
    if kind == TAKE:
        taken = card_name(view.other_discard[view.n_other_discard - 1])
        return f"discard {name} take {taken}", f"discards {name} and takes {taken}"
    if kind == ALONE:
        return f"bank {name}", f"lays {name} alone in the own bank"
    if kind == MOVE_ALONE:
        return f"move {name}", f"moves {name} from the discard to the own bank"
    piles = view.other if kind == GIVE else view.own
    pile = "".join(names_of(piles[target]))
    if kind == GIVE:
        return f"give {name} on {pile}", f"gives {name} to the pile {pile} on the other side"
    if kind == PUSH:
        return f"bank {name} on {pile}", f"plays {name} on {pile} and pushes the pile"
    return f"move {name} on {pile}", f"moves {name} from the discard on {pile} and pushes the pile"


def hands(rules) -> int:
    """Hands a game has: one."""
    return 1


def came(before, after) -> list[int]:
    """The cards drawn between two states, in the order in which they were drawn."""
    top = [int(c) for c in after.deck[before.top : after.top]]
    bottom = [int(c) for c in after.deck[after.bottom : before.bottom][::-1]]
    return top + bottom if before.seat == 0 else bottom + top


def deal_order(rules, state, drawn) -> list[int]:
    """The deck in the order in which it was dealt and drawn; `state` is the table as dealt."""
    dealt = [int(c) for c in state.deck[: state.top]]
    left = [int(c) for c in state.deck[state.top : state.bottom]]
    return dealt + list(drawn) + [c for c in left if c not in drawn]


def dealt_hands(rules, state) -> list[list[int]]:
    """Each hand as dealt, before any pair goes down."""
    return [[int(c) for c in state.deck[seat : state.top : 2]] for seat in range(2)]


def show(state) -> list[str]:
    """The table in words, a line each."""
    lines = []
    for seat in range(2):
        piles = ["".join(names_of(p)) for p in state.pile[seat, : state.n_piles[seat]]]
        discard = [card_name(c) for c in state.discard[seat, : state.n_discard[seat]]]
        lines.append(
            f"seat {seat}: hand {' '.join(names_of(state.hand_cards[seat])) or '-'}"
            f" | bank {' '.join(piles) or '-'} | discard {' '.join(discard) or '-'}"
        )
    lines.append(f"deck: {int(state.bottom - state.top)} cards")
    return lines


play = bind(loop.play, globals())
