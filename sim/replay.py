"""One game again, move by move, as data or as a report to read."""

import dataclasses
import operator
from collections.abc import Callable, Iterator

import numpy as np

from sim.cards import card_name
from sim.errors import RunError
from sim.game import RuleSet, scratch
from sim.loop import HANDS
from sim.rng import seed_stream


@dataclasses.dataclass(frozen=True)
class Step:
    """One move of a game.

    Attributes
    ----------
    hand, seat : int
    phase : str
        The game's name of the phase.
    legal : tuple of str
        Every legal move in notation, in the order of ``view.moves``.
    chosen : str
    words : str
        The move in words.
    drawn : tuple of int
        The cards that came to hands during the step, in that order.
    state : record
        All that the engine knows, after the move.
    """

    hand: int
    seat: int
    phase: str
    legal: tuple[str, ...]
    chosen: str
    words: str
    drawn: tuple[int, ...]
    state: np.record


def walk(
    module, rules: RuleSet, choosers: list[Callable], params, seed: int, number: int
) -> Iterator[Step]:
    """Play one game through the same functions that the loop uses, one move at a time.

    Parameters
    ----------
    module : game module
    rules : RuleSet
    choosers : list of callable
        The strategy of each seat.
    params : sequence of sequences of float
        The weights of each seat's strategy.
    seed, number : int
        Which game: the run's seed and the number of the deal.

    Yields
    ------
    Step
        Before the first move of a hand comes a step without a choice: ``chosen`` is empty and
        ``state`` is the table as dealt. The step that ended the hand before has the new deck, in
        dealing order, behind what else was drawn.

    Raises
    ------
    RunError
        If a strategy raises, or returns an index outside its moves.
    """
    players = len(choosers)
    state, views = scratch(module, players)
    lowered = rules.lower()
    state.game, state.n_players = number, players
    for seat in range(players):
        views[seat].rules = lowered
        views[seat].params[: len(params[seat])] = params[seat]
    last = None  # the step that ended a hand: it waits for the next deal
    for hand in range(module.hands(rules)):
        seed_stream(state.rng, seed, number, HANDS * hand)
        for seat in range(players):
            seed_stream(views[seat].rng, seed, number, HANDS * hand + 1 + seat)
        state.hand = hand
        state.over = state.turns = state.moves = state.decisions = 0
        module.deal(lowered, state)
        if last:
            deck = tuple(module.deal_order(lowered, state, ()))
            yield dataclasses.replace(last, drawn=last.drawn + deck)
            last = None
        yield Step(hand, int(state.seat), "deal", (), "", "", (), snapshot(state))
        while not state.over:
            seat = int(state.seat)
            view = views[seat]
            module.legal(lowered, state, view)
            moves = [int(move) for move in view.moves[: view.n_moves]]
            index = 0
            if len(moves) > 1:
                try:
                    index = operator.index(choosers[seat](view))
                except (Exception, SystemExit) as error:
                    raise RunError(
                        f"the strategy of seat {seat} raised {type(error).__name__}: {error}, "
                        f"after {int(state.moves)} moves",
                        seat=seat,
                    ) from error
                state.decisions += 1
                if not 0 <= index < len(moves):
                    raise RunError(
                        f"the strategy of seat {seat} returned {index}, outside its "
                        f"{len(moves)} moves",
                        seat=seat,
                    )
            legal = tuple(module.describe(move, view)[0] for move in moves)
            chosen, words = module.describe(moves[index], view)
            phase = module.PHASES[int(view.phase)]
            before = snapshot(state)
            state.moves += 1
            module.apply(lowered, state, moves[index])
            drawn = tuple(module.came(before, state))
            step = Step(hand, seat, phase, legal, chosen, words, drawn, snapshot(state))
            if state.over:
                last = step
            else:
                yield step
    if last:
        yield last


def snapshot(state) -> np.record:
    """A copy of a state that later moves leave alone."""
    copy = np.zeros(1, state.dtype).view(np.recarray)
    copy[0] = state
    return copy[0]


def final_rows(module, rules: RuleSet, steps: list[Step]) -> list[np.record]:
    """The result row of each hand of a game that has been walked to its end."""
    last = {step.hand: step.state for step in steps}
    rows = np.zeros(len(last), module.ROW).view(np.recarray)
    for hand, state in last.items():
        for name in ("turns", "moves", "decisions"):
            rows[hand][name] = state[name]
        rows[hand].hand = hand
        module.score(rules.lower(), state, rows[hand])
    return list(rows)


def total_scores(module, rows: list[np.record], players: int) -> list[int]:
    """The scores of a game: its hands' sum where they add up, else the last hand's."""
    counted = rows if getattr(module, "SCORES_ADD", False) else rows[-1:]
    return [sum(int(row.score[seat]) for row in counted) for seat in range(players)]


def hand_result(row, players: int) -> dict:
    """What one hand of a session came to."""
    return {
        "scores": [int(row.score[seat]) for seat in range(players)],
        "winners": seats_of(row.winners),
        "unfinished": bool(row.unfinished),
        "turns": int(row.turns),
    }


def seats_of(mask: int) -> list[int]:
    """The seats whose bits are set."""
    return [seat for seat in range(32) if int(mask) >> seat & 1]


def as_json(module, rules: RuleSet, names: list[str], seed: int, number: int, steps) -> dict:
    """A walked game, complete enough for a stranger to referee it again; see docs/notation/."""
    lowered = rules.lower()
    rows = final_rows(module, rules, steps)
    row = rows[-1]
    winners = seats_of(row.winners)
    drawn = [card for step in steps for card in step.drawn]
    deals = [step.state for step in steps if not step.chosen]
    first = deals[0]
    return {
        "command": "replay",
        "game": module.NAME,
        "rules": rules.as_dict(),
        "seed": seed,
        "game_number": number,
        "players": len(names),
        "strategies": names,
        "deal": [card_name(c) for c in module.deal_order(lowered, first, drawn)],
        "hands": [[card_name(c) for c in hand] for hand in module.dealt_hands(lowered, first)],
        "steps": [
            {
                "seat": step.seat,
                "phase": step.phase,
                "legal": list(step.legal),
                "chosen": step.chosen,
            }
            | ({"drawn": [card_name(c) for c in step.drawn]} if step.drawn else {})
            for step in steps
            if step.chosen
        ],
        "result": {
            "scores": total_scores(module, rows, len(names)),
            "winner": winners[0] if len(winners) == 1 else None,
            "winners": winners,
            "unfinished": bool(row.unfinished),
            "turns": int(row.turns),
            "moves": int(row.moves),
            "decisions": int(row.decisions),
        }
        | ({"hands": [hand_result(r, len(names)) for r in rows]} if len(rows) > 1 else {}),
    } | (module.luck(deals) if hasattr(module, "luck") else {})
