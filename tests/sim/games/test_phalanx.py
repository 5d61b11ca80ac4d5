"""Phalanx's kernel against its referee, its worked examples, zone totals, and every option."""

import dataclasses
import itertools
import os

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sim import jit
from sim.cards import card_id, mask_of, names_of, small_deck
from sim.errors import UsageError
from sim.game import scratch
from sim.games import phalanx
from sim.games.phalanx import Rules
from sim.games.phalanx_table import MAX_MOVES, zone_of
from sim.games.phalanx_worth import side_total
from sim.jit import PLAIN
from sim.replay import final_rows
from sim.rng import seed_stream
from sim.runner import simulate
from tests.referee.phalanx import Referee, full_deck, side_total_by_definition
from tests.sim.games.harness import (
    history,
    option_values,
    random_mover,
    referee_agrees,
    rule_sets,
    steps_of,
)
from tests.sim.games.phalanx_table import Table, opening, redealt

GAMES = int(os.environ.get("EVENDEAL_TEST_GAMES", "200"))
SHORT = range(1, 9)  # rounds: games need not be played to the end of a thousand


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(
    rules=rule_sets(phalanx, max_rounds=SHORT),
    players=st.sampled_from([2, 3]),
    seed=st.integers(0, 2**40),
)
def test_kernel_and_referee_agree_move_for_move(rules, players, seed):
    try:
        phalanx.check_table(rules, players)
    except UsageError:
        assume(False)
    steps, row, result = referee_agrees(phalanx, Referee, rules, players, seed)
    assert list(row.chips[:players]) == result["chips"]
    assert row.rounds == result["rounds"]
    assert row.leader_zones + row.other_zones == sum(result["zone_wins"])
    assert row.leader_zones + row.other_zones + row.tied_zones == 3 * row.rounds
    assert row.leader == next(s.seat for s in steps if s.phase in ("lay", "raise"))
    # A turn lays a card. None is lost or doubled, and chips only change hands.
    assert row.turns == row.rounds * rules.hand_size * players
    void = int(steps[-1].state.gone).bit_count()
    assert sum(row.score) + void == rules.ranks * rules.suits // players * players
    assert sum(row.chips) == 0


# --- worked examples, by their number in the rules ------------------------------------------------


def worth(side, **options):
    """What the face-up cards of a side are worth."""
    return int(side_total(Rules(**options).lower(), mask_of(side.split())))


@pytest.mark.parametrize(
    "side, options, points",
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
        ("As 9s", {"ace": "10"}, 28),
        ("As 9s", {"ace": "match"}, 27),
        ("As", {"ace": "match"}, 1),
        ("2h 3h 4h 5h", {}, 23),  # example 10
        # Where its suit has doubled every lowest card a jack may find nothing to do.
        ("2h 3h Jd", {"jack_on_doubled": "no_effect"}, 7),
        ("2h 3h Jd", {"jack_on_doubled": "multiplies"}, 11),
        # A jack is no partner of a matching ace; it doubles what the ace has become.
        ("As Js", {"ace": "match"}, 2),
        ("As 9s Js", {"ace": "match"}, 45),
    ],
)
def test_examples_1_to_4_and_10_totals(side, options, points):
    assert worth(side, **options) == points
    assert Table(["2d", "3d"], {"L0": side}, **options).total("L0") == points


@pytest.mark.parametrize("timing, points", [("when_laid", 3), ("whole_round", 0)])
def test_example_5_queen(timing, points):
    table = Table(["Qc 3d", "9s 9h"], {"L0": "8d", "L1": "Th"}, queen_timing=timing)
    table.play("Qc@L", "9s@R")
    assert table.down() == "8d Th Qc"
    assert (table.total("L0"), table.total("L1")) == (0, 0)
    assert table.play("3d@L").total("L0") == points


