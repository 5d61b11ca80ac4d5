"""Arse Hole's kernel against its referee, its worked examples, every option, scripts and limits.

The rules have no option for a tiny pack, so there is no whole game to solve by hand; a two-player
ending is, below.
"""

import dataclasses
import json
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cards import card_id, card_name
from sim.errors import UsageError
from sim.game import Player, scratch
from sim.games import arse_hole
from sim.games.arse_hole import N_VALUES, VALUE_NAMES, WILD, Rules, titles
from sim.games.arse_hole_table import MAX_MOVES
from sim.jit import PLAIN
from sim.replay import as_json, final_rows, seats_of, snapshot
from sim.rng import seed_stream
from sim.runner import make_plan, play_chunk
from tests.referee.arse_hole import Referee, ranks_from_draw
from tests.sim.games.arse_hole_table import Table, values_of
from tests.sim.games.harness import history, random_mover, rule_sets, steps_of

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "60"))


# --- beside the referee ---------------------------------------------------------------------------


def by_hand(steps):
    """The steps of each hand."""
    return [[s for s in steps if s.hand == hand] for hand in range(steps[-1].hand + 1)]


def deck_names(rules, state):
    """The cards of a hand by name, in dealing order."""
    return [card_name(card) for card in arse_hole.deal_order(rules.lower(), state, ())]


def chance(hands, players):
    """What chance decided in a session besides the cards, as the referee wants it."""
    ranks = [int(rank) for rank in hands[0][0].state.rank[:players]]
    leavers = [int(hand[0].state.leaver) for hand in hands[1:]]
    return {"_ranks": ranks, "_churn": [None if seat < 0 else seat for seat in leavers]}


def digits(number):
    """The cards of ``cards_given``, low to high."""
    return sorted(int(digit, 16) - 1 for digit in f"{int(number):x}" if digit != "0")


def check_state(state, players):
    """Cards are conserved, the ranks are a permutation, and the counts agree with the hands."""
    n = int(state.n)
    rank, order = np.array(state.rank[:players], int), np.array(state.order[:n], int)
    assert sorted(rank[rank > 0]) == list(range(1, n + 1))
    assert (rank[order] == n - np.arange(n)).all()
    held, laid, given, received = (
        np.array(counts[:players, :N_VALUES], int)
        for counts in (state.held, state.laid, state.given, state.received)
    )
    unlaid = (held + given - received).sum(axis=0)  # what is set aside is in no hand
    assert (unlaid == state.unlaid[:N_VALUES]).all()
    in_decks = np.array([4] * WILD + [6]) * int(state.decks)
    assert (unlaid + laid.sum(axis=0) == in_decks).all()
    assert (held.sum(axis=1) == state.n_held[:players]).all()


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(
    rules=rule_sets(
        arse_hole,
        decks=["1", "1", "2", "4"],
        min_cards=[3, 5, 9],
        max_named=[1, 2, 3, 13],
        churn=[50, 100],
        script=["none"],
    ),
    players=st.one_of(st.integers(2, 7), st.integers(2, 20)),
    hands=st.integers(1, 4),
    seed=st.integers(0, 2**40),
)
def test_kernel_and_referee_agree_move_for_move(rules, players, hands, seed):
    rules = dataclasses.replace(rules, hands=hands)
    if rules.min_cards > 9:
        rules = dataclasses.replace(rules, min_cards=7)  # short hands: the referee is slow
    steps = steps_of(arse_hole, rules, players, seed)
    played = by_hand(steps)
    assert len(played) == hands
    options = {k: v for k, v in rules.as_dict().items() if k != "script"}
    referee = Referee(options | chance(played, players), players, deck_names(rules, steps[0].state))
    for hand, hand_steps in enumerate(played):
        check_state(hand_steps[0].state, players)
        for step in hand_steps[1:]:
            context = f"{rules} players {players} seed {seed} hand {hand}: {step.chosen}"
            assert not referee.over, context
            assert (referee.seat, referee.phase) == (step.seat, step.phase), context
            assert len(set(step.legal)) == len(step.legal), context
            assert sorted(referee.legal()) == sorted(step.legal), context
            ends = step is hand_steps[-1] and hand + 1 < hands
            drawn = deck_names(rules, played[hand + 1][0].state) if ends else []
            referee.play(step.chosen, drawn)
            if not step.state.over:
                check_state(step.state, players)
                held = [values_of(step.state.held[seat]) for seat in range(players)]
                assert held == referee.hands, context
                assert [int(x) for x in step.state.penalty[:players]] == referee.penalties
    assert referee.over
    rows = final_rows(arse_hole, rules, steps)
    result = referee.result()
    assert list(rows[-1].score[:players]) == result["scores"]
    for row, told in zip(rows, result["hand_results"], strict=True):
        out = sorted(range(players), key=lambda seat: row.order_out[seat])
        assert out == told["order_out"]
        assert seats_of(row.winners) == [told["order_out"][0]]
        assert list(row.score[:players]) == told["rank_after"]
        assert list(row.rank_before[:players]) == told["rank_before"]
        assert list(row.cards_dealt[:players]) == told["cards_dealt"]
        for seat in range(players):
            given = [VALUE_NAMES[v] for v in digits(row.cards_given[seat])]
            assert given == told["exchanged"][seat]
            assert row.cards_exchanged[seat] == len(given)
        assert row.unfinished == 0


