"""Measuring Jimbo's PPO against MaskablePPO."""

import itertools
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
from jimbo.train.settings import RlSettings

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import ppo_speed as speed
from ppo_speed import Case, cases, compare


def test_both_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock of which each look takes a second, the rate is the decisions of one update."""
    monkeypatch.setattr(speed, "time", SimpleNamespace(process_time=itertools.count().__next__))
    rl = RlSettings(rows=4, horizon=4, minibatch=16, epochs=1, candidates=4, steps=10**6)
    told = cases()[0].sb3
    parts = {"n_steps": 4, "batch_size": 16, "n_epochs": 1}
    hyperparams = replace(told.hyper, algorithm_specific={**told.hyper.algorithm_specific, **parts})
    sb3 = replace(told, n_envs=4, candidates=4, hyperparams=hyperparams)
    assert compare(Case("small", rl, sb3), turns=1, warm_up=0) == (16, 16)


def test_what_is_compared_has_networks_of_one_size() -> None:
    for case in cases():
        assert (case.sb3.network, case.sb3.candidates) == (case.rl.size, case.rl.candidates)
    own = {case.name: case for case in cases()}["as many games and epochs"]
    parts = own.sb3.hyper.algorithm_specific
    assert own.sb3.n_envs == own.rl.rows
    assert (parts["n_steps"], parts["batch_size"], parts["n_epochs"]) == (
        own.rl.horizon,
        own.rl.minibatch,
        own.rl.epochs,
    )
