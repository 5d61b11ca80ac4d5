"""Streams of random numbers: (seed, game, purpose) -> numbers, independent of any other game.

The generator is xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number
generators", ACM TOMS 2021). Each stream is seeded by SplitMix64 (Steele, Lea and Flood, OOPSLA
2014) from a hash of seed, game and purpose, never from their sum: sums would make the stream of
game k + 1 a shifted copy of that of game k. A stream is four ``uint64`` in an array.
"""

import numpy as np

from sim.jit import kernel

U = np.uint64
GAMMA = U(0x9E3779B97F4A7C15)
MIX1 = U(0xBF58476D1CE4E5B9)
MIX2 = U(0x94D049BB133111EB)
LOW32 = U(0xFFFFFFFF)


@kernel
def mix(z):
    """SplitMix64's output function: a bijection of 64-bit words that scatters neighbours."""
    z = (z ^ (z >> U(30))) * MIX1
    z = (z ^ (z >> U(27))) * MIX2
    return z ^ (z >> U(31))


@kernel
def seed_stream(stream, seed, game, purpose):
    """Start the stream of (seed, game, purpose) in place.

    Parameters
    ----------
    stream : uint64[4]
        Overwritten.
    seed, game, purpose : int64
        Purpose ``64 * hand`` is that hand's deal, ``64 * hand + 1 + seat`` a seat's own choices.
    """
    z = mix(U(seed) + GAMMA)
    z = mix((z ^ U(game)) + GAMMA)
    z = mix((z ^ U(purpose)) + GAMMA)
    for i in range(4):
        z += GAMMA
        stream[i] = mix(z)


@kernel
def next_word(stream):
    """The stream's next 64 random bits."""
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    word = s1 * U(5)
    word = ((word << U(7)) | (word >> U(57))) * U(9)
    s2 ^= s0
    s3 ^= s1
    stream[0] = s0 ^ s3
    stream[1] = s1 ^ s2
    stream[2] = s2 ^ (s1 << U(17))
    stream[3] = (s3 << U(45)) | (s3 >> U(19))
    return word


@kernel
def below(stream, n):
    """An integer from 0 to n - 1, each exactly as likely (Lemire, ACM TOMACS 2019); n < 2**32."""
    bound = U(n)
    product = (next_word(stream) >> U(32)) * bound
    if product & LOW32 < bound:
        unfair = ((LOW32 - bound) + U(1)) % bound
        while product & LOW32 < unfair:
            product = (next_word(stream) >> U(32)) * bound
    return np.int64(product >> U(32))


@kernel
def uniform(stream):
    """A float in [0, 1) with 53 random bits."""
    return np.float64(next_word(stream) >> U(11)) * (1.0 / 9007199254740992.0)


@kernel
def shuffle(stream, cards, n):
    """Shuffle the first n entries of an array in place (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
