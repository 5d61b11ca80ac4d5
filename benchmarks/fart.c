/* Fart under the default rules (docs/rules/fart.md), two random players. */

#define PLAYERS 2
#include "common.h"

#define SPECIALS (u64)0x1C00 /* jack, queen and king of spades */
#define QUEENS rank_mask(11)
#define LANE 0x1FFFu
#define ACE_HIGH 13
#define MAX_PILES 52
#define MAX_MOVES 640

enum { DRAW, DISCARD, TAKE, ALONE, PUSH, GIVE, RUN, MOVE_ALONE, MOVE_PUSH, END, PAIR };
enum { OPENING, IN_TURN, ENDING };

typedef struct {
    u64 cards, accept; /* what it holds; what matches it by rank or run */
    uint8_t low, high; /* a run's ends */
    uint8_t is_run;
} Pile;

typedef struct {
    uint8_t kind, card, target;
} Move;

typedef struct {
    u64 hand;
    int n_piles, n_discard;
    Pile pile[MAX_PILES];
    uint8_t discard[52];
    Stream choice;
} Player;

typedef struct {
    Player player[2];
    uint8_t deck[52];
    int top, bottom, seat, stage, turns, turns_left, over;
    unsigned pending; /* ranks whose pairs still have to go down */
    int drew_first, acted, counted, moves_left, choosing_pair;
    Move moves[MAX_MOVES];
} Game;

static inline void add_pile(Player *player, Pile pile) { player->pile[player->n_piles++] = pile; }

/* Every rank with a pair in hand (F2). */
static inline unsigned all_pairs(u64 hand)
{
    unsigned s = hand & LANE, h = hand >> 16 & LANE, d = hand >> 32 & LANE, c = hand >> 48 & LANE;
    return (s & h) | (d & c) | ((s | h) & (d | c));
}

static u64 run_accept(int suit, int low, int high)
{
    u64 accept = 0;
    if (low > 0)
        accept |= bit(16 * suit + low - 1);
    if (high < 12)
        accept |= bit(16 * suit + high + 1);
    else if (high == 12)
        accept |= bit(16 * suit);
    return accept;
}

static void draw(Game *game, int n)
{
    u64 *hand = &game->player[game->seat].hand;
    unsigned ranks = 0;
    if (n > game->bottom - game->top)
        n = game->bottom - game->top;
    if (n == 0)
        return;
    while (n--) {
        int card = game->seat == 0 ? game->deck[game->top++] : game->deck[--game->bottom];
        *hand |= bit(card);
        ranks |= 1u << (card & 15);
    }
    game->pending = ranks & all_pairs(*hand); /* F10 */
    if (game->top == game->bottom)
        game->turns_left = game->stage == IN_TURN ? 1 : 2; /* F19 */
}

static void lay_pair(Player *player, int first, int second)
{
    u64 cards = bit(first) | bit(second);
    player->hand &= ~cards;
    add_pile(player, (Pile){.cards = cards, .accept = rank_mask(first & 15)});
}

static void begin_turn(Game *game, int seat)
{
    game->seat = seat;
    game->turns++;
    game->stage = IN_TURN;
    game->acted = game->drew_first = game->counted = 0;
    game->moves_left = 1;
    if (!game->player[seat].hand) {
        game->acted = game->drew_first = 1;
        draw(game, 5); /* F6 */
    }
}

/* Lay pairs and go from stage to stage, until a player has to choose. */
static void settle(Game *game)
{
    for (;;) {
        Player *player = &game->player[game->seat];
        while (game->pending) {
            u64 cards = player->hand & rank_mask(__builtin_ctz(game->pending));
            if (count(cards) > 2) { /* F3, F4 */
                game->choosing_pair = 1;
                return;
            }
            game->pending &= game->pending - 1;
            lay_pair(player, lowest(cards), lowest(cards & (cards - 1)));
        }
        if (game->stage == IN_TURN) {
            game->choosing_pair = 0;
            return;
        }
        if (game->stage == ENDING) {
            if (game->turns_left == 0) {
                game->over = 1;
                return;
            }
            if (game->turns_left > 0)
                game->turns_left--;
            begin_turn(game, 1 - game->seat);
        } else if (game->seat == 0) { /* F5 */
            game->seat = 1;
            game->pending = all_pairs(game->player[1].hand);
        } else {
            begin_turn(game, 0);
        }
    }
}

static inline int list_cards(Move *moves, int n, int kind, u64 cards, int target)
{
    for (; cards; cards &= cards - 1)
        moves[n++] = (Move){kind, lowest(cards), target};
    return n;
}

static int list_pairs(const Game *game, Move *moves)
{
    int n = 0;
    u64 cards = game->player[game->seat].hand & rank_mask(__builtin_ctz(game->pending));
    for (; cards; cards &= cards - 1)
        for (u64 others = cards & (cards - 1); others; others &= others - 1)
            moves[n++] = (Move){PAIR, lowest(cards), lowest(others)};
    return n;
}

static int list_runs(u64 hand, Move *moves, int n)
{
    for (int suit = 0; suit < 4; suit++) {
        unsigned lane = hand >> (16 * suit) & LANE;
        lane |= (lane & 1) << ACE_HIGH;
        for (unsigned starts = lane & lane >> 1 & lane >> 2; starts; starts &= starts - 1) {
            int low = __builtin_ctz(starts);
            for (int high = low + 2; lane >> high & 1; high++)
                if (high - low < 13)
                    moves[n++] = (Move){RUN, 16 * suit + low, high};
        }
    }
    return n;
}

