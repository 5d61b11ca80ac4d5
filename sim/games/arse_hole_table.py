"""What Arse Hole's engine and its players see of a table: records, values, and what a move is.

A hand is a count for each *value*: 0 to 11 for 3 to ace, 12 for wilds. A seat is a player: it keeps
its seat for the session while its *rank* changes from 1 (King) to n (Arse Hole). A *place* counts
the ranks in playing order: place 0 is the Arse Hole, place n - 1 the King. A move is an integer
``kind << 20 | value << 16 | naturals << 8 | wilds``; `kind_of`, `value_of`, `naturals_of` and
`wilds_of` take it apart.
"""

import numpy as np

from sim.cards import JOKERS, small_deck
from sim.game import ROW_FIELDS, STATE_FIELDS, view_fields
from sim.games.arse_hole_rules import MAX_DECKS, Rules
from sim.jit import kernel

MAX_PLAYERS = 20
RULES = Rules.dtype()
DECK = 54
MAX_CARDS = MAX_DECKS * DECK
WILD = 12
N_VALUES = 13
VALUE_NAMES = "3456789TJQKAW"
VALUE_OF_RANK = np.array([11, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12], np.int64)
CARDS = np.array(small_deck() + list(JOKERS), np.int64)
# The most moves are those with any_value: for c cards of a value c * (1 + wilds) sets, and a set
# for each number of wilds. Of two players' 405 cards with 15 decks at most the 90 wilds that there
# are can be wild, and fewer wilds make fewer sets. Who follows a single three without one of its
# own has all these sets and the pass.
MAX_MOVES = 315 * 91 + 90 + 1
# Counts by value and lists of seats are bytes that are copied as words, so both are padded.
LANES, SEATS = 16, 24

#: Kinds of moves.
PASS, LAY, GIVE, WANT, UNWANT, NO_REQUEST = range(6)
#: Phases.
PHASE_REQUEST, PHASE_GIVE, PHASE_PLAY = range(3)
PHASES = ("request", "give", "play")


#: What all may see: a view has it as it stands.
PUBLIC_FIELDS = [
    ("rank", np.uint8, SEATS),  # of a seat; 0 for a seat that is not at the table
    ("order", np.uint8, SEATS),  # the seat of a place
    ("n_held", np.int16, SEATS),  # cards of a seat
    ("out", np.uint8, SEATS),  # the seats in the order in which they ran out of cards
    ("n_out", np.int64),
    ("n", np.int64),  # players at the table
    ("holders", np.int64),  # places that have cards, a bit a place
    ("in_round", np.int64),  # those of them that have not passed in this round
    ("last_place", np.int64),  # who laid last in this round, -1 before the lead
    ("last_value", np.int64),  # -1 before the lead
    ("last_count", np.int64),  # 0 before the lead
    ("decks", np.int64),
    ("rounds", np.int64),
]
STATE = np.dtype(
    STATE_FIELDS
    + PUBLIC_FIELDS
    + [
        ("held", np.uint8, (MAX_PLAYERS, LANES)),  # counts by value, as all these
        ("laid", np.uint8, (MAX_PLAYERS, LANES)),
        ("given", np.uint8, (MAX_PLAYERS, LANES)),
        ("received", np.uint8, (MAX_PLAYERS, LANES)),
        ("unlaid", np.uint8, LANES),  # of all seats together
        ("owed", np.uint8, LANES),  # what the lower of the pair has to give
        ("dealt", np.int64, MAX_PLAYERS),  # cards
        ("due", np.int64, MAX_PLAYERS),  # cards that the seat exchanges
        ("phase", np.int64),
        ("step", np.int64),  # of the exchange
        ("left", np.int64),  # cards to give or values to name that are left to the seat
        ("wanted", np.int64, MAX_PLAYERS),  # values that the seat named, a bit a value
        ("unwanted", np.int64, MAX_PLAYERS),
        ("wrong", np.int64, MAX_PLAYERS),  # whether the seat gave other than due this hand
        ("penalty", np.int64, MAX_PLAYERS),  # hands that the seat still has to be Arse Hole
        ("finish", np.int64, MAX_PLAYERS),  # seats, from the next hand's King down
        ("leaver", np.int64),  # whose player chance replaced before this hand, -1 for nobody
        ("n_events", np.int64),  # of the script, that are done
        ("deck", np.uint8, MAX_CARDS),  # cards in dealing order
        ("drawn", np.uint8, DECK),  # the cards that decided the first ranks (A4), by seat
    ]
)
VIEW = np.dtype(
    view_fields(RULES, MAX_MOVES)
    + PUBLIC_FIELDS
    + [
        ("place", np.int64),  # the own one
        ("partner", np.int64),  # whom one exchanges with, -1 for nobody
        ("due", np.int64),  # cards to exchange with it
        ("left", np.int64),  # cards still to give, or values still to name
        ("wanted", np.int64),  # values named between the two, a bit a value
        ("unwanted", np.int64),
        ("penalty", np.int64),  # hands that one still has to be Arse Hole
        ("hand", np.uint8, LANES),  # the own counts by value, as all these
        ("unseen", np.uint8, LANES),  # not laid, and not one's own
        ("given", np.uint8, LANES),  # in the exchange
        ("received", np.uint8, LANES),
        ("laid", np.uint8, (MAX_PLAYERS, LANES)),  # in this hand, by seat
    ]
)
ROW = np.dtype(
    ROW_FIELDS
    + [
        ("players", np.int32),  # at the table
        ("rounds", np.int32),
        ("score", np.int32, MAX_PLAYERS),  # the rank after the hand; 0: not at the table
        ("rank_before", np.int8, MAX_PLAYERS),
        ("order_out", np.int8, MAX_PLAYERS),  # 1 for who finished first
        ("cards_dealt", np.int16, MAX_PLAYERS),
        ("cards_exchanged", np.int8, MAX_PLAYERS),
        ("wrong_exchanges", np.int8, MAX_PLAYERS),
        ("cards_given", np.int64, MAX_PLAYERS),  # a hexadecimal digit a card, 1 for a 3 to d: wild
    ]
)


@kernel
def kind_of(move):
    """What a move does: `PASS`, `LAY`, ..., `NO_REQUEST`."""
    return np.int64(move) >> 20


@kernel
def value_of(move):
    """The value that a move lays, gives or names."""
    return (np.int64(move) >> 16) & 15


@kernel
def naturals_of(move):
    """How many natural cards a set has."""
    return (np.int64(move) >> 8) & 255


@kernel
def wilds_of(move):
    """How many wilds a set has."""
    return np.int64(move) & 255
