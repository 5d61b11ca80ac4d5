"""Fan Tan's kernel against its referee, its worked examples, exact counts, and every option."""

import dataclasses
import os

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sim import jit
from sim.cards import cards_of, mask_of, names_of
from sim.errors import UsageError
from sim.game import scratch
from sim.games import fan_tan
from sim.games.fan_tan import PASS, Rules
from sim.jit import PLAIN
from sim.replay import final_rows, walk
from sim.rng import seed_stream
from tests.referee.fan_tan import Referee
from tests.sim.games.fan_tan_table import Table
from tests.sim.games.harness import (
    history,
    option_values,
    random_mover,
    referee_agrees,
    rule_sets,
    steps_of,
)

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "1000"))
FEW_HANDS = range(1, 4)
CUTS = [1, 2, 7, 30, 60, 1000]


def first_dealer(rules, players, seed):
    """Who deals the first hand of a game; the referee has to be told."""
    dealt = next(walk(fan_tan, rules, [None] * players, [()] * players, seed, 0))
    return int(dealt.state.dealer)


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(
    rules=rule_sets(fan_tan, hands=FEW_HANDS, max_turns=CUTS),
    players=st.sampled_from(fan_tan.PLAYERS),
    seed=st.integers(0, 2**40),
)
def test_kernel_and_referee_agree_move_for_move(rules, players, seed):
    try:
        fan_tan.check_table(rules, players)
    except UsageError:
        assume(False)
    dealer = first_dealer(rules, players, seed)

    def referee(settings, players, deal):
        return Referee({**settings, "_dealer": dealer}, players, deal)

    steps, _, result = referee_agrees(fan_tan, referee, rules, players, seed)
    rows = final_rows(fan_tan, rules, steps)
    assert len(rows) == rules.hands == len(result["hand_results"])
    for hand, (row, told) in enumerate(zip(rows, result["hand_results"])):
        assert list(row.score[:players]) == told["chips"]
        assert sum(row.score) == 0
        assert int(row.winners) == (0 if told["winner"] is None else 1 << told["winner"])
        assert bool(row.unfinished) == (told["winner"] is None)
        assert list(row.cards_left[:players]) == told["cards_left"]
        assert list(row.passes[:players]) == told["passes"]
        assert list(row.wrong_passes[:players]) == told["wrong_passes"]
        assert (row.pot, row.turns) == (told["pot"], told["turns"])
        assert row.dealer == (dealer + hand) % players
        for player in range(players):
            position = (player - row.dealer - 1) % players
            assert row.position[player] == position
            dealt = len(range(position, rules.ranks * rules.suits, players))
            assert row.cards_dealt[player] == dealt


# --- worked examples, by their number in the rules ------------------------------------------------


def dealt(players, number=0, **options):
    """A state as dealt."""
    state, _ = scratch(fan_tan, players)
    state.n_players = players
    seed_stream(state.rng, 1, number, 0)
    fan_tan.deal(Rules(**options).lower(), state)
    return state


def test_example_1_five_players():
    state = dealt(5)
    assert list(state.n_hand[:5]) == [11, 11, 10, 10, 10]
    assert list(state.paid[:5]) == [1, 1, 2, 2, 2]
    assert state.pot == 8


def test_example_2_two_sevens_open():
    assert Table(["7h 7c 2s", "As"]).legal() == ["7h", "7c"]


def test_example_3_both_ends_and_any_seven():
    table = Table(["4h Th 6c 8c 7s 3h Kd 8d", "As"], "5h 6h 7h 8h 9h 7c")
    assert sorted(table.legal()) == sorted(["4h", "Th", "6c", "8c", "7s"])


def test_example_4_a_whole_suit_offers_nothing():
    hearts = " ".join(rank + "h" for rank in "A23456789TJQK")
    assert Table(["As Ac Kd", "As"], hearts).legal() == ["pass"]


def test_example_5_without_a_play_a_chip():
    table = Table(["2s 3d", "7h 9c"], "7s")
    pot = int(table.state.pot)
    assert table.legal() == ["pass"]
    table.play("pass")
    assert (table.state.pot, table.state.seat) == (pot + 1, 1)
    assert table.row().passes[0] == 1