@pytest.mark.parametrize("turned, points", [("Jc", 7), ("7c", 0)])
def test_example_6_king(turned, points):
    table = Table(["Kd 2s", "3s 4s"], {"R1": "Jc 7c"})
    assert table.total("R1") == 14
    assert [m for m in table.legal() if m.startswith("Kd@R")] == ["Kd@R x 7c", "Kd@R x Jc"]
    table.play(f"Kd@R x {turned}")
    assert (table.total("R1"), table.down()) == (points, turned)


@pytest.mark.parametrize(
    "tie, owned, ten", [("return", [26, 26], 0), ("void", [24, 23], None), ("swap", [27, 25], 1)]
)
def test_example_7_ties(tie, owned, ten):
    table = Table(["2s", "3h"], {"L0": "Th", "L1": "5d 4c"}, sizes=[24, 23], tie=tie)
    table.play("2s@L", "3h@L")
    assert (table.owned(), table.owner("Th")) == (owned, ten)
    assert int(table.state.tied_zones) == 3
    assert int(table.state.gone) == (mask_of("2s 3h Th 5d 4c".split()) if tie == "void" else 0)


@pytest.mark.parametrize(
    "cards, lead_by, leader",
    [
        ("Ts Jh", "value", 0),
        ("Ts Jh", "rank", 1),
        ("8h 8c", "value", 1),
        ("8h 8c", "rank", 1),
        ("8d 8c", "value", 0),
        ("8d 8s", "value", 1),
        ("Js Ks", "value", 1),
        ("Ah Ks", "value", 0),
        ("Ah Ks", "rank", 0),
    ],
)
def test_example_8_who_leads(cards, lead_by, leader):
    table = opening(*cards.split(), lead_by=lead_by, king_optional="yes")
    assert table.state.leader == table.state.first_leader == leader


@pytest.mark.parametrize("ace, leader", [("1", 1), ("4", 0), ("10", 0), ("match", 1)])
def test_an_opening_ace_leads_by_what_it_is_worth(ace, leader):
    assert opening("As", "3h", ace=ace).state.leader == leader
    assert opening("Ah", "Ts", ace=ace).state.leader == 1


def test_example_9_who_cannot_draw():
    table = Table(["9s", "5h"], sizes=[44, 6]).play("9s@L", "5h@R")
    assert not table.state.over
    assert (table.owned(), list(table.state.n_reserve[:2])) == ([45, 7], [38, 0])
    table = Table(["9s", "5h"], sizes=[44, 6]).play("9s@L", "5h@L")
    assert table.state.over
    assert (list(table.row().score[:2]), table.row().winners) == ([46, 6], 0b01)


def test_example_10_king_without_a_target():
    table = Table(["Kh 2h 3h 4h 5h", "2s 3s 4s 5s 6s"])
    assert [m for m in table.legal() if m.startswith("Kh")] == ["Kh@L", "Kh@M", "Kh@R"]
    table.play("Kh@L", "2s@R", "2h@L", "3s@R", "3h@L", "4s@R", "4h@L", "5s@R", "5h@L")
    assert (table.total("L0"), table.down()) == (23, "")


def test_example_11_opening_king_and_queen():
    table = opening("Ks", "Qh")
    assert (table.state.phase, table.state.seat) == (phalanx.PHASE_TARGET, 0)
    assert table.legal() == ["x Qh"]
    table.play("x Qh")
    assert (table.state.phase, table.state.seat, table.down()) == (phalanx.PHASE_LAY, 0, "Qh")
    table = opening("Kh", "Qs")
    assert (table.state.phase, table.state.seat, table.down()) == (phalanx.PHASE_LAY, 1, "Qs Kh")


# --- options that the examples leave out ----------------------------------------------------------


