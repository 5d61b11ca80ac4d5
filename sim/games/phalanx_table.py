"""What is on the table of Phalanx: records of all that the engine knows and all that a seat sees.

Numbers such as P13 are the numbered rules in docs/rules/phalanx.md. A move is an integer
``target << 16 | zone << 8 | card``; `card_of`, `zone_of` and `target_of` take it apart. What it
means depends on the phase: see `PHASES`.
"""

import numpy as np

from sim.game import ROW_FIELDS, STATE_FIELDS, view_fields
from sim.games.phalanx_rules import Rules
from sim.jit import kernel

RULES = Rules.dtype()
MAX_PLAYERS = 3
N_ZONES = 3
ZONE_NAMES = "LMR"
ZONE_WORDS = ("left", "middle", "right")
MIDDLE = 1
DECK = 52
NO_CARD = 255
NO_ZONE = 3
# Most moves: of h cards in hand k <= 4 are kings, each with a move for each of three zones and each
# of at most 52 - h cards on the table or none: 3 (h - k) + 3 k (53 - h), most for h = k = 4.
MAX_MOVES = 588

#: Phases. In ``opening`` and ``lay`` a move's card goes to its zone, a king with its target; in
#: ``target`` an opening king's target is named; in ``raise`` a zone or none; in ``reply`` the card
#: is 0 to call and 1 to fold.
PHASE_OPENING, PHASE_TARGET, PHASE_LAY, PHASE_RAISE, PHASE_REPLY = range(5)
PHASES = ("opening", "target", "lay", "raise", "reply")

STATE = np.dtype(
    STATE_FIELDS
    + [
        ("deck", np.uint8, DECK),  # as shuffled for the deal, first card dealt first
        ("kept", np.int64),  # all cards of the game
        ("reserve", np.uint8, (MAX_PLAYERS, DECK)),  # the top is the last
        ("n_reserve", np.int64, MAX_PLAYERS),
        ("shuffled", np.int64, MAX_PLAYERS),  # whether cards have come to the reserve
        ("hand_cards", np.int64, MAX_PLAYERS),  # masks
        ("sides", np.int64, N_ZONES),  # a bit a seat that lays there
        ("up", np.int64, (MAX_PLAYERS, N_ZONES)),  # masks: a seat's face-up cards
        ("down", np.int64, (MAX_PLAYERS, N_ZONES)),
        ("total", np.int64, (MAX_PLAYERS, N_ZONES)),  # what the face-up cards are worth
        ("closed", np.int64, N_ZONES),  # a bit a seat whose cards go face down there at once
        ("gain", np.int64, MAX_PLAYERS),  # mask: what goes to a reserve after the round
        ("known", np.int64, MAX_PLAYERS),  # mask: seen cards in this seat's hand or reserve
        ("gone", np.int64),  # mask: cards that ties have made void
        ("opening", np.int64, MAX_PLAYERS),  # the opening moves
        ("acted", np.int64),  # how many opening cards have had their turn to act
        ("phase", np.int64),
        ("leader", np.int64),  # -1 while an opening is to decide it
        ("first_leader", np.int64),
        ("begun", np.int64),  # rounds
        ("rounds", np.int64),  # rounds played to their end
        ("unfinished", np.int64),
        ("leader_zones", np.int64),
        ("other_zones", np.int64),
        ("tied_zones", np.int64),
        ("chips", np.int64, MAX_PLAYERS),  # net, without what lies on zones
        ("stake", np.int64, (MAX_PLAYERS, N_ZONES)),  # chips of a seat that lie on a zone
        ("raises", np.int64, N_ZONES),  # this round
        ("folded", np.int64, N_ZONES),  # a bit a seat that has folded there this round
        ("asked", np.int64),  # how many seats have been asked for a raise since the last lay
        ("raise_zone", np.int64),  # of the raise to be answered, or NO_ZONE
        ("raiser", np.int64),
    ]
)
#: Fields by player count from the own seat: 0 is the viewer, 1 the next seat. So do the bits of
#: `sides`, `closed` and `folded`, and the numbers in `leader` and `raiser`.
VIEW = np.dtype(
    view_fields(RULES, MAX_MOVES)
    + [
        ("n_players", np.int64),
        ("round_number", np.int64),  # from 1
        ("leader", np.int64),  # -1 before the opening
        ("hand", np.int64),  # mask
        ("sides", np.int64, N_ZONES),  # a bit a player who lays there
        ("up", np.int64, (MAX_PLAYERS, N_ZONES)),  # masks
        ("down", np.int64, (MAX_PLAYERS, N_ZONES)),
        ("total", np.int64, (MAX_PLAYERS, N_ZONES)),
        ("closed", np.int64, N_ZONES),
        ("n_hand", np.int64, MAX_PLAYERS),
        ("n_reserve", np.int64, MAX_PLAYERS),
        ("known", np.int64, MAX_PLAYERS),  # masks: in that hand or reserve; empty without memory
        ("unseen", np.int64),  # mask: may be in any reserve, another's hand, or out of the game
        ("king_zone", np.int64),  # where the opening king lies whose target is asked, or NO_ZONE
        ("chips", np.int64, MAX_PLAYERS),
        ("stake", np.int64, (MAX_PLAYERS, N_ZONES)),
        ("raises", np.int64, N_ZONES),
        ("folded", np.int64, N_ZONES),
        ("raise_zone", np.int64),
        ("raiser", np.int64),  # -1 if there is no raise to be answered
    ]
)
ROW = np.dtype(
    ROW_FIELDS
    + [
        ("score", np.int32, MAX_PLAYERS),  # cards owned at the end
        ("chips", np.int64, MAX_PLAYERS),  # net
        ("leader", np.int32),  # seat that led the first round
        ("rounds", np.int32),
        ("leader_zones", np.int32),  # zones won by their round's leader
        ("other_zones", np.int32),
        ("tied_zones", np.int32),
    ]
)


@kernel
def card_of(move):
    """The card of a move."""
    return np.int64(move) & 255


@kernel
def zone_of(move):
    """The zone of a move, or `NO_ZONE`."""
    return (np.int64(move) >> 8) & 255


@kernel
def target_of(move):
    """The card that a king turns down, or `NO_CARD`."""
    return (np.int64(move) >> 16) & 255
