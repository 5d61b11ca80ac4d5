"""Replays as a stranger gets them: the JSON alone is enough to referee a game again."""

import json

import pytest

from sim.game import load_game
from sim.replay import as_json, walk
from strategies import load
from tests.referee import arse_hole, fan_tan, fart, phalanx

CASES = [
    ("fart", fart, 2, {}, "balanced,random"),
    ("fart", fart, 2, {"hand_size": 5, "stand_alone": "always_allowed"}, "dump,push_first"),
    ("phalanx", phalanx, 2, {}, "zone_value,random"),
    ("phalanx", phalanx, 2, {"stakes": "on", "tie": "swap", "ace": "match"}, "bluffer,zone_value"),
    ("phalanx", phalanx, 3, {"three_players": "pairwise", "tie": "void"}, "random,spread,random"),
    ("fan_tan", fan_tan, 4, {}, "planner,random,block,liar"),
    ("fan_tan", fan_tan, 3, {"hands": 3, "first_dealer": "first_jack"}, "random,random,block"),
    ("fan_tan", fan_tan, 5, {"enforcement": "fined", "foundation": "five_or_nine"}, "random"),
    ("arse_hole", arse_hole, 6, {"hands": 3}, "climber"),
    ("arse_hole", arse_hole, 4, {"hands": 4, "churn": 100, "wild_as": "any_value"}, "random"),
]


@pytest.mark.parametrize("game, referee, players, options, specs", CASES)
def test_the_json_of_a_replay_can_be_refereed(game, referee, players, options, specs):
    module = load_game(game)
    rules = module.Rules.parse(options)
    names = specs.split(",")
    names = names * players if len(names) == 1 else names
    seats = [load(game, name) for name in names]
    for number in range(3):
        steps = list(
            walk(module, rules, [p.choose for p in seats], [p.params for p in seats], 5, number)
        )
        told = json.loads(json.dumps(as_json(module, rules, names, 5, number, steps)))
        given = dict(told["rules"])
        if game == "arse_hole":
            given |= {"_ranks": told["first_ranks"], "_churn": told["churn"]}
            del given["script"]  # joins and leaves are told otherwise to the referee
        if given.get("first_dealer") == "first_jack":
            given["_dealer"] = told["first_dealer"]
        judge = referee.Referee(given, told["players"], told["deal"])
        for step in told["steps"]:
            assert (judge.seat, judge.phase) == (step["seat"], step["phase"])
            assert sorted(judge.legal()) == sorted(step["legal"])
            judge.play(step["chosen"], step.get("drawn", []))
        assert judge.over
        result = judge.result()
        assert result["scores"] == told["result"]["scores"]
        assert sorted(result["winners"]) == told["result"]["winners"]
        single = told["result"]["winners"]
        assert told["result"]["winner"] == (single[0] if len(single) == 1 else None)
        if module.hands(rules) > 1:
            hands = told["result"]["hands"]
            assert len(hands) == module.hands(rules)
            assert hands[-1]["winners"] == told["result"]["winners"]