@pytest.mark.parametrize(
    "scope, down, powerless",
    [("both_sides", "8d Th Qc", True), ("own_side", "8d Qc", True), ("other_side", "Th Qc", False)],
)
def test_queen_scope(scope, down, powerless):
    sides = {"L0": "8d", "L1": "Th", "R1": "2c"}
    table = Table(["Qc Ks", "9s 9h"], sides, queen_scope=scope, queen_timing="whole_round")
    table.play("Qc@L")
    assert table.down() == down
    table.play("9s@L")
    assert table.total("L1") == (19 if scope == "own_side" else 0)
    # A king laid on a closed side lies face down and acts on nothing.
    assert ("Ks@L" in table.legal()) == powerless


def test_king_options():
    sides = {"L0": "8d", "L1": "Th", "R1": "2c"}

    def kings(**options):
        return [move[3:] for move in Table(["Ks", "9s"], sides, **options).legal()]

    assert kings() == ["L x Th", "L x 8d", "M", "R x 2c"]
    assert kings(king_target="other_side") == ["L x Th", "M", "R x 2c"]
    assert kings(king_optional="yes") == ["L", "L x Th", "L x 8d", "M", "R", "R x 2c"]
    far = [f"{zone} x {card}" for zone in "LMR" for card in ("Th", "2c")]
    assert kings(king_reach="table", king_target="other_side") == far
    table = Table(["Ks 2d", "9s 3d"], sides, king_reach="table").play("Ks@M x 2c")
    assert (table.down(), table.total("R1"), table.total("L1")) == ("2c", 0, 10)


def test_opening_king_may_decline():
    table = opening("Ks", "Th", king_optional="yes", lead_by="rank")
    assert table.legal() == ["x -", "x Th"]
    assert table.play("x -").down() == ""


def test_an_opening_shows_nothing_of_the_others_choices():
    """All choose at once (P2): whoever is asked later sees hands as full as the first does."""
    table = Table(["2s 5d", "3h 6c"], leader=None)
    first = [int(n) for n in table.view().n_hand[:2]]
    second = [int(n) for n in table.play("2s@M").view().n_hand[:2]]
    assert first == second == [2, 2]


def test_without_a_new_opening_who_wins_most_zones_leads():
    table = Table(["2s", "3h"], {"M0": "2h", "R1": "9d"}, opening="first_round")
    table.play("2s@M", "3h@L")
    assert (table.state.phase, table.state.seat) == (phalanx.PHASE_LAY, 1)
    assert list(table.view().n_hand[:2]) == [7, 7]
    row = table.row()
    assert (row.leader_zones, row.other_zones, row.tied_zones) == (1, 2, 0)
    # As many zones each, or none: the leader stays.
    table = Table(["2s", "3h"], leader=1, opening="first_round").play("3h@L", "2s@M")
    assert table.state.seat == 1


def test_an_opening_every_round():
    table = Table(["2s", "3h"], {"R1": "9d"}).play("2s@M", "3h@L")
    assert (table.state.phase, table.state.seat) == (phalanx.PHASE_OPENING, 0)
    assert table.state.leader == table.view().leader == -1


@pytest.mark.parametrize("end_rule, winners", [("most_cards", 0b01), ("cannot_draw_loses", 0b11)])
def test_void_cards_can_leave_nobody_able_to_draw(end_rule, winners):
    table = Table(["9s", "9h"], sizes=[6, 5], tie="void", end_rule=end_rule).play("9s@L", "9h@L")
    assert table.state.over and table.row().winners == winners


@pytest.mark.parametrize("end_rule, winners", [("most_cards", 0b010), ("cannot_draw_loses", 0b010)])
def test_three_players_end(end_rule, winners):
    sides = {"L1": "Ts 9s 8s"}
    table = Table(["2h", "3h", "4h"], sides, sizes=[10, 10, 6], end_rule=end_rule)
    table.play("2h@L", "3h@M", "4h@L")
    assert table.state.over and list(table.row().score) == [10, 16, 6]
    assert table.row().winners == winners
    table = Table(["2h", "3h", "4h"], sizes=[10, 10, 6]).play("2h@L", "3h@M", "4h@L")
    # Seat 2 has won seat 0's card and can draw, so the game goes on.
    assert not table.state.over and table.owned() == [10, 11, 8]