# --- set positions --------------------------------------------------------------------------------


def dealt(players, hand=0, **options):
    """A table just after the deal of a session's first hand."""
    state, _ = scratch(arse_hole, players)
    state.n_players, state.hand = players, hand
    state.rng[:] = 1, 2, 3, 4
    arse_hole.deal(Rules(**options).lower(), state)
    return state


@pytest.mark.parametrize(
    "players, decks, hands",
    [(6, 3, [27] * 6), (7, 3, [23] * 6 + [24]), (20, 8, [21] * 8 + [22] * 12)],
)
def test_example_1_how_many_cards(players, decks, hands):
    state = dealt(players)
    assert state.decks == decks
    by_rank = {int(state.rank[seat]): int(state.n_held[seat]) for seat in range(players)}
    assert [by_rank[rank] for rank in range(1, players + 1)] == hands


def test_example_1_dealing_starts_with_the_arse_hole_and_goes_upward():
    state = dealt(7)
    deck = arse_hole.deal_order(Rules().lower(), state, ())
    hands = arse_hole.dealt_hands(Rules().lower(), state)
    for seat in range(7):
        assert hands[seat] == deck[7 - int(state.rank[seat]) :: 7]
        counts = [0] * N_VALUES
        for card in hands[seat]:
            counts[
                VALUE_NAMES.index("W" if card_name(card)[0] in "2*" else card_name(card)[0])
            ] += 1
        assert counts == list(state.held[seat, :N_VALUES])


@pytest.mark.parametrize("players, due", [(6, "321123"), (7, "3210123"), (2, "11"), (3, "101")])
def test_example_2_how_many_cards_a_pair_exchanges(players, due):
    state = dealt(players, first_exchange="yes")
    by_rank = {int(state.rank[seat]): int(state.due[seat]) for seat in range(players)}
    assert "".join(str(by_rank[rank]) for rank in range(1, players + 1)) == due


def test_example_2_no_more_than_the_smaller_hand():
    state = dealt(20, decks=1, first_exchange="yes")
    by_rank = {int(state.rank[seat]): int(state.due[seat]) for seat in range(20)}
    # 54 = 14 hands of three, the lowest ranks, and 6 of two.
    assert [by_rank[rank] for rank in range(1, 11)] == [2, 2, 2, 2, 2, 2, 3, 3, 2, 1]


SIX = ("KAAWW33", "444", "555", "666", "777", "8889")


def test_example_3_the_lower_gives_its_best():
    table = Table(*SIX, exchange=True)
    assert (table.seat, table.legal()) == (3, ["give 6"])
    table.play("give 6", "give 7", "give 7", "give 8", "give 9", "give 8")
    assert table.hand(0) == "3388" + "9KA"
    assert table.hand(5) == "8AWW"
    assert table.hand(2) == "556" and table.hand(1) == "477"


