"""One card encoding for all games.

A card is a small integer, ``16 * suit + rank``. Ranks run from 0 (ace) to 12 (king), suits from 0
to 3 in the order spades, hearts, diamonds, clubs. A set of cards is a 64-bit mask with bit ``card``
set: each suit has a lane of 16 bits to itself, so shifting a mask by one moves every card to the
next rank and never into another suit, and bit 63 stays free, so masks are plain ``int64``.
Jokers are rank 13 of the first two suits.
"""

RANK_NAMES = "A23456789TJQK"
SUIT_NAMES = "shdc"
N_RANKS = 13
N_SUITS = 4
LANE = 16
JOKERS = (13, 29)

RANK_WORDS = (
    "ace", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "jack", "queen", "king",
)  # fmt: skip


def card_id(name: str) -> int:
    """The integer of a card name.

    Parameters
    ----------
    name : str
        Rank and suit, such as ``"7h"``, ``"Ts"``, or a joker, ``"*1"`` or ``"*2"``.

    Raises
    ------
    ValueError
        If the text names no card.
    """
    if len(name) == 2:
        if name[0] == "*" and name[1] in "12":
            return JOKERS[int(name[1]) - 1]
        rank, suit = RANK_NAMES.find(name[0].upper()), SUIT_NAMES.find(name[1].lower())
        if rank >= 0 and suit >= 0:
            return LANE * suit + rank
    raise ValueError(
        f"{name!r} is no card: a rank of {RANK_NAMES} and a suit of {SUIT_NAMES}, "
        "such as 7h or Ts, or a joker *1 *2"
    )


def card_name(card: int) -> str:
    """The two-character name of a card, the inverse of `card_id`."""
    card = int(card)
    if card in JOKERS:
        return f"*{JOKERS.index(card) + 1}"
    if not (0 <= card < LANE * N_SUITS and card % LANE < N_RANKS):
        raise ValueError(f"{card} is the number of no card")
    return RANK_NAMES[card % LANE] + SUIT_NAMES[card // LANE]


def cards_of(mask: int) -> list[int]:
    """The cards of a mask in card order: by rank from the ace up, then spades to clubs."""
    found = [card for card in range(LANE * N_SUITS) if int(mask) >> card & 1]
    return sorted(found, key=lambda card: (card % LANE, card // LANE))


def mask_of(cards) -> int:
    """The mask of some cards, given as integers or as names."""
    mask = 0
    for card in cards:
        mask |= 1 << (card_id(card) if isinstance(card, str) else int(card))
    return mask


def names_of(mask: int) -> list[str]:
    """The names of a mask's cards in card order."""
    return [card_name(card) for card in cards_of(mask)]


def small_deck(ranks: int = N_RANKS, suits: int = N_SUITS) -> list[int]:
    """The deck of the first `ranks` ranks (from the ace) and `suits` suits (from spades)."""
    return [LANE * suit + rank for suit in range(suits) for rank in range(ranks)]
