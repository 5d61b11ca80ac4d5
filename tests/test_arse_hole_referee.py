"""The referee of Arse Hole against the worked examples of its rules, and in random sessions."""

import random
from collections import Counter

import pytest

from tests.referee.arse_hole import (
    DEFAULTS,
    Referee,
    decks_needed,
    exchange_pairs,
    full_deck,
    low_to_high,
    ranks_from_draw,
    value_of,
)


def deck_for(players, rng=None, **rules):
    """A whole deck, shuffled if there is a generator."""
    deck = full_deck(decks_needed({**DEFAULTS, **rules}, players))
    if rng:
        rng.shuffle(deck)
    return deck


def start(players, **rules):
    """A session whose first deal is not shuffled: for set-up positions."""
    return Referee(rules, players, deck_for(players, **rules))


def position(hands, seat, /, **rules):
    """A session about to begin a round, `seat` leading, with the hands given as strings."""
    referee = start(len(hands), **rules)
    referee.hands = [low_to_high(hand) for hand in hands]
    referee.order_out = [player for player, hand in enumerate(hands) if not hand]
    referee.begin_round(seat)
    return referee


def exchange(hands, /, **rules):
    """A session at the start of an exchange, with the hands given as strings."""
    referee = start(len(hands), **rules)
    referee.hands = [low_to_high(hand) for hand in hands]
    referee.begin_exchange(exchange_pairs(len(hands)))
    return referee


def play_all(referee, moves):
    for move in moves.split(", "):
        referee.play(move)


def holds(referee, player, values):
    return referee.hands[player] == low_to_high(values)


# The worked examples


@pytest.mark.parametrize(
    ("players", "decks", "larger", "size"), [(6, 3, 0, 27), (7, 3, 1, 23), (20, 8, 12, 21)]
)
def test_example_1_decks_and_hand_sizes(players, decks, larger, size):
    """A1, A5: enough decks for 20 each, the lowest ranks holding one more."""
    referee = start(players)
    assert referee.decks == decks
    sizes = [len(referee.hands[referee.player_of(rank)]) for rank in range(1, players + 1)]
    assert sizes == [size] * (players - larger) + [size + 1] * larger
    assert referee.dealt == [len(hand) for hand in referee.hands]


@pytest.mark.parametrize(
    ("players", "numbers"),
    [(6, [3, 2, 1, 1, 2, 3]), (7, [3, 2, 1, 0, 1, 2, 3]), (2, [1, 1]), (3, [1, 0, 1])],
)
def test_example_2_exchange_counts(players, numbers):
    """A6: the number each rank swaps, middle outward, and with whom."""
    found = [0] * players
    for lower, higher, number in exchange_pairs(players):
        found[lower - 1] = found[higher - 1] = number
        assert lower + higher == players + 1
    assert found == numbers
    in_order = [number for _, _, number in exchange_pairs(players)]
    assert in_order == sorted(in_order)
    assert exchange(["3456789"] * players).due == numbers


def test_example_3_best_cards_due():
    """A7: the Arse Hole gives two wilds and an ace, and is not asked."""
    referee = exchange(["3456", "3456", "3456", "3456", "3456", "KAA" + value_of("2h") + "W"])
    assert value_of("2h") == value_of("*1") == "W"
    asked = []
    while referee.phase == "give":
        asked.append(referee.seat)
        referee.play(referee.legal()[0])
    assert asked == [2, 1, 1, 0, 0, 0]
    assert referee.gave == [["3", "4", "5"], ["3", "4"], ["3"], ["6"], ["5", "6"], ["A", "W", "W"]]
    assert holds(referee, 0, "6AWW")
    assert holds(referee, 5, "KA345")
    assert (referee.phase, referee.seat) == ("play", 5)


def test_example_4_following():
    """A10, A11: as many or more, one wild fewer."""
    hand = "9999777" + "WW"
    referee = position(["3333", hand, "777K"], 2)
    referee.play("7x3")
    assert referee.seat == 1
    assert referee.legal() == ["9x3", "9x4", "Wx2", "pass"]
    same = position(["3333", hand + "WW", "777K"], 2, follow_count="same")
    same.play("7x3")
    assert same.legal() == ["9x3", "Wx2", "Wx3", "pass"]
    no_discount = position(["3333", hand + "WW", "777K"], 2, wild_discount=0)
    no_discount.play("7x3")
    assert no_discount.legal() == ["9x3", "9x4", "Wx3", "Wx4", "pass"]


def test_example_5_one_wild_on_a_single():
    """A11: at least one wild."""
    referee = position(["33", "3WW", "5K"], 2)
    referee.play("5x1")
    assert referee.legal() == ["Wx1", "Wx2", "pass"]
    with pytest.raises(ValueError):
        referee.play("Wx0")


