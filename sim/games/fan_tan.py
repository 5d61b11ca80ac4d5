"""Fan Tan (Sevens, Parliament): lay out the suits from the sevens, for chips.

Two to thirteen players, one deck of 52. Numbers such as T8 are the numbered rules in
docs/rules/fan_tan.md. A move is the number of the card that is laid, or `PASS`. A seat is a player:
seats stay as they are while the deal goes around; who leads is the player in *position* 0.
"""

import dataclasses

import numpy as np

from sim import loop
from sim.cards import LANE, RANK_NAMES, SUIT_NAMES, card_name, names_of
from sim.errors import UsageError
from sim.game import ROW_FIELDS, STATE_FIELDS, RuleSet, option, view_fields
from sim.jit import bind, ctz, kernel
from sim.rng import below, shuffle

NAME = "fan_tan"
TITLE = "Fan Tan"
PLAYERS = range(2, 14)
DEFAULT_PLAYERS = 4
SCORE = "net chips"  # what a row's scores are
SCORES_ADD = True  # chips won and lost in the hands of a session add up


@dataclasses.dataclass(frozen=True)
class Rules(RuleSet):
    """The options of Fan Tan; each names its rule."""

    ante: int = option(1, range(0, 101), "T1", "chips that each player puts in before a deal")
    short_hand_chip: int = option(
        1, range(0, 101), "T3", "chips more that a player with a card less puts in"
    )
    hands: int = option(1, range(1, 1001), "T4", "hands of a session; the deal passes to the left")
    first_dealer: str = option(
        "last_player",
        ("last_player", "first_jack"),
        "T4",
        "who deals the first hand: the last player, or who is dealt the first jack",
    )
    enforcement: str = option(
        "forced",
        ("forced", "fined"),
        "T6",
        "whether who can play must, or may pass for a fine",
    )
    pass_chip: int = option(1, range(0, 101), "T6", "chips that a pass without a play costs")
    max_turns: int = option(1000, range(1, 10001), "T6", "turns after which a hand is cut")
    wrong_pass_fine: int = option(
        3, range(0, 101), "T8", "chips to the pot for passing with a playable card"
    )
    seven_fine: int = option(
        5, range(0, 101), "T8", "chips to its neighbours' holders for a withheld foundation card"
    )
    seven_fine_to: str = option(
        "each",
        ("each", "split"),
        "T8",
        "whether both neighbours' holders get the whole of it, or share it",
    )
    opening: str = option(
        "position_0",
        ("position_0", "holder_7h"),
        "T9a",
        "who leads: position 0 with any foundation, or the holder of 7h with it",
    )
    foundation: str = option(
        "seven",
        ("seven", "five_or_nine"),
        "T10",
        "the cards that open the suits: sevens, or fives or nines as the first one laid says",
    )
    ranks: int = option(
        13, range(1, 14, 2), "small decks", "ranks kept, as many below the seven as above it"
    )
    suits: int = option(
        4, range(1, 5), "small decks", "suits kept: spades, hearts, diamonds, clubs"
    )

    def check(self) -> None:
        """Refuse decks that lack the cards that an option speaks of (T4, T9a, T10)."""
        if self.foundation == "five_or_nine" and self.ranks < 5:
            raise UsageError(
                f"foundation five_or_nine (T10) needs fives and nines: ranks at least 5, "
                f"not {self.ranks}"
            )
        if self.first_dealer == "first_jack" and self.ranks < 9:
            raise UsageError(
                f"first_dealer first_jack (T4) needs jacks: ranks at least 9, not {self.ranks}"
            )
        if self.opening == "holder_7h" and self.suits < 2:
            raise UsageError("opening holder_7h (T9a) needs hearts: suits at least 2, not 1")
        if self.opening == "holder_7h" and self.foundation == "five_or_nine":
            raise UsageError(
                "opening holder_7h (T9a) leads with a seven: foundation must be seven, "
                "not five_or_nine"
            )


def check_table(rules: Rules, players: int) -> None:
    """Refuse a deck that does not give every player a card.

    Raises
    ------
    UsageError
        With the number of cards that there are.
    """
    cards = rules.ranks * rules.suits
    if cards < players:
        raise UsageError(
            f"{players} players need a card each, but a deck of {rules.ranks} ranks x "
            f"{rules.suits} suits has {cards}"
        )


RULES = Rules.dtype()
DECK = 52
MAX_PLAYERS = PLAYERS[-1]
# An open suit has two ends; a suit that is not open has its foundation card, or a five and a nine
# before the first of them is laid. So two cards a suit, and a pass.
MAX_MOVES = 9
PASS = 64  # no card has this number
SEVEN, JACK = 6, 10
SEVEN_OF_HEARTS = LANE + SEVEN
PHASES = ("play",)