def test_example_4_what_follows_three_sevens():
    hands = ("777", "99996WW", "3")
    table = Table(*hands)
    table.play("7x3")
    assert table.legal() == ["9x3", "9x4", "Wx2", "pass"]
    table = Table(*hands, follow_count="same")
    table.play("7x3")
    assert table.legal() == ["9x3", "Wx2", "pass"]
    table = Table(*hands, wild_discount=0)
    table.play("7x3")
    assert table.legal() == ["9x3", "9x4", "pass"]
    table = Table(*hands, wild_as="any_value")
    table.play("7x3")
    assert table.legal()[:4] == ["9x1+2W", "9x2+1W", "9x2+2W", "9x3"]
    assert table.legal()[-2:] == ["Wx2", "pass"]


def test_example_5_one_wild_follows_a_single_card():
    for discount in (0, 1):
        table = Table("5", "WW3", "3", wild_discount=discount)
        table.play("5x1")
        assert table.legal() == ["Wx1", "Wx2", "pass"]
    table = Table("5", "WW3", "3", follow_count="same")
    table.play("5x1")
    assert table.legal() == ["Wx1", "pass"]


def test_example_6_wilds_end_the_round():
    table = Table("53", "W3", "WW")
    table.play("5x1", "Wx1")
    assert table.seat == 1 and table.legal() == ["3x1"]
    table = Table("53", "W", "WW6", lead_after_out="next_in_order")
    table.play("5x1", "Wx1")
    assert table.seat == 2 and table.legal() == ["6x1", "Wx1", "Wx2"]


def test_example_6_more_wilds_may_follow_with_wild_ends_round_no():
    table = Table("53", "W3", "WWW", wild_ends_round="no", follow_count="same")
    table.play("5x1", "Wx1")
    assert table.seat == 2 and table.legal() == ["Wx2", "Wx3", "pass"]
    table.play("Wx2")
    assert table.seat == 0 and table.legal() == ["pass"]
    table.play("pass", "pass")
    assert table.seat == 2 and table.legal() == ["Wx1"]


def test_example_7_who_passes_is_out_until_the_next_round():
    table = Table("447", "995", "JJ", "QQ6")
    table.play("4x2", "pass", "JxJ".replace("xJ", "x2"), "Qx2", "pass")
    assert table.seat == 3  # only seat 1 is left in, but it has passed
    assert table.state.last_count == 0
    table.play("6x1")
    assert table.seat == 0 and table.legal() == ["7x1", "pass"]
    table.play("pass")
    assert table.seat == 1 and table.legal() == ["9x1", "9x2", "pass"]


@pytest.mark.parametrize("option, leader", [("next_in_order", 3), ("lowest", 0)])
def test_example_8_who_leads_for_a_winner_without_cards(option, leader):
    table = Table("35", "36", "K", "45", "37", lead_after_out=option)
    table.play("3x1", "pass", "Kx1", "pass", "pass", "pass")
    assert table.seat == leader and table.state.last_count == 0


def test_who_went_out_last_may_still_be_followed():
    table = Table("34", "9", "QQ", "KK")
    table.play("3x1", "9x1")
    assert table.seat == 2 and not table.state.over
    table.play("pass", "pass")
    assert table.seat == 0 and table.legal() == ["pass"]
    table.play("pass")
    assert table.seat == 2  # the next in order after seat 1


def test_example_9_the_others_fill_the_hole_and_a_newcomer_is_last():
    found = False
    for number in range(20):
        steps = steps_of(arse_hole, Rules(decks=1, hands=2, churn=100), 6, 5, number)
        last = [s.state for s in steps if s.hand == 0][-1]
        after = [int(seat) for seat in last.finish[:6]]
        first = next(s.state for s in steps if s.hand == 1)
        leaver = int(first.leaver)
        stayed = [seat for seat in after if seat != leaver]
        assert [int(first.order[5 - i]) for i in range(6)] == [*stayed, leaver]
        found |= after.index(leaver) == 1
    assert found  # the example's: rank 2 leaves, 3 4 5 6 become 2 3 4 5


