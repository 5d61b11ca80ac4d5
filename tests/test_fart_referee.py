"""The worked examples 1-16 of the rules of Fart, and random games, on the referee."""

import random

import pytest

from sim.cards import RANK_NAMES, SUIT_NAMES
from tests.referee.fart import CHOICES, DEFAULTS, Pile, Referee

DECK = [rank + suit for rank in RANK_NAMES for suit in SUIT_NAMES]


def cards(text):
    """The cards of a text such as `7h7c`."""
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def position(hand="", bank=(), discard="", deck="", other=None, **rules):
    """Seat 0 at the start of a turn; piles are texts or `Pile`; `other` is seat 1's side."""
    other = {"hand": "Ac", "bank": (), "discard": "", **(other or {})}
    ref = Referee(rules, 2, DECK)
    ref.hands = [set(cards(hand)), set(cards(other["hand"]))]
    ref.banks = [
        [pile if isinstance(pile, Pile) else Pile.of_rank(cards(pile)) for pile in piles]
        for piles in (bank, other["bank"])
    ]
    ref.discards = [cards(discard), cards(other["discard"])]
    ref.deck = cards(deck)
    ref.seat, ref.phase, ref.stage, ref.due = 0, "play", "start", []
    return ref


def names(ref, seat):
    return sorted(pile.name for pile in ref.banks[seat])


def starting(ref, *starts):
    return [move for move in ref.legal() if move.startswith(starts)]


def test_example_1_push():
    ref = position("7cKh", ["7h"])
    assert starting(ref, "bank 7c") == ["bank 7c on 7h"]
    ref.play("bank 7c on 7h", [])
    assert (names(ref, 0), names(ref, 1)) == ([], ["7h7c"])


def test_example_2_give_stays():
    ref = position("7dKh", other={"bank": ["7h7c"]})
    ref.play("give 7d on 7h7c", [])
    assert (names(ref, 0), names(ref, 1)) == ([], ["7h7d7c"])


def test_example_3_duty_to_join():
    assert starting(position("9d", ["7h", "9c"]), "bank") == ["bank 9d on 9c"]
    ref = position("9d", ["7h", "9c"], stand_alone="always_allowed")
    assert starting(ref, "bank") == ["bank 9d on 9c", "bank 9d"]


def test_example_4_three_of_a_kind():
    ref = position("5h5dKh", deck="5s2c")
    ref.play("draw", ["5s"])
    assert (ref.phase, ref.seat) == ("pair", 0)
    assert ref.legal() == ["pair 5s 5h", "pair 5s 5d", "pair 5h 5d"]
    ref.play("pair 5h 5d", [])
    assert ref.phase == "play" and ref.hands[0] == {"5s", "Kh"} and names(ref, 0) == ["5h5d"]
    assert starting(ref, "bank 5s") == ["bank 5s on 5h5d"]
    ref.play("bank 5s on 5h5d", [])
    assert (names(ref, 0), names(ref, 1)) == ([], ["5s5h5d"])


def test_example_5_runs_start_in_hand():
    ref = position("6h7h", ["8h"])
    assert starting(ref, "run", "bank") == ["bank 6h", "bank 7h"]
    ref = position("6h7h8h")
    assert starting(ref, "run") == ["run 6h-8h"]
    ref.play("run 6h-8h", [])
    assert names(ref, 0) == ["6h7h8h"] and ref.played == 3


def test_example_6_ace_closes_a_run():
    spades = Pile.of_run("s", 11, 13)
    assert spades.name == "AsQsKs"
    ref = position("2sJs", [spades])
    assert starting(ref, "bank") == ["bank 2s", "bank Js on AsQsKs"]
    ref.play("bank Js on AsQsKs", [])
    pushed = ref.banks[1][0]
    assert pushed.name == "AsJsQsKs" and (pushed.low, pushed.high) == (10, 13)
    # by run alone, where the property of a special does not count
    ref = position("2s", [Pile.of_run("s", 11, 13)], "Js", special_from_discard="ordinary")
    assert starting(ref, "move") == ["move Js on AsQsKs"]


