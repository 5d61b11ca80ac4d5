"""The command line as a user meets it: in a process of its own, beside files of plain names."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

EVENDEAL = Path(sys.executable).with_name("evendeal")


def evendeal(*words, cwd=None):
    command = [str(EVENDEAL)] if EVENDEAL.exists() else [sys.executable, "-m", "reports.cli"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def ok(*words, cwd=None):
    status, out, err = evendeal(*words, "--json", cwd=cwd)
    assert status == 0, err + out
    return json.loads(out)


def files_of(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def without_times(report):
    return {k: v for k, v in report.items() if k not in ("elapsed_s", "games_per_s")}


def test_advantage_says_all_that_scripts_rely_on():
    report = ok("advantage", "fart", "--games", "3000", "--seed", "4", "--set", "refill=4")
    for key in "command game rules players strategies seed games unfinished".split():
        assert key in report
    assert report["rules"]["refill"] == 4 and report["games"] == 3000
    found = {e["name"]: e for e in report["estimates"]}
    assert {"first_player_advantage", "win_share[0]", "win_share[1]", "draw_share"} <= set(found)
    assert {"turns_per_game", "moves_per_game", "decisions_per_game"} <= set(found)
    for e in found.values():
        assert e["low"] <= e["value"] <= e["high"] and e["n"] == 3000 and e["level"] == 0.95
    shares = sum(found[n]["value"] for n in ("win_share[0]", "win_share[1]", "draw_share"))
    assert shares == pytest.approx(1)


def test_jobs_change_nothing():
    words = ("match", "fart", "balanced", "dump", "--games", "4000")
    one, two = ok(*words, "--jobs", "1"), ok(*words, "--jobs", "2")
    assert without_times(one) == without_times(two)


def test_match_against_itself_is_exactly_even():
    report = ok("match", "fart", "random", "random", "--games", "2000")
    score = report["estimates"][0]
    assert score["name"] == "score[A]"
    assert (score["value"], score["low"], score["high"]) == (0.5, 0.5, 0.5)


def test_out_writes_the_page_once_and_refuses_another_plan(tmp_path):
    folder = tmp_path / "with space"
    words = ("advantage", "fart", "--games", "3000", "--out", str(folder))
    ok(*words)
    names = {p.name for p in folder.iterdir()}
    assert {"report.html", "results.parquet", "win_share.png", "win_share.svg"} <= names
    before = files_of(folder)
    ok(*words, "--jobs", "1")
    assert files_of(folder) == before
    status, out, _ = evendeal(*words, "--seed", "2", "--json")
    assert status == 2 and "another plan" in json.loads(out)["error"]
    assert files_of(folder) == before
    import pandas as pd

    assert len(pd.read_parquet(folder / "results.parquet")) == 3000
    page = (folder / "report.html").read_text()
    assert "<svg" in page and "http-equiv" not in page and "than an even share" in page


def test_out_refuses_a_folder_of_other_files(tmp_path):
    (tmp_path / "mine.txt").write_text("keep")
    status, _, err = evendeal("advantage", "fart", "--games", "10", "--out", str(tmp_path))
    assert status == 2 and "other files" in err
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    "words, hint",
    [
        (("advantage", "frat"), "did you mean fart"),
        (("advantage", "fart", "--set", "refil=3"), "did you mean refill"),
        (("advantage", "fart", "--set", "special_take=force"), "did you mean forced"),
        (("advantage", "fart", "--set", "refill"), "option=value"),
        (("advantage", "fart", "--strategy", "dmup"), "did you mean dump"),
        (("advantage", "fart", "--strategy", "no.py:f"), "unknown strategy file"),
        (("advantage", "fart", "--strategy", "balanced(hnad=1)"), "did you mean hand"),
        (("advantage", "fart", "--games", "0"), "games must be"),
        (("advantage", "fart", "--games", "x"), "valid integer"),
        (("advantage", "fart", "--jobs", "-1"), "--jobs"),
        (("advantage", "fart", "--jobs", "99999"), "jobs must be"),
        (("advantage", "fart", "--players", "3"), "2 players"),
        (("match", "fart", "dump", "random", "--games", "3"), "multiple of 2"),
        (("replay", "fart", "--game", "-1"), "--game"),
        (("nonsense",), "nonsense"),
    ],
)
def test_bad_requests_are_one_clear_line_and_status_2(words, hint):
    status, out, _ = evendeal(*words, "--json")
    assert status == 2 and hint in json.loads(out)["error"]
    status, out, err = evendeal(*words)
    assert status == 2 and out == "" and hint in err and len(err.splitlines()) == 1


def test_a_users_strategy_beside_files_of_our_names(tmp_path):
    for name in ("sim.py", "analysis.py", "strategies.py", "reports.py", "numba.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong file was imported')")
    (tmp_path / "my.py").write_text(
        "def last(view):\n    return view.n_moves - 1\n\n\n"
        "def outside(view):\n    return view.n_moves\n"
    )
    report = ok("match", "fart", "my.py:last", "random", "--games", "40", cwd=tmp_path)
    assert report["games"] == 40
    two = ok("match", "fart", "my.py:last", "random", "--games", "40", "--jobs", "2", cwd=tmp_path)
    assert without_times(two) == without_times(report)
    status, out, _ = evendeal(
        "advantage", "fart", "--strategy", "my.py:outside", "--games", "40", "--json", cwd=tmp_path
    )
    fault = json.loads(out)
    assert status == 1 and fault["game_number"] == 0 and "evendeal replay" in fault["replay"]
    status, out, _ = evendeal(
        "advantage", "fart", "--strategy", "my.py:lsat", "--json", cwd=tmp_path
    )
    assert status == 2 and "did you mean last" in json.loads(out)["error"]


def test_replay_is_complete_and_readable():
    game = ok("replay", "fart", "--game", "5", "--strategies", "dump,random")
    assert len(game["deal"]) == 52 == len(set(game["deal"]))
    assert sum(game["result"]["scores"]) == 52
    assert all(step["chosen"] in step["legal"] for step in game["steps"])
    status, text, _ = evendeal("replay", "fart", "--game", "5", "--strategies", "dump,random")
    assert status == 0 and "Turn 1, seat 0 (dump)" in text and "Final count" in text


@pytest.mark.parametrize("words", [("--help",), ("games",), ("games", "fart")])
def test_looking_round_loads_nothing_heavy(words):
    code = (
        "import sys; from reports.cli import guarded; "
        f"guarded({list(words)!r}); "
        "print([m for m in ('numba', 'pandas', 'matplotlib', 'scipy') if m in sys.modules])"
    )
    env = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_every_folder_imports_only_what_it_may():
    root = Path(__file__).parents[2]
    allowed = {"sim": {"sim"}, "strategies": {"strategies", "sim"}, "analysis": {"analysis", "sim"}}
    for package, may in allowed.items():
        for path in (root / package).rglob("*.py"):
            for line in path.read_text().splitlines():
                words = line.split()
                if len(words) > 1 and words[0] in ("from", "import"):
                    top = words[1].split(".")[0]
                    if top in ("sim", "strategies", "analysis", "reports"):
                        assert top in may, f"{path}: {line}"


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_and_reports_what_is_done(tmp_path, sign):
    words = "advantage fart --strategy random --games 900000000 --jobs 2 --json --out o".split()
    ok("advantage", "fart", "--strategy", "random", "--games", "100")  # compile before the clock
    command = [str(EVENDEAL)] if EVENDEAL.exists() else [sys.executable, "-m", "reports.cli"]
    process = subprocess.Popen(
        [*command, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    parts = tmp_path / "o" / "results.parquet"
    for _ in range(600):
        if parts.exists() and any(parts.iterdir()):
            break
        time.sleep(0.1)
    process.send_signal(sign)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    report = json.loads(out)
    assert report["interrupted"] and report["games"] > 0
    import pandas as pd

    table = pd.read_parquet(tmp_path / "o" / "results.parquet")
    assert len(table) == report["games"]
    assert table["game"].to_numpy().tolist() == list(range(len(table)))
    assert "was interrupted" in (tmp_path / "o" / "report.html").read_text()


def test_a_strategy_of_an_installed_package_is_found_by_name(tmp_path):
    (tmp_path / "their_cards.py").write_text("def last(view):\n    return view.n_moves - 1\n")
    info = tmp_path / "their_cards-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-cards\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[evendeal.strategies.fart]\ntheir_last = their_cards:last\n"
    )
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "reports.cli", "match", "fart", "their_last", "random"]
        + ["--games", "40", "--json"],
        capture_output=True,
        text=True,
        env=env,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert json.loads(done.stdout)["strategies"] == ["their_last", "random"]


@pytest.mark.parametrize("first_exchange, first", [("no", 1), ("yes", 0)])
def test_mobility_counts_the_hands_that_have_an_exchange(tmp_path, first_exchange, first):
    """The matrix again from the table of results: without a first hand that is another game."""
    words = ("mobility", "--players", "3", "--games", "40", "--strategies", "lowest_first")
    folder = tmp_path / "out"
    rule = f"first_exchange={first_exchange}"
    report = ok(*words, "--hands", "3", "--set", rule, "--out", str(folder))
    assert report["rules"]["hands"] == 3 and report["first_hand"] == first
    table = pd.read_parquet(folder / "results.parquet")
    table = table[table["hand"] >= first]
    steps = np.zeros((3, 3), int)
    for seat in range(3):
        np.add.at(steps, (table[f"rank_before[{seat}]"] - 1, table[f"score[{seat}]"] - 1), 1)
    assert report["transition"]["steps"] == steps.tolist()
    shares = steps / steps.sum(axis=1, keepdims=True)
    assert np.array(report["transition"]["value"]) == pytest.approx(shares)


def test_mobility_takes_the_hands_once():
    status, _, err = evendeal("mobility", "--hands", "3", "--set", "hands=4")
    assert status == 2 and "hands" in err


@pytest.mark.parametrize(
    "words, last",
    [
        ("phalanx --players 3 --set stakes=on", "Cards owned at the end by seat"),
        ("fan_tan --players 5 --set hands=2", "Net chips by seat"),
        ("arse_hole --set hands=2", "Rank after the hand by seat"),
    ],
)
def test_every_game_can_be_read(words, last):
    status, text, err = evendeal("replay", *words.split(), "--game", "7")
    assert status == 0, err
    assert last in text.splitlines()[-1] and "As dealt" in text.replace("as dealt", "As dealt")


FAULTS = """
import sys
from sim.jit import strategy


@strategy
def no_field(view):
    return view.nosuch


@strategy
def fraction(view):
    return 0.5


def nothing(view):
    return None


def leaves(view):
    sys.exit(3)
"""


@pytest.mark.parametrize(
    "name, status, hint",
    [
        ("no_field", 2, "no field 'nosuch'"),
        ("fraction", 2, "not the index of a move"),
        ("nothing", 1, "returned None, not the index of a move"),
        ("leaves", 1, "SystemExit"),
    ],
)
def test_strategies_that_fail_say_how(tmp_path, name, status, hint):
    (tmp_path / "bad.py").write_text(FAULTS)
    words = ("match", "fart", f"bad.py:{name}", "random", "--games", "20")
    found, out, _ = evendeal(*words, "--json", cwd=tmp_path)
    assert found == status and hint in json.loads(out)["error"]
    found, out, err = evendeal(*words, cwd=tmp_path)
    assert (found, out) == (status, "") and hint in err and len(err.splitlines()) == 1


def test_out_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("keep")
    folder = str(tmp_path / "file" / "under")
    status, out, _ = evendeal("advantage", "fart", "--games", "10", "--out", folder, "--json")
    assert status == 2 and "--out" in json.loads(out)["error"]
