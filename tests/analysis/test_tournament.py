"""Tournaments: ratings, cycles and mixes against known answers and other libraries."""

import itertools
import json
import math

import numpy as np
import pytest

from analysis import tournament
from analysis.tournament import (
    ELO,
    Payoffs,
    alpha_rank,
    cyclic_share,
    nash_mix,
    plackett_luce,
    seatings_of,
    standing,
)
from tests.reports.test_cli import evendeal, ok, without_times

ROCK = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)  # paper beats rock, and so on


def with_copy(matrix, of):
    """The matrix with a copy of one strategy added."""
    order = [*range(len(matrix)), of]
    return matrix[np.ix_(order, order)]


class Made(Payoffs):
    """Payoffs of made-up two-seat games in which the row wins with given chances."""

    def __init__(self, chance, deals, rng, first=0.0):
        n = len(chance)
        super().__init__(seatings_of(n, 2), n, deals)
        odds = np.log(chance / (1 - chance))
        for_first = np.array([odds[i, j] + first for i, j in self.seatings])
        wins = rng.random((deals, len(for_first))) < 1 / (1 + np.exp(-for_first))
        self.parts = [np.stack([wins, ~wins], axis=2) * self.unit]


def of_ratings(ratings):
    away = ratings[:, None] - ratings[None, :]
    return 1 / (1 + np.exp(-away))


def test_every_pair_sits_in_every_seat():
    assert seatings_of(3, 2) == [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]
    many = seatings_of(3, 4)
    assert len(many) == 6 * 4 and len(set(map(tuple, many))) == 24
    for one, other in itertools.permutations(range(3), 2):
        rows = [s for s in many if s.count(one) == 1 and s.count(other) == 3]
        assert sorted(s.index(one) for s in rows) == [0, 1, 2, 3]


def test_ratings_are_those_of_choix():
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(1)
    seatings = np.array(seatings_of(4, 2))
    won = rng.integers(20, 80, seatings.shape).astype(float)
    won[1::2] = won[::2, ::-1]  # no seat has an advantage, as choix knows none
    ratings, seats = plackett_luce(seatings, won, 4)
    wins = np.zeros((4, 4))
    for (i, j), (a, b) in zip(seatings, won + 0.25):
        wins[i, j] += a
        wins[j, i] += b
    assert ratings == pytest.approx(choix.ilsr_pairwise_dense(wins), abs=1e-4)
    assert seats == pytest.approx([0, 0], abs=1e-5)


def test_ratings_of_three_seats_are_those_of_choix():
    choix = pytest.importorskip("choix")
    seatings = np.array(list(itertools.permutations(range(4), 3)))
    rng = np.random.default_rng(2)
    by_set = {s: rng.integers(1, 9, 3) for s in itertools.combinations(range(4), 3)}
    won = np.array(
        [[by_set[tuple(sorted(s))][sorted(s).index(i)] for i in s] for s in seatings], float
    )
    data = []
    for table, wins in zip(seatings.tolist(), won):
        for i, times in zip(table, wins):
            data += [(i, [j for j in table if j != i])] * int(times)
    ratings, _ = plackett_luce(seatings, 1000 * won, 4)  # the prior is then next to nothing
    assert ratings == pytest.approx(choix.ilsr_top1(4, data), abs=1e-3)


def test_ratings_and_seats_are_found_again_and_covered(monkeypatch):
    monkeypatch.setattr(tournament, "RESAMPLES", 60)
    truth = np.array([0.6, 0.1, -0.2, -0.5])
    held = seats = 0
    for seed in range(12):
        made = Made(of_ratings(truth), 300, np.random.default_rng(seed), first=0.3)
        found = standing(made, seed)
        held += ((found.ratings[:, 1] <= ELO * truth) & (ELO * truth <= found.ratings[:, 2])).sum()
        seats += found.seats[0][1] <= ELO * 0.15 <= found.seats[0][2]
        assert found.cycles == []
    assert held >= 0.8 * 48 and seats >= 9


def test_ties_count_half_for_each():
    seatings = np.array([[0, 1], [1, 0]])
    drawn, _ = plackett_luce(seatings, np.array([[60.0, 40], [40, 60]]), 2)
    halves, _ = plackett_luce(seatings, np.array([[50 + 10.0, 40], [40, 50 + 10.0]]), 2)
    assert drawn == pytest.approx(halves)
    assert drawn[0] - drawn[1] == pytest.approx(math.log(60.25 / 40.25), abs=1e-5)


def test_rock_paper_scissors():
    assert cyclic_share(ROCK) == pytest.approx(1)
    assert cyclic_share(np.subtract.outer([3.0, 1, 2], [3.0, 1, 2])) == pytest.approx(0)
    assert nash_mix(ROCK) == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert alpha_rank(ROCK) == pytest.approx([1 / 3] * 3)
    chance = np.where(ROCK > 0, 0.7, np.where(ROCK < 0, 0.3, 0.5))
    found = standing(Made(chance, 400, np.random.default_rng(5)), 5)
    # 0 beats 2, which beats 1, which beats 0.
    assert [c["of"] for c in found.cycles] == [[0, 2, 1]] and found.cycles[0]["p_holm"] < 0.01
    assert found.cyclic[1] > 0.8
    assert (found.nash[:, 1] > 0.1).all() and (found.nash[:, 2] < 0.6).all()