def test_example_10_a_wrong_gift_makes_arse_hole():
    hands = ("3WWW", "4", "5", "6", "7", "8887")
    table = Table(*hands, exchange=True, exchange_honesty="penalty")
    table.play("give 5", "give 6", "give 4")
    # ranks 2 and 5 swap at most the smaller hand: one card, not two
    table.play("give 7")
    assert table.seat == 0 and table.state.due[0] == 3
    table.play("give W", "give W", "give 3", "give 8", "give 8", "give 8")
    assert table.state.wrong[0] and table.state.penalty[0] == 1
    assert table.hand(0) == "888W" and table.hand(5) == "37WW"
    table.play("8x3")  # seats 1 to 4 hold single cards and cannot follow
    while table.seat != 0:
        table.play("pass")
    table.play("Wx1")
    while not table.state.over:
        table.play(table.legal()[0])
    assert int(table.state.out[0]) == 0
    row = np.zeros(1, arse_hole.ROW).view(np.recarray)[0]
    arse_hole.score(table.rules, table.state, row)
    assert row.score[0] == 6 and row.order_out[0] == 1
    second = int(table.state.out[1])
    assert row.score[second] == 1 and seats_of(row.winners) == [0]
    assert list(row.wrong_exchanges[:6]) == [1, 0, 0, 0, 0, 0]
    table.next_hand()
    assert table.ranks()[0] == 6 and table.ranks()[second] == 1
    assert table.state.penalty[0] == 0


def test_requests_are_met_first_and_the_unwanted_is_left_out():
    hands = ("38KKAWW", "444", "555", "666", "777", "8889")
    table = Table(*hands, exchange=True, exchange_request="by_request", max_named=2)
    assert table.seat == 3 and table.legal()[0] == "no request" and len(table.legal()) == 27
    table.play("no request", "no request")
    assert table.seat == 5
    table.play("want 8", "unwant W")
    assert [table.state.given[0, VALUE_NAMES.index(v)] for v in "8AKW"] == [0, 0, 0, 0]
    table.play("give 6", "give 7", "give 7")
    assert [table.state.given[0, VALUE_NAMES.index(v)] for v in "8AKW"] == [1, 1, 1, 0]
    table.play("give 8", "give 8", "give 8")
    assert table.hand(5) == "89KA"


def test_see_first_may_pass_cards_back():
    table = Table("3A", "4K", exchange=True, exchange_order="see_first")
    assert table.seat == 1 and table.legal() == ["give 4", "give K", "give A"]
    table.play("give A")
    assert table.hand(0) == "3A" and table.hand(1) == "4K"
    table = Table("3A", "4K", exchange=True)
    assert table.legal() == ["give 4", "give K"]
    assert table.view.received.sum() == 0


def test_two_hands_of_penalty():
    table = Table("3W", "45", exchange=True, exchange_honesty="penalty", penalty_hands=2)
    table.play("give 3", "give 4")
    assert table.state.penalty[0] == 2
    for hand in range(3):
        while not table.state.over:
            if table.state.phase == arse_hole.PHASE_GIVE and table.seat == 0 and hand:
                table.play(table.legal()[-1])  # give the best: no further offence
            else:
                table.play(table.legal()[0])
        if hand < 2:
            assert [int(seat) for seat in table.state.finish[:2]] == [1, 0]
        assert table.state.penalty[0] == max(0, 1 - hand)
        table.next_hand()


@pytest.mark.parametrize("players", [2, 5, 20])
def test_first_ranks_by_drawing(players):
    for number in range(30):
        steps = steps_of(
            arse_hole, Rules(initial_ranks="draw", decks=1, hands=1), players, 3, number
        )
        state = steps[0].state
        cards = [card_name(card) for card in state.drawn[:players]]
        assert [int(rank) for rank in state.rank[:players]] == ranks_from_draw(cards)