def test_a_game_that_is_cut_gives_chips_back():
    table = Table(["9s", "9h"], stakes="on", max_rounds=1)
    assert table.chips() == [-3, -3]
    table.play("9s@L", "9h@L")
    row = table.row()
    assert (row.unfinished, row.winners, list(row.chips)) == (1, 0, [0, 0, 0])


# --- stakes ---------------------------------------------------------------------------------------


def test_raise_call_and_fold():
    table = opening("9s", "5h", stakes="on")
    assert table.legal() == ["no raise", "raise L", "raise M", "raise R"]
    table.play("raise L")
    assert (int(table.state.seat), table.legal()) == (1, ["call", "fold"])
    assert table.play("call").stakes("L") == [2, 2]
    # Seat 0, the leader, has been asked; now seat 1 may raise. Seat 0 gives up the chips there,
    # and the zone takes no more raises this round.
    table.play("raise L", "fold")
    assert (table.chips(), table.stakes("L")) == ([-4, 0], [0, 0])
    assert table.state.phase == phalanx.PHASE_LAY
    table.play(table.legal()[0])
    table.play(table.legal()[0])
    assert table.legal() == ["no raise", "raise M", "raise R"]


def test_raises_end_at_the_maximum_and_may_have_to_be_called():
    table = opening("9s", "5h", stakes="on", max_raises=1, raise_reply="must_call")
    assert table.play("raise L").legal() == ["call"]
    assert table.play("call").legal() == ["no raise", "raise M", "raise R"]


@pytest.mark.parametrize("ante, raise_", [(1, 1), (2, 5)])
def test_ante_and_raise_are_what_the_options_say(ante, raise_):
    table = opening("9s", "5h", **{"stakes": "on", "ante": ante, "raise": raise_})
    assert table.chips() == [-3 * ante] * 2
    assert table.play("raise M", "call").stakes("M") == [ante + raise_] * 2


def test_chips_of_a_tied_zone_stay_under_the_new_stake():
    table = Table(["9s", "9h"], stakes="on").play("9s@L", "9h@R")
    # L and R were won; M was tied 0-0.
    assert [table.stakes(zone) for zone in "LMR"] == [[1, 1], [2, 2], [1, 1]]
    assert table.chips() == [-4, -4]


def test_no_raise_once_hands_are_empty_or_uneven():
    table = Table(["9s 8s", "9h 8h"], stakes="on").play("9s@L")
    assert table.state.phase == phalanx.PHASE_LAY
    table.play("9h@R")
    assert table.state.phase == phalanx.PHASE_RAISE
    table.play("no raise", "no raise", "8s@L", "8h@R")
    assert table.state.phase == phalanx.PHASE_OPENING


def test_three_players_fold():
    table = opening("9s", "5h", "4h", stakes="on").play("no raise", "raise M", "fold", "call")
    # Seat 2 answered first and gave up its chip; seats 0 and 1 play for it.
    assert table.stakes("M") == [2, 2, 1]
    assert table.legal() == ["no raise", "raise L", "raise R"]
    table = opening("9s", "5h", "4h", stakes="on").play("raise M", "fold", "fold")
    assert (table.chips(), table.stakes("M")) == ([0, -3, -3], [0, 0, 0])


def test_cards_go_to_the_highest_and_chips_to_the_highest_who_has_not_folded():
    table = Table(["2s", "2h", "2d"], {"M0": "9s", "M1": "5h", "M2": "Th"}, stakes="on")
    table.state.folded[1] = 0b100
    table.play("2s@L", "2h@R", "2d@M")
    assert table.owner("9s") == table.owner("5h") == 2
    # Seat 0 had the chips of L and M, seat 1 those of R; then all put three on a new round.
    assert table.chips() == [0, -3, -6]


