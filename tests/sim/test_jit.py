"""Compiled code kept on disk: an edit in any file that it depends on must reach it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sim import jit

ROOT = Path(__file__).parents[2]
ASK = """
from sim.runner import simulate
from strategies import load
table = simulate("fart", [load("fart", "random")] * 2, games=200)
print(int(table["turns"].sum()))
"""


def ask(tree, cache):
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, env=env, cwd=tree
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.skipif(jit.PLAIN, reason="nothing is compiled without numba")
def test_an_edit_in_another_file_is_not_answered_from_the_cache(tmp_path):
    tree = tmp_path / "tree"
    for part in ("sim", "strategies"):
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
    before = ask(tree, tmp_path / "cache")
    loop = tree / "sim" / "loop.py"
    text = loop.read_text()
    assert text.count("row.turns = state.turns") == 1
    loop.write_text(text.replace("row.turns = state.turns", "row.turns = state.turns + 1000"))
    assert ask(tree, tmp_path / "cache") == before + 200 * 1000


def test_bounds_checking_is_part_of_the_stamp(monkeypatch):
    jit.stamp.cache_clear()
    plain = jit.stamp()
    monkeypatch.setenv(
        "NUMBA_BOUNDSCHECK", "1" if os.environ.get("NUMBA_BOUNDSCHECK") != "1" else "0"
    )
    jit.stamp.cache_clear()
    assert jit.stamp() != plain
    jit.stamp.cache_clear()
