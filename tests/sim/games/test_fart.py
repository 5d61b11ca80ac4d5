"""Fart's kernel against its referee, its worked examples, and every option."""

import math
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cards import RANK_NAMES, SUIT_NAMES, card_id, card_name, mask_of, names_of
from sim.errors import UsageError
from sim.game import scratch
from sim.games import fart
from sim.jit import PLAIN
from sim.replay import final_rows
from sim.rng import below, seed_stream
from sim.runner import simulate
from tests.referee.fart import Referee
from tests.sim.games.harness import (
    changes_play,
    option_values,
    random_mover,
    referee_agrees,
    rule_sets,
    steps_of,
)

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "800"))


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(rules=rule_sets(fart), seed=st.integers(0, 2**40))
def test_kernel_and_referee_agree_move_for_move(rules, seed):
    _, row, result = referee_agrees(fart, Referee, rules, 2, seed)
    assert row.turns == result["turns"]
    assert sum(row.score) == rules.ranks * rules.suits


@pytest.mark.parametrize(
    "name, value", [v for v in option_values(fart) if v[0] != "discard_memory"]
)
def test_every_option_value_changes_some_game(name, value):
    games = 40 if PLAIN else 400
    small = fart.Rules(ranks=7, suits=4, hand_size=5, refill=4)
    bases = [fart.Rules(), small, fart.Rules(hand_size=2)]
    for base in bases:
        try:
            if changes_play(fart, name, value, base, games):
                return
        except UsageError:
            continue
    assert PLAIN, f"{name}={value} changed no game"


def test_discard_memory_hides_the_buried_discards():
    state, views = scratch(fart, 2)
    seen = {}
    for memory in ("full", "top_only"):
        rules = fart.Rules(discard_memory=memory).lower()
        views[0].rules = rules
        seed_stream(state.rng, 1, 0, 0)
        fart.deal(rules, state)
        state.seat = 0
        state.phase = fart.PHASE_PLAY
        for seat in range(2):
            state.discard[seat, 0], state.discard[seat, 1] = state.deck[20], state.deck[21 + seat]
            state.n_discard[seat] = 2
        fart.legal(rules, state, views[0])
        seen[memory] = list(views[0].other_discard[:2])
    assert seen["full"] == [state.deck[20], state.deck[22]]
    assert seen["top_only"] == [fart.NO_CARD, state.deck[22]]


# --- the worked examples of the rules -------------------------------------------------------------


def cards(text):
    """The names in a text such as `7h7c`."""
    return [text[i : i + 2] for i in range(0, len(text), 2)]


