/* What both programs share: the streams of sim/rng.py, bit sets of cards, rows and the main loop.
 *
 * A card is 16 * suit + rank, a set of cards a 64-bit mask, as in sim/cards.py.
 * A program defines PLAYERS, includes this file, and then defines `play`. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

typedef struct {
    u64 s[4];
} Stream;

/* One result, the same columns as the kernel's rows. */
typedef struct {
    int32_t turns, moves, decisions, winners, score[PLAYERS];
} Row;

#define GAMMA 0x9E3779B97F4A7C15u

static inline u64 mix(u64 z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline void seed_stream(Stream *stream, u64 seed, u64 game, u64 purpose)
{
    u64 z = mix(seed + GAMMA);
    z = mix((z ^ game) + GAMMA);
    z = mix((z ^ purpose) + GAMMA);
    for (int i = 0; i < 4; i++)
        stream->s[i] = mix(z += GAMMA);
}

static inline u64 next_word(Stream *stream)
{
    u64 *s = stream->s, word = s[1] * 5, t = s[1] << 17;
    word = ((word << 7) | (word >> 57)) * 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return word;
}

/* 0 to n - 1, each exactly as likely (Lemire 2019). */
static inline uint32_t below(Stream *stream, uint32_t n)
{
    u64 product = (next_word(stream) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t unfair = -n % n;
        while ((uint32_t)product < unfair)
            product = (next_word(stream) >> 32) * n;
    }
    return product >> 32;
}

static inline void shuffle(Stream *stream, uint8_t *cards, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = below(stream, i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

static inline int lowest(u64 cards) { return __builtin_ctzll(cards); }
static inline int count(u64 cards) { return __builtin_popcountll(cards); }
static inline u64 bit(int card) { return (u64)1 << card; }
static inline u64 rank_mask(int rank) { return (u64)0x0001000100010001 << rank; }

/* A fresh deck of 52 in card order. */
static inline void new_deck(uint8_t *deck)
{
    for (int i = 0; i < 52; i++)
        deck[i] = i / 13 * 16 + i % 13;
}

static void play(u64 seed, u64 game, Row *row);

/* Usage: PROGRAM SEED GAMES. Plays games 0 to GAMES - 1 and prints, as JSON, the seconds of
 * processor time, the totals, and a checksum of every column of every row. */
int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s SEED GAMES\n", argv[0]);
        return 2;
    }
    u64 seed = strtoull(argv[1], NULL, 10);
    long n = atol(argv[2]);
    Row *rows = malloc(n * sizeof *rows);
    if (n < 1 || !rows)
        return 2;
    memset(rows, 0, n * sizeof *rows); /* touch every page before the clock starts */

    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (long game = 0; game < n; game++)
        play(seed, game, &rows[game]);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);

    long turns = 0, moves = 0, decisions = 0;
    u64 checksum = 0;
    for (long game = 0; game < n; game++) {
        const int32_t *columns = (const int32_t *)&rows[game];
        u64 word = game;
        for (unsigned i = 0; i < sizeof(Row) / sizeof(int32_t); i++)
            word = mix((word ^ (u64)(int64_t)columns[i]) + GAMMA);
        checksum += word;
        turns += rows[game].turns;
        moves += rows[game].moves;
        decisions += rows[game].decisions;
    }
    printf("{\"seconds\": %.9f, \"games\": %ld, \"turns\": %ld, \"moves\": %ld, "
           "\"decisions\": %ld, \"checksum\": \"%016llx\"}\n",
           (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec) * 1e-9, n, turns, moves,
           decisions, (unsigned long long)checksum);
    free(rows);
    return 0;
}