STATE = np.dtype(
    STATE_FIELDS
    + [
        ("deck", np.uint8, DECK),  # in dealing order
        ("dealer", np.int64),
        ("kept", np.int64),  # mask: all cards of the game
        ("table", np.int64),  # mask: the cards laid
        ("foundation", np.int64),  # mask: the cards that may be laid without a neighbour
        ("rank", np.int64),  # of the foundations; -1 until the first five or nine is laid
        ("pot", np.int64),
        ("winner", np.int64),  # -1 while nobody has won
        ("hand_cards", np.int64, MAX_PLAYERS),  # masks
        ("n_hand", np.int64, MAX_PLAYERS),
        ("paid", np.int64, MAX_PLAYERS),  # into the pot, this hand
        ("passes", np.int64, MAX_PLAYERS),  # wrong ones too
        ("wrong", np.int64, MAX_PLAYERS),  # passes with a playable card
        ("lacks", np.int64, MAX_PLAYERS),  # mask: what was playable when it could not play
        ("withheld", np.int64, MAX_PLAYERS),  # mask: what was playable when it would not play
        ("fines", np.int64, (MAX_PLAYERS, MAX_PLAYERS)),  # [from, to]: foundation fines (T8)
    ]
)
VIEW = np.dtype(
    view_fields(RULES, MAX_MOVES)
    + [
        ("n_players", np.int64),
        ("dealer", np.int64),
        ("turn", np.int64),  # moves made in this hand
        ("hand", np.int64),  # mask of the own hand
        ("table", np.int64),  # mask of the cards laid
        ("unseen", np.int64),  # mask: the cards in the other hands together
        ("playable", np.int64),  # mask: every card that could be laid now, whoever holds it
        ("rank", np.int64),  # of the foundations, 6 for sevens; -1 until five or nine is chosen
        ("pot", np.int64),
        ("n_hand", np.int64, MAX_PLAYERS),  # each player's cards
        ("paid", np.int64, MAX_PLAYERS),  # each player's chips in the pot
        ("passes", np.int64, MAX_PLAYERS),
        ("wrong", np.int64, MAX_PLAYERS),  # of these passes, those with a playable card
        ("lacks", np.int64, MAX_PLAYERS),  # mask: cards that the player cannot have, having passed
        # mask: at a fined pass the player held one of these, and has laid none of them since
        ("withheld", np.int64, MAX_PLAYERS),
        ("fines", np.int64, (MAX_PLAYERS, MAX_PLAYERS)),  # [from, to]: foundation fines (T8)
    ]
)
ROW = np.dtype(
    ROW_FIELDS
    + [
        ("score", np.int32, MAX_PLAYERS),  # net chips; the sum is zero
        ("pot", np.int32),  # when the hand ended, with the chips for cards left
        ("dealer", np.int8),
        ("position", np.int8, MAX_PLAYERS),
        ("cards_dealt", np.int8, MAX_PLAYERS),
        ("cards_left", np.int8, MAX_PLAYERS),
        ("passes", np.int16, MAX_PLAYERS),  # wrong ones too; at most max_turns
        ("wrong_passes", np.int16, MAX_PLAYERS),
    ]
)


@kernel
def rank_mask(rank):
    """The four cards of a rank."""
    return np.int64(0x0001000100010001) << rank


@kernel
def playable_cards(state):
    """The cards that could be laid now, whoever holds them (T5, T10).

    The cards laid of a suit are a run around its foundation, so a card next to any of them is next
    to one of the run's ends.
    """
    table = state.table
    return (table << 1 | table >> 1 | state.foundation) & state.kept & ~table


@kernel
def position_of(state, player):
    """A player's place in the deal: the one at the dealer's left has position 0 (T2)."""
    position = player - state.dealer - 1
    return position if position >= 0 else position + state.n_players


@kernel
def cards_dealt(rules, state, player):
    """How many cards a player was dealt: the first positions hold one more (T2)."""
    cards = rules.ranks * rules.suits
    each = cards // state.n_players
    return each + (position_of(state, player) < cards - each * state.n_players)


# --- dealing --------------------------------------------------------------------------------------