class Table:
    """The kernel with seat 0 at the start of a turn.

    A pile is a text such as `7h7c`, or `Qs-As` for a run; seat 0 draws the deck from its left and
    seat 1 from its right; `other` is seat 1's hand, bank and discard.
    """

    def __init__(self, hand="", bank=(), discard="", deck="", other=("Ac", (), ""), **rules):
        self.rules = fart.Rules(**rules).lower()
        self.state, self.views = scratch(fart, 2)
        state = self.state
        state.kept = mask_of(rank + suit for rank in RANK_NAMES for suit in SUIT_NAMES)
        state.specials = mask_of(["Js", "Qs", "Ks"])
        state.deck[: len(cards(deck))] = [card_id(card) for card in cards(deck)]
        state.top, state.bottom = 0, len(cards(deck))
        state.turns_left = -1 if deck else 1
        state.discard[:] = fart.NO_CARD
        for seat, (held, piles, thrown) in enumerate([(hand, bank, discard), other]):
            state.hand_cards[seat] = mask_of(cards(held))
            for pile in piles:
                state.table |= self.lay(seat, pile)
            state.n_discard[seat] = len(cards(thrown))
            state.discard[seat, : state.n_discard[seat]] = [card_id(c) for c in cards(thrown)]
            state.table |= mask_of(cards(thrown))
        fart.begin_turn(self.rules, state, 0)
        fart.settle(self.rules, state)

    def lay(self, seat, pile):
        first = card_id(pile[:2])
        if "-" not in pile:
            mask = mask_of(cards(pile))
            fart.add_pile(self.state, seat, mask, fart.rank_mask(first & 15), 0)
            return mask
        suit, low, high = first >> 4, first & 15, card_id(pile[3:]) & 15 or 13
        mask = mask_of(16 * suit + rank % 13 for rank in range(low, high + 1))
        accept = fart.run_accept(self.rules, suit, low, high)
        fart.add_pile(self.state, seat, mask, accept, low << 8 | high)
        return mask

    def listed(self):
        """The legal moves by notation."""
        view = self.views[int(self.state.seat)]
        fart.legal(self.rules, self.state, view)
        return {fart.describe(m, view)[0]: int(m) for m in view.moves[: view.n_moves]}

    def moves(self, *starts):
        return [move for move in self.listed() if move.startswith(starts or "")]

    def play(self, *moves):
        for move in moves:
            assert not self.state.over
            fart.apply(self.rules, self.state, self.listed()[move])
        return self

    def hand(self, seat=0):
        return "".join(names_of(self.state.hand_cards[seat]))

    def discard(self, seat=0):
        return "".join(card_name(c) for c in self.state.discard[seat, : self.state.n_discard[seat]])

    def banks(self):
        """The piles of both banks, oldest first."""
        return tuple(
            ["".join(names_of(pile)) for pile in self.state.pile[seat, : self.state.n_piles[seat]]]
            for seat in range(2)
        )


def test_example_1_push():
    table = Table("7cKh", ["7h"])
    assert table.moves("bank 7c") == ["bank 7c on 7h"]
    assert table.play("bank 7c on 7h").banks() == ([], ["7h7c"])


def test_example_2_give_stays():
    table = Table("7dKh", other=("Ac", ["7h7c"], ""))
    assert table.moves("give") == ["give 7d on 7h7c"]
    assert table.play("give 7d on 7h7c").banks() == ([], ["7h7d7c"])


@pytest.mark.parametrize(
    "stand_alone, expected",
    [
        ("if_no_legal_pile", ["bank 9d on 9c"]),
        ("always_allowed", ["bank 9d on 9c", "bank 9d"]),
    ],
)
def test_example_3_duty_to_join(stand_alone, expected):
    assert Table("9d", ["7h", "9c"], stand_alone=stand_alone).moves("bank") == expected


def test_example_4_three_of_a_kind():
    table = Table("5h5dKh", deck="5s2c").play("draw")
    assert table.moves() == ["pair 5s 5h", "pair 5s 5d", "pair 5h 5d"]
    table.play("pair 5h 5d")
    assert (table.hand(), table.banks()) == ("5sKh", (["5h5d"], []))
    assert table.moves("bank 5s") == ["bank 5s on 5h5d"]
    assert table.play("bank 5s on 5h5d").banks() == ([], ["5s5h5d"])


def test_example_5_runs_start_in_hand():
    assert Table("6h7h", ["8h"]).moves("run", "bank") == ["bank 6h", "bank 7h"]
    table = Table("6h7h8h")
    assert table.moves("run") == ["run 6h-8h"]
    assert table.play("run 6h-8h").banks() == (["6h7h8h"], [])


def test_example_6_ace_closes_a_run():
    table = Table("2sJs", ["Qs-As"])
    assert sorted(table.moves("bank")) == ["bank 2s", "bank Js on AsQsKs"]
    assert table.play("bank Js on AsQsKs").banks() == ([], ["AsJsQsKs"])
    # by run alone, without the property of a special
    table = Table("2s", ["Qs-As"], "Js", special_from_discard="ordinary")
    assert table.moves("move") == ["move Js on AsQsKs"]


