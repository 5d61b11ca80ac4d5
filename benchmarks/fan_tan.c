/* Fan Tan under the default rules (docs/rules/fan_tan.md), four random players. */

#define PLAYERS 4
#include "common.h"

#define SEVENS rank_mask(6)
#define KEPT (u64)0x1FFF1FFF1FFF1FFF
#define MAX_TURNS 1000

static void play(u64 seed, u64 game, Row *row)
{
    Stream deal, choice[PLAYERS];
    seed_stream(&deal, seed, game, 0);
    for (int seat = 0; seat < PLAYERS; seat++)
        seed_stream(&choice[seat], seed, game, 1 + seat);

    uint8_t deck[52];
    u64 hand[PLAYERS] = {0}, table = 0;
    int paid[PLAYERS], winner = -1, seat = 0, turns = 0, decisions = 0;
    new_deck(deck);
    shuffle(&deal, deck, 52);
    for (int i = 0; i < 52; i++)
        hand[i % PLAYERS] |= bit(deck[i]);
    for (int i = 0; i < PLAYERS; i++)
        paid[i] = 1; /* T1 */

    while (turns < MAX_TURNS) {
        turns++;
        u64 playable = (table << 1 | table >> 1 | SEVENS) & KEPT & ~table & hand[seat];
        if (!playable) {
            paid[seat]++; /* T6 */
        } else {
            uint8_t moves[8];
            int n = 0;
            for (u64 cards = playable; cards; cards &= cards - 1)
                moves[n++] = lowest(cards);
            int chosen = 0;
            if (n > 1) {
                chosen = below(&choice[seat], n);
                decisions++;
            }
            hand[seat] ^= bit(moves[chosen]);
            table |= bit(moves[chosen]);
            if (!hand[seat]) {
                winner = seat;
                break;
            }
        }
        seat = (seat + 1) % PLAYERS;
    }

    row->turns = row->moves = turns;
    row->decisions = decisions;
    row->winners = winner < 0 ? 0 : 1 << winner;
    int pot = 0;
    for (int i = 0; i < PLAYERS; i++) {
        paid[i] += count(hand[i]); /* T7 */
        pot += paid[i];
        row->score[i] = winner < 0 ? 0 : -paid[i];
    }
    if (winner >= 0)
        row->score[winner] += pot;
}