@pytest.mark.parametrize("rides", CHOICES["special_rides"])
def test_example_7_special_rides(rides):
    ref = position("4sJsQs", ["2d", "4c4h"], special_rides=rides)
    assert starting(ref, "bank Js") == ["bank Js on 2d", "bank Js on 4h4c"]
    ref.play("bank Js on 4h4c", [])
    assert (names(ref, 0), names(ref, 1)) == (["2d"], ["4h4cJs"])
    later = ["give 4s on 4h4cJs"] if rides == "passenger" else []
    assert starting(ref, "give") == later + ["give Qs on 4h4cJs"]


def test_example_8_special_stands_alone():
    ref = position("KsKh2d", deck="3c4c5c", other={"hand": "Ac9c"})
    assert starting(ref, "bank Ks") == ["bank Ks"]
    ref.play("bank Ks", [])
    ref.play("end", ["3c"])
    ref.play("discard Ac", [])
    ref.play("end", ["4c"])
    assert starting(ref, "bank Kh") == ["bank Kh on Ks"]
    ref.play("bank Kh on Ks", [])
    assert (names(ref, 0), names(ref, 1)) == ([], ["KsKh"])


def test_example_9_special_takes():
    ref = position("Qs5d", discard="Th", other={"discard": "8d3c"})
    assert starting(ref, "discard Qs") == ["discard Qs", "discard Qs take 3c"]
    ref.play("discard Qs take 3c", [])
    assert ref.hands[0] == {"3c", "5d"} and ref.discards == [["Th", "Qs"], ["8d"]]
    assert starting(position("Qs5d"), "discard Qs") == ["discard Qs"]
    ref = position("Qs5d", other={"discard": "8d3c"}, special_take="forced")
    assert starting(ref, "discard Qs") == ["discard Qs take 3c"]


def test_example_10_deck_runs_out_at_a_start():
    # seat 1 is the player with an empty hand
    ref = position("2h3h", deck="9h4d5c6c", other={"hand": ""})
    ref.play("draw", ["9h"])
    ref.play("discard 2h", [])
    ref.play("end", ["4d", "5c", "6c"])
    assert ref.seat == 1 and ref.hands[1] == {"4d", "5c", "6c"}
    assert not starting(ref, "draw")
    ref.play("discard 4d", [])
    ref.play("end", [])
    assert ref.seat == 0 and not ref.over
    ref.play("discard 3h", [])
    ref.play("end", [])
    assert ref.over and ref.legal() == []
    scores = {"scores": [3, 3], "winners": [0, 1], "unfinished": False, "turns": 3}
    assert ref.result() == scores


def test_example_11_deck_runs_out_at_an_end():
    ref = position("2h3h", deck="9h", other={"hand": "AcKc"})
    ref.play("discard 2h", [])
    ref.play("end", ["9h"])
    for seat, card in ((1, "Ac"), (0, "3h")):
        assert ref.seat == seat and not ref.over
        ref.play(f"discard {card}", [])
        ref.play("end", [])
    assert ref.over and ref.result()["turns"] == 3


@pytest.mark.parametrize("counts", CHOICES["discard_move_counts"])
def test_example_12_discard_move(counts):
    ref = position("5d6d", ["9h"], "3d9s", deck="2cTc", discard_move_counts=counts)
    assert starting(ref, "move") == ["move 9s on 9h"]
    ref.play("move 9s on 9h", [])
    assert (names(ref, 0), names(ref, 1)) == ([], ["9s9h"])
    assert ("end" in ref.legal()) == (counts == "yes")
    assert not starting(ref, "move", "draw")
    ref.play("discard 5d", [])
    ref.play("end", ["2c"])


def test_example_13_special_reach():
    ref = position("Ks", other={"bank": ["4c"]})
    assert starting(ref, "give") == ["give Ks on 4c"]
    ref.play("give Ks on 4c", [])
    assert names(ref, 1) == ["4cKs"]
    ref = position("Ks", other={"bank": ["4c"]}, special_reach="own_bank")
    assert starting(ref, "give") == []