@pytest.mark.parametrize("rides, later", [("passenger", ["give 4s on 4h4cJs"]), ("closes", [])])
def test_example_7_special_on_any_pile(rides, later):
    position = dict(hand="4sJsQs", bank=["2d", "4h4c"], special_rides=rides)
    table = Table(**position)
    assert table.moves("bank Js") == ["bank Js on 2d", "bank Js on 4h4c"]
    assert table.play("bank Js on 2d").banks() == (["4h4c"], ["2dJs"])
    table = Table(**position).play("bank Js on 4h4c")
    assert table.banks() == (["2d"], ["4h4cJs"])
    assert sorted(table.moves("give")) == later + ["give Qs on 4h4cJs"]


def test_example_8_special_stands_alone():
    table = Table("KsKh2d", deck="3c4d5c6d", other=("Ac9c", (), ""))
    assert table.moves("bank Ks") == ["bank Ks"]
    table.play("bank Ks", "end", "discard Ac", "end")
    assert table.moves("bank Kh") == ["bank Kh on Ks"]
    assert table.play("bank Kh on Ks").banks() == ([], ["KsKh"])


def test_example_9_special_takes():
    table = Table("Qs5d", discard="Th", other=("Ac", (), "8d3c"))
    assert table.moves("discard Qs") == ["discard Qs", "discard Qs take 3c"]
    table.play("discard Qs take 3c")
    assert (table.hand(), table.discard(0), table.discard(1)) == ("3c5d", "ThQs", "8d")
    assert Table("Qs5d").moves("discard Qs") == ["discard Qs"]
    table = Table("Qs5d", other=("Ac", (), "8d3c"), special_take="forced")
    assert table.moves("discard Qs") == ["discard Qs take 3c"]


def test_example_10_deck_runs_out_at_a_start():
    table = Table("", deck="4d5c6c", other=("Ac2h", (), ""))
    assert table.hand() == "4d5c6c" and not table.moves("draw")
    table.play("discard 4d", "end")
    assert table.state.seat == 1 and not table.moves("draw")
    table.play("discard Ac", "end")
    assert table.state.over and (table.hand(0), table.hand(1)) == ("5c6c", "2h")


def test_example_11_deck_runs_out_at_an_end():
    table = Table("2h3h", deck="9c", other=("AcTd", (), ""))
    table.play("discard 2h", "end")
    assert table.hand() == "3h9c" and table.state.seat == 1
    table.play("discard Ac", "end")
    assert table.state.seat == 0 and not table.state.over
    table.play("discard 3h", "end")
    assert table.state.over and table.state.turns == 3


@pytest.mark.parametrize("counts, end", [("no", []), ("yes", ["end"])])
def test_example_12_discard_move(counts, end):
    table = Table("2d", ["9h"], "9s", deck="3c4c", discard_move_counts=counts)
    assert table.moves("move") == ["move 9s on 9h"]
    table.play("move 9s on 9h")
    assert (table.banks(), table.discard()) == (([], ["9s9h"]), "")
    assert table.moves("end") == end
    assert table.play("discard 2d").moves("end") == ["end"]


@pytest.mark.parametrize("reach, gives", [("both_banks", ["give Ks on 4c"]), ("own_bank", [])])
def test_example_13_special_reach(reach, gives):
    table = Table("Ks2d", other=("Ac", ["4c"], ""), special_reach=reach)
    assert table.moves("give") == gives
    assert table.play(*gives).banks() == ([], ["4cKs"] if gives else ["4c"])


def test_example_14_a_pair_empties_the_hand():
    table = Table("7h", deck="7c2d3d4d5d6d8d").play("draw")
    assert (table.hand(), table.banks()) == ("", (["7h7c"], []))
    assert table.moves() == ["end"]
    assert table.play("end").hand() == "2d3d4d5d6d" and table.state.seat == 1