def test_example_6_wilds_end_the_round():
    """A12, A13: the layer of wilds leads, unless out of cards."""
    referee = position(["33", "3WW", "5K"], 2)
    play_all(referee, "5x1, Wx1")
    assert referee.seat == 1 and referee.last is None
    assert referee.legal() == ["3x1", "Wx1"]
    referee = position(["33", "WW", "5K"], 2)
    play_all(referee, "5x1, Wx2")
    assert referee.seat == 0 and referee.last is None and referee.order_out == [1]


def test_example_7_a_pass_lasts_until_the_next_round():
    """A10, A13: who has passed is not asked again; nobody lays on the own cards."""
    referee = position(["55QQ", "66AA", "44K"], 2)
    play_all(referee, "4x2, pass, 5x2")
    assert referee.seat == 2
    referee.play("pass")
    assert referee.seat == 0 and referee.last is None, "all but the last layer had passed"
    referee = position(["55QQ", "66AA", "44KK", "3333"], 2)
    play_all(referee, "4x2, pass, 5x2, pass")
    assert referee.seat == 2
    referee.play("Kx2")
    assert referee.seat == 0


@pytest.mark.parametrize(("rule", "leader"), [("next_in_order", 1), ("lowest", 4)])
def test_example_8_the_winner_is_out_of_cards(rule, leader):
    """A13: those in may follow first; then the option says who leads."""
    referee = position(["345", "345", "Q", "3344", "5556"], 3, lead_after_out=rule)
    play_all(referee, "3x1, Qx1")
    assert [referee.seat, referee.last] == [1, ("Q", 1)]
    play_all(referee, "pass, pass, pass, pass")
    assert referee.seat == leader and referee.last is None
    follow = position(["34A", "345", "Q", "3344", "5556"], 3, lead_after_out=rule)
    play_all(follow, "3x1, Qx1, pass, Ax1, pass")
    assert follow.seat == 3
    follow.play("pass")
    assert follow.seat == 0, "the last layer has cards"


def test_example_8_from_the_king_on_to_the_arse_hole():
    """A13: after the King comes the Arse Hole; who has no cards is skipped."""
    referee = position(["Q", "345", "33", ""], 2)
    play_all(referee, "3x1, pass, Qx1, pass")
    assert referee.seat == 2


def test_example_9_leaving_and_joining():
    """A14, A15: those below move up, the newcomer is Arse Hole and keeps the slot."""
    referee = position(["", "", "", "", "5", "34"], 5, hands=2, _churn=[1])
    deal = deck_for(6, random.Random(1))
    referee.play("3x1")
    with pytest.raises(ValueError):
        referee.play("5x1", deal[1:])
    referee.play("5x1", deal)
    assert referee.hand_results[0]["rank_after"] == [1, 2, 3, 4, 5, 6]
    assert referee.ranks == [1, 6, 2, 3, 4, 5]
    assert start(6).phase == "play" and referee.phase == "give", "A4: no exchange in hand 1 only"
    newcomer = low_to_high(referee.hands[1] + referee.giving[1])
    assert newcomer == low_to_high(value_of(card) for card in deal[::6])


def test_example_10_a_penalty():
    """A8: what was given stays given, and who kept a joker back is Arse Hole in the next hand."""
    rules = {"exchange_honesty": "penalty", "first_exchange": "yes", "hands": 3}
    referee = exchange(["3456"] * 5 + ["3KAAW"], **rules)
    held_back = iter(["give K", "give A", "give A"])
    while referee.phase == "give":
        best, worst = referee.legal()[-1], referee.legal()[0]
        referee.play(next(held_back) if referee.seat == 5 else best if referee.seat > 2 else worst)
    assert referee.penalties == [0, 0, 0, 0, 0, 1]
    assert referee.gave[5] == ["K", "A", "A"] and holds(referee, 5, "3W345")
    referee.hands = [["8"], ["7"], ["6"], ["5"], ["4"], ["3"]]
    play_all(referee, "3x1, 4x1, 5x1, 6x1")
    referee.play("7x1", deck_for(6))
    assert referee.hand_results[0]["order_out"] == [5, 4, 3, 2, 1, 0]
    assert referee.ranks == [5, 4, 3, 2, 1, 6]
    assert referee.penalties == [0] * 6


# Options beyond the examples


def test_see_first_may_pass_cards_back():
    """A7: the higher chooses with the received cards in hand; blind, without them."""
    hands = ["345", "345", "345", "67A"]
    seen = exchange(hands, exchange_order="see_first")
    assert seen.seat == 1 and holds(seen, 1, "3455")
    seen.play("give 5")
    assert seen.seat == 0 and holds(seen, 0, "3457A") and holds(seen, 2, "345")
    play_all(seen, "give A, give 7")
    assert holds(seen, 3, "67A") and seen.phase == "play"
    blind = exchange(hands)
    assert blind.seat == 1 and holds(blind, 1, "345")
    with pytest.raises(ValueError):
        blind.play("give A")