static int list_plays(const Game *game, Move *moves)
{
    const Player *own = &game->player[game->seat], *other = &game->player[1 - game->seat];
    u64 hand = own->hand, joined = 0;
    int n = 0, takes = other->n_discard > 0;
    if (!game->acted && game->top < game->bottom)
        moves[n++] = (Move){DRAW, 0, 0};
    for (u64 cards = hand; cards; cards &= cards - 1) {
        moves[n++] = (Move){DISCARD, lowest(cards), 0};
        if (takes && SPECIALS & cards & -cards)
            moves[n++] = (Move){TAKE, lowest(cards), 0};
    }
    for (int i = 0; i < own->n_piles; i++) {
        u64 cards = hand & (own->pile[i].accept | SPECIALS);
        joined |= cards;
        n = list_cards(moves, n, PUSH, cards, i);
    }
    n = list_cards(moves, n, ALONE, hand & ~joined, 0);
    for (int i = 0; i < other->n_piles; i++)
        n = list_cards(moves, n, GIVE, hand & (other->pile[i].accept | SPECIALS), i);
    if (hand & hand >> 1 & (hand >> 2 | QUEENS))
        n = list_runs(hand, moves, n);
    if (game->moves_left && own->n_discard) {
        int card = own->discard[own->n_discard - 1], first = n;
        u64 special = SPECIALS & bit(card);
        for (int i = 0; i < own->n_piles; i++)
            if (special || own->pile[i].accept & bit(card))
                moves[n++] = (Move){MOVE_PUSH, card, i};
        if (n == first)
            moves[n++] = (Move){MOVE_ALONE, card, 0};
    }
    if (game->counted || !hand)
        moves[n++] = (Move){END, 0, 0};
    return n;
}

static inline void join(Pile *pile, int card)
{
    int matches = pile->accept >> card & 1;
    pile->cards |= bit(card);
    if (matches && pile->is_run) {
        int rank = card & 15;
        if (rank == pile->low - 1)
            pile->low = rank;
        else
            pile->high = rank ? rank : ACE_HIGH;
        pile->accept = run_accept(card >> 4, pile->low, pile->high);
    }
}

static void push(Player *own, Player *other, int place, int card)
{
    join(&own->pile[place], card);
    add_pile(other, own->pile[place]);
    own->n_piles--;
    memmove(&own->pile[place], &own->pile[place + 1], (own->n_piles - place) * sizeof(Pile));
}

static void apply(Game *game, Move move)
{
    Player *own = &game->player[game->seat], *other = &game->player[1 - game->seat];
    int card = move.card;
    switch (move.kind) {
    case PAIR:
        game->pending &= game->pending - 1;
        lay_pair(own, card, move.target);
        settle(game);
        return;
    case END:
        game->stage = ENDING;
        if (!own->hand)
            draw(game, 5);
        else if (!game->drew_first)
            draw(game, 1);
        settle(game);
        return;
    case DRAW:
        game->acted = game->drew_first = 1;
        draw(game, 1);
        settle(game);
        return;
    }
    game->acted = 1;
    if (move.kind == RUN) {
        int low = card & 15, suit = card >> 4;
        u64 cards = (bit(move.target + 1) - bit(low)) & LANE;
        if (move.target == ACE_HIGH)
            cards |= 1;
        cards <<= 16 * suit;
        own->hand &= ~cards;
        game->counted = 1;
        add_pile(own, (Pile){cards, run_accept(suit, low, move.target), low, move.target, 1});
        return;
    }
    if (move.kind == MOVE_ALONE || move.kind == MOVE_PUSH) {
        own->n_discard--;
        game->moves_left--;
    } else {
        own->hand &= ~bit(card);
        game->counted = 1;
    }
    switch (move.kind) {
    case TAKE:
        own->hand |= bit(other->discard[--other->n_discard]);
        /* fall through */
    case DISCARD:
        own->discard[own->n_discard++] = card;
        break;
    case ALONE:
    case MOVE_ALONE:
        add_pile(own, (Pile){.cards = bit(card), .accept = rank_mask(card & 15)});
        break;
    case PUSH:
    case MOVE_PUSH:
        push(own, other, move.target, card);
        break;
    case GIVE:
        join(&other->pile[move.target], card);
        break;
    }
}

static void play(u64 seed, u64 number, Row *row)
{
    static Game game;
    Stream deal;
    int moves = 0, decisions = 0;
    seed_stream(&deal, seed, number, 0);
    new_deck(game.deck);
    shuffle(&deal, game.deck, 52);
    for (int seat = 0; seat < 2; seat++) {
        Player *player = &game.player[seat];
        seed_stream(&player->choice, seed, number, 1 + seat);
        player->hand = 0;
        player->n_piles = player->n_discard = 0;
        for (int i = seat; i < 14; i += 2)
            player->hand |= bit(game.deck[i]);
    }
    game.top = 14;
    game.bottom = 52;
    game.seat = game.turns = game.over = 0;
    game.stage = OPENING;
    game.turns_left = -1;
    game.pending = all_pairs(game.player[0].hand);
    settle(&game);

    while (!game.over) {
        int n = game.choosing_pair ? list_pairs(&game, game.moves) : list_plays(&game, game.moves);
        int chosen = 0;
        if (n > 1) {
            chosen = below(&game.player[game.seat].choice, n);
            decisions++;
        }
        moves++;
        apply(&game, game.moves[chosen]);
    }

    for (int seat = 0; seat < 2; seat++) {
        const Player *player = &game.player[seat];
        int cards = count(player->hand) + player->n_discard;
        for (int i = 0; i < player->n_piles; i++)
            cards += count(player->pile[i].cards);
        row->score[seat] = cards;
    }
    row->turns = game.turns;
    row->moves = moves;
    row->decisions = decisions;
    row->winners = (row->score[0] <= row->score[1]) | (row->score[1] <= row->score[0]) << 1;
}