def test_example_14_a_pair_empties_the_hand():
    ref = position("7h", deck="7c2c3c4c5c6c8c")
    ref.play("draw", ["7c"])
    assert names(ref, 0) == ["7h7c"] and not ref.hands[0]
    assert ref.legal() == ["end"]
    ref.play("end", cards("2c3c4c5c6c"))
    assert ref.hands[0] == set(cards("2c3c4c5c6c")) and ref.seat == 1
    # a discard move is still on offer before the end
    ref = position("7h", discard="9d", deck="7c2c3c4c5c6c8c")
    ref.play("draw", ["7c"])
    assert ref.legal() == ["move 9d", "end"]


@pytest.mark.parametrize("empty", CHOICES["empty_by_end_pair"])
def test_example_15_the_end_draw_pairs(empty):
    ref = position("7h9d", deck="7c2c3c4c5c6c8c", empty_by_end_pair=empty)
    ref.play("discard 9d", [])
    more = cards("2c3c4c5c6c") if empty == "at_once" else []
    ref.play("end", ["7c"] + more)
    assert ref.hands[0] == set(more) and names(ref, 0) == ["7h7c"] and ref.seat == 1


def test_example_16_run_pushed_by_its_next_card():
    ref = position("6h7h8h9h")
    assert starting(ref, "run") == ["run 6h-8h", "run 6h-9h", "run 7h-9h"]
    ref.play("run 6h-8h", [])
    assert names(ref, 0) == ["6h7h8h"]
    ref.play("bank 9h on 6h7h8h", [])
    assert (names(ref, 0), names(ref, 1)) == ([], ["6h7h8h9h"])


def test_aces_in_runs():
    assert starting(position("AhKh2h3h"), "run") == ["run Ah-3h"]
    assert starting(position("AhKh2hQh"), "run") == ["run Qh-Ah"]


def dealt(first, second, **rules):
    """A deal with these two hands and the rest in card order."""
    hands = [card for pair in zip(cards(first), cards(second), strict=True) for card in pair]
    rules["hand_size"] = len(hands) // 2
    return Referee(rules, 2, hands + [card for card in DECK if card not in hands])


def test_opening_pairs():
    ref = dealt("5h5d5c2c2dKsKh", "8h8d8c8sAh3cJc")
    assert names(ref, 0) == ["2d2c"] and (ref.phase, ref.seat) == ("pair", 0)
    ref.play("pair 5h 5c", [])
    assert names(ref, 0) == ["2d2c", "5h5c", "KsKh"]
    assert (ref.phase, ref.seat, len(ref.legal())) == ("pair", 1, 6)
    ref.play("pair 8s 8c", [])
    assert ref.hands[1] == {"8h", "8d", "Ah", "3c", "Jc"}
    assert (ref.phase, ref.seat, ref.turns) == ("play", 0, 0)
    ref = dealt("5h6h", "8h9h", immediate_pairs="off")
    assert ref.phase == "play" and names(ref, 0) == names(ref, 1) == []
    ref = dealt("5h6h7h9h", "8h8d8c8s", four_of_a_kind="all")
    assert names(ref, 1) == ["8d8c", "8s8h"] and (ref.phase, ref.seat) == ("play", 0)


def test_opening_pairs_empty_a_hand():
    ref = dealt("5h5d", "8h9h")
    # the refill is dealt at once: four aces, from which a choice is due, and a two
    assert ref.hands[0] == set(cards("AsAhAdAc2s")) and ref.phase == "pair"
    ref.play("pair As Ah", [])
    assert ref.phase == "play" and ref.drew and not starting(ref, "draw", "end")


def test_no_deck_left():
    ref = Referee({"ranks": 3, "suits": 2, "hand_size": 3}, 2, cards("AsAh2h2s3s3h"))
    for _ in range(2):
        assert not ref.over and not starting(ref, "draw")
        ref.play(ref.legal()[0], [])
        ref.play("end", [])
    assert ref.over and ref.result()["scores"] == [3, 3]