@kernel
def deal(rules, state):
    """Shuffle, deal and ante (T1-T4); say who leads (T5, T9a)."""
    low, high = SEVEN - rules.ranks // 2, SEVEN + rules.ranks // 2
    n_cards = np.int64(0)
    kept = np.int64(0)
    for suit in range(rules.suits):
        for rank in range(low, high + 1):
            state.deck[n_cards] = LANE * suit + rank
            kept |= np.int64(1) << (LANE * suit + rank)
            n_cards += 1
    state.kept = kept
    shuffle(state.rng, state.deck, n_cards)
    n = state.n_players
    if state.hand:
        state.dealer = next_player(state, state.dealer)
    elif rules.first_dealer == 1:
        state.dealer = first_jack(rules, state, n_cards)
    else:
        state.dealer = n - 1
    clear(state)
    player = state.dealer
    for i in range(n_cards):
        player = next_player(state, player)
        state.hand_cards[player] |= np.int64(1) << np.int64(state.deck[i])
    most = (n_cards + n - 1) // n
    for player in range(n):
        held = cards_dealt(rules, state, player)
        state.n_hand[player] = held
        pay_pot(state, player, rules.ante + (rules.short_hand_chip if held < most else 0))
    state.seat = next_player(state, state.dealer)
    state.rank = SEVEN
    state.foundation = rank_mask(SEVEN) & kept
    if rules.foundation == 1:
        state.rank = -1
        state.foundation = (rank_mask(SEVEN - 2) | rank_mask(SEVEN + 2)) & kept
    elif rules.opening == 1:
        state.foundation = np.int64(1) << SEVEN_OF_HEARTS
        state.seat = holder(state, SEVEN_OF_HEARTS)


@kernel
def first_jack(rules, state, n_cards):
    """The player to whom the first jack falls, cards dealt face up around from player 0 (T4).

    Drawn card by card, from as many cards and jacks as are left; after the shuffle, so that either
    value of the option meets the same hands.
    """
    left = n_cards
    while below(state.rng, left) >= rules.suits:
        left -= 1
    return (n_cards - left) % state.n_players


@kernel
def clear(state):
    """Nothing laid, held, paid or known."""
    state.table = 0
    state.pot = 0
    state.winner = -1
    for player in range(state.n_players):
        state.hand_cards[player] = 0
        state.paid[player] = 0
        state.passes[player] = 0
        state.wrong[player] = 0
        state.lacks[player] = 0
        state.withheld[player] = 0
        for other in range(state.n_players):
            state.fines[player, other] = 0


@kernel
def next_player(state, player):
    """The player at the left."""
    return player + 1 if player + 1 < state.n_players else np.int64(0)


@kernel
def holder(state, card):
    """The player who holds a card, -1 for none."""
    for player in range(state.n_players):
        if state.hand_cards[player] >> card & 1:
            return player
    return np.int64(-1)


# --- moves ----------------------------------------------------------------------------------------


@kernel
def legal(rules, state, view):
    """Fill the view of the seat to act (T12), and its moves: cards suit by suit, then the pass."""
    seat = state.seat
    hand = state.hand_cards[seat]
    playable = playable_cards(state)
    view.seat = seat
    view.phase = 0
    view.n_players = state.n_players
    view.dealer = state.dealer
    view.turn = state.turns
    view.hand = hand
    view.table = state.table
    view.unseen = state.kept & ~(hand | state.table)
    view.playable = playable
    view.rank = state.rank
    view.pot = state.pot
    for player in range(state.n_players):
        view.n_hand[player] = state.n_hand[player]
        view.paid[player] = state.paid[player]
        view.passes[player] = state.passes[player]
        view.lacks[player] = state.lacks[player]
    if rules.enforcement == 1:  # otherwise there is no fine: these stay at zero
        for player in range(state.n_players):
            view.wrong[player] = state.wrong[player]
            view.withheld[player] = state.withheld[player]
            for other in range(state.n_players):
                view.fines[player, other] = state.fines[player, other]
    cards = hand & playable
    n = np.int64(0)
    while cards:
        view.moves[n] = ctz(cards)
        cards &= cards - 1
        n += 1
    # T9a: the seven of hearts must be laid, also where a pass is for sale.
    if n == 0 or (rules.enforcement == 1 and (rules.opening == 0 or state.table)):
        view.moves[n] = PASS
        n += 1
    view.n_moves = n


@kernel
def apply(rules, state, move):
    """Make a move of the seat to act (T5-T8, T10)."""
    seat = state.seat
    state.turns += 1
    if move == PASS:
        pass_turn(rules, state)
    else:
        bit = np.int64(1) << np.int64(move)
        state.hand_cards[seat] ^= bit
        state.n_hand[seat] -= 1
        if state.table == 0:
            # T10: the first card says which rank opens the suits.
            state.rank = np.int64(move) & (LANE - 1)
            state.foundation = rank_mask(state.rank) & state.kept
        state.table |= bit
        if state.withheld[seat] & bit:
            state.withheld[seat] = 0
        if state.n_hand[seat] == 0:
            state.winner = seat
            state.over = 1
            settle(state)
            return
    if state.turns >= rules.max_turns:
        state.over = 1
        return
    state.seat = next_player(state, seat)