def test_example_6_a_fine_to_one_neighbour():
    table = Table(["7d 8d 2s", "6d As", "3h 4h"], "7h", enforcement="fined")
    pot = int(table.state.pot)
    assert table.legal() == ["7d", "pass"]
    table.play("pass")
    assert table.state.pot == pot + 3
    assert table.state.fines[0, 1] == 5
    assert table.state.fines.sum() == 5
    assert (table.row().passes[0], table.row().wrong_passes[0]) == (1, 1)


def test_example_7_a_fine_for_two_sevens():
    table = Table(["7d 7s 2h", "6d 8s As", "8d 6s Ks"], "7h", enforcement="fined")
    pot = int(table.state.pot)
    table.play("pass")
    assert table.state.pot == pot + 3
    assert list(table.state.fines[0, :3]) == [0, 10, 10]


def test_the_fine_split_goes_three_and_two():
    table = Table(["7d 7s 2h", "6d 8s As", "8d 6s Ks"], "7h", enforcement="fined")
    table.rules.seven_fine_to = 1
    table.play("pass")
    assert list(table.state.fines[0, :3]) == [0, 5, 5]
    table = Table(["7d 8d", "As Ks", "6d Qs"], "", enforcement="fined", seven_fine_to="split")
    table.play("pass")
    assert list(table.state.fines[0, :3]) == [0, 0, 3]


def test_example_8_the_winner_takes_the_pot():
    table = Table(["6h", "As 2s 3s", "Ks", "Ac 2c 3c 4c"], "7h")
    table.state.paid[:4] = [2, 2, 2, 3]
    table.state.pot = 9
    table.play("6h")
    assert table.state.over and table.row().pot == 17
    assert list(table.row().score[:4]) == [15, -5, -3, -7]
    assert table.row().winners == 1


def test_example_9_five_or_nine():
    table = Table(["5c 9h 7d", "5d 6d 9d"], foundation="five_or_nine")
    assert table.legal() == ["9h", "5c"]
    table.play("9h")
    assert table.legal() == ["9d"]
    table.state.table |= mask_of(["6d", "7d", "8d", "9d"])
    table.state.hand_cards[1] = mask_of(["5d"])
    assert table.legal() == ["5d"]


def test_example_10_eight_players():
    state = dealt(8)
    assert sorted(state.n_hand[:8]) == [6] * 4 + [7] * 4
    assert list(state.paid[:8]) == [1] * 4 + [2] * 4


# --- other rules ----------------------------------------------------------------------------------


def test_a_cut_hand_gives_the_pot_back_but_not_the_fines():
    table = Table(["7d 2s", "6d As", "8d 3s"], "7h", enforcement="fined", max_turns=1)
    table.play("pass")
    row = table.row()
    assert table.state.over and row.unfinished and row.winners == 0
    assert list(row.score[:3]) == [-10, 5, 5]


def test_the_last_card_wins_also_on_the_last_turn():
    table = Table(["6h", "As"], "7h", max_turns=1)
    table.play("6h")
    assert not table.row().unfinished and table.row().winners == 1


def test_holder_of_the_seven_of_hearts_must_lead_it():
    for number in range(20):
        state = dealt(5, number, opening="holder_7h", enforcement="fined")
        assert int(state.hand_cards[state.seat]) & mask_of(["7h"])
        view = scratch(fan_tan, 5)[1][0]
        fan_tan.legal(Rules(opening="holder_7h", enforcement="fined").lower(), state, view)
        assert list(view.moves[: view.n_moves]) == [fan_tan.SEVEN_OF_HEARTS]


def test_before_the_value_is_set_a_wrong_pass_costs_no_foundation_fine():
    options = {"foundation": "five_or_nine", "enforcement": "fined"}
    table = Table(["5c 9h", "4c 6c 5d"], **options)
    table.play("pass")
    assert table.state.paid[0] == 4 and table.state.fines.sum() == 0
    table.play("5d", "pass")
    assert table.state.fines[0, 1] == 10  # for 5c, to the holder of 4c and 6c