def test_exchange_is_cut_to_the_smaller_hand():
    """A6: with few cards a pair swaps what the smaller hand has."""
    referee = start(20, decks=1, first_exchange="yes")
    assert referee.dealt == [2] * 6 + [3] * 14
    assert referee.due == [2] * 6 + [3, 3, 2, 1, 1, 2, 3, 3] + [2] * 6
    while referee.phase == "give":
        referee.play(referee.legal()[0])
    assert [len(given) for given in referee.gave] == referee.due
    assert [len(hand) for hand in referee.hands] == referee.dealt


def test_requests():
    """A7 `by_request`: all are asked first; wanted, then the best, unwanted last."""
    rules = {"exchange_request": "by_request"}
    referee = exchange(["3456", "3456", "3446", "34AW"], **rules)
    assert referee.phase == "request" and referee.seat == 1
    assert len(referee.legal()) == 27
    referee.play("want 4")
    assert referee.phase == "request" and referee.seat == 0
    referee.play("unwant A")
    assert (referee.phase, referee.seat) == ("give", 1)
    play_all(referee, "give 3, give 3, give 4")
    assert referee.gave[2:] == [["4"], ["4", "W"]]


def test_requests_with_several_names():
    """A7: names are asked for one at a time; the best of the wanted come first."""
    rules = {"exchange_request": "by_request", "max_named": 3}
    referee = exchange(["3456", "3456", "3446", "34AW"], **rules)
    play_all(referee, "no request, want 3")
    assert referee.seat == 0 and "unwant 3" not in referee.legal()
    play_all(referee, "want 4, want W")
    referee.play("give 3")
    play_all(referee, "give 3, give 4")
    assert referee.gave[3] == ["4", "W"]
    referee = exchange(["3456", "3456", "3446", "WWWA"], **rules)
    play_all(referee, "no request, unwant W, no request")
    play_all(referee, "give 3, give 3, give 4")
    assert referee.gave[3] == ["A", "W"], "the unwanted only when nothing else is left"


def test_request_is_judged_under_penalty():
    """A8: the wanted card that was held back counts."""
    rules = {"exchange_request": "by_request", "exchange_honesty": "penalty", "penalty_hands": 2}
    for given, penalty in (("3", 0), ("A", 2)):
        referee = exchange(["34", "3A"], **rules)
        play_all(referee, "want 3")
        assert referee.seat == 1 and referee.legal() == ["give 3", "give A"]
        referee.play(f"give {given}")
        assert referee.seat == 0 and holds(referee, 0, "34"), "blind: nothing received yet"
        referee.play("give 4")
        assert referee.penalties == [0, penalty]


def test_penalties_run_on_and_leavers_lose_them():
    """A8, A15: two hands at the bottom, in finishing order, and below them a newcomer."""
    deal = deck_for(4)
    referee = position(["", "34", "5", ""], 1, hands=3, _churn=[None, 2])
    referee.penalties = [2, 0, 0, 2]
    referee.order_out = [3, 0]
    referee.play("3x1")
    referee.play("5x1", deal)
    assert referee.ranks == [4, 2, 1, 3] and referee.penalties == [1, 0, 0, 1]
    referee.hands = [[], ["3"], ["4", "5"], []]
    referee.order_out = [0, 3]
    referee.begin_round(1)
    referee.play("3x1", deal)
    assert referee.hand_results[1]["rank_after"] == [3, 1, 2, 4]
    assert referee.ranks == [2, 1, 4, 3] and referee.penalties == [0] * 4
    referee = position(["", "34", "5", ""], 1, hands=2, _churn=[3])
    referee.penalties = [2, 0, 0, 2]
    referee.play("3x1")
    referee.play("5x1", deal)
    assert referee.ranks == [3, 2, 1, 4] and referee.penalties == [1, 0, 0, 0]


def test_wilds_that_stand_for_others():
    """A11 `any_value`: any mix with a natural card, counted in full, and the round goes on."""
    referee = position(["3333", "79WW", "556"], 2, wild_as="any_value")
    assert referee.legal() == ["5x1", "5x2", "6x1"]
    referee.play("5x2")
    assert referee.legal() == "7x1+1W 7x1+2W 9x1+1W 9x1+2W Wx1 Wx2 pass".split()
    referee.play("7x1+2W")
    assert referee.last == ("7", 3) and referee.seat == 0
    assert holds(referee, 1, "9")
    assert referee.legal() == ["pass"]