def test_the_order_of_the_draw():
    state, _ = scratch(arse_hole, 6)
    names = ["*2", "*1", "2h", "2d", "As", "Ac"]
    for i, name in enumerate(names):
        state.drawn[i] = card_id(name)
    values = [arse_hole.draw_value(state, seat) for seat in range(6)]
    # the first joker drawn is the higher one; clubs above spades
    assert sorted(range(6), key=lambda seat: -values[seat]) == [0, 1, 2, 3, 5, 4]


def test_titles():
    assert titles(2) == ["King", "Arse Hole"]
    assert titles(4) == ["King", "President", "Deputy Arse Hole", "Arse Hole"]
    assert titles(13)[0] == "King" and titles(13)[10:] == [
        "Lower Scum",
        "Deputy Arse Hole",
        "Arse Hole",
    ]
    assert titles(14)[:3] == ["God", "God's right hand", "King"] and titles(14)[11] == "Scum"
    assert titles(15)[12] == "Lower Scum"
    assert titles(20)[12:15] == ["Lower Scum", "rank 14", "rank 15"]
    for players in range(2, 21):
        assert len(set(titles(players))) == players and titles(players)[-1] == "Arse Hole"


def best_for(table, seat):
    """Whether a seat can make sure to finish first, by trying everything; two players."""
    if table.state.over or table.state.n_out:
        return int(table.state.out[0]) == seat
    kept = snapshot(table.state)
    results = []
    for move in table.legal():
        table.play(move)
        results.append(best_for(table, seat))
        for name in kept.dtype.names:
            table.state[name] = kept[name]
    return any(results) if table.seat == seat else all(results)


def test_an_ending_solved_by_hand():
    """A has 3 3 K against 4 4. Leading the king wins a lead, and the threes go out.

    Leading a three or both loses: a pair of fours goes out on both at once; on a single three one
    four is laid, the king takes the round, but then a three is led and the last four lies on it.
    """
    wins = {}
    for lead in ("3x1", "3x2", "Kx1"):
        table = Table("33K", "44")
        table.play(lead)
        wins[lead] = best_for(table, 0)
    assert wins == {"3x1": False, "3x2": False, "Kx1": True}


# --- every option ---------------------------------------------------------------------------------

#: Rules under which an option matters, where it does not under the short ones.
BASES = {
    "decks": {"min_cards": 40},
    "min_cards": {"min_cards": 20},
    "max_named": {"exchange_request": "by_request"},
    "penalty_hands": {"exchange_honesty": "penalty", "hands": 6},
}


def other_values():
    """Every option with its other values, of long ranges a few."""
    for name, field in Rules.options().items():
        values = [v for v in field.metadata["values"] if v != field.default]
        if name == "hands":
            values = [1, 2, 4]
        for value in values[:4] + values[4:][-2:]:
            yield name, value


@pytest.mark.parametrize("name, value", list(other_values()))
def test_every_option_value_changes_some_session(name, value):
    base = {"hands": 3, "min_cards": 6, **BASES.get(name, {})}
    players = 8 if name in ("decks", "penalty_hands") else 4
    assert any(
        history(steps_of(arse_hole, Rules(**base), players, 7, number))
        != history(steps_of(arse_hole, Rules(**{**base, name: value}), players, 7, number))
        for number in range(12)
    )


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"decks": "16"}, "valid: auto, 1"),
        ({"churn": 101}, "0 to 100"),
        ({"script": "leave 2"}, "script"),
        ({"script": "-2@3 -1@2"}, "rising order"),
        ({"script": "+2@3 -1@3"}, "ahead of those who join"),
        ({"script": "-2@0"}, "script"),
        ({"script": " ".join(f"-2@{i} +2@{i}" for i in range(1, 300))}, "at most 512"),
        ({"wild_as": "any"}, "did you mean any_value"),
    ],
)
def test_impossible_options_are_refused(settings, words):
    with pytest.raises(UsageError, match=words):
        Rules(**settings)


def test_decks_may_be_a_number_or_text():
    assert Rules(decks=3) == Rules(decks="3") == Rules.parse({"decks": "3"})
    assert Rules(decks=3).as_dict()["decks"] == 3
    assert Rules().as_dict()["decks"] == "auto"


