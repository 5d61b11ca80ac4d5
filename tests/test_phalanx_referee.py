"""The referee of Phalanx against the worked examples of its rules, and against itself."""

import random

import pytest

from tests.referee.phalanx import (
    CHOICES,
    DEFAULTS,
    ZONES,
    Referee,
    full_deck,
    seniority,
    side_total,
    side_total_by_definition,
)


def position(hands, table=None, leader=0, reserves=None, **rules):
    """A game in which `leader` is about to lay; the cards not named are split as reserves."""
    players = len(hands)
    game = Referee(rules, players, full_deck(rules))
    game.hands = [set(hand.split()) for hand in hands]
    for side, cards in (table or {}).items():
        game.table[side] = cards.split()
    used = set().union(*game.hands, *game.table.values())
    rest = [card for card in full_deck(rules) if card not in used]
    sizes = reserves or [len(rest) // players] * players
    for seat, size in enumerate(sizes):
        game.reserves[seat], rest = rest[:size], rest[size:]
    game.phase, game.seat, game.leader = "lay", leader, leader
    game.waiting = [(leader + step) % players for step in range(1, players)]
    return game


def opening(*cards, zones=None, **rules):
    """A game in which these cards have just been turned up as opening cards."""
    players = len(cards)
    game = Referee(rules, players, full_deck(rules))
    fillers = [card for card in full_deck(rules) if card not in cards]
    for seat, card in enumerate(cards):
        game.hands[seat] = {card, *fillers[seat * 6 : seat * 6 + 6]}
    for seat, card in enumerate(cards):
        game.play(f"{card}@{zones[seat] if zones else 'M'}", [])
    return game


def total(game, zone, seat):
    return side_total(game.face_up(zone, seat), game.rules)


def next_hands(game, move, rng):
    """Hands that the rules allow: the top of a reserve in deal order, else any of its cards."""
    drawn = []
    for reserve, ordered in game.piles_after(move) or []:
        size = game.rules["hand_size"]
        drawn += reserve[:size] if ordered else rng.sample(reserve, size)
    return drawn


def play_on(game, *moves):
    for move in moves:
        game.play(move, next_hands(game, move, random.Random(1)))
    return game


def every_card(game):
    """All cards, wherever they are, as a list so that a doubled card is seen."""
    hidden = len(game.chosen) < game.players and game.phase == "opening"
    cards = [card for card, _ in game.chosen.values()] if hidden else []
    for place in [*game.hands, *game.reserves, *game.table.values(), game.void, game.out]:
        cards += place
    return sorted(cards)


# Worked examples.


@pytest.mark.parametrize(
    ("side", "rules", "points"),
    [
        ("9s 4s", {}, 17),  # example 1
        ("9s 4s 2s", {}, 21),
        ("Th 6h 6c", {}, 28),  # example 2
        ("Th 6h 6c Jd", {"jack_on_doubled": "multiplies"}, 40),
        ("Th 6h 6c Jd", {"jack_on_doubled": "no_effect"}, 34),
        ("Js", {}, 0),  # example 3
        ("Js 5d", {}, 10),
        ("Js Jh 5d", {}, 10),
        ("As 9s", {"ace": "1"}, 11),  # example 4
        ("As 9s", {"ace": "4"}, 17),
        ("As 9s", {"ace": 10}, 28),
        ("As 9s", {"ace": "match"}, 27),
        ("As", {"ace": "match"}, 1),
        ("2h 3h 4h 5h", {}, 23),  # example 10
        ("Kh 2h 3h 4h 5h", {}, 23),
        ("", {}, 0),
        # Every lowest card has been doubled by its suit: this jack finds nothing to do.
        ("2h 3h Jd", {"jack_on_doubled": "no_effect"}, 7),
        ("2h 3h Jd", {"jack_on_doubled": "multiplies"}, 11),
        # A jack is no partner for a matching ace, and its own doubling comes after the match.
        ("As Js", {"ace": "match"}, 2),
        ("As 9s Js", {"ace": "match"}, 45),
    ],
)
def test_side_totals(side, rules, points):
    assert side_total(side.split(), rules) == points
    assert side_total_by_definition(side.split(), rules) == points


def test_example_5_queen():
    table = {("L", 0): "8d", ("L", 1): "Th"}
    for timing, points in (("when_laid", 3), ("whole_round", 0)):
        game = position(["Qc 3d", "9s 9h"], table, queen_timing=timing)
        play_on(game, "Qc@L", "9s@R")
        assert game.face_down == {"8d", "Th", "Qc"}
        play_on(game, "3d@L")
        assert total(game, "L", 0) == points


def test_example_6_king():
    table = {("R", 1): "Jc 7c"}
    game = position(["Kd 2s", "3s 4s"], table)
    assert total(game, "R", 1) == 14
    assert [move for move in game.legal() if move.startswith("Kd@R")] == ["Kd@R x 7c", "Kd@R x Jc"]
    assert total(play_on(game, "Kd@R x Jc"), "R", 1) == 7
    assert total(play_on(position(["Kd 2s", "3s 4s"], table), "Kd@R x 7c"), "R", 1) == 0


@pytest.mark.parametrize(
    ("tie", "change"), [("return", (2, 3)), ("void", (0, 0)), ("swap", (3, 2))]
)
def test_example_7_ties(tie, change):
    game = position(["2s", "3h"], {("L", 0): "Th", ("L", 1): "5d 4c"}, tie=tie)
    play_on(game, "2s@L")
    before = [len(reserve) for reserve in game.reserves]
    piles = game.piles_after("3h@L")
    assert tuple(len(pile) - old for (pile, _), old in zip(piles, before)) == change
    play_on(game, "3h@L")
    assert len(game.void) == (5 if tie == "void" else 0)
    assert game.zone_wins == [0, 0]


@pytest.mark.parametrize(
    ("cards", "lead_by", "leader"),
    [
        (("Ts", "Jh"), "value", 0),
        (("Ts", "Jh"), "rank", 1),
        (("8h", "8c"), "value", 1),
        (("Js", "Ks"), "value", 1),
        (("Ah", "Ks"), "rank", 0),
        (("Ah", "Ks"), "value", 0),
    ],
)
def test_example_8_lead(cards, lead_by, leader):
    game = opening(*cards, lead_by=lead_by)
    assert game.leader == leader
    assert game.table[("M", 0)] == [cards[0]]


def test_matching_ace_leads_as_one():
    assert seniority("As", {"ace": "match"}) < seniority("2h", {"ace": "match"})
    assert seniority("Ah", {"ace": "10"}) < seniority("Ts", {"ace": "10"})
    assert seniority("As", {"ace": "4"}) > seniority("4s", {"ace": "4"})


def test_example_9_end():
    game = play_on(position(["9s", "5h"], reserves=[44, 6]), "9s@L", "5h@R")
    assert not game.over
    assert [len(reserve) for reserve in game.reserves] == [38, 0]
    game = play_on(position(["9s", "5h"], reserves=[44, 6]), "9s@L", "5h@L")
    assert game.over
    assert game.result()["scores"] == [46, 6]
    assert game.result()["winners"] == [0]


def test_example_10_king_without_target():
    game = position(["Kh 2h 3h 4h 5h", "2s 3s 4s 5s 6s"])
    assert "Kh@L" in game.legal()
    play_on(game, "Kh@L", "2s@R", "2h@L", "3s@R", "3h@L", "4s@R", "4h@L", "5s@R", "5h@L")
    assert total(game, "L", 0) == 23


def test_example_11_opening_king_and_queen():
    game = opening("Ks", "Qh")
    assert (game.phase, game.seat, game.legal()) == ("target", 0, ["x Qh"])
    play_on(game, "x Qh")
    assert (game.phase, game.seat, game.face_down) == ("lay", 0, {"Qh"})
    game = opening("Kh", "Qs")
    assert (game.phase, game.seat, game.face_down) == ("lay", 1, {"Kh", "Qs"})


# Options that the examples leave out.


@pytest.mark.parametrize(
    ("scope", "down"),
    [("both_sides", {"8d", "Th", "Qc"}), ("own_side", {"8d", "Qc"}), ("other_side", {"Th", "Qc"})],
)
def test_queen_scope(scope, down):
    table = {("L", 0): "8d", ("L", 1): "Th", ("R", 1): "2c"}
    game = position(["Qc Ks", "9s 9h"], table, queen_scope=scope, queen_timing="whole_round")
    play_on(game, "Qc@L", "9s@L")
    assert game.face_down == down | ({"9s"} if scope != "own_side" else set())
    # A king laid on a closed side lies face down and acts on nothing.
    assert ("Ks@L" in game.legal()) == (scope != "other_side")


def test_king_options():
    table = {("L", 0): "8d", ("L", 1): "Th", ("R", 1): "2c"}

    def kings(**rules):
        return [move[3:] for move in position(["Ks", "9s"], table, **rules).legal()]

    assert kings() == ["L x 8d", "L x Th", "M", "R x 2c"]
    assert kings(king_target="other_side") == ["L x Th", "M", "R x 2c"]
    assert kings(king_optional="yes") == ["L", "L x 8d", "L x Th", "M", "R", "R x 2c"]
    far = [f"{zone} x {card}" for zone in ZONES for card in ("2c", "Th")]
    assert kings(king_reach="table", king_target="other_side") == far


def test_opening_king_may_decline():
    game = opening("Ks", "Th", king_optional="yes", lead_by="rank")
    assert game.legal() == ["x -", "x Th"]
    assert play_on(game, "x -").face_down == set()


def test_first_round_opening_and_lead():
    table = {("M", 0): "2h", ("R", 1): "9d"}
    game = play_on(position(["2s", "3h"], table, opening="first_round"), "2s@M", "3h@L")
    # Seat 1 has won L and R, so it leads the next round, without an opening.
    assert (game.rounds, game.phase, game.seat, game.zone_wins) == (1, "lay", 1, [1, 2])
    assert len(game.hands[1]) == 7
    game = position(["2s", "3h"], leader=1, opening="first_round")
    play_on(game, "3h@L", "2s@M")
    assert game.leader == 1


def test_reserve_order_is_kept_until_shuffled():
    game = position(["9s", "5h"])
    top = [reserve[:7] for reserve in game.reserves]
    play_on(game, "9s@L")
    with pytest.raises(ValueError):
        game.play("5h@L", top[0] + game.reserves[1][1:8])
    with pytest.raises(ValueError):
        game.play("5h@L", top[0])
    with pytest.raises(ValueError):
        game.play("5h@L", top[0][:6] + top[0][:1] + top[1])
    game.play("5h@L", ["5h", "9s", *game.reserves[0][5:10], *top[1]])
    assert game.hands[0] >= {"5h", "9s"}
    assert game.known_owner == {"5h": 0, "9s": 0}


def test_void_can_leave_both_unable_to_draw():
    for end_rule, winners in (("most_cards", [0]), ("cannot_draw_loses", [0, 1])):
        game = position(["9s", "9h"], reserves=[6, 5], tie="void", end_rule=end_rule)
        play_on(game, "9s@L", "9h@L")
        assert game.over
        assert game.result()["winners"] == winners


def test_max_rounds_cuts_and_gives_chips_back():
    game = position(["9s", "9h"], stakes="on", max_rounds=1)
    assert game.chips == [-3, -3]
    play_on(game, "9s@L", "9h@L")
    result = game.result()
    assert result["unfinished"] and result["winners"] == [] and result["chips"] == [0, 0]


# Stakes.


def test_raise_call_and_fold():
    game = opening("9s", "5h", stakes="on")
    assert game.legal() == ["no raise", "raise L", "raise M", "raise R"]
    play_on(game, "raise L", "call")
    assert game.pots["L"] == [2, 2]
    play_on(game, "raise L", "fold")
    # Seat 1 put a third chip there and has all five at once; the zone takes no more raises.
    assert (game.chips, game.pots["L"]) == ([-4, 0], [0, 0])
    assert game.phase == "lay"
    play_on(game, game.legal()[0])
    play_on(game, game.legal()[0])
    assert game.phase == "raise" and "raise L" not in game.legal()


def test_max_raises_and_must_call():
    game = opening("9s", "5h", stakes="on", max_raises=1, raise_reply="must_call")
    play_on(game, "raise L")
    assert game.legal() == ["call"]
    play_on(game, "call")
    assert game.legal() == ["no raise", "raise M", "raise R"]


def test_tied_chips_are_carried():
    game = play_on(position(["9s", "9h"], stakes="on"), "9s@L", "9h@R")
    # L and R were won, M was tied 0-0: its two chips lie under the two of the new stake.
    assert game.pots == {"L": [1, 1], "M": [2, 2], "R": [1, 1]}
    assert game.chips == [-4, -4]


def test_three_players_fold():
    game = opening("9s", "5h", "4h", stakes="on")
    play_on(game, "no raise", "raise M", "fold", "call")
    # Seat 2 answered first and gave up its chip; seats 0 and 1 play for it.
    assert game.pots["M"] == [2, 2, 1]
    assert game.folded["M"] == {2}
    assert "raise M" not in game.legal()
    game = opening("9s", "5h", "4h", stakes="on")
    play_on(game, "raise M", "fold", "fold")
    assert game.chips == [0, -3, -3]
    # The cards are still played for, by those who folded too.
    table = {("M", 0): "9s", ("M", 1): "5h", ("M", 2): "Th"}
    game = position(["2s", "2h", "2d"], table, stakes="on")
    game.folded["M"] = {2}
    play_on(game, "2s@L", "2h@R", "2d@M")
    assert game.known_owner["9s"] == 2
    # Seat 0 had the chips of L and M, seat 1 those of R; then all put three on a new round.
    assert game.chips == [0, -3, -6]


# Three players.


def test_pairwise():
    game = Referee({"three_players": "pairwise"}, 3, full_deck({}))
    zones = [game.own_zones(seat) for seat in range(3)]
    assert zones == [["L", "R"], ["L", "M"], ["M", "R"]]
    assert {move[2:] for move in game.legal()} == {"@L", "@R"}
    game = opening("9s", "5h", "Ks", zones="RMM", three_players="pairwise", stakes="on")
    assert (game.leader, game.phase, game.legal()) == (0, "target", ["x 5h"])
    assert game.pots == {"L": [1, 1, 0], "M": [0, 1, 1], "R": [1, 0, 1]}


def test_one_zone():
    game = opening("9s", "5h", "4h", three_players="one_zone")
    assert {move[2:4] for move in game.legal()} == {"@L", "@M", "@R"}
    play_on(game, game.legal()[0])
    play_on(game, game.legal()[0])
    assert game.seat == 2
    assert {move[2:4] for move in game.legal()} == {"@M"}


@pytest.mark.parametrize(
    ("tie", "owners"), [("return", (0, 1, 2)), ("void", (None,) * 3), ("swap", (1, 2, 0))]
)
def test_three_way_zone_with_two_tied(tie, owners):
    table = {("M", 0): "9s", ("M", 1): "9h", ("M", 2): "4h"}
    game = position(["2s", "2h", "2d"], table, tie=tie)
    play_on(game, "2s@L", "2h@R", "2d@L")
    assert tuple(game.known_owner[card] for card in ("9s", "9h", "4h")) == owners


# Random games.


def random_rules(rng, players):
    rules = {option: rng.choice(values) for option, values in CHOICES.items()}
    while True:
        rules |= {"ranks": rng.randint(4, 13), "suits": rng.randint(1, 4)}
        most = rules["ranks"] * rules["suits"] // players
        if most >= 2:
            break
    rules |= {"hand_size": rng.randint(2, min(7, most)), "max_rounds": rng.randint(1, 12)}
    return rules | {"ante": rng.randint(1, 2), "raise": rng.randint(1, 2)}


@pytest.mark.parametrize("seed", range(150))
def test_random_games(seed):
    rng = random.Random(seed)
    players = rng.choice((2, 3))
    rules = random_rules(rng, players)
    deal = full_deck(rules)
    rng.shuffle(deal)
    game = Referee(rules, players, deal)
    while not game.over:
        moves = game.legal()
        assert moves and len(set(moves)) == len(moves)
        move = rng.choice(moves)
        game.play(move, next_hands(game, move, rng))
        assert every_card(game) == sorted(deal)
        assert sum(game.chips) + sum(sum(pot) for pot in game.pots.values()) == 0
        assert rules["stakes"] == "on" or not any(game.chips)
    result = game.result()
    assert result["rounds"] <= rules["max_rounds"]
    assert sum(result["scores"]) + len(game.void) + len(game.out) == len(deal)
    assert sum(result["chips"]) == 0
    assert bool(result["winners"]) != result["unfinished"]
    assert game.legal() == []


def test_random_sides_agree_with_the_definition():
    rng = random.Random(5)
    deck = full_deck({})
    for _ in range(3000):
        options = ("ace", "jack_on_doubled")
        rules = {option: rng.choice(CHOICES[option]) for option in options}
        # Few suits make pairs and equal lowest cards frequent.
        suits = rng.choice(("sh", "shdc"))
        pool = [card for card in deck if card[1] in suits]
        side = rng.sample(pool, rng.randint(0, 9))
        expected = side_total_by_definition(side, rules)
        assert side_total(side, rules) == expected
        # P7: leaving out the queens and kings changes nothing.
        assert side_total([card for card in side if card[0] not in "QK"], rules) == expected


def test_refusals():
    with pytest.raises(ValueError):
        Referee({}, 2, full_deck({})[1:])
    with pytest.raises(ValueError):
        Referee({"tie": "lost"}, 2, full_deck({}))
    game = Referee({}, 2, full_deck({}))
    with pytest.raises(ValueError):
        game.play("Ks@L", [])
    with pytest.raises(ValueError):
        game.play(game.legal()[0], ["Ks"])
    assert DEFAULTS["tie"] == "return" and not game.chosen


@pytest.mark.parametrize("players", [2, 3])
def test_games_with_the_default_rules_end(players):
    rng = random.Random(players)
    deal = full_deck({})
    rng.shuffle(deal)
    game = Referee({}, players, deal)
    assert len(game.out) == 52 % players
    while not game.over:
        move = rng.choice(game.legal())
        game.play(move, next_hands(game, move, rng))
    result = game.result()
    assert not result["unfinished"] and min(result["scores"]) < 7
    assert all(result["scores"][seat] == max(result["scores"]) for seat in result["winners"])