def test_wilds_on_wilds():
    """A12 `no`: strictly more wilds, no natural cards, no discount."""
    for count in ("same_or_more", "same"):
        referee = position(
            ["333A", "3WWWW", "WWWK"], 2, wild_ends_round="no", wild_as="any_value",
            follow_count=count,
        )  # fmt: skip
        referee.play("Wx2")
        assert referee.legal() == ["Wx3", "Wx4", "pass"]
        referee.play("Wx3")
        assert referee.legal() == ["pass"]


def test_draw_for_first_ranks():
    """A4: jokers, first drawn best, then twos, aces and down, hearts above all suits."""
    assert ranks_from_draw(["2h", "*2", "*1", "As", "Ah", "Ad", "Ac", "3h"]) == [
        3, 1, 2, 7, 4, 5, 6, 8,
    ]  # fmt: skip


def test_last_hand_ends_the_session():
    """A15: no deck is drawn after the last hand; the King wins."""
    referee = position(["34", "5", ""], 0, hands=1)
    referee.play("3x1")
    assert not referee.over and referee.result()["winners"] == []
    with pytest.raises(ValueError):
        referee.play("5x1", deck_for(3))
    referee.play("5x1")
    result = referee.result()
    assert referee.over and referee.legal() == []
    assert result["scores"] == [3, 2, 1] and result["winners"] == [2]
    with pytest.raises(ValueError):
        referee.play("pass")


@pytest.mark.parametrize(
    "rules", [{"decks": 1, "suits": 2}, {"wild_as": "none"}, {"_ranks": [1, 1, 2]}]
)
def test_refused(rules):
    """Options that do not exist, values they do not have, ranks that are no permutation."""
    with pytest.raises(ValueError):
        start(3, **rules)


@pytest.mark.parametrize("players", [1, 21])
def test_refused_players(players):
    """2 to 20 play."""
    with pytest.raises(ValueError):
        start(players)


# Random sessions


def random_rules(rng, players):
    hands = rng.randint(1, 4)
    ranks = list(range(1, players + 1))
    rng.shuffle(ranks)
    return {
        "decks": rng.choice(["auto", 1, 2]),
        "min_cards": rng.choice([5, 10, 20]),
        "first_exchange": rng.choice(["no", "yes"]),
        "exchange_order": rng.choice(["blind", "see_first"]),
        "exchange_request": rng.choice(["best_only", "by_request"]),
        "max_named": rng.randint(1, 3),
        "exchange_honesty": rng.choice(["enforced", "penalty"]),
        "penalty_hands": rng.randint(1, 2),
        "follow_count": rng.choice(["same_or_more", "same"]),
        "wild_discount": rng.randint(0, 1),
        "wild_as": rng.choice(["own_value", "any_value"]),
        "wild_ends_round": rng.choice(["yes", "no"]),
        "lead_after_out": rng.choice(["next_in_order", "lowest"]),
        "hands": hands,
        "_ranks": ranks,
        "_churn": [rng.choice([None, rng.randrange(players)]) for _ in range(hands - 1)],
    }


@pytest.mark.parametrize("seed", range(60))
def test_random_sessions(seed):
    """Cards are never lost or made, ranks are always 1 to n, and every hand comes to an end."""
    rng = random.Random(seed)
    players = 2 + seed % 19
    rules = random_rules(rng, players)
    referee = Referee(rules, players, deck_for(players, rng, **rules))
    values = Counter(value_of(card) for card in full_deck(referee.decks))
    while not referee.over:
        moves = referee.legal()
        assert moves and len(moves) == len(set(moves))
        before = referee.hand_number
        seat, phase, held = referee.seat, referee.phase, len(referee.hands[referee.seat])
        if phase == "play":
            assert held and seat not in referee.passed and seat != referee.last_layer
            assert ("pass" in moves) == (referee.last is not None)
        move = rng.choice(moves)
        try:
            referee.play(move)
        except ValueError:
            referee.play(move, deck_for(players, rng, **rules))
            assert referee.hand_number == before + 1
        if not referee.over:
            pile = referee.pile + sum(referee.giving, []) + sum(referee.hands, [])
            assert Counter(pile) == values
        assert sorted(referee.ranks) == list(range(1, players + 1))
        if referee.phase == "play" and not referee.pile:
            assert [len(hand) for hand in referee.hands] == referee.dealt
            assert [len(given) for given in referee.gave] == referee.due
    result = referee.result()
    assert len(result["hand_results"]) == rules["hands"] and not result["unfinished"]
    assert result["scores"][result["winners"][0]] == 1
    for hand in result["hand_results"]:
        assert sorted(hand["order_out"]) == list(range(players))
        assert sorted(hand["rank_after"]) == list(range(1, players + 1))
        assert sum(hand["cards_dealt"]) == 54 * referee.decks
        if rules["exchange_honesty"] == "enforced":
            for player, rank in enumerate(hand["rank_after"]):
                assert hand["order_out"][rank - 1] == player