@kernel
def pass_turn(rules, state):
    """Pay for a pass (T6, T8), and note what it tells (T12)."""
    seat = state.seat
    playable = playable_cards(state)
    hand = state.hand_cards[seat]
    state.passes[seat] += 1
    if not hand & playable:
        pay_pot(state, seat, rules.pass_chip)
        state.lacks[seat] |= playable
        return
    pay_pot(state, seat, rules.wrong_pass_fine)
    state.wrong[seat] += 1
    if not state.withheld[seat]:
        # What is playable stays so until it is laid: an older and still open claim says more.
        state.withheld[seat] = playable
    if state.rank < 0:
        return
    cards = hand & state.foundation & ~state.table
    below_share, above_share = rules.seven_fine, rules.seven_fine
    if rules.seven_fine_to == 1:
        above_share = rules.seven_fine // 2
        below_share = rules.seven_fine - above_share
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        pay_holder(state, card - 1, below_share)
        pay_holder(state, card + 1, above_share)


@kernel
def pay_pot(state, player, chips):
    """A player puts chips into the pot."""
    state.paid[player] += chips
    state.pot += chips


@kernel
def pay_holder(state, card, chips):
    """The seat to act pays the holder of a card, if another player has it (T8)."""
    if not state.kept >> card & 1:
        return
    player = holder(state, card)
    if player != state.seat:
        state.fines[state.seat, player] += chips


@kernel
def settle(state):
    """Each player pays a chip a card left (T7)."""
    for player in range(state.n_players):
        pay_pot(state, player, state.n_hand[player])


@kernel
def score(rules, state, row):
    """Net chips and what led to them (T11); a hand that was cut gives the pot back (T6)."""
    winner = state.winner
    row.winners = np.int64(1) << winner if winner >= 0 else np.int64(0)
    row.unfinished = winner < 0
    row.pot = state.pot
    row.dealer = state.dealer
    for player in range(state.n_players):
        net = np.int64(0)
        if winner >= 0:
            net = -state.paid[player]
            if player == winner:
                net += state.pot
        if rules.enforcement == 1:
            for other in range(state.n_players):
                net += state.fines[other, player] - state.fines[player, other]
        row.score[player] = net
        row.position[player] = position_of(state, player)
        row.cards_dealt[player] = cards_dealt(rules, state, player)
        row.cards_left[player] = state.n_hand[player]
        row.passes[player] = state.passes[player]
        row.wrong_passes[player] = state.wrong[player]


# --- words ----------------------------------------------------------------------------------------


def describe(move, view) -> tuple[str, str]:
    """A move in notation and in words; see docs/notation/fan_tan.md."""
    if move != PASS:
        name = card_name(move)
        opens = not int(view.table) >> (LANE * (int(move) // LANE)) & 0xFFFF
        return name, f"opens a suit with {name}" if opens else f"lays {name}"
    rules = view.rules
    if not int(view.hand) & int(view.playable):
        return "pass", f"cannot play and pays {chips_in_words(rules.pass_chip)}"
    withheld = names_of(int(view.hand) & int(view.playable))
    fine = chips_in_words(rules.wrong_pass_fine)
    return "pass", f"passes with {' '.join(withheld)} playable and pays {fine} and what T8 adds"


def chips_in_words(chips: int) -> str:
    """A number of chips."""
    return f"{chips} chip" if chips == 1 else f"{chips} chips"


def hands(rules) -> int:
    """Hands a session has (T4)."""
    return int(rules.hands)


def came(before, after) -> list[int]:
    """The cards that came to hands between two states of one hand: none."""
    return []


def deal_order(rules, state, drawn) -> list[int]:
    """The deck in the order in which it was dealt, position 0 first."""
    return [int(card) for card in state.deck[: rules.ranks * rules.suits]]


def dealt_hands(rules, state) -> list[list[int]]:
    """Each player's hand as dealt."""
    deck, n = deal_order(rules, state, ()), int(state.n_players)
    return [deck[int(position_of(state, player)) :: n] for player in range(n)]


def luck(deals) -> dict:
    """What chance decided besides the cards: who deals the first hand (T4)."""
    return {"first_dealer": int(deals[0].dealer)}


def show(state) -> list[str]:
    """The table in words, a line each."""
    columns = []
    for suit, name in enumerate(SUIT_NAMES):
        lane = int(state.table) >> (LANE * suit) & 0xFFFF
        if lane:
            low, high = (lane & -lane).bit_length() - 1, lane.bit_length() - 1
            columns.append(f"{RANK_NAMES[low]}{name}-{RANK_NAMES[high]}{name}")
    lines = [f"table: {' '.join(columns) or '-'} | pot {int(state.pot)}"]
    for player in range(int(state.n_players)):
        held = " ".join(names_of(state.hand_cards[player])) or "-"
        role = " (dealer)" if player == state.dealer else ""
        lines.append(
            f"seat {player}{role}: hand {held} | paid {int(state.paid[player])}"
            f" | passes {int(state.passes[player])}"
        )
    return lines


play = bind(loop.play, globals())