@pytest.mark.parametrize("refills, hand", [("next_turn", ""), ("at_once", "3c4c5c6c7c")])
def test_example_15_the_end_draw_pairs(refills, hand):
    table = Table("2h9d", deck="9c3c4c5c6c7c8c", empty_by_end_pair=refills)
    table.play("discard 2h", "end")
    assert (table.hand(), table.banks()) == (hand, (["9d9c"], []))
    assert table.state.seat == 1


def test_example_16_run_pushed_by_its_next_card():
    table = Table("6h7h8h9h").play("run 6h-8h")
    assert table.banks() == (["6h7h8h"], [])
    assert table.moves("bank") == ["bank 9h on 6h7h8h"]
    assert table.play("bank 9h on 6h7h8h").banks() == ([], ["6h7h8h9h"])


# --- figures known exactly, and one game by two ways ----------------------------------------------


def test_pairs_among_the_first_seven_cards():
    deals = 1_000 if PLAIN else 20_000
    rules = fart.Rules().lower()
    state, views = scratch(fart, 2)
    no_pair, laid = 0, [0, 0, 0, 0]
    for number in range(deals):
        seed_stream(state.rng, 3, number, 0)
        fart.deal(rules, state)
        no_pair += len({int(card) & 15 for card in state.deck[:14:2]}) == 7
        while state.stage == fart.OPENING:
            fart.legal(rules, state, views[int(state.seat)])
            fart.apply(rules, state, int(views[int(state.seat)].moves[0]))
        laid[state.n_piles[0]] += 1
    exact = [0.210151, 0.523462, 0.246994, 0.019394]
    assert no_pair == laid[0]
    for count, chance in zip(laid, exact, strict=True):
        error = math.sqrt(chance * (1 - chance) / deals)
        assert abs(count / deals - chance) < 4 * error, (laid, exact)


def test_walk_and_loop_play_the_same_games():
    games, seed, rules = 20 if PLAIN else 100, 11, fart.Rules()
    table = simulate("fart", [random_mover, random_mover], games=games, seed=seed, rules=rules)
    assert list(table["game"]) == list(table["deal"]) == list(range(games))
    own = ["hand", "turns", "moves", "decisions", "winners", "unfinished"]
    for number in range(games):
        (row,) = final_rows(fart, rules, steps_of(fart, rules, 2, seed, number))
        walked = [int(row[name]) for name in own] + [int(x) for x in row.score]
        assert walked == [int(x) for x in table.loc[number, own + ["score[0]", "score[1]"]]]


def test_views_of_a_table_that_was_used_before_are_those_of_a_fresh_one():
    """What a seat sees at each of its choices must not depend on the game before (as in chunks)."""
    rules = fart.Rules(discard_memory="top_only")

    def views_of(games, keep):
        seen, lowered = [], rules.lower()
        state, views = scratch(fart, 2)
        for number in games:
            if not keep:
                state, views = scratch(fart, 2)
            for seat in range(2):
                views[seat].rules = lowered
                seed_stream(views[seat].rng, 5, number, 1 + seat)
            seed_stream(state.rng, 5, number, 0)
            state.game, state.n_players, state.hand = number, 2, 0
            state.over = state.turns = state.moves = state.decisions = 0
            fart.deal(lowered, state)
            here = []
            while not state.over:
                view = views[int(state.seat)]
                fart.legal(lowered, state, view)
                here.append(
                    [int(view[name]) for name in ("acted", "drew_first", "counted", "moves_left")]
                    + [list(view.own_discard), list(view.other_discard), int(view.unseen)]
                )
                for shown in (view.own_discard, view.other_discard):
                    for card in shown:
                        assert card == fart.NO_CARD or not int(view.unseen) >> int(card) & 1
                fart.apply(lowered, state, view.moves[below(view.rng, view.n_moves)])
            seen.append(here)
        return seen

    assert views_of(range(20), keep=True) == views_of(range(20), keep=False)
