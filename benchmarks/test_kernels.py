"""Kernels under pytest-benchmark, and game for game against the C programs.

Outside the normal test run: ``python -m pytest benchmarks``.
"""

import shutil

import pytest

from benchmarks import kernels


@pytest.mark.skipif(not shutil.which(kernels.COMPILER[0]), reason="needs gcc")
@pytest.mark.parametrize("seed", [1, 2**40 + 3])
@pytest.mark.parametrize("game", kernels.IN_C)
def test_c_plays_the_same_games(game, seed):
    games = 100_000
    rows, _ = kernels.play_kernel(kernels.random_plan(game, games, seed))
    assert kernels.totals(game, rows) == kernels.play_c(game, games, seed)[0]


@pytest.mark.parametrize("game", kernels.GAMES)
def test_kernel_speed(benchmark, game):
    plan = kernels.random_plan(game, kernels.GAMES[game][1])
    rows, _ = benchmark.pedantic(kernels.play_kernel, args=[plan], rounds=5, warmup_rounds=1)
    benchmark.extra_info["moves"] = int(rows["moves"].sum())
    assert rows["unfinished"].sum() == 0


@pytest.mark.skipif(not shutil.which(kernels.COMPILER[0]), reason="needs gcc")
@pytest.mark.parametrize("game", kernels.IN_C)
def test_c_speed(benchmark, game):
    games = kernels.GAMES[game][1]
    kernels.program(game)
    found, _ = benchmark.pedantic(kernels.play_c, args=[game, games], rounds=5, warmup_rounds=1)
    benchmark.extra_info["moves"] = found["moves"]
    assert found["games"] == games