def test_dealer_and_positions_go_round_in_a_session():
    steps = steps_of(fan_tan, Rules(hands=7), 5, 3)
    rows = final_rows(fan_tan, Rules(hands=7), steps)
    assert [int(row.dealer) for row in rows] == [4, 0, 1, 2, 3, 4, 0]
    assert list(rows[1].position[:5]) == [4, 0, 1, 2, 3]
    first = {step.hand: step.seat for step in reversed(steps)}
    assert [first[hand] for hand in range(7)] == [0, 1, 2, 3, 4, 0, 1]
    assert len({tuple(step.state.deck) for step in steps}) == 7


@pytest.mark.parametrize("players, expected", [(4, [0.28029, 0.25930, 0.23952, 0.22089])])
def test_first_jack_deals_as_often_as_it_should(players, expected):
    deals = 500 if PLAIN else 20_000
    rules = Rules(first_dealer="first_jack").lower()
    state, _ = scratch(fan_tan, players)
    state.n_players = players
    counts = np.zeros(players)
    for number in range(deals):
        seed_stream(state.rng, 5, number, 0)
        fan_tan.deal(rules, state)
        counts[int(state.dealer)] += 1
    expected = np.array(expected)
    spread = np.sqrt(expected * (1 - expected) * deals)
    assert (abs(counts - expected * deals) < 4 * spread).all()


def test_first_jack_meets_the_same_hands_by_position():
    last, jack = dealt(4), dealt(4, first_dealer="first_jack")
    assert list(last.deck) == list(jack.deck)
    for position in range(4):
        player = (int(jack.dealer) + 1 + position) % 4
        assert jack.hand_cards[player] == last.hand_cards[position]


@pytest.mark.parametrize(
    "options, players, rule",
    [
        ({"ranks": 12}, 4, "small decks"),
        ({"ranks": 3, "foundation": "five_or_nine"}, 4, "T10"),
        ({"ranks": 7, "first_dealer": "first_jack"}, 4, "T4"),
        ({"suits": 1, "opening": "holder_7h"}, 4, "T9a"),
        ({"foundation": "five_or_nine", "opening": "holder_7h"}, 4, "T9a"),
        ({"ranks": 3, "suits": 2}, 7, "3 ranks x 2 suits has 6"),
    ],
)
def test_rules_that_make_no_game_are_refused(options, players, rule):
    with pytest.raises(UsageError, match=rule):
        fan_tan.check_table(Rules(**options), players)


# --- what a player sees (T12) ---------------------------------------------------------------------


def test_a_pass_tells_what_the_player_lacks():
    table = Table(["2s 3d", "7h 9c", "6s 8s"], "7s")
    table.play("pass")
    view = table.view()
    assert names_of(view.lacks[0]) == ["6s", "7h", "7d", "7c", "8s"]
    assert view.passes[0] == 1 and view.lacks[1] == view.lacks[2] == 0
    table.play("7h")
    table.play("6s", "pass")
    assert set(names_of(table.view().lacks[0])) == set("5s 6s 7h 7d 7c 8s 6h 8h".split())


def test_a_fined_pass_tells_that_the_player_has_one():
    table = Table(["6s 3d", "7h 9c"], "7s", enforcement="fined")
    table.play("pass")
    view = table.view()
    assert view.lacks[0] == 0 and view.wrong[0] == 1
    assert names_of(view.withheld[0]) == ["6s", "7h", "7d", "7c", "8s"]
    table.play("7h", "6s")
    assert table.view().withheld[0] == 0


def test_fines_are_seen():
    table = Table(["7d 2s", "6d As", "8d 3s"], "7h", enforcement="fined")
    table.play("pass")
    view = table.view()
    assert list(view.fines[0, :3]) == [0, 5, 5] and view.paid[0] == 4