# --- three players --------------------------------------------------------------------------------


def test_pairwise():
    options = {"three_players": "pairwise", "stakes": "on"}
    table = opening("9s", "5h", "Ks", zones="RMM", **options)
    assert (int(table.state.leader), table.legal()) == (0, ["x 5h"])
    assert [table.stakes(zone) for zone in "LMR"] == [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    places = []
    for seat, hand in enumerate(["2s", "2h", "2d"]):
        hands = [hand if seat == other else "" for other in range(3)]
        places.append([m[3:] for m in Table(hands, leader=seat, **options).legal()])
    assert places == [["L", "R"], ["L", "M"], ["M", "R"]]


def test_one_zone():
    table = Table(["2s", "2h", "2d"], three_players="one_zone")
    assert table.legal() == ["2s@L", "2s@M", "2s@R"]
    table.play("2s@L", "2h@R")
    assert table.legal() == ["2d@M"]


def test_three_lay_in_all_zones():
    table = Table(["2s", "2h", "2d"]).play("2s@L", "2h@R")
    assert table.legal() == ["2d@L", "2d@M", "2d@R"]


@pytest.mark.parametrize(
    "tie, owners", [("return", (0, 1, 2)), ("void", (None,) * 3), ("swap", (1, 2, 0))]
)
def test_two_of_three_tie(tie, owners):
    table = Table(["2s", "2h", "2d"], {"M0": "9s", "M1": "9h", "M2": "4h"}, tie=tie)
    table.play("2s@L", "2h@R", "2d@L")
    assert tuple(table.owner(card) for card in ("9s", "9h", "4h")) == owners


def test_three_get_17_cards_and_one_is_out():
    table = Table(["2s", "2h", "2d"])
    phalanx.deal(table.rules, table.state)
    assert table.owned() == [17, 17, 17]
    assert table.owner(table_card(table, 51)) is None


def table_card(table, place):
    """The name of a card of the deck as shuffled."""
    return names_of(1 << int(table.state.deck[place]))[0]


# --- what a side is worth -------------------------------------------------------------------------


@pytest.mark.parametrize("ace", ["1", "4", "10", "match"])
@pytest.mark.parametrize("jack", ["multiplies", "no_effect"])
def test_totals_of_all_sides_of_up_to_four_cards(ace, jack):
    """Against the definition, which tries every way to double and puts J Q K in their suits."""
    options = {"ace": ace, "jack_on_doubled": jack}
    rules, settings_ = Rules(**options).lower(), Rules(**options).as_dict()
    deck = full_deck({"ranks": 7, "suits": 2})
    sides = [side for n in range(5) for side in itertools.combinations(deck, n)]
    assert len(sides) == 1 + 14 + 91 + 364 + 1001
    for side in sides:
        assert side_total(rules, mask_of(side)) == side_total_by_definition(side, settings_), side


FACES = mask_of(rank + suit for rank in "JQK" for suit in "shdc")
JACKS = mask_of(["Js", "Jh", "Jd", "Jc"])
NUMBERS = [rank + suit for rank in "A23456789T" for suit in "shdc"]


@settings(max_examples=GAMES, deadline=None, derandomize=True)
@given(
    numbers=st.sets(st.sampled_from(NUMBERS), max_size=12),
    faces=st.sets(st.sampled_from(names_of(FACES))),
    ace=st.sampled_from(["1", "4", "10", "match"]),
    jack=st.sampled_from(["multiplies", "no_effect"]),
)
def test_faces_do_not_matter_to_suit_doubling(numbers, faces, ace, jack):
    rules = Rules(ace=ace, jack_on_doubled=jack).lower()
    side, faces = mask_of(numbers), mask_of(faces)
    # Queens and kings never matter; of the jacks it matters only that one is there.
    alike = side | (card_bit("Jc") if faces & JACKS else 0)
    assert side_total(rules, side | faces) == side_total(rules, alike)
    definition = side_total_by_definition(
        names_of(side | faces), Rules(ace=ace, jack_on_doubled=jack).as_dict()
    )
    assert side_total(rules, side | faces) == definition


def card_bit(name):
    return 1 << card_id(name)


# --- what a player sees ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "options",
    [{}, {"memory": "round", "tie": "void"}, {"stakes": "on", "three_players": "pairwise"}],
)
def test_a_view_holds_nothing_of_the_hidden_cards(players, options):
    rules = Rules(max_rounds=6, **options).lower()
    state, views = scratch(phalanx, players)
    _, twins = scratch(phalanx, players)
    state.n_players = players
    random = np.random.default_rng(1)
    moved = 0
    for number in range(2 if PLAIN else 8):
        seed_stream(state.rng, 2, number, 0)
        state.over = 0
        phalanx.deal(rules, state)
        while not state.over:
            view, seen = views[int(state.seat)], twins[int(state.seat)]
            phalanx.legal(rules, state, view)
            twin = redealt(rules, state, int(state.seat), random)
            moved += twin.tobytes() != state.tobytes()
            phalanx.legal(rules, twin, seen)
            assert seen.tobytes() == view.tobytes()
            phalanx.apply(rules, state, view.moves[random.integers(view.n_moves)])
    assert moved > 100