# --- joining and leaving --------------------------------------------------------------------------


def model(rules, players, finishes):
    """The order of ranks, King first, of each hand but the first, by A15 in plain words."""
    at_table = rules.seated(players)
    for hand, finish in enumerate(finishes, start=1):
        leaves = [seat for when, seat, joins in rules.events() if when == hand and not joins]
        comes = [seat for when, seat, joins in rules.events() if when == hand and joins]
        order = [seat for seat in finish if seat not in leaves] + comes
        at_table = (at_table - set(leaves)) | set(comes)
        assert set(order) == at_table
        yield order


@pytest.mark.parametrize(
    "players, script",
    [
        (4, "-0@1 +0@2"),  # leaves, and rejoins as Arse Hole
        (8, "-2@1 +7@1 -3@2 -4@2 +3@4 +2@4"),  # seat 7 is not there at first; two rejoin
        (3, "-0@1 -1@2 +1@2 +0@2"),  # down to two, and one leaves and comes back at once
        (20, ["+19@1", "+18@2", "-0@3", "-1@3"]),
    ],
)
def test_a_script_of_joins_and_leaves(players, script):
    rules = Rules(min_cards=6, hands=6, script=script)
    arse_hole.check_table(rules, players)
    steps = steps_of(arse_hole, rules, players, 4)
    played = by_hand(steps)
    rows = final_rows(arse_hole, rules, steps)
    seated = {seat for seat in range(players) if played[0][0].state.rank[seat]}
    assert seated == rules.seated(players)
    finishes = []
    for hand in played:
        state = hand[-1].state
        finishes.append([int(seat) for seat in state.finish[: int(state.n)]])
        check_state(hand[0].state, players)
        assert state.decks == -(-6 * int(state.n) // 54)  # counted anew for every hand
    for hand, order in enumerate(model(rules, players, finishes[:-1]), start=1):
        first = played[hand][0].state
        assert [int(seat) for seat in first.order[: int(first.n)][::-1]] == order
        assert rows[hand].players == len(order)
        absent = set(range(players)) - set(order)
        assert all(rows[hand].score[seat] == rows[hand].rank_before[seat] == 0 for seat in absent)
        assert all(not step.chosen or step.seat not in absent for step in played[hand])


@pytest.mark.parametrize(
    "players, script, words",
    [
        (4, "-4@1", "seats are 0 to 3"),
        (4, "-1@1 -1@2", "seat 1 is not at the table"),
        (4, "-1@1 +1@2 +1@3", "seat 1 is already at the table"),
        (4, "-0@1 -1@1 -2@1", "leaves 1 at the table in hand 1"),
        (2, "+1@1", "leaves 1 at the table in hand 0"),
    ],
)
def test_a_script_that_the_seats_cannot_play_is_refused(players, script, words):
    with pytest.raises(UsageError, match=words):
        make_plan(
            "arse_hole",
            [Player("random", random_mover)],
            rules=Rules(script=script),
            seatings=[[0] * players],
        )


def test_players_do_not_see_the_script():
    rules = Rules(min_cards=6, hands=3, script="-0@2")
    state, views = scratch(arse_hole, 3)
    state.n_players = 3
    state.rng[:] = 1, 2, 3, 4
    views[:].rules = rules.lower()
    arse_hole.deal(rules.lower(), state)
    arse_hole.legal(rules.lower(), state, views[int(state.seat)])
    seen = views[int(state.seat)].rules
    assert seen.n_events == 0 and not seen.events.any()


# --- whole sessions -------------------------------------------------------------------------------


def rows_of(rules, players, sessions, seed=1):
    """Sessions of random players, from the loop."""
    plan = make_plan(
        "arse_hole",
        [Player("random", random_mover)],
        rules=rules,
        seatings=[[0] * players],
        seed=seed,
        games=sessions,
    )
    return play_chunk(plan, 0, sessions)[0]


@pytest.mark.parametrize(
    "players, options",
    [
        (6, {}),
        (7, {"churn": 50, "exchange_honesty": "penalty", "exchange_request": "by_request"}),
        (5, {"script": "-1@1 +1@2", "wild_as": "any_value", "initial_ranks": "draw"}),
    ],
)
def test_the_loop_and_the_stepwise_walk_give_the_same_rows(players, options):
    rules = Rules(hands=3, min_cards=8, **options)
    rows = rows_of(rules, players, 6, seed=8)
    for number in range(6):
        walked = final_rows(arse_hole, rules, steps_of(arse_hole, rules, players, 8, number))
        for hand in range(3):
            for name in arse_hole.ROW.names:
                if name not in ("game", "deal", "seating"):
                    assert np.array_equal(rows[number, hand][name], walked[hand][name]), name


def test_cards_are_conserved_and_ranks_are_permutations():
    sessions = 3 if PLAIN else 300
    rows = rows_of(Rules(hands=5, churn=30, exchange_honesty="penalty"), 6, sessions)
    ranks = np.arange(1, 7)
    for name in ("score", "rank_before", "order_out"):
        assert (np.sort(rows[name][:, :, :6], axis=2) == ranks).all()
        assert (rows[name][:, :, 6:] == 0).all()
    assert (rows["cards_dealt"][:, :, :6].sum(axis=2) == 162).all()
    assert (rows["cards_exchanged"][:, 1:, :6].sum(axis=2) == 12).all()
    assert (rows["cards_exchanged"][:, 0] == 0).all()
    first = np.take_along_axis(rows["order_out"][:, :, :6], winner(rows)[:, :, None], axis=2)
    assert (first == 1).all()


def winner(rows):
    """The seat of the single winner."""
    seat = np.log2(rows["winners"]).astype(int)
    assert (rows["winners"] == 1 << seat).all()
    return seat


def test_without_penalty_or_churn_a_score_is_the_next_rank():
    rows = rows_of(Rules(hands=4, min_cards=6), 6, 20)
    assert (rows["score"][:, :-1] == rows["rank_before"][:, 1:]).all()
    assert (rows["score"] == rows["order_out"]).all()


def test_the_shape_of_chance():
    sessions = 20 if PLAIN else 4000
    rows = rows_of(Rules(decks=1, hands=2, churn=25), 3, sessions)
    before = rows["rank_before"][:, :, :3]
    # The first ranks: six orders alike, so each rank a third; 4 standard errors.
    share = (before[:, 0] == 1).mean(axis=0)
    assert np.abs(share - 1 / 3).max() < 4 * np.sqrt(2 / 9 / sessions)
    # A churn of 25 % moves a player to the bottom; it was there already one time in three.
    moved = (rows["score"][:, 0, :3] != before[:, 1]).any(axis=1).mean()
    assert abs(moved - 0.25 * 2 / 3) < 4 * np.sqrt(1 / 6 * 5 / 6 / sessions)


def test_a_hand_without_wilds_is_as_rare_as_counting_says():
    deals = 50 if PLAIN else 3000
    state, _ = scratch(arse_hole, 2)
    rules = Rules(decks=1).lower()
    state.n_players = 2
    state.rng[:] = 5, 6, 7, 8
    without = 0
    for _ in range(deals):
        arse_hole.deal(rules, state)
        without += (state.held[:2, WILD] == 0).sum()
    # 27 of 54 cards without any of the 6 wilds, for either of two players.
    chance = 2 * np.prod([(27 - i) / (54 - i) for i in range(6)])
    assert abs(without / deals - chance) < 4 * np.sqrt(chance * (1 - chance) / deals)


@pytest.mark.parametrize("decks", [8, 15])
@pytest.mark.parametrize(
    "options",
    [{}, {"wild_as": "any_value", "wild_ends_round": "no"}, {"exchange_honesty": "penalty"}],
)
def test_twenty_players_with_many_decks(decks, options):
    rules = Rules(decks=decks, hands=1 if PLAIN else 4, first_exchange="yes", **options)
    rows = rows_of(rules, 20, 1 if PLAIN else 5)
    assert (np.sort(rows["score"], axis=2) == np.arange(1, 21)).all()
    assert (rows["cards_dealt"].sum(axis=2) == 54 * decks).all()
    assert (rows["cards_exchanged"].max(axis=2) == 10).all()


def test_the_longest_list_of_moves_fits():
    naturals = {"4": 60, "5": 60, "6": 60, "7": 60, "8": 60, "9": 15}
    hand = "".join(name * count for name, count in naturals.items()) + "W" * 90
    table = Table("33", hand, decks=15, wild_as="any_value")
    table.play("3x1")
    assert table.view.n_moves == MAX_MOVES
    assert len(set(table.view.moves.tolist())) == MAX_MOVES


def test_a_view_tells_nothing_of_other_hands():
    """Deal what a seat cannot see anew among the others: its view must stay the same."""
    rules = Rules(min_cards=8, hands=2, first_exchange="yes", exchange_honesty="penalty")
    rng = np.random.default_rng(1)
    for step in steps_of(arse_hole, rules, 5, 6):
        state = step.state
        if state.over:
            continue
        seat = int(state.seat)
        others = [s for s in range(5) if s != seat and state.n_held[s]]
        pool = np.concatenate([np.repeat(np.arange(16), state.held[s]) for s in others])
        rng.shuffle(pool)
        twin = snapshot(state)
        for other in others:
            hand, pool = pool[: int(state.n_held[other])], pool[int(state.n_held[other]) :]
            twin.held[other] = np.bincount(hand, minlength=16)
        seen = []
        for told in (state, twin):
            view = np.zeros(1, arse_hole.VIEW).view(np.recarray)
            view[0].rules = rules.lower()
            arse_hole.legal(rules.lower(), told, view[0])
            seen.append(view.tobytes())
        assert seen[0] == seen[1]


def test_a_replay_lets_a_stranger_referee_the_session():
    rules = Rules(min_cards=6, hands=4, churn=60, exchange_honesty="penalty")
    steps = steps_of(arse_hole, rules, 5, 9, 2)
    told = as_json(arse_hole, rules, ["random"] * 5, 9, 2, steps)
    told = json.loads(json.dumps(told))
    options = {k: v for k, v in told["rules"].items() if k != "script"}
    options |= {"_ranks": told["first_ranks"], "_churn": told["churn"]}
    referee = Referee(options, told["players"], told["deal"])
    for step in told["steps"]:
        assert (referee.seat, referee.phase) == (step["seat"], step["phase"])
        assert sorted(referee.legal()) == sorted(step["legal"])
        referee.play(step["chosen"], step.get("drawn", []))
    assert referee.over and referee.result()["scores"] == told["result"]["scores"]
    assert any(seat is not None for seat in told["churn"])
    assert show_all(steps)


def show_all(steps):
    """Every table in words; each names every seat."""
    tables = [arse_hole.show(step.state) for step in steps]
    return all(sum(f"seat {seat}," in line for line in t) == 1 for t in tables for seat in range(5))


@pytest.mark.parametrize("order", ["blind", "see_first"])
def test_a_blind_exchange_does_not_show_who_has_chosen(order):
    """All choose before anything is seen (A7): the others hold as many cards as were dealt."""
    rules = arse_hole.Rules(hands=2, first_exchange="yes", exchange_order=order).lower()
    state, views = scratch(arse_hole, 5)
    for seat in range(5):
        views[seat].rules = rules
        seed_stream(views[seat].rng, 3, 0, 1 + seat)
    seed_stream(state.rng, 3, 0, 0)
    state.n_players = 5
    arse_hole.deal(rules, state)
    shown = []
    while state.phase != arse_hole.PHASE_PLAY:
        seat = int(state.seat)
        arse_hole.legal(rules, state, views[seat])
        view = views[seat]
        others = [int(view.n_held[s]) for s in range(5) if s != seat]
        assert sum(others) == int(view.unseen.sum()) or order == "see_first"
        shown.append(sum(others) + int(view.hand.sum()) + int(view.given.sum()))
        arse_hole.apply(rules, state, view.moves[0])
    assert len(shown) > 2
    if order == "blind":
        assert set(shown) == {int(state.n_held[:5].sum())}