def test_an_ordinary_special_from_the_discard():
    ref = position("5d", ["4c", "Qh"], "Qs", special_from_discard="ordinary")
    assert starting(ref, "move") == ["move Qs on Qh"]
    ref = position("5d", ["4c"], "Qs", special_from_discard="ordinary")
    assert starting(ref, "move") == ["move Qs"]
    ref = position("5d", ["4c", "Qh"], "Qs")
    assert starting(ref, "move") == ["move Qs on 4c", "move Qs on Qh"]


def test_a_matching_special_is_an_ordinary_card():
    ref = position("Ks", ["Kh"], special_rides="closes", other={"hand": "Kd", "bank": ["4c"]})
    ref.play("bank Ks on Kh", [])
    ref.play("end", [])
    assert starting(ref, "bank") == ["bank Kd on KsKh"]


def test_a_passenger_changes_no_run():
    ref = position("QsKsJs7s", [Pile.of_run("s", 7, 9)])
    ref.play("bank Ks on 8s9sTs", [])
    assert starting(ref, "give 7s") == ["give 7s on 8s9sTsKs"]
    ref.play("give Js on 8s9sTsKs", [])
    assert ref.banks[1][0].ends == ("7s", "Qs")
    ref.play("give Qs on 8s9sTsJsKs", [])
    assert ref.banks[1][0].ends == ("7s", "Ks")


def test_refusals():
    with pytest.raises(ValueError):
        Referee({"hand_size": 27}, 2, DECK)
    with pytest.raises(ValueError):
        Referee({}, 2, DECK[1:])
    with pytest.raises(ValueError):
        Referee({"special_rides": "pays"}, 2, DECK)
    ref = position("7cKh", ["7h"], deck="2c3c")
    for move, drawn in (("bank 7c", []), ("end", ["2c"]), ("draw", []), ("draw", ["3c"])):
        with pytest.raises(ValueError):
            ref.play(move, drawn)
    assert ref.hands[0] == {"7c", "Kh"} and ref.deck == ["2c", "3c"]


def step(ref, move):
    """Play a move with the only stretch of the deck that the referee takes as drawn."""
    deck = list(ref.deck)
    for count in range(len(deck) + 1):
        try:
            ref.play(move, deck[:count])
            return
        except ValueError:
            assert ref.deck == deck
    raise AssertionError(f"no draw fits {move}")


def on_the_table(ref):
    piles = [pile.cards for bank in ref.banks for pile in bank]
    return [card for part in (*ref.hands, *ref.discards, *piles, ref.deck) for card in part]


@pytest.mark.parametrize("seed", range(100))
def test_random_games_end_with_all_cards_counted(seed):
    rng = random.Random(seed)
    rules = {name: rng.choice(values) for name, values in CHOICES.items()}
    small = rng.random() < 0.5
    rules["ranks"] = rng.randint(2, 13) if small else 13
    rules["suits"] = rng.randint(1, 4) if small else 4
    deck = [r + s for r in RANK_NAMES[: rules["ranks"]] for s in SUIT_NAMES[: rules["suits"]]]
    rules["hand_size"] = rng.randint(1, min(9, len(deck) // 2))
    rules["refill"] = rng.choice((1, 2, 5, 5, 6))
    rules["discard_moves"] = rng.choice((0, 1, 1, 2))
    if rng.random() < 0.2:
        rules = {}
        deck = DECK
    deal = rng.sample(deck, len(deck))
    ref = Referee(rules, 2, deal)
    while not ref.over:
        moves = ref.legal()
        assert moves and len(set(moves)) == len(moves)
        assert ref.phase == "play" or all(move.startswith("pair ") for move in moves)
        step(ref, rng.choice(moves))
        assert sorted(on_the_table(ref)) == sorted(deck)
    result = ref.result()
    assert not ref.deck and sum(result["scores"]) == len(deck)
    assert not result["unfinished"] and result["turns"] >= 2
    assert all(result["scores"][seat] == min(result["scores"]) for seat in result["winners"])
    assert DEFAULTS.keys() >= rules.keys()