def test_memory():
    sides = {"L0": "9d", "L1": "8d"}
    for memory, known in (("perfect", ["2s 9d 8d", "3h"]), ("round", ["", ""])):
        table = Table(["2s", "3h"], sides, memory=memory).play("2s@L", "3h@R")
        view = table.view()
        drawn = int(view.hand)
        assert [int(cards) for cards in view.known[:2]] == [
            mask_of(cards.split()) & ~drawn for cards in known
        ]
        everything = drawn | int(view.known[0]) | int(view.known[1]) | int(view.unseen)
        assert everything == int(table.state.kept)
        assert not int(view.unseen) & (int(view.known[0]) | int(view.known[1]) | drawn)


def test_void_cards_are_remembered():
    for memory in ("perfect", "round"):
        table = Table(["9s", "9h"], tie="void", memory=memory).play("9s@L", "9h@L")
        nines = mask_of(["9s", "9h"])
        assert int(table.view().unseen) & nines == (0 if memory == "perfect" else nines)


def test_the_longest_list_of_moves_fits():
    kings = mask_of(["Ks", "Kh", "Kd", "Kc"])
    rest = names_of(mask_of(small_deck()) & ~kings)
    sides = {"L0": " ".join(rest[:16]), "M1": " ".join(rest[16:32]), "R1": " ".join(rest[32:])}
    table = Table(["Ks Kh Kd Kc", ""], sides, king_reach="table", king_optional="yes")
    assert len(set(table.legal())) == MAX_MOVES


# --- options --------------------------------------------------------------------------------------

STAKES = {"stakes": "on"}
#: What has to be set, so that an option matters: an option's rules and players.
BASES = {
    "end_rule": ({"tie": "void", "hand_size": 3, "ranks": 6, "suits": 2}, 2),
    "suits": ({"hand_size": 6}, 2),
    "three_players": ({}, 3),
    "ante": (STAKES, 2),
    "raise": (STAKES, 2),
    "max_raises": (STAKES, 2),
    "raise_reply": (STAKES, 2),
}


def outcome(rules, players, number):
    """All that can be told of a game: its moves and its row."""
    steps = steps_of(phalanx, rules, players, 7, number)
    return history(steps), [row.tobytes() for row in final_rows(phalanx, rules, steps)]


def changes(name, value, options, players, games):
    base = Rules(**{"max_rounds": 20, **options})
    changed = dataclasses.replace(base, **{name: value})
    return any(outcome(base, players, k) != outcome(changed, players, k) for k in range(games))


