"""Results on disk: whatever happens to a run, the folder ends as if nothing had."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim import store
from sim.errors import RunError, UsageError
from sim.game import load_game
from sim.runner import make_plan, run, to_table
from sim.store import Store, read_manifest, status
from strategies.registry import load
from tests.reports.test_cli import files_of

KILLS = int(os.environ.get("EVENDEAL_TEST_KILLS", 3))
CODE = (
    "import sys, sim.store; sim.store.PART_ROWS = 4000; sys.argv[0] = 'evendeal';"
    "from reports.cli import main; main()"
)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(store, "PART_ROWS", 100)


def plan_of(games=950, seed=5, game="fart"):
    names = ["random"] if game == "fart" else ["lowest_first"]
    seats = 2 if game == "fart" else 4
    rules = load_game(game).Rules.parse({"hands": 3} if game == "arse_hole" else {})
    players = [load(game, name) for name in names]
    seatings = [[0] * seats]
    return make_plan(
        game, players, rules=rules, seatings=seatings, paired=False, seed=seed, games=games
    )


def manifest_of(plan):
    return {"command": "evendeal test"} | plan.manifest()


def play(folder, plan, stop_after=None, piece=37):
    """Play a plan into a folder, all of it or so many games; results in pieces of an odd size."""
    with Store(folder, manifest_of(plan)) as kept:
        stream, seen = kept.stream(plan), []
        tables = stream.tables(1)
        try:
            for table in tables:
                for start in range(0, len(table), piece * stream.hands):
                    part = table[start : start + piece * stream.hands]
                    stream.add(part)
                    seen.append(part)
                    if stop_after and sum(map(len, seen)) >= stop_after * stream.hands:
                        return pd.concat(seen, ignore_index=True)
        finally:
            tables.close()
            stream.close()
    return pd.concat(seen, ignore_index=True)


@pytest.mark.parametrize("game", ["fart", "arse_hole"])
def test_what_is_kept_is_what_was_played(tmp_path, game):
    plan = plan_of(game=game, games=200)
    play(tmp_path / "a", plan)
    there = pd.read_parquet(tmp_path / "a" / "results.parquet")
    rows = np.concatenate(list(run(plan, 1)))
    pd.testing.assert_frame_equal(there, to_table(rows, plan.n_seats))


def test_a_run_that_stopped_goes_on_to_the_same_bytes(tmp_path):
    plan = plan_of()
    whole = play(tmp_path / "whole", plan)
    for games in (1, 99, 100, 101, 474, 949):
        folder = tmp_path / str(games)
        play(folder, plan, stop_after=games, piece=1)
        assert status(folder)["plans"][0]["done"] == games
        assert len(pd.read_parquet(folder / "results.parquet")) == games
        again = play(folder, plan, piece=53)
        pd.testing.assert_frame_equal(again, whole)
        assert files_of(folder) == files_of(tmp_path / "whole")


def test_finished_results_are_read_not_played(tmp_path, monkeypatch):
    plan = plan_of()
    whole = play(tmp_path / "a", plan)
    monkeypatch.setattr("sim.runner.run", None)
    pd.testing.assert_frame_equal(play(tmp_path / "a", plan), whole)


def test_a_journal_torn_at_any_byte_loses_its_last_record_alone(tmp_path):
    plan = plan_of(games=95)
    folder = tmp_path / "a"
    with Store(folder, manifest_of(plan)) as kept:
        stream = kept.stream(plan)
        rows = np.concatenate(list(run(plan, 1)))
        for start in (0, 30, 60):
            stream.add(to_table(rows[start : start + 30], 2))
        path = stream.journal(0)
        data = path.read_bytes()
        for cut in range(0, len(data), 97):
            path.write_bytes(data[:cut])
            table = store.read_journal(path, kept.plan)
            assert table is None or len(table) in (30, 60)
        path.write_bytes(data)
        assert len(store.read_journal(path, kept.plan)) == 90
        assert store.read_journal(path, "another plan") is None


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damage_anywhere_is_never_used(tmp_path_factory, data):
    """A byte changed, or a tail cut off, in any file: played again or refused."""
    plan = plan_of(games=350)
    base = tmp_path_factory.mktemp("store")
    play(base / "whole", plan)
    play(base / "hurt", plan)
    files = sorted(p for p in (base / "hurt").rglob("*") if p.is_file())
    path = data.draw(st.sampled_from(files))
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[at] ^= data.draw(st.integers(1, 255))
    else:
        del content[at:]
    path.write_bytes(content)
    try:
        seen = play(base / "hurt", plan)
    except UsageError as error:
        assert str(base / "hurt") in str(error)
        return
    assert len(seen) == 350
    hurt, whole = files_of(base / "hurt"), files_of(base / "whole")
    if path.name == "plan.json":  # only what made it, which decides nothing, can have changed
        hurt.pop(path.relative_to(base / "hurt"))
        whole.pop(path.relative_to(base / "hurt"))
    assert hurt == whole


def test_damaged_parts_are_named_and_played_again(tmp_path, capsys):
    plan = plan_of()
    folder = tmp_path / "a"
    play(folder, plan)
    before = files_of(folder)
    path = sorted((folder / "results.parquet").iterdir())[4]
    path.write_bytes(path.read_bytes()[:-5])
    assert status(folder)["damaged"] == [path.name]
    assert status(folder)["plans"][0]["done"] == 850
    play(folder, plan)
    assert path.name in capsys.readouterr().err
    assert files_of(folder) == before


def test_foreign_files_are_refused_by_name(tmp_path):
    plan, other = plan_of(), plan_of(seed=6)
    play(tmp_path / "a", plan)
    play(tmp_path / "b", other)
    part = sorted((tmp_path / "b" / "results.parquet").iterdir())[3]
    (tmp_path / "a" / "results.parquet" / part.name).write_bytes(part.read_bytes())
    before = files_of(tmp_path / "a")
    with pytest.raises(UsageError, match=part.name):
        play(tmp_path / "a", plan)
    with pytest.raises(UsageError, match="another plan"):
        play(tmp_path / "a", other)
    assert files_of(tmp_path / "a") == before


def test_one_process_at_a_time(tmp_path):
    plan = plan_of()
    with Store(tmp_path / "a", manifest_of(plan)):
        with pytest.raises(UsageError, match="another process"):
            play(tmp_path / "a", plan)
    play(tmp_path / "a", plan)


def test_a_full_disk_says_what_is_safe_and_the_run_goes_on(tmp_path):
    plan = plan_of(games=3000)
    play(tmp_path / "whole", plan)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = max(p.stat().st_size for p in (tmp_path / "whole").rglob("part-*"))
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - 1, hard))
    try:
        with pytest.raises(RunError, match="games are safe") as caught:
            play(tmp_path / "a", plan)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert caught.value.details["safe_games"] <= status(tmp_path / "a")["plans"][0]["done"]
    play(tmp_path / "a", plan)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "whole")


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.dictionaries(st.text(), x)))
def test_any_manifest_is_read_or_refused(tmp_path_factory, manifest):
    folder = tmp_path_factory.mktemp("manifest")
    (folder / "plan.json").write_text(json.dumps(manifest))
    try:
        assert isinstance(read_manifest(folder), dict)
        status(folder)
    except UsageError:
        pass


@pytest.mark.parametrize(
    "words",
    [
        "advantage fart --strategy random --games 60000",
        "sweep fart --strategy random --vary hand_size=6,7 --games 20000",
    ],
)
def test_killed_at_any_moment_a_run_ends_with_the_same_bytes(tmp_path, words):
    def start(folder):
        command = [sys.executable, "-c", CODE, *words.split(), "--json", "--out", str(folder)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    done = start(tmp_path / "whole")
    out, err = done.communicate(timeout=300)
    assert done.returncode == 0, err
    whole = files_of(tmp_path / "whole")
    begun = time.perf_counter()
    start(tmp_path / "warm").communicate(timeout=300)
    lasts = time.perf_counter() - begun
    moments, kills, number = random.Random(7), 0, 0
    while kills < KILLS:
        folder = tmp_path / str(number)
        number += 1
        process = None
        while kills < KILLS:
            process = start(folder)
            try:
                process.communicate(timeout=moments.uniform(0.3, 1.0) * lasts)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
        else:
            process = start(folder)
            process.communicate(timeout=300)
        assert process.returncode == 0
        assert files_of(folder) == whole
