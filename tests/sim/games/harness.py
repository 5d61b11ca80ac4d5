"""What the tests of every game share: play the kernel beside its plain-Python referee."""

import dataclasses

from hypothesis import strategies as st

from sim import jit
from sim.cards import card_name
from sim.errors import UsageError
from sim.replay import final_rows, seats_of, total_scores, walk
from sim.rng import below


@jit.strategy
def random_mover(view):
    """Draws evenly from the legal moves."""
    return below(view.rng, view.n_moves)


def rule_sets(module, **narrowed):
    """Random valid rules of a game; `narrowed` replaces an option's values."""
    fields = {}
    for name, field in module.Rules.options().items():
        values = narrowed.get(name, field.metadata["values"])
        # The default comes up more often than not, so that most games are not odd in every way.
        fields[name] = st.one_of(st.just(field.default), st.sampled_from(list(values)))

    def build(settings):
        try:
            return module.Rules(**settings)
        except UsageError:
            return None

    return st.fixed_dictionaries(fields).map(build).filter(lambda rules: rules is not None)


def steps_of(module, rules, players, seed, number=0, choosers=None):
    """A whole game of the kernel as a list of steps, of random players unless told otherwise."""
    choosers = choosers or [random_mover] * players
    return list(walk(module, rules, choosers, [()] * players, seed, number))


def referee_agrees(module, referee_class, rules, players, seed):
    """Play one random game on the kernel and on the referee; they must agree at every step.

    Compared are the seat and phase, the set of legal moves, the cards drawn, the end and the
    result. The kernel's list must also name each move once.
    """
    steps = steps_of(module, rules, players, seed)
    drawn = [card for step in steps for card in step.drawn]
    deal = [card_name(c) for c in module.deal_order(rules.lower(), steps[0].state, drawn)]
    referee = referee_class(rules.as_dict(), players, deal)
    for step in steps:
        if not step.chosen:
            continue
        context = f"{rules} seed {seed}: {step.chosen}"
        assert not referee.over, context
        assert (referee.seat, referee.phase) == (step.seat, step.phase), context
        assert len(set(step.legal)) == len(step.legal), context
        assert sorted(referee.legal()) == sorted(step.legal), context
        referee.play(step.chosen, [card_name(card) for card in step.drawn])
    assert referee.over
    rows = final_rows(module, rules, steps)
    row = rows[-1]
    result = referee.result()
    assert total_scores(module, rows, players) == result["scores"]
    assert seats_of(row.winners) == sorted(result["winners"])
    assert bool(row.unfinished) == result["unfinished"]
    return steps, row, result


def history(steps):
    """What can be seen of a game: for comparing two games."""
    return [(step.seat, step.legal, step.chosen, step.drawn) for step in steps]


def option_values(module):
    """Every option with every value that is not its default (a few of a long range)."""
    for name, field in module.Rules.options().items():
        values = list(field.metadata["values"])
        if len(values) > 8:
            near = [v for v in (field.default - 1, field.default + 1) if v in values]
            values = values[:4] + values[-2:] + near
        for value in dict.fromkeys(values):
            if value != field.default:
                yield name, value


def changes_play(module, name, value, base=None, games=300, players=None, choosers=None) -> bool:
    """Whether setting one option changes some game among many on the same deals."""
    base = base or module.Rules()
    changed = dataclasses.replace(base, **{name: value})
    players = players or module.DEFAULT_PLAYERS
    return any(
        history(steps_of(module, base, players, 7, number, choosers))
        != history(steps_of(module, changed, players, 7, number, choosers))
        for number in range(games)
    )
