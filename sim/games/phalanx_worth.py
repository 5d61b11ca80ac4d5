"""What cards of Phalanx are worth: a side of a zone (P6-P8), and an opening card (P3)."""

import numpy as np

from sim.games.phalanx_rules import Rules
from sim.jit import kernel

JACK, QUEEN, KING = 10, 11, 12
EVERY_SUIT = 0x0001000100010001
JACKS, QUEENS, KINGS = EVERY_SUIT << JACK, EVERY_SUIT << QUEEN, EVERY_SUIT << KING
N_NUMBERS = 10  # ace to 10
NUMBER_LANE = (1 << N_NUMBERS) - 1  # of one suit


def lane_table() -> np.ndarray:
    """For each value of `ace` and each set of number cards of one suit, what they are worth.

    Returns
    -------
    int32[4, 1024]
        Bits 0-7: the total with all but the highest doubled (P6, P7). Bits 8-15: the lowest value,
        255 if there is none. Bit 16: whether a card of that value is doubled. Bit 17: whether one
        is not.
    """
    table = np.zeros((4, 1 << N_NUMBERS), np.int32)
    held = (np.arange(1 << N_NUMBERS)[:, None] >> np.arange(N_NUMBERS) & 1) == 1
    for place, ace in enumerate(Rules.options()["ace"].metadata["values"]):
        values = np.where(held, np.arange(1, N_NUMBERS + 1), 0)
        highest = values[:, 1:].max(axis=1)
        worth = np.maximum(highest, 1) if ace == "match" else int(ace)
        values[:, 0] = np.where(held[:, 0], worth, 0)
        high = values.max(axis=1)
        low = np.where(held, values, 255).min(axis=1)
        doubled = held.sum(axis=1) >= 2
        table[place] = (
            2 * values.sum(axis=1) - high | low << 8 | doubled << 16 | (low == high) << 17
        )
    return table


WORTH = lane_table()


@kernel
def side_total(rules, cards):
    """What one player's face-up cards in a zone are worth (P6, P7, P8).

    J Q K in a suit's group change nothing, so only ace to 10 are looked at: with zeros in the group
    it is they that fall among the lowest, and a lone number card stays undoubled.
    """
    s = np.int64(WORTH[rules.ace, cards & NUMBER_LANE])
    h = np.int64(WORTH[rules.ace, cards >> 16 & NUMBER_LANE])
    d = np.int64(WORTH[rules.ace, cards >> 32 & NUMBER_LANE])
    c = np.int64(WORTH[rules.ace, cards >> 48 & NUMBER_LANE])
    total = (s & 255) + (h & 255) + (d & 255) + (c & 255)
    if cards & JACKS:
        total += jack_gain(rules, s, h, d, c)
    return total


@kernel
def jack_gain(rules, s, h, d, c):
    """What a jack adds to a side whose suits have these entries of `WORTH` (P8)."""
    low = min(min(s >> 8 & 255, h >> 8 & 255), min(d >> 8 & 255, c >> 8 & 255))
    kinds = np.int64(0)
    for lane in (s, h, d, c):
        if lane >> 8 & 255 == low:
            kinds |= lane >> 16
    if rules.jack_on_doubled == 0 and kinds & 1:
        return 2 * low
    return low if kinds & 2 else np.int64(0)


@kernel
def seniority(rules, card):
    """A number that is higher for the senior of two opening cards (P3)."""
    rank, suit = card & 15, card >> 4
    order = rank if rank else np.int64(13)
    suit_order = (
        0x1203 >> (4 * suit) & 15
    )  # by suit number: spades 3, hearts 0, diamonds 2, clubs 1
    if rules.lead_by == 1:
        return order << 4 | suit_order
    value = rank + 1
    if rank >= JACK:
        value = np.int64(0)
    elif rank == 0 and rules.ace == 1:
        value = np.int64(4)
    elif rank == 0 and rules.ace == 2:
        value = np.int64(10)
    return value << 8 | suit_order << 4 | order