@pytest.mark.parametrize("options", [{}, {"enforcement": "fined"}])
def test_a_view_holds_nothing_of_the_hidden_cards(options):
    """Deal what a seat cannot see anew among the others: its view must stay the same."""
    rules = Rules(**options).lower()
    state, views = scratch(fan_tan, 4)
    twin, twins = scratch(fan_tan, 4)
    state.n_players = 4
    random = np.random.default_rng(1)
    for number in range(10):
        seed_stream(state.rng, 2, number, 0)
        state.over = state.turns = 0
        fan_tan.deal(rules, state)
        while not state.over:
            seat = int(state.seat)
            fan_tan.legal(rules, state, views[seat])
            others = [player for player in range(4) if player != seat]
            unseen = [c for player in others for c in cards_of(state.hand_cards[player])]
            random.shuffle(unseen)
            twin = np.array([state], fan_tan.STATE).view(np.recarray)[0]
            random.shuffle(twin.deck)
            for player in others:
                n = int(state.n_hand[player])
                twin.hand_cards[player] = mask_of(unseen[:n])
                unseen = unseen[n:]
            twins[seat].rng = views[seat].rng
            fan_tan.legal(rules, twin, twins[seat])
            assert twins[seat].tobytes() == views[seat].tobytes()
            view = views[seat]
            fan_tan.apply(rules, state, view.moves[random.integers(view.n_moves)])


# --- options --------------------------------------------------------------------------------------

BASES = {
    "wrong_pass_fine": {"enforcement": "fined"},
    "seven_fine": {"enforcement": "fined"},
    "seven_fine_to": {"enforcement": "fined"},
    "hands": {"ranks": 5},
    "max_turns": {"max_turns": 40},
}


def outcome(rules, players, number):
    """All that can be told of a game: its moves and its rows."""
    steps = steps_of(fan_tan, rules, players, 7, number)
    return history(steps), [row.tobytes() for row in final_rows(fan_tan, rules, steps)]


@pytest.mark.parametrize("name, value", list(option_values(fan_tan)))
def test_every_option_value_changes_some_game(name, value):
    if name == "hands" and value > 100:
        value = 100
    base = Rules(**BASES.get(name, {}))
    changed = dataclasses.replace(base, **{name: value})
    games, players = (5, 3) if name == "hands" else (60, 3)
    assert any(outcome(base, players, k) != outcome(changed, players, k) for k in range(games))


# --- the loop -------------------------------------------------------------------------------------


def loop_rows(rules, players, games):
    """Rows of the loop, compiled where numba is on."""
    state, views = scratch(fan_tan, players)
    rows = np.zeros((games, rules.hands), fan_tan.ROW)
    play, size, mover = fan_tan.play, 1, random_mover
    if PLAIN:
        rows = rows.view(np.recarray)
    else:
        mover = jit.compile_strategy(random_mover, fan_tan.VIEW)
        size = jit.compile_loop(play, fan_tan, 1)
    seatings, params = np.zeros((1, players), np.int64), np.zeros((1, 16))
    choosers = (mover,) * size
    assert play(rules.lower(), seatings, True, choosers, params, 7, 0, state, views, rows)
    return rows


@pytest.mark.parametrize("players", [2, 4, 13])
@pytest.mark.parametrize(
    "options", [{}, {"hands": 3, "enforcement": "fined", "first_dealer": "first_jack"}]
)
def test_the_loop_and_the_stepwise_walk_give_the_same_rows(players, options):
    rules = Rules(**options)
    games = 2 if PLAIN else 20
    rows = loop_rows(rules, players, games)
    for number in range(games):
        walked = final_rows(fan_tan, rules, steps_of(fan_tan, rules, players, 7, number))
        for row, found in zip(walked, rows[number]):
            row.game = row.deal = number
            assert row.tobytes() == found.tobytes()


