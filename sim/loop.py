"""The loop that plays games, written once for all of them (see `sim.jit.bind`)."""

from sim.rng import seed_stream

HANDS = 64  # streams a hand: the deal's and one for each of up to 63 seats

# Names that the game's module supplies where the loop is bound.
deal = legal = apply = score = None


def play(rules, seatings, paired, strategies, params, seed, first, state, views, rows):
    """Play whole games, from the deal to the score, and fill one row a hand.

    Parameters
    ----------
    rules : record of the game's RULES
    seatings : int64[n_seatings, n_players]
        Which strategy sits where. Game k uses seating ``k % n_seatings``.
    paired : bool
        Whether the games of one round of seatings share their deal.
    strategies : tuple of functions
        ``choose(view) -> index``.
    params : float64[n_strategies, 16]
        The weights of each strategy.
    seed, first : int64
        The run's seed, and the number of the first game to play.
    state : record of the game's STATE
    views : array of the game's VIEW, one a seat
        Scratch space. After a fault `state` and `views` still stand where it happened.
    rows : array of the game's ROW, shape (games, hands)
        Filled.

    Returns
    -------
    int
        1 when all games are played; 0 when a strategy returned ``state.choice``, outside its moves.
    """
    n_games, n_hands = rows.shape
    n_seatings, n_players = seatings.shape
    for i in range(n_games):
        game = first + i
        seating = game % n_seatings
        number = game // n_seatings if paired else game
        state.game = number
        state.seating = seating
        state.n_players = n_players
        for seat in range(n_players):
            views[seat].rules = rules
            for j in range(params.shape[1]):
                views[seat].params[j] = params[seatings[seating, seat], j]
        for hand in range(n_hands):
            seed_stream(state.rng, seed, number, HANDS * hand)
            for seat in range(n_players):
                seed_stream(views[seat].rng, seed, number, HANDS * hand + 1 + seat)
            state.hand = hand
            state.over = 0
            state.turns = 0
            state.moves = 0
            state.decisions = 0
            deal(rules, state)
            while not state.over:
                seat = state.seat
                view = views[seat]
                legal(rules, state, view)
                index = 0
                if view.n_moves > 1:
                    index = strategies[seatings[seating, seat]](view)
                    state.decisions += 1
                    if index < 0 or index >= view.n_moves:
                        state.choice = index
                        return 0
                state.moves += 1
                apply(rules, state, view.moves[index])
            row = rows[i, hand]
            row.game = game
            row.deal = number
            row.seating = seating
            row.hand = hand
            row.turns = state.turns
            row.moves = state.moves
            row.decisions = state.decisions
            score(rules, state, row)
    return 1