@pytest.mark.parametrize(
    "name, value",
    [v for v in option_values(phalanx) if v[0] not in ("memory", "max_rounds")],
)
def test_every_option_value_changes_some_game(name, value):
    options, players = BASES.get(name, ({}, 2))
    assert changes(name, value, options, players, 100)


@pytest.mark.parametrize(
    "name, value",
    [
        (name, value)
        for name, value in option_values(phalanx)
        if name in ("opening", "king_target", "queen_scope", "tie", "end_rule", "raise_reply")
    ],
)
def test_options_change_games_of_three_too(name, value):
    options, _ = BASES.get(name, ({}, 3))
    assert changes(name, value, options, 3, 100)


@jit.strategy
def keep_apart(view):
    """Opens with its highest face and then keeps to a zone of its own, so that nothing is won."""
    zone = 0 if view.seat == 0 else 2
    for i in range(view.n_moves):
        if view.phase == phalanx.PHASE_LAY and zone_of(view.moves[i]) == zone:
            return i
    return view.n_moves - 1


@pytest.mark.parametrize(
    "rounds", [1, *(value for name, value in option_values(phalanx) if name == "max_rounds")]
)
def test_a_game_without_an_end_is_cut_and_unfinished(rounds):
    rounds = min(rounds, 1001) if PLAIN else rounds
    rules = {"ranks": 4, "suits": 1, "hand_size": 2, "opening": "first_round"}
    rules |= {"king_target": "other_side", "max_rounds": rounds}
    rows = simulate("phalanx", [keep_apart], seatings=[(0, 0)], rules=rules, games=1)
    assert list(rows["rounds"]) == [rounds]
    assert list(rows["unfinished"]) == [1] and list(rows["winners"]) == [0]
    assert list(rows["score[0]"]) == list(rows["score[1]"]) == [2]


def test_impossible_tables_are_refused():
    with pytest.raises(UsageError, match="hand_size 7 takes 14 cards for 2 players"):
        Rules(ranks=4, suits=3)
    with pytest.raises(UsageError, match="takes 21 cards for 3 players"):
        phalanx.check_table(Rules(ranks=5, suits=4), 3)
    with pytest.raises(UsageError, match="raise .P17."):
        Rules(**{"raise": 0})
    with pytest.raises(UsageError, match="did you mean void"):
        Rules(tie="voit")


# --- the loop -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("options", [{}, {"stakes": "on", "opening": "first_round"}])
def test_the_loop_and_the_stepwise_walk_give_the_same_rows(players, options):
    games, seed, rules = 3 if PLAIN else 10, 11, Rules(max_rounds=12, **options)
    seatings = [(0,) * players]
    table = simulate(
        "phalanx", [random_mover], seatings=seatings, games=games, seed=seed, rules=rules
    )
    assert list(table["game"]) == list(table["deal"]) == list(range(games))
    for number in range(games):
        (row,) = final_rows(phalanx, rules, steps_of(phalanx, rules, players, seed, number))
        for name in phalanx.ROW.names[4:]:
            values = np.atleast_1d(row[name])
            if len(values) == 1:
                assert table.loc[number, name] == values[0]
                continue
            for seat in range(players):
                assert table.loc[number, f"{name}[{seat}]"] == values[seat]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("tie", ["return", "swap"])
def test_cards_and_chips_are_conserved(players, tie):
    options = {"tie": tie, "stakes": "on", "max_rounds": 100}
    games = 5 if PLAIN else 5000
    seatings = [(0,) * players]
    rows = simulate("phalanx", [random_mover], seatings=seatings, games=games, rules=options)
    seats = range(players)
    assert (rows[[f"score[{seat}]" for seat in seats]].sum(axis=1) == 52 - 52 % players).all()
    assert (rows[[f"chips[{seat}]" for seat in seats]].sum(axis=1) == 0).all()
    assert (rows[[f"chips[{seat}]" for seat in seats]].to_numpy() != 0).any()