def test_a_better_strategy_takes_all():
    matrix = np.array([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]], float)
    assert nash_mix(matrix) == pytest.approx([1, 0, 0], abs=1e-6)
    assert alpha_rank(matrix) == pytest.approx([1, 0, 0], abs=1e-6)


def test_alpha_rank_by_hand():
    """Two strategies: fixation probabilities r and s give the shares s and r over their sum."""
    alpha, gain = 1000.0, 0.001
    matrix = np.array([[0, gain], [-gain, 0]])
    up = (1 - math.exp(-alpha * gain)) / (1 - math.exp(-50 * alpha * gain))
    down = (1 - math.exp(alpha * gain)) / (1 - math.exp(50 * alpha * gain))
    expected = np.array([up, down]) / (up + down)
    assert alpha_rank(matrix) == pytest.approx(expected)


def random_game(rng, n=5):
    matrix = rng.normal(size=(n, n))
    return matrix - matrix.T


def test_the_mix_is_an_equilibrium_that_nashpy_knows():
    nash = pytest.importorskip("nashpy")
    rng = np.random.default_rng(3)
    for _ in range(10):
        matrix = random_game(rng)
        mix = nash_mix(matrix)
        assert mix.sum() == pytest.approx(1) and (mix >= 0).all()
        assert (matrix @ mix).max() < 1e-5
        row, _ = nash.Game(matrix).linear_program()  # of such a game there is one equilibrium
        assert mix == pytest.approx(row, abs=1e-4)


@pytest.mark.parametrize("of", range(4))
def test_a_copy_changes_no_rating_and_shares_the_part(of):
    matrix = random_game(np.random.default_rng(9), 4)
    copied = with_copy(matrix, of)
    mix, more = nash_mix(matrix), nash_mix(copied)
    assert copied @ more == pytest.approx([*(matrix @ mix), (matrix @ mix)[of]], abs=1e-4)
    assert more[of] + more[4] == pytest.approx(mix[of], abs=1e-4)
    assert more[of] == pytest.approx(more[4], abs=1e-3)


def test_a_match_and_a_tournament_of_two_say_the_same():
    match = ok(*"match fart balanced dump --games 2000 --seed 4".split())
    both = ok(*"tournament fart balanced dump --games 2000 --seed 4".split())
    score = match["estimates"][0]
    cell = both["matrix"][0]
    assert (cell["a"], cell["b"]) == ("balanced", "dump")
    assert cell["score"] == pytest.approx(score["value"])
    assert (cell["low"], cell["high"]) == pytest.approx((score["low"], score["high"]))


def test_a_tournament_of_many_seats_and_its_page(tmp_path):
    words = "tournament fan_tan random planner chip_minder --players 4 --games 4800".split()
    one = ok(*words, "--jobs", "1")
    two = ok(*words, "--jobs", "2", "--out", str(tmp_path / "page"))
    assert without_times(one) == without_times(two)
    assert len(one["seat_ratings"]) == 4 and len(one["matrix"]) == 6
    assert one["ratings"]["planner"]["low"] > one["ratings"]["random"]["high"]
    assert one["transitive_share"]["value"] + one["cyclic_share"]["value"] == pytest.approx(1)
    page = (tmp_path / "page" / "report.html").read_text()
    assert "is rated first" in page
    assert (tmp_path / "page" / "matchups.svg").exists()


@pytest.mark.parametrize(
    "words, hint",
    [
        ("fart random", "two strategies or more"),
        ("fart random dump random", "random is repeated"),
        ("fart random dumb", "dump"),
        ("fart random dump --games 3", "multiple of 2"),
        ("fart random dump --games 2", "two deals at least"),
    ],
)
def test_tournaments_that_make_no_sense(words, hint):
    status, out, _ = evendeal("tournament", *words.split(), "--json")
    assert status == 2 and hint in json.loads(out)["error"]


def always(scores, deals):
    """Payoffs of two-seat games that end the same way in every deal."""
    made = Payoffs(seatings_of(len(scores), 2), len(scores), deals)
    for_first = np.array([scores[i][j] for i, j in made.seatings])
    won = np.stack([for_first, 1 - for_first], axis=1) * made.unit
    made.parts = [np.repeat(won[None], deals, axis=0)]
    return made


def test_few_deals_that_are_alike_prove_little():
    rock = [[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]
    assert standing(always(rock, 2), 1).cycles == []
    assert standing(always(rock, 40), 1).cycles != []
    few, many = (standing(always([[0.5, 0.75], [0.25, 0.5]], n), 1) for n in (2, 2000))
    score, low, high, p = few.matrix[0, 1]
    assert score == 0.75 and low < 0.5 and high > 0.75 and p == pytest.approx((0.5 / 0.75) ** 2)
    assert not few.beats(0, 1) and many.beats(0, 1) and not many.beats(1, 0)
    assert many.matrix[0, 1][1] > 0.74 and many.matrix[1, 0][3] == 1