@pytest.mark.parametrize("players", fan_tan.PLAYERS)
def test_chips_are_conserved_in_every_hand(players):
    games = 3 if PLAIN else 2000
    for options in ({}, {"enforcement": "fined", "hands": 2, "max_turns": 50}):
        rows = loop_rows(Rules(**options), players, games)
        assert (rows["score"].sum(axis=-1) == 0).all()
        # A turn lays a card or is a pass, and every card is laid or left.
        laid = 52 - rows["cards_left"].sum(axis=-1)
        assert (laid + rows["passes"].sum(axis=-1) == rows["turns"]).all()
        assert (rows["cards_dealt"].sum(axis=-1) == 52).all()


# --- exact counts ---------------------------------------------------------------------------------

DECK_R = (
    "7d As Ah 6s 9s 3c Qc 3s 8h 6h 7s Ts Ks 6d Td 5c Tc Qd 5d 5s 4c 9h 7c Qh Kh 5h Kc Ac 4d 3h 2c "
    "9c 2s 8c Ad 8d 6c Jd 8s Js 2d Jh Qs 2h 9d Th Kd 4s 3d Jc 4h 7h"
).split()
SEVENS = mask_of("7s 7h 7d 7c".split())
ORDERED = [rank + suit for suit in "hcds" for rank in "A23456789TJQK"]


def followed(hand, cards):
    """The branches of the filter *safe-then-sequence* among the playable cards of a hand."""

    def held(card, step):
        return hand >> (card + step) & 1

    def further(card):
        rank, lane = card & 15, hand >> (card & ~15) & 0x1FFF
        lower, higher = lane & ((1 << rank) - 1), lane >> (rank + 1)
        return lower if rank < 6 else higher if rank > 6 else lower | higher

    def safe(card):
        rank = card & 15
        if rank in (0, 12):
            return True
        if rank == 6:
            return held(card, -1) and held(card, 1)
        return held(card, -1 if rank < 6 else 1)

    in_order = sorted(cards, key=lambda card: ((3, 0, 2, 1)[card >> 4], card & 15))
    safe_ones = [card for card in in_order if safe(card)]
    if safe_ones:
        return safe_ones[:1]
    return [card for card in in_order if further(card)] or in_order


def lines_of_play(deck, players):
    """How many lines of play a deal has, by winner, counted on the kernel.

    What is to come depends on the table and whose turn it is alone, so equal positions are counted
    once.
    """
    rules = Rules(opening="holder_7h").lower()
    state, views = scratch(fan_tan, players)
    state.n_players = players
    seed_stream(state.rng, 1, 1, 0)
    fan_tan.deal(rules, state)
    cards = [mask_of([name]) for name in deck]
    dealt_to = [sum(cards[player::players]) for player in range(players)]
    hand_cards, view, moves = state.hand_cards, views[0], views[0].moves
    lines = {}

    def count(table, seat):
        if (table, seat) in lines:
            return lines[table, seat]
        hand = dealt_to[seat] & ~table
        state.table, state.seat, hand_cards[seat] = table, seat, hand
        fan_tan.legal(rules, state, view)
        found = moves[: view.n_moves].tolist()
        after = (seat + 1) % players
        if found == [PASS]:
            total = count(table, after)
        elif hand & (hand - 1) == 0:
            total = [int(player == seat) for player in range(players)]
        else:
            if not table:
                state.foundation = SEVENS  # as `apply` does when the first card is laid
            branches = [count(table | 1 << card, after) for card in followed(hand, found)]
            total = [sum(won) for won in zip(*branches)]
        lines[table, seat] = total
        return total

    leader = next(p for p in range(players) if dealt_to[p] >> fan_tan.SEVEN_OF_HEARTS & 1)
    return count(0, leader)


@pytest.mark.parametrize(
    "deck, wins",
    [
        (DECK_R, [84_867, 185_047, 20_925]),
        (DECK_R, [1_754, 26_221, 3_586, 37_110, 26_753, 12_097]),
        (ORDERED, [868_513, 793_816, 867_432, 199_697, 8_060_615, 9_470_119]),
    ],
)
def test_lines_of_play_that_others_published(deck, wins):
    if PLAIN and deck == ORDERED:
        pytest.skip("takes minutes in plain Python")
    assert lines_of_play(deck, len(wins)) == wins
