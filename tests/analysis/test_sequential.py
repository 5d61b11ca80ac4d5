"""Stopping early: the confidence sequence by hand, its coverage, and `--precision`."""

import math

import numpy as np
import pytest

from analysis.sequential import ConfidenceSequence
from tests.reports.test_cli import evendeal, ok, without_times


def test_the_first_steps_by_hand():
    """X = 1, 0: bets 1/2 (capped), estimates of the mean before 1/2 and 3/4."""
    sequence = ConfidenceSequence(0.95)
    sequence.update([1.0, 0.0])
    psi = -math.log(0.5) - 0.5
    penalty = psi * ((1 - 0.5) ** 2 + (0 - 0.75) ** 2)
    half = (math.log(40) + penalty) / 1.0
    assert sequence.penalty == pytest.approx(penalty) and sequence.weights == 1.0
    assert sequence.weighted == 0.5 and half > 0.5
    assert (sequence.low, sequence.high) == (0, 1)


def test_batches_change_the_looks_but_not_the_sums():
    values = np.random.default_rng(1).random(1000)
    whole, parts = ConfidenceSequence(), ConfidenceSequence()
    whole.update(values)
    for part in np.array_split(values, 7):
        parts.update(part)
    for name in ("weights", "weighted", "penalty", "total", "squares"):
        assert getattr(whole, name) == pytest.approx(getattr(parts, name), rel=1e-12)
    assert parts.half_width <= whole.half_width + 1e-12


def test_numbers_outside_0_to_1_are_refused():
    with pytest.raises(ValueError, match="from 0 to 1"):
        ConfidenceSequence().update([0.5, 1.5])


@pytest.mark.parametrize("p", [0.5, 0.85])
def test_coverage_at_the_stopping_time(p):
    """2,000 runs that stop when the bounds look narrow: at least 95 % hold the truth."""
    rng = np.random.default_rng(7)
    held, lengths = 0, []
    for _ in range(2000):
        sequence = ConfidenceSequence()
        while sequence.half_width > 0.06 and sequence.n < 5000:
            sequence.update(rng.random(50) < p)
        held += sequence.low <= p <= sequence.high
        lengths.append(sequence.n)
    assert held >= 0.95 * 2000
    assert max(lengths) < 5000  # every run came to its end by itself


def test_looking_often_breaks_the_fixed_interval_but_not_the_sequence():
    """Stop as soon as one half is left out: the fixed interval is wrong in many fair runs."""
    rng = np.random.default_rng(8)
    fooled = held = 0
    for _ in range(300):
        sequence, values = ConfidenceSequence(), []
        fixed = out = False
        for _ in range(40):
            batch = rng.random(50) < 0.5
            values.extend(batch)
            sequence.update(batch)
            half = 1.96 * np.std(values) / math.sqrt(len(values))
            fixed |= abs(np.mean(values) - 0.5) > half
            out |= not sequence.low <= 0.5 <= sequence.high
        fooled += fixed
        held += not out
    assert fooled > 0.2 * 300 and held >= 0.95 * 300


def test_precision_stops_at_the_same_game_on_any_number_of_workers():
    words = "match fart balanced dump --precision 0.02".split()
    one, two = ok(*words, "--jobs", "1"), ok(*words, "--jobs", "2")
    assert without_times(one) == without_times(two)
    main = one["estimates"][0]
    assert main["high"] - main["low"] <= 0.04 and one["precision"]["reached"]
    assert one["games"] == 2 * one["precision"]["deals"] and one["games"] % 2000 == 0
    assert one["estimates"][1]["low"] < one["estimates"][1]["high"]


def test_a_cap_ends_it_and_is_said():
    words = "advantage fart --strategy random --precision 0.001 --games 3000".split()
    report = ok(*words)
    assert report["games"] == 3000 and not report["precision"]["reached"]
    status, text, _ = evendeal(*words)
    assert status == 0 and "not reached" in text


@pytest.mark.parametrize("value", ["0", "-1", "0.5", "nan"])
def test_precisions_that_make_no_sense(value):
    status, out, _ = evendeal("advantage", "fart", "--precision", value, "--json")
    assert status == 2 and "--precision" in out
